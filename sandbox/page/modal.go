package page

import (
	"slices"
	"sync"

	"rowbot/sandbox"
)

// modalInfo is an open form as the browser gets it.
type modalInfo struct {
	ID    string      `json:"id"`
	Title string      `json:"title"`
	Parts []modalPart `json:"parts"`
}

// modalPart is a field of a form, or a text between the fields. Type is a component type.
type modalPart struct {
	Type        int                    `json:"type"`
	Content     string                 `json:"content,omitempty"` // of a text
	CustomID    string                 `json:"custom_id,omitempty"`
	Label       string                 `json:"label,omitempty"`
	Description string                 `json:"description,omitempty"`
	Style       int                    `json:"style,omitempty"` // of a text input: 1 one line, 2 several
	Placeholder string                 `json:"placeholder,omitempty"`
	Value       string                 `json:"value,omitempty"`
	Required    bool                   `json:"required,omitempty"`
	Min         int                    `json:"min"` // characters, or chosen values
	Max         int                    `json:"max"`
	Options     []sandbox.SelectOption `json:"options,omitempty"`
	Defaults    []sandbox.DefaultValue `json:"defaults,omitempty"`
	Types       []int                  `json:"channel_types,omitempty"`
	Checked     bool                   `json:"checked,omitempty"` // of a checkbox
}

func describeModal(id string, m *sandbox.Modal) *modalInfo {
	out := &modalInfo{ID: id, Title: m.Title, Parts: []modalPart{}}
	for _, top := range m.Components {
		switch {
		case top.Type == sandbox.TypeTextDisplay:
			out.Parts = append(out.Parts, modalPart{Type: top.Type, Content: top.Content})
		case top.Type == sandbox.TypeLabel && top.Child != nil:
			field := describeField(top.Child)
			field.Label, field.Description = top.Label, top.Description
			out.Parts = append(out.Parts, field)
		case top.Type == sandbox.TypeActionRow:
			for _, c := range top.Components {
				out.Parts = append(out.Parts, describeField(c))
			}
		}
	}
	return out
}

func describeField(c *sandbox.Component) modalPart {
	p := modalPart{
		Type: c.Type, CustomID: c.CustomID, Label: c.Label, Style: c.Style, Placeholder: c.Placeholder, Value: c.Value,
		Required: c.Required, Min: c.MinLength, Max: c.MaxLength, Options: c.Options,
		Defaults: c.Defaults, Types: c.ChannelTypes, Checked: c.Checked,
	}
	if c.Type != sandbox.TypeTextInput {
		p.Min, p.Max = c.MinValues, c.MaxValues
	}
	return p
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
