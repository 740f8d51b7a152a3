package picture

import (
	"fmt"
	"image"
	"math"
	"slices"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"rowbot/bot/render"
	"rowbot/match"
)

// sheet is a board of one size, ready to be drawn upon: cells that lie next to
// each other, with a margin for the coordinates around them. What lies on a cell
// stays inside it; only winning lines cross from one to another.
type sheet struct {
	scale
	rules  match.Rules // of which the variant does not matter
	ground *canvas     // the empty board
	layers [3]*sprite  // of gomoku: the shadow of a stone, a black one, a white one
}

// scale is how large a board is drawn: the side of a cell and the margin, in pixels.
type scale struct{ pitch, margin int }

// The sheets of the boards that exist, for single pictures and for films; each is
// made when it is needed first.
var (
	still = sheets(scale{180, 62}, scale{44, 33}, scale{38, 33})
	film  = sheets(scale{120, 42}, scale{36, 27}, scale{32, 27})
)

// sheets returns where to get the sheets in these scales: for tic-tac-toe, for
// boards of up to 15 lines, and for larger ones.
func sheets(small, medium, large scale) func(match.Rules) (*sheet, error) {
	draw := func(r match.Rules) (*sheet, error) {
		switch {
		case r.Game() == match.TicTacToe:
			return newSheet(r, small)
		case max(r.Cols, r.Rows) <= 15:
			return newSheet(r, medium)
		}
		return newSheet(r, large)
	}
	known := map[match.Rules]func() (*sheet, error){}
	for _, r := range []match.Rules{
		match.TicTacToeRules(), match.GomokuRules(15, match.Freestyle), match.GomokuRules(19, match.Freestyle),
	} {
		known[r] = sync.OnceValues(func() (*sheet, error) { return draw(r) })
	}
	return func(r match.Rules) (*sheet, error) {
		r.Variant = match.Freestyle
		if s, ok := known[r]; ok {
			return s()
		}
		return draw(r)
	}
}

// newSheet draws the empty board and the stones.
func newSheet(r match.Rules, size scale) (*sheet, error) {
	s := &sheet{rules: r, scale: size}
	s.ground = newCanvas(int(r.Cols)*s.pitch+2*s.margin, int(r.Rows)*s.pitch+2*s.margin)
	s.grain()
	s.border()
	if r.Game() == match.TicTacToe {
		s.hash()
	} else {
		s.grid()
		s.layers = stones(s.pitch)
	}
	return s, s.coordinates()
}

// blank returns a copy of the empty board.
func (s *sheet) blank() *canvas {
	c := *s.ground
	c.pix = slices.Clone(c.pix)
	return &c
}

// cell returns the square of a cell.
func (s *sheet) cell(at match.Point) image.Rectangle {
	x := s.margin + int(at.Col)*s.pitch
	y := s.margin + int(s.rules.Rows-1-at.Row)*s.pitch
	return image.Rect(x, y, x+s.pitch, y+s.pitch)
}

// centre returns the middle of a cell.
func (s *sheet) centre(at match.Point) (x, y float64) {
	r := s.cell(at)
	return float64(r.Min.X+r.Max.X) / 2, float64(r.Min.Y+r.Max.Y) / 2
}

// grain covers the ground with wood: long waves across the board, in tones that
// differ little, so that they neither disturb nor weigh much in the file.
func (s *sheet) grain() {
	c := s.ground
	unit := float64(s.pitch) / 38
	for y := range c.height {
		for x := range c.width {
			u, v := float64(x)/unit, float64(y)/unit
			bend := 9*math.Sin(u/210+1) + 4*math.Sin(u/83+v/190)
			w := math.Sin((v+bend)/5.3) + 0.8*math.Sin((v+bend)/13.7+2) + 0.6*math.Sin((v+0.6*bend)/47)
			tone := (w/2.4 + 1) / 2 * woods
			c.pix[y*c.width+x] = uint8(wood) + uint8(min(max(tone, 0), woods-1))
		}
	}
}

// border draws the edge of the board.
func (s *sheet) border() {
	b, w := s.ground.bounds(), max(1, s.margin/16)
	for _, r := range []image.Rectangle{
		image.Rect(0, 0, b.Max.X, w), image.Rect(0, b.Max.Y-w, b.Max.X, b.Max.Y),
		image.Rect(0, 0, w, b.Max.Y), image.Rect(b.Max.X-w, 0, b.Max.X, b.Max.Y),
	} {
		s.ground.rect(r, frame)
	}
}

// grid draws the lines of a gomoku board, through the middles of the cells, and
// its star points. Lines are two pixels wide where cells have even sides, else
// one, so that they always fill whole pixels.
func (s *sheet) grid() {
	first := s.cell(match.Point{Row: s.rules.Rows - 1})
	last := s.cell(match.Point{Col: s.rules.Cols - 1})
	near, far := (s.pitch-1)/2, s.pitch/2+1
	span := image.Rect(first.Min.X+near, first.Min.Y+near, last.Min.X+far, last.Min.Y+far)
	for col := range s.rules.Cols {
		x := s.cell(match.Point{Col: col}).Min.X
		s.ground.rect(image.Rect(x+near, span.Min.Y, x+far, span.Max.Y), line)
	}
	for row := range s.rules.Rows {
		y := s.cell(match.Point{Row: row}).Min.Y
		s.ground.rect(image.Rect(span.Min.X, y+near, span.Max.X, y+far), line)
		for col := range s.rules.Cols {
			if at := (match.Point{Col: col, Row: row}); render.Star(s.rules, at) {
				x, y := s.centre(at)
				s.ground.fill(s.cell(at), line, disc(x, y, float64(s.pitch)/7.5))
			}
		}
	}
}

// hash draws the lines of tic-tac-toe, between the cells.
func (s *sheet) hash() {
	pen := float64(s.pitch) / 20
	end := float64(s.margin) + pen
	w, h := float64(s.ground.width), float64(s.ground.height)
	for i := 1; i < int(s.rules.Cols); i++ {
		x := float64(s.margin + i*s.pitch)
		s.ground.fill(s.ground.bounds(), line, stroke(x, end, x, h-end, pen))
	}
	for i := 1; i < int(s.rules.Rows); i++ {
		y := float64(s.margin + i*s.pitch)
		s.ground.fill(s.ground.bounds(), line, stroke(end, y, w-end, y, pen))
	}
}

// coordinates writes the letters of the columns above and below the board, and
// the numbers of the rows on both sides.
func (s *sheet) coordinates() error {
	face, err := typeface(min(float64(s.pitch)*0.58, float64(s.margin)*0.8))
	if err != nil {
		return err
	}
	defer face.Close()
	mask := image.NewAlpha(s.ground.bounds())
	d := &font.Drawer{Dst: mask, Src: image.Opaque, Face: face}
	// The middle of the space between the board's edge and the nearest stone.
	gap := float64(s.margin) / 2
	if s.rules.Game() == match.Gomoku {
		gap = (float64(s.margin) + float64(s.pitch)*(0.5-stoneRadius)) / 2
	}
	w, h := float64(s.ground.width), float64(s.ground.height)
	for col := range s.rules.Cols {
		x, _ := s.centre(match.Point{Col: col})
		text := (match.Point{Col: col}).String()[:1]
		write(d, text, x, gap)
		write(d, text, x, h-gap)
	}
	for row := range s.rules.Rows {
		_, y := s.centre(match.Point{Row: row})
		text := (match.Point{Row: row}).String()[1:]
		write(d, text, gap, y)
		write(d, text, w-gap, y)
	}
	for i, a := range mask.Pix {
		if a > 0 {
			s.ground.dab(i%mask.Stride, i/mask.Stride, letter, uint8((int(a)*(levels-1)+127)/255))
		}
	}
	return nil
}

// write sets a text with its middle at a point; the middle of the height is that
// of a figure, but lies a little lower for letters, most of which are lower.
func write(d *font.Drawer, text string, x, y float64) {
	tall := d.Face.Metrics().CapHeight
	if text[0] >= 'a' {
		tall = (tall + d.Face.Metrics().XHeight) / 2
	}
	d.Dot = fixed.Point26_6{
		X: fixed.Int26_6(math.Round(x*64)) - d.MeasureString(text)/2,
		Y: (fixed.Int26_6(math.Round(y*64)) + tall/2 + 32) &^ 63,
	}
	d.DrawString(text)
}

// typeface returns the letters of the coordinates in a size in pixels.
func typeface(size float64) (font.Face, error) {
	f, err := opentype.Parse(gobold.TTF)
	if err != nil {
		return nil, fmt.Errorf("parse typeface: %w", err)
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
	if err != nil {
		return nil, fmt.Errorf("size typeface: %w", err)
	}
	return face, nil
}
