// Package render draws positions as text: emoji for small boards, monospace
// for large ones. It knows the board and nothing of messages or players.
//
// It imports match; package bot is its user.
package render

import (
	"slices"
	"strconv"
	"strings"

	"rowbot/match"
)

// View is what a board shows.
type View struct {
	Position *match.Position
	Last     match.Point // the last stone; looked at only where HasLast
	HasLast  bool
	Home     match.Point   // the stone that the window of buttons goes by, where HasLast
	Line     []match.Point // the stones that won; they are marked instead of the last
	// Forbidden are the cells that the side to move may not play.
	Forbidden []match.Point
}

// Of returns the view of a match as it stands.
func Of(m *match.Match) View {
	p := m.Position()
	v := View{Position: &p, Line: m.Line()}
	v.Last, v.HasLast = m.LastStone()
	v.Home = home(m, v.Last)
	if !m.Status.Over() {
		v.Forbidden = p.ForbiddenPoints()
	}
	return v
}

// home is the last stone or, against Rowbot at random, the person's last one:
// that is where they want to go on, wherever Rowbot has answered.
func home(m *match.Match, last match.Point) match.Point {
	if m.Seats[0].Level != match.Random && m.Seats[1].Level != match.Random {
		return last
	}
	for i, at := range slices.Backward(m.Moves) {
		if side := match.Black + match.Stone(i%2); !at.IsPass() && !m.Seat(side).IsEngine() {
			return at
		}
	}
	return last
}

// Mark returns the sign of a side in running text: ❌ and ⭕ in tic-tac-toe, ⚫
// and ⚪ in gomoku, ⬜ for an empty cell of tic-tac-toe.
func Mark(g match.Game, s match.Stone) string {
	switch {
	case s == match.Empty:
		return "⬜"
	case g == match.TicTacToe && s == match.Black:
		return "❌"
	case g == match.TicTacToe:
		return "⭕"
	case s == match.Black:
		return "⚫"
	}
	return "⚪"
}

// Emoji draws the board as lines of emoji, the top row first.
func Emoji(v View) string {
	var b strings.Builder
	r := v.Position.Rules()
	for row := r.Rows - 1; row >= 0; row-- {
		for col := range r.Cols {
			b.WriteString(Mark(r.Game(), v.Position.At(match.Point{Col: col, Row: row})))
		}
		if row > 0 {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Mono draws the board as a code block of plain ASCII, as wide on a phone as on
// a desktop: column letters, then the rows from the top, each with its number
// and a cell every two characters: '.' empty, '+' an empty star point, 'X'
// black, 'O' white, '!' an empty cell that the side to move may not play. The last
// stone stands in brackets; when the match was won by a line, each of its stones has
// a bracket instead.
func Mono(v View) string {
	r := v.Position.Rules()
	marked, barred := marks(v), cells{}
	for _, at := range v.Forbidden {
		barred[at.Row][at.Col] = true
	}
	b := make([]byte, 0, (int(r.Rows)+1)*(2*int(r.Cols)+4)+8)
	b = append(b, "```\n  "...)
	for col := range r.Cols {
		b = append(b, ' ', 'a'+byte(col))
	}
	for row := r.Rows - 1; row >= 0; row-- {
		b = append(b, '\n')
		if row < 9 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(row)+1, 10)
		b = appendRow(b, v.Position, row, &marked, &barred)
	}
	return string(append(b, "\n```"...))
}

// cells says yes or no of each cell, by row and column.
type cells [match.MaxSide][match.MaxSide]bool

func marks(v View) cells {
	var c cells
	for _, p := range v.Line {
		c[p.Row][p.Col] = true
	}
	if len(v.Line) == 0 && v.HasLast {
		c[v.Last.Row][v.Last.Col] = true
	}
	return c
}

func appendRow(b []byte, p *match.Position, row int8, marked, barred *cells) []byte {
	r := p.Rules()
	open := false
	for col := range r.Cols {
		mark := marked[row][col]
		switch {
		case mark:
			b = append(b, '[')
		case open:
			b = append(b, ']')
		default:
			b = append(b, ' ')
		}
		s := sign(p, match.Point{Col: col, Row: row})
		if barred[row][col] {
			s = '!'
		}
		b, open = append(b, s), mark
	}
	if open {
		b = append(b, ']')
	}
	return b
}

// signOf is how the stones are written.
var signOf = map[match.Stone]byte{match.Black: 'X', match.White: 'O'}

func sign(p *match.Position, at match.Point) byte {
	if s := p.At(at); s != match.Empty {
		return signOf[s]
	}
	if Star(p.Rules(), at) {
		return '+'
	}
	return '.'
}

// Star reports whether a cell is a star point: one on the fourth lines from the edges
// and in the middle of a board of 13 lines or more.
func Star(r match.Rules, at match.Point) bool {
	return starLine(at.Col, r.Cols) && starLine(at.Row, r.Rows)
}

func starLine(i, side int8) bool {
	return side >= 13 && (i == 3 || i == side-4 || side%2 == 1 && i == side/2)
}
