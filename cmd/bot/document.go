package main

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/BurntSushi/toml"
)

// document is a TOML file in which every key's value and line can be found.
type document struct {
	text string
	meta toml.MetaData
	root map[string]any
}

func parseDocument(text string) (*document, error) {
	d := &document{text: text}
	var err error
	d.meta, err = toml.Decode(text, &d.root)
	return d, err
}

// value gives a key's value as the text an environment variable would hold.
// When it cannot be one, kind says what it is, such as "a table".
func (d *document) value(key toml.Key) (text, kind string) {
	var v any = d.root
	for _, part := range key {
		table, ok := v.(map[string]any)
		if !ok {
			return "", "a list"
		}
		v = table[part]
	}
	switch v := v.(type) {
	case string:
		return v, ""
	case int64:
		return strconv.FormatInt(v, 10), ""
	case []any:
		return numbers(v)
	case map[string]any:
		return "", "a table"
	case bool:
		return "", "a truth value"
	case float64:
		return "", "a number with a fraction"
	case time.Time:
		return "", "a date"
	}
	return "", "a list"
}

// numbers writes a list of whole numbers as "1,2,3".
func numbers(list []any) (text, kind string) {
	parts := make([]string, len(list))
	for i, v := range list {
		n, ok := v.(int64)
		if !ok {
			return "", "a list"
		}
		parts[i] = strconv.FormatInt(n, 10)
	}
	if len(parts) == 0 {
		return "", "an empty list"
	}
	return strings.Join(parts, ","), ""
}

// marker is decoded into to learn a key's line: the decoder puts the place
// into the error of a value that does not want to be decoded.
type marker struct{}

// UnmarshalTOML refuses.
func (*marker) UnmarshalTOML(any) error { return errors.New("here") }

// line finds the line of a key, 0 when that is not possible. The decoder
// keeps the lines to itself, so it is made to fail at the key.
func (d *document) line(key toml.Key) int {
	var level map[string]toml.Primitive
	meta, err := toml.Decode(d.text, &level)
	for i, part := range key {
		if err != nil {
			break
		}
		if i == len(key)-1 {
			err = meta.PrimitiveDecode(level[part], &marker{})
			break
		}
		var next map[string]toml.Primitive
		err = meta.PrimitiveDecode(level[part], &next)
		level = next
	}
	if at, ok := errors.AsType[toml.ParseError](err); ok {
		return at.Position.Line
	}
	return 0
}
