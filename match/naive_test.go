package match_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"rowbot/match"
)

// The people and the moment that the tests tell of.
var (
	alice  = match.Person("101")
	bob    = match.Person("202")
	carol  = match.Person("303")
	nobody = match.Player{}
	rowbot = match.Engine(match.Random)

	noon = time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)
)

// allRules are all the rules that a match may be played by.
var allRules = map[string]match.Rules{
	"ttt":          {Cols: 3, Rows: 3, Need: 3},
	"15 freestyle": {Cols: 15, Rows: 15, Need: 5},
	"15 standard":  {Cols: 15, Rows: 15, Need: 5, Variant: match.Standard},
	"19 freestyle": {Cols: 19, Rows: 19, Need: 5},
	"19 standard":  {Cols: 19, Rows: 19, Need: 5, Variant: match.Standard},
	"15 renju":     {Cols: 15, Rows: 15, Need: 5, Variant: match.Renju},
	"19 renju":     {Cols: 19, Rows: 19, Need: 5, Variant: match.Renju},
}

// streak is a line that wins, as the naive scan sees it.
type streak struct {
	stone match.Stone
	cells []match.Point
}

// scan is the referee of the tests: it looks at the whole board, from every
// cell, for every stretch of equal stones, and keeps those that win. It shares
// nothing with the search that it judges.
func scan(r match.Rules, at func(match.Point) match.Stone) []streak {
	on := func(col, row int) match.Stone {
		if col < 0 || row < 0 || col >= int(r.Cols) || row >= int(r.Rows) {
			return match.Empty
		}
		return at(match.Point{Col: int8(col), Row: int8(row)})
	}
	var found []streak
	for row := range int(r.Rows) {
		for col := range int(r.Cols) {
			stone := on(col, row)
			if stone == match.Empty {
				continue
			}
			for _, way := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {-1, 1}} {
				if on(col-way[0], row-way[1]) == stone {
					continue // not where the stretch begins
				}
				var cells []match.Point
				for c, w := col, row; on(c, w) == stone; c, w = c+way[0], w+way[1] {
					cells = append(cells, match.Point{Col: int8(c), Row: int8(w)})
				}
				long := len(cells) > int(r.Need) && (r.Variant == match.Freestyle || r.Variant == match.Renju && stone == match.White)
				if long || len(cells) == int(r.Need) {
					found = append(found, streak{stone, cells})
				}
			}
		}
	}
	return found
}

// scanPosition is scan of a position.
func scanPosition(p match.Position) []streak { return scan(p.Rules(), p.At) }

// through keeps the lines that run through a cell.
func through(lines []streak, at match.Point) []streak {
	return slices.DeleteFunc(slices.Clone(lines), func(s streak) bool { return !slices.Contains(s.cells, at) })
}

// drawing is a board read from text.
type drawing struct {
	black, white []match.Point
	asked        []match.Point // cells marked with a star
}

// draw reads a board, or a part of one whose lower left corner lies on the
// given cell: the highest row first, X black, O white, * a cell asked about.
func draw(t testing.TB, corner, board string) drawing {
	t.Helper()
	low := cell(corner)
	var d drawing
	rows := strings.Fields(strings.TrimSpace(board))
	for i, line := range rows {
		for j, c := range line {
			at := match.Point{Col: low.Col + int8(j), Row: low.Row + int8(len(rows)-1-i)}
			switch c {
			case 'X':
				d.black = append(d.black, at)
			case 'O':
				d.white = append(d.white, at)
			case '*':
				d.asked = append(d.asked, at)
			case '.':
			default:
				t.Fatalf("what is %q on a board?", c)
			}
		}
	}
	return d
}

// cell reads a cell written like "h8", without the code under test.
func cell(name string) match.Point {
	row := 0
	for _, c := range name[1:] {
		row = 10*row + int(c-'0')
	}
	return match.Point{Col: int8(name[0] - 'a'), Row: int8(row - 1)}
}

// cells reads cells separated by spaces; "pass" is a passed turn.
func cells(names string) []match.Point {
	var out []match.Point
	for name := range strings.FieldsSeq(names) {
		if name == "pass" {
			out = append(out, match.Point{Col: -1, Row: -1})
		} else {
			out = append(out, cell(name))
		}
	}
	return out
}

// set puts the stones of a drawing on a board, with the given side to move
// after that. Where passing is not allowed, the stones have to alternate.
func (d drawing) set(t testing.TB, r match.Rules, turn match.Stone) match.Position {
	t.Helper()
	p := r.Start()
	put := func(side match.Stone, at match.Point) {
		if p.Turn() != side {
			p = pass(t, p)
		}
		var err error
		if p, _, err = p.Place(at); err != nil {
			t.Fatalf("place %v: %v", at, err)
		}
	}
	for i := range max(len(d.black), len(d.white)) {
		if i < len(d.black) {
			put(match.Black, d.black[i])
		}
		if i < len(d.white) {
			put(match.White, d.white[i])
		}
	}
	if p.Turn() != turn {
		p = pass(t, p)
	}
	return p
}

func pass(t testing.TB, p match.Position) match.Position {
	t.Helper()
	p, err := p.Pass()
	if err != nil {
		t.Fatalf("pass: %v", err)
	}
	return p
}

// sorted returns cells in one fixed order, for comparing them as a set.
func sorted(in []match.Point) []match.Point {
	out := slices.Clone(in)
	slices.SortFunc(out, func(a, b match.Point) int { return (int(a.Row)-int(b.Row))*100 + int(a.Col) - int(b.Col) })
	return out
}
