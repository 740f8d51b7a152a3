package sandbox

import (
	"slices"
	"strconv"
)

// selectMenu reads a select menu of any kind.
func (l *layout) selectMenu(n node, c *Component) {
	c.CustomID = l.customID(n)
	c.Placeholder = n.text("placeholder", 0, 150)
	c.MinValues, c.MaxValues, c.Required = 1, 1, true
	if v, ok := n.number("min_values", 0, 25); ok {
		c.MinValues = int(v)
	}
	if v, ok := n.number("max_values", 1, 25); ok {
		c.MaxValues = int(v)
	}
	if c.MinValues > c.MaxValues {
		n.fail("min_values", "SELECT_COMPONENT_MIN_VALUES_TOO_LARGE", "min_values is greater than max_values")
	}
	c.Disabled = n.flag("disabled")
	if l.modal {
		l.modalMenu(n, c)
	}
	if c.Type == TypeStringSelect {
		l.choices(n, c)
		return
	}
	for _, d := range n.objects("default_values", 25) {
		c.Defaults = append(c.Defaults, DefaultValue{ID: d.snowflake("id"), Type: d.mustText("type", 1, 10)})
	}
	if len(c.Defaults) > c.MaxValues {
		n.fail("default_values", "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", c.MaxValues)
	}
	for i, v := range n.values("channel_types", 25) {
		t, ok := whole(v)
		if !ok {
			n.form.add(n.at("channel_types", strconv.Itoa(i)), "NUMBER_TYPE_COERCE", "Value is not int.")
		}
		c.ChannelTypes = append(c.ChannelTypes, int(t))
	}
}

// modalMenu adds what holds in modals only.
func (l *layout) modalMenu(n node, c *Component) {
	if c.Disabled {
		n.fail("disabled", "COMPONENT_DISABLED_NOT_ALLOWED", "Components of a modal cannot be disabled")
	}
	l.required(n, c)
}

func (l *layout) choices(n node, c *Component) {
	list := n.objects("options", 25)
	if len(list) == 0 {
		n.fail("options", "BASE_TYPE_BAD_LENGTH", "Must be between 1 and 25 in length.")
		return
	}
	if c.MaxValues > len(list) {
		n.fail("max_values", "SELECT_COMPONENT_MAX_VALUES_TOO_LARGE", "max_values is greater than the number of options")
	}
	defaults := 0
	for _, o := range list {
		opt := SelectOption{
			Label: o.mustText("label", 1, 100), Value: o.mustText("value", 1, 100), Description: o.text("description", 0, 100),
			Emoji: emoji(o), Default: o.flag("default"),
		}
		if slices.ContainsFunc(c.Options, func(p SelectOption) bool { return p.Value == opt.Value }) {
			o.fail("value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used")
		}
		if opt.Default {
			defaults++
		}
		c.Options = append(c.Options, opt)
	}
	if defaults > c.MaxValues {
		n.fail("options", "SELECT_COMPONENT_TOO_MANY_DEFAULT_VALUES", "More options are chosen than max_values allows")
	}
}

// input reads a text input of a modal.
func (l *layout) input(n node, c *Component) {
	c.CustomID = l.customID(n)
	if !n.has("style") {
		n.required("style")
	}
	c.Style = n.choice("style", 1, 2)
	c.Label = n.text("label", 0, 45)
	inRow := len(n.path) > 0 && n.path[len(n.path)-1] != "component"
	if inRow && c.Label == "" {
		n.required("label")
	}
	c.Placeholder, c.Value = n.text("placeholder", 0, 100), n.text("value", 0, 4000)
	c.Required, c.MaxLength = true, 4000
	if n.has("required") {
		c.Required = n.flag("required")
	}
	if v, ok := n.number("min_length", 0, 4000); ok {
		c.MinLength = int(v)
	}
	if v, ok := n.number("max_length", 1, 4000); ok {
		c.MaxLength = int(v)
	}
	if c.MinLength > c.MaxLength {
		n.fail("min_length", "TEXT_INPUT_MIN_LENGTH_TOO_LARGE", "min_length is greater than max_length")
	}
}
