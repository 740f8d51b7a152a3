package sandbox

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// submission is a form being filled in by a person's client; Server.mu is held while it lives.
type submission struct {
	look   *invocation // resolves ids
	values map[string]string
	files  map[string][]File
	used   int
}

// modalData is the data of a submitted form.
func (s *Server) modalData(p Seat, form *Modal, values map[string]string, files map[string][]File) (map[string]any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sub := &submission{look: s.resolver(p), values: values, files: files}
	components := []any{}
	for _, top := range form.Components {
		w := map[string]any{"type": top.Type, "id": top.ID}
		switch top.Type {
		case TypeLabel:
			field, err := sub.field(top.Child, top.Label)
			if err != nil {
				return nil, err
			}
			w["component"] = field
		case TypeActionRow:
			kids := []any{}
			for _, c := range top.Components {
				field, err := sub.field(c, c.Label)
				if err != nil {
					return nil, err
				}
				kids = append(kids, field)
			}
			w["components"] = kids
		}
		components = append(components, w)
	}
	if sub.used < len(values)+len(files) {
		return nil, refuse("the form lacks some of the given fields")
	}
	data := map[string]any{"custom_id": form.CustomID, "components": components}
	if r := sub.look.resolved(); len(r) > 0 {
		data["resolved"] = r
	}
	return data, nil
}

// given is what the person put into a field, found by its custom id or label.
func given[T any](sub *submission, from map[string]T, c *Component, label string) (T, bool) {
	for _, key := range []string{c.CustomID, label} {
		if v, ok := from[key]; ok {
			sub.used++
			return v, true
		}
	}
	var none T
	return none, false
}

// field is one field of a submitted form.
func (sub *submission) field(c *Component, label string) (map[string]any, error) {
	w := map[string]any{"type": c.Type, "id": c.ID, "custom_id": c.CustomID}
	switch c.Type {
	case TypeTextInput:
		return w, sub.text(w, c, label)
	case TypeCheckbox:
		text, ok := given(sub, sub.values, c, label)
		w["value"] = ok && text == strconv.FormatBool(true) || !ok && c.Checked
		return w, nil
	case TypeFileUpload:
		return w, sub.upload(w, c, label)
	}
	list, err := sub.chosen(c, label)
	if err != nil {
		return nil, err
	}
	switch {
	case len(list) == 0 && c.Required:
		return nil, refuse("field %q is required", label)
	case len(list) > 0 && (len(list) < c.MinValues || len(list) > c.MaxValues):
		return nil, refuse("field %q takes %d to %d values", label, c.MinValues, c.MaxValues)
	case c.Type != TypeRadioGroup:
		w["values"] = list
	case len(list) == 0:
		w["value"] = nil
	default:
		w["value"] = list[0]
	}
	return w, nil
}

// text fills in a text input.
func (sub *submission) text(w map[string]any, c *Component, label string) error {
	text, ok := given(sub, sub.values, c, label)
	if !ok {
		text = c.Value
	}
	w["value"] = text
	n := utf8.RuneCountInString(text)
	switch {
	case n == 0 && c.Required:
		return refuse("field %q is required", label)
	case n > 0 && n < c.MinLength || n > c.MaxLength:
		return refuse("field %q takes %d to %d characters", label, c.MinLength, c.MaxLength)
	}
	return nil
}

// chosen are the values picked in a menu or group, the preset ones where the person picked nothing.
func (sub *submission) chosen(c *Component, label string) ([]string, error) {
	text, ok := given(sub, sub.values, c, label)
	list := []string{}
	if !ok {
		for _, o := range c.Options {
			if o.Default {
				list = append(list, o.Value)
			}
		}
		for _, d := range c.Defaults {
			list = append(list, d.ID)
		}
	} else if text != "" {
		list = strings.Split(text, ",")
	}
	list, err := c.pick(list)
	if err != nil {
		return nil, err
	}
	return list, sub.look.resolveAll(c.Type, list)
}

// upload fills in a file upload.
func (sub *submission) upload(w map[string]any, c *Component, label string) error {
	files, _ := given(sub, sub.files, c, label)
	switch {
	case len(files) == 0 && c.Required:
		return refuse("field %q is required", label)
	case len(files) > 0 && (len(files) < c.MinValues || len(files) > c.MaxValues):
		return refuse("field %q takes %d to %d files", label, c.MinValues, c.MaxValues)
	}
	ids := []string{}
	for _, f := range files {
		id, err := sub.look.resolveFile(CommandOption{Name: label}, f)
		if err != nil {
			return err
		}
		ids = append(ids, id)
	}
	w["values"] = ids
	return nil
}
