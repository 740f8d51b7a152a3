package bot_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/bot/gateway"
	"rowbot/match"
)

// outcomes answers the tries of a callback one after the other, and the last of
// them from then on; nil is success.
func outcomes(w *world, errs ...error) {
	tries := 0
	w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
		if !c.is("POST", "interactions/…") {
			return nil, nil
		}
		tries++
		return nil, errs[min(tries, len(errs))-1]
	})
}

// A callback of which nobody knows whether it arrived is made once more, the
// same; that Discord knows it already is good news.
func TestCallbackAgain(t *testing.T) {
	known := refusal(http.StatusBadRequest, 40060)
	for name, errs := range map[string][]error{
		"a server at fault, then known": {refusal(http.StatusInternalServerError, 0), known},
		"a broken connection, known":    {errNetwork, known},
		"a bad gateway, then well":      {refusal(http.StatusBadGateway, 0), nil},
		"a broken connection, well":     {errNetwork, nil},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board)
				outcomes(w, errs...)
				w.serve(w.click(alice, pressID(m.ID, m.Version, "cell:a1"), board))
				calls := w.expect(firstAnswer, firstAnswer) // and the board is not drawn again
				if diff := cmp.Diff(calls[0].body, calls[1].body); diff != "" {
					t.Errorf("the tries differ:\n%s", diff)
				}
				if late := calls[1].after; late > time.Second {
					t.Errorf("tried again after %v", late)
				}
			})
		})
	}
}

// A callback that takes its time is not given up: another is made beside it,
// and whichever arrives counts.
func TestCallbackIsSlow(t *testing.T) {
	for name, c := range map[string]struct {
		first, second time.Duration
		answer        error // to the second
	}{
		"the first arrives":              {2 * time.Second, time.Minute, nil},
		"the second arrives":             {time.Minute, 500 * time.Millisecond, nil},
		"the first had arrived long ago": {time.Minute, 500 * time.Millisecond, refusal(http.StatusBadRequest, 40060)},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board)
				w.rest.answer(func(ctx context.Context, _ call, n int) (json.RawMessage, error) {
					if n == 0 {
						return nil, pause(ctx, c.first)
					}
					if err := pause(ctx, c.second); err != nil {
						return nil, err
					}
					return nil, c.answer
				})
				w.serve(w.click(alice, pressID(m.ID, m.Version, "cell:a1"), board))
				w.expect(firstAnswer, firstAnswer) // and the board is not drawn again
			})
		})
	}
}

// One that a rate limit refuses is made again when that is over.
func TestCallbackIsLimited(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		outcomes(w, &gateway.APIError{Status: http.StatusTooManyRequests, RetryAfter: 700 * time.Millisecond}, nil)
		w.serve(w.click(alice, pressID(m.ID, m.Version, "cell:a1"), board))
		if again := w.expect(firstAnswer, firstAnswer)[1].after; again != 700*time.Millisecond {
			t.Errorf("made again after %v", again)
		}
	})
}

// While one is still under way, another that has failed is not followed by a third.
func TestCallbackFailsBesideAnother(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		w.rest.answer(func(ctx context.Context, _ call, n int) (json.RawMessage, error) {
			if n == 0 {
				return nil, pause(ctx, 2*time.Second)
			}
			return nil, errNetwork
		})
		w.serve(w.click(alice, pressID(m.ID, m.Version, "cell:a1"), board))
		w.expect(firstAnswer, firstAnswer)
	})
}

// A new message whose callback had arrived is found.
func TestPostedAfterAll(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		outcomes(w, errNetwork, refusal(http.StatusBadRequest, 40060))
		w.serve(w.command(alice, "ttt", "challenge", option("opponent", bob)))
		w.expect(withMessage, withMessage, "GET "+original)
		if m := w.only(alice); m.Where.Message != "800000000000000002" {
			t.Errorf("the match is at %+v", m.Where)
		}
	})
}

// Where the board could not be given in answer, it is edited.
func TestUpdateIsLost(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		once bool
	}{
		"too late":        {refusal(http.StatusNotFound, 10062), true},
		"answered before": {refusal(http.StatusBadRequest, 40060), true},
		"not taken":       {refusal(http.StatusBadRequest, 50035), true},
		"unreachable":     {errNetwork, false},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board)
				outcomes(w, c.err)
				w.serve(w.click(alice, pressID(m.ID, m.Version, "cell:a1"), board))
				calls := w.rest.take()
				last := len(calls) - 1
				if c.once && last != 1 || !c.once && last < 2 || calls[0].after > 0 || calls[last].after > 3*time.Second {
					t.Fatalf("calls\n%s", join(calls))
				}
				for _, try := range calls[:last] {
					if !try.is("POST", "interactions/…/callback") {
						t.Errorf("call %v", try)
					}
				}
				if !calls[last].is("PATCH", "channels/"+channel+"/messages/"+board) {
					t.Errorf("the last call is %v", calls[last])
				}
				checkCall(t, calls[last], 0, components, "last ❌ a1")
				if got := w.stored(m.ID); len(got.Moves) != 1 {
					t.Errorf("%d moves", len(got.Moves))
				}
			})
		})
	}
}

// An answer that does not concern a board costs nothing more when it is lost.
func TestWordIsLost(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		outcomes(w, refusal(http.StatusNotFound, 10062))
		w.serve(w.click(bob, pressID(m.ID, m.Version, "cell:a1"), board))
		w.expect(firstAnswer)
		w.serve(w.command(alice, "ttt", "challenge", option("opponent", carol)))
		w.expect(withMessage)
	})
}

// Two clicks on one board, of which the second is answered before the first: the
// older board that then lies on top is replaced. A click on the board that an
// answer brought shows that it has arrived, whatever the network says.
func TestAnswersOvertakeEachOther(t *testing.T) {
	for name, c := range map[string]struct {
		ahead match.Version // how much newer the second click's board is than the first's
		by    string
		calls []string
	}{
		"the same board":    {0, alice, []string{firstAnswer, firstAnswer, followUp, editBoard}},
		"the board of that": {1, bob, []string{firstAnswer, firstAnswer}},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board)
				w.rest.answer(func(ctx context.Context, c call, n int) (json.RawMessage, error) {
					if n == 0 {
						return nil, pause(ctx, time.Second)
					}
					return nil, nil
				})
				done := make(chan struct{})
				first := w.click(alice, pressID(m.ID, m.Version, "cell:a1"), board)
				go func() {
					defer close(done)
					w.bot.Serve(w.Context(), first)
				}()
				time.Sleep(100 * time.Millisecond)
				if c.ahead == 0 { // bob's move came through another process
					w.act(w.stored(m.ID), match.Place{At: match.Point{Col: 1, Row: 1}}, bob)
				}
				w.serve(w.click(c.by, pressID(m.ID, m.Version+c.ahead, "cell:b2"), board))
				<-done
				time.Sleep(time.Second)
				calls := w.expect(c.calls...)
				checkCall(t, calls[len(calls)-1], 0, components, "last ⭕ b2")
				if got := w.stored(m.ID); got.Turn() != match.Black || len(got.Moves) != 2 {
					t.Errorf("%d moves", len(got.Moves))
				}
			})
		})
	}
}
