package bot_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rowbot/match"
)

// The end of a match by the clock is shown without anybody's click, those
// that fell due while nothing ran first.
func TestSweep(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "a1", "b2")
		time.Sleep(73 * time.Hour)
		ctx, stop := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() {
			defer close(done)
			w.bot.Sweep(ctx, time.Minute)
		}()
		synctest.Wait()
		c := w.expect(editBoard)[0]
		if got := w.stored(m.ID); got.Status != match.Won || got.Reason != match.ByTime {
			t.Errorf("status %d, reason %d", got.Status, got.Reason)
		}
		if c.after != 73*time.Hour {
			t.Errorf("drawn after %v", c.after)
		}
		second := w.against(match.Random, board)
		now := time.Now()
		w.store.before(func() { // the round in which this happens changes nothing
			if time.Since(now) <= time.Minute {
				panic("a fault of ours")
			}
		})
		time.Sleep(time.Hour + time.Minute)
		synctest.Wait()
		w.expect(editBoard)
		if got := w.stored(second.ID); got.Status != match.Closed {
			t.Errorf("status %d", got.Status)
		}
		stop()
		<-done
	})
}

// failing is a store in which some matches cannot be read.
type failing struct {
	match.Store

	read func(match.ID) error // before a match is read; it may panic
}

func (s failing) Update(ctx context.Context, f func(match.Tx) error) error {
	return s.Store.Update(ctx, func(tx match.Tx) error { return f(failingTx{tx, s.read}) })
}

type failingTx struct {
	match.Tx

	read func(match.ID) error
}

func (tx failingTx) Match(ctx context.Context, id match.ID) (match.Match, error) {
	if err := tx.read(id); err != nil {
		return match.Match{}, err
	}
	return tx.Tx.Match(ctx, id)
}

// Matches that cannot be ended hold up nobody: however many they are, and though
// they are always the earliest, all others are ended in the same round.
func TestSweepGoesOn(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		const broken, all = 215, 330
		for i := range all {
			w.between(strconv.Itoa(100+i/50), bob+strconv.Itoa(i/50), small, "") // nobody plays too many
			time.Sleep(time.Second)
		}
		tried := map[match.ID]int{}
		w.games.Store = failing{w.store, func(id match.ID) error {
			tried[id]++
			switch n, _ := strconv.Atoi(strings.TrimPrefix(string(id), "m")); {
			case n > broken:
				return nil
			case n%2 == 0:
				panic("a fault of ours")
			}
			return errors.New("cannot be read")
		}}
		time.Sleep(73 * time.Hour)
		w.sweepOnce(time.Hour)
		for n := 1; n <= all; n++ {
			id := match.ID(fmt.Sprintf("m%d", n))
			if over := w.stored(id).Status.Over(); over != (n > broken) {
				t.Errorf("match %d is over: %t", n, over)
			}
			if n <= broken && tried[id] != 1 {
				t.Errorf("match %d was tried %d times in one round", n, tried[id])
			}
		}
	})
}
