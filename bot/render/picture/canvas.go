package picture

import (
	"image"
	"math"
)

// canvas is a picture in the making: an index into the palette for each pixel,
// row by row from the top.
type canvas struct {
	width, height int
	pix           []uint8
	mix           *mixtures
}

func newCanvas(width, height int) *canvas {
	return &canvas{width: width, height: height, pix: make([]uint8, width*height), mix: mixed()}
}

func (c *canvas) bounds() image.Rectangle { return image.Rect(0, 0, c.width, c.height) }

// dab covers a pixel with a paint, at a level.
func (c *canvas) dab(x, y int, p paint, level uint8) {
	i := y*c.width + x
	c.pix[i] = c.mix[p][level][c.pix[i]]
}

// copyFrom takes over the pixels of a rectangle from a canvas of the same size.
func (c *canvas) copyFrom(from *canvas, r image.Rectangle) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		i := y * c.width
		copy(c.pix[i+r.Min.X:i+r.Max.X], from.pix[i+r.Min.X:i+r.Max.X])
	}
}

// rect fills a rectangle, without smooth edges.
func (c *canvas) rect(r image.Rectangle, p paint) {
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			c.pix[y*c.width+x] = uint8(p)
		}
	}
}

// shape is a figure as the distance of a point from its edge, in pixels:
// negative inside. Coordinates are those of the canvas, with pixel centres at
// halves.
type shape func(x, y float64) float64

// fill paints a shape, smoothly at its edge, as far as it lies in a rectangle.
func (c *canvas) fill(within image.Rectangle, p paint, s shape) {
	within = within.Intersect(c.bounds())
	for y := within.Min.Y; y < within.Max.Y; y++ {
		for x := within.Min.X; x < within.Max.X; x++ {
			if l := coverage(s(float64(x)+0.5, float64(y)+0.5)); l > 0 {
				c.dab(x, y, p, l)
			}
		}
	}
}

// coverage is how much of a pixel lies inside an edge that is so far away from its
// centre.
func coverage(distance float64) uint8 {
	return uint8(math.Round(min(max(0.5-distance, 0), 1) * (levels - 1)))
}

// disc is a filled circle.
func disc(cx, cy, r float64) shape {
	return func(x, y float64) float64 { return math.Sqrt((x-cx)*(x-cx)+(y-cy)*(y-cy)) - r }
}

// ring is a circle drawn with a pen of a width.
func ring(cx, cy, r, width float64) shape {
	d := disc(cx, cy, r)
	return func(x, y float64) float64 { return math.Abs(d(x, y)) - width/2 }
}

// stroke is a line with round ends, drawn with a pen of a width.
func stroke(x0, y0, x1, y1, width float64) shape {
	dx, dy := x1-x0, y1-y0
	length := dx*dx + dy*dy
	return func(x, y float64) float64 {
		along := 0.0
		if length > 0 {
			along = min(max(((x-x0)*dx+(y-y0)*dy)/length, 0), 1)
		}
		ex, ey := x-x0-along*dx, y-y0-along*dy
		return math.Sqrt(ex*ex+ey*ey) - width/2
	}
}

// saltire is an X whose arms reach so far to each side and up and down.
func saltire(cx, cy, arm, width float64) shape {
	down := stroke(cx-arm, cy-arm, cx+arm, cy+arm, width)
	up := stroke(cx-arm, cy+arm, cx+arm, cy-arm, width)
	return func(x, y float64) float64 { return min(down(x, y), up(x, y)) }
}

// tile is a rectangle with rounded corners, so far inside another.
func tile(r image.Rectangle, inset, corner float64) shape {
	cx, cy := float64(r.Min.X+r.Max.X)/2, float64(r.Min.Y+r.Max.Y)/2
	w, h := float64(r.Dx())/2-inset-corner, float64(r.Dy())/2-inset-corner
	return func(x, y float64) float64 {
		dx, dy := math.Abs(x-cx)-w, math.Abs(y-cy)-h
		out := math.Hypot(max(dx, 0), max(dy, 0))
		return out + min(max(dx, dy), 0) - corner
	}
}

// sprite is a little picture to be laid over others: a paint for each pixel of
// a square, and how much it covers.
type sprite struct {
	side  int
	paint []paint
	level []uint8
}

// newSprite draws a shape on a square, each pixel in a paint of its own.
func newSprite(side int, s shape, p func(x, y float64) paint) *sprite {
	out := &sprite{side: side, paint: make([]paint, side*side), level: make([]uint8, side*side)}
	for i := range out.level {
		x, y := float64(i%side)+0.5, float64(i/side)+0.5
		out.paint[i], out.level[i] = p(x, y), coverage(s(x, y))
	}
	return out
}

// lay puts a sprite's upper left corner at a pixel.
func (c *canvas) lay(at image.Point, s *sprite) {
	for y := range s.side {
		row := c.pix[(at.Y+y)*c.width+at.X:][:s.side]
		paint, level := s.paint[y*s.side:][:s.side], s.level[y*s.side:][:s.side]
		for x, l := range level {
			switch l {
			case 0:
			case levels - 1:
				row[x] = uint8(paint[x])
			default:
				row[x] = c.mix[paint[x]][l][row[x]]
			}
		}
	}
}
