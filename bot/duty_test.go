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

// sweeping lets the bot sweep, every so often, until stop is called.
func (w *world) sweeping(every time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(w.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		w.bot.Sweep(ctx, every)
	}()
	return func() { cancel(); <-done }
}

// TestOneCopySweeps: while another copy of the program has the duty this one does
// nothing; it takes over soon after that one has fallen silent, and gives the duty
// back when it ends.
func TestOneCopySweeps(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.games.Copy = "this"
		other := &match.Service{Store: w.store, Now: time.Now, Copy: "other"}
		m := w.start(small, board, "a1", "b2")
		time.Sleep(73 * time.Hour)
		if mine, err := other.Take(t.Context(), "sweep", 40*time.Second); err != nil || !mine {
			t.Fatal(mine, err)
		}
		began := time.Since(w.rest.began)
		stop := w.sweeping(time.Minute)
		time.Sleep(39 * time.Second)
		synctest.Wait()
		w.expect()
		if got := w.stored(m.ID); got.Status != match.Active {
			t.Errorf("status %d while another copy has the duty", got.Status)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		c := w.expect(editBoard)[0]
		if after := c.after - began; after != 40*time.Second {
			t.Errorf("taken over after %v, want 40s", after)
		}
		if mine, err := other.Take(t.Context(), "sweep", time.Second); err != nil || mine {
			t.Errorf("the other takes it back: %v, %v", mine, err)
		}
		stop()
		for _, duty := range []string{"sweep", "notices"} {
			if mine, err := other.Take(t.Context(), duty, time.Second); err != nil || !mine {
				t.Errorf("after the end the other takes %s: %v, %v", duty, mine, err)
			}
		}
	})
}

// TestOneCopyAttends: which servers there are is asked by one copy, too.
func TestOneCopyAttends(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.games.Copy = "this"
		w.rest.answer(func(context.Context, call, int) (json.RawMessage, error) { return json.RawMessage(`[]`), nil })
		other := &match.Service{Store: w.store, Now: time.Now, Copy: "other"}
		if mine, err := other.Take(t.Context(), "attend", 30*time.Hour); err != nil || !mine {
			t.Fatal(mine, err)
		}
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); w.bot.Attend(ctx, 24*time.Hour) }()
		time.Sleep(29 * time.Hour)
		w.expect()
		time.Sleep(2 * time.Hour)
		w.expect("GET users/@me/guilds?limit=200")
		stop()
		<-done
		if mine, err := other.Take(t.Context(), "attend", time.Hour); err != nil || !mine {
			t.Errorf("after the end the other takes it: %v, %v", mine, err)
		}
	})
}

// TestDutyOfADay: a copy keeps a duty that is done once a day for as long as it lives,
// and does it once; when it is killed, another takes over soon.
func TestDutyOfADay(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.games.Copy = "this"
		w.rest.answer(func(context.Context, call, int) (json.RawMessage, error) { return json.RawMessage(`[]`), nil })
		other := &match.Service{Store: w.store.Store, Now: time.Now, Copy: "other"}
		taken := func() bool {
			mine, err := other.Take(t.Context(), "attend", time.Hour)
			if err != nil {
				t.Fatal(err)
			}
			return mine
		}
		ctx, kill := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); w.bot.Attend(ctx, 24*time.Hour) }()
		for range 100 {
			time.Sleep(10 * time.Minute)
			synctest.Wait()
			if taken() {
				t.Fatal("the duty was lost")
			}
		}
		w.expect("GET users/@me/guilds?limit=200")
		time.Sleep(8 * time.Hour)
		w.expect("GET users/@me/guilds?limit=200")

		w.store.before(func() { panic("the process is dead") })
		kill()
		<-done
		if taken() {
			t.Error("the duty was given back")
		}
		time.Sleep(66 * time.Second)
		if !taken() {
			t.Error("the duty is a dead process's still")
		}
	})
}

// A copy that has lost the duty while it asked for the servers asks no further.
func TestDutyIsLost(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.games.Copy = "this"
		other := &match.Service{Store: w.store, Now: time.Now, Copy: "other"}
		lose := func() {
			if mine, err := other.Take(t.Context(), "attend", 3*time.Hour); err != nil || !mine {
				t.Error(mine, err)
			}
		}
		page := "[" + strings.Repeat(`{"id":"7"},`, 199) + `{"id":"8"}]`
		w.rest.answer(func(context.Context, call, int) (json.RawMessage, error) {
			time.Sleep(70 * time.Second)
			lose()
			return json.RawMessage(page), nil
		})
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { defer close(done); w.bot.Attend(ctx, 24*time.Hour) }()
		time.Sleep(time.Hour)
		w.expect("GET users/@me/guilds?limit=200")
		stop()
		<-done
	})
}
