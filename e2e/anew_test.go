package e2e_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"rowbot/sandbox"
)

// anew waits for another message than the known one that shows a running or an
// ended match, and returns it.
func (p *party) anew(old *sandbox.Message, text string) *sandbox.Message {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	m, err := p.Wait(ctx, old.ChannelID, "", func(m *sandbox.Message) bool {
		return m.ID != old.ID && strings.Contains(m.Text(), text) && len(m.Buttons()) > 0
	})
	if err != nil {
		p.t.Fatalf("no other board with %q came: %v", text, err)
	}
	if m.ID < old.ID || len(m.Pings) > 0 {
		p.t.Errorf("the new board is older, or pings %v", m.Pings)
	}
	return m
}

// replaced waits until a message cannot be used any more: it is gone, or leads to
// the board that has replaced it.
func (p *party) replaced(old *sandbox.Message, by *sandbox.Message) {
	p.t.Helper()
	p.poll("the old board to lose its buttons", func() bool {
		m := p.Message(old.ChannelID, old.ID)
		return m == nil || pressable(m) == "" && strings.Contains(m.Text(), by.ID)
	})
}

// TestBoardMovesOn: where the clock or Rowbot has changed a match whose message
// can't be edited, the match goes on at a new one.
func TestBoardMovesOn(t *testing.T) {
	t.Parallel()
	tooOld := sandbox.Refusal(http.StatusTooManyRequests, 30046, "Maximum number of edits to messages older than 1 hour reached. Try again later.")
	t.Run("lost on time", func(t *testing.T) {
		t.Parallel()
		for name, prevent := range map[string]func(p *party, board *sandbox.Message){
			"too old": func(p *party, _ *sandbox.Message) { p.Fail(-1, http.MethodPatch, "", tooOld) },
			"deleted": func(p *party, board *sandbox.Message) { p.Delete(board) },
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				p := newParty(t)
				board := p.play(p.duel("gomoku", sandbox.String("pace", "1h")), "h8", "h9")
				prevent(p, board)
				p.clock.forward(time.Hour)
				p.sweep()
				end := p.anew(board, p.Bob.Mention()+" **won** · on time")
				p.buttons(end, "Rematch, Replay")
				p.replaced(board, end)
				p.ClearFaults()
				p.says(p.click(p.bob, end, "Rematch").Message, p.Bob.Mention()+" to move", "move 1")
				p.await(end, "won")
			})
		}
	})
	t.Run("expired or hardly begun, and deleted", func(t *testing.T) {
		t.Parallel()
		p := newParty(t)
		young := p.duel("ttt", sandbox.String("pace", "5m"))
		offer := p.invite("ttt")
		p.Delete(offer)
		p.Delete(young)
		p.clock.forward(25 * time.Hour)
		p.sweeps(2)
		if all := p.Messages(p.Games.ID()); len(all) != 0 {
			t.Errorf("posted:\n%s", all[0].Text())
		}
	})
	t.Run("Rowbot may not post", func(t *testing.T) {
		t.Parallel()
		p := newParty(t)
		board := p.play(p.duel("ttt", sandbox.String("pace", "5m")), "a1", "a2")
		p.Games.SetBotPermissions(sandbox.PermInvite &^ sandbox.PermSendMessages)
		p.Fail(-1, http.MethodPatch, "", tooOld)
		p.clock.forward(5 * time.Minute)
		p.sweeps(2)
		p.unchanged(board)
		end := p.update(p.alice, board, "b2") // a click on it shows how it stands
		p.says(end, "**won** · on time")
	})
}

// TestReplyOnANewBoard: Rowbot's reply, paid after a crash, finds the board too
// old to be edited.
func TestReplyOnANewBoard(t *testing.T) {
	t.Parallel()
	k := newProgram(t)
	k.run()
	board := k.slash(k.alice, "gomoku bot", sandbox.String("level", "master")).Message
	seen := k.update(k.alice, board, "h8")
	k.says(seen, "thinking…")
	k.kill()
	k.Fail(-1, http.MethodPatch, "", sandbox.Refusal(http.StatusTooManyRequests, 30046, "Maximum number of edits to messages older than 1 hour reached."))
	k.run()
	now := k.anew(board, k.Alice.Mention()+" to move")
	k.stones(now, 2, map[string]byte{"h8": 'X'})
	k.replaced(board, now)
	k.ClearFaults()
	cell := firstFree(now)
	k.says(k.update(k.alice, now, cell), "thinking…")
	k.stones(k.await(now, k.Alice.Mention()+" to move"), 4, map[string]byte{cell: 'X'})

	// Killed while the new board is on its way: there is one, and it can be played on.
	k.update(k.alice, k.now(now), firstFree(k.now(now)))
	k.kill()
	k.Delete(now)
	k.launch()
	k.killDuring(http.MethodPost, sandbox.RouteMessages, func(context.Context) {})
	last := k.anew(now, k.Alice.Mention()+" to move")
	k.stones(last, 6, nil)
	k.update(k.alice, last, firstFree(last))
	k.terminate()
}

// TestLongAway: what fell due while Rowbot was not there is done once, and of
// what is over nobody is told.
func TestLongAway(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	young := p.duel("ttt")
	lost := p.play(p.duel("gomoku"), "h8", "h9")
	patient := sandbox.String("pace", "7d")
	late, quiet := p.play(p.duel("ttt", patient), "a1", "b2"), p.play(p.duel("gomoku", patient), "h8")
	offer := p.invite("ttt")
	count := p.lookOut()
	p.stop()
	p.clock.forward(5 * 24 * time.Hour)
	p.connect()
	for range 3 {
		p.sweep()
	}
	p.await(offer, "This challenge has expired.")
	p.await(young, "Closed · it had hardly begun")
	p.says(p.await(lost, "won"), p.Bob.Mention()+" **won** · on time")
	p.poll("two warnings", func() bool { return len(p.notices()) == 2 })
	p.sweeps(1)
	for text, n := range count() {
		if n != 1 || !strings.Contains(text, "you have until") && !strings.HasPrefix(text, p.Chen.Mention()) {
			t.Errorf("said %d times: %s", n, text)
		}
	}
	p.says(p.slash(p.alice, "stats").Message, "0 wins, 0 draws, 1 loss")
	p.says(p.slash(p.bob, "stats").Message, "1 win, 0 draws, 0 losses")
	p.update(p.alice, late, "c3")
	p.update(p.bob, quiet, "h9")
	p.unnoticed()
}
