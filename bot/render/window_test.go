package render_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"rowbot/bot/render"
	"rowbot/match"
)

// steps are the four arrows.
var steps = [4][2]int8{
	{-render.WindowSide, 0}, {render.WindowSide, 0}, {0, -render.WindowSide}, {0, render.WindowSide},
}

func cell(t rapid.TB, r match.Rules, s string) match.Point {
	t.Helper()
	at, err := r.ParsePoint(s)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestWindowOn(t *testing.T) {
	for _, c := range []struct {
		name, moves, holds string
		side               int8
	}{
		{name: "centre of 15", side: 15, holds: "f6 h8 j10"},
		{name: "centre of 19", side: 19, holds: "h8 j10 l12"},
		{name: "after passes", side: 15, moves: "pass", holds: "f6 h8 j10"},
		{name: "first stone in the middle", side: 15, moves: "h8", holds: "h8"},
		{name: "first stone in a corner", side: 15, moves: "a1", holds: "a1"},
		{name: "first stone in the far corner", side: 19, moves: "s19", holds: "s19"},
		{name: "last stone off the play", side: 19, moves: "j10 d4", holds: "d4"},
		{name: "both ends of four", side: 15, moves: "d8 a1 e8 c1 f8 o15 g8 o1", holds: "h8"},
		{name: "gap in four at the edge", side: 19, moves: "a15 j10 a16 j12 a18 l10 a19 l12", holds: "a17"},
		{name: "the other side's four", side: 15, moves: "h8 a1 j8 b2 l8 c3 n10 d4 h14", holds: "e5"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := gomoku(c.side)
			w := render.WindowOn(view(t, r, c.moves))
			if !w.Fits(r) {
				t.Fatalf("%+v is not on the board", w)
			}
			list, err := r.ParseMoves(c.holds)
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range list {
				if !w.Holds(at) {
					t.Errorf("the window at %v does not hold %v", match.Point(w), at)
				}
			}
		})
	}
}

// The window is always on the board, and none is hotter: the sum of the heat of
// its cells, with the last stone's share.
func TestWindowOnIsHottest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMatch(t, rapid.SampledFrom(large).Draw(t, "rules"))
		v := render.Of(m)
		w := render.WindowOn(v)
		if !w.Fits(m.Rules) {
			t.Fatalf("%+v is not on the board", w)
		}
		heat := v.Position.Heat()
		warmth := func(w render.Window) (sum int) {
			for i := range int8(25) {
				at := match.Point{Col: w.Col + i%5, Row: w.Row + i/5}
				sum += int(heat.At(at))
				if v.HasLast && at == v.Last {
					sum += 60
				}
			}
			return sum
		}
		most := warmth(w)
		for col := range m.Rules.Cols - 4 {
			for row := range m.Rules.Rows - 4 {
				if other := (render.Window{Col: col, Row: row}); v.HasLast && warmth(other) > most {
					t.Fatalf("the window at %v has %d, that at %v has %d", match.Point(w), most, match.Point(other), warmth(other))
				}
			}
		}
	})
}

func TestWindowOnIsSteady(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMatch(t, rapid.SampledFrom(large).Draw(t, "rules"))
		if a, b := render.WindowOn(render.Of(m)), render.WindowOn(render.Of(m)); a != b {
			t.Errorf("the same match is shown through %+v and %+v", a, b)
		}
	})
}

// From any window, the arrows lead to windows that together hold every cell.
func TestEveryCellInReach(t *testing.T) {
	for _, r := range []match.Rules{gomoku(15), gomoku(19)} {
		for _, start := range windows(r) {
			seen := map[render.Window]bool{start: true}
			for todo := []render.Window{start}; len(todo) > 0; todo = todo[1:] {
				for _, s := range steps {
					if to := todo[0].Shift(s[0], s[1], r); !seen[to] {
						seen[to] = true
						todo = append(todo, to)
					}
				}
			}
			p := r.Start()
			for _, at := range p.Empties() {
				if !held(seen, at) {
					t.Fatalf("on %d, from %v, no arrows lead to %v", r.Cols, match.Point(start), at)
				}
			}
		}
	}
}

func held(seen map[render.Window]bool, at match.Point) bool {
	for w := range seen {
		if at.Col >= w.Col && at.Col < w.Col+5 && at.Row >= w.Row && at.Row < w.Row+5 {
			return true
		}
	}
	return false
}

func windows(r match.Rules) (all []render.Window) {
	for col := range r.Cols - 4 {
		for row := range r.Rows - 4 {
			all = append(all, render.Window{Col: col, Row: row})
		}
	}
	return all
}

func TestShift(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(large).Draw(t, "rules")
		w := rapid.SampledFrom(windows(r)).Draw(t, "window")
		s := rapid.SampledFrom(steps[:]).Draw(t, "arrow")
		to := w.Shift(s[0], s[1], r)
		if !to.Fits(r) {
			t.Fatalf("%+v shifted by %v is %+v, off the board", w, s, to)
		}
		// It moves that way and no other, by five or up to the edge.
		for _, d := range [][4]int8{{w.Col, to.Col, s[0], r.Cols}, {w.Row, to.Row, s[1], r.Rows}} {
			want := min(max(d[0]+d[2], 0), d[3]-5)
			if d[1] != want {
				t.Errorf("%+v shifted by %v is %+v", w, s, to)
			}
		}
	})
}

func TestFitsAndHolds(t *testing.T) {
	for _, r := range []match.Rules{gomoku(15), gomoku(19)} {
		all := windows(r)
		for col := int8(-6); col < r.Cols+6; col++ {
			for row := int8(-6); row < r.Rows+6; row++ {
				w := render.Window{Col: col, Row: row}
				if w.Fits(r) != slices.Contains(all, w) {
					t.Errorf("%+v on %d: Fits is %v", w, r.Cols, w.Fits(r))
				}
			}
		}
	}
	w := render.Window{Col: 3, Row: 7}
	for at, want := range map[string]bool{"d8": true, "h12": true, "h8": true, "d12": true, "c8": false, "i8": false, "d7": false, "d13": false} {
		if w.Holds(cell(t, gomoku(15), at)) != want {
			t.Errorf("Holds(%s) is not %v", at, want)
		}
	}
}
