package browser_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"rowbot/sandbox"
)

// post posts a message as the bot would, with parts that Rowbot itself does not use.
func (w *world) post(in *sandbox.Channel, components ...any) {
	w.t.Helper()
	raw, err := json.Marshal(map[string]any{"flags": sandbox.FlagComponentsV2, "components": components})
	if err != nil {
		w.t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, sandbox.APIURL(w.base)+"/v10/channels/"+in.ID()+"/messages", bytes.NewReader(raw))
	if err != nil {
		w.t.Fatal(err)
	}
	for key, value := range map[string]string{
		"Authorization": "Bot " + sandbox.Token, "User-Agent": "DiscordBot (https://example.org, 1)", "Content-Type": "application/json",
	} {
		req.Header.Set(key, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(res.Body)
		w.t.Fatalf("%s: %s", res.Status, body)
	}
}

type part = map[string]any

// allParts are buttons of all styles, all kinds of menus, and what stands around them.
func allParts() []any {
	row := func(parts ...any) part { return part{"type": sandbox.TypeActionRow, "components": parts} }
	button := func(style int, label string) part {
		return part{"type": sandbox.TypeButton, "style": style, "label": label, "custom_id": "part:" + label}
	}
	off := button(1, "Switched off")
	off["disabled"] = true
	menu := func(kind int, placeholder string) part {
		return part{"type": kind, "custom_id": "part:" + placeholder, "placeholder": placeholder}
	}
	fruit := menu(3, "Fruit")
	fruit["options"] = []part{
		{"label": "Apple", "value": "apple", "description": "Red or green"}, {"label": "Pear", "value": "pear"}, {"label": "Plum", "value": "plum"},
	}
	fruit["min_values"], fruit["max_values"] = 1, 2
	return []any{
		row(button(1, "First"), button(2, "Second"), button(3, "Third"), button(4, "Fourth"), part{
			"type": sandbox.TypeButton, "style": 5, "label": "Elsewhere", "url": "https://example.org",
		}),
		row(off), row(fruit), row(menu(5, "Somebody")), row(menu(6, "A role")), row(menu(7, "Anybody")), row(menu(8, "A channel")),
		part{"type": 14, "divider": true},
		part{"type": 17, "accent_color": 0xAA3355, "components": []part{
			{"type": 9, "components": []part{{"type": 10, "content": "# Title\nText with a [link](https://example.org), ~~old~~ and __new__\n- one\n- two\n-# small"}}, "accessory": button(2, "Beside")},
		}},
	}
}

func TestBrowserParts(t *testing.T) {
	t.Parallel()
	w := start(t, unhurried)
	w.post(w.Games, allParts()...)
	alice := w.open(w.Alice, w.Games, desktop)
	alice.sees("[data-message]", "Title")
	alice.accessible("all parts")
	answered := "That button belongs to an older version of me." // so the choice came to Rowbot, which knows it not

	// Two of three, with the mouse; the choice is sent when the list closes.
	alice.click(`[data-select="part:Fruit"]`)
	alice.sees("#picker", "Red or green")
	alice.contrast("the open list")
	alice.click("#picker [data-option=apple]")
	alice.click("#picker [data-option=plum]")
	alice.press(escape)
	alice.seesNo("#picker", "")
	alice.sees("[data-viewer]", answered)
	alice.click("[data-viewer] [data-dismiss]")
	alice.seesNo("[data-viewer]", "")

	// Somebody, by keyboard.
	alice.click(`[data-select="part:Somebody"]`)
	alice.press("che")
	alice.sees("#picker [role=option]", "Chen")
	alice.press(enter)
	alice.sees("[data-viewer]", answered)

	alice.dress(phone)
	alice.sees("[data-message]", "Title")
	alice.until("the narrow page", "innerWidth === 390")
	alice.onPhone()
}

func TestBrowserLongChannel(t *testing.T) {
	t.Parallel()
	w := start(t, unhurried)
	for i := range 500 {
		w.Chen.In(w.Games).Say(fmt.Sprintf("message no. %d.", i))
	}
	alice := w.open(w.Alice, w.Games, desktop)
	alice.sees("[data-message]", "message no. 499.")
	few := func() {
		t.Helper()
		if n := ask[int](alice, `document.querySelectorAll("[data-message]").length`); n > 200 {
			t.Errorf("%d messages are in the document", n)
		}
	}
	few()
	for range 200 { // up, with the wheel
		if ask[bool](alice, `person.all("[data-message]", "message no. 250.").length > 0`) {
			break
		}
		alice.wheel(-900)
	}
	alice.sees("[data-message]", "message no. 250.")
	few()
	w.Bob.In(w.Games).Say("Here is something new.")
	alice.click("#present")
	alice.sees("[data-message]", "Here is something new.")
	few()
	if ask[bool](alice, `person.all("[data-message]", "message no. 250.").length > 0`) {
		t.Error("the page holds on to what is far away")
	}
}

// Who does something in a channel sees what comes of it, however far they have scrolled up, and the focus stays where
// it is. What others say moves nobody.
func TestBrowserFollowsOneself(t *testing.T) {
	t.Parallel()
	for name, many := range map[string]int{"a short channel": 100, "a long channel": 400} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := start(t, unhurried)
			asked, err := w.Bob.In(w.Games).Slash(t.Context(), "gomoku challenge")
			if err != nil {
				t.Fatal(err)
			}
			for i := range many {
				w.Chen.In(w.Games).Say(fmt.Sprintf("message no. %d.", i))
			}
			alice := w.open(w.Alice, w.Games, desktop)
			alice.sees("[data-message]", fmt.Sprintf("message no. %d.", many-1))
			atEnd := `(() => { const m = document.getElementById("messages"); return m.scrollHeight - m.scrollTop - m.clientHeight < 2; })()`
			away := func() {
				t.Helper()
				for until := time.Now().Add(time.Minute); time.Now().Before(until); {
					if ask[bool](alice, `person.all("[data-message]", "Bob is looking").some((n) => n.getBoundingClientRect().top > 0)`) {
						alice.until("the list to rest", `(() => {
							const top = document.getElementById("messages").scrollTop, rests = top === window.lastTop;
							window.lastTop = top;
							return rests;
						})()`)
						return
					}
					alice.wheel(-900)
				}
				t.Fatal("she never sees the challenge")
			}
			shown := func(words string) {
				t.Helper()
				alice.sees("[data-message]", words)
				alice.until("the end of the channel", atEnd)
			}
			away()
			w.Bob.In(w.Games).Say("Look here, everybody.")
			alice.until("the news", `document.getElementById("news").textContent.includes("Look here") || person.all("#present").length > 0`)
			if ask[bool](alice, atEnd) {
				t.Error("what somebody else says moves her")
			}
			alice.click("#entry")
			alice.press("It is me.", enter)
			shown("It is me.")
			away()
			alice.click("#entry")
			alice.press("/help", enter, enter)
			shown("How to play")
			if !ask[bool](alice, `document.activeElement.id === "entry"`) {
				t.Error("the focus has left the line")
			}
			away()
			alice.click(`[data-message="` + asked.Shown().ID + `"] [data-label=Withdraw]`)
			shown("Only @Bob can withdraw this challenge.")
		})
	}
}

// wheel turns the mouse wheel over the messages; negative is up.
func (p *tab) wheel(pixels float64) {
	p.t.Helper()
	at := p.reach("#messages")
	p.do(chromedp.Do(p.ctx, chromedp.MouseEvent(chromedp.MouseWheel, at.X, at.Y, func(e *input.DispatchMouseEventParams) {
		e.DeltaX, e.DeltaY = 0.01, pixels // a zero would be left out, and both are wanted
	})), "turn the wheel")
}
