package engine_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/match/engine"
)

var gomokuLevels = []match.Level{match.Random, match.Easy, match.Medium, match.Hard, match.Master}

// placed makes a position of moves in turn, of which "pass" may be one.
func placed(t testing.TB, rules match.Rules, moves string) match.Position {
	m := match.Match{Rules: rules}
	for f := range strings.FieldsSeq(moves) {
		p := match.Pass
		if f != "pass" {
			var err error
			if p, err = rules.ParsePoint(f); err != nil {
				t.Fatal(err)
			}
		}
		m.Moves = append(m.Moves, p)
	}
	return m.Position()
}

func standard(side int8) match.Rules  { return match.GomokuRules(side, match.Standard) }
func freestyle(side int8) match.Rules { return match.GomokuRules(side, match.Freestyle) }
func renju(side int8) match.Rules     { return match.GomokuRules(side, match.Renju) }

// TestMustPlay has positions with only one sensible move, or a few, for levels
// that think.
func TestMustPlay(t *testing.T) {
	for _, test := range []struct {
		name  string
		rules match.Rules
		moves string
		want  string // empty: any legal move
		not   string
	}{
		{"takes five", freestyle(15), "h8 a1 i8 a2 j8 c3 k8 a4", "g8 l8", ""},
		{"takes five before stopping one", freestyle(15), "h8 b1 i8 b2 j8 b3 k8 b4", "g8 l8", ""},
		{"stops a four", freestyle(15), "h8 g8 i8 a2 j8 c3 k8", "l8", ""},
		{"stops a broken four", freestyle(15), "h8 a1 i8 a2 k8 c3 l8", "j8", ""},
		{"a four stopped on both sides is none", freestyle(15), "h8 g8 i8 l8 j8 c3 k8 c4 a15 c5 o1", "c2 c6", ""},
		{"overline wins in freestyle", freestyle(15), "h8 a1 i8 a3 j8 c5 l8 e1 m8 g1", "k8", ""},
		{"a five where an overline is none", standard(15), "h8 a1 i8 a3 j8 c5 l8 e1 m8 g1 h9 a15 h10 c15 h11 e15", "h12 h7", "k8"},
		{"an overline is no threat", standard(15), "h8 c3 i8 c4 j8 c5 l8 a1 m8 pass g2", "c2 c6", "k8"},
		{"black may not make an overline", renju(15), "h8 a1 i8 a3 j8 c5 l8 e1 m8 g1", "", "k8"},
		{"black makes five all the same", renju(15), "h8 a1 i8 a3 j8 c5 l8 e1 m8 g1 k7 a15 k6 c15 k9 e15 k5 g15", "k8 k4", ""},
		{"the left edge", freestyle(15), "a4 c9 a5 d9 a6 e9 a7 k2", "a3 a8", ""},
		{"the corner", freestyle(15), "a1 c9 b2 d9 c3 e10 d4 k2", "e5", ""},
		{"the upper edge of 19", freestyle(19), "s19 c9 r19 d9 q19 e10 p19 k2", "o19", ""},
		{"the corner of 20", freestyle(20), "t20 c9 s19 d9 r18 e10 q17 k2", "p16", ""},
		{"black to move on an odd board", freestyle(15), "h8 pass i8 pass j8 a1 k8 pass", "g8 l8", ""},
		{"white to move on an even board", freestyle(15), "a1 h8 pass i8 pass j8 pass k8 c3", "g8 l8", ""},
		{"every move loses", freestyle(15), "h8 a1 i8 a3 j8 c5 k8", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			e := new(engine.Engine)
			p := placed(t, test.rules, test.moves)
			for _, level := range []match.Level{match.Hard, match.Master} {
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
				at, err := e.Choose(ctx, &p, level, 1)
				cancel()
				if err != nil {
					t.Fatal(err)
				}
				if _, _, err := p.Place(at); err != nil {
					t.Errorf("%s: %s: %v", level, at, err)
				}
				name := at.String()
				if test.want != "" && !slices.Contains(strings.Fields(test.want), name) || name == test.not {
					t.Errorf("%s plays %s, not %s", level, name, test.want)
				}
			}
		})
	}
}

// TestEnded asks with a context that is over, and with one that is over at once.
func TestEnded(t *testing.T) {
	p := placed(t, freestyle(15), "h8 i9 j8 g7 h10")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	past, cancelPast := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancelPast()
	e := &engine.Engine{Now: func() time.Time { return time.Unix(1, 0) }}
	for _, ctx := range []context.Context{ended, past} {
		for _, level := range gomokuLevels {
			at, err := e.Choose(ctx, &p, level, 3)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := p.Place(at); err != nil {
				t.Errorf("%s plays %s: %v", level, at, err)
			}
		}
	}
}

// TestLastCells fills boards but for one or no cell, without a five.
func TestLastCells(t *testing.T) {
	e := new(engine.Engine)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, rules := range []match.Rules{freestyle(15), standard(19), renju(15), freestyle(20)} {
		m := match.Match{Rules: rules}
		var of [2][]match.Point // rows of pairs, shifted by two from row to row
		for i := range rules.Cells() {
			at := match.Point{Col: int8(i) % rules.Cols, Row: int8(i / int(rules.Cols))}
			if rules.Cols > 11 {
				at = match.Point{Col: int8(i % int(rules.Cols)), Row: int8(i / int(rules.Cols))}
			}
			side := (int(at.Col)/2 + int(at.Row)) % 2
			of[side] = append(of[side], at)
		}
		for i := range max(len(of[0]), len(of[1])) {
			for _, s := range of {
				if i < len(s) {
					m.Moves = append(m.Moves, s[i])
				} else {
					m.Moves = append(m.Moves, match.Pass)
				}
			}
		}
		full := m.Position()
		last := len(m.Moves) - 1
		for m.Moves[last].IsPass() {
			last--
		}
		free := m.Moves[last]
		m.Moves = m.Moves[:last]
		almost := m.Position()
		for _, level := range gomokuLevels {
			if at, err := e.Choose(ended, &full, level, 1); !errors.Is(err, engine.ErrNoMove) {
				t.Errorf("%v: a full board: %s, %v", rules, at, err)
			}
			if at, err := e.Choose(t.Context(), &almost, level, 1); err != nil || at != free {
				t.Errorf("%v: %s plays %s, %v on the last cell, %s", rules, level, at, err, free)
			}
		}
	}
}

// TestThreeAlways asks tic-tac-toe's levels in every position of it.
func TestThreeAlways(t *testing.T) {
	e := new(engine.Engine)
	seen := map[match.Position]bool{}
	var walk func(p match.Position)
	walk = func(p match.Position) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, level := range []match.Level{match.Random, match.Easy, match.Medium, match.Perfect} {
			at, err := e.Choose(t.Context(), &p, level, 5)
			if p.Full() {
				if !errors.Is(err, engine.ErrNoMove) {
					t.Fatalf("%s on a full board: %s, %v", level, at, err)
				}
				continue
			}
			if _, _, placing := p.Place(at); err != nil || placing != nil {
				t.Fatalf("%s: %s, %v, %v", level, at, err, placing)
			}
		}
		for _, at := range p.Empties() {
			if next, won, _ := p.Place(at); !won {
				walk(next)
			}
		}
	}
	walk(match.TicTacToeRules().Start())
}

func TestUnknownLevel(t *testing.T) {
	e := new(engine.Engine)
	for rules, level := range map[match.Rules]match.Level{match.TicTacToeRules(): match.Master, freestyle(15): match.Perfect, standard(15): match.NoLevel} {
		p := rules.Start()
		if at, err := e.Choose(t.Context(), &p, level, 1); err == nil {
			t.Errorf("level %d plays %s", level, at)
		}
	}
}

// TestRepeats asks twice for each move: the same seed gives the same move, and
// over many seeds there is more than one.
func TestRepeats(t *testing.T) {
	a, b := new(engine.Engine), new(engine.Engine)
	for _, level := range []match.Level{match.Random, match.Easy, match.Medium, match.Hard} {
		moves := map[match.Point]bool{}
		p := placed(t, freestyle(15), "h8 i9")
		for seed := range max(uint64(6), 12/share) {
			one, _ := a.Choose(t.Context(), &p, level, seed)
			for range 2 {
				if two, _ := b.Choose(t.Context(), &p, level, seed); one != two {
					t.Errorf("%s with seed %d plays %s, then %s", level, seed, one, two)
				}
			}
			moves[one] = true
		}
		if len(moves) < 2 {
			t.Errorf("%s plays %v whatever the seed", level, moves)
		}
	}
}

// TestAgreedLegal asks in positions of renju where black has forbidden points.
func TestAgreedLegal(t *testing.T) {
	data, err := os.ReadFile("../testdata/renju_forbidden.txt")
	if err != nil {
		t.Fatal(err)
	}
	e := new(engine.Engine)
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if i%(5*share) > 0 {
			continue
		}
		p := agreed(t, line)
		for _, level := range []match.Level{match.Easy, match.Hard} {
			at, err := e.Choose(t.Context(), &p, level, uint64(i))
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := p.Place(at); err != nil {
				t.Errorf("position %d: %s plays %s: %v", i+1, level, at, err)
			}
		}
	}
}

// agreed reads black's and white's stones, run together.
func agreed(t testing.TB, line string) match.Position {
	f := strings.Fields(line)
	var moves []string
	black, white := apart(f[0]), apart(f[1])
	for i := range max(len(black), len(white)) {
		for _, of := range [][]string{black, white} {
			if i < len(of) {
				moves = append(moves, of[i])
			} else {
				moves = append(moves, "pass")
			}
		}
	}
	return placed(t, renju(15), strings.Join(moves, " "))
}

// apart cuts cells that are run together, such as "h8k10".
func apart(s string) (out []string) {
	for s != "" {
		n := 1
		for n < len(s) && s[n] <= '9' {
			n++
		}
		out, s = append(out, s[:n]), s[n:]
	}
	return out
}
