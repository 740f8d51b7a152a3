package engine

import (
	"sync"

	"rowbot/match"
)

const (
	side  = match.MaxSide // cells in a row of the arrays, whatever the board's size
	cells = side * side
	words = (cells + 63) / 64
	edge  = 5 // cells beyond the edge that a line's word holds at each end
	lines = 2*side - 1
)

// steps lead from a cell to the next one along each direction.
var steps = [4]int{1, side, side + 1, 1 - side}

// bitset is a set of cells.
type bitset [words]uint64

func (s *bitset) add(c int)      { s[c>>6] |= 1 << (c & 63) }
func (s *bitset) remove(c int)   { s[c>>6] &^= 1 << (c & 63) }
func (s *bitset) has(c int) bool { return s[c>>6]>>(c&63)&1 != 0 }

// track is one line through a cell.
type track struct {
	line     uint8 // which line of the direction
	at       uint8 // the cell's place on it
	from, to uint8 // the places whose shapes the cell has a part in
	first    int16 // the cell at from
}

// geometry is what depends on the board's size and the rule's reach alone.
type geometry struct {
	cols, rows int
	tracks     [cells][4]track
	near       [cells]bitset // the cells worth a thought after a stone there
	all        bitset
	bare       [4][lines]uint64 // the lines' words of an empty board
}

type geometryKey struct{ cols, rows, radius int }

var (
	geometryLock sync.Mutex
	geometryMade = map[geometryKey]*geometry{}
)

// geometryOf returns the shared geometry of a board size.
func geometryOf(cols, rows, radius int) *geometry {
	geometryLock.Lock()
	defer geometryLock.Unlock()
	key := geometryKey{cols, rows, radius}
	g := geometryMade[key]
	if g == nil {
		g = newGeometry(cols, rows, radius)
		geometryMade[key] = g
	}
	return g
}

func newGeometry(cols, rows, radius int) *geometry {
	g := &geometry{cols: cols, rows: rows}
	for d := range g.bare {
		for i := range g.bare[d] {
			g.bare[d][i] = ^uint64(0)
		}
	}
	for row := range rows {
		for col := range cols {
			c := row*side + col
			g.all.add(c)
			g.addNear(col, row)
			for d := range 4 {
				t, length := trackOf(col, row, cols, rows, d)
				t.from = uint8(max(0, int(t.at)-radius))
				t.to = uint8(min(length-1, int(t.at)+radius))
				t.first = int16(c - (int(t.at)-int(t.from))*steps[d])
				g.tracks[c][d] = t
				g.bare[d][t.line] &^= 3 << (2 * (uint(t.at) + edge))
			}
		}
	}
	return g
}

// trackOf returns a cell's line and place in a direction, and the line's length.
func trackOf(col, row, cols, rows, d int) (t track, length int) {
	up, down := rows-1-row, row
	right, left := cols-1-col, col
	switch d {
	case 0:
		return track{line: uint8(row), at: uint8(col)}, cols
	case 1:
		return track{line: uint8(col), at: uint8(row)}, rows
	case 2:
		at := min(left, down)
		return track{line: uint8(col - row + side - 1), at: uint8(at)}, at + min(right, up) + 1
	}
	at := min(left, up)
	return track{line: uint8(col + row), at: uint8(at)}, at + min(right, down) + 1
}

// addNear marks the cells within two of a cell, and three along its lines.
func (g *geometry) addNear(col, row int) {
	c := row*side + col
	for dr := -3; dr <= 3; dr++ {
		for dc := -3; dc <= 3; dc++ {
			x, y := col+dc, row+dr
			if x < 0 || y < 0 || x >= g.cols || y >= g.rows {
				continue
			}
			far := max(dr, -dr, dc, -dc)
			if far <= 2 || dr == 0 || dc == 0 || dr == dc || dr == -dc {
				g.near[c].add(y*side + x)
			}
		}
	}
}
