package bot

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
	typeRow       = 1
	typeButton    = 2
	typeSelect    = 3
	typeTextInput = 4
	typeText      = 10
	typeContainer = 17
	typeLabel     = 18

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
}

// mentions says who may be pinged: the users named and nobody else.
type mentions struct {
	Parse []string `json:"parse"` // always empty, never null: nothing in the text pings by itself
	Users []string `json:"users,omitempty"`
}

// component is any of the components in use; each kind fills in its own fields.
type component struct {
	Type        int         `json:"type"`
	Style       int         `json:"style,omitempty"`
	Label       string      `json:"label,omitempty"`
	Description string      `json:"description,omitempty"`
	Emoji       *emoji      `json:"emoji,omitempty"`
	CustomID    string      `json:"custom_id,omitempty"`
	Disabled    bool        `json:"disabled,omitempty"`
	Content     string      `json:"content,omitempty"`
	Accent      int         `json:"accent_color,omitempty"`
	Placeholder string      `json:"placeholder,omitempty"`
	MaxLength   int         `json:"max_length,omitempty"`
	Options     []option    `json:"options,omitempty"`
	Components  []component `json:"components,omitempty"`
	Component   *component  `json:"component,omitempty"`
}

type emoji struct {
	Name string `json:"name"`
}

// option is one entry of a select.
type option struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
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
