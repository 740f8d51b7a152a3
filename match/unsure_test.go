package match_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

// unsure is a memory whose Updates break off during the commit, every other one.
type unsure struct {
	*memory
	done  bool // those have changed everything, else nothing
	calls int
}

func (s *unsure) Update(ctx context.Context, f func(match.Tx) error) error {
	if s.calls++; s.calls%2 == 0 {
		return s.memory.Update(ctx, f)
	}
	before := s.state.clone()
	err := s.memory.Update(ctx, f)
	if !s.done {
		s.state = before
	}
	if err == nil {
		err = match.ErrUnsure
	}
	return err
}

// What people do comes out as if nothing had happened where the store does not know
// whether it was stored.
func TestUnsureCommit(t *testing.T) {
	script := func(s match.Store, m *memory) []match.Match {
		b := newBench()
		b.Store, b.memory = s, m
		m1, err := b.Challenge(t.Context(), match.Proposal{
			ID: "m1", Rules: allRules["ttt"], Challenger: alice, Opponent: bob, Side: match.SideFirst, Pace: pace, Where: where,
		})
		if err != nil {
			t.Fatal(err)
		}
		steps := []match.Match{m1}
		for n, d := range []match.Deed{
			{By: bob, Action: match.Accept{}, Event: "0"},
			{By: alice, Action: match.Place{}, Event: "1"},
			{By: bob, Action: match.Place{At: match.Point{Col: 1}}, Event: "2"},
			{By: alice, Action: match.OfferDraw{}, Event: "3"},
			{By: bob, Action: match.Resign{}, Event: "4"},
		} {
			d.Match, d.Seen = "m1", m1.Version+match.Version(n)
			steps = append(steps, b.act(t, d))
		}
		again, err := b.Rematch(t.Context(), "m1", "m2", alice, where)
		if err != nil {
			t.Fatal(err)
		}
		return append(steps, again, b.stored(t, "m1"), b.stored(t, "m2"))
	}
	sure := newMemory()
	want := script(sure, sure)
	for _, done := range []bool{false, true} {
		m := newMemory()
		got := script(&unsure{memory: m, done: done}, m)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("where it was done is %t (-want +got)\n%s", done, diff)
		}
		if diff := cmp.Diff(sure.state.records, m.state.records); diff != "" {
			t.Errorf("records where it was done is %t (-want +got)\n%s", done, diff)
		}
	}
}
