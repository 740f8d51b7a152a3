package bot_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"rowbot/match"
)

// slowGuild is a store in which the second one who has read a server's settings hears of
// them only when told to. (Each that reads does so twice; see store.)
type slowGuild struct {
	match.Store

	reads *atomic.Int32
	heard chan struct{}
}

func (s slowGuild) View(ctx context.Context, f func(match.Tx) error) error {
	read := false
	err := s.Store.View(ctx, func(tx match.Tx) error { return f(guildReader{tx, &read}) })
	if read && s.reads.Add(1) == 2 {
		<-s.heard
	}
	return err
}

type guildReader struct {
	match.Tx

	read *bool
}

func (tx guildReader) Guild(ctx context.Context, id string) (match.Guild, error) {
	*tx.read = true
	return tx.Tx.Guild(ctx, id)
}

// A style that is chosen counts at once, also where the one of before was just being read.
func TestStyleCountsAtOnce(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		heard, manager := make(chan struct{}), member(alice)
		manager["permissions"] = "32"
		data := fields{"custom_id": "5:style", "component_type": 3, "id": 3, "values": []string{"colour"}}
		choose := w.event(3, alice, data, fields{"member": manager, "message": message("800000000000000099", 1<<6)})
		w.store.Store = slowGuild{w.store.Store, new(atomic.Int32), heard}
		first := w.command(bob, "gomoku", "bot")
		go w.bot.Serve(t.Context(), first)
		synctest.Wait()
		w.bot.Serve(t.Context(), choose)
		close(heard)
		synctest.Wait()
		w.rest.take()
		w.serve(w.command(carol, "gomoku", "bot"))
		if said := w.rest.take()[0].words(); !strings.Contains(said, "```ansi") {
			t.Errorf("a board after that: %s", said)
		}
	})
}
