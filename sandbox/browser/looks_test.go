package browser_test

import (
	"strings"
	"testing"
)

// onPhone is what has to hold on a narrow screen: nothing makes the page scroll sideways, and a finger hits every button
// of a message.
func (p *tab) onPhone() {
	p.t.Helper()
	if n := ask[int](p, "document.scrollingElement.scrollWidth"); n > 390 {
		p.t.Errorf("the page is %d pixels wide", n)
	}
	if wide := ask[[]string](p, "person.wide()"); len(wide) > 0 {
		p.t.Errorf("wider than the screen: %s", strings.Join(wide, ", "))
	}
	small := ask[[]string](p, `person.all("[data-message] .body button").filter((n) => {
		const r = n.getBoundingClientRect();
		return r.height < 40 || r.width < 40;
	}).map((n) => n.dataset.label + " " + n.getBoundingClientRect().width + "x" + n.getBoundingClientRect().height)`)
	if len(small) > 0 {
		p.t.Errorf("too small for a finger: %s", strings.Join(small, ", "))
	}
}

func TestBrowserPhone(t *testing.T) {
	t.Parallel()
	w := start(t, unhurried)
	w.challenge(w.Games, "ttt")
	w.challenge(w.General, "gomoku")
	alice := w.open(w.Alice, w.Games, phone)
	alice.tap(cell("b2"))
	alice.sees("[data-message]", "move 2")
	alice.onPhone()

	// The channels are in a drawer.
	general := `[data-channel="` + w.General.ID() + `"]`
	alice.seesNo(general, "")
	alice.tap(".bar [data-toggle=channels]")
	alice.tap(general)
	alice.seesNo(general, "")
	alice.sees("[data-message] pre", " 1 . .")
	alice.onPhone()
	// The board is readable: its lines do not wrap, and what does not fit scrolls within.
	if !ask[bool](alice, `person.all("[data-message] pre").every((n) => {
		const style = getComputedStyle(n.querySelector("code") ?? n);
		const fits = n.scrollWidth <= n.clientWidth + 1;
		const lines = (n.querySelector("code") ?? n).innerText.trimEnd().split("\n").length;
		const tall = n.scrollHeight <= (lines + 1.5) * parseFloat(style.lineHeight || style.fontSize) + 24;
		return parseFloat(style.fontSize) >= 11 && tall && (fits || ["auto", "scroll"].includes(getComputedStyle(n).overflowX));
	})`) {
		t.Error("the board cannot be read on a phone")
	}
	alice.tap(cell("h8"))
	alice.sees("[data-message]", "last ⚫ h8")

	// The form and the panel fit too.
	alice.tap(".bar [data-toggle=panel]")
	alice.sees("#panel", "Faults")
	alice.onPhone()
	alice.tap("#panel [data-close]")
	alice.seesNo("#panel", "")
}

func TestBrowserColours(t *testing.T) {
	t.Parallel()
	w := start(t, unhurried)
	alice := w.open(w.Alice, w.Games, desktop)
	// How light the page is, from 0 to 255.
	shade := func() int {
		t.Helper()
		return ask[int](alice, `(() => {
			const [r, g, b] = getComputedStyle(document.querySelector("main")).backgroundColor.match(/[\d.]+/g).map(Number);
			const [x, y, z] = getComputedStyle(document.body).backgroundColor.match(/[\d.]+/g).map(Number);
			return Math.round(Math.max((r + g + b) / 3, (x + y + z) / 3));
		})()`)
	}
	if n := shade(); n > 60 {
		t.Errorf("where dark is wanted, the page has a shade of %d", n)
	}
	alice.dress(look{width: 1280, height: 900, light: true})
	if n := shade(); n < 200 {
		t.Errorf("where light is wanted, the page has a shade of %d", n)
	}
	// What is chosen counts more, and is remembered.
	alice.click("[data-toggle=settings]")
	alice.click("#settings label:has([name=theme][value=dark])")
	alice.press(escape)
	alice.visit(w.General)
	alice.until("the dark theme", `document.documentElement.dataset.theme === "dark"`)
	if n := shade(); n > 60 {
		t.Errorf("where dark was chosen, the page has a shade of %d", n)
	}

	// Boards are the same on a phone, but without the colours of ANSI codes.
	alice.click(".bar [data-toggle=phone]")
	alice.until("the look of a phone", `document.documentElement.dataset.view === "phone"`)
	alice.sees(".bar [data-toggle=phone][aria-pressed=true]", "")
}
