package sandbox

import "iter"

// Component types, as in the protocol.
const (
	TypeActionRow         = 1
	TypeButton            = 2
	TypeStringSelect      = 3
	TypeTextInput         = 4
	TypeUserSelect        = 5
	TypeRoleSelect        = 6
	TypeMentionableSelect = 7
	TypeChannelSelect     = 8
	TypeSection           = 9
	TypeTextDisplay       = 10
	TypeThumbnail         = 11
	TypeMediaGallery      = 12
	TypeFile              = 13
	TypeSeparator         = 14
	TypeContainer         = 17
	TypeLabel             = 18
	TypeFileUpload        = 19
	TypeRadioGroup        = 21
	TypeCheckboxGroup     = 22
	TypeCheckbox          = 23
)

// Button styles.
const (
	StylePrimary   = 1
	StyleSecondary = 2
	StyleSuccess   = 3
	StyleDanger    = 4
	StyleLink      = 5
	StylePremium   = 6
)

// Component is one part of a message or modal. Which fields count depends on Type. Read-only.
type Component struct {
	Type     int
	ID       int
	CustomID string

	// Buttons; Label and Description also serve labels of modals.
	Style       int
	Label       string
	Description string
	Emoji       *Emoji
	URL         string
	SKU         string
	Disabled    bool

	// Select menus; radio and checkbox groups and file uploads of modals.
	Placeholder  string
	Options      []SelectOption
	MinValues    int
	MaxValues    int
	ChannelTypes []int
	Defaults     []DefaultValue

	// Text displays.
	Content string

	// Containers, rows, sections and labels.
	Components  []*Component
	Accessory   *Component // of a section
	Child       *Component // of a label
	AccentColor *int
	Spoiler     bool

	// Separators.
	Divider bool
	Spacing int

	// Galleries, thumbnails and files: the media shown; thumbnails and files have one.
	Media []Media

	// Text inputs of modals.
	Value     string
	Required  bool
	MinLength int
	MaxLength int
	Checked   bool // what a checkbox starts with
}

// Emoji is a Unicode emoji (Name only) or a custom one.
type Emoji struct {
	ID       string `json:"id,omitempty"`
	Name     string `json:"name"`
	Animated bool   `json:"animated,omitempty"`
}

// SelectOption is one choice of a string select.
type SelectOption struct {
	Label       string `json:"label"`
	Value       string `json:"value"`
	Description string `json:"description,omitempty"`
	Emoji       *Emoji `json:"emoji,omitempty"`
	Default     bool   `json:"default,omitempty"`
}

// DefaultValue is what a user, role or channel select starts with.
type DefaultValue struct {
	ID   string `json:"id"`
	Type string `json:"type"`
}

// Media is a picture or file: an https address or "attachment://name" of the same message.
type Media struct {
	URL         string
	Description string
	Spoiler     bool
}

func (c *Component) isSelect() bool {
	return c.Type == TypeStringSelect || c.Type >= TypeUserSelect && c.Type <= TypeChannelSelect
}

// walk visits components in reading order, parents before their children.
func walk(list []*Component) iter.Seq[*Component] {
	return func(yield func(*Component) bool) {
		visit(list, yield)
	}
}

func visit(list []*Component, yield func(*Component) bool) bool {
	for _, c := range list {
		if c == nil {
			continue
		}
		if !yield(c) || !visit(c.Components, yield) || !visit([]*Component{c.Accessory, c.Child}, yield) {
			return false
		}
	}
	return true
}
