package bot_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"rowbot/match"
)

// The end of a match by the clock is shown without anybody's click, those
// that fell due while nothing ran first.
func TestSweep(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "a1", "b2")
		time.Sleep(73 * time.Hour)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.bot.Sweep(ctx, time.Minute)
		}()
		synctest.Wait()
		c := w.expect(editBoard)[0]
		if got := w.stored(m.ID); got.Status != match.Won || got.Reason != match.ByTime {
			t.Errorf("status %d, reason %d", got.Status, got.Reason)
		}
		if c.after != 73*time.Hour {
			t.Errorf("drawn after %v", c.after)
		}
		second := w.against(match.Random, board)
		now := time.Now()
		w.store.before(func() { // the round in which this happens changes nothing
			if time.Since(now) <= time.Minute {
				panic("a fault of ours")
			}
		})
		time.Sleep(time.Hour + time.Minute)
		synctest.Wait()
		w.expect(editBoard)
		if got := w.stored(second.ID); got.Status != match.Closed {
			t.Errorf("status %d", got.Status)
		}
		stop()
		<-done
	})
}
