package e2e_test

import (
	"testing"

	"rowbot/sandbox"
)

// absences is how often somebody leaves before a test counts as failed. Discord is asked
// whether they are there, but no longer than 300 ms, and what it does not say is no
// obstacle: on a machine busy with other tests that may pass now and then.
const absences = 5

// There is no rematch with somebody who has left the server, until they are back.
func TestRematchWithSomebodyWhoLeft(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	for range absences {
		board := p.play(p.duel("ttt"), "a1", "a2", "b1", "b2", "c1")
		p.Playground.RemoveMember(p.Bob)
		r := p.click(p.alice, board, "Rematch")
		p.Playground.AddMember(p.Bob)
		if !r.Ephemeral {
			continue
		}
		p.told(r, "They aren't in this server any more, so there's no rematch. Challenge somebody who is with a challenge command.")
		p.unchanged(board)
		p.says(p.click(p.alice, board, "Rematch").Message, "to move · move 1")
		return
	}
	t.Error("a rematch is started with somebody who is not there")
}

// Nobody starts a match with a challenger who has left the server; the challenge is
// closed then.
func TestAcceptOfSomebodyWhoLeft(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	for _, c := range []struct {
		by      sandbox.Seat
		offered func() *sandbox.Message
	}{
		{p.bob, func() *sandbox.Message { return p.invite("ttt") }},
		{p.chen, func() *sandbox.Message { return p.slash(p.alice, "gomoku challenge").Message }},
	} {
		refused := false
		for try := 0; try < absences && !refused; try++ {
			offer := c.offered()
			p.Playground.RemoveMember(p.Alice)
			r := p.click(c.by, offer, "Accept")
			p.Playground.AddMember(p.Alice)
			if refused = r.Ephemeral; refused {
				p.told(r, "They aren't in this server any more, so the challenge is over. Start your own with a challenge command.")
				p.buttons(p.await(offer, p.Alice.Mention()+" has left, so the challenge is over."), "")
			}
		}
		if !refused {
			t.Error("a match is started with somebody who is not there")
		}
	}
	p.says(p.update(p.bob, p.invite("ttt"), "Accept"), "to move · move 1")
}
