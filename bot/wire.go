package bot

import (
	"strconv"

	"rowbot/bot/gateway"
)

// The message bodies that go to Discord. discordgo's own types are not used for
// them: its update answer always carries content, embeds and tts, which a
// components message must not have (see Discord's reference, "Components V2").

// Message flags.
const (
	flagEphemeral  = 1 << 6
	flagComponents = 1 << 15
)

// Interaction callback types.
const (
	callbackReply          = 4
	callbackDeferredReply  = 5
	callbackDeferredUpdate = 6
	callbackUpdate         = 7
	callbackChoices        = 8
	callbackModal          = 9
)

// Component types and button styles.
const (
	typeRow           = 1
	typeButton        = 2
	typeSelect        = 3
	typeTextInput     = 4
	typeUserSelect    = 5
	typeChannelSelect = 8
	typeText          = 10
	typeGallery       = 12
	typeContainer     = 17
	typeLabel         = 18

	stylePrimary   = 1
	styleSecondary = 2
	styleSuccess   = 3
	styleDanger    = 4

	inputShort = 1
)

// callback is the answer to an interaction.
type callback struct {
	Type int `json:"type"`
	Data any `json:"data,omitempty"`
}

// message is the body of a new or edited message. A components message (see
// flagComponents) has no content.
type message struct {
	Content    *string     `json:"content,omitempty"`
	Flags      int         `json:"flags,omitempty"`
	Components []component `json:"components"`
	Mentions   mentions    `json:"allowed_mentions"`
	// Attachments are the files that the message has afterwards. It follows from
	// files; a list that is empty, but not nil, takes all files off an edited message.
	Attachments []attachment `json:"attachments,omitzero"`

	files []file // uploaded with the message; a component shows one as attachment:// and its name
}

// file is an upload.
type file struct {
	name string // with its extension, and only once in a message
	mime string
	alt  string // what a picture shows, for those who cannot see it
	data []byte
}

// attachment says what an uploaded file is: its ID is its place among the files.
type attachment struct {
	ID          string `json:"id"`
	Filename    string `json:"filename"`
	Description string `json:"description,omitempty"`
}

// upload makes the body of a call out of what is to be sent: a form where a
// message has files, which JSON cannot take along, and else the thing itself.
func upload(body any) any {
	switch body := body.(type) {
	case message:
		if len(body.files) > 0 {
			return body.form(body.attached())
		}
	case boardMessage:
		if len(body.files) > 0 {
			body.message = body.attached()
			return body.form(body)
		}
	case callback:
		if m, ok := body.Data.(message); ok && len(m.files) > 0 {
			body.Data = m.attached()
			return m.form(body)
		}
	}
	return body
}

// attached is the message with its files named.
func (m message) attached() message {
	m.Attachments = make([]attachment, len(m.files))
	for n, f := range m.files {
		m.Attachments[n] = attachment{ID: strconv.Itoa(n), Filename: f.name, Description: f.alt}
	}
	return m
}

// form is a payload with the message's files beside it.
func (m message) form(payload any) gateway.Form {
	f := gateway.Form{Payload: payload}
	for _, x := range m.files {
		f.Files = append(f.Files, gateway.File{Name: x.name, Type: x.mime, Data: x.data})
	}
	return f
}

// mentions says who may be pinged: the users named and nobody else.
type mentions struct {
	Parse []string `json:"parse"` // always empty, never null: nothing in the text pings by itself
	Users []string `json:"users,omitempty"`
}

// component is any of the components in use; each kind fills in its own fields.
type component struct {
	Type        int           `json:"type"`
	Style       int           `json:"style,omitempty"`
	Label       string        `json:"label,omitempty"`
	Description string        `json:"description,omitempty"`
	Emoji       *emoji        `json:"emoji,omitempty"`
	CustomID    string        `json:"custom_id,omitempty"`
	Disabled    bool          `json:"disabled,omitempty"`
	Content     string        `json:"content,omitempty"`
	Accent      int           `json:"accent_color,omitempty"`
	Placeholder string        `json:"placeholder,omitempty"`
	MaxLength   int           `json:"max_length,omitempty"`
	Options     []option      `json:"options,omitempty"`
	Components  []component   `json:"components,omitempty"`
	Component   *component    `json:"component,omitempty"`
	Items       []galleryItem `json:"items,omitempty"`
	// Of selects: how many may be chosen (1 of each where left out), and of those
	// of users and channels, what is chosen already and which types are offered.
	MinValues    *int       `json:"min_values,omitempty"`
	MaxValues    int        `json:"max_values,omitempty"`
	Chosen       []chosenID `json:"default_values,omitempty"`
	ChannelTypes []int      `json:"channel_types,omitempty"`
}

// chosenID is a user or a channel that is chosen already.
type chosenID struct {
	ID   string `json:"id"`
	Type string `json:"type"` // "user" or "channel"
}

// galleryItem is a picture of a gallery.
type galleryItem struct {
	Media       media  `json:"media"`
	Description string `json:"description,omitempty"`
}

type media struct {
	URL string `json:"url"`
}

type emoji struct {
	Name string `json:"name"`
}

// option is one entry of a select.
type option struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Default     bool   `json:"default,omitempty"` // it is chosen already
}

type modal struct {
	CustomID   string      `json:"custom_id"`
	Title      string      `json:"title"`
	Components []component `json:"components"`
}

// choice is one suggestion of an autocomplete.
type choice struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type choices struct {
	Choices []choice `json:"choices"`
}

func row(c ...component) component { return component{Type: typeRow, Components: c} }

func button(style int, label, customID string) component {
	return component{Type: typeButton, Style: style, Label: label, CustomID: customID}
}

// menu is a select of one of several options, of which one is chosen already.
func menu(customID, chosen string, options ...option) component {
	for i := range options {
		options[i].Default = options[i].Value == chosen
	}
	return component{Type: typeSelect, CustomID: customID, Options: options}
}

// several is a select of any number of users or channels.
func several(kind int, customID, placeholder, of string, chosen []string) component {
	none := 0
	c := component{Type: kind, CustomID: customID, Placeholder: placeholder, MinValues: &none, MaxValues: maxOptions}
	for _, id := range chosen {
		c.Chosen = append(c.Chosen, chosenID{id, of})
	}
	return c
}

func text(s string) component { return component{Type: typeText, Content: s} }

// panel is a components message: one container with a text and rows under it.
func panel(accent int, s string, rows ...component) message {
	return message{
		Flags: flagComponents,
		Components: []component{{
			Type: typeContainer, Accent: accent,
			Components: append([]component{text(s)}, rows...),
		}},
		Mentions: mentions{Parse: []string{}},
	}
}

// note is a plain message of text and rows.
func note(s string, rows ...component) message {
	if rows == nil {
		rows = []component{}
	}
	return message{Content: &s, Components: rows, Mentions: mentions{Parse: []string{}}}
}
