package browser_test

import (
	"testing"

	"github.com/bwmarrin/discordgo"
	"github.com/chromedp/chromedp/kb"
)

// Keys.
const (
	enter  = kb.Enter
	tabKey = kb.Tab
	escape = kb.Escape
	up     = kb.ArrowUp
	down   = kb.ArrowDown
	right  = kb.ArrowRight
)

func TestBrowserCommandByKeyboard(t *testing.T) {
	t.Parallel()
	w := start(t, unhurried)
	alice := w.open(w.Alice, w.Games, desktop)
	// Past the link to the messages to the one that leads to the line.
	alice.press(tabKey, tabKey, enter)
	alice.until("the focus in the line", `document.activeElement.id === "entry"`)
	alice.press("/gom")
	alice.sees("#suggestions [aria-selected=true]", "/gomoku challenge")
	alice.press(down)
	alice.sees("#suggestions [aria-selected=true]", "/gomoku bot")
	alice.sees("#suggestions [aria-selected=true]", "Play against Rowbot")
	alice.press(enter)
	alice.press(down, down, enter) // the second option: side
	alice.sees("#hint", "side: Which side you take")
	alice.press("sec")
	alice.sees("#suggestions [aria-selected=true]", "I move second")
	alice.press(enter, enter)
	alice.sees("[data-message]", "@Alice to move · move 2")
	alice.sees("[data-message]", "Rowbot (random)")

	// A choice that the bot offers while one types; the option is required, so it comes by itself.
	alice.press("/gomoku mo")
	alice.sees("#suggestions [aria-selected=true]", "/gomoku move")
	alice.press(enter)
	alice.sees("#hint", "cell: ")
	alice.press("h1")
	alice.sees("#suggestions [role=option]", "h12")
	alice.until("the first choice", `person.all("#suggestions [role=option]")[0].getAttribute("aria-selected") === "true"`)
	alice.press(down)
	chosen := alice.text("#suggestions [aria-selected=true]")
	alice.press(enter)
	alice.sees("[data-chip=cell]", chosen)
	alice.press(enter)
	alice.sees("[data-message]", "You played")
	alice.sees("[data-message]", "@Alice to move · move 4")
	alice.until("an empty line", `document.getElementById("entry").value === "" && document.activeElement.id === "entry"`)
}

func TestBrowserForm(t *testing.T) {
	t.Parallel()
	w := start(t, unhurried)
	w.challenge(w.Games, "gomoku")
	alice := w.open(w.Alice, w.Games, desktop)
	typeMove := `[data-label="Type a move"]`
	alice.click(typeMove)
	alice.sees("dialog[open]", "Where to?")
	alice.sees("dialog[open]", "A cell like")
	alice.until("the focus in the field", `document.activeElement.matches("dialog [data-field]")`)
	alice.press(escape)
	alice.seesNo("dialog", "")

	alice.click(typeMove)
	alice.sees("dialog[open] [data-field]", "")
	alice.press(enter)
	alice.sees("dialog[open]", "required") // nothing was sent
	alice.press("zz9", enter)
	alice.seesNo("dialog", "")
	alice.sees("[data-viewer]", `I can't read "zz9" as a cell.`)

	alice.click(typeMove)
	alice.sees("dialog[open] [data-field]", "")
	alice.press("8 10")
	alice.click("dialog [data-submit]")
	alice.seesNo("dialog", "")
	alice.sees("[data-message]", "last ⚫ j8")
	alice.sees("[data-message]", "⚪ @Bob to move · move 2")
}

func TestBrowserLanguage(t *testing.T) {
	t.Parallel()
	ru := func(s string) *map[discordgo.Locale]string { return &map[discordgo.Locale]string{discordgo.Russian: s} }
	w := start(t, unhurried, &discordgo.ApplicationCommand{
		Type: discordgo.ChatApplicationCommand, Name: "weather", Description: "How the weather is",
		NameLocalizations: ru("погода"), DescriptionLocalizations: ru("Какая сейчас погода"),
	})
	darya, alice := w.open(w.Darya, w.Games, desktop), w.open(w.Alice, w.Games, desktop)
	darya.until("the page in Russian", `document.documentElement.lang === "ru"`)
	darya.sees("#channels", "Текстовые каналы")
	darya.until("the line in Russian", `document.getElementById("entry").placeholder.startsWith("Написать в #games")`)
	darya.click("#entry")
	darya.press("/пог")
	darya.sees("#suggestions [role=option]", "/погода")
	darya.sees("#suggestions [role=option]", "Какая сейчас погода")
	darya.press(enter, enter)
	darya.sees("[data-viewer]", "Это видите только вы")
	darya.press("/help") // Rowbot's own
	darya.sees("#suggestions [role=option]", "Как играть")
	darya.press(enter, enter)
	darya.sees("[data-viewer]", "С другом: /ttt challenge @друг")
	darya.press("/gomoku challenge ")
	darya.sees("#suggestions [role=option]", "соперник")
	darya.press(escape)

	alice.sees("#channels", "Text channels")
	alice.click("#entry")
	alice.press("/wea")
	alice.sees("#suggestions [role=option]", "How the weather is")
	alice.press(escape)

	// Somebody who changes the language has it at once, in all windows.
	alice.click("[data-toggle=settings]")
	alice.until("the choice of languages", `document.querySelector("#locale").value === "en-US"`)
	alice.pick("#locale", "ru")
	alice.sees("#channels", "Текстовые каналы")
	alice.press(escape)
	alice.seesNo("#settings", "")
	alice.until("the line in Russian", `document.getElementById("entry").placeholder.startsWith("Написать в #games")`)
}

// pick chooses from a native list by keyboard.
func (p *tab) pick(selector, value string) {
	p.t.Helper()
	p.until(selector, "document.querySelector("+quoted(selector)+").focus() ?? true")
	steps := ask[int](p, `(() => { const s = document.querySelector(`+quoted(selector)+`); return [...s.options].findIndex((o) => o.value === `+quoted(value)+`) - s.selectedIndex; })()`)
	for range steps {
		p.press(down)
	}
	for range -steps {
		p.press(up)
	}
}

func TestBrowserApps(t *testing.T) {
	t.Parallel()
	w := start(t, unhurried,
		&discordgo.ApplicationCommand{Type: discordgo.UserApplicationCommand, Name: "Wave at them"},
		&discordgo.ApplicationCommand{Type: discordgo.MessageApplicationCommand, Name: "Count the words"})
	said := w.Bob.In(w.Games).Say("Anybody for a match?")
	alice := w.open(w.Alice, w.Games, desktop)
	for _, c := range []struct{ on, app string }{
		{`#members [data-user="` + w.Bob.ID() + `"]`, "Wave at them"},
		{`[data-message="` + said.ID + `"] .face`, "Wave at them"},
		{`[data-message="` + said.ID + `"] .body`, "Count the words"},
	} {
		alice.rightClick(c.on)
		alice.click(".menu-box [data-item=apps]")
		alice.click(".menu-box [data-app='" + c.app + "']")
		alice.seesNo(".menu-box", "")
		alice.sees("[data-viewer]", "I don't know that command any more.") // so it came to the bot
		alice.click("[data-viewer] [data-dismiss]")
		alice.seesNo("[data-viewer]", "")
	}

	// The same by keyboard.
	alice.until("the focus on Bob", `document.querySelector("#members [data-user='`+w.Bob.ID()+`']").focus() ?? true`)
	alice.press(enter)
	alice.until("the focus in the menu", `document.activeElement.closest("[role=menu]")`)
	alice.press(down, right, enter) // the first is Rowbot's own
	alice.sees("[data-message]", "challenges")

	// A message answers another.
	alice.rightClick(`[data-message="` + said.ID + `"] .body`)
	alice.click(".menu-box [data-item=reply]")
	alice.press("Me!", enter)
	alice.sees(".origin", "Anybody for a match?")
}
