package bot_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/bot/gateway"
	"rowbot/match"
)

const (
	board     = "700000000000000001"
	editBoard = "PATCH channels/" + channel + "/messages/" + board
)

var small = match.TicTacToeRules()

// times are the moments of calls.
func times(calls []call) (out []time.Duration) {
	for _, c := range calls {
		out = append(out, c.after)
	}
	return out
}

func TestRedraw(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "b2")
		w.bot.Redraw(m.ID)
		synctest.Wait()
		c := w.expect(editBoard)[0]
		if got, want := c.body["flags"], float64(1<<15); got != want {
			t.Errorf("flags %v", got)
		}
	})
}

// However often a board is asked for while one edit is under way, one more
// edit is enough, and it comes after the first.
func TestEditsOfAMatchComeOneByOne(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		var under, most, edits atomic.Int32
		w.rest.answer(func(ctx context.Context, _ call, _ int) (json.RawMessage, error) {
			edits.Add(1)
			most.Store(max(most.Load(), under.Add(1)))
			defer under.Add(-1)
			return nil, pause(ctx, time.Second)
		})
		w.bot.Redraw(m.ID)
		time.Sleep(time.Millisecond)
		for range 20 {
			w.bot.Redraw(m.ID)
		}
		done := make(chan error, 3)
		for range 3 {
			go func() { done <- w.bot.AwaitBoard(t.Context(), m.ID) }()
		}
		for range 3 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		synctest.Wait()
		if edits.Load() != 2 || most.Load() != 1 {
			t.Errorf("%d edits, %d at the same time", edits.Load(), most.Load())
		}
		if diff := cmp.Diff([]time.Duration{0, time.Second}, times(w.rest.take())); diff != "" {
			t.Errorf("edits (-want +got):\n%s", diff)
		}
	})
}

func TestMatchesDoNotWaitForEachOther(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		first, second := w.start(small, board), w.start(small, "700000000000000002")
		w.rest.answer(func(ctx context.Context, c call, _ int) (json.RawMessage, error) {
			if c.is("PATCH", "…"+board) {
				return nil, pause(ctx, 2*time.Second)
			}
			return nil, nil
		})
		w.bot.Redraw(first.ID)
		synctest.Wait()
		if err := w.bot.AwaitBoard(t.Context(), second.ID); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]time.Duration{0, 0}, times(w.rest.take())); diff != "" {
			t.Errorf("edits (-want +got):\n%s", diff)
		}
		time.Sleep(3 * time.Second)
	})
}

// Answers that are under way at once may be taken in any order: when they show
// different boards, the board is drawn again after the last of them, once. One
// after the other, nothing is to be done, nor where a click shows that what its
// board came with had arrived.
func TestAnswersAtOnce(t *testing.T) {
	for _, c := range []struct {
		name    string
		answers [][2]match.Version // what each shows, and the board it answers
		edits   int
	}{
		{"one", [][2]match.Version{{3, 2}}, 0},
		{"the same", [][2]match.Version{{4, 2}, {4, 2}}, 0},
		{"rising", [][2]match.Version{{3, 2}, {4, 2}}, 1},
		{"falling", [][2]match.Version{{4, 2}, {3, 2}}, 1},
		{"three", [][2]match.Version{{3, 2}, {4, 2}, {2, 1}}, 1},
		{"to no board", [][2]match.Version{{3, 2}, {4, 0}}, 1},
		{"each to the one before", [][2]match.Version{{3, 2}, {4, 3}, {5, 4}}, 0},
		{"one to the one before", [][2]match.Version{{3, 2}, {4, 3}, {5, 3}}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board, "a1", "b2")
				for _, a := range c.answers {
					w.bot.BeginAnswer(m.ID, a[0], a[1])
				}
				for i, a := range c.answers {
					synctest.Wait()
					if got := len(w.rest.take()); got != 0 {
						t.Errorf("%d edits before the answer number %d arrived", got, i)
					}
					w.bot.EndAnswer(m.ID, a[0])
				}
				synctest.Wait()
				if got := len(w.rest.take()); got != c.edits {
					t.Errorf("%d edits, want %d", got, c.edits)
				}
			})
		})
	}
	t.Run("one after the other", func(t *testing.T) {
		inWorld(t, func(t *testing.T, w *world) {
			m := w.start(small, board, "a1", "b2")
			for _, v := range []match.Version{3, 4, 3} {
				w.bot.BeginAnswer(m.ID, v, 2)
				w.bot.EndAnswer(m.ID, v)
			}
			synctest.Wait()
			w.expect()
		})
	})
}

// An edit that was drawn before a newer answer arrived is drawn again.
func TestAnswerDuringAnEdit(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "a1")
		w.rest.answer(func(ctx context.Context, _ call, _ int) (json.RawMessage, error) { return nil, pause(ctx, time.Second) })
		w.bot.Redraw(m.ID)
		time.Sleep(100 * time.Millisecond)
		m = w.act(m, match.Place{At: match.Point{Col: 1, Row: 1}}, bob)
		w.bot.BeginAnswer(m.ID, m.Version, 0)
		w.bot.EndAnswer(m.ID, m.Version)
		time.Sleep(5 * time.Second)
		calls := w.expect(editBoard, editBoard)
		if calls[0].words() == calls[1].words() {
			t.Error("the second edit shows the same as the first")
		}
	})
}

// An edit that had to wait for Discord's limits shows the match as it stands then,
// also where it stands then: at another message.
func TestEditShowsWhatIsNewest(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "a1")
		var waits atomic.Int32
		w.rest.limit = func() {
			switch waits.Add(1) {
			case 1:
				m = w.act(m, match.Place{At: match.Point{Col: 1, Row: 1}}, bob)
			case 2:
				if _, err := w.games.Moved(w.Context(), m.ID, match.Where{Guild: guild, Channel: channel, Message: "700000000000000009"}); err != nil {
					t.Error(err)
				}
			}
		}
		w.bot.Redraw(m.ID)
		synctest.Wait()
		checkCall(t, w.expect(editBoard)[0], 0, components, "last ⭕ b2")
		w.bot.Redraw(m.ID)
		time.Sleep(time.Second)
		w.expect("PATCH channels/" + channel + "/messages/700000000000000009")
	})
}

func TestEditIsLimited(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		w.rest.answer(func(_ context.Context, _ call, n int) (json.RawMessage, error) {
			if n < 2 {
				return nil, &gateway.APIError{Status: http.StatusTooManyRequests, RetryAfter: 3700 * time.Millisecond}
			}
			return nil, nil
		})
		if err := w.bot.AwaitBoard(t.Context(), m.ID); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]time.Duration{0, 3700 * time.Millisecond, 7400 * time.Millisecond}, times(w.rest.take())); diff != "" {
			t.Errorf("edits (-want +got):\n%s", diff)
		}
	})
}

// What will not pass is reported at once and not tried again.
func TestEditIsRefused(t *testing.T) {
	for _, c := range []struct{ status, code int }{
		{http.StatusNotFound, 10008},
		{http.StatusNotFound, 10003},
		{http.StatusForbidden, 50001},
		{http.StatusForbidden, 50013},
		{http.StatusBadRequest, 30046},
		{http.StatusTooManyRequests, 30046},
		{http.StatusBadRequest, 50083},
	} {
		inWorld(t, func(t *testing.T, w *world) {
			m := w.start(small, board)
			w.rest.answer(func(context.Context, call, int) (json.RawMessage, error) { return nil, refusal(c.status, c.code) })
			err := w.bot.AwaitBoard(t.Context(), m.ID)
			if e := (*gateway.APIError)(nil); !errors.As(err, &e) || e.Code != c.code {
				t.Errorf("%d: %v", c.code, err)
			}
			if diff := cmp.Diff([]time.Duration{0}, times(w.expect(editBoard))); diff != "" {
				t.Errorf("%d: edits (-want +got):\n%s", c.code, diff)
			}
			time.Sleep(time.Hour)
			w.expect()
		})
	}
}

// While Discord cannot be reached the pauses grow, and some time it is enough.
func TestEditsWhileDiscordIsAway(t *testing.T) {
	for name, fault := range map[string]error{"broken": errNetwork, "at fault": refusal(http.StatusBadGateway, 0)} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board)
				w.rest.answer(func(context.Context, call, int) (json.RawMessage, error) { return nil, fault })
				if err := w.bot.AwaitBoard(t.Context(), m.ID); !errors.Is(err, fault) {
					t.Errorf("reported: %v", err)
				}
				at := times(w.rest.take())
				if len(at) < 4 || len(at) > 20 {
					t.Fatalf("tried at %v", at)
				}
				for i := 2; i < len(at); i++ {
					if at[i]-at[i-1] <= at[i-1]-at[i-2] {
						t.Errorf("the pauses do not grow: tried at %v", at)
					}
				}
				time.Sleep(time.Hour)
				w.expect()

				w.rest.answer(nil) // it can be tried anew
				if err := w.bot.AwaitBoard(t.Context(), m.ID); err != nil {
					t.Error(err)
				}
				w.expect(editBoard)
			})
		})
	}
}

func TestDiscordComesBack(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		w.rest.answer(func(_ context.Context, _ call, n int) (json.RawMessage, error) {
			if n < 3 {
				return nil, errNetwork
			}
			return nil, nil
		})
		done := make(chan error, 2)
		go func() { done <- w.bot.AwaitBoard(t.Context(), m.ID) }()
		time.Sleep(300 * time.Millisecond)
		m = w.act(m, match.Place{}, alice)
		go func() { done <- w.bot.AwaitBoard(t.Context(), m.ID) }()
		for range 2 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		synctest.Wait()
		calls := w.expect(editBoard, editBoard, editBoard, editBoard)
		if calls[3].words() == calls[0].words() {
			t.Error("the last edit shows what the first was meant to")
		}
	})
}

// A call that is never answered is given up, and tried again.
func TestEditWithoutAnswer(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		w.rest.answer(func(ctx context.Context, _ call, n int) (json.RawMessage, error) {
			if n == 0 {
				return nil, pause(ctx, time.Hour)
			}
			return nil, nil
		})
		if err := w.bot.AwaitBoard(t.Context(), m.ID); err != nil {
			t.Error(err)
		}
		w.expect(editBoard, editBoard)
	})
}

// Who waits no longer changes nothing about the edit.
func TestWaitingEndsWithItsContext(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		w.rest.answer(func(ctx context.Context, _ call, _ int) (json.RawMessage, error) {
			return nil, pause(ctx, 2*time.Second)
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		began := time.Now()
		if err := w.bot.AwaitBoard(ctx, m.ID); !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		time.Sleep(10 * time.Second)
		w.expect(editBoard)
	})
}

func TestNothingToDraw(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		if err := w.bot.AwaitBoard(t.Context(), "nosuch"); !errors.Is(err, match.ErrNotFound) {
			t.Errorf("no match: %v", err)
		}
		m := w.start(small, "")
		if err := w.bot.AwaitBoard(t.Context(), m.ID); err == nil {
			t.Error("a board without a message was drawn")
		}
		synctest.Wait()
		w.expect()
	})
}

// Close ends what is under way and what waits for another try, at once.
func TestCloseEndsEdits(t *testing.T) {
	for name, hook := range map[string]func(ctx context.Context, c call, n int) (json.RawMessage, error){
		"during a call": func(ctx context.Context, _ call, _ int) (json.RawMessage, error) {
			return nil, pause(ctx, time.Hour)
		},
		"between two": func(context.Context, call, int) (json.RawMessage, error) {
			return nil, &gateway.APIError{Status: http.StatusTooManyRequests, RetryAfter: time.Minute}
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board)
				w.rest.answer(hook)
				done := make(chan error, 1)
				go func() { done <- w.bot.AwaitBoard(context.WithoutCancel(t.Context()), m.ID) }()
				time.Sleep(time.Second)
				began := time.Now()
				w.bot.Close()
				if err := <-done; err == nil {
					t.Error("who waited was told that all is well")
				}
				if took := time.Since(began); took != 0 {
					t.Errorf("Close took %v", took)
				}
				time.Sleep(24 * time.Hour)
				w.expect(editBoard)
			})
		})
	}
}

// A fault of ours while a board is drawn reaches nobody but the log.
func TestPanicWhileDrawing(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		broken := true
		w.store.before(func() {
			if broken {
				broken = false
				panic("a fault of ours")
			}
		})
		if err := w.bot.AwaitBoard(t.Context(), m.ID); err != nil {
			t.Errorf("reported: %v", err)
		}
		w.expect(editBoard)
	})
}
