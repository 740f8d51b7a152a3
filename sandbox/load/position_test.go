package load

import (
	"strings"
	"testing"
)

func TestPosition(t *testing.T) {
	for _, c := range []struct {
		name, game, moves string
		over              bool
		winner            byte
	}{
		{"nobody yet", tictactoe, "a1 b2 c3", false, empty},
		{"a row", tictactoe, "a3 a2 b3 b2 c3", true, first},
		{"a column for the second", tictactoe, "a1 c3 b1 c2 a2 c1", true, second},
		{"a diagonal", tictactoe, "a1 a2 b2 a3 c3", true, first},
		{"the other diagonal", tictactoe, "c1 a2 b2 b3 a3", true, first},
		{"full", tictactoe, "a1 b1 c1 b2 a2 c2 b3 a3 c3", true, empty},
		{"the last stone wins", tictactoe, "a1 a3 b2 b3 a2 c1 b1 c2 c3", true, first},
		{"four", gomoku, "a1 a2 b1 b2 c1 c2 d1 d2", false, empty},
		{"five", gomoku, "a1 a2 b1 b2 c1 c2 d1 d2 e1", true, first},
		{"six", gomoku, "a1 a15 b1 b15 c1 c15 e1 e15 f1 f15 d1", true, first},
		{"five in a corner, slanting", gomoku, "o11 a1 n12 b1 m13 c1 l14 d1 a9 f1 k15", true, first},
		{"not around the edge", gomoku, "n1 a5 o1 c5 a2 e5 b2 g5 c2", false, empty},
	} {
		p := newPosition(c.game)
		for m := range strings.FieldsSeq(c.moves) {
			cell, ok := p.cell(m)
			if !ok || p.name(cell) != m || p.over {
				t.Fatalf("%s: %s is cell %d, %v; over before: %v", c.name, m, cell, ok, p.over)
			}
			p.place(cell)
		}
		if p.over != c.over || p.winner != c.winner || p.plies != len(strings.Fields(c.moves)) {
			t.Errorf("%s: over %v, won by %q", c.name, p.over, p.winner)
		}
	}
	p := newPosition(gomoku)
	p.pass()
	p.place(0)
	p.pass()
	if p.over || p.toMove() != second || p.cells[0] != second {
		t.Error("a pass and a stone in between end nothing")
	}
	if p.pass(); !p.over || p.winner != empty {
		t.Error("two passes in a row are a draw")
	}
	for _, name := range []string{"", "a", "a0", "d1", "a4", "11", "A1"} {
		if _, ok := (&position{side: 3}).cell(name); ok {
			t.Errorf("%q is a cell", name)
		}
	}
}

const large = `**Gomoku** · 15×15 · freestyle · ⚫ <@11> – ⚪ <@12>
⚫ <@11> to move · move 5 · last ⚪ a15
` + "```" + `
   a b c d e f g h i j k l m n o
15[O]. . . . . . . . . . . . . .
14 . . . . . . . . . . . . . . .
13 . . . . . . . . . . . . . . .
12 . . . + . . . + . . . + . . .
11 . . . . . . . . . . . . . . .
10 . . . . . . . . . . . . . . .
 9 . . . . . . . . . . . . . . .
 8 . . . + . . . X O . . + . . .
 7 . . . . . . . . . . . . . . .
 6 . . . . . . . . . . . . . . .
 5 . . . . . . . . . . . . . . .
 4 . . . + . . . + . . . + . . .
 3 . . . . . . . . . . . . . . .
 2 . . . . . . . . . . . . . . .
 1 . . . . . . . . . . . . . . X
` + "```"

func TestRead(t *testing.T) {
	for _, c := range []struct{ name, game, text, moves, differs string }{
		{"small", tictactoe, "❌ <@1> to move\n⬜⬜⭕\n⬜❌⬜\n⬜⬜⬜", "b2 c3", ""},
		{"upside down", tictactoe, "⬜⬜⬜\n⬜❌⬜\n⬜⬜⭕", "b2 c3", "c1 shows O instead of nothing, c3 shows nothing instead of O"},
		{"large", gomoku, large, "h8 i8 o1 a15", ""},
		{"without brackets, with an end", gomoku, strings.ReplaceAll(large, "[O].", " O ."), "h8 i8 o1 a15", ""},
		{"another stone", gomoku, large, "h8 i8 o1 b15", "a15 shows O instead of nothing, b15 shows nothing instead of O"},
		{"four wrong", gomoku, large, "", "o1 shows X instead of nothing, h8 shows X instead of nothing, i8 shows O instead of nothing, and 1 more"},
	} {
		p := newPosition(c.game)
		for m := range strings.FieldsSeq(c.moves) {
			cell, _ := p.cell(m)
			p.place(cell)
		}
		shown, err := p.read(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := p.differs(shown); got != c.differs {
			t.Errorf("%s: %q, want %q", c.name, got, c.differs)
		}
	}
	for name, text := range map[string]string{
		"no board": "**Gomoku**", "a row is missing": strings.Replace(large, "\n 9 . . . . . . . . . . . . . . .", "", 1),
		"an unknown sign": strings.Replace(large, "X", "?", 1), "rows in another order": strings.Replace(large, "\n14 ", "\n13 ", 1),
	} {
		p := newPosition(gomoku)
		if _, err := p.read(text); err == nil {
			t.Errorf("%s: was read", name)
		}
	}
	p := newPosition(tictactoe)
	if _, err := p.read("⬜⬜⬜\n⬜❌⬜"); err == nil {
		t.Error("two rows are a board")
	}
}
