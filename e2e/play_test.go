package e2e_test

import (
	"strings"
	"testing"

	"rowbot/sandbox"
)

func TestTicTacToe(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	for _, c := range []struct{ name, moves, says string }{
		{"top row", "a3 a2 b3 b2 c3", "❌ A **won** · three in a row, a3–c3 · 5 moves"},
		{"bottom row", "c1 a2 b1 b2 a1", "❌ A **won** · three in a row, a1–c1 · 5 moves"},
		{"middle column", "b1 a2 b3 c2 b2", "❌ A **won** · three in a row, b1–b3 · 5 moves"},
		{"diagonal", "b2 a2 c3 c2 a1", "❌ A **won** · three in a row, a1–c3 · 5 moves"},
		{"other diagonal", "c1 a2 a3 c2 b2", "❌ A **won** · three in a row, a3–c1 · 5 moves"},
		{"second wins", "a1 c3 b1 c2 a2 c1", "⭕ B **won** · three in a row, c1–c3 · 6 moves"},
		{"the ninth move wins", "a1 a3 b2 b3 a2 c1 b1 c2 c3", "❌ A **won** · three in a row, a1–c3 · 9 moves"},
		{"two lines at once", "a1 b1 c3 b3 a3 a2 c1 c2 b2", "❌ A **won** · 2 lines at once · 9 moves"},
		{"full board", "a1 b1 c1 b2 a2 c2 b3 a3 c3", "A draw · the board is full · 9 moves"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := w.on(t).challenge(alice, bob, "ttt")
			tb.play(strings.Fields(c.moves)...)
			says := strings.NewReplacer("❌ A", "❌ "+w.Alice.Mention(), "⭕ B", "⭕ "+w.Bob.Mention()).Replace(c.says)
			if end, _ := tb.result(); end != says || !strings.Contains(tb.board.Text(), "\n"+says) {
				t.Errorf("the moves end in %q, the match ended with\n%s\nwant\n%s", end, tb.board.Text(), says)
			}
		})
	}
}

func TestSides(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	first := func(options ...sandbox.Option) bool {
		options = append(options, sandbox.UserOption("opponent", w.Bob))
		offer := w.see(alice.Slash(t.Context(), "ttt challenge", options...))
		board := w.see(bob.Click(t.Context(), offer, "Accept"))
		w.see(bob.Click(t.Context(), w.see(bob.Click(t.Context(), board, "Resign")), "Resign")) // not too many at once
		return strings.Contains(board.Text(), "❌ "+w.Alice.Mention()+" – ⭕ "+w.Bob.Mention())
	}
	if !first(sandbox.String("side", "first")) || first(sandbox.String("side", "second")) {
		t.Error("the challenger did not get the side they asked for")
	}
	for _, options := range [][]sandbox.Option{{sandbox.String("side", "random")}, nil} {
		n := 0
		for range 12 {
			if first(options...) {
				n++
			}
		}
		if n == 0 || n == 12 {
			t.Errorf("%d of 12 challengers were first", n)
		}
	}
	offer := w.see(alice.Slash(t.Context(), "gomoku challenge", sandbox.UserOption("opponent", w.Bob), sandbox.Int("size", 19),
		sandbox.String("rules", "standard"), sandbox.String("side", "second")))
	for _, says := range []string{"**Gomoku** · 19×19 · standard", w.Alice.Mention() + " challenges " + w.Bob.Mention() + ".", "The offer stands until <t:"} {
		if !strings.Contains(offer.Text(), says) {
			t.Errorf("the challenge lacks %q:\n%s", says, offer.Text())
		}
	}
	if got := strings.Join(labels(offer.Buttons()), " "); got != "Accept Decline Withdraw" || strings.Join(offer.Pings, " ") != w.Bob.ID() {
		t.Errorf("the challenge has %s and pings %v", got, offer.Pings)
	}
}

// any is the first cell that can be clicked.
func anyCell(m *sandbox.Message) string {
	for _, b := range m.Buttons() {
		if !b.Disabled {
			return b.Label
		}
	}
	return ""
}

func TestTicTacToeAgainstRowbot(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice := w.Alice.In(w.Games)
	ends := map[bool]int{}
	for i := range 12 {
		tb := w.alone(alice, i%2, "ttt")
		for tb.board.Button("Rematch") == nil {
			tb.play(anyCell(tb.board))
		}
		end, _ := tb.result()
		ends[strings.Contains(end, "won")]++
	}
	if ends[true] == 0 {
		t.Error("nobody ever won")
	}
}
