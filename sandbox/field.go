package sandbox

import "slices"

// upload reads a file upload of a modal.
func (l *layout) upload(n node, c *Component) {
	l.group(n, c, 0)
}

// group reads what file uploads, radio groups and checkbox groups have in common, and the options of the latter two;
// fewest is how many options there have to be, 0 for a component without options.
func (l *layout) group(n node, c *Component, fewest int) {
	c.CustomID = l.customID(n)
	c.MinValues, c.MaxValues, c.Required = 1, 1, true
	if c.Type == TypeRadioGroup {
		l.required(n, c)
	} else {
		if v, ok := n.number("min_values", 0, 10); ok {
			c.MinValues = int(v)
		}
		if c.Type == TypeCheckboxGroup {
			c.MaxValues = len(n.values("options", 10))
		}
		if v, ok := n.number("max_values", 1, 10); ok {
			c.MaxValues = int(v)
		}
		l.required(n, c)
	}
	if c.MinValues > c.MaxValues {
		n.fail("min_values", "SELECT_COMPONENT_MIN_VALUES_TOO_LARGE", "min_values is greater than max_values")
	}
	if fewest == 0 {
		return
	}
	list := n.objects("options", 10)
	if len(list) < fewest {
		n.fail("options", "BASE_TYPE_BAD_LENGTH", "Must be between %d and 10 in length.", fewest)
	}
	for _, o := range list {
		opt := SelectOption{
			Label: o.mustText("label", 1, 100), Value: o.mustText("value", 1, 100), Description: o.text("description", 0, 100),
			Default: o.flag("default"),
		}
		if slices.ContainsFunc(c.Options, func(p SelectOption) bool { return p.Value == opt.Value }) {
			o.fail("value", "SELECT_COMPONENT_OPTION_VALUE_DUPLICATED", "The specified option value is already used")
		}
		c.Options = append(c.Options, opt)
	}
	if c.Type == TypeCheckboxGroup && c.MaxValues > max(len(list), 1) {
		n.fail("max_values", "SELECT_COMPONENT_MAX_VALUES_TOO_LARGE", "max_values is greater than the number of options")
	}
}

// required reads whether a field of a modal has to be filled in, and what follows for min_values.
func (l *layout) required(n node, c *Component) {
	if n.has("required") {
		c.Required = n.flag("required")
	}
	if c.Required && n.has("min_values") && c.MinValues < 1 {
		n.fail("min_values", "NUMBER_TYPE_MIN", "int value should be greater than or equal to 1.")
	}
}

// checkbox reads a single checkbox of a modal.
func (l *layout) checkbox(n node, c *Component) {
	c.CustomID = l.customID(n)
	c.Checked = n.flag("default")
}
