package sandbox

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// said builds true things the stand-in says: an interaction of each kind, a message, a command.
func said(t *testing.T) map[string][]byte {
	t.Helper()
	s := New(Options{Violation: func(text string) { t.Error(text) }})
	t.Cleanup(s.Close)
	m := s.newMessage(s.Games)
	accent := 255
	m.Flags, m.metadata = FlagComponentsV2, &metadata{id: s.flake.next(), kind: kindCommand, user: s.Alice.user, owners: map[string]string{"0": s.Playground.id}}
	m.Components = []*Component{{Type: TypeContainer, ID: 1, AccentColor: &accent, Components: []*Component{
		{Type: TypeTextDisplay, ID: 2, Content: "x"}, {Type: TypeActionRow, ID: 3, Components: []*Component{{Type: TypeButton, ID: 4, Style: 1, Label: "x", CustomID: "y"}}},
	}}}
	s.mu.Lock()
	s.put(m, true)
	s.mu.Unlock()
	seat := s.Alice.In(s.Games)
	options := []any{map[string]any{"name": "who", "type": OptionUser, "value": s.Bob.ID()}}
	command := map[string]any{
		"id": s.flake.next(), "name": "play", "type": commandSlash, "options": options,
		"resolved": map[string]any{"users": map[string]any{s.Bob.ID(): s.Bob.user.wire()}},
	}
	typing := map[string]any{
		"id": s.flake.next(), "name": "play", "type": commandSlash,
		"options": []any{map[string]any{"name": "cell", "type": OptionString, "value": "h", "focused": true}},
	}
	click := map[string]any{"custom_id": "y", "component_type": TypeButton, "id": 4}
	group := s.Chen.In(s.AddPrivateChannel(s.Chen, s.Bob))
	return map[string][]byte{
		"message": m.JSON(), "command": encode(s.open(seat, &interaction{kind: kindCommand, data: command})),
		"click":  encode(s.open(seat, &interaction{kind: kindComponent, data: click, message: m})),
		"typing": encode(s.open(seat, &interaction{kind: kindAutocomplete, data: typing})),
		"direct": encode(s.open(s.Alice.DM(), &interaction{kind: kindCommand, data: command})),
		"group":  encode(s.open(group, &interaction{kind: kindCommand, data: command})),
	}
}

// TestSlipsAreSeen changes true things in one place and expects to hear of it.
func TestSlipsAreSeen(t *testing.T) {
	shapes := map[string]shape{"message": messageShape}
	good := said(t)
	for name, raw := range good {
		check := shapes[name]
		if check == nil {
			check = interactionShape
		}
		if got := problems(t, check, raw, nil); len(got) > 0 {
			t.Errorf("%s: %v", name, got)
		}
	}
	for name, c := range map[string]struct {
		of, path string
		value    any // nil takes the field away
		word     string
	}{
		"a number for an id":        {"message", "id", 5.0, "snowflake"},
		"no author":                 {"message", "author", nil, "lacks author"},
		"a field too many":          {"message", "author.age", 5.0, "no field age"},
		"a time without offset":     {"message", "timestamp", "2026-01-01T00:00:00Z", "time"},
		"content in v2":             {"message", "content", "x", "components v2"},
		"v2 without the flag":       {"message", "flags", 0.0, "without the flag"},
		"an id twice":               {"message", "components.0.components.0.id", 1.0, "twice"},
		"a text too long":           {"message", "components.0.components.0.content", strings.Repeat("x", 4001), "4000"},
		"an unknown component":      {"message", "components.0.type", 99.0, "no component"},
		"ephemeral by itself":       {"message", "interaction_metadata", nil, ""},
		"a user beside the member":  {"command", "user", map[string]any{}, "user does not fit"},
		"no member":                 {"command", "member", nil, "member does not fit"},
		"a context that is wrong":   {"command", "context", 1.0, "does not fit context 1"},
		"another server's owner":    {"command", "authorizing_integration_owners.0", "1390000000000000999", "another server"},
		"no owner":                  {"command", "authorizing_integration_owners.0", nil, "nobody installed"},
		"no permissions":            {"command", "member.permissions", nil, "lacks permissions"},
		"permissions as a number":   {"command", "app_permissions", 5.0, "bit set"},
		"a user not resolved":       {"command", "data.resolved", nil, "not resolved"},
		"a target of a slash":       {"command", "data.target_id", "1390000000000000012", "target"},
		"a subcommand with a value": {"command", "data.options.0.type", 1.0, "belongs to options"},
		"a focus on a command":      {"command", "data.options.0.focused", true, "1 options are focused"},
		"no focus while typing":     {"typing", "data.options.0.focused", nil, "0 options are focused"},
		"a click on nothing":        {"click", "message", nil, "without its message"},
		"values of a button":        {"click", "data.values", []any{"x"}, "select menus"},
		"a member in a DM":          {"direct", "member", map[string]any{}, "member does not fit"},
		"a server's owner in a DM":  {"direct", "authorizing_integration_owners.0", "1390000000000000101", `"0"`},
		"the bot in a group":        {"group", "authorizing_integration_owners.0", "1390000000000000101", "private channel"},
		"a type that is none":       {"group", "type", 9.0, "not one of"},
	} {
		check := shapes[c.of]
		if check == nil {
			check = interactionShape
		}
		change := func(v any) { set(v, strings.Split(c.path, "."), c.value) }
		got := problems(t, check, good[c.of], change)
		found := slices.ContainsFunc(got, func(p string) bool { return strings.Contains(p, c.word) })
		if c.word == "" && len(got) > 0 || c.word != "" && !found {
			t.Errorf("%s: want %q, got %v", name, c.word, got)
		}
	}
}

func problems(t *testing.T, check shape, raw []byte, change func(any)) []string {
	t.Helper()
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(v)
	}
	var a audit
	check(&a, "", v)
	return a.problems
}

// set puts a value at a path; nil takes the field away.
func set(v any, path []string, value any) {
	for _, key := range path[:len(path)-1] {
		if l, ok := v.([]any); ok {
			v = l[key[0]-'0']
			continue
		}
		v = v.(map[string]any)[key]
	}
	m := v.(map[string]any)
	if value == nil {
		delete(m, path[len(path)-1])
		return
	}
	m[path[len(path)-1]] = value
}

// TestViolationsAreTold: of answers, of events, and of what there are no rules for.
func TestViolationsAreTold(t *testing.T) {
	var told []string
	s := New(Options{Violation: func(text string) { told = append(told, text) }})
	t.Cleanup(s.Close)
	s.gate.inspectEvent("RESUMED", []byte(`{"x":1}`))
	s.gate.inspectEvent("SURPRISE", []byte(`{}`))
	s.gate.inspectEvent("RESUMED", []byte(`{`))
	answer := func(method, route string, status int, body string) {
		s.inspectAnswer(callTo(method, route), &Exchange{Status: status, Response: json.RawMessage(body)})
	}
	answer("GET", RouteMe, 204, `{}`)
	answer("GET", RouteGateway, 200, `{"url":""}`)
	answer("GET", RouteMe, 404, `{"message":"x"}`)
	answer("GET", RouteMe, 400, `{"message":"Invalid Form Body","code":50035}`)
	answer("GET", RouteMe, 429, `{"message":"x","code":0,"global":false}`)
	answer("TRACE", RouteMe, 200, `{}`)
	for i, word := range []string{"no field x", "no rules", "not JSON", "204", "url", "lacks code", "no field", "retry_after", "no rules"} {
		if i >= len(told) || !strings.Contains(told[i], word) {
			t.Fatalf("%d: want %q in %q", i, word, told)
		}
	}
	answer("GET", RouteGateway, 200, `{"url":"ws://x"}`)
	answer("DELETE", RouteMessage, 204, ``)
	if len(told) != 9 {
		t.Errorf("told of what is right: %q", told[9:])
	}
}

// TestEverythingSaidIsInspected: events as they are sent, answers as they are given, interactions as they are made.
func TestEverythingSaidIsInspected(t *testing.T) {
	var told []string
	s := New(Options{Violation: func(text string) { told = append(told, text) }})
	t.Cleanup(s.Close)
	s.gate.send(&session{}, "SURPRISE", json.RawMessage(`{}`))
	s.endpoint("/surprise", false, func(*call) (answer, *apiError) { return ok("x") }).
		ServeHTTP(httptest.NewRecorder(), asBot(httptest.NewRequest("GET", "/surprise", nil)))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	seat := s.Alice.In(s.Games)
	_, _ = seat.Tweak(func(p map[string]any) { p["x"] = 1 }).interact(ctx, &interaction{kind: kindCommand}) // nobody answers
	if len(told) != 2 {
		t.Fatalf("told %q: want the event and the answer, and nothing of what was bent on purpose", told)
	}
	_, _ = seat.interact(ctx, &interaction{kind: kindCommand})
	if len(told) != 3 || !strings.HasPrefix(told[2], "INTERACTION_CREATE") {
		t.Errorf("told %q: want the interaction too", told)
	}
}

func asBot(r *http.Request) *http.Request {
	r.Header.Set("User-Agent", "DiscordBot (x, 1)")
	return r
}
