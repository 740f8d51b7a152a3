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
		{name: "the open end of four", side: 15, moves: "d8 a1 e8 c1 f8 o15 g8", holds: "g8 h8"},
		{name: "gap in four at the edge", side: 19, moves: "j10 a15 j12 a16 l10 a18 l12 a19", holds: "a17 a19"},
		{name: "last stone far from the other side's four", side: 15, moves: "h8 a1 j8 b2 l8 c3 n10 d4 h14", holds: "h14"},
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
				if !holds(w, at) {
					t.Errorf("the window at %v does not hold %v", match.Point(w), at)
				}
			}
		})
	}
}

// The window is always on the board and holds the last stone, against Rowbot the
// person's; none that does is hotter.
func TestWindowOnIsHottest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMatch(t, rapid.SampledFrom(large).Draw(t, "rules"))
		v := render.Of(m)
		w := render.WindowOn(v)
		if !w.Fits(m.Rules) {
			t.Fatalf("%+v is not on the board", w)
		}
		if !v.HasLast {
			return
		}
		home := v.Last
		if m.AgainstEngine() {
			for i, at := range m.Moves {
				if !at.IsPass() && !m.Seats[i%2].IsEngine() {
					home = at
				}
			}
		}
		heat := v.Position.Heat()
		warmth := func(w render.Window) (sum int, holds bool) {
			for i := range int8(25) {
				at := match.Point{Col: w.Col + i%5, Row: w.Row + i/5}
				sum += int(heat.At(at))
				holds = holds || at == home
			}
			return sum, holds
		}
		most, holds := warmth(w)
		if !holds {
			t.Fatalf("the window at %v does not hold %v", match.Point(w), home)
		}
		for col := range m.Rules.Cols - 4 {
			for row := range m.Rules.Rows - 4 {
				other := render.Window{Col: col, Row: row}
				if sum, holds := warmth(other); holds && sum > most {
					t.Fatalf("the window at %v has %d, that at %v has %d", match.Point(w), most, match.Point(other), sum)
				}
			}
		}
	})
}

// Against Rowbot the window stays with the person's stones, wherever it answers.
func TestWindowGoesByThePerson(t *testing.T) {
	for _, c := range []struct {
		name, moves, holds string
		rowbot             int // the seat that Rowbot has
	}{
		{"person first", "h8 a1 h9 o15", "h9", 1},
		{"Rowbot first", "a1 h8 o15", "h8", 0},
		{"only Rowbot's stone", "c13", "c13", 0},
		{"the person passed", "h8 a1 pass o15", "h8", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := played(t, gomoku(15), c.moves)
			m.Seats[c.rowbot] = match.Engine(match.Random)
			if w, at := render.WindowOn(render.Of(m)), cell(t, gomoku(15), c.holds); !holds(w, at) {
				t.Errorf("the window at %v does not hold %v", match.Point(w), at)
			}
		})
	}
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

func TestFits(t *testing.T) {
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
}

// holds reports whether a cell lies inside a window, which is five cells wide and high.
func holds(w render.Window, p match.Point) bool {
	return p.Col >= w.Col && p.Col <= w.Col+4 && p.Row >= w.Row && p.Row <= w.Row+4
}
