package bot_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"rowbot/bot/gateway"
	"rowbot/match"
)

// newBoard is a message posted after the board.
const newBoard = "9" + board

// moveOn notes newBoard as the board of a match and returns the message before it.
func (w *world) moveOn(m match.Match) (old match.Where) {
	w.Helper()
	to := m.Where
	to.Message = newBoard
	old, err := w.games.Moved(w.Context(), m.ID, to)
	if err != nil || old.Message != board {
		w.Fatalf("moved from %+v: %v", old, err)
	}
	return old
}

// lastOn is what the last edit made of a message.
func lastOn(calls []call, message string) string {
	last := ""
	for _, c := range calls {
		if strings.HasSuffix(c.path, "/messages/"+message) {
			last = c.words()
		}
	}
	return last
}

// A board that moves on leaves no live buttons behind, whatever is on its way
// to the old message at that moment.
func TestOldBoardLosesItsButtons(t *testing.T) {
	slow := func(ctx context.Context, _ call, _ int) (json.RawMessage, error) { return nil, pause(ctx, time.Second) }
	limited := func(_ context.Context, _ call, n int) (json.RawMessage, error) {
		if n < 2 {
			return nil, &gateway.APIError{Status: http.StatusTooManyRequests, RetryAfter: time.Second}
		}
		return nil, nil
	}
	for _, c := range []struct {
		name   string
		answer func(context.Context, call, int) (json.RawMessage, error)
		before func(w *world, m match.Match)
		after  func(w *world, m match.Match)
	}{
		{name: "nothing else", answer: slow},
		{name: "an edit is under way", answer: slow, before: func(w *world, m match.Match) { w.bot.Redraw(m.ID) }},
		{name: "the limit is reached", answer: limited},
		{
			name: "an answer is under way", answer: slow,
			before: func(w *world, m match.Match) { w.bot.BeginAnswer(m.ID, m.Version, 0) },
			after: func(w *world, m match.Match) {
				time.Sleep(5 * time.Second)
				if calls := w.rest.take(); len(calls) != 0 {
					w.Errorf("the old board was retired below an answer: %v", calls)
				}
				w.bot.EndAnswer(m.ID, m.Version)
			},
		},
		{
			name: "an answer begins meanwhile", answer: slow,
			after: func(w *world, m match.Match) {
				time.Sleep(500 * time.Millisecond)
				w.bot.BeginAnswer(m.ID, m.Version, 0)
				time.Sleep(2 * time.Second)
				w.rest.take()
				w.bot.EndAnswer(m.ID, m.Version)
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board, "a1")
				w.rest.answer(c.answer)
				if c.before != nil {
					c.before(w, m)
				}
				time.Sleep(100 * time.Millisecond)
				w.bot.Retire(m.ID, w.moveOn(m))
				if c.after != nil {
					c.after(w, m)
				}
				time.Sleep(20 * time.Second)
				last := lastOn(w.rest.take(), board)
				if !strings.Contains(last, "The board is here now") {
					t.Errorf("the old board ended as %q", last)
				}
				if n := w.bot.Pending(); n != 0 {
					t.Errorf("%d matches are still pending", n)
				}
			})
		})
	}
}
