package bot_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"rowbot/bot/gateway"
)

// A pause that Discord asks for is kept up to a minute. A longer one holds up nothing:
// the board stays noted as not drawn, and the sweep comes back to it.
func TestLongPauses(t *testing.T) {
	limited := func(pause time.Duration) error {
		return &gateway.APIError{Status: http.StatusTooManyRequests, RetryAfter: pause}
	}
	for _, c := range []struct {
		pause, took time.Duration
		refused     bool
	}{
		{time.Minute, time.Minute, false},
		{61 * time.Second, 0, true},
		{24 * time.Hour, 0, true},
	} {
		inWorld(t, func(t *testing.T, w *world) {
			m := w.start(small, board)
			w.rest.answer(func(_ context.Context, _ call, n int) (json.RawMessage, error) {
				if n == 0 {
					return nil, limited(c.pause)
				}
				return nil, nil
			})
			began := time.Now()
			err := w.bot.AwaitBoard(t.Context(), m.ID)
			if took := time.Since(began); took != c.took || (err != nil) != c.refused {
				t.Errorf("a pause of %v: %v after %v", c.pause, err, took)
			}
		})
	}
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "a1", "b2")
		w.stuckEdits(http.StatusNotFound, 10008, limited(24*time.Hour))
		time.Sleep(72 * time.Hour)
		began := time.Since(w.rest.began)
		stop := w.sweeping(5 * time.Minute)
		time.Sleep(time.Second)
		synctest.Wait()
		if n := w.bot.Pending(); n != 0 {
			t.Errorf("%d boards wait for the end of the pause", n)
		}
		if !w.unshown(m.ID) {
			t.Error("noted as shown")
		}
		time.Sleep(5 * time.Minute)
		synctest.Wait()
		calls := w.expect(editBoard, postNotice, editBoard, postNotice, editBoard)
		if after := calls[3].after - began; after != 5*time.Minute {
			t.Errorf("posted after %v", after)
		}
		if where := w.stored(m.ID).Where; where.Message != calls[3].id {
			t.Errorf("the match is at %+v", where)
		}
		stop()
		w.rest.answer(nil)
	})
}
