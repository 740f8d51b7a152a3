package browser_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/chromedp"

	"rowbot/sandbox"
)

// jsonText writes a value as the page's JSON.stringify does.
func jsonText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// named are the roles of what can be used, and of what one has to know the name of to find one's way.
var named = []string{
	"button", "checkbox", "combobox", "dialog", "image", "link", "listbox", "menu", "menuitem", "option", "radio", "searchbox", "slider", "spinbutton",
	"switch", "tab", "textbox", "article", "navigation", "complementary",
}

// nameless lists what has no name for those who hear the page, as Chromium works out names.
func (p *tab) nameless() []string {
	p.t.Helper()
	tree, err := chromedp.Call(p.ctx, accessibility.GetFullAXTree, accessibility.GetFullAXTreeParams{})
	p.do(err, "read the accessibility tree")
	seen := 0
	var out []string
	for _, n := range tree.Nodes {
		role := axText(n.Role)
		if n.Ignored || !slices.Contains(named, role) {
			continue
		}
		seen++
		if slices.Contains([]string{"", "null", "undefined"}, strings.TrimSpace(axText(n.Name))) {
			out = append(out, role+" "+axText(n.Value))
		}
	}
	if seen < 3 {
		p.t.Errorf("the accessibility tree has only %d parts with a name", seen)
	}
	return out
}

func axText(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	var s string
	_ = json.Unmarshal(v.Value, &s) // what is no text has none
	return s
}

// accessible checks what is on the screen: names, contrast, and that the Tab key comes to everything that can be used.
func (p *tab) accessible(state string) {
	p.t.Helper()
	if list := p.nameless(); len(list) > 0 {
		p.t.Errorf("%s: without a name: %s", state, strings.Join(list, ", "))
	}
	p.contrast(state)
	n := ask[int](p, "person.walk.begin()")
	for range 2*n + 40 { // what scrolls is a stop too, and the browser's own bar
		p.press(tabKey)
		if ask[int](p, "person.walk.step()") == 0 {
			break
		}
	}
	if missed := ask[[]string](p, "person.walk.missed()"); len(missed) > 0 {
		p.t.Errorf("%s: the Tab key does not come to %s", state, strings.Join(missed, ", "))
	}
	if n < 3 {
		p.t.Errorf("%s: only %d stops of the Tab key", state, n)
	}
	if hidden := ask[[]string](p, "person.walk.hidden()"); len(hidden) > 0 {
		p.t.Errorf("%s: the focus goes to what cannot be seen: %s", state, strings.Join(hidden, ", "))
	}
}

func (p *tab) contrast(state string) {
	p.t.Helper()
	if pale := ask[[]string](p, "person.pale()"); len(pale) > 0 {
		p.t.Errorf("%s: too little contrast:\n%s", state, strings.Join(pale, "\n"))
	}
}

// busyChannel fills a channel with all kinds of things.
func (w *world) busyChannel() {
	w.t.Helper()
	w.Bob.In(w.Games).Say("Hello **all**, `code`, <@" + w.Alice.ID() + "> ||secret|| <#" + w.General.ID() + "> https://example.org\n> quoted\n```ansi\n\x1b[31mred\x1b[0m \x1b[1;34mblue\x1b[0m plain\n```")
	board := w.challenge(w.Games, "gomoku")
	for i, c := range strings.Fields("h8 h9 i8 i9") {
		w.plays([]*sandbox.Person{w.Alice, w.Bob}[i%2], board, c)
	}
	won := w.challenge(w.Games, "ttt")
	for i, c := range strings.Fields("a3 a2 b3 b2 c3") {
		w.plays([]*sandbox.Person{w.Alice, w.Bob}[i%2], won, c)
	}
	if _, err := w.Bob.In(w.Games).Slash(w.t.Context(), "ttt challenge"); err != nil {
		w.t.Fatal(err)
	}
	if _, err := w.Alice.In(w.Games).Slash(w.t.Context(), "help"); err != nil {
		w.t.Fatal(err)
	}
}

func TestBrowserAccess(t *testing.T) {
	t.Parallel()
	for _, light := range []bool{false, true} {
		name := map[bool]string{false: "dark", true: "light"}[light]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, unhurried)
			w.busyChannel()
			how := desktop
			how.light = light
			alice := w.open(w.Alice, w.Games, how)
			alice.sees("[data-viewer]", "How to play")
			alice.accessible("channel")

			alice.click("#entry")
			alice.press("/")
			alice.sees("#suggestions [role=option]", "/ttt bot")
			alice.contrast("suggestions")
			alice.press(escape)

			alice.click(`[data-label="Type a move"]`)
			alice.sees("dialog[open]", "Where to?")
			alice.accessible("form")
			alice.press(escape)

			alice.click("[data-toggle=settings]")
			alice.sees("dialog[open]", "Theme")
			alice.accessible("settings")
			alice.press(escape)

			alice.rightClick(`#members [data-user="` + w.Bob.ID() + `"]`)
			alice.sees(".menu-box", "Copy ID")
			alice.contrast("menu")
			alice.press(escape)

			alice.click(".bar [data-toggle=panel]")
			alice.click("#switches summary")
			alice.click("[data-fault=twice]")
			alice.sees("#faults", "delivered twice")
			alice.accessible("panel")
			alice.click("#faults [data-heal]")
			alice.seesNo("#faults", "")
		})
	}
	t.Run("phone", func(t *testing.T) {
		t.Parallel()
		w := start(t, unhurried)
		w.busyChannel()
		alice := w.open(w.Alice, w.Games, phone)
		alice.sees("[data-viewer]", "How to play")
		alice.accessible("channel")
		alice.tap(".bar [data-toggle=channels]")
		alice.sees("#channels", "general")
		alice.accessible("drawer")
	})
}
