package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"

	"rowbot/match"
)

// How long the pictures of a film stand, in hundredths of a second. Viewers
// stretch what is shorter than a blink.
const (
	beat   = 70
	blink  = 2
	ending = 400
)

// nearby is how many cells a picture may hold to show a ply at once. Where the
// stone before lies farther away, its mark goes in a picture of its own a blink
// before: matches all over the board would otherwise take a hundred megabytes to
// draw.
const nearby = 25

// GIF draws a match as a film that starts again when it is over: the empty
// board, and a picture for each ply, the last of which stands longer and shows
// the winning line. Where two stones in a row lie far apart there is one more
// picture between theirs, for an instant. The film is 594 x 594 pixels for a
// board of 15 lines, 662 x 662 for one of 19 and 444 x 444 for tic-tac-toe, and
// every picture holds only what differs from the one before. The same moves give
// the same bytes. An error means that drawing or encoding broke.
func GIF(m *match.Match) ([]byte, error) {
	s, err := film(m.Rules)
	if err != nil {
		return nil, err
	}
	f := &reel{sheet: s, shown: s.blank(), next: s.blank()}
	f.add(f.shown.bounds(), beat)
	won := m.Line()
	for i, at := range m.Moves {
		if len(won) > 0 && i == len(m.Moves)-1 {
			f.close(at, side(i), won)
		} else {
			f.play(at, side(i))
		}
	}
	f.out.Delay[len(f.out.Delay)-1] = ending
	f.out.Config = image.Config{ColorModel: colours(), Width: f.next.width, Height: f.next.height}
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, &f.out); err != nil {
		return nil, fmt.Errorf("encode film: %w", err)
	}
	return b.Bytes(), nil
}

// side returns the stone that is put down at a ply, counted from 0.
func side(ply int) match.Stone {
	if ply%2 == 0 {
		return match.Black
	}
	return match.White
}

// reel is a film in the making.
type reel struct {
	sheet       *sheet
	shown, next *canvas // the last picture, and the one in the making
	last        match.Point
	stone       match.Stone // the last stone; Empty before there is one
	out         gif.GIF
}

// play adds the picture of a ply. A passed turn changes nothing, but it takes
// its time.
func (f *reel) play(at match.Point, stone match.Stone) {
	if at.IsPass() {
		f.add(image.Rect(0, 0, 1, 1), beat)
		return
	}
	dirty, stands := f.unmark(), beat
	if all := dirty.Union(f.sheet.cell(at)); all.Dx()*all.Dy() <= nearby*f.sheet.pitch*f.sheet.pitch {
		dirty = all
	} else {
		f.add(dirty, blink)
		dirty, stands = f.sheet.cell(at), beat-blink
	}
	f.sheet.put(f.next, at, stone)
	f.sheet.point(f.next, at, stone)
	f.last, f.stone = at, stone
	f.add(dirty, stands)
}

// close adds the picture of the ply that wins, with the winning lines struck.
func (f *reel) close(at match.Point, stone match.Stone, won []match.Point) {
	dirty := f.unmark().Union(f.sheet.reach(won))
	f.sheet.put(f.next, at, stone)
	f.sheet.strike(f.next, won, stone)
	f.add(dirty, beat)
}

// unmark draws the last stone without its mark, and returns what that changes.
func (f *reel) unmark() image.Rectangle {
	if f.stone == match.Empty {
		return image.Rectangle{}
	}
	f.sheet.clean(f.next, f.last)
	f.sheet.put(f.next, f.last, f.stone)
	return f.sheet.cell(f.last)
}

// add ends a picture: it takes what has changed within a rectangle.
func (f *reel) add(dirty image.Rectangle, stands int) {
	img := image.NewPaletted(dirty, colours())
	first, through := len(f.out.Image) == 0, seeThrough()
	for y := dirty.Min.Y; y < dirty.Max.Y; y++ {
		i := y * f.next.width
		was, is := f.shown.pix[i+dirty.Min.X:i+dirty.Max.X], f.next.pix[i+dirty.Min.X:i+dirty.Max.X]
		row := img.Pix[(y-dirty.Min.Y)*img.Stride:][:len(is)]
		for x, p := range is {
			if row[x] = p; p == was[x] && !first {
				row[x] = through
			}
		}
		copy(was, is)
	}
	f.out.Image = append(f.out.Image, img)
	f.out.Delay = append(f.out.Delay, stands)
	f.out.Disposal = append(f.out.Disposal, gif.DisposalNone)
}
