package match

import "slices"

// Stone is what lies on a cell, and with it the name of a side.
type Stone uint8

// The stones. Black (in tic-tac-toe: X) moves first.
const (
	Empty Stone = 0
	Black Stone = 1
	White Stone = 2
)

// Other returns the opposing side.
func (s Stone) Other() Stone { return Black + White - s }

// Position is a board with its stones and the side to move. It is a value:
// it copies and compares, and Place returns a new one. Its reading methods take
// a pointer only to spare the copy of 400 cells.
type Position struct {
	rules  Rules
	turn   Stone
	placed int16 // stones on the board
	passes uint8 // turns passed in a row just now
	stones [MaxSide * MaxSide]Stone
}

// Rules returns the rules that the position is played by.
func (p *Position) Rules() Rules { return p.rules }

// Turn returns the side to move.
func (p *Position) Turn() Stone { return p.turn }

// Placed returns how many stones lie on the board.
func (p *Position) Placed() int { return int(p.placed) }

// At returns what lies on a cell; it is Empty for cells off the board.
func (p *Position) At(at Point) Stone {
	if !p.rules.Contains(at) {
		return Empty
	}
	return p.stones[index(at)]
}

// Full reports whether no cell is empty.
func (p *Position) Full() bool { return int(p.placed) == p.rules.Cells() }

// Passes returns how many turns were passed in a row just now.
func (p *Position) Passes() int { return int(p.passes) }

func index(p Point) int { return int(p.Row)*MaxSide + int(p.Col) }

// Place puts a stone of the side to move on a cell and reports whether it wins.
// The error is [OffBoard], [Occupied] or what [Position.Forbidden] says, and the
// position then comes back as it was. Place knows no end of the game: that is the match's business.
func (p Position) Place(at Point) (next Position, won bool, err error) {
	if !p.rules.Contains(at) {
		return p, false, OffBoard
	}
	if p.stones[index(at)] != Empty {
		return p, false, Occupied
	}
	if why := p.Forbidden(at); why != "" {
		return p, false, why
	}
	p.put(at)
	return p, p.wins(at), nil
}

// Pass gives the turn to the other side. The error is [NoPassing] where the
// game has none.
func (p Position) Pass() (Position, error) {
	if !p.rules.MayPass() {
		return p, NoPassing
	}
	p.skip()
	return p, nil
}

func (p *Position) put(at Point) {
	p.stones[index(at)] = p.turn
	p.turn = p.turn.Other()
	p.placed++
	p.passes = 0
}

func (p *Position) skip() {
	p.turn = p.turn.Other()
	p.passes++
}

// Empties returns the empty cells, row by row from a1.
func (p *Position) Empties() []Point {
	out := make([]Point, 0, p.rules.Cells()-int(p.placed))
	for row := range p.rules.Rows {
		for col := range p.rules.Cols {
			if at := (Point{Col: col, Row: row}); p.stones[index(at)] == Empty {
				out = append(out, at)
			}
		}
	}
	return out
}

// Legal returns the cells that the side to move may play, row by row from a1:
// the empty ones, less the forbidden ones.
func (p *Position) Legal() []Point {
	cells := p.Empties()
	if !p.restricted() {
		return cells
	}
	return slices.DeleteFunc(cells, func(at Point) bool { return p.Forbidden(at) != "" })
}

// empty returns the n-th of the [Position.Empties], from 0, without listing
// them, or Pass where there are fewer.
func (p *Position) empty(n int) Point {
	cols := int(p.rules.Cols)
	for row := range p.rules.Rows {
		for col, s := range p.stones[int(row)*MaxSide:][:cols] {
			if s != Empty {
				continue
			}
			if n == 0 {
				return Point{Col: int8(col), Row: row}
			}
			n--
		}
	}
	return Pass
}
