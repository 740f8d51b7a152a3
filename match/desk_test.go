package match_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"rowbot/match"
)

// bench is a service on a memory, with a clock and luck in the test's hand.
type bench struct {
	*match.Service

	memory *memory
	now    time.Time
	seed   uint64
}

func newBench() *bench {
	b := &bench{memory: newMemory(), now: noon, seed: 7}
	b.Service = &match.Service{
		Store:  b.memory,
		Now:    func() time.Time { return b.now },
		Seed:   func() uint64 { return b.seed },
		Expiry: expiry,
	}
	return b
}

// stored returns a match as the store has it.
func (b *bench) stored(t testing.TB, id match.ID) match.Match {
	t.Helper()
	b.memory.mu.Lock()
	defer b.memory.mu.Unlock()
	m, ok := b.memory.state.matches[id]
	if !ok {
		t.Fatalf("no match %s is stored", id)
	}
	return m
}

// start stores a match between the two, the first of them on the first side.
func (b *bench) start(t testing.TB, id match.ID, rules string, first, second match.Player, w match.Where) match.Match {
	t.Helper()
	m, err := b.Challenge(t.Context(), match.Proposal{
		ID: id, Rules: allRules[rules], Challenger: first, Opponent: second, Side: match.SideFirst, Pace: pace, Where: w,
	})
	if err != nil {
		t.Fatalf("challenge: %v", err)
	}
	if second.IsEngine() {
		return m
	}
	return b.act(t, match.Deed{Match: id, By: second, Action: match.Accept{}})
}

// act carries a deed out that has to be taken.
func (b *bench) act(t testing.TB, d match.Deed) match.Match {
	t.Helper()
	m, err := b.Act(t.Context(), d)
	if err != nil {
		t.Fatalf("%T by %v: %v", d.Action, d.By, err)
	}
	return m
}

// expireDue ends what is due, page by page and past what fails, and returns it
// with the failures.
func (b *bench) expireDue(ctx context.Context) (ended []match.Match, err error) {
	for after := (match.Alarm{}); ; {
		due, listErr := b.Due(ctx, after)
		if err = errors.Join(err, listErr); len(due) == 0 {
			return ended, err
		}
		for _, after = range due {
			m, over, endErr := b.Expire(ctx, after.Match)
			if err = errors.Join(err, endErr); over {
				ended = append(ended, m)
			}
		}
	}
}

// line lets the sides of a tic-tac-toe match move in turn.
func (b *bench) line(t testing.TB, m match.Match, moves string) match.Match {
	t.Helper()
	for _, at := range cells(moves) {
		m = b.act(t, match.Deed{Match: m.ID, Seen: m.Version, By: m.ToMove(), Action: action(at)})
	}
	return m
}
