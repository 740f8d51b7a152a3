package match_test

import (
	"testing"

	"rowbot/match"
)

// noRules are rules by which no match is played.
var noRules = []match.Rules{
	{},
	{Cols: 3, Rows: 3, Need: 5},
	{Cols: 3, Rows: 3, Need: 3, Variant: match.Standard},
	{Cols: 15, Rows: 15, Need: 3},
	{Cols: 15, Rows: 19, Need: 5},
	{Cols: 20, Rows: 20, Need: 5},
	{Cols: 13, Rows: 13, Need: 5},
	{Cols: 3, Rows: 3, Need: 3, Variant: match.Renju},
	{Cols: 20, Rows: 20, Need: 5, Variant: match.Renju},
	{Cols: 15, Rows: 15, Need: 5, Variant: 9},
	{Cols: -15, Rows: -15, Need: 5},
}

func TestRules(t *testing.T) {
	for name, want := range allRules {
		t.Run(name, func(t *testing.T) {
			r := match.TicTacToeRules()
			if want.Need == 5 {
				r = match.GomokuRules(want.Cols, want.Variant)
			}
			if r != want || !r.Valid() {
				t.Errorf("%+v, valid %t, want %+v", r, r.Valid(), want)
			}
			game, cells := match.TicTacToe, 9
			if want.Need == 5 {
				game, cells = match.Gomoku, int(want.Cols)*int(want.Cols)
			}
			if r.Game() != game || r.Cells() != cells || r.MayPass() != (game == match.Gomoku) {
				t.Errorf("game %s, %d cells, passing %t", r.Game(), r.Cells(), r.MayPass())
			}
			p := r.Start()
			if p.Rules() != r || p.Turn() != match.Black || p.Placed() != 0 || p.Passes() != 0 || p.Full() {
				t.Errorf("start: %+v", p)
			}
		})
	}
	for _, r := range noRules {
		if r.Valid() {
			t.Errorf("%+v is valid", r)
		}
	}
}

func TestNames(t *testing.T) {
	for want, got := range map[string]string{
		"freestyle":  match.Freestyle.String(),
		"standard":   match.Standard.String(),
		"renju":      match.Renju.String(),
		"variant(9)": match.Variant(9).String(),
		"random":     match.Random.String(),
		"":           match.NoLevel.String(),
		"pass":       match.Pass.String(),
		"a1":         match.Point{}.String(),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if alice.IsEngine() || alice.IsNobody() || !rowbot.IsEngine() || rowbot.IsNobody() || !nobody.IsNobody() || nobody.IsEngine() {
		t.Error("who is who?")
	}
}

// TestWhoIsWho asks a match about people before, during and after it.
func TestWhoIsWho(t *testing.T) {
	asked := challenge("15 freestyle", bob, match.SideFirst)
	open := challenge("15 freestyle", nobody, match.SideFirst)
	running := play(t, started(t, "15 freestyle"), "h8 pass")
	for _, test := range []struct {
		name          string
		m             match.Match
		who, opponent match.Player
		involved      bool
		stone         match.Stone
	}{
		{"challenger", asked, alice, bob, true, match.Empty},
		{"invited", asked, bob, alice, true, match.Empty},
		{"somebody else", asked, carol, alice, false, match.Empty},
		{"challenger of anyone", open, alice, nobody, true, match.Empty},
		{"anyone", open, bob, alice, false, match.Empty},
		{"nobody", open, nobody, alice, false, match.Empty},
		{"first", running, alice, bob, true, match.Black},
		{"second", running, bob, alice, true, match.White},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := test.m
			if m.Opponent(test.who) != test.opponent || m.Involves(test.who) != test.involved || m.StoneOf(test.who) != test.stone {
				t.Errorf("opponent %v, involved %t, stone %v", m.Opponent(test.who), m.Involves(test.who), m.StoneOf(test.who))
			}
		})
	}
	if running.Involves(carol) || running.StoneOf(carol) != match.Empty || running.AgainstEngine() {
		t.Error("a stranger plays")
	}
	if at, ok := running.Last(); at != match.Pass || !ok {
		t.Errorf("last %v, %t", at, ok)
	}
	if at, ok := running.LastStone(); at != cell("h8") || !ok {
		t.Errorf("last stone %v, %t", at, ok)
	}
	if _, ok := asked.Last(); ok {
		t.Error("a last move before the first")
	}
	passed := play(t, started(t, "15 freestyle"), "pass")
	if _, ok := passed.LastStone(); ok {
		t.Error("a last stone before the first")
	}
}
