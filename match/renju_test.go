package match_test

import (
	"testing"

	"rowbot/match"
)

// TestRenjuInAMatch has each kind of forbidden move refused, with nothing
// changed, and then something else played.
func TestRenjuInAMatch(t *testing.T) {
	for _, test := range []struct {
		name, moves, at string
		want            match.Refusal // "" where the move wins
	}{
		{"double three", "i8 a1 j8 a3 h9 a5 h10 a7", "h8", match.DoubleThree},
		{"double four", "i8 a1 j8 a3 k8 a5 h9 a7 h10 a9 h11 a11", "h8", match.DoubleFour},
		{"overline", "c8 a1 d8 a3 e8 a5 g8 a7 h8 a9", "f8", match.Overline},
		{"a five in spite of an overline", "c8 a1 d8 a3 e8 a5 g8 a7 h8 a9 f9 a11 f10 a13 f11 a15 f7 c1", "f8", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := play(t, started(t, "15 renju"), test.moves)
			at := cell(test.at)
			if test.want == "" {
				m = do(t, m, match.Place{At: at}, alice, noon)
				if m.Status != match.Won || m.Winner != match.Black || len(m.Line()) != 5 {
					t.Errorf("status %d, winner %v, line %v", m.Status, m.Winner, m.Line())
				}
				return
			}
			refused(t, m, match.Place{At: at}, alice, noon, test.want)
			m = do(t, m, match.PassTurn{}, alice, noon)
			m = do(t, m, match.Place{At: at}, bob, noon)
			if m.Status != match.Active {
				t.Errorf("status %d after white's stone there", m.Status)
			}
		})
	}
}

func TestRenjuOverlineWinsForWhite(t *testing.T) {
	m := play(t, started(t, "15 renju"), "a1 c8 a3 d8 a5 e8 a7 g8 a9 h8 a11 f8")
	if m.Status != match.Won || m.Winner != match.White || len(m.Line()) != 6 {
		t.Errorf("status %d, winner %v, line %v", m.Status, m.Winner, m.Line())
	}
}

// TestOtherVariantsForbidNothing plays the same stones by the other rules.
func TestOtherVariantsForbidNothing(t *testing.T) {
	for _, rules := range []string{"15 freestyle", "15 standard"} {
		for _, moves := range []string{
			"i8 a1 j8 a3 h9 a5 h10 a7 h8", "i8 a1 j8 a3 k8 a5 h9 a7 h10 a9 h11 a11 h8", "c8 a1 d8 a3 e8 a5 g8 a7 h8 a9 f8",
		} {
			m := play(t, started(t, rules), moves)
			if p := m.Position(); len(p.ForbiddenPoints()) != 0 {
				t.Errorf("%s, %s: %v", rules, moves, p.ForbiddenPoints())
			}
		}
	}
}

// TestRowbotPassesWhereAllIsForbidden leaves black one cell, which would make
// an overline.
func TestRowbotPassesWhereAllIsForbidden(t *testing.T) {
	b := newBench()
	m := b.start(t, "m1", "15 renju", rowbot, alice, where)
	var of [2][]match.Point // pairs of each colour, each row shifted by two
	row := map[int8]int{2: 1, 3: 0, 4: 0, 5: 0, 7: 0, 8: 0, 9: 1}
	for _, at := range every(m.Rules) {
		colour := (int(at.Col) + 2*int(at.Row)) % 4 / 2
		if c, fixed := row[at.Col]; fixed && at.Row == 7 {
			colour = c
		}
		if at != cell("g8") && at != cell("a1") && at != cell("b1") {
			of[colour] = append(of[colour], at)
		}
	}
	m.Moves = nil
	for i := range max(len(of[0]), len(of[1])) {
		for _, cells := range of {
			at := match.Pass
			if i < len(cells) {
				at = cells[i]
			}
			m.Moves = append(m.Moves, at)
		}
	}
	m.Moves = append(m.Moves, cell("a1"))
	if p := m.Position(); p.Turn() != match.White || len(p.Empties()) != 2 {
		t.Fatalf("%v to move, empty %v", p.Turn(), p.Empties())
	}
	b.memory.state.matches["m1"] = m
	m = b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("b1")}})
	if last, _ := m.Last(); last != match.Pass || m.Status != match.Active || m.ToMove() != alice {
		t.Fatalf("Rowbot played %v, status %d\n%s", last, m.Status, written(m.Position()))
	}
	m = b.act(t, match.Deed{Match: "m1", By: alice, Action: match.PassTurn{}})
	if m.Status != match.Drawn || m.Reason != match.ByPasses {
		t.Errorf("status %d, reason %d", m.Status, m.Reason)
	}
}
