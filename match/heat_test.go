package match_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"rowbot/match"
)

// naiveHeat weighs one cell by all stretches of Need cells that it lies in: a
// stretch that one side alone has stones in counts by their number. A cell that
// may not be played has none.
func naiveHeat(p *match.Position, at match.Point) int32 {
	r := p.Rules()
	if p.At(at) != match.Empty || p.Forbidden(at) != "" {
		return 0
	}
	weight := map[int]int32{1: 4, 2: 30, 3: 220, 4: 6000}
	if r.Need == 3 {
		weight = map[int]int32{1: 30, 2: 6000}
	}
	var heat int32
	for _, line := range lines(r) {
		if !slices.Contains(line, at) {
			continue
		}
		black, white := 0, 0
		for _, c := range line {
			switch p.At(c) {
			case match.Black:
				black++
			case match.White:
				white++
			case match.Empty:
			}
		}
		if black == 0 || white == 0 {
			heat += weight[black+white]
		}
	}
	return heat
}

func TestHeatAgreesWithNaiveHeat(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRules.Draw(t, "rules")
		p := r.Start()
		for _, at := range anyMoves(t, r) {
			p, _, _ = step(t, p, at)
		}
		was := p
		heat := p.Heat()
		if p != was {
			t.Fatal("Heat changed the position")
		}
		all := every(r)
		for range 8 {
			at := rapid.SampledFrom(all).Draw(t, "cell")
			if got, want := heat.At(at), naiveHeat(&p, at); got != want {
				t.Fatalf("%v: %d, want %d", at, got, want)
			}
		}
	})
}

// TestHeatOfEveryCell compares whole boards, edges and corners included.
func TestHeatOfEveryCell(t *testing.T) {
	for name, moves := range map[string]string{
		"ttt":          "b2 a1 c3",
		"15 freestyle": "h8 a1 o15 a15 o1 pass h1 a8 o8 h15 b2 n14",
	} {
		t.Run(name, func(t *testing.T) {
			m := match.Match{Rules: allRules[name], Moves: cells(moves)}
			p := m.Position()
			heat := p.Heat()
			for _, at := range every(p.Rules()) {
				if got, want := heat.At(at), naiveHeat(&p, at); got != want {
					t.Errorf("%v: %d, want %d", at, got, want)
				}
			}
		})
	}
}

func TestLikelyListsEveryLegalCellOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRules.Draw(t, "rules")
		p := r.Start()
		for _, at := range anyMoves(t, r) {
			p, _, _ = step(t, p, at)
		}
		likely := p.Likely()
		heat := p.Heat()
		for i := range likely[:max(0, len(likely)-1)] {
			if heat.At(likely[i]) < heat.At(likely[i+1]) {
				t.Fatalf("%v (%d) stands before %v (%d)", likely[i], heat.At(likely[i]), likely[i+1], heat.At(likely[i+1]))
			}
		}
		legal := slices.DeleteFunc(every(r), func(at match.Point) bool { return p.At(at) != match.Empty || p.Forbidden(at) != "" })
		if got, want := sorted(likely), sorted(legal); !slices.Equal(got, want) || !slices.Equal(p.Legal(), legal) {
			t.Fatalf("likely %v, legal %v, want %v", got, p.Legal(), want)
		}
	})
}

func TestLikelyFirst(t *testing.T) {
	for _, test := range []struct {
		name, rules, board string
		turn               match.Stone
		want               string // any of these
	}{
		{"ttt empty", "ttt", "...", match.Black, "b2"},
		{"15 empty", "15 freestyle", ".", match.Black, "h8"},
		{"19 empty", "19 standard", ".", match.Black, "j10"},
		{"ttt completes", "ttt", "XX. .O. O..", match.Black, "c3"},
		{"ttt prevents", "ttt", "O.. ... XX.", match.White, "c1"},
		{"a four open on one side", "15 freestyle", "OXXXX.", match.Black, "f1"},
		{"a four open on both sides", "15 freestyle", ".OOOO.", match.Black, "a1 f1"},
		{"a four with a gap", "15 freestyle", "XX.XX ..... OOO..", match.White, "c3"},
		{"a four before a three of one's own", "19 freestyle", ".XXX.. ...... .OOOO.", match.Black, "a1 f1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := draw(t, "a1", test.board).set(t, allRules[test.rules], test.turn)
			if got := p.Likely()[0]; !slices.Contains(cells(test.want), got) {
				t.Errorf("%v comes first, want one of %s", got, test.want)
			}
		})
	}
	t.Run("forbidden", func(t *testing.T) {
		p, want := drawnRenju(t, "h8", "....... ...X... ...X... .XX3... .......")
		if len(want) != 1 || p.Heat().At(cell("k9")) != 0 || slices.Contains(p.Likely(), cell("k9")) {
			t.Errorf("%v is likely", want)
		}
		p = pass(t, p)
		if first := p.Likely()[0]; first != cell("k9") {
			t.Errorf("white may play k9, the hottest, but %v comes first", first)
		}
	})
	t.Run("near the centre", func(t *testing.T) {
		p := allRules["15 freestyle"].Start()
		likely := p.Likely()
		if got, want := sorted(likely[:9]), sorted(cells("g7 g8 g9 h7 h8 h9 i7 i8 i9")); !slices.Equal(got, want) {
			t.Errorf("first nine %v, want %v", got, want)
		}
	})
	t.Run("nothing is left", func(t *testing.T) {
		p := draw(t, "a1", "XOX XOO OXX").set(t, allRules["ttt"], match.White)
		if got := p.Likely(); len(got) != 0 {
			t.Errorf("%v", got)
		}
	})
}
