package e2e_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"rowbot/sandbox"
)

// killUnknown has somebody start something, and kills the process when Discord has the
// message, but the process does not know it yet. It returns the message.
func (k *program) killUnknown(by sandbox.Seat, command string, options ...sandbox.Option) (posted *sandbox.Message) {
	k.t.Helper()
	k.Fail(1, http.MethodPost, sandbox.RouteCallback, sandbox.LostAnswer())
	k.killDuring(http.MethodGet, sandbox.RouteOriginal, func(ctx context.Context) {
		r, err := by.Slash(ctx, command, options...)
		if err != nil || r.Message == nil {
			k.t.Errorf("nothing was posted: %v", err)
			return
		}
		posted = r.Message
	})
	return posted
}

// Killed before it knew which message shows a match, Rowbot learns it from the first
// press there.
func TestKilledBeforeTheMessageIsKnown(t *testing.T) {
	t.Parallel()
	k := newProgram(t, "ROWBOT_PLAY_CHALLENGE_EXPIRY=3s", "ROWBOT_PLAY_SWEEP=100ms")
	k.run()
	board := k.killUnknown(k.chen, "ttt bot")
	if said := k.slash(k.chen, "matches").Text(); !strings.Contains(said, "your turn") || strings.Contains(said, board.ID) {
		t.Fatalf("the test is in vain: %s", said)
	}
	k.told(k.click(k.alice, board, "a1"), "This match is between")
	k.says(k.slash(k.chen, "matches").Message, board.ID)
	k.told(k.slash(k.chen, "ttt move", sandbox.String("cell", firstFree(board))), "You played")
	k.await(board, "move 3")

	open := k.killUnknown(k.alice, "gomoku challenge")
	k.poll("it to expire", func() bool { return !strings.Contains(k.slash(k.alice, "matches").Text(), "expires") })
	time.Sleep(200 * time.Millisecond) // a sweep that knows no message
	k.buttons(k.now(open), "Accept, Withdraw")
	closed := k.update(k.bob, open, "Accept")
	k.says(closed, "This challenge has expired.")
	k.buttons(closed, "")
	k.terminate()
}

// The link is in the list of matches as soon as the board is there.
func TestLinkAtOnce(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	for range 10 {
		board := p.slash(p.alice, "ttt bot").Message
		p.says(p.slash(p.alice, "matches").Message, board.ID)
	}
}
