// Package picture draws positions as PNG files and matches as animated GIF
// files: a wooden board with coordinates, and what the position needs marked on
// it. A position is drawn at twice the size it is looked at on a phone; a match,
// which is many pictures in one file, smaller.
//
// All drawing is done in the colours of one palette (see [paint]), so that the
// files are small and quickly written. The empty board and the stones of each
// size are drawn once and copied from then on.
//
// It imports match and render; package bot is its user.
package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/png"

	"rowbot/bot/render"
	"rowbot/match"
)

// PNG draws a view as an opaque picture: 726 x 726 pixels for a board of 15
// lines, 788 x 788 for one of 19, 664 x 664 for tic-tac-toe. What it says beside
// the stones is what the text board says: the last stone or the winning lines,
// and the cells that may not be played. The same view gives the same bytes.
// An error means that drawing or encoding broke; no view is wrong.
func PNG(v render.View) ([]byte, error) {
	s, err := still(v.Position.Rules())
	if err != nil {
		return nil, err
	}
	c := s.blank()
	draw(s, c, v)
	img := &image.Paletted{Pix: c.pix, Stride: c.width, Rect: c.bounds(), Palette: opaque()}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return nil, fmt.Errorf("encode board: %w", err)
	}
	return b.Bytes(), nil
}

// draw puts all that a view shows onto an empty board.
func draw(s *sheet, c *canvas, v render.View) {
	r := v.Position.Rules()
	for row := range r.Rows {
		for col := range r.Cols {
			at := match.Point{Col: col, Row: row}
			s.put(c, at, v.Position.At(at))
		}
	}
	for _, at := range v.Forbidden {
		s.bar(c, at)
	}
	switch {
	case len(v.Line) > 0:
		s.strike(c, v.Line, v.Position.At(v.Line[0]))
	case v.HasLast:
		s.point(c, v.Last, v.Position.At(v.Last))
	}
}
