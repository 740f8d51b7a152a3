package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rowbot/sandbox"
)

func TestGomokuByClicks(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	for _, c := range []struct {
		name, moves, says string
		size              int64
		rules             string
	}{
		{"across, black", "d4 d5 e4 e5 f4 f5 g4 g5 h4", "⚫ A **won** · five in a row, d4–h4 · 9 moves", 15, "freestyle"},
		{"up, in the corner", "o11 a1 o12 b1 o13 c1 o14 d1 o15", "⚫ A **won** · five in a row, o11–o15 · 9 moves", 15, "standard"},
		{"diagonal, white", "a1 o15 s19 n14 c1 m13 e1 l12 g1 k11", "⚪ B **won** · five in a row, k11–o15 · 10 moves", 19, "freestyle"},
		{"other diagonal", "a19 j10 b18 j11 c17 k12 d16 l13 e15", "⚫ A **won** · five in a row, a19–e15 · 9 moves", 19, "standard"},
		{"six win in freestyle", "c8 a1 d8 c1 e8 e1 g8 g1 h8 i1 f8", "⚫ A **won** · 6 in a row, c8–h8 · 11 moves", 15, "freestyle"},
		{
			"five and six at once", "c8 a1 d8 c1 e8 e1 g8 g1 h8 i1 f7 k1 f6 m1 f9 o1 f10 o3 f8",
			"⚫ A **won** · five in a row, f6–f10 · 19 moves", 15, "standard",
		},
		{"six do not win in standard", "c8 a1 d8 c1 e8 e1 g8 g1 h8 i1 f8 k1", "", 15, "standard"},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := w.on(t).challenge(alice, bob, "gomoku", sandbox.Int("size", c.size), sandbox.String("rules", c.rules))
			tb.play(strings.Fields(c.moves)...)
			says := strings.NewReplacer("⚫ A", "⚫ "+w.Alice.Mention(), "⚪ B", "⚪ "+w.Bob.Mention()).Replace(c.says)
			if end, _ := tb.result(); end != says {
				t.Errorf("the match ended with %q, want %q", end, says)
			}
		})
	}
}

func TestNotations(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	// Row from the top, then column: on 15x15 "8 10" is j8, "1,1" is a15.
	cells := []struct{ text, cell string }{
		{"h8", "h8"},
		{"8 10", "j8"},
		{"1,1", "a15"},
		{"15, 15", "o1"},
		{"H9", "h9"},
		{"J 9", "j9"},
		{"  k9  ", "k9"},
		{"Ｈ１０", "h10"},
		{"ｈ　１１", "h11"},
		{"１，２", "b15"},
		{"３　４", "d13"},
		{"2 , 2", "b14"},
		{"o15", "o15"},
		{"a1", "a1"},
	}
	t.Run("command", func(t *testing.T) {
		tb := w.on(t).challenge(alice, bob, "gomoku")
		for _, c := range cells {
			tb.command(c.text, c.cell)
		}
	})
	t.Run("form", func(t *testing.T) {
		tb := w.on(t).challenge(w.Chen.In(w.General), w.Darya.In(w.General), "gomoku")
		for _, c := range cells {
			tb.typed(c.text, c.cell)
		}
	})
	t.Run("19x19", func(t *testing.T) {
		there := w.Playground.AddChannel("large")
		tb := w.on(t).challenge(w.Alice.In(there), w.Bob.In(there), "gomoku", sandbox.Int("size", 19))
		tb.command("8 10", "j12").typed("19,19", "s1").command("s19", "s19").typed("1, 1", "a19")
	})
	t.Run("3x3", func(t *testing.T) {
		tb := w.on(t).challenge(alice, bob, "ttt")
		tb.command("1 1", "a3").command("Ｂ２", "b2").command("3,3", "c1")
	})
}

func TestGomokuWonWithoutClicks(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	ways := map[string]func(tb *table, text, cell string) *table{"form": (*table).typed, "command": (*table).command}
	for name, way := range ways {
		tb := w.challenge(alice, bob, "gomoku", sandbox.Int("size", 19), sandbox.String("rules", "standard"))
		for _, c := range []string{"a19", "j10", "b18", "j11", "c17", "k12", "d16", "l13", "e15"} {
			way(tb, c, c)
		}
		if end, _ := tb.result(); !strings.Contains(end, "five in a row, a19–e15 · 9 moves") {
			t.Errorf("by %s the match ended with %q", name, end)
		}
	}
	// The last move against Rowbot, by a command.
	solo := w.alone(w.Chen.In(w.General), 0, "ttt")
	for solo.board.Button("Rematch") == nil {
		c := anyCell(solo.board)
		solo.command(c, c)
	}
}

func TestPass(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	tb := w.challenge(alice, bob, "gomoku")
	tb.passByMenu()
	tb.play("h8").passByCommand()
	tb.play("h9").passByMenu()
	tb.passByCommand()
	if end, _ := tb.result(); end != "A draw · both passed · 6 moves" {
		t.Errorf("two passes in a row: %q\n%s", end, tb.board.Text())
	}

	// Against Rowbot: it answers a pass with a stone.
	solo := w.alone(w.Chen.In(w.General), 0, "gomoku")
	solo.passByCommand()
	solo.passByMenu()
	solo.play("h8")
}

func (tb *table) passByCommand() {
	tb.t.Helper()
	tb.told("You passed.")(tb.seats[tb.turn()].Slash(tb.t.Context(), "gomoku pass"))
	tb.follow("pass")
}

func (tb *table) passByMenu() {
	tb.t.Helper()
	seat := tb.seats[tb.turn()]
	menu := tb.see(seat.Click(tb.t.Context(), tb.board, "More"))
	if !menu.Ephemeral() {
		tb.t.Error("the menu is for all to see")
	}
	tb.told("You passed.")(seat.Click(tb.t.Context(), menu, "Pass"))
	tb.follow("pass")
}

func TestGomokuAgainstRowbot(t *testing.T) {
	t.Parallel()
	w := start(t)
	for i, options := range [][]sandbox.Option{
		nil,
		{sandbox.Int("size", 19), sandbox.String("rules", "standard")},
		{sandbox.Int("size", 15), sandbox.String("rules", "standard")},
		{sandbox.Int("size", 19), sandbox.String("level", "random")},
	} {
		tb := w.alone(w.Alice.In(w.Games), i%2, "gomoku", options...)
		for n := 0; tb.board.Button("Rematch") == nil && n < 40; n++ {
			tb.play(tb.nextOfFive(i % 2))
		}
		if end, _ := tb.result(); !strings.Contains(end, tb.named(i%2)+" **won** · five in a row") {
			t.Errorf("against a random mover the match ended with %q\n%s", end, tb.board.Text())
		}
	}
}

// nextOfFive is an empty cell of the row of five that has the most stones of a
// seat and none of the other.
func (tb *table) nextOfFive(who int) (cell string) {
	g, most := tb.grid(), -1
	for row := range g.side {
		for col := range g.side - 4 {
			n, empty := 0, ""
			for i := range 5 {
				name := cellName(col+i, row)
				switch s, taken := g.stones[name]; {
				case !taken:
					empty = name
				case s == who:
					n++
				default:
					n -= 10
				}
			}
			if n > most && empty != "" {
				most, cell = n, empty
			}
		}
	}
	return cell
}

// Every cell of the largest board has a button somewhere behind the arrows, and
// the corners and the middle can be clicked there.
func TestArrowsReachEveryCell(t *testing.T) {
	t.Parallel()
	w := start(t)
	tb := w.challenge(w.Alice.In(w.Games), w.Bob.In(w.Games), "gomoku", sandbox.Int("size", 19))
	push := func(label string) bool {
		if tb.board.Button(label).Disabled {
			return false
		}
		tb.arrow(label)
		return true
	}
	for push("←") || push("↓") {
	}
	seen := map[string]bool{}
	for across := "→"; ; {
		for {
			for _, b := range tb.board.Buttons()[:25] {
				seen[b.Label] = !b.Disabled
			}
			if !push(across) {
				break
			}
		}
		across = map[string]string{"→": "←", "←": "→"}[across]
		if !push("↑") {
			break
		}
	}
	for col := range 19 {
		for row := range 19 {
			if !seen[cellName(col, row)] {
				t.Errorf("no arrows lead to %s", cellName(col, row))
			}
		}
	}
	// The other player's arrows work as well, on the same board.
	tb.board = w.see(w.Bob.In(w.Games).Click(t.Context(), tb.board, "↓"))
	tb.verify()
	tb.play("a1", "s19", "a19", "s1", "j10")
}

// A full board of the largest size: pairs of columns in checks make no five.
func TestFullBoard(t *testing.T) {
	t.Parallel()
	w := start(t)
	tb := w.challenge(w.Alice.In(w.Games), w.Bob.In(w.Games), "gomoku", sandbox.Int("size", 19))
	var of [2][]string
	for row := range 19 {
		for col := range 19 {
			colour := (col/2 + row) % 2
			of[colour] = append(of[colour], cellName(col, row))
		}
	}
	if len(of[0]) != 181 || len(of[1]) != 180 {
		t.Fatalf("%d black and %d white cells", len(of[0]), len(of[1]))
	}
	for i := range 361 {
		cell := of[i%2][i/2]
		if tb.board.Button(cell) != nil {
			tb.play(cell)
		} else {
			tb.typed(cell, cell)
		}
	}
	if end, _ := tb.result(); end != "A draw · the board is full · 361 moves" {
		t.Errorf("the full board ended with %q", end)
	}
	if !slices.Equal(labels(tb.board.Buttons()), []string{"Rematch", "Replay"}) {
		t.Error(fmt.Sprint("buttons after the end: ", labels(tb.board.Buttons())))
	}
}
