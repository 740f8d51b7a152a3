package browser_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rowbot/sandbox"
)

// cell is the selector of a button by what it says.
func cell(label string) string { return `[data-message] [data-label="` + label + `"]` }

// challenge has Alice challenge Bob by Go, and Bob accept, for tests that are not about that. Alice is first.
func (w *world) challenge(in *sandbox.Channel, game string) *sandbox.Message {
	w.t.Helper()
	ctx := w.t.Context()
	offer, err := w.Alice.In(in).Slash(ctx, game+" challenge", sandbox.UserOption("opponent", w.Bob), sandbox.String("side", "first"))
	if err != nil {
		w.t.Fatal(err)
	}
	board, err := w.Bob.In(in).Click(ctx, offer.Shown(), "Accept")
	if err != nil {
		w.t.Fatal(err)
	}
	return board.Shown()
}

// plays has somebody click a button by Go.
func (w *world) plays(who *sandbox.Person, board *sandbox.Message, label string) *sandbox.Message {
	w.t.Helper()
	r, err := who.In(w.ChannelByID(board.ChannelID)).Click(w.t.Context(), w.Message(board.ChannelID, board.ID), label)
	if err != nil {
		w.t.Fatal(err)
	}
	return r.Shown()
}

// challengeByMouse puts a challenge together with the mouse alone.
func (p *tab) challengeByMouse(game string, opponent *sandbox.Person) {
	p.t.Helper()
	p.click("#slash")
	for _, choice := range []string{game + " challenge", "opponent", opponent.ID(), "side", "first"} {
		p.click(`#suggestions [data-suggestion="` + choice + `"]`)
	}
	p.click("#composer [type=submit]")
}

func TestBrowserTicTacToe(t *testing.T) {
	t.Parallel()
	w := start(t, unhurried)
	alice, bob := w.open(w.Alice, w.Games, desktop), w.open(w.Bob, w.Games, desktop)
	alice.challengeByMouse("ttt", w.Bob)
	bob.sees(".message.pinged", "Alice challenges @Bob.")
	bob.click("[data-label=Accept]")
	players := []*tab{alice, bob}
	for i, m := range strings.Fields("b2 a3 a1 c2 c3") {
		for _, p := range players {
			p.sees("[data-message]", fmt.Sprintf("to move · move %d", i+1))
		}
		players[i%2].click(cell(m))
	}
	for _, p := range players {
		p.sees("[data-message]", "❌ @Alice won · three in a row, a1–c3 · 5 moves")
		p.sees("[data-message]", "⭕⬜❌\n⬜❌⭕\n❌⬜⬜")
		p.sees("[data-label=Rematch]", "Rematch")
		p.seesNo(cell("a2")+":enabled", "")
	}
}

func TestBrowserGomoku(t *testing.T) {
	t.Parallel()
	w := start(t, unhurried)
	alice, bob := w.open(w.Alice, w.Games, desktop), w.open(w.Bob, w.Games, desktop)
	alice.challengeByMouse("gomoku", w.Bob)
	bob.click("[data-label=Accept]")
	players := []*tab{alice, bob}
	// The diagonal leads out of the first window, and the other stones lie far away: arrows are needed.
	for i, m := range strings.Fields("h8 d8 i9 d9 j10 d10 k11 e8 l12") {
		for _, p := range players {
			p.sees("[data-message]", fmt.Sprintf("to move · move %d", i+1))
		}
		players[i%2].place(m)
	}
	for _, p := range players {
		p.sees("[data-message]", "⚫ @Alice won · five in a row, h8–l12 · 9 moves")
		p.sees("[data-message] pre", "12 . . . + . . . + . . .[X]")
	}
}

// place clicks a cell of a large board, after as many clicks on its arrows as it takes to see that cell.
func (p *tab) place(cellName string) {
	p.t.Helper()
	for range 12 {
		labels := ask[[]string](p, `person.all("[data-message] [data-label]").map((n) => n.dataset.label)`)
		if slices.Contains(labels, cellName) {
			p.click(cell(cellName))
			return
		}
		p.click(cell(arrowTo(p.t, cellName, labels)))
		p.until("other cells", `JSON.stringify(person.all("[data-message] [data-label]").map((n) => n.dataset.label)) !== `+quoted(jsonText(labels)))
	}
	p.t.Fatalf("%s never comes to the window", cellName)
}

// arrowTo is the arrow that leads from the cells in view, which are among the labels, to another.
func arrowTo(t testing.TB, want string, labels []string) string {
	t.Helper()
	var cols, rows []int
	for _, l := range labels {
		if col, row := position(l); row > 0 {
			cols, rows = append(cols, col), append(rows, row)
		}
	}
	if len(cols) == 0 {
		t.Fatalf("no cells among %v", labels)
	}
	switch col, row := position(want); {
	case col < slices.Min(cols):
		return "←"
	case col > slices.Max(cols):
		return "→"
	case row < slices.Min(rows):
		return "↓"
	default:
		return "↑"
	}
}

// position is the column and row of a cell's name; row 0: it is none.
func position(name string) (col, row int) {
	if len(name) < 2 || name[0] < 'a' || name[0] > 's' {
		return 0, 0
	}
	row, err := strconv.Atoi(name[1:])
	if err != nil {
		return 0, 0
	}
	return int(name[0]), row
}

func TestBrowserErrorForOneOnly(t *testing.T) {
	t.Parallel()
	w := start(t, unhurried)
	w.challenge(w.Games, "ttt")
	alice, bob := w.open(w.Alice, w.Games, desktop), w.open(w.Bob, w.Games, desktop)
	bob.click(cell("b2"))
	private := `[data-viewer="` + w.Bob.ID() + `"]`
	bob.sees(private, "@Alice ist am Zug.")
	bob.sees(private, "Nur du kannst das sehen")
	alice.click(cell("b2"))
	alice.sees("[data-message]", "move 2") // what was said to Bob before would be here by now
	alice.seesNo("[data-message]", "Zug")
	bob.click(private + " [data-dismiss]")
	bob.seesNo(private, "")
	bob.sees("[data-message]", "move 2")
}

func TestBrowserFocusStaysOnBoard(t *testing.T) {
	t.Parallel()
	w := start(t, unhurried)
	board := w.challenge(w.Games, "ttt")
	alice := w.open(w.Alice, w.Games, desktop)
	alice.tabTo("a3")
	alice.press(right, enter)
	alice.sees("[data-message]", "move 2")
	alice.focused("b3", 1) // her move has disabled it, but not thrown her out
	w.plays(w.Bob, board, "a3")
	alice.sees("[data-message]", "move 3")
	alice.focused("b3", 1)
	alice.press(down, down, up, " ")
	alice.sees("[data-message]", "move 4")
	alice.focused("b2", 4)
	w.plays(w.Bob, board, "c3")
	alice.sees("[data-message]", "move 5")
	alice.press(down, enter)
	alice.sees("[data-message]", "❌ @Alice won")
	alice.until("the focus on the board", `document.activeElement.closest("[data-message]")`)
}

// tabTo presses Tab until the button with a label has the focus.
func (p *tab) tabTo(label string) {
	p.t.Helper()
	p.sees(cell(label), "")
	for range 80 {
		p.press(tabKey)
		if ask[string](p, `document.activeElement.dataset.label ?? ""`) == label {
			return
		}
	}
	p.t.Fatalf("the Tab key never comes to %s", label)
}

// focused waits until a cell has the focus: the n-th button of the board, from 0. Once taken it has another label.
func (p *tab) focused(name string, n int) {
	p.t.Helper()
	p.until("the focus on "+name, fmt.Sprintf(`[...document.activeElement.closest(".body").querySelectorAll("[data-button]")].indexOf(document.activeElement) === %d`, n))
}

// windowOn shifts the window of a large board until a cell has a button, by whoever has the i-th move.
func (w *world) windowOn(board *sandbox.Message, name string, i int) *sandbox.Message {
	w.t.Helper()
	now := w.Message(board.ChannelID, board.ID)
	for range 12 {
		if now.Button(name) != nil {
			break
		}
		var labels []string
		for _, b := range now.Buttons() {
			labels = append(labels, b.Label)
		}
		now = w.plays([]*sandbox.Person{w.Alice, w.Bob}[i%2], now, arrowTo(w.t, name, labels))
	}
	return now
}
