package render

import "rowbot/match"

// WindowSide is the number of cells along each side of the window of buttons.
const WindowSide = 5

// Window is the part of a large board that has buttons, by its lower left cell.
type Window struct{ Col, Row int8 }

// Fits reports whether the whole window lies on the board.
func (w Window) Fits(r match.Rules) bool {
	return w.Col >= 0 && w.Row >= 0 && w.Col+WindowSide <= r.Cols && w.Row+WindowSide <= r.Rows
}

// Shift moves the window by so many columns and rows, as far as the board goes.
func (w Window) Shift(cols, rows int8, r match.Rules) Window {
	return Window{
		Col: min(max(w.Col+cols, 0), r.Cols-WindowSide),
		Row: min(max(w.Row+rows, 0), r.Rows-WindowSide),
	}
}

// WindowOn returns the window onto the part of the board where the play is: it
// holds the stone that the view calls home and, with it, the hottest empty cells
// (see [match.Heat]); of equal windows it is the one most centred on that stone.
// On an empty board it is the middle.
func WindowOn(v View) Window {
	r := v.Position.Rules()
	home := v.Home
	if !v.HasLast {
		home = r.Centre()
	}
	best := Window{}.Shift(home.Col-WindowSide/2, home.Row-WindowSide/2, r)
	if !v.HasLast {
		return best
	}
	heat := v.Position.Heat()
	most := warmth(heat, best)
	for row := max(0, home.Row-WindowSide+1); row <= min(home.Row, r.Rows-WindowSide); row++ {
		for col := max(0, home.Col-WindowSide+1); col <= min(home.Col, r.Cols-WindowSide); col++ {
			w := Window{Col: col, Row: row}
			if s := warmth(heat, w); s > most {
				best, most = w, s
			}
		}
	}
	return best
}

// warmth adds up the heat inside a window.
func warmth(h *match.Heat, w Window) (total int32) {
	for row := range int8(WindowSide) {
		for col := range int8(WindowSide) {
			total += h.At(match.Point{Col: w.Col + col, Row: w.Row + row})
		}
	}
	return total
}
