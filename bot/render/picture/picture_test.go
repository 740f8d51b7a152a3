package picture_test

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"rowbot/bot/render"
	"rowbot/bot/render/picture"
	"rowbot/match"
)

var update = flag.Bool("update", false, "write the golden files anew")

var boards = []struct {
	name  string
	rules match.Rules
	moves string
}{
	{"empty15", gomoku(15), ""},
	{"some15", gomoku(15), "h8 i9 i8 g8 j8 k8 h9 j7 h7 h10 h6 h5 g6 k10 f5 e4 i6 j6 i7 i5"},
	{"won15", gomoku(15), "d4 a1 e5 c1 f6 e1 g7 g1 h8"},
	{"forbidden15", match.GomokuRules(15, match.Renju), "i8 a1 j8 a3 h9 a5 h10 a8"},
	{"some19", gomoku(19), "j10 k11 k10 l10 l11 m12 k9 m11 a19 s1 a1"},
	{"some3", small, "b2 a1 c3"},
	{"won3", small, "b2 a1 c3 b1 a3 c1"},
}

// The golden files are the pictures at a quarter of their size, and smoothing
// may differ a little from machine to machine.
func TestGolden(t *testing.T) {
	for _, c := range boards {
		t.Run(c.name, func(t *testing.T) {
			got := quarter(decoded(t, render.Of(played(t, c.rules, c.moves))))
			file := filepath.Join("testdata", c.name+".png")
			if *update {
				var b bytes.Buffer
				if err := png.Encode(&b, got); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			f, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			want, err := png.Decode(bytes.NewReader(f))
			if err != nil {
				t.Fatal(err)
			}
			compare(t, want, got)
		})
	}
}

// quarter makes a picture smaller: each pixel is the mean of sixteen.
func quarter(img image.Image) *image.RGBA {
	out := image.NewRGBA(image.Rect(0, 0, img.Bounds().Dx()/4, img.Bounds().Dy()/4))
	for i := range out.Rect.Dx() * out.Rect.Dy() {
		x, y := i%out.Rect.Dx(), i/out.Rect.Dx()
		var r, g, b uint32
		for j := range 16 {
			pr, pg, pb, _ := img.At(4*x+j%4, 4*y+j/4).RGBA()
			r, g, b = r+pr>>8, g+pg>>8, b+pb>>8
		}
		out.SetRGBA(x, y, color.RGBA{R: uint8(r / 16), G: uint8(g / 16), B: uint8(b / 16), A: 255})
	}
	return out
}

func compare(t *testing.T, want image.Image, got *image.RGBA) {
	t.Helper()
	if want.Bounds() != got.Bounds() {
		t.Fatalf("%v, want %v", got.Bounds(), want.Bounds())
	}
	apart := 0
	for i := range got.Rect.Dx() * got.Rect.Dy() {
		x, y := i%got.Rect.Dx(), i/got.Rect.Dx()
		w, g := color.RGBAModel.Convert(want.At(x, y)).(color.RGBA), got.RGBAAt(x, y)
		for _, d := range []int{int(w.R) - int(g.R), int(w.G) - int(g.G), int(w.B) - int(g.B)} {
			if max(d, -d) > 10 {
				apart++
			}
		}
	}
	if apart > 0 {
		t.Errorf("%d values differ by more than 10", apart)
	}
}

func TestAnyBoard(t *testing.T) {
	won := 0
	for _, m := range matches(t, 25, 60, large...) {
		l := stills[m.Rules.Cols]
		b := board{decoded(t, render.Of(m)), l}
		if b.Bounds() != image.Rect(0, 0, l.width(), l.width()) {
			t.Fatalf("%v, want a side of %d", b.Bounds(), l.width())
		}
		var forbidden []match.Point
		if p := m.Position(); m.Status == match.Active {
			for _, at := range p.Empties() {
				if p.Forbidden(at) != "" {
					forbidden = append(forbidden, at)
				}
			}
		} else {
			won++
		}
		if b.check(t, m, forbidden); t.Failed() {
			t.Fatalf("%v: %v", m.Rules, match.FormatMoves(m.Moves))
		}
	}
	if won < 3 {
		t.Errorf("only %d of the matches are over", won)
	}
}

func TestForbidden(t *testing.T) {
	m := played(t, match.GomokuRules(15, match.Renju), "i8 a1 j8 a3 h9 a5 h10 a8")
	b := board{decoded(t, render.Of(m)), stills[15]}
	b.check(t, m, []match.Point{point(t, "h8")})
	// A saltire: red on the diagonals, not on the lines.
	for _, d := range [][2]float64{{0.2, 0.2}, {-0.2, 0.2}, {0.2, -0.2}, {-0.2, -0.2}} {
		if got := b.kind(point(t, "h8"), d[0], d[1]); got != red {
			t.Errorf("h8 is %s at %v", got, d)
		}
	}
	if got := b.kind(point(t, "h8"), 0.25, 0); got != brown {
		t.Errorf("h8 is %s on the line", got)
	}
}

// The winning stroke runs through all stones of a line and through the space
// between them, and nowhere else.
func TestStroke(t *testing.T) {
	for _, c := range []struct{ name, moves, lines, not string }{
		{"across", "d8 d1 e8 f1 f8 h1 g8 j1 h8", "d8 h8", "c8 i8 d7"},
		{"up", "a11 b1 a12 d1 a13 f1 a14 h1 a15", "a11 a15", "a10 b11"},
		{"diagonal", "d4 a1 e5 c1 f6 e1 g7 g1 h8", "d4 h8", "i9 c3 d5"},
		{"down", "o1 a1 n2 c1 m3 e1 l4 g1 k5", "k5 o1", "j6 n1"},
		{"white", "a1 k15 c1 l15 e1 m15 g1 n15 i1 o15", "k15 o15", "j15"},
		{"six", "c8 a1 d8 c1 e8 e1 g8 g1 h8 i1 f8", "c8 h8", "b8 i8"},
		// The end of the first line is next to the beginning of the second.
		{"two", "e8 a1 f8 c1 g8 e1 i8 g1 h7 i1 h9 k1 h10 m1 h11 o1 h8", "e8 i8 h7 h11", "d8 j8 h6 h12"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := played(t, gomoku(15), c.moves)
			b := board{decoded(t, render.Of(m)), stills[15]}
			b.check(t, m, nil)
			ends := strings.Fields(c.lines)
			for i := 0; i < len(ends); i += 2 {
				from, to := b.spot(point(t, ends[i]), 0, 0), b.spot(point(t, ends[i+1]), 0, 0)
				for n := range 101 {
					p := from.Add(to.Sub(from).Mul(n).Div(100))
					if got := kind(b, p); got != green {
						t.Fatalf("%v on the way from %s to %s is %s", p, ends[i], ends[i+1], got)
					}
				}
			}
			for at := range strings.FieldsSeq(c.not) {
				if got := b.kind(point(t, at), 0, 0); got == green {
					t.Errorf("%s is struck", at)
				}
			}
			if c.name == "two" && b.kind(point(t, "h7"), 0.5, -0.5) == green {
				t.Error("the ends of the lines are joined")
			}
		})
	}
}

func TestLastStoneIsSeen(t *testing.T) {
	for moves, at := range map[string]string{"h8": "h8", "h8 a15": "a15", "h8 i9 pass": "i9", "o1": "o1", "d4": "d4"} {
		m := played(t, gomoku(15), moves)
		b := board{decoded(t, render.Of(m)), stills[15]}
		b.check(t, m, nil)
		// Six pixels wide on a phone that halves the picture.
		for _, d := range [][2]float64{{0.14, 0}, {-0.14, 0}, {0, 0.14}, {0, -0.14}} {
			if got := b.kind(point(t, at), d[0], d[1]); got != red {
				t.Errorf("after %s, %s is %s at %v", moves, at, got, d)
			}
		}
	}
}

func TestStars(t *testing.T) {
	stars := map[int8]string{
		15: "d4 d8 d12 h4 h8 h12 l4 l8 l12",
		19: "d4 d10 d16 j4 j10 j16 p4 p10 p16",
	}
	for side, list := range stars {
		b := board{decoded(t, render.Of(played(t, gomoku(side), ""))), stills[side]}
		for i := range int(side) * int(side) {
			at := match.Point{Col: int8(i % int(side)), Row: int8(i / int(side))}
			want := wooden
			if strings.Contains(" "+list+" ", " "+at.String()+" ") {
				want = brown
			}
			if got := b.kind(at, 0.075, 0.075); got != want {
				t.Errorf("%d: beside the middle of %v it is %s, want %s", side, at, got, want)
			}
		}
		// The lines end at the outermost points.
		if b.kind(match.Point{}, -0.3, 0) != wooden || b.kind(match.Point{}, 0, 0.3) != wooden {
			t.Errorf("%d: lines run on beyond a1", side)
		}
		if b.kind(match.Point{}, 0.3, 0) != brown || b.kind(match.Point{}, 0, -0.3) != brown {
			t.Errorf("%d: no lines from a1", side)
		}
	}
}

// label is the dark pixels of the space beside a cell.
func label(b board, middle image.Point) string {
	var s strings.Builder
	for y := -12; y < 12; y++ {
		for x := -15; x < 15; x++ {
			c := color.GrayModel.Convert(b.At(middle.X+x, middle.Y+y)).(color.Gray)
			s.WriteByte(" #"[min(1, (255-c.Y)/150)])
		}
		s.WriteByte('\n')
	}
	return s.String()
}

// Each column and each row has a label on either side, both the same and unlike
// all others.
func TestCoordinates(t *testing.T) {
	for side, l := range stills {
		r := gomoku(side)
		if side == 3 {
			r = small
		}
		b := board{decoded(t, render.Of(played(t, r, ""))), l}
		near := map[int8]int{3: 31, 15: 17, 19: 17}[side]
		far := l.width() - near
		seen := map[string]match.Point{}
		for i := range side {
			at := b.spot(match.Point{Col: i, Row: i}, 0, 0)
			top, bottom := label(b, image.Pt(at.X, near)), label(b, image.Pt(at.X, far))
			left, right := label(b, image.Pt(near, at.Y)), label(b, image.Pt(far, at.Y))
			for name, pair := range map[string][2]string{"column": {top, bottom}, "row": {left, right}} {
				if strings.Count(pair[0], "#") < 30 || strings.Count(pair[1], "#") < 30 {
					t.Errorf("%d: %s %d:\n%s\n%s", side, name, i, pair[0], pair[1])
				}
				if was, twice := seen[pair[0]]; twice {
					t.Errorf("%d: %s %d is like %v", side, name, i, was)
				}
				seen[pair[0]] = match.Point{Col: i, Row: i}
			}
		}
	}
}

func TestTicTacToe(t *testing.T) {
	m := played(t, small, "b2 a1 c3")
	b := board{decoded(t, render.Of(m)), stills[3]}
	for at, want := range map[string][4]string{ // middle, on an arm of X, on the ring of O, in the corner
		"a1": {wooden, wooden, red, wooden},
		"b2": {blue, blue, wooden, wooden},
		"c3": {blue, blue, pale, pale},
		"a3": {wooden, wooden, wooden, wooden},
		"c1": {wooden, wooden, wooden, wooden},
	} {
		p := point(t, at)
		got := [4]string{b.kind(p, 0, 0), b.kind(p, 0.2, 0.2), b.kind(p, 0, 0.255), b.kind(p, 0.38, 0.38)}
		if at == "a1" {
			got[1] = want[1] // the ring passes there
		}
		if got != want {
			t.Errorf("%s is %v, want %v", at, got, want)
		}
	}
	if b.kind(point(t, "b2"), 0.5, 0) != brown || b.kind(point(t, "a1"), 0, -0.5) != brown {
		t.Error("no lines between the cells")
	}
	b.Image = decoded(t, render.Of(played(t, small, "b2 a1 c3 b1 a3 c1")))
	for _, at := range []string{"a1", "b1", "c1"} {
		if got := b.kind(point(t, at), 0, 0); got != green {
			t.Errorf("%s is %s in the winning line", at, got)
		}
	}
	if got := b.kind(point(t, "c3"), 0.38, 0.38); got != wooden {
		t.Errorf("c3 is %s", got)
	}
}

func TestSize(t *testing.T) {
	for seed := range uint64(10) {
		for _, side := range []int8{15, 19} {
			b, err := picture.PNG(render.Of(crowd(side, seed)))
			if err != nil {
				t.Fatal(err)
			}
			if len(b) > 60_000 {
				t.Errorf("%d lines, seed %d: %d bytes", side, seed, len(b))
			}
		}
	}
}

// Pictures drawn at the same time do not get in each other's way, and the same
// view is always the same picture.
func TestSameBytes(t *testing.T) {
	var all sync.WaitGroup
	for _, c := range boards[3:] {
		v := render.Of(played(t, c.rules, c.moves))
		var files [2][]byte
		for i := range files {
			all.Go(func() {
				b, err := picture.PNG(v)
				if err != nil {
					t.Error(err)
				}
				files[i] = b
			})
		}
		all.Wait()
		for _, f := range files {
			if !bytes.Equal(f, files[0]) {
				t.Errorf("%s differs from time to time", c.name)
			}
		}
	}
}

func BenchmarkPNG(b *testing.B) {
	for _, m := range []*match.Match{played(b, small, "b2 a1 c3"), played(b, gomoku(15), boards[1].moves), crowd(15, 1), crowd(19, 1)} {
		v := render.Of(m)
		b.Run(boardName(m), func(b *testing.B) {
			var file []byte
			for b.Loop() {
				file, _ = picture.PNG(v)
			}
			b.ReportMetric(float64(len(file)), "bytes")
		})
	}
}
