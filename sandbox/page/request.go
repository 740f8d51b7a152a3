package page

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rowbot/sandbox"
)

// What a page may ask for.
const (
	doOpen         = "open"         // look at Channel; answered by a view, not by a result
	doPage         = "page"         // a stretch of the open Channel: Where of Message
	doListen       = "listen"       // show the traffic, if On; it comes as events
	doDetail       = "detail"       // what lies behind the Entry of the traffic
	doFault        = "fault"        // the fault Name for Times requests of Target, if On
	doAct          = "act"          // the misfortune Name, once
	doAllow        = "allow"        // the permission Name of the bot in Channel, if On
	doHeal         = "heal"         // no faults any more
	doLocale       = "locale"       // speak the language Name
	doSay          = "say"          // post Text, in answer to Message if that is given
	doLine         = "line"         // run the command line Text
	doSlash        = "slash"        // run Command with Options
	doAutocomplete = "autocomplete" // suggestions for Option of Command with Text so far and Options
	doClick        = "click"        // the button CustomID of Message
	doSelect       = "select"       // Values in the menu CustomID of Message
	doUser         = "user"         // the menu command Command on the user Target
	doMessage      = "message"      // the menu command Command on Message
	doDelete       = "delete"       // take Message away, as a moderator would
	doSubmit       = "submit"       // the open Modal with Fields
	doCancel       = "cancel"       // close Modal
)

// maxSay is how long a text of a person may be.
const maxSay = 2000

// request is what a page asks for; ID comes back with the result.
type request struct {
	ID       int               `json:"id"`
	Do       string            `json:"do"`
	Channel  string            `json:"channel"`
	Text     string            `json:"text"`
	Command  string            `json:"command"` // "ttt challenge"
	Option   string            `json:"option"`
	Options  []filled          `json:"options"`
	Message  string            `json:"message"`
	CustomID string            `json:"custom_id"`
	Values   []string          `json:"values"`
	Modal    string            `json:"modal"`
	Fields   map[string]string `json:"fields"` // by custom id
	Files    map[string][]file `json:"files"`  // likewise
	Where    string            `json:"where"`
	Name     string            `json:"name"`
	Target   string            `json:"target"`
	Times    int               `json:"times"`
	On       bool              `json:"on"`
	Entry    int               `json:"entry"`
}

// filled is an option with its value as text: an id, a number, a choice's value, true or false.
type filled struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	File  *file  `json:"file"` // of an attachment option
}

// file is a file of a person; Data is base64 in JSON.
type file struct {
	Name string `json:"name"`
	Type string `json:"type"`
	Data []byte `json:"data"`
}

func (f file) uploaded() sandbox.File {
	return sandbox.File{Name: f.Name, ContentType: f.Type, Data: f.Data}
}

// result answers a request: Error is what the client itself has to say, Failed that the bot did not answer in time.
type result struct {
	T       string     `json:"t"` // "result"
	ID      int        `json:"id"`
	Error   string     `json:"error,omitempty"`
	Failed  bool       `json:"failed,omitempty"`
	Message string     `json:"message,omitempty"` // id of the message that came or changed
	Modal   *modalInfo `json:"modal,omitempty"`
	Choices []choice   `json:"choices,omitempty"`
	Leaf    *leaf      `json:"leaf,omitempty"`
	Detail  *detail    `json:"detail,omitempty"`
}

type choice struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// errGone is for requests about what the person cannot see (any more).
var errGone = &sandbox.ClientError{Reason: "it is no longer there"}

// looks tells whether a request is about what the window looks at, which goes in order with the events.
func (r request) looks() bool { return r.Do == doOpen || r.Do == doPage || r.Do == doListen }

// perform does what a request asks for and waits for the answer.
func (c *connection) perform(ctx context.Context, req request) result {
	out := result{T: "result", ID: req.ID}
	reply, err := c.operate(ctx, req, &out)
	var own *sandbox.ClientError
	switch {
	case errors.As(err, &own):
		out.Error = sentence(own.Reason)
	case errors.Is(err, sandbox.ErrFailed):
		out.Failed = true
	case err != nil:
		out.Error = sentence(err.Error())
	case reply != nil:
		c.report(reply, &out)
	}
	return out
}

// report turns a reply into a result.
func (c *connection) report(reply *sandbox.Reply, out *result) {
	if m := reply.Shown(); m != nil {
		out.Message = m.ID
	}
	for _, ch := range reply.Choices {
		out.Choices = append(out.Choices, choice{ch.Name, ch.Value})
	}
	if reply.Modal != nil {
		c.modals.put(reply.InteractionID, reply.Modal)
		out.Modal = describeModal(reply.InteractionID, reply.Modal)
	}
}

// errNoSuch is for a switch, a language or a menu entry that does not exist.
var errNoSuch = &sandbox.ClientError{Reason: "there is no such thing"}

// operate handles what concerns the stand-in rather than a place in it, and leaves the rest to act.
func (c *connection) operate(ctx context.Context, req request, out *result) (reply *sandbox.Reply, err error) {
	known, faults := true, &c.page.faults
	switch req.Do {
	case doDetail:
		out.Detail, err = c.detail(req.Entry)
		return nil, err
	case doFault:
		known = faults.set(req.Name, req.On, req.Target, req.Times)
	case doAct:
		known = faults.act(req.Name)
	case doAllow:
		ch := c.page.srv.ChannelByID(req.Channel)
		known = ch != nil && faults.allow(ch, req.Name, req.On)
	case doHeal:
		faults.clear()
	case doLocale:
		if known = localePattern.MatchString(req.Name); known {
			c.person.SetLocale(req.Name)
		}
	default:
		return c.act(ctx, req)
	}
	if !known {
		return nil, errNoSuch
	}
	c.page.eachStale()
	return nil, nil
}

// localePattern is the form of Discord's languages.
var localePattern = regexp.MustCompile(`^[a-z]{2}(-[A-Z]{2}|-419)?$`)

// act does what a request asks for; the reply is nil when there is nothing to show.
func (c *connection) act(ctx context.Context, req request) (*sandbox.Reply, error) {
	ch := c.page.srv.ChannelByID(req.Channel)
	if ch == nil || !c.sits(ch) {
		return nil, errGone
	}
	seat := c.person.In(ch)
	switch req.Do {
	case doSay:
		return nil, c.say(seat, req)
	case doLine:
		return seat.Type(ctx, req.Text)
	case doSlash:
		return seat.Slash(ctx, req.Command, typed(req.Options)...)
	case doAutocomplete:
		choices, err := seat.Autocomplete(ctx, req.Command, req.Option, req.Text, typed(req.Options)...)
		return &sandbox.Reply{Choices: choices}, err
	case doClick:
		return c.click(ctx, seat, req)
	case doSelect:
		m := c.message(req)
		if m == nil {
			return nil, errGone
		}
		return seat.Select(ctx, m, req.CustomID, req.Values...)
	case doUser:
		target := c.page.srv.PersonByID(req.Target)
		if target == nil {
			return nil, errGone
		}
		return seat.UserCommand(ctx, req.Command, target)
	case doMessage, doDelete:
		return c.treat(ctx, seat, req)
	case doSubmit:
		return c.submit(ctx, seat, req)
	case doCancel:
		c.modals.drop(req.Modal)
		return nil, nil
	}
	return nil, &sandbox.ClientError{Reason: "the page asked for something unknown: " + req.Do}
}

// sits tells whether the person is in the channel's place. The id comes from the browser, so it is looked at anew.
func (c *connection) sits(ch *sandbox.Channel) bool {
	if ch.GuildID() == "" {
		return slices.Contains(ch.Recipients(), c.person)
	}
	return slices.ContainsFunc(c.page.srv.Guilds(), func(g *sandbox.Guild) bool {
		return g.ID() == ch.GuildID() && slices.Contains(g.Members(), c.person)
	})
}

// treat runs a menu command on a message, or takes the message away.
func (c *connection) treat(ctx context.Context, seat sandbox.Seat, req request) (*sandbox.Reply, error) {
	m := c.message(req)
	if m == nil {
		return nil, errGone
	}
	if req.Do == doMessage {
		return seat.MessageCommand(ctx, req.Command, m)
	}
	if !c.page.srv.Delete(m) {
		return nil, errGone
	}
	return nil, nil
}

// say posts a text.
func (c *connection) say(seat sandbox.Seat, req request) error {
	text := strings.TrimSpace(req.Text)
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return &sandbox.ClientError{Reason: "there is nothing to send"}
	case n > maxSay:
		return &sandbox.ClientError{Reason: "the text is too long: 2000 characters at most"}
	}
	if req.Message != "" {
		_, err := seat.Reply(c.message(req), text)
		return err
	}
	seat.Say(text)
	return nil
}

func typed(list []filled) []sandbox.Option {
	out := make([]sandbox.Option, 0, len(list))
	for _, o := range list {
		if o.File != nil {
			out = append(out, sandbox.AttachmentOption(o.Name, o.File.uploaded()))
			continue
		}
		out = append(out, sandbox.Typed(o.Name, o.Value))
	}
	return out
}

// message finds the message of a request as the person sees it; nil for none.
func (c *connection) message(req request) *sandbox.Message {
	m := c.page.srv.Message(req.Channel, req.Message)
	if m == nil || m.Viewer != "" && m.Viewer != c.person.ID() {
		return nil
	}
	return m
}

// click presses a button by its custom id. A button that an edit has meanwhile taken away was there when the person
// clicked, so the click goes out all the same, and the bot says what is to be said.
func (c *connection) click(ctx context.Context, seat sandbox.Seat, req request) (*sandbox.Reply, error) {
	m := c.message(req)
	if m == nil {
		return nil, errGone
	}
	for i, row := range m.Rows() {
		for j, b := range row {
			if b.CustomID == req.CustomID && req.CustomID != "" {
				return seat.ClickAt(ctx, m, i, j)
			}
		}
	}
	for _, b := range m.Buttons() { // accessories of sections are in no row
		if b.CustomID == req.CustomID && req.CustomID != "" {
			return seat.Click(ctx, m, req.CustomID)
		}
	}
	return seat.Forge(ctx, m, req.CustomID)
}

// submit sends a form. It stays open when it was refused or not answered, so that it can be sent again.
func (c *connection) submit(ctx context.Context, seat sandbox.Seat, req request) (*sandbox.Reply, error) {
	form := c.modals.get(req.Modal)
	if form == nil {
		return nil, &sandbox.ClientError{Reason: "this form is no longer open"}
	}
	files := map[string][]sandbox.File{}
	for key, list := range req.Files {
		for _, f := range list {
			files[key] = append(files[key], f.uploaded())
		}
	}
	reply, err := seat.SubmitModalWith(ctx, form, req.Fields, files)
	if err == nil {
		c.modals.drop(req.Modal)
	}
	return reply, err
}

// sentence makes a reason presentable.
func sentence(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(first)) + s[size:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}
