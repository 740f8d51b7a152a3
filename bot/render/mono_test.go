package render_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"rowbot/bot/render"
	"rowbot/match"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares a text with a file under testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(file, []byte(got+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got+"\n"); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

var monoBoards = []struct {
	name, moves string
	side        int8
	variant     match.Variant
	line        string // the winning stones
}{
	{name: "mono15_empty", side: 15},
	{name: "mono15_some", side: 15, moves: "h8 h9 i9 g7 i7"},
	{name: "mono15_last_left_edge", side: 15, moves: "h8 a9"},
	{name: "mono15_last_right_edge", side: 15, moves: "h8 i9 o15"},
	{name: "mono15_last_bottom_left", side: 15, moves: "a1"},
	{name: "mono15_last_on_star", side: 15, moves: "d4"},
	{name: "mono15_last_then_pass", side: 15, moves: "h8 i9 pass"},
	{name: "mono15_both_passed", side: 15, moves: "pass pass"},
	{name: "mono15_won_across", side: 15, moves: "d8 d1 e8 f1 f8 h1 g8 j1 h8", line: "d8 e8 f8 g8 h8"},
	{name: "mono15_won_up", side: 15, moves: "a11 b1 a12 d1 a13 f1 a14 h1 a15", line: "a11 a12 a13 a14 a15"},
	{name: "mono15_won_diagonal", side: 15, moves: "d4 a1 e5 c1 f6 e1 g7 g1 h8", line: "d4 e5 f6 g7 h8"},
	{name: "mono15_won_anti_diagonal", side: 15, moves: "o1 a1 n2 c1 m3 e1 l4 g1 k5", line: "k5 l4 m3 n2 o1"},
	{name: "mono15_won_by_white", side: 15, moves: "a1 k15 c1 l15 e1 m15 g1 n15 i1 o15", line: "k15 l15 m15 n15 o15"},
	{
		name: "mono15_overline", side: 15,
		moves: "c8 a1 d8 c1 e8 e1 g8 g1 h8 i1 f8", line: "c8 d8 e8 f8 g8 h8",
	},
	{
		name: "mono15_two_lines", side: 15,
		moves: "d8 a1 e8 c1 f8 e1 g8 g1 h4 i1 h5 k1 h6 m1 h7 o1 h8",
		line:  "d8 e8 f8 g8 h8 h4 h5 h6 h7",
	},
	{name: "mono19_empty", side: 19},
	{name: "mono19_some", side: 19, moves: "j10 k11 k9 s19 a1 s1"},
	{name: "mono19_last_right_edge", side: 19, moves: "j10 s10"},
	{name: "mono19_won_across", side: 19, moves: "o1 a19 p1 c19 q1 e19 r1 g19 s1", line: "o1 p1 q1 r1 s1"},
	{name: "mono19_standard_overline_goes_on", side: 19, variant: match.Standard, moves: "c8 a1 d8 c1 e8 e1 g8 g1 h8 i1 f8"},
	{name: "mono15_forbidden", side: 15, variant: match.Renju, moves: "i8 a1 j8 a3 h9 a5 h10 a8"},
	{name: "mono15_forbidden_white_to_move", side: 15, variant: match.Renju, moves: "i8 a1 j8 a3 h9 a5 h10"},
	{name: "mono15_forbidden_but_over", side: 15, variant: match.Renju, moves: "i8 a1 j8 b1 h9 c1 h10 d1 a15 e1", line: "a1 b1 c1 d1 e1"},
}

func TestMono(t *testing.T) {
	for _, c := range monoBoards {
		t.Run(c.name, func(t *testing.T) {
			r := match.GomokuRules(c.side, c.variant)
			m := played(t, r, c.moves)
			if (c.line != "") != (m.Status == match.Won) {
				t.Fatalf("status %d", m.Status)
			}
			text := render.Mono(render.Of(m))
			golden(t, c.name, text)
			s := read(t, text, int(c.side))
			check(t, m, &s)
			if c.line != "" {
				want := map[match.Point]bool{}
				line, err := r.ParseMoves(c.line)
				if err != nil {
					t.Fatal(err)
				}
				for _, at := range line {
					want[at] = true
				}
				if diff := cmp.Diff(want, s.bracketed()); diff != "" {
					t.Errorf("stones in brackets (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestMonoFull(t *testing.T) {
	for side, name := range map[int8]string{15: "mono15_full", 19: "mono19_full"} {
		m := fullBoard(t, side)
		text := render.Mono(render.Of(m))
		golden(t, name, text)
		s := read(t, text, int(side))
		check(t, m, &s)
		if n := utf8.RuneCountInString(text); n > 2000 {
			t.Errorf("%d runes", n)
		}
	}
}

func TestMonoAnyMatch(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		m := drawMatch(rt, rapid.SampledFrom(large).Draw(rt, "rules"))
		text := render.Mono(render.Of(m))
		s := read(rt, text, int(m.Rules.Cols))
		check(rt, m, &s)
	})
}

// stars are the star points as the contract names them, by the board's side.
var stars = map[int8]string{
	15: "d4 d8 d12 h4 h8 h12 l4 l8 l12",
	19: "d4 d10 d16 j4 j10 j16 p4 p10 p16",
}

// check compares what is shown with the match, cell by cell.
func check(t rapid.TB, m *match.Match, s *shown) {
	t.Helper()
	star := map[string]bool{}
	for at := range strings.FieldsSeq(stars[m.Rules.Cols]) {
		star[at] = true
	}
	stones := map[match.Point]byte{}
	for i, at := range m.Moves {
		if !at.IsPass() {
			stones[at] = "XO"[i%2]
		}
	}
	for at, got := range s.sign {
		want := byte('.')
		if star[at.String()] {
			want = '+'
		}
		if p := m.Position(); m.Status == match.Active && p.Forbidden(at) != "" {
			want = '!'
		}
		if stone, taken := stones[at]; taken {
			want = stone
		}
		if got != want {
			t.Errorf("%v is shown as %q, want %q", at, got, want)
		}
	}
	checkBrackets(t, m, s)
}

func checkBrackets(t rapid.TB, m *match.Match, s *shown) {
	t.Helper()
	want := map[match.Point]bool{}
	if last, ok := m.LastStone(); ok {
		want[last] = true
	}
	if m.Status == match.Won {
		want = map[match.Point]bool{}
		for _, at := range m.Line() {
			want[at] = true
		}
		if len(want) < 5 {
			t.Fatalf("a won match has a line of %d stones", len(want))
		}
	} else if len(want) != s.brackets || s.brackets != s.closing {
		t.Errorf("%d opening and %d closing brackets", s.brackets, s.closing)
	}
	if diff := cmp.Diff(want, s.bracketed()); diff != "" {
		t.Errorf("cells in brackets (-want +got):\n%s", diff)
	}
	for at := range s.sign {
		next := match.Point{Col: at.Col + 1, Row: at.Row}
		closed := byte(' ')
		switch {
		case want[next]:
			closed = '['
		case want[at]:
			closed = ']'
		}
		if s.after[at] != closed {
			t.Errorf("behind %v stands %q, want %q", at, s.after[at], closed)
		}
	}
}

func TestMonoWidth(t *testing.T) {
	for _, moves := range []string{"", "s10", "a1 s10", "o1 a19 p1 c19 q1 e19 r1 g19 s1"} {
		for line := range strings.SplitSeq(render.Mono(view(t, gomoku(19), moves)), "\n") {
			if len(line) > 42 {
				t.Errorf("%d columns: %q", len(line), line)
			}
			for _, c := range line {
				if c >= utf8.RuneSelf {
					t.Errorf("%q is not as wide as the rest everywhere: %q", c, line)
				}
			}
		}
	}
}
