package sandbox

import (
	"encoding/json"
	"strings"
	"sync"
	"time"
)

// Message flags that matter here.
const (
	FlagSuppressEmbeds        = 1 << 2
	FlagEphemeral             = 1 << 6
	FlagLoading               = 1 << 7
	FlagSuppressNotifications = 1 << 12
	FlagComponentsV2          = 1 << 15
)

// Message is one state of a message: a snapshot that never changes. An edit makes a new one, to be had from
// [Server.Message] or from an event. Treat everything reachable from it as read-only.
type Message struct {
	ID        string
	ChannelID string
	GuildID   string // empty outside servers
	Type      int    // 0 plain, 19 reply, 20 answer to a slash command, 23 answer to a context menu command
	Author    User

	Content     string
	Embeds      []Embed
	Components  []*Component
	Attachments []Attachment
	Flags       int
	CreatedAt   time.Time
	EditedAt    time.Time // zero when never edited
	Nonce       string
	ReplyTo     string // id of the message it answers, empty for none

	// Pings are the ids of the users whom the last write (creation or edit) addresses by mention, after
	// allowed_mentions; PingsEveryone tells whether @everyone or @here would have been heard. Edits count as well,
	// though Discord notifies only at creation: a message that must ping nobody has to say so each time.
	Pings         []string
	PingsEveryone bool
	PingsRoles    []string

	// Viewer is the id of the only user who sees an ephemeral message; empty for public ones.
	Viewer string
	// InteractionID names the interaction that made the message; empty when none did.
	InteractionID string

	metadata      *metadata
	applicationID string
	mentions      []User // the accounts behind Pings

	once sync.Once
	wire json.RawMessage
}

// Ephemeral tells whether only Viewer can see the message.
func (m *Message) Ephemeral() bool { return m.Flags&FlagEphemeral != 0 }

// Loading tells whether the message is a deferred answer that still shows "thinking".
func (m *Message) Loading() bool { return m.Flags&FlagLoading != 0 }

// V2 tells whether the message is made of components only.
func (m *Message) V2() bool { return m.Flags&FlagComponentsV2 != 0 }

// Text is what a reader reads: the content, or the text displays of a components v2 message joined by newlines.
func (m *Message) Text() string {
	if !m.V2() {
		return m.Content
	}
	var parts []string
	for c := range walk(m.Components) {
		if c.Type == TypeTextDisplay {
			parts = append(parts, c.Content)
		}
	}
	return strings.Join(parts, "\n")
}

// Rows are the action rows in reading order, those inside containers too.
func (m *Message) Rows() [][]*Component {
	var rows [][]*Component
	for c := range walk(m.Components) {
		if c.Type == TypeActionRow {
			rows = append(rows, c.Components)
		}
	}
	return rows
}

// Buttons are all buttons in reading order, accessories of sections too.
func (m *Message) Buttons() []*Component {
	return m.all(func(c *Component) bool { return c.Type == TypeButton })
}

// Button finds the first button by its label, its custom id or its emoji's name, in this order; nil when there is none.
func (m *Message) Button(key string) *Component {
	found := m.matching(key)
	if len(found) == 0 {
		return nil
	}
	return found[0]
}

// Select finds the first select menu by custom id or placeholder; the first of all for an empty key; nil for none.
func (m *Message) Select(key string) *Component {
	for _, c := range m.all((*Component).isSelect) {
		if key == "" || c.CustomID == key || c.Placeholder == key {
			return c
		}
	}
	return nil
}

// matching lists the buttons that key names: by label; if none, by custom id; if none, by emoji.
func (m *Message) matching(key string) []*Component {
	for _, is := range []func(*Component) bool{
		func(c *Component) bool { return c.Label == key && key != "" },
		func(c *Component) bool { return c.CustomID == key && key != "" },
		func(c *Component) bool { return c.Emoji != nil && c.Emoji.Name == key },
	} {
		found := m.all(func(c *Component) bool { return c.Type == TypeButton && is(c) })
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

func (m *Message) all(is func(*Component) bool) []*Component {
	var out []*Component
	for c := range walk(m.Components) {
		if is(c) {
			out = append(out, c)
		}
	}
	return out
}

// Embed is a rich embed of a message.
type Embed struct {
	Type        string       `json:"type"`
	Title       string       `json:"title,omitempty"`
	Description string       `json:"description,omitempty"`
	URL         string       `json:"url,omitempty"`
	Color       int          `json:"color,omitempty"`
	Timestamp   string       `json:"timestamp,omitempty"`
	Fields      []EmbedField `json:"fields,omitempty"`
	Footer      *EmbedFooter `json:"footer,omitempty"`
	Author      *EmbedAuthor `json:"author,omitempty"`
	Image       *EmbedImage  `json:"image,omitempty"`
	Thumbnail   *EmbedImage  `json:"thumbnail,omitempty"`
}

// EmbedField is one named value of an embed.
type EmbedField struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Inline bool   `json:"inline"`
}

// EmbedFooter is the last line of an embed.
type EmbedFooter struct {
	Text    string `json:"text"`
	IconURL string `json:"icon_url,omitempty"`
}

// EmbedAuthor is the first line of an embed.
type EmbedAuthor struct {
	Name    string `json:"name"`
	URL     string `json:"url,omitempty"`
	IconURL string `json:"icon_url,omitempty"`
}

// EmbedImage is a picture of an embed.
type EmbedImage struct {
	URL string `json:"url"`
}

// Attachment is a file of a message; its bytes are at URL on this server.
type Attachment struct {
	ID          string
	Filename    string
	Description string
	ContentType string
	Size        int
	Width       int // of a picture, in pixels; 0 for other files
	Height      int
	URL         string
	Data        []byte
}
