package page

import (
	"encoding/json"
	"sync"
	"unicode/utf8"

	"rowbot/sandbox"
)

// Bounds of what is kept and quoted.
const (
	maxDrawings = 256
	maxQuote    = 120
)

// messageInfo is a message object of the API with what only the stand-in knows.
type messageInfo struct {
	Message json.RawMessage `json:"message"`
	Pings   []string        `json:"pings"` // ids of the people it addresses
	All     bool            `json:"all"`   // it addresses everyone
	Viewer  string          `json:"viewer,omitempty"`
	Command string          `json:"command,omitempty"` // what made it, "ttt bot"
	User    string          `json:"user,omitempty"`    // id of who used that
	Reply   *quote          `json:"reply,omitempty"`
}

// quote is the message that another one answers; Author is empty when it is gone.
type quote struct {
	ID     string `json:"id"`
	Author string `json:"author"`
	Text   string `json:"text"`
}

func describe(srv *sandbox.Server, m *sandbox.Message) messageInfo {
	out := messageInfo{Message: m.JSON(), Pings: orEmpty(m.Pings), All: m.PingsEveryone, Viewer: m.Viewer, Command: m.Command()}
	if out.Command != "" {
		out.User = m.User().ID
	}
	if m.ReplyTo == "" {
		return out
	}
	out.Reply = &quote{ID: m.ReplyTo}
	if to := srv.Message(m.ChannelID, m.ReplyTo); to != nil {
		out.Reply.Author, out.Reply.Text = to.Author.ID, shorten(to.Text())
	}
	return out
}

func shorten(text string) string {
	if utf8.RuneCountInString(text) <= maxQuote {
		return text
	}
	return string([]rune(text)[:maxQuote]) + "…"
}

// drawings keep the encoded form of the latest messages, so that a message is encoded once for all the windows that
// show it. The zero value is ready.
type drawings struct {
	mu    sync.Mutex
	kept  map[*sandbox.Message]*drawing
	order []*sandbox.Message // oldest first
}

type drawing struct {
	once sync.Once
	raw  []byte
}

// encode is the event for the browser. A message is a snapshot that never changes, so that its address names its state.
func (d *drawings) encode(srv *sandbox.Server, e sandbox.Event) []byte {
	one := d.of(e.Message)
	one.once.Do(func() {
		raw, err := json.Marshal(messageEvent{"message", e.ChannelID, e.Kind == sandbox.MessageCreated, describe(srv, e.Message)})
		if err != nil {
			raw = []byte(`{"t":"none"}`) // cannot be: all of it is made of strings and of JSON that was encoded before
		}
		one.raw = raw
	})
	return one.raw
}

func (d *drawings) of(m *sandbox.Message) *drawing {
	d.mu.Lock()
	defer d.mu.Unlock()
	if one := d.kept[m]; one != nil {
		return one
	}
	if d.kept == nil {
		d.kept = map[*sandbox.Message]*drawing{}
	}
	if len(d.order) >= maxDrawings {
		delete(d.kept, d.order[0])
		d.order = append(d.order[:0], d.order[1:]...)
	}
	one := &drawing{}
	d.kept[m], d.order = one, append(d.order, m)
	return one
}
