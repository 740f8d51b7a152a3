package match_test

import (
	"testing"

	"pgregory.net/rapid"

	"rowbot/match"
)

func TestRandomMoveIsLegalAndSettled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRules.Draw(t, "rules")
		seed := rapid.Uint64().Draw(t, "seed")
		p := r.Start()
		for _, at := range anyMoves(t, r) {
			p, _, _ = step(t, p, at)
		}
		if p.Full() {
			return
		}
		was := p
		at := match.RandomMove(&p, seed)
		if p != was {
			t.Fatal("choosing changed the position")
		}
		if at.IsPass() && len(p.Legal()) == 0 && r.Variant == match.Renju {
			return
		}
		if !r.Contains(at) || p.At(at) != match.Empty || p.Forbidden(at) != "" {
			t.Fatalf("(%d, %d) cannot be played", at.Col, at.Row)
		}
		copied := p
		if again := match.RandomMove(&copied, seed); again != at {
			t.Fatalf("first %v, then %v", at, again)
		}
	})
}

// TestRandomMoveIsUniform counts the choices over many seeds that follow each
// other. The bounds on chi-square lie far outside of what luck does (six
// standard deviations); the seeds are fixed, so the outcome is too.
func TestRandomMoveIsUniform(t *testing.T) {
	for _, test := range []struct {
		name, rules, moves string
		seeds              int
		most               float64
	}{
		{"empty 3x3", "ttt", "", 9000, 8 + 6*4},
		{"3x3 after three moves", "ttt", "b2 a1 c3", 6000, 5 + 6*3.2},
		{"3x3, two cells left", "ttt", "a1 b1 c1 a2 b2 c2 a3", 2000, 1 + 6*1.5},
		{"15x15 after two moves", "15 freestyle", "h8 a1", 22300, 222 + 6*21.1},
		{"renju, with forbidden cells", "15 renju", "h8 a1 h9 a2 i10 a3 j10", 21700, 216 + 6*20.8},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := match.Match{Rules: allRules[test.rules], Moves: cells(test.moves)}
			p := m.Position()
			counts := map[match.Point]int{}
			for seed := range test.seeds {
				counts[match.RandomMove(&p, uint64(seed))]++
			}
			empties := p.Legal()
			mean := float64(test.seeds) / float64(len(empties))
			chi, seen := 0.0, 0
			for _, at := range empties {
				d := float64(counts[at]) - mean
				chi += d * d / mean
				seen += counts[at]
			}
			if seen != test.seeds {
				t.Errorf("%d of %d choices are empty cells", seen, test.seeds)
			}
			if chi > test.most {
				t.Errorf("chi-square %.1f, at most %.1f wanted: %v", chi, test.most, counts)
			}
		})
	}
}

// TestOneSeedServesAWholeMatch plays one match by one seed to the end, on every
// board: each cell is played once, the last empty one too, and in no plain order.
func TestOneSeedServesAWholeMatch(t *testing.T) {
	for name, r := range allRules {
		t.Run(name, func(t *testing.T) {
			p := r.Start()
			inOrder := 0
			for range 2 * r.Cells() {
				if p.Full() {
					break
				}
				at := match.RandomMove(&p, 42)
				if at.IsPass() {
					p = pass(t, p) // renju: all that is left is forbidden
					continue
				}
				if at == p.Empties()[0] {
					inOrder++
				}
				var err error
				if p, _, err = p.Place(at); err != nil {
					t.Fatalf("after %d stones %v: %v", p.Placed(), at, err)
				}
			}
			if !p.Full() || inOrder > r.Cells()/2 {
				t.Errorf("full %t; %d of %d cells were the first empty one", p.Full(), inOrder, r.Cells())
			}
		})
	}
}

// TestRandomSides accepts many challenges that leave the sides to chance.
func TestRandomSides(t *testing.T) {
	const many = 4000
	first := 0
	for seed := range uint64(many) {
		m := challenge("ttt", bob, match.SideRandom)
		m.Seed = seed
		started, err := m.Apply(match.Accept{}, bob, noon)
		if err != nil {
			t.Fatal(err)
		}
		again, err := m.Apply(match.Accept{}, bob, noon)
		if err != nil || again.Seats != started.Seats {
			t.Fatalf("seed %d: seats %v, then %v, error %v", seed, started.Seats, again.Seats, err)
		}
		switch started.Seats {
		case [2]match.Player{alice, bob}:
			first++
		case [2]match.Player{bob, alice}:
		default:
			t.Fatalf("seed %d: seats %v", seed, started.Seats)
		}
	}
	// Six standard deviations of a fair coin.
	if first < many/2-190 || first > many/2+190 {
		t.Errorf("the challenger is first in %d of %d matches", first, many)
	}
}
