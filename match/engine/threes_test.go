package engine_test

import (
	"testing"

	"rowbot/match"
	"rowbot/match/engine"
)

// duel plays games between two levels, each beginning half of them, and counts
// what the first one wins and loses.
func duel(t testing.TB, rules match.Rules, a, b match.Level, games int) (won, lost int) {
	e := new(engine.Engine)
	for g := range games {
		p, players := rules.Start(), [2]match.Level{a, b}
		if g%2 == 1 {
			players = [2]match.Level{b, a}
		}
		for n := 0; !p.Full(); n++ {
			at, err := e.Choose(t.Context(), &p, players[n%2], uint64(g))
			if err != nil {
				t.Fatal(err)
			}
			var five bool
			if p, five, err = p.Place(at); err != nil {
				t.Fatalf("%s plays %s: %v", players[n%2], at, err)
			}
			if five {
				if players[n%2] == a {
					won++
				} else {
					lost++
				}
				break
			}
		}
	}
	return won, lost
}

func TestThreeLevels(t *testing.T) {
	for _, pair := range [][2]match.Level{
		{match.Easy, match.Random}, {match.Medium, match.Easy}, {match.Perfect, match.Medium},
	} {
		won, lost := duel(t, match.TicTacToeRules(), pair[0], pair[1], 1000)
		t.Logf("%s against %s: %d won, %d lost", pair[0], pair[1], won, lost)
		if won < 750 {
			t.Errorf("%s beats %s in %d of 1000 games only, loses %d", pair[0], pair[1], won, lost)
		}
	}
}

// TestPerfect walks through all games against the perfect level, for several
// seeds, and compares each of its moves with the values of a plain search.
func TestPerfect(t *testing.T) {
	e := new(engine.Engine)
	var walk func(p match.Position, engineMoves bool, seed uint64)
	walk = func(p match.Position, engineMoves bool, seed uint64) {
		if p.Full() {
			return
		}
		if engineMoves {
			at, err := e.Choose(t.Context(), &p, match.Perfect, seed)
			if err != nil {
				t.Fatal(err)
			}
			next, won, err := p.Place(at)
			if err != nil {
				t.Fatal(err)
			}
			if best, got := plainValue(p), moveValue(next, won); got != best {
				t.Fatalf("%v: %s is worth %d, the best move %d", p, at, got, best)
			}
			if !won {
				walk(next, false, seed)
			}
			return
		}
		for _, at := range p.Empties() {
			if next, won, _ := p.Place(at); !won {
				walk(next, true, seed)
			}
		}
	}
	for seed := range uint64(5) {
		walk(match.TicTacToeRules().Start(), true, seed)
		walk(match.TicTacToeRules().Start(), false, seed)
	}
}

var plainValues = map[match.Position]int{}

// plainValue is 10 less the plies to a win for the side to move, the opposite
// to a loss, 0 for a draw.
func plainValue(p match.Position) int {
	if p.Full() {
		return 0
	}
	if v, ok := plainValues[p]; ok {
		return v
	}
	best := -100
	for _, at := range p.Empties() {
		next, won, _ := p.Place(at)
		best = max(best, moveValue(next, won))
	}
	plainValues[p] = best
	return best
}

func moveValue(next match.Position, won bool) int {
	if won {
		return 10
	}
	v := -plainValue(next)
	switch {
	case v > 0:
		return v - 1
	case v < 0:
		return v + 1
	}
	return 0
}

// TestEasyLoses lets a beginner play, who closes lines and stops them but plans
// nothing: the easy level must let them win often.
func TestEasyLoses(t *testing.T) {
	e, lost := new(engine.Engine), 0
	for seed := range uint64(400) {
		p := match.TicTacToeRules().Start()
		for n := seed % 2; !p.Full(); n++ {
			at, err := e.Choose(t.Context(), &p, match.Easy, seed)
			if n%2 == 0 {
				at = beginner(&p, seed)
			}
			next, won, placed := p.Place(at)
			if err != nil || placed != nil {
				t.Fatal(err, placed)
			}
			if p = next; won {
				if n%2 == 0 {
					lost++
				}
				break
			}
		}
	}
	t.Logf("the beginner wins %d of 400", lost)
	if lost < 100 {
		t.Errorf("the beginner wins %d of 400 only", lost)
	}
}

func beginner(p *match.Position, seed uint64) match.Point {
	for _, who := range []match.Stone{p.Turn(), p.Turn().Other()} {
		if c := closing(p, who); len(c) > 0 {
			return c[0]
		}
	}
	return match.RandomMove(p, seed*7+3)
}

// closing lists the cells where a side would close a line of three.
func closing(p *match.Position, who match.Stone) (out []match.Point) {
	lines := [][3]int{{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}}
	at := func(i int) match.Point { return match.Point{Col: int8(i % 3), Row: int8(i / 3)} }
	for _, l := range lines {
		n, free := 0, match.Pass
		for _, i := range l {
			if s := p.At(at(i)); s == who {
				n++
			} else if s == match.Empty {
				free = at(i)
			}
		}
		if n == 2 && !free.IsPass() {
			out = append(out, free)
		}
	}
	return out
}

func BenchmarkPerfect(b *testing.B) {
	e, p := new(engine.Engine), match.TicTacToeRules().Start()
	p, _, _ = p.Place(match.Point{Col: 1, Row: 1})
	for b.Loop() {
		_, _ = e.Choose(b.Context(), &p, match.Perfect, 1)
	}
}
