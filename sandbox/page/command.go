package page

import (
	"slices"

	"rowbot/sandbox"
)

type (
	// commandInfo is something that a person can call, in the words of their language: a slash command or one of its
	// subcommands, or an entry of a menu.
	commandInfo struct {
		Type        int          `json:"type"`  // 1 slash, 2 on users, 3 on messages
		Name        string       `json:"name"`  // with subcommands: "ttt challenge"
		Shown       string       `json:"shown"` // the same in the person's language
		Description string       `json:"description"`
		Options     []optionInfo `json:"options"`
	}
	optionInfo struct {
		Type         int      `json:"type"`
		Name         string   `json:"name"`
		Shown        string   `json:"shown"`
		Description  string   `json:"description"`
		Required     bool     `json:"required,omitempty"`
		Autocomplete bool     `json:"autocomplete,omitempty"`
		Choices      []choice `json:"choices,omitempty"`
		MinLength    *int64   `json:"min_length,omitempty"`
		MaxLength    *int64   `json:"max_length,omitempty"`
		MinValue     *float64 `json:"min_value,omitempty"`
		MaxValue     *float64 `json:"max_value,omitempty"`
		ChannelTypes []int    `json:"channel_types,omitempty"`
	}
)

// describeCommands lists what can be called, subcommands flattened, in a language.
func describeCommands(list []*sandbox.Command, locale string) []commandInfo {
	out := []commandInfo{}
	for _, cmd := range list {
		said := cmd.Localised(locale)
		base := commandInfo{Type: cmd.Type, Name: cmd.Name, Shown: said.Name, Description: said.Description}
		out = flatten(out, base, cmd.Options, said.Options)
	}
	return out
}

// flatten adds a command, or its subcommands when it has any; said are the options in the person's language.
func flatten(out []commandInfo, base commandInfo, options, said []sandbox.CommandOption) []commandInfo {
	if len(options) > 0 && options[0].Type <= sandbox.OptionGroup {
		for i, o := range options {
			sub := commandInfo{
				Type: base.Type, Name: base.Name + " " + o.Name, Shown: base.Shown + " " + said[i].Name, Description: said[i].Description,
			}
			out = flatten(out, sub, o.Options, said[i].Options)
		}
		return out
	}
	base.Options = []optionInfo{}
	for i, o := range options {
		base.Options = append(base.Options, describeOption(o, said[i]))
	}
	slices.SortStableFunc(base.Options, func(a, b optionInfo) int { return rank(a) - rank(b) })
	return append(out, base)
}

// rank puts required options first.
func rank(o optionInfo) int {
	if o.Required {
		return 0
	}
	return 1
}

func describeOption(o, said sandbox.CommandOption) optionInfo {
	out := optionInfo{
		Type: o.Type, Name: o.Name, Shown: said.Name, Description: said.Description, Required: o.Required, Autocomplete: o.Autocomplete,
		MinLength: o.MinLength, MaxLength: o.MaxLength, MinValue: o.MinValue, MaxValue: o.MaxValue, ChannelTypes: o.ChannelTypes,
	}
	for i, ch := range o.Choices {
		out.Choices = append(out.Choices, choice{said.Choices[i].Name, ch.Value})
	}
	return out
}
