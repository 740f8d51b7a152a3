package picture

import (
	"image/color"
	"sync"
)

// paint is a colour of the palette. The named ones are what is painted with; the
// rest of the palette are the mixtures that smooth edges need.
type paint uint8

// shades is how many steps the light takes across a stone.
const shades = 8

// The paints.
const (
	wood   paint = iota // and woods-1 more, from light to dark
	line   paint = iota + woods - 1
	letter       // of the coordinates
	frame        // the edge of the board
	shadow
	red          // the last stone, and cells that may not be played
	win          // the winning line
	pale         // the last cell of tic-tac-toe
	fresh        // its winning cells
	cross        // X
	nought       // O
	black        // and shades-1 more, from light to dark
	white  paint = iota + woods - 1 + shades - 1
	paints paint = iota + woods - 1 + 2*(shades-1)
)

// woods is how many tones the grain of the wood has.
const woods = 5

// levels is how finely a paint can cover what is under it: from 0, not at all,
// to levels-1, wholly.
const levels = 16

// rgb are the paints themselves.
func rgb() [paints]color.RGBA {
	var c [paints]color.RGBA
	ramp(c[wood:wood+woods], hex(0xe6bd7b), hex(0xdcae68))
	c[line], c[letter], c[frame] = hex(0x6b4a22), hex(0x3f2a10), hex(0x9c7335)
	c[shadow] = hex(0x5a3d18)
	c[red], c[win] = hex(0xf5281c), hex(0x12c457)
	c[pale], c[fresh] = hex(0xf8e3b4), hex(0xc4e8a4)
	c[cross], c[nought] = hex(0x1d4a8c), hex(0xb3261e)
	ramp(c[black:black+shades], hex(0x5c5e63), hex(0x101113))
	ramp(c[white:white+shades], hex(0xffffff), hex(0xcfccc4))
	return c
}

func hex(c uint32) color.RGBA {
	return color.RGBA{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: 0xff}
}

// ramp fills c with equal steps from one colour to another.
func ramp(c []color.RGBA, from, to color.RGBA) {
	for i := range c {
		c[i] = over(to, from, i, len(c)-1)
	}
}

// over is a colour that covers n parts of another in all parts.
func over(top, under color.RGBA, n, all int) color.RGBA {
	mix := func(t, u uint8) uint8 { return uint8((int(t)*n + int(u)*(all-n) + all/2) / all) }
	return color.RGBA{R: mix(top.R, under.R), G: mix(top.G, under.G), B: mix(top.B, under.B), A: 0xff}
}

// edges are the pairs of paints that meet in the pictures, with the number of
// mixtures that the palette has of each.
var edges = []struct {
	a, b paint
	n    int
}{
	{wood + 2, line, 3},
	{wood + 2, letter, 7},
	{wood + 2, black + shades - 1, 7},
	{wood + 2, white + shades - 1, 4},
	{wood + 2, shadow, 7},
	{wood, shadow, 3},
	{wood + 2, red, 5},
	{line, red, 2},
	{white, red, 5},
	{black + 4, white, 5},
	{wood + 2, win, 5},
	{black + 4, win, 5},
	{white + 2, win, 5},
	{wood + 2, pale, 2},
	{wood + 2, fresh, 2},
	{wood + 2, cross, 5},
	{pale, cross, 5},
	{fresh, cross, 5},
	{wood + 2, nought, 5},
	{pale, nought, 5},
	{fresh, nought, 5},
	{fresh, win, 5},
	{cross, win, 5},
	{nought, win, 5},
	{black + shades - 1, letter, 1},
}

// colours is the palette: the paints, the mixtures, and at its end a colour
// that lets through what is under it.
var colours = sync.OnceValue(func() color.Palette {
	var out color.Palette
	c := rgb()
	for _, p := range c {
		out = append(out, p)
	}
	for _, e := range edges {
		for i := range e.n {
			out = append(out, over(c[e.b], c[e.a], i+1, e.n+1))
		}
	}
	return append(out, color.RGBA{})
})

// opaque is the palette without its see-through end.
func opaque() color.Palette { return colours()[:seeThrough()] }

// seeThrough is the index of the see-through colour.
func seeThrough() uint8 { return uint8(len(colours()) - 1) }

// mixtures says by paint, level and the index underneath which index results.
type mixtures [paints][levels][256]uint8

// mixed is the table of all mixtures, each the nearest there is in the palette.
var mixed = sync.OnceValue(func() *mixtures {
	all := make([]color.RGBA, seeThrough())
	for i, c := range opaque() {
		all[i] = c.(color.RGBA)
	}
	m := new(mixtures)
	for p := range paints {
		for level := range levels {
			for under := range all {
				m[p][level][under] = nearest(all, over(all[p], all[under], level, levels-1))
			}
		}
	}
	return m
})

// nearest is the index of the colour least far from another.
func nearest(all []color.RGBA, c color.RGBA) uint8 {
	best, least := 0, 1<<30
	for i, p := range all {
		r, g, b := int(p.R)-int(c.R), int(p.G)-int(c.G), int(p.B)-int(c.B)
		if d := r*r + g*g + b*b; d < least {
			best, least = i, d
		}
	}
	return uint8(best)
}
