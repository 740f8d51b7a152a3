package match_test

import (
	"slices"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"rowbot/match"
)

// guarded is a match as it was, to see whether something wrote into it.
type guarded struct {
	as    match.Match
	whole []match.Point
}

var mark = match.Point{Col: 99, Row: 99}

// guard gives a match's moves room to grow, filled with marks, and remembers all.
func guard(m *match.Match) guarded {
	roomy := append(slices.Clone(m.Moves), mark, mark, mark)
	m.Moves = roomy[:len(m.Moves)]
	as := *m
	as.Moves = slices.Clone(m.Moves)
	return guarded{as, slices.Clone(roomy)}
}

func (g guarded) check(t *rapid.T, m *match.Match) {
	if diff := cmp.Diff(g.as, *m); diff != "" {
		t.Fatalf("the old match was changed (-was +is)\n%s", diff)
	}
	if whole := m.Moves[:len(g.whole)]; !slices.Equal(whole, g.whole) {
		t.Fatalf("the old match's moves were written into: %v, was %v", whole, g.whole)
	}
}
