package engine_test

import (
	"context"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/match/engine"
)

// TestStopsInTime thinks by a clock that goes on by a step each time it is
// read: the search must have stopped well before its deadline, the earlier the
// longer it is kept waiting.
func TestStopsInTime(t *testing.T) {
	p := placed(t, freestyle(15), "h8 i9 j8")
	for _, test := range []struct{ step, left time.Duration }{
		{10 * time.Millisecond, 110 * time.Millisecond},
		{50 * time.Millisecond, 230 * time.Millisecond},
	} {
		start := time.Now().Add(24 * time.Hour) // the real time must not end it
		now := start
		e := &engine.Engine{Now: func() time.Time {
			now = now.Add(test.step)
			return now
		}}
		end := start.Add(2 * time.Second)
		ctx, cancel := context.WithDeadline(t.Context(), end)
		if _, err := e.Choose(ctx, &p, match.Master, 1); err != nil {
			t.Fatal(err)
		}
		cancel()
		if left := end.Sub(now); left < test.left-test.step || left > test.left+2*test.step {
			t.Errorf("with a step of %s it stops %s before the end", test.step, left)
		}
	}
}
