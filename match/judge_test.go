package match_test

import (
	"fmt"
	"slices"

	"rowbot/match"
)

// referee judges black's moves in renju by the letter of the rules, on a map,
// trying every cell of every line. It is slow and shares nothing with the code
// that it judges.
type referee struct {
	side  int
	black map[match.Point]bool
	taken map[match.Point]bool // by either side
}

// refereeOf sets the referee before a position.
func refereeOf(p match.Position) *referee {
	r := &referee{side: int(p.Rules().Cols), black: map[match.Point]bool{}, taken: map[match.Point]bool{}}
	for _, at := range every(p.Rules()) {
		if s := p.At(at); s != match.Empty {
			r.taken[at], r.black[at] = true, s == match.Black
		}
	}
	return r
}

// forbidden is what the rules say of a cell; "" also for taken ones.
func forbidden(p match.Position, at match.Point) match.Refusal {
	if p.Rules().Variant != match.Renju || p.Turn() != match.Black || p.At(at) != match.Empty {
		return ""
	}
	_, why := refereeOf(p).judge(at)
	return why
}

var courses = [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// line lists all cells of the board on a line through a cell, in order.
func (r *referee) line(at match.Point, way [2]int) (cells []match.Point) {
	for n := -r.side; n <= r.side; n++ {
		col, row := int(at.Col)+n*way[0], int(at.Row)+n*way[1]
		if col >= 0 && row >= 0 && col < r.side && row < r.side {
			cells = append(cells, match.Point{Col: int8(col), Row: int8(row)})
		}
	}
	return cells
}

// row is the unbroken row of black stones on a line that a cell is part of.
func (r *referee) row(line []match.Point, at match.Point) []match.Point {
	var row []match.Point
	for _, c := range line {
		if r.black[c] {
			row = append(row, c)
			continue
		}
		if slices.Contains(row, at) {
			break
		}
		row = nil
	}
	if !slices.Contains(row, at) {
		return nil
	}
	return row
}

// with lets something be looked at with one more black stone on the board.
func (r *referee) with(at match.Point, look func()) {
	r.black[at], r.taken[at] = true, true
	look()
	delete(r.black, at)
	delete(r.taken, at)
}

// judge says whether black's stone on an empty cell makes a five, and why it is
// forbidden.
func (r *referee) judge(at match.Point) (five bool, why match.Refusal) {
	r.with(at, func() {
		long := false
		for _, way := range courses {
			n := len(r.row(r.line(at, way), at))
			five, long = five || n == 5, long || n > 5
		}
		switch {
		case five:
		case long:
			why = match.Overline
		case len(r.fours(at)) > 1:
			why = match.DoubleFour
		case r.threes(at) > 1:
			why = match.DoubleThree
		}
	})
	return five, why
}

// fours are the sets of four stones, the given one among them, that one stone
// more makes a five.
func (r *referee) fours(at match.Point) map[string]bool {
	sets := map[string]bool{}
	for _, way := range courses {
		line := r.line(at, way)
		for _, c := range line {
			if r.taken[c] {
				continue
			}
			r.with(c, func() {
				row := r.row(line, c)
				if len(row) == 5 && slices.Contains(row, at) {
					sets[fmt.Sprint(way, slices.DeleteFunc(row, func(x match.Point) bool { return x == c }))] = true
				}
			})
		}
	}
	return sets
}

// threes counts the lines on which a stone that black may play, and that makes
// no five, makes a straight four with the given stone.
func (r *referee) threes(at match.Point) (n int) {
	for _, way := range courses {
		line := r.line(at, way)
		if slices.ContainsFunc(line, func(c match.Point) bool { return !r.taken[c] && r.straightens(line, at, c) }) {
			n++
		}
	}
	return n
}

func (r *referee) straightens(line []match.Point, at, c match.Point) bool {
	straight := false
	r.with(c, func() {
		row := r.row(line, c)
		if len(row) != 4 || !slices.Contains(row, at) {
			return
		}
		ends := 0
		for _, e := range line {
			if !r.taken[e] {
				r.with(e, func() {
					if five := r.row(line, e); len(five) == 5 && slices.Contains(five, c) && slices.Contains(five, at) {
						ends++
					}
				})
			}
		}
		straight = ends == 2
	})
	if !straight {
		return false
	}
	five, why := r.judge(c)
	return !five && why == ""
}
