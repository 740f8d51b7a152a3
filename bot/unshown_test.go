package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"rowbot/match"
)

// After a standstill more boards are to be drawn than can be for a long time: those of
// matches that the clock has ended long ago, and of those that it ends now. Of these a
// few are drawn at a time, nothing else waits for them, and all are drawn in the end.
func TestBoardsAfterAStandstill(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		const matches, atOnce = 120, 16
		start := func(n int, prefix string) {
			w.between(fmt.Sprintf("11%016d", n), fmt.Sprintf("12%016d", n), small, fmt.Sprintf("%s%016d", prefix, n), "a1", "b2")
		}
		for n := range matches {
			start(n, "71")
		}
		time.Sleep(73 * time.Hour)
		for range 50 { // these had been ended, but not drawn, when all stood still
			due, err := w.games.Due(t.Context(), match.Alarm{})
			if err != nil || len(due) == 0 {
				break
			}
			for _, d := range due {
				if _, _, err := w.games.Expire(t.Context(), d.Match); err != nil {
					t.Fatal(err)
				}
			}
		}
		for n := range matches {
			start(n, "72")
		}
		time.Sleep(73 * time.Hour)
		played := w.start(small, board, "a1")

		open := make(chan struct{})
		var under, most, drawn atomic.Int32
		w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
			if c.is("PATCH", "…"+board) {
				return nil, nil
			}
			most.Store(max(most.Load(), under.Add(1)))
			defer under.Add(-1)
			<-open
			drawn.Add(1)
			return nil, nil
		})
		synctest.Wait()
		before := runtime.NumGoroutine()
		stop := w.sweeping(time.Minute)
		synctest.Wait()
		if n := under.Load(); n != atOnce {
			t.Errorf("%d boards are being drawn, want %d", n, atOnce)
		}
		if n := runtime.NumGoroutine() - before; n > 4*atOnce {
			t.Errorf("%d goroutines for %d boards", n, 2*matches)
		}
		if due, err := w.games.Due(t.Context(), match.Alarm{}); len(due) != 0 || err != nil {
			t.Errorf("%d matches not ended, error %v", len(due), err)
		}
		began := time.Now()
		if err := w.bot.AwaitBoard(t.Context(), played.ID); err != nil || time.Since(began) != 0 {
			t.Errorf("a board that somebody waits for: %v after %v", err, time.Since(began))
		}
		close(open)
		synctest.Wait()
		if n := drawn.Load(); n != 2*matches {
			t.Errorf("%d boards drawn, want %d", n, 2*matches)
		}
		if n := most.Load(); n != atOnce {
			t.Errorf("%d boards were drawn at once", n)
		}
		if left, err := w.games.Unshown(t.Context(), ""); len(left) > 0 || err != nil {
			t.Errorf("not noted as shown: %v, error %v", left, err)
		}
		stop()
	})
}

// The end of a sweep waits for no board.
func TestSweepEndsWithBoardsUndrawn(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		for n := range 40 {
			w.start(small, fmt.Sprintf("71%016d", n), "a1", "b2")
		}
		time.Sleep(73 * time.Hour)
		w.rest.answer(func(ctx context.Context, _ call, _ int) (json.RawMessage, error) { return nil, pause(ctx, time.Hour) })
		stop := w.sweeping(time.Minute)
		synctest.Wait()
		began := time.Now()
		stop()
		if took := time.Since(began); took != 0 {
			t.Errorf("the sweep ended after %v", took)
		}
		w.rest.answer(nil)
		time.Sleep(time.Minute)
	})
}
