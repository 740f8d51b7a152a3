package bot_test

import (
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
