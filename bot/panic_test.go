package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"rowbot/match"
)

// Whatever panics, be it any transaction or any call of Discord's, it takes nothing
// down, and leaves no match as one with something under way, which the world looks
// for at its end.
func TestPanicsAnywhere(t *testing.T) {
	const every = 7 // each seventh one panics, from each of the first seven on
	for name, set := range map[string]func(w *world, spring func()){
		"the store": func(w *world, spring func()) { w.store.before(spring) },
		"Discord": func(w *world, spring func()) {
			w.rest.answer(func(context.Context, call, int) (json.RawMessage, error) { spring(); return nil, nil })
		},
	} {
		for at := range int32(every) {
			t.Run(fmt.Sprintf("%s, from %d on", name, at), func(t *testing.T) {
				inWorld(t, func(t *testing.T, w *world) {
					w.games.Engine = &brain{takes: time.Second}
					var n, sprung atomic.Int32
					evening(w, func() {
						set(w, func() {
							if n.Add(1)%every == at {
								sprung.Add(1)
								panic("a fault of ours")
							}
						})
					})
					w.store.before(nil)
					w.rest.answer(nil)
					if sprung.Load() < 2 {
						t.Errorf("%d panics among %d", sprung.Load(), n.Load())
					}
				})
			})
		}
	}
}

// evening is a bit of everything, after begin has been called.
func evening(w *world, begin func()) {
	m := w.start(small, board, "a1", "b2")
	const second, third = "700000000000000002", "700000000000000003"
	other, owed := w.start(small, second, "a1"), w.against(match.Hard, third)
	begin()
	w.bot.Serve(w.Context(), w.command(carol, "gomoku", "challenge"))
	w.bot.Serve(w.Context(), w.click(alice, pressID(m.ID, m.Version, "cell:c3"), board))
	w.bot.Serve(w.Context(), w.click(bob, pressID(m.ID, 1, "cell:a3"), board))
	w.bot.Serve(w.Context(), w.click(bob, pressID(other.ID, other.Version, "draw"), second))
	time.Sleep(20 * time.Minute) // it is looked where the offer stands
	w.bot.Serve(w.Context(), w.clickPrivate(bob, pressID(other.ID, other.Version+1, "giveup:w")))
	w.bot.Serve(w.Context(), w.command(alice, "ttt", "board"))
	w.bot.Serve(w.Context(), w.click(alice, pressID(owed.ID, owed.Version, "cell:h8"), third))
	w.bot.Respond(w.Context(), w.click(alice, pressID(owed.ID, 1, "cell:h8"), third), func([]byte, string) error { return nil })
	w.bot.Respond(w.Context(), w.command(carol, "gomoku", "bot"), func([]byte, string) error { panic("a fault of ours") })
	time.Sleep(72 * time.Hour)
	w.sweepOnce(20 * time.Minute)
	w.bot.AwaitBehind()
	time.Sleep(20 * time.Minute)
}
