package sandbox

import (
	"context"
	"slices"
	"strings"
)

// Type runs a command line as a person types it, for example "/ttt challenge opponent:Bob side:first". A value that
// holds spaces may be put in double quotes, or simply runs on to the next "name:".
func (p Seat) Type(ctx context.Context, line string) (*Reply, error) {
	command, options, err := p.parse(line)
	if err != nil {
		return nil, err
	}
	return p.Slash(ctx, command, options...)
}

// parse splits a command line into the command's name and its options.
func (p Seat) parse(line string) (string, []Option, error) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "/") {
		return "", nil, refuse("a command starts with a slash")
	}
	names := p.optionNames()
	var command []string
	var options []Option
	for _, word := range words(line[1:]) {
		name, value, found := strings.Cut(word, ":")
		switch {
		case found && slices.Contains(names, name):
			options = append(options, Typed(name, strings.Trim(value, `"`)))
		case len(options) == 0:
			command = append(command, word)
		default:
			last := &options[len(options)-1]
			text, _ := last.value.(string)
			last.value = strings.TrimSpace(text + " " + strings.Trim(word, `"`))
		}
	}
	return strings.Join(command, " "), options, nil
}

// optionNames are the names of all options of the commands offered here.
func (p Seat) optionNames() []string {
	var out []string
	locale := p.person.User().Locale
	var add func(list []CommandOption)
	add = func(list []CommandOption) {
		for _, o := range list {
			out = append(out, o.Name, o.Shown(locale))
			add(o.Options)
		}
	}
	for _, cmd := range p.Offered() {
		add(cmd.Options)
	}
	return out
}

// words splits at spaces outside double quotes.
func words(line string) []string {
	quoted := false
	return strings.FieldsFunc(line, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
}

// selectData is the data of a choice in a select menu.
func (s *Server) selectData(p Seat, m *Message, key string, values []string) (map[string]any, error) {
	menu := m.Select(key)
	switch {
	case menu == nil:
		return nil, refuse("no select menu %q in the message", key)
	case menu.Disabled:
		return nil, refuse("the select menu is disabled")
	case len(values) < menu.MinValues || len(values) > menu.MaxValues:
		return nil, refuse("the menu takes %d to %d values", menu.MinValues, menu.MaxValues)
	}
	data := map[string]any{"custom_id": menu.CustomID, "component_type": menu.Type, "id": menu.ID}
	picked, err := menu.pick(values)
	if err != nil {
		return nil, err
	}
	data["values"] = picked
	s.mu.Lock()
	defer s.mu.Unlock()
	v := s.resolver(p)
	if err := v.resolveAll(menu.Type, picked); err != nil {
		return nil, err
	}
	if r := v.resolved(); len(r) > 0 {
		data["resolved"] = r
	}
	return data, nil
}

// pick turns labels into values; ids pass as they are.
func (c *Component) pick(values []string) ([]string, error) {
	if len(c.Options) == 0 {
		return append([]string{}, values...), nil // an empty list, never none
	}
	out := []string{}
	for _, want := range values {
		i := slices.IndexFunc(c.Options, func(o SelectOption) bool { return o.Value == want })
		if i < 0 {
			i = slices.IndexFunc(c.Options, func(o SelectOption) bool { return o.Label == want })
		}
		if i < 0 {
			return nil, refuse("%q is not in the menu", want)
		}
		out = append(out, c.Options[i].Value)
	}
	return out, nil
}
