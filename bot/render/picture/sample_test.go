package picture_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"rowbot/bot/render"
	"rowbot/bot/render/picture"
	"rowbot/match"
)

// The boards that exist.
var (
	small = match.TicTacToeRules()
	large = []match.Rules{
		match.GomokuRules(15, match.Freestyle), match.GomokuRules(15, match.Renju),
		match.GomokuRules(19, match.Standard), match.GomokuRules(19, match.Renju),
	}
)

func gomoku(side int8) match.Rules { return match.GomokuRules(side, match.Freestyle) }

// played is a match with these moves, as the store would hold it.
func played(t rapid.TB, r match.Rules, moves string) *match.Match {
	t.Helper()
	list, err := r.ParseMoves(moves)
	if err != nil {
		t.Fatalf("moves %q: %v", moves, err)
	}
	m := &match.Match{Rules: r, Status: match.Active}
	for _, at := range list {
		move(t, m, at)
	}
	return m
}

func move(t rapid.TB, m *match.Match, at match.Point) {
	t.Helper()
	if !at.IsPass() {
		next, won, err := m.Position().Place(at)
		if err != nil || m.Status.Over() {
			t.Fatalf("%v in status %d: %v", at, m.Status, err)
		}
		if won {
			m.Status, m.Reason, m.Winner = match.Won, match.ByLine, m.Turn()
		} else if next.Full() {
			m.Status, m.Reason = match.Drawn, match.ByFullBoard
		}
	}
	m.Moves = append(m.Moves, at)
}

// crowd is a full board with the stones at random, whoever may have won before:
// there is no position of more detail.
func crowd(side int8, seed uint64) *match.Match {
	m := &match.Match{Rules: gomoku(side), Status: match.Drawn, Reason: match.ByAgreement}
	p := m.Rules.Start()
	m.Moves = p.Empties()
	rand.New(rand.NewPCG(seed, 1)).Shuffle(len(m.Moves), func(i, j int) { //nolint:gosec // a game
		m.Moves[i], m.Moves[j] = m.Moves[j], m.Moves[i]
	})
	return m
}

// drawMatch plays random moves, among them passes, until the match ends or is
// long enough.
func drawMatch(t *rapid.T, r match.Rules, longest int) *match.Match {
	m := &match.Match{Rules: r, Status: match.Active}
	near := rapid.Bool().Draw(t, "close together")
	for range rapid.IntRange(0, longest).Draw(t, "moves") {
		p := m.Position()
		cells := p.Legal()
		if near { // wins are rare among cells far from each other
			cells = p.Likely()[:min(len(cells), 5)]
		}
		at := rapid.SampledFrom(cells).Draw(t, "cell")
		if r.MayPass() && rapid.IntRange(0, 19).Draw(t, "pass") == 0 {
			at = match.Pass
		}
		if move(t, m, at); m.Status.Over() {
			break
		}
	}
	return m
}

// matches are some random matches by the given rules, and some that are not: the
// same each time, and not many, as pictures are slow to take apart.
func matches(t *testing.T, n, longest int, rules ...match.Rules) []*match.Match {
	t.Helper()
	g := rapid.Custom(func(t *rapid.T) *match.Match {
		return drawMatch(t, rapid.SampledFrom(rules).Draw(t, "rules"), longest)
	})
	out := []*match.Match{
		played(t, gomoku(15), ""),
		played(t, gomoku(15), "d4 a1 e5 pass f6 e1 g7 g1 h8"),
		played(t, gomoku(19), "s19 a1 pass pass"),
	}
	for seed := range n {
		out = append(out, g.Example(seed))
	}
	return out
}

// layout is where the cells of a picture are, in pixels.
type layout struct{ side, pitch, margin int }

// The layouts as they should be, by the side of the board.
var (
	stills = map[int8]layout{3: {3, 180, 62}, 15: {15, 44, 33}, 19: {19, 38, 33}}
	films  = map[int8]layout{3: {3, 120, 42}, 15: {15, 36, 27}, 19: {19, 32, 27}}
)

func (l layout) width() int { return l.side*l.pitch + 2*l.margin }

// spot is a place in a cell, in sides of a cell from its middle, to the right
// and down.
func (l layout) spot(at match.Point, right, down float64) image.Point {
	x := float64(l.margin) + (float64(at.Col)+0.5+right)*float64(l.pitch)
	y := float64(l.margin) + (float64(l.side-1-int(at.Row))+0.5+down)*float64(l.pitch)
	return image.Pt(int(x), int(y))
}

// The kinds of colour that the pictures are made of.
const (
	wooden = "wood"
	dark   = "black"
	light  = "white"
	red    = "red"
	green  = "green"
	brown  = "line"
	blue   = "blue"
	pale   = "pale"
	other  = "other"
)

// kind names a pixel's colour.
func kind(img image.Image, p image.Point) string {
	c := color.NRGBAModel.Convert(img.At(p.X, p.Y)).(color.NRGBA)
	r, g, b := int(c.R), int(c.G), int(c.B)
	least, most := min(r, g, b), max(r, g, b)
	switch {
	case c.A != 255:
		return other
	case most-least < 30 && most < 120:
		return dark
	case most-least < 30 && least > 180:
		return light
	case r > 150 && g < 80 && b < 80:
		return red
	case g > 170 && r < 90:
		return green
	case b > r+60 && r < 90:
		return blue
	case r > 240 && g > 215 && b > 160:
		return pale
	case r > 205 && g > 160 && g < 200 && b > 80 && b < 140:
		return wooden
	case r < 150 && r > g+15 && g > b+15:
		return brown
	}
	return other
}

func decoded(t rapid.TB, v render.View) image.Image {
	t.Helper()
	b, err := picture.PNG(v)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// board is a picture of a gomoku match, with where its cells are.
type board struct {
	image.Image
	layout
}

func (b board) kind(at match.Point, right, down float64) string {
	return kind(b.Image, b.spot(at, right, down))
}

// check compares a picture with the match it shows, cell by cell; forbidden are
// the cells that should be marked as such.
func (b board) check(t rapid.TB, m *match.Match, forbidden []match.Point) {
	t.Helper()
	barred, struck := map[match.Point]bool{}, map[match.Point]bool{}
	for _, at := range forbidden {
		barred[at] = true
	}
	for _, at := range m.Line() {
		struck[at] = true
	}
	last, has := m.LastStone()
	p, r := m.Position(), m.Rules
	for i := range r.Cells() {
		at := match.Point{Col: int8(i % int(r.Cols)), Row: int8(i / int(r.Cols))}
		// Beside the middle, where no mark and no line of the board reaches.
		body := map[match.Stone]string{match.Empty: wooden, match.Black: dark, match.White: light}[p.At(at)]
		if got := b.kind(at, 0.33, 0.14); got != body {
			t.Errorf("%v is %s, want %s", at, got, body)
		}
		middle := body
		switch {
		case struck[at]:
			middle = green
		case barred[at], has && at == last && len(struck) == 0:
			middle = red
		case body == wooden:
			middle = brown
		}
		if got := b.kind(at, 0, 0); got != middle {
			t.Errorf("the middle of %v is %s, want %s", at, got, middle)
		}
	}
}

func point(t testing.TB, s string) match.Point {
	t.Helper()
	at, err := gomoku(19).ParsePoint(s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
