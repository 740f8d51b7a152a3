package picture

import (
	"image"
	"math"

	"rowbot/match"
)

// stoneRadius is the radius of a stone, in sides of a cell.
const stoneRadius = 0.455

// stones draws the shadow of a stone, a black stone and a white one, lit from
// the upper left.
func stones(pitch int) [3]*sprite {
	side := float64(pitch)
	mid, r := side/2, side*stoneRadius
	body := disc(mid, mid, r)
	light := func(dark, from float64, tone paint) func(x, y float64) paint {
		return func(x, y float64) paint {
			d := math.Hypot(x-mid+0.35*r, y-mid+0.4*r) / (1.5 * r)
			step := shades * (d - from) / (dark - from)
			return tone + paint(min(max(step, 0), shades-1))
		}
	}
	fall := disc(mid+side*0.02, mid+side*0.035, r)
	soft := func(x, y float64) float64 {
		// It covers half at most, and ends within the cell.
		return max(fall(x, y), 0.05)
	}
	return [3]*sprite{
		newSprite(pitch, soft, func(float64, float64) paint { return shadow }),
		newSprite(pitch, body, light(0.75, 0, black)),
		newSprite(pitch, body, light(1.05, 0.35, white)),
	}
}

// put lays a stone on a cell; Empty leaves it as it is.
func (s *sheet) put(c *canvas, at match.Point, stone match.Stone) {
	if stone == match.Empty {
		return
	}
	r := s.cell(at)
	if s.rules.Game() == match.Gomoku {
		c.lay(r.Min, s.layers[match.Empty])
		c.lay(r.Min, s.layers[stone])
		return
	}
	x, y := s.centre(at)
	side := float64(s.pitch)
	if stone == match.Black {
		c.fill(r, cross, saltire(x, y, side*0.24, side*0.13))
	} else {
		c.fill(r, nought, ring(x, y, side*0.255, side*0.125))
	}
}

// clean takes what lies on a cell away.
func (s *sheet) clean(c *canvas, at match.Point) { c.copyFrom(s.ground, s.cell(at)) }

// point marks the last stone.
func (s *sheet) point(c *canvas, at match.Point, stone match.Stone) {
	if s.rules.Game() == match.TicTacToe {
		s.light(c, at, stone, pale)
		return
	}
	x, y := s.centre(at)
	r := float64(s.pitch) * 0.2
	if stone == match.Black {
		// Red alone would drown in black.
		c.fill(s.cell(at), white, disc(x, y, r*1.25))
		r *= 0.85
	}
	c.fill(s.cell(at), red, disc(x, y, r))
}

// light gives a cell of tic-tac-toe another ground.
func (s *sheet) light(c *canvas, at match.Point, stone match.Stone, ground paint) {
	r, side := s.cell(at), float64(s.pitch)
	c.fill(r, ground, tile(r, side*0.06, side*0.08))
	s.put(c, at, stone)
}

// bar marks a cell that may not be played.
func (s *sheet) bar(c *canvas, at match.Point) {
	x, y := s.centre(at)
	side := float64(s.pitch)
	c.fill(s.cell(at), red, saltire(x, y, side*0.21, side*0.13))
}

// strike marks the lines that won: a stroke through each, from its first stone
// to its last.
func (s *sheet) strike(c *canvas, won []match.Point, stone match.Stone) {
	if s.rules.Game() == match.TicTacToe {
		for _, at := range won {
			s.light(c, at, stone, fresh)
		}
	}
	for _, l := range lines(won) {
		x0, y0 := s.centre(l[0])
		x1, y1 := s.centre(l[1])
		pen := float64(s.pitch) * 0.2
		if s.rules.Game() == match.TicTacToe {
			pen /= 2
		}
		c.fill(s.reach(l[:]), win, stroke(x0, y0, x1, y1, pen))
	}
}

// reach returns the smallest rectangle that holds all these cells.
func (s *sheet) reach(cells []match.Point) (r image.Rectangle) {
	for _, at := range cells {
		r = r.Union(s.cell(at))
	}
	return r
}

// lines takes winning lines apart that stand one after the other, and returns
// the ends of each. Within a line every step from stone to stone is the same, and
// no line goes on where another ends.
func lines(won []match.Point) (out [][2]match.Point) {
	var step match.Point
	for i, at := range won {
		if i > 0 {
			d := match.Point{Col: at.Col - won[i-1].Col, Row: at.Row - won[i-1].Row}
			if step == d || step == (match.Point{}) {
				out[len(out)-1][1], step = at, d
				continue
			}
		}
		out, step = append(out, [2]match.Point{at, at}), match.Point{}
	}
	return out
}
