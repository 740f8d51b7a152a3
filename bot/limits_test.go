package bot

import (
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"rowbot/match"
)

// unreached is a Discord that nobody may call.
type unreached struct{ t testing.TB }

func (u unreached) Call(_ context.Context, method, path string, _ any) (json.RawMessage, error) {
	u.t.Errorf("called %s %s", method, path)
	return nil, nil
}

// testBot is a Bot for what needs no store and no Discord.
func testBot(t testing.TB) *Bot {
	t.Helper()
	b, err := New(Options{
		Matches: &match.Service{}, REST: unreached{t}, Log: slog.New(slog.DiscardHandler), AppID: "900000000000000001",
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// wireCounts is what Discord counts of a message.
type wireCounts struct {
	components, characters int
	ids                    []string
}

// checkLimits holds a message of components, as it is sent, against Discord's
// limits.
func checkLimits(t rapid.TB, m message) {
	t.Helper()
	raw, err := json.Marshal(m)
	if err != nil {
		t.Fatalf("%v", err)
	}
	var body map[string]any
	if err := json.Unmarshal(raw, &body); err != nil {
		t.Fatalf("%v", err)
	}
	if _, ok := body["content"]; ok || body["flags"] != float64(1<<15) {
		t.Errorf("content %v, flags %v", body["content"], body["flags"])
	}
	if mentions, ok := body["allowed_mentions"].(map[string]any); !ok || mentions["parse"] == nil || len(mentions["parse"].([]any)) != 0 {
		t.Errorf("allowed_mentions are %v", body["allowed_mentions"])
	}
	var n wireCounts
	for _, c := range body["components"].([]any) {
		n.add(t, c.(map[string]any), true)
	}
	if n.components == 0 || n.components > 40 || n.characters > 4000 {
		t.Errorf("%d components, %d characters", n.components, n.characters)
	}
	slices.Sort(n.ids)
	if len(slices.Compact(slices.Clone(n.ids))) != len(n.ids) {
		t.Errorf("a custom ID is used twice: %q", n.ids)
	}
}

func (n *wireCounts) add(t rapid.TB, c map[string]any, top bool) {
	t.Helper()
	n.components++
	nested, _ := c["components"].([]any)
	content, _ := c["content"].(string)
	switch c["type"] {
	case float64(17):
		if accent, ok := c["accent_color"].(float64); !ok || accent < 0 || accent > 0xFFFFFF || !top {
			t.Errorf("a container with the accent %v, at the top: %v", c["accent_color"], top)
		}
	case float64(1):
		if len(nested) < 1 || len(nested) > 5 {
			t.Errorf("a row of %d", len(nested))
		}
	case float64(10):
		n.characters += utf8.RuneCountInString(content)
		if content == "" {
			t.Errorf("an empty text")
		}
	case float64(12):
		items, _ := c["items"].([]any)
		for _, item := range items {
			if d, _ := item.(map[string]any)["description"].(string); d == "" || utf8.RuneCountInString(d) > 1024 {
				t.Errorf("a picture's description is %q", d)
			}
		}
		if len(items) < 1 || len(items) > 10 {
			t.Errorf("a gallery of %d", len(items))
		}
	case float64(2):
		n.addButton(t, c)
	default:
		t.Errorf("a component of type %v", c["type"])
	}
	for _, inner := range nested {
		n.add(t, inner.(map[string]any), false)
	}
}

func (n *wireCounts) addButton(t rapid.TB, c map[string]any) {
	t.Helper()
	label, _ := c["label"].(string)
	id, _ := c["custom_id"].(string)
	if style, _ := c["style"].(float64); style < 1 || style > 4 {
		t.Errorf("button %q has the style %v", label, c["style"])
	}
	if label == "" && c["emoji"] == nil || utf8.RuneCountInString(label) > 80 {
		t.Errorf("a button with the label %q and the emoji %v", label, c["emoji"])
	}
	if size := utf8.RuneCountInString(id); size < 1 || size > maxCustomID {
		t.Errorf("button %q has the custom ID %q", label, id)
	}
	p, isPress := parsePress(id)
	s, isScene := parseScene(id)
	if isPress == isScene || p.String() != id && s.String() != id {
		t.Errorf("the custom ID %q of button %q is not read", id, label)
	}
	n.ids = append(n.ids, id)
}
