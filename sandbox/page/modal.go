package page

import "rowbot/sandbox"

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
	}
	if c.Type != sandbox.TypeTextInput {
		p.Min, p.Max = c.MinValues, c.MaxValues
	}
	return p
}
