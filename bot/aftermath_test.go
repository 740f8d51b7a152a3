package bot_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rowbot/match"
)

// An interaction is served when its answer has been handed over: an edit of the
// board elsewhere, for which Discord takes its time, holds up nobody else. Close
// waits for it.
func TestServedWhenAnswered(t *testing.T) {
	for name, answer := range map[string]func(w *world, m match.Match){
		"over REST": func(w *world, m match.Match) {
			w.bot.Serve(w.Context(), w.clickPrivate(alice, pressID(m.ID, m.Version, "giveup:b")))
		},
		"over HTTP": func(w *world, m match.Match) {
			w.bot.Respond(w.Context(), w.clickPrivate(alice, pressID(m.ID, m.Version, "giveup:b")), func([]byte, string) error { return nil })
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board, "a1", "b2")
				w.rest.answer(func(ctx context.Context, c call, _ int) (json.RawMessage, error) {
					if c.is("PATCH", "channels/…") {
						return nil, pause(ctx, 2*time.Second)
					}
					return nil, nil
				})
				began := time.Now()
				answer(w, m)
				if took := time.Since(began); took != 0 {
					t.Errorf("served after %v", took)
				}
				if n := w.bot.Behind(); n != 1 {
					t.Errorf("something follows from %d answers, want 1", n)
				}
				w.bot.Close()
				if took := time.Since(began); took < 2*time.Second || took > 3*time.Second {
					t.Errorf("closed after %v", took)
				}
				calls := w.rest.take()
				if last := calls[len(calls)-1]; !last.is("PATCH", "channels/"+channel+"/messages/"+board) {
					t.Errorf("calls\n%s", join(calls))
				}
			})
		})
	}
}

// What follows from answers is bounded. Beyond that, whoever served an interaction
// is not free until all is done, but every one is answered.
func TestTooMuchFollows(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		const places, more = 2048, 3
		open := make(chan struct{})
		w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
			if strings.HasPrefix(c.path, "webhooks/") {
				<-open
			}
			return nil, nil
		})
		m := w.start(small, board, "a1", "b2")
		returned := make(chan struct{}, places+more)
		for range places + more {
			go func() {
				w.bot.Serve(w.Context(), w.click(bob, pressID(m.ID, 1, "cell:c3"), board))
				returned <- struct{}{}
			}()
			synctest.Wait()
		}
		if n := len(returned); n != places {
			t.Errorf("%d interactions are served, want %d", n, places)
		}
		answered := 0
		for _, c := range w.rest.take() {
			if c.is("POST", "interactions/…/callback") {
				answered++
			}
		}
		if answered != places+more {
			t.Errorf("%d are answered, want %d", answered, places+more)
		}
		close(open)
		synctest.Wait()
		if n := len(returned); n != places+more {
			t.Errorf("%d interactions are served in the end", n)
		}
	})
}

// A message that is on its way, and of which nothing is heard, is looked for as long
// as an answer may take at the most, and not for ever.
func TestMessageThatNeverComes(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, "", "a1")
		w.bot.BeginAnswer(m.ID, m.Version, 0)
		began := time.Now()
		err := w.bot.AwaitBoard(t.Context(), m.ID)
		if took := time.Since(began); err == nil || took < time.Minute || took > 2*time.Minute {
			t.Errorf("%v after %v", err, took)
		}
		w.bot.EndAnswer(m.ID, m.Version)
	})
}

// An edit that fails after its message has been looked for is tried again like any other.
func TestEditFailsAfterTheMessageCame(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, "", "a1")
		failed := false
		w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
			if failed {
				return nil, nil
			}
			failed = true
			return nil, errNetwork
		})
		w.bot.BeginAnswer(m.ID, m.Version, 0)
		done := make(chan error)
		go func() { done <- w.bot.AwaitBoard(t.Context(), m.ID) }()
		time.Sleep(2 * time.Second)
		if _, err := w.games.Moved(t.Context(), m.ID, match.Where{Guild: guild, Channel: channel, Message: board}); err != nil {
			t.Fatal(err)
		}
		if err := <-done; err != nil || !failed {
			t.Errorf("the edit: %v", err)
		}
		w.bot.EndAnswer(m.ID, m.Version)
	})
}
