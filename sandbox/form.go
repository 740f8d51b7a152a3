package sandbox

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"
)

// form collects what is wrong with a request body, by path, as Discord reports it.
type form struct {
	errors map[string]any
	seen   int
}

// formError is one leaf of the errors tree.
type formError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// node is an object inside a body, with the way to it.
type node struct {
	form *form
	path []string
	m    map[string]any
}

func newForm() *form { return &form{errors: map[string]any{}} }

func (f *form) root(m map[string]any) node { return node{form: f, m: m} }

func (f *form) bad() bool { return f.seen > 0 }

// add notes an error at a path; an empty path is the body itself.
func (f *form) add(path []string, code, message string) {
	f.seen++
	at := f.errors
	for _, p := range path {
		next, ok := at[p].(map[string]any)
		if !ok {
			next = map[string]any{}
			at[p] = next
		}
		at = next
	}
	list, _ := at["_errors"].([]formError)
	at["_errors"] = append(list, formError{code, message})
}

// err is the refusal to answer with, nil when nothing was wrong.
func (f *form) err() *apiError {
	if !f.bad() {
		return nil
	}
	return &apiError{status: 400, Code: codeForm, Message: "Invalid Form Body", Errors: f.errors}
}

func (n node) at(keys ...string) []string { return append(slices.Clip(n.path), keys...) }

// fail notes an error at key, or at the object itself for an empty key.
func (n node) fail(key, code, format string, args ...any) {
	path := n.path
	if key != "" {
		path = n.at(key)
	}
	n.form.add(path, code, fmt.Sprintf(format, args...))
}

// has tells whether key is there and not null.
func (n node) has(key string) bool { return n.m[key] != nil }

// named tells whether key is there, null included.
func (n node) named(key string) bool { _, ok := n.m[key]; return ok }

func (n node) required(key string) {
	n.fail(key, "BASE_TYPE_REQUIRED", "This field is required")
}

// text reads an optional string of lo to hi characters; empty when it is absent.
func (n node) text(key string, lo, hi int) string {
	if !n.has(key) {
		return ""
	}
	s, ok := n.m[key].(string)
	if !ok {
		n.fail(key, "STRING_TYPE_CONVERT", "Could not interpret %q as string.", fmt.Sprint(n.m[key]))
		return ""
	}
	length := utf8.RuneCountInString(s)
	switch {
	case length > hi && lo > 0:
		n.fail(key, "BASE_TYPE_BAD_LENGTH", "Must be between %d and %d in length.", lo, hi)
	case length > hi:
		n.fail(key, "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", hi)
	case length < lo:
		n.fail(key, "BASE_TYPE_BAD_LENGTH", "Must be between %d and %d in length.", lo, hi)
	}
	return s
}

// mustText is text that has to be there.
func (n node) mustText(key string, lo, hi int) string {
	if !n.has(key) {
		n.required(key)
		return ""
	}
	return n.text(key, lo, hi)
}

// number reads an optional whole number within lo to hi.
func (n node) number(key string, lo, hi int64) (int64, bool) {
	if !n.has(key) {
		return 0, false
	}
	v, ok := whole(n.m[key])
	if !ok {
		n.fail(key, "NUMBER_TYPE_COERCE", "Value %q is not int.", fmt.Sprint(n.m[key]))
		return 0, false
	}
	switch {
	case v < lo:
		n.fail(key, "NUMBER_TYPE_MIN", "int value should be greater than or equal to %d.", lo)
	case v > hi:
		n.fail(key, "NUMBER_TYPE_MAX", "int value should be less than or equal to %d.", hi)
	}
	return v, true
}

// whole reads a whole number as JSON number or as its text.
func whole(v any) (int64, bool) {
	var text string
	switch t := v.(type) {
	case json.Number:
		text = t.String()
	case string:
		text = t
	default:
		return 0, false
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		return 0, false
	}
	return int64(f), true
}

// choice reads a whole number that is one of the allowed ones.
func (n node) choice(key string, allowed ...int) int {
	v, ok := n.number(key, math.MinInt64, math.MaxInt64)
	if ok && !slices.Contains(allowed, int(v)) {
		n.fail(key, "BASE_TYPE_CHOICES", "Value must be one of %v.", allowed)
	}
	return int(v)
}

// flag reads an optional boolean.
func (n node) flag(key string) bool {
	if !n.has(key) {
		return false
	}
	b, ok := n.m[key].(bool)
	if !ok {
		n.fail(key, "BOOLEAN_TYPE_CONVERT", "Must be either true or false.")
	}
	return b
}

// snowflake reads an optional id.
func (n node) snowflake(key string) string {
	if !n.has(key) {
		return ""
	}
	s := fmt.Sprint(n.m[key])
	if !isSnowflake(s) {
		n.fail(key, "NUMBER_TYPE_COERCE", "Value %q is not snowflake.", s)
		return ""
	}
	return s
}

// object reads an optional object.
func (n node) object(key string) (node, bool) {
	if !n.has(key) {
		return node{}, false
	}
	m, ok := n.m[key].(map[string]any)
	if !ok {
		n.fail(key, "DICT_TYPE_CONVERT", "Only dictionaries may be used in a DictType")
		return node{}, false
	}
	return node{form: n.form, path: n.at(key), m: m}, true
}

// values reads an optional list of at most limit members.
func (n node) values(key string, limit int) []any {
	if !n.has(key) {
		return nil
	}
	list, ok := n.m[key].([]any)
	if !ok {
		n.fail(key, "LIST_TYPE_CONVERT", "Only iterables may be used in a ListType")
		return nil
	}
	if len(list) > limit {
		n.fail(key, "BASE_TYPE_MAX_LENGTH", "Must be %d or fewer in length.", limit)
		return nil
	}
	return list
}

// objects reads an optional list of at most limit objects.
func (n node) objects(key string, limit int) []node {
	var out []node
	for i, v := range n.values(key, limit) {
		path := n.at(key, strconv.Itoa(i))
		m, ok := v.(map[string]any)
		if !ok {
			n.form.add(path, "MODEL_TYPE_CONVERT", "Only dictionaries may be used in a ModelType")
			continue
		}
		out = append(out, node{form: n.form, path: path, m: m})
	}
	return out
}
