package page

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"rowbot/sandbox"
)

// What a page may ask for.
const (
	doOpen         = "open"         // look at Channel; answered by a view, not by a result
	doSay          = "say"          // post Text
	doLine         = "line"         // run the command line Text
	doSlash        = "slash"        // run Command with Options
	doAutocomplete = "autocomplete" // suggestions for Option of Command with Text so far and Options
	doClick        = "click"        // the button CustomID of Message
	doSelect       = "select"       // Values in the menu CustomID of Message
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
}

// filled is an option with its value as text: an id, a number, a choice's value, true or false.
type filled struct {
	Name  string `json:"name"`
	Value string `json:"value"`
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
}

type choice struct {
	Name  string `json:"name"`
	Value any    `json:"value"`
}

// errGone is for requests about what the person cannot see (any more).
var errGone = &sandbox.ClientError{Reason: "it is no longer there"}

// perform does what a request asks for and waits for the answer.
func (c *connection) perform(ctx context.Context, req request) result {
	reply, err := c.act(ctx, req)
	out := result{T: "result", ID: req.ID}
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

// act does what a request asks for; the reply is nil when there is nothing to show.
func (c *connection) act(ctx context.Context, req request) (*sandbox.Reply, error) {
	ch := c.page.srv.ChannelByID(req.Channel)
	if ch == nil || !c.sits(ch) {
		return nil, errGone
	}
	seat := c.person.In(ch)
	switch req.Do {
	case doSay:
		return nil, say(seat, req.Text)
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

func say(seat sandbox.Seat, text string) error {
	text = strings.TrimSpace(text)
	switch n := utf8.RuneCountInString(text); {
	case n == 0:
		return &sandbox.ClientError{Reason: "there is nothing to send"}
	case n > maxSay:
		return &sandbox.ClientError{Reason: "the text is too long: 2000 characters at most"}
	}
	seat.Say(text)
	return nil
}

func typed(list []filled) []sandbox.Option {
	out := make([]sandbox.Option, 0, len(list))
	for _, o := range list {
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
	reply, err := seat.SubmitModal(ctx, form, req.Fields)
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

// maxModals is how many forms a connection remembers; a browser shows one at a time.
const maxModals = 8

// modals are the open forms of a connection by the id of the interaction that opened them.
type modals struct {
	mu    sync.Mutex
	forms map[string]*sandbox.Modal
	order []string
}

func newModals() modals { return modals{forms: map[string]*sandbox.Modal{}} }

func (m *modals) put(id string, form *sandbox.Modal) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forms[id] = form
	m.order = append(m.order, id)
	if len(m.order) > maxModals {
		delete(m.forms, m.order[0])
		m.order = m.order[1:]
	}
}

func (m *modals) get(id string) *sandbox.Modal {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.forms[id]
}

func (m *modals) drop(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.forms, id)
	m.order = slices.DeleteFunc(m.order, func(o string) bool { return o == id })
}
