package e2e_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"rowbot/sandbox"
)

// impatient is a program that tells people of their turn almost at once.
func impatient(t *testing.T) *program {
	t.Helper()
	k := newProgram(t, "ROWBOT_PLAY_TURN_NOTICE=1s", "ROWBOT_PLAY_SWEEP=50ms")
	k.run()
	return k
}

// toAlice is how often Alice was told of her turn.
func (k *program) toAlice(count func() map[string]int) int {
	return count()[k.Alice.Mention()+", it's your turn"]
}

// standing are the notices to Alice that stand.
func (k *program) standing() (n int) {
	for _, m := range k.notices() {
		if strings.HasPrefix(m.Content, k.Alice.Mention()+", ") {
			n++
		}
	}
	return n
}

// stays lets a few sweeps go by. Nothing tells of a sweep that finds nothing to
// do, so this only waits a little longer than some of them take.
func (k *program) stays(what string, is func() bool) {
	k.t.Helper()
	for range 30 {
		if !is() {
			k.t.Fatalf("no longer so: %s", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// TestNoticeAfterKill: killed at any point of a notice's life, Rowbot tells nobody
// twice, and takes the notice away when it is settled.
func TestNoticeAfterKill(t *testing.T) {
	t.Parallel()
	t.Run("before Discord has it", func(t *testing.T) {
		t.Parallel()
		k := impatient(t)
		count := k.lookOut()
		one := func() bool { return k.standing() == 1 && k.toAlice(count) == 1 }
		offer := k.invite("gomoku")
		k.killDuring(http.MethodPost, sandbox.RouteMessages, func(ctx context.Context) { k.bob.Click(ctx, offer, "Accept") })
		k.poll("the notice", one)
		k.stays("one notice", one)
		k.update(k.alice, k.now(offer), "h8")
		k.poll("the notice to go", func() bool { return k.standing() == 0 })
		k.terminate()
	})
	t.Run("before Rowbot knows that Discord has it", func(t *testing.T) {
		t.Parallel()
		k := impatient(t)
		count := k.lookOut()
		one := func() bool { return k.standing() == 1 && k.toAlice(count) == 1 }
		k.Fail(-1, http.MethodPost, sandbox.RouteMessages, sandbox.LostAnswer())
		board := k.duel("gomoku")
		k.poll("the notice", one)
		k.kill()
		k.ClearFaults()
		k.run()
		k.stays("one notice", one)
		k.update(k.alice, board, "h8")
		k.poll("the notice to go", func() bool { return k.standing() == 0 })
		k.terminate()
	})
	t.Run("while it stands", func(t *testing.T) {
		t.Parallel()
		k := impatient(t)
		count := k.lookOut()
		one := func() bool { return k.standing() == 1 && k.toAlice(count) == 1 }
		board := k.duel("gomoku")
		k.poll("the notice", one)
		k.stays("one notice", one)
		k.kill()
		k.run()
		k.stays("one notice", one)
		k.update(k.alice, board, "h8")
		k.poll("the notice to go", func() bool { return k.standing() == 0 })
		k.terminate()
	})
	t.Run("while it is taken away", func(t *testing.T) {
		t.Parallel()
		k := impatient(t)
		count := k.lookOut()
		one := func() bool { return k.standing() == 1 && k.toAlice(count) == 1 }
		board := k.duel("gomoku")
		k.poll("the notice", one)
		k.killDuring(http.MethodDelete, sandbox.RouteMessage, func(ctx context.Context) { k.alice.Click(ctx, board, "h8") })
		k.poll("the notice to go", func() bool { return k.standing() == 0 })
		k.stays("no notice", func() bool { return k.standing() == 0 && k.toAlice(count) == 1 })
		k.terminate()
	})
}
