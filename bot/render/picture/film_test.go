package picture_test

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"rowbot/bot/render/picture"
	"rowbot/match"
)

func filmed(t rapid.TB, m *match.Match) *gif.GIF {
	t.Helper()
	b, err := picture.GIF(m)
	if err != nil {
		t.Fatal(err)
	}
	g, err := gif.DecodeAll(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// shown are the pictures of a film as they are seen: each over those before, and
// without those that stand for a blink.
func shown(g *gif.GIF) (out []image.Image) {
	now := image.NewPaletted(image.Rect(0, 0, g.Config.Width, g.Config.Height), g.Image[0].Palette)
	for n, img := range g.Image {
		for y := range img.Rect.Dy() {
			row := now.Pix[now.PixOffset(img.Rect.Min.X, img.Rect.Min.Y+y):]
			for x, i := range img.Pix[y*img.Stride:][:img.Rect.Dx()] {
				if _, _, _, alpha := img.Palette[i].RGBA(); alpha > 0 {
					row[x] = i
				}
			}
		}
		if g.Delay[n] == 2 {
			continue
		}
		next := *now
		next.Pix = bytes.Clone(now.Pix)
		out = append(out, &next)
	}
	return out
}

func upTo(t rapid.TB, m *match.Match, plies int) *match.Match {
	t.Helper()
	part := &match.Match{Rules: m.Rules, Status: match.Active}
	for _, at := range m.Moves[:plies] {
		move(t, part, at)
	}
	return part
}

func TestFilm(t *testing.T) {
	for _, m := range matches(t, 10, 20, append(large[:4:4], small)...) {
		l := films[m.Rules.Cols]
		g := filmed(t, m)
		if g.Config.Width != l.width() || g.Config.Height != l.width() {
			t.Fatalf("%d x %d, want a side of %d", g.Config.Width, g.Config.Height, l.width())
		}
		checkTimes(t, g, len(m.Moves))
		if m.Rules == small {
			continue // its marks are looked at elsewhere
		}
		for i, img := range shown(g) {
			board{img, l}.check(t, upTo(t, m, i), nil)
		}
	}
}

// checkTimes checks that each ply has its time, a blink before it included.
func checkTimes(t rapid.TB, g *gif.GIF, plies int) {
	t.Helper()
	// A film of one picture has nothing to say about what comes after it.
	if g.LoopCount != 0 && plies > 0 {
		t.Errorf("loops %d", g.LoopCount)
	}
	var times []int
	blink := 0
	for i, delay := range g.Delay {
		if g.Disposal[i] != gif.DisposalNone {
			t.Errorf("disposal %d of picture %d", g.Disposal[i], i)
		}
		if delay == 2 {
			blink += delay
			continue
		}
		times, blink = append(times, blink+delay), 0
	}
	want := slices.Repeat([]int{70}, plies+1)
	// Nobody waits for what comes after the last picture.
	want[plies] = 400
	if times[plies] == 402 {
		want[plies] = 402
	}
	if diff := cmp.Diff(want, times); diff != "" {
		t.Errorf("times (-want +got):\n%s", diff)
	}
}

// Each picture is what the film of the match up to there ends with, though it
// was made of the picture before.
func TestPicturesDoNotDependOnTheWay(t *testing.T) {
	for _, m := range matches(t, 10, 20, gomoku(15), small) {
		n := len(m.Moves) / 2
		whole, part := shown(filmed(t, m))[n], shown(filmed(t, upTo(t, m, n)))[n]
		if !bytes.Equal(whole.(*image.Paletted).Pix, part.(*image.Paletted).Pix) {
			t.Errorf("after %d plies of %v the picture is another", n, m.Moves)
		}
	}
}

// Taking the mark off a stone leaves the rest of its cell as it was.
func TestUnmark(t *testing.T) {
	l := films[15]
	pictures := shown(filmed(t, played(t, gomoku(15), "h8 a1")))
	middle := l.spot(point(t, "h8"), 0, 0)
	half := l.pitch / 2
	for y := -half; y <= half; y++ {
		for x := -half; x <= half; x++ {
			p := middle.Add(image.Pt(x, y))
			if x*x+y*y > 100 && pictures[1].At(p.X, p.Y) != pictures[2].At(p.X, p.Y) {
				t.Fatalf("%d, %d from the middle of h8 it was %v, now it is %v", x, y, pictures[1].At(p.X, p.Y), pictures[2].At(p.X, p.Y))
			}
		}
	}
}

// A ply costs no more than the cells that change.
func TestPicturesAreSmall(t *testing.T) {
	g := filmed(t, played(t, gomoku(15), "h8 i9 g7 pass d6 o1"))
	l := films[15]
	cell := func(at string) image.Rectangle {
		corner := l.spot(point(t, at), -0.5, -0.5)
		return image.Rectangle{Min: corner, Max: corner.Add(image.Pt(l.pitch, l.pitch))}
	}
	for i, want := range []image.Rectangle{
		image.Rect(0, 0, l.width(), l.width()),
		cell("h8"), cell("h8").Union(cell("i9")), cell("i9").Union(cell("g7")),
		image.Rect(0, 0, 1, 1), cell("g7").Union(cell("d6")),
		cell("d6"), cell("o1"), // too far from each other for one picture
	} {
		if got := g.Image[i].Rect; got != want {
			t.Errorf("picture %d covers %v, want %v", i, got, want)
		}
	}
	if len(g.Image) != 8 {
		t.Errorf("%d pictures", len(g.Image))
	}
}

func TestFilmSize(t *testing.T) {
	for _, m := range []*match.Match{crowd(15, 1), crowd(19, 2), farApart(19)} {
		b, err := picture.GIF(m)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d plies: %d bytes", len(m.Moves), len(b))
		if len(b) > 1<<20 {
			t.Errorf("%d plies: %d bytes", len(m.Moves), len(b))
		}
	}
}

// farApart is a full board on which each stone is as far from the one before as
// can be, so that the pictures are large.
func farApart(side int8) *match.Match {
	m := &match.Match{Rules: gomoku(side), Status: match.Drawn, Reason: match.ByAgreement}
	p := m.Rules.Start()
	cells := p.Empties()
	for i := range cells {
		at := cells[i/2]
		if i%2 == 1 {
			at = cells[len(cells)-1-i/2]
		}
		m.Moves = append(m.Moves, at)
	}
	return m
}

func boardName(m *match.Match) string {
	return fmt.Sprintf("%dx%d with %d stones, %v first", m.Rules.Cols, m.Rules.Rows, len(m.Moves), m.Moves[0])
}

func BenchmarkGIF(b *testing.B) {
	for _, m := range []*match.Match{played(b, gomoku(15), boards[1].moves), crowd(19, 1), farApart(19)} {
		b.Run(boardName(m), func(b *testing.B) {
			b.ReportAllocs()
			var file []byte
			for b.Loop() {
				file, _ = picture.GIF(m)
			}
			b.ReportMetric(float64(len(file)), "bytes")
		})
	}
}
