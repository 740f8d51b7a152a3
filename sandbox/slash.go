package sandbox

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// invocation is a slash command being put together in a person's client; Server.mu is held while it lives.
type invocation struct {
	server   *Server
	seat     Seat
	command  *Command
	path     []string        // subcommand group and subcommand, as far as there are
	options  []CommandOption // of the command or subcommand that is called
	users    map[string]any
	members  map[string]any
	channels map[string]any
	files    map[string]any
}

// offers tells whether the person's client shows the command in this place.
func (p Seat) offers(cmd *Command) bool {
	c := p.channel
	context, install := 0, 0
	switch c.kind {
	case ChannelDM:
		context = 1
	case ChannelGroup:
		context, install = 2, 1
	default:
		if !c.guild.hasBot {
			install = 1
		}
	}
	if cmd.GuildID == "" {
		if cmd.Contexts != nil && !slices.Contains(cmd.Contexts, context) {
			return false
		}
		if c.kind != ChannelDM && !slices.Contains(cmd.IntegrationTypes, install) {
			return false
		}
	}
	return p.permitted(cmd)
}

// permitted checks default_member_permissions.
func (p Seat) permitted(cmd *Command) bool {
	if cmd.DefaultMemberPermissions == nil || p.channel.guild == nil {
		return true
	}
	mb := p.channel.guild.members[p.person.ID()]
	need, err := strconv.ParseUint(*cmd.DefaultMemberPermissions, 10, 64)
	if mb == nil || err != nil {
		return false
	}
	if need == 0 {
		need = PermAdministrator
	}
	return may(mb.permissions, need)
}

// Offered are the commands that the person's client offers here, in the order of registration.
func (p Seat) Offered() []*Command {
	s := p.server()
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.DeleteFunc(s.commandsFor(p.channel.GuildID()), func(c *Command) bool { return !p.offers(c) })
}

// lookup finds the command and subcommand that a name such as "ttt challenge" calls.
func (s *Server) lookup(p Seat, name string) (*invocation, error) {
	words := strings.Fields(strings.TrimPrefix(name, "/"))
	if len(words) == 0 {
		return nil, refuse("no command")
	}
	for _, cmd := range s.commandsFor(p.channel.GuildID()) {
		if cmd.Type != commandSlash || !called(words[0], cmd.Name, cmd.Shown(p.person.user.Locale)) || !p.offers(cmd) {
			continue
		}
		inv := s.resolver(p)
		inv.command, inv.options = cmd, cmd.Options
		return inv, inv.descend(words[1:])
	}
	return nil, refuse("no command /%s here", words[0])
}

// descend walks into groups and subcommands.
func (v *invocation) descend(words []string) error {
	for _, word := range words {
		i := slices.IndexFunc(v.options, func(o CommandOption) bool {
			return o.Type <= OptionGroup && called(word, o.Name, o.Shown(v.seat.person.user.Locale))
		})
		if i < 0 {
			return refuse("/%s has no subcommand %q", v.command.Name, word)
		}
		v.path, v.options = append(v.path, v.options[i].Name), v.options[i].Options
	}
	if len(v.options) > 0 && v.options[0].Type <= OptionGroup {
		return refuse("/%s needs a subcommand", strings.Join(append([]string{v.command.Name}, v.path...), " "))
	}
	return nil
}

// slashData checks and builds the data of a slash command.
func (s *Server) slashData(p Seat, name string, options []Option) (map[string]any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, err := s.lookup(p, name)
	if err != nil {
		return nil, err
	}
	filled, err := v.fill(options)
	if err != nil {
		return nil, err
	}
	for _, o := range v.options {
		shown := o.Shown(p.person.user.Locale)
		if o.Required && !slices.ContainsFunc(options, func(g Option) bool { return called(g.Name, o.Name, shown) }) {
			return nil, refuse("option %q is required", o.Name)
		}
	}
	return v.data(filled), nil
}

// autocompleteData is the data while one option is being typed; required options may be missing.
func (s *Server) autocompleteData(p Seat, name, option, partial string, options []Option) (map[string]any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, err := s.lookup(p, name)
	if err != nil {
		return nil, err
	}
	i := v.option(option)
	if i < 0 || !v.options[i].Autocomplete {
		return nil, refuse("option %q of /%s has no autocomplete", option, name)
	}
	filled, err := v.fill(options)
	if err != nil {
		return nil, err
	}
	filled = append(filled, map[string]any{
		"name": v.options[i].Name, "type": v.options[i].Type, "value": partial, "focused": true,
	})
	return v.data(filled), nil
}

// option finds an option by its default name or by the one that the person's client shows; -1 for none.
func (v *invocation) option(name string) int {
	return slices.IndexFunc(v.options, func(o CommandOption) bool {
		return called(name, o.Name, o.Shown(v.seat.person.user.Locale))
	})
}

// fill checks the values against the registered options.
func (v *invocation) fill(options []Option) ([]any, error) {
	out := []any{}
	seen := map[string]bool{}
	for _, given := range options {
		i := v.option(given.Name)
		if i < 0 {
			return nil, refuse("/%s has no option %q", v.command.Name, given.Name)
		}
		given.Name = v.options[i].Name
		if seen[given.Name] {
			return nil, refuse("option %q is given twice", given.Name)
		}
		seen[given.Name] = true
		value, err := v.value(v.options[i], given)
		if err != nil {
			return nil, err
		}
		out = append(out, map[string]any{"name": given.Name, "type": v.options[i].Type, "value": value})
	}
	return out, nil
}

// value turns what was given into what is sent.
func (v *invocation) value(o CommandOption, given Option) (any, error) {
	value := given.value
	if given.kind == 0 {
		read, err := v.read(o, fmt.Sprint(value))
		if err != nil {
			return nil, err
		}
		value = read
	} else if !accepts(o.Type, given.kind) {
		return nil, refuse("option %q takes another kind of value", o.Name)
	}
	if len(o.Choices) > 0 {
		return v.choose(o, value)
	}
	switch o.Type {
	case OptionUser, OptionMentionable:
		return value, v.resolveUser(fmt.Sprint(value))
	case OptionChannel:
		return value, v.resolveChannel(fmt.Sprint(value))
	case OptionAttachment:
		return v.resolveFile(o, value)
	case OptionString:
		return value, inLength(o, fmt.Sprint(value))
	case OptionInteger, OptionNumber:
		return value, inRange(o, value)
	}
	return value, nil
}

// accepts tells whether an option of a type takes a value of a kind.
func accepts(option, kind int) bool {
	return option == kind || option == OptionMentionable && kind == OptionUser || option == OptionNumber && kind == OptionInteger
}

// read understands a value as typed in a command line.
func (v *invocation) read(o CommandOption, text string) (any, error) {
	wrong := refuse("%q is no value for option %q", text, o.Name)
	switch o.Type {
	case OptionInteger:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n, nil
		}
		if len(o.Choices) > 0 {
			return text, nil
		}
		return nil, wrong
	case OptionNumber:
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, wrong
		}
		return f, nil
	case OptionBoolean:
		b, err := strconv.ParseBool(strings.ToLower(text))
		if err != nil {
			return nil, wrong
		}
		return b, nil
	case OptionUser, OptionMentionable:
		return v.readUser(text)
	case OptionChannel:
		return v.readChannel(text)
	case OptionAttachment:
		return nil, wrong
	}
	return text, nil
}

// readUser understands a mention, an id or a name.
func (v *invocation) readUser(text string) (string, error) {
	id := strings.Trim(text, "<@!>")
	if v.server.world.people[id] != nil {
		return id, nil
	}
	if p := v.server.personNamed(text); p != nil {
		return p.ID(), nil
	}
	return "", refuse("there is nobody called %q", text)
}

// readChannel understands a mention, an id or a name.
func (v *invocation) readChannel(text string) (string, error) {
	for id, c := range v.server.world.channels {
		if id == strings.Trim(text, "<#>") || c.name != "" && c.name == strings.TrimPrefix(text, "#") {
			return id, nil
		}
	}
	return "", refuse("there is no channel %q", text)
}

// choose finds a choice by value or by the name that the client shows.
func (v *invocation) choose(o CommandOption, value any) (any, error) {
	for _, ch := range o.Choices {
		if fmt.Sprint(ch.Value) == fmt.Sprint(value) || called(fmt.Sprint(value), ch.Name, ch.Shown(v.seat.person.user.Locale)) {
			return ch.Value, nil
		}
	}
	return nil, refuse("%v is not a choice of option %q", value, o.Name)
}

func inLength(o CommandOption, s string) error {
	n := int64(utf8.RuneCountInString(s))
	if n == 0 || o.MinLength != nil && n < *o.MinLength || n > 6000 || o.MaxLength != nil && n > *o.MaxLength {
		return refuse("the text for option %q is too short or too long", o.Name)
	}
	return nil
}

func inRange(o CommandOption, value any) error {
	f, err := strconv.ParseFloat(fmt.Sprint(value), 64)
	if err != nil || o.MinValue != nil && f < *o.MinValue || o.MaxValue != nil && f > *o.MaxValue {
		return refuse("%v is out of range for option %q", value, o.Name)
	}
	return nil
}

// data nests the options into the subcommands.
func (v *invocation) data(filled []any) map[string]any {
	level := v.command.Options
	var types []int
	for _, name := range v.path {
		i := slices.IndexFunc(level, func(o CommandOption) bool { return o.Name == name })
		types, level = append(types, level[i].Type), level[i].Options
	}
	for i, name := range slices.Backward(v.path) {
		filled = []any{map[string]any{"name": name, "type": types[i], "options": filled}}
	}
	out := map[string]any{"id": v.command.ID, "name": v.command.Name, "type": v.command.Type, "options": filled}
	return v.complete(out)
}

func (v *invocation) complete(out map[string]any) map[string]any {
	if r := v.resolved(); len(r) > 0 {
		out["resolved"] = r
	}
	if v.command.GuildID != "" {
		out["guild_id"] = v.command.GuildID
	}
	return out
}

// menuData is the data of a context menu command.
func (s *Server) menuData(p Seat, name string, kind int, target string) (map[string]any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cmd := range s.commandsFor(p.channel.GuildID()) {
		if cmd.Type != kind || !called(name, cmd.Name, cmd.Shown(p.person.user.Locale)) || !p.offers(cmd) {
			continue
		}
		v := s.resolver(p)
		v.command = cmd
		out := map[string]any{"id": cmd.ID, "name": cmd.Name, "type": cmd.Type, "target_id": target}
		if kind == commandUser {
			if err := v.resolveUser(target); err != nil {
				return nil, err
			}
			return v.complete(out), nil
		}
		m := s.find(p.channel.id, target)
		if m == nil {
			return nil, refuse("the message is gone")
		}
		out = v.complete(out)
		out["resolved"] = map[string]any{"messages": map[string]any{target: m.JSON()}}
		return out, nil
	}
	return nil, refuse("no command %q in the menu here", name)
}
