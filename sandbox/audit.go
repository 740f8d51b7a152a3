package sandbox

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The stand-in checks what it says itself against shapes: which fields an object has, of what kind, and what holds
// between them. The shapes are written down apart from the code that makes the objects, so that a slip in either is
// seen.

// audit collects what is wrong with a value.
type audit struct{ problems []string }

func (a *audit) fail(at, format string, args ...any) {
	a.problems = append(a.problems, at+": "+fmt.Sprintf(format, args...))
}

// shape checks a value found at a place.
type shape func(a *audit, at string, v any)

// fields are the members of an object; a name with a question mark at its end may be missing.
type fields map[string]shape

// object is an object with these fields and no others; rules then look at it as a whole.
func object(f fields, rules ...func(a *audit, at string, m map[string]any)) shape {
	known := map[string]shape{}
	var needed []string
	for name, check := range f {
		bare, optional := strings.CutSuffix(name, "?")
		known[bare] = check
		if !optional {
			needed = append(needed, bare)
		}
	}
	slices.Sort(needed)
	return func(a *audit, at string, v any) {
		m, ok := v.(map[string]any)
		if !ok {
			a.fail(at, "not an object")
			return
		}
		for _, name := range needed {
			if _, there := m[name]; !there {
				a.fail(at, "lacks %s", name)
			}
		}
		for name, value := range m {
			if check := known[name]; check != nil {
				check(a, at+"."+name, value)
			} else {
				a.fail(at, "has no field %s", name)
			}
		}
		for _, rule := range rules {
			rule(a, at, m)
		}
	}
}

// with joins fields; later ones count.
func with(all ...fields) fields {
	out := fields{}
	for _, f := range all {
		maps.Copy(out, f)
	}
	return out
}

// list is a list of at most limit members; 0 is any number.
func listOf(each shape, limit int) shape {
	return func(a *audit, at string, v any) {
		l, ok := v.([]any)
		if !ok {
			a.fail(at, "not a list")
			return
		}
		if limit > 0 && len(l) > limit {
			a.fail(at, "%d members, at most %d", len(l), limit)
		}
		for i, m := range l {
			each(a, at+"["+strconv.Itoa(i)+"]", m)
		}
	}
}

// mapped is an object whose names are ids and whose values are alike.
func mapped(name, each shape) shape {
	return func(a *audit, at string, v any) {
		m, ok := v.(map[string]any)
		if !ok {
			a.fail(at, "not an object")
		}
		for key, value := range m {
			name(a, at+" key", key)
			each(a, at+"["+key+"]", value)
		}
	}
}

// null also takes null.
func null(check shape) shape {
	return func(a *audit, at string, v any) {
		if v != nil {
			check(a, at, v)
		}
	}
}

// later looks a shape up when it is used, for shapes that contain themselves.
func later(check *shape) shape {
	return func(a *audit, at string, v any) { (*check)(a, at, v) }
}

// text is a string of lo to hi characters; hi of 0 is any length.
func text(lo, hi int) shape {
	return func(a *audit, at string, v any) {
		s, ok := v.(string)
		n := len([]rune(s))
		if !ok || n < lo || hi > 0 && n > hi {
			a.fail(at, "not a text of %d to %d characters", lo, hi)
		}
	}
}

// numbers is a whole number within lo to hi.
func numbers(lo, hi float64) shape {
	return func(a *audit, at string, v any) {
		n, ok := v.(float64)
		if !ok || n != math.Trunc(n) || n < lo || n > hi {
			a.fail(at, "not a whole number from %.0f to %.0f", lo, hi)
		}
	}
}

// among is one of the given numbers.
func among(allowed ...int) shape {
	return func(a *audit, at string, v any) {
		n, ok := v.(float64)
		if !ok || !slices.Contains(allowed, int(n)) || n != math.Trunc(n) {
			a.fail(at, "%v is not one of %v", v, allowed)
		}
	}
}

// The kinds of plain values.
var (
	anyText = text(0, 0)
	name    = text(1, 0)
	count   = numbers(0, math.MaxInt32)
)

func anything(*audit, string, any) {}

func boolean(a *audit, at string, v any) {
	if _, ok := v.(bool); !ok {
		a.fail(at, "not true or false")
	}
}

func snowflake(a *audit, at string, v any) {
	if s, ok := v.(string); !ok || !isSnowflake(s) {
		a.fail(at, "not a snowflake")
	}
}

// bitset is a permission set: decimal digits in a string.
func bitset(a *audit, at string, v any) {
	s, _ := v.(string)
	if _, err := strconv.ParseUint(s, 10, 64); err != nil {
		a.fail(at, "not a bit set in a string")
	}
}

func instant(a *audit, at string, v any) {
	s, _ := v.(string)
	if _, err := time.Parse("2006-01-02T15:04:05.000000-07:00", s); err != nil {
		a.fail(at, "not a time with microseconds and offset")
	}
}

// value is what an option or choice may hold: a string, a number or a boolean.
func value(a *audit, at string, v any) {
	switch v.(type) {
	case string, float64, bool:
	default:
		a.fail(at, "not a plain value")
	}
}

// inspect checks something the stand-in says, or only every so many things, and reports what is wrong.
func (s *Server) inspect(what string, check shape, raw []byte) {
	if s.said.Add(1)%uint64(s.opt.InspectEvery) != 0 {
		return
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		s.violation(what + ": not JSON: " + err.Error())
		return
	}
	var a audit
	check(&a, "", v)
	if len(a.problems) > 0 {
		s.violation(what + strings.Join(a.problems, "; "))
	}
}

func (s *Server) violation(text string) { s.opt.Violation(text) }

// inspectEvent checks an event other than interactions, which are checked where they are made.
func (g *gateway) inspectEvent(event string, data []byte) {
	check := eventShapes[event]
	switch {
	case event == "INTERACTION_CREATE":
	case check == nil:
		g.server.violation(event + ": no rules for this event")
	default:
		g.server.inspect(event, check, data)
	}
}

// inspectAnswer checks an answer of REST.
func (s *Server) inspectAnswer(c *call, x *Exchange) {
	what := c.Method + " " + c.route + " " + strconv.Itoa(x.Status)
	check := answerShapes[c.Method+" "+c.route]
	switch {
	case x.Status == http.StatusTooManyRequests:
		check = limitedShape
	case x.Status >= http.StatusBadRequest:
		check = errorShape
	case x.Status == http.StatusNoContent:
		if len(x.Response) > 0 {
			s.violation(what + ": a body comes with 204")
		}
		return
	case check == nil:
		s.violation(what + ": no rules for this answer")
		return
	}
	s.inspect(what, check, x.Response)
}
