package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"rowbot/bot/slim"
	"rowbot/match"
)

// A thread counts as the channel that it belongs to; a channel does not count as
// its category.
func TestThreadsOfAllowedChannels(t *testing.T) {
	const allowed = "300000000000000009"
	for name, x := range map[string]struct {
		about   string // what Discord says of the channel; empty: nothing
		started bool
	}{
		"a thread of it":      {fmt.Sprintf(`{"id":%q,"type":11,"parent_id":%q}`, channel, allowed), true},
		"a post of it":        {fmt.Sprintf(`{"id":%q,"type":12,"parent_id":%q}`, channel, allowed), true},
		"a thread of another": {fmt.Sprintf(`{"id":%q,"type":11,"parent_id":"300000000000000008"}`, channel), false},
		"a channel below it":  {fmt.Sprintf(`{"id":%q,"type":0,"parent_id":%q}`, channel, allowed), false},
		"out of sight":        {"", false},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				err := w.store.Store.Update(t.Context(), func(tx match.Tx) error {
					return tx.PutGuild(t.Context(), match.Guild{ID: guild, Channels: []string{allowed}})
				})
				if err != nil {
					t.Fatal(err)
				}
				w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
					switch {
					case !c.is("GET", "channels/"+channel):
						return nil, nil
					case x.about == "":
						return nil, refusal(403, 50001)
					}
					return json.RawMessage(x.about), nil
				})
				started := func(c call) {
					if x.started {
						checkCall(t, c, 4, components, "Rowbot (random)")
					} else {
						checkCall(t, c, 4, private, "Matches are started in <#"+allowed+"> in this server.")
					}
				}
				w.serve(w.command(alice, "ttt", "bot"))
				started(w.expect("GET channels/"+channel, "POST interactions/…")[1])
				if x.about == "" {
					return
				}
				told := slim.WithChannel(t.Context(), slim.ChannelOf([]byte(`{"channel":`+x.about+`}`), "channel"))
				w.bot.Serve(told, w.command(bob, "ttt", "bot"))
				w.bot.AwaitBehind()
				started(w.expect("POST interactions/…")[0]) // nothing had to be asked
			})
		})
	}
}

// The list of servers is read to its end, and one that cannot be read changes
// nothing.
func TestAttend(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		var broken atomic.Bool
		w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
			if broken.Load() {
				return nil, refusal(500, 0)
			}
			var page []string
			from, n := 0, 200
			if _, after, more := strings.Cut(c.path, "&after="); more {
				fmt.Sscan(after, &from)
				n = 3
			}
			for i := range n {
				page = append(page, fmt.Sprintf(`{"id":"%d"}`, from+i+1))
			}
			return json.RawMessage("[" + strings.Join(page, ",") + "]"), nil
		})
		known := func() (n, gone int) {
			err := w.store.Store.View(t.Context(), func(tx match.Tx) error {
				all, err := tx.Presence(t.Context())
				for _, since := range all {
					if n++; !since.IsZero() {
						gone++
					}
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			return n, gone
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); w.bot.Attend(ctx, time.Hour) }()
		synctest.Wait()
		w.expect("GET users/@me/guilds?limit=200", "GET users/@me/guilds?limit=200&after=200")
		if n, gone := known(); n != 203 || gone != 0 {
			t.Errorf("%d servers, %d of them gone", n, gone)
		}
		broken.Store(true)
		time.Sleep(90 * time.Minute)
		synctest.Wait()
		w.expect("GET users/@me/guilds?limit=200")
		if n, gone := known(); n != 203 || gone != 0 {
			t.Errorf("after a failure: %d servers, %d of them gone", n, gone)
		}
		stop()
		<-done
	})
}

// An export that takes long comes as a file all the same, to its reader alone.
func TestSlowExport(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start(small, board, "b2")
		w.store.before(func() { time.Sleep(2500 * time.Millisecond) })
		w.serve(w.command(alice, "privacy", "export"))
		calls := w.expect(firstAnswer, "PATCH "+original)
		checkCall(t, calls[0], 5, private)
		checkCall(t, calls[1], 0, 0, "Here is everything", `"filename":"rowbot-`+alice+`.json"`)
		if files := calls[1].files; len(files) != 1 || !strings.Contains(string(files[0].Data), `"moves": "b2"`) {
			t.Errorf("files %v", files)
		}
	})
}
