package match_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"rowbot/match"
)

// roll draws a number below n (at most 256), all about equally often: rapid's own
// integers prefer small ones, and then hardly a match would get anywhere.
func roll(n int) *rapid.Generator[int] {
	return rapid.Custom(func(t *rapid.T) int {
		sum := 0
		for range 8 {
			sum *= 2
			if rapid.Bool().Draw(t, "bit") {
				sum++
			}
		}
		return sum % n
	})
}

// anyRules draws rules that matches are played by.
var anyRules = rapid.Custom(func(t *rapid.T) match.Rules {
	names := []string{"ttt", "15 freestyle", "15 standard", "19 freestyle", "19 standard", "15 renju", "19 renju"}
	return allRules[names[roll(len(names)).Draw(t, "rules")]]
})

// anyMoves draws moves within a small part of a board, some of them on taken
// cells. Passes, where there are any, let one side put down several stones in a
// row, so that lines and overlines come about.
func anyMoves(t *rapid.T, r match.Rules) []match.Point {
	width := min(int(r.Cols), 2+roll(9).Draw(t, "width"))
	height := min(int(r.Rows), 2+roll(9).Draw(t, "height"))
	left := roll(int(r.Cols)-width+1).Draw(t, "left")
	low := roll(int(r.Rows)-height+1).Draw(t, "low")
	passing := []int{0, 3, 8, 9}[roll(4).Draw(t, "passing")]
	var moves []match.Point
	for range roll(100).Draw(t, "stones") {
		if r.Need == 5 && roll(10).Draw(t, "pass") < passing {
			moves = append(moves, match.Pass)
		}
		moves = append(moves, match.Point{
			Col: int8(left + roll(width).Draw(t, "col")),
			Row: int8(low + roll(height).Draw(t, "row")),
		})
	}
	return moves
}

// step plays one move on a position; cells that are taken or forbidden are skipped.
func step(t *rapid.T, p match.Position, at match.Point) (next match.Position, won, ok bool) {
	if at.IsPass() {
		next, err := p.Pass()
		if err != nil {
			t.Fatalf("pass: %v", err)
		}
		return next, false, true
	}
	next, won, err := p.Place(at)
	why := p.Forbidden(at)
	if p.At(at) != match.Empty {
		why = match.Occupied
	}
	if (why == "" && err != nil) || (why != "" && err != why) {
		t.Fatalf("Place(%v): %v, want %q", at, err, why)
	}
	if err != nil && (next != p || won) {
		t.Fatalf("Place(%v) was refused and changed the position", at)
	}
	return next, won, err == nil
}

func TestPlaceAgreesWithNaiveScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRules.Draw(t, "rules")
		p, ended := r.Start(), false
		for _, at := range anyMoves(t, r) {
			was := p
			next, won, ok := step(t, p, at)
			if p != was {
				t.Fatalf("%v changed the position that it was played on", at)
			}
			if !ok || at.IsPass() {
				p = next
				continue
			}
			before, after := scanPosition(p), scanPosition(next)
			mine := through(after, at)
			if won != (len(mine) > 0) {
				t.Fatalf("%v: won %t, the naive scan finds %v", at, won, mine)
			}
			if ended = ended || won; len(before) == 0 && won != (len(after) > 0) {
				t.Fatalf("%v: won %t, on the whole board the naive scan finds %v", at, won, after)
			}
			if !ended && len(after) > 0 {
				t.Fatalf("nobody has won, but there is %v", after)
			}
			if got := next.WinningLine(at); len(got) != total(mine) || len(mine) > 0 && !contains(mine, got) {
				t.Fatalf("%v: winning line %v, the naive scan finds %v", at, got, mine)
			}
			p = next
		}
	})
}

func total(lines []streak) int {
	n := 0
	for _, s := range lines {
		n += len(s.cells)
	}
	return n
}

// contains reports whether the cells are the lines, each in order from either end.
func contains(lines []streak, cells []match.Point) bool {
	for len(cells) > 0 {
		i := slices.IndexFunc(lines, func(s streak) bool {
			if len(cells) < len(s.cells) {
				return false
			}
			ahead := slices.Clone(s.cells)
			slices.Reverse(ahead)
			part := cells[:len(s.cells)]
			return slices.Equal(part, s.cells) || slices.Equal(part, ahead)
		})
		if i < 0 {
			return false
		}
		cells = cells[len(lines[i].cells):]
	}
	return true
}

// turned returns the cell that a cell of a square board comes to lie on by one
// of the eight ways to turn and mirror it.
func turned(r match.Rules, at match.Point, way int) match.Point {
	if at.IsPass() {
		return at
	}
	if way&1 != 0 {
		at.Col = r.Cols - 1 - at.Col
	}
	if way&2 != 0 {
		at.Row = r.Rows - 1 - at.Row
	}
	if way&4 != 0 {
		at.Col, at.Row = at.Row, at.Col
	}
	return at
}

func TestTurnedBoardPlaysAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRules.Draw(t, "rules")
		way := rapid.IntRange(1, 7).Draw(t, "way")
		p, q := r.Start(), r.Start()
		for _, at := range anyMoves(t, r) {
			image := turned(r, at, way)
			nextP, wonP, okP := step(t, p, at)
			nextQ, wonQ, okQ := step(t, q, image)
			if wonP != wonQ || okP != okQ || nextP.Turn() != nextQ.Turn() || nextP.Placed() != nextQ.Placed() {
				t.Fatalf("%v: %t %t, turned %v: %t %t", at, okP, wonP, image, okQ, wonQ)
			}
			line := nextP.WinningLine(at)
			for i, c := range line {
				line[i] = turned(r, c, way)
			}
			if !slices.Equal(sorted(line), sorted(nextQ.WinningLine(image))) {
				t.Fatalf("%v: line %v, turned %v", at, line, nextQ.WinningLine(image))
			}
			p, q = nextP, nextQ
		}
		heatP, heatQ := p.Heat(), q.Heat()
		for _, at := range every(r) {
			image := turned(r, at, way)
			if p.At(at) != q.At(image) || heatP.At(at) != heatQ.At(image) {
				t.Fatalf("%v: %v, %d; turned %v: %v, %d", at, p.At(at), heatP.At(at), image, q.At(image), heatQ.At(image))
			}
		}
	})
}

// every lists the cells of a board.
func every(r match.Rules) []match.Point {
	var out []match.Point
	for row := range r.Rows {
		for col := range r.Cols {
			out = append(out, match.Point{Col: col, Row: row})
		}
	}
	return out
}

// TestPositionKeepsCount checks turn, number of stones and passes, and that the
// moves, written down and read again, lead to the same position.
func TestPositionKeepsCount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRules.Draw(t, "rules")
		p := r.Start()
		stones := map[match.Point]match.Stone{}
		var played []match.Point
		passes := 0
		for _, at := range anyMoves(t, r) {
			side := []match.Stone{match.Black, match.White}[len(played)%2]
			if p.Turn() != side {
				t.Fatalf("after %d moves %v is to move", len(played), p.Turn())
			}
			next, _, ok := step(t, p, at)
			if !ok {
				continue
			}
			if p, played, passes = next, append(played, at), passes+1; !at.IsPass() {
				stones[at], passes = side, 0
			}
			if p.Placed() != len(stones) || p.Passes() != passes || p.Full() != (len(stones) == r.Cells()) {
				t.Fatalf("%d stones, %d passes, full %t; want %d, %d", p.Placed(), p.Passes(), p.Full(), len(stones), passes)
			}
		}
		for _, at := range every(r) {
			if p.At(at) != stones[at] {
				t.Fatalf("%v holds %v, want %v", at, p.At(at), stones[at])
			}
		}
		empties := slices.DeleteFunc(every(r), func(at match.Point) bool { return stones[at] != match.Empty })
		if diff := cmp.Diff(empties, p.Empties(), cmp.Comparer(func(a, b match.Point) bool { return a == b })); diff != "" {
			t.Fatalf("empties (-want +got)\n%s", diff)
		}
		read, err := r.ParseMoves(match.FormatMoves(played))
		if err != nil {
			t.Fatalf("read moves again: %v", err)
		}
		m := match.Match{Rules: r, Moves: read}
		if got := m.Position(); got != p {
			t.Fatalf("replayed %q: another position", match.FormatMoves(played))
		}
	})
}
