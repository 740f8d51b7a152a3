package sandbox

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxCommandSize bounds the characters of names, descriptions and values of a whole command.
const maxCommandSize = 8000

var (
	commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)
	locales     = strings.Fields("id da de en-GB en-US es-ES es-419 fr hr it lt hu nl no pl pt-BR ro fi sv-SE vi tr cs el bg ru uk hi th zh-CN ja zh-TW ko ar he")
)

// readCommand checks and builds a command of a scope.
func readCommand(n node, scope string) *Command {
	c := &Command{Type: commandSlash, NSFW: n.flag("nsfw")}
	if n.has("type") {
		c.Type = n.choice("type", commandSlash, commandUser, commandMessage, commandEntry)
	}
	c.Name = n.mustText("name", 1, 32)
	c.NameLocalizations = checkLocalized(n, "name_localizations", 1, 32)
	c.DescriptionLocalizations = checkLocalized(n, "description_localizations", 1, 100)
	if c.Type == commandSlash {
		checkName(n, c.Name, c.NameLocalizations)
		c.Description = n.mustText("description", 1, 100)
		c.Options = readOptions(n, 0)
	} else {
		c.Description = n.text("description", 0, 100)
		if c.Description != "" && c.Type != commandEntry {
			n.fail("description", "APPLICATION_COMMAND_DESCRIPTION_NOT_ALLOWED", "Context menu commands cannot have description")
		}
		if len(n.values("options", 25)) > 0 {
			n.fail("options", "APPLICATION_COMMAND_OPTIONS_NOT_ALLOWED", "Context menu commands cannot have options")
		}
	}
	readAudience(n, c, scope)
	if size := c.size(); size > maxCommandSize {
		n.fail("", "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (%d)", maxCommandSize)
	}
	return c
}

// readAudience reads who may use a command and where.
func readAudience(n node, c *Command, scope string) {
	if n.has("default_member_permissions") {
		text := fmt.Sprint(n.m["default_member_permissions"])
		if _, err := strconv.ParseUint(text, 10, 64); err != nil {
			n.fail("default_member_permissions", "NUMBER_TYPE_COERCE", "Value %q is not int.", text)
		}
		c.DefaultMemberPermissions = &text
	}
	c.Contexts = subset(n, "contexts", 0, 1, 2)
	c.IntegrationTypes = subset(n, "integration_types", 0, 1)
	if scope != "" {
		for _, key := range []string{"contexts", "integration_types"} {
			if len(n.values(key, 3)) > 0 {
				n.fail(key, "APPLICATION_COMMAND_GLOBAL_ONLY", "Only global commands have this field")
			}
		}
		c.IntegrationTypes = nil
		return
	}
	if !n.has("integration_types") {
		c.IntegrationTypes = []int{0}
	}
	if slices.Contains(c.Contexts, 2) && !slices.Contains(c.IntegrationTypes, 1) {
		n.fail("contexts", "APPLICATION_COMMAND_CONTEXT_NEEDS_USER_INSTALL", "PRIVATE_CHANNEL needs USER_INSTALL in integration_types")
	}
}

// subset reads a list of distinct small numbers.
func subset(n node, key string, allowed ...int) []int {
	var out []int
	for i, v := range n.values(key, len(allowed)) {
		num, ok := whole(v)
		if !ok || !slices.Contains(allowed, int(num)) || slices.Contains(out, int(num)) {
			n.form.add(n.at(key, strconv.Itoa(i)), "BASE_TYPE_CHOICES", fmt.Sprintf("Value must be one of %v, each once.", allowed))
			continue
		}
		out = append(out, int(num))
	}
	return out
}

// checkLocalized reads a dictionary of texts by locale.
func checkLocalized(n node, key string, lo, hi int) map[string]string {
	dict, ok := n.object(key)
	if !ok {
		return nil
	}
	out := map[string]string{}
	for locale := range dict.m {
		if !slices.Contains(locales, locale) {
			dict.fail(locale, "BASE_TYPE_CHOICES", "Value %q is not a supported locale.", locale)
			continue
		}
		out[locale] = dict.mustText(locale, lo, hi)
	}
	return out
}

// checkName holds the names of slash commands and options to their pattern, in every language.
func checkName(n node, name string, localized map[string]string) {
	check := func(path []string, s string) {
		switch {
		case s == "":
		case !commandName.MatchString(s):
			n.form.add(path, "STRING_TYPE_REGEX", "String value did not match validation regex.")
		case !lower(s):
			n.form.add(path, "APPLICATION_COMMAND_INVALID_NAME", "Command name is invalid: it must be lower case")
		}
	}
	check(n.at("name"), name)
	for locale, s := range localized {
		check(n.at("name_localizations", locale), s)
	}
}

func lower(s string) bool {
	for _, r := range s {
		if unicode.ToLower(r) != r {
			return false
		}
	}
	return true
}

// readOptions reads the options of a level: 0 the command, 1 a group, 2 a subcommand.
func readOptions(n node, level int) []CommandOption {
	var out []CommandOption
	subs, optional := 0, false
	for _, o := range n.objects("options", 25) {
		opt := readOption(o, level)
		out = append(out, opt)
		switch {
		case opt.Type == OptionSubcommand || opt.Type == OptionGroup:
			subs++
		case opt.Required && optional:
			o.fail("required", "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options must be placed before non-required options")
		case !opt.Required:
			optional = true
		}
		checkUnique(o, out)
	}
	if subs > 0 && subs < len(out) {
		n.fail("options", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-command and sub-command group option types are mutually exclusive to all other types")
	}
	if level == 1 && len(out) == 0 {
		n.fail("options", "BASE_TYPE_REQUIRED", "This field is required")
	}
	return out
}

// checkUnique compares the last option's names with those before: default names among each other, and in each locale.
func checkUnique(n node, list []CommandOption) {
	last := list[len(list)-1]
	for _, o := range list[:len(list)-1] {
		clash := o.Name == last.Name
		for locale, s := range last.NameLocalizations {
			clash = clash || s == o.Name || s == o.NameLocalizations[locale]
		}
		for _, s := range o.NameLocalizations {
			clash = clash || s == last.Name
		}
		if clash {
			n.fail("name", "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists")
			return
		}
	}
}

func readOption(n node, level int) CommandOption {
	o := CommandOption{
		Name: n.mustText("name", 1, 32), Description: n.mustText("description", 1, 100),
		NameLocalizations:        checkLocalized(n, "name_localizations", 1, 32),
		DescriptionLocalizations: checkLocalized(n, "description_localizations", 1, 100),
		Required:                 n.flag("required"), Autocomplete: n.flag("autocomplete"),
	}
	checkName(n, o.Name, o.NameLocalizations)
	if !n.has("type") {
		n.required("type")
		return o
	}
	o.Type = n.choice("type", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)
	switch o.Type {
	case OptionGroup, OptionSubcommand:
		if o.Type == OptionGroup && level > 0 || level > 1 {
			n.fail("type", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "This option type cannot stand here")
			return o
		}
		o.Options = readOptions(n, 3-o.Type)
		return o
	}
	if level == 1 {
		n.fail("type", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "A group holds subcommands only")
	}
	readBounds(n, &o)
	readChoices(n, &o)
	return o
}

// readBounds reads the limits of an option's value.
func readBounds(n node, o *CommandOption) {
	bound := func(key string, lo int64) *int64 {
		v, ok := n.number(key, lo, 6000)
		if !ok {
			return nil
		}
		return &v
	}
	value := func(key string) *float64 {
		if !n.has(key) {
			return nil
		}
		v, err := strconv.ParseFloat(fmt.Sprint(n.m[key]), 64)
		if err != nil || math.Abs(v) > 1<<53-1 {
			n.fail(key, "NUMBER_TYPE_COERCE", "Value is not a number in range.")
		}
		return &v
	}
	if o.Type == OptionString {
		o.MinLength, o.MaxLength = bound("min_length", 0), bound("max_length", 1)
	}
	if o.Type == OptionInteger || o.Type == OptionNumber {
		o.MinValue, o.MaxValue = value("min_value"), value("max_value")
	}
	if o.Type == OptionAttachment {
		for i, v := range n.values("file_types", 10) {
			kind, ok := v.(string)
			if !ok || kind == "" {
				n.form.add(n.at("file_types", strconv.Itoa(i)), "STRING_TYPE_CONVERT", "Could not interpret the value as string.")
			}
			o.FileTypes = append(o.FileTypes, kind)
		}
	}
	if o.Type == OptionChannel {
		for _, v := range n.values("channel_types", 20) {
			t, _ := whole(v)
			o.ChannelTypes = append(o.ChannelTypes, int(t))
		}
	}
}

func readChoices(n node, o *CommandOption) {
	typed := o.Type == OptionString || o.Type == OptionInteger || o.Type == OptionNumber
	list := n.objects("choices", 25)
	if (len(list) > 0 || o.Autocomplete) && !typed {
		n.fail("choices", "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", "Options of this type have no choices")
		return
	}
	if len(list) > 0 && o.Autocomplete {
		n.fail("autocomplete", "APPLICATION_COMMAND_AUTOCOMPLETE_NO_CHOICES", "Autocomplete options may not set choices")
	}
	for _, ch := range list {
		c := readChoice(ch, o.Type)
		if slices.ContainsFunc(o.Choices, func(p CommandChoice) bool { return p.Name == c.Name }) {
			ch.fail("name", "APPLICATION_COMMAND_OPTIONS_CHOICE_NAME_ALREADY_EXISTS", "Option choice names must be unique")
		}
		o.Choices = append(o.Choices, CommandChoice{c.Name, checkLocalized(ch, "name_localizations", 1, 100), c.Value})
	}
}

// size counts characters as the limit does: of each localised text the longest.
func (c *Command) size() int {
	n := longest(c.Name, c.NameLocalizations) + longest(c.Description, c.DescriptionLocalizations)
	for _, o := range c.Options {
		n += o.size()
	}
	return n
}

func (o CommandOption) size() int {
	n := longest(o.Name, o.NameLocalizations) + longest(o.Description, o.DescriptionLocalizations)
	for _, ch := range o.Choices {
		n += longest(ch.Name, ch.NameLocalizations)
		if s, ok := ch.Value.(string); ok {
			n += utf8.RuneCountInString(s)
		}
	}
	for _, sub := range o.Options {
		n += sub.size()
	}
	return n
}

func longest(s string, localized map[string]string) int {
	n := utf8.RuneCountInString(s)
	for other := range maps.Values(localized) {
		n = max(n, utf8.RuneCountInString(other))
	}
	return n
}
