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

// lastHeat is how much the last stone counts against the empty cells when the
// window is chosen: enough for the window to go along with quiet play, not
// enough to leave a row that is nearly complete.
const lastHeat = 60

// WindowOn returns the window onto the part of the board where the play is: the
// one with the hottest empty cells (see [match.Heat]), the last stone among
// them if it can be; of equal ones the nearest to the last stone or, on an
// empty board, to the centre.
func WindowOn(v View) Window {
	r := v.Position.Rules()
	home := v.Last
	if !v.HasLast {
		home = r.Centre()
	}
	best := Window{}.Shift(home.Col-WindowSide/2, home.Row-WindowSide/2, r)
	heat := v.Position.Heat()
	most := warmth(heat, best, home)
	for row := range r.Rows - WindowSide + 1 {
		for col := range r.Cols - WindowSide + 1 {
			w := Window{Col: col, Row: row}
			if s := warmth(heat, w, home); s > most {
				best, most = w, s
			}
		}
	}
	return best
}

// warmth adds up the heat inside a window.
func warmth(h *match.Heat, w Window, home match.Point) (total int32) {
	if w.Holds(home) {
		total = lastHeat
	}
	for row := range int8(WindowSide) {
		for col := range int8(WindowSide) {
			total += h.At(match.Point{Col: w.Col + col, Row: w.Row + row})
		}
	}
	return total
}

// Holds reports whether a cell lies inside the window.
func (w Window) Holds(p match.Point) bool {
	return p.Col >= w.Col && p.Col < w.Col+WindowSide && p.Row >= w.Row && p.Row < w.Row+WindowSide
}
