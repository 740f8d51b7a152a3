package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"
)

// Films are made a few at a time: whoever has to wait is told to, and gets it then.
func TestFilmsTakeTurns(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "a1", "a2", "b1", "b2", "c1")
		giveBack := w.bot.TakeFilms()
		gif := w.click(carol, fmt.Sprintf("4:%s:gif:5", m.ID), "800000000000000098")
		sgf := w.click(carol, fmt.Sprintf("4:%s:sgf:5", m.ID), "800000000000000098")
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.bot.Serve(t.Context(), gif)
		}()
		time.Sleep(time.Minute)
		if c := w.expect(firstAnswer)[0]; c.body["type"] != 6.0 || c.after > 2500*time.Millisecond {
			t.Errorf("meanwhile: %v", c)
		}
		w.serve(sgf)
		if c := w.expect(firstAnswer)[0]; len(c.files) != 1 || c.files[0].Name != "rowbot-"+string(m.ID)+".sgf" {
			t.Errorf("a file that takes no time: %v", c)
		}
		giveBack()
		<-done
		if c := w.expect(followUp)[0]; len(c.files) != 1 || c.files[0].Type != "image/gif" || c.data()["flags"] != float64(private) {
			t.Errorf("in the end: %v", c)
		}
		w.bot.TakeFilms()() // all turns are given back
	})
}

// Whoever has waited for a film in vain, for as long as a handler may take, is told so.
func TestFilmThatNeverComes(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "a1", "a2", "b1", "b2", "c1")
		giveBack := w.bot.TakeFilms()
		defer giveBack()
		w.rest.answer(func(ctx context.Context, c call, _ int) (json.RawMessage, error) {
			if ctx.Err() != nil {
				t.Errorf("no time was left for %s", c.path)
			}
			return nil, nil
		})
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		w.bot.Serve(ctx, w.click(carol, fmt.Sprintf("4:%s:gif:5", m.ID), "800000000000000098"))
		late := w.expect(firstAnswer, followUp)[1]
		checkCall(t, late, 0, private, "Something went wrong on my side")
		if late.after < 30*time.Second || late.after > 33*time.Second {
			t.Errorf("told after %v", late.after)
		}
	})
}
