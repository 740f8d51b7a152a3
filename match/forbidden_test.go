package match_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"rowbot/match"
)

// signs are how forbidden cells are drawn: double three, double four, overline.
var signs = map[rune]match.Refusal{'3': match.DoubleThree, '4': match.DoubleFour, '6': match.Overline}

// drawnRenju reads a board of renju, or its part above and right of a corner,
// with black to move. Cells drawn as a sign are empty; _ is an empty cell that
// a board is about, and that is allowed.
func drawnRenju(t testing.TB, corner, board string) (p match.Position, want map[match.Point]match.Refusal) {
	t.Helper()
	low, want := cell(corner), map[match.Point]match.Refusal{}
	rows := strings.Fields(board)
	stones := map[match.Stone][]match.Point{}
	for i, line := range rows {
		for j, c := range line {
			at := match.Point{Col: low.Col + int8(j), Row: low.Row + int8(len(rows)-1-i)}
			switch c {
			case 'X':
				stones[match.Black] = append(stones[match.Black], at)
			case 'O':
				stones[match.White] = append(stones[match.White], at)
			case '.', '_':
			default:
				if signs[c] == "" {
					t.Fatalf("what is %q on a board?", c)
				}
				want[at] = signs[c]
			}
		}
	}
	return setRenju(stones[match.Black], stones[match.White]), want
}

// setRenju puts stones on a board of 15x15, black to move. They are taken as
// moves of a stored match, which nobody judges again.
func setRenju(black, white []match.Point) match.Position {
	m := match.Match{Rules: match.GomokuRules(15, match.Renju)}
	for i := range max(len(black), len(white)) {
		for _, of := range [][]match.Point{black, white} {
			at := match.Pass
			if i < len(of) {
				at = of[i]
			}
			m.Moves = append(m.Moves, at)
		}
	}
	return m.Position()
}

// refusedAt is all that the position forbids.
func refusedAt(p match.Position) map[match.Point]match.Refusal {
	all := map[match.Point]match.Refusal{}
	for _, at := range every(p.Rules()) {
		if why := p.Forbidden(at); why != "" {
			all[at] = why
		}
	}
	return all
}

// byName is for readable differences.
func byName(cells map[match.Point]match.Refusal) map[string]match.Refusal {
	named := map[string]match.Refusal{}
	for at, why := range cells {
		named[at.String()] = why
	}
	return named
}

// Each board shows all the cells that are forbidden, and nothing else is.
var renjuBoards = []struct{ name, corner, board string }{
	{"two threes", "f6", `
		.......
		...X...
		...X...
		.XX3...
		.......
		.......
		.......`},
	{"two threes that cross in the middle", "f6", `
		........
		....X...
		..X.3X..
		....X...
		........
		........`},
	{"three that span five cells are no three", "f6", `
		........
		....X...
		..X...X.
		........
		....X...
		........`},
	{"two threes, one with a gap", "f6", `
		........
		....X...
		........
		....X...
		.XX.3...
		........
		........`},
	{"diagonals", "f6", `
		.......
		.X...X.
		..X.X..
		...3...
		.......
		.......`},
	{"a blocked three is none", "f6", `
		.......
		...X...
		...X...
		OXX....
		.......
		.......`},
	{"no room for a five: a three shut in by white on both sides", "f6", `
		........
		....X...
		....X...
		O.XX..O.
		........
		........`},
	{"room for a straight four on one side", "f6", `
		.........
		....X....
		....X....
		O.XX3..O.
		.........
		.........`},
	{"four and three", "d6", `
		.........
		.....X...
		.....X...
		.OXXX....
		.........
		.........`},
	{"two fours", "d5", `
		..O.....
		....X...
		....X...
		....X...
		OXXX4...
		........`},
	{"two straight fours", "d4", `
		..........
		..........
		.....X....
		.....X....
		.....X....
		..XXX4....
		..........
		..........`},
	{"two fours on one line", "c8", `O.X.X4X.X.O`},
	{"two fours on one line, in pairs", "c8", `O.XX.4X.XX.`},
	{"two fours on one line, of three and one", "c8", `O.X.X4X.X.`},
	{"one straight four", "c8", `..XXX...`},
	{"five wins over two threes", "c2", `
		.....3...
		..X33X...
		..3X3X...
		OXXXX_...
		..33.....
		.........`},
	{"overline", "c8", `OXXX6XXO`},
	{"overline by the end", "c8", `OXXXXX6.`},
	{"overline of seven", "c8", `OXXX6XXXO`},
	{"a stone more makes six: that is no four", "c7", `
		.........
		....X....
		....X3...
		....X....
		OXXX_.XX.
		.........
		.........`},
	{"nor a straight one, and so no three", "c7", `
		...........
		.....X.....
		.....X.....
		.X..X_X..X.
		...........
		...........`},
	{"white's stones forbid nothing", "d4", `
		.........
		.....O...
		.....O...
		...OO.OO.
		.........`},
	{"by the edges", "a1", `
		X....
		X....
		.....
		.XX..`},
	{"one step from the edges", "a1", `
		.........
		.X.......
		.X.......
		.........
		.3XX.....
		.........`},
	{"a three whose only continuation makes two fours is none", "g3", `
		.......
		.....X.
		..X.X..
		..X....
		.......
		.X_X...
		.......`},
	{"a three whose only continuation makes two threes is none", "e7", `
		.........
		.....X...
		...XX....
		.XX3.....
		...X.....
		..._XX...
		.........`},
	{"a three that is real, since its continuation's three is not", "c6", `
		........
		.X.3....
		...XX.X.
		...X3X..
		....3...
		...3X...
		........`},
	{"the same, elsewhere", "c6", `
		........
		...XX...
		....3...
		...33XX.
		..X.X...
		.X......
		........`},
	{"one level deeper", "g6", `
		......
		..X...
		.3.X3.
		.XX33.
		.3X3X.
		.X4XX.
		......`},
	{"one level deeper, elsewhere", "e4", `
		.........
		...X.X...
		....33XX.
		.....3...
		....XXX..
		.X..X....
		.........`},
}

func TestForbiddenBoards(t *testing.T) {
	for _, test := range renjuBoards {
		t.Run(test.name, func(t *testing.T) {
			p, want := drawnRenju(t, test.corner, test.board)
			if diff := cmp.Diff(byName(want), byName(refusedAt(p))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			for _, at := range every(p.Rules()) {
				if naive := forbidden(p, at); naive != want[at] {
					t.Errorf("%v: the referee says %q", at, naive)
				}
			}
		})
	}
}

// TestForbiddenAgreed looks at positions whose forbidden cells two programs
// other than this agree on: black's stones, white's and those cells, a line each.
func TestForbiddenAgreed(t *testing.T) {
	data, err := os.ReadFile("testdata/renju_forbidden.txt")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(data)) {
		n++
		f := strings.Fields(line)
		if len(f) != 3 {
			t.Fatalf("line %d: %q", n, line)
		}
		p := setRenju(packed(f[0]), packed(f[1]))
		if diff := cmp.Diff(sorted(packed(f[2])), sorted(p.ForbiddenPoints())); diff != "" {
			t.Errorf("line %d (-want +got)\n%s", n, diff)
		}
	}
	if n != 500 {
		t.Errorf("%d positions", n)
	}
}

// packed reads cells written without spaces, "-" for none.
func packed(s string) []match.Point {
	var out []match.Point
	for i := 0; i < len(s) && s != "-"; {
		end := i + 1
		for ; end < len(s) && s[end] <= '9'; end++ {
		}
		out = append(out, cell(s[i:end]))
		i = end
	}
	return out
}

// anyRenju draws stones close together: on lines, often, so that threes and
// fours come about, and their continuations touch each other.
var anyRenju = rapid.Custom(func(t *rapid.T) match.Position {
	side := 5 + roll(7).Draw(t, "side")
	low := match.Point{Col: int8(roll(16-side).Draw(t, "col")), Row: int8(roll(16-side).Draw(t, "row"))}
	taken := map[match.Point]bool{}
	draw := func(n int) (cells []match.Point) {
		for range n {
			at := match.Point{Col: low.Col + int8(roll(side).Draw(t, "x")), Row: low.Row + int8(roll(side).Draw(t, "y"))}
			if !taken[at] {
				taken[at] = true
				cells = append(cells, at)
			}
		}
		return cells
	}
	return setRenju(draw(4+roll(3*side).Draw(t, "black")), draw(roll(side).Draw(t, "white")))
})

func TestForbiddenAgreesWithReferee(t *testing.T) {
	kinds := map[match.Refusal]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := anyRenju.Draw(t, "position")
		was := p
		var all []match.Point
		for _, at := range every(p.Rules()) {
			got, want := p.Forbidden(at), forbidden(p, at)
			if got != want {
				t.Fatalf("%v: %q, the referee says %q\n%s", at, got, want, written(p))
			}
			kinds[want]++
			if want != "" {
				all = append(all, at)
			}
			next, won, err := p.Place(at)
			if want != "" && (err != want || won || next != p) {
				t.Fatalf("Place(%v): %v, want %q", at, err, want)
			}
		}
		if !slices.Equal(all, p.ForbiddenPoints()) || p != was {
			t.Fatalf("points %v, want %v", p.ForbiddenPoints(), all)
		}
	})
	for _, why := range []match.Refusal{match.Overline, match.DoubleThree, match.DoubleFour} {
		if kinds[why] == 0 {
			t.Errorf("no %s among the positions: %v", why, kinds)
		}
	}
}

// written draws a position for a failing test.
func written(p match.Position) string {
	var b strings.Builder
	for row := p.Rules().Rows - 1; row >= 0; row-- {
		for col := range p.Rules().Cols {
			b.WriteByte(".XO"[p.At(match.Point{Col: col, Row: row})])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestForbiddenOnTurnedBoard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := anyRenju.Draw(t, "position")
		way := rapid.IntRange(1, 7).Draw(t, "way")
		var of [3][]match.Point
		for _, at := range every(p.Rules()) {
			of[p.At(at)] = append(of[p.At(at)], turned(p.Rules(), at, way))
		}
		q := setRenju(of[match.Black], of[match.White])
		for at, why := range refusedAt(p) {
			if got := q.Forbidden(turned(p.Rules(), at, way)); got != why {
				t.Fatalf("%v: %q, turned: %q\n%s", at, why, got, written(p))
			}
		}
		if len(q.ForbiddenPoints()) != len(refusedAt(p)) {
			t.Fatalf("%d cells, turned %d\n%s", len(refusedAt(p)), len(q.ForbiddenPoints()), written(p))
		}
	})
}
