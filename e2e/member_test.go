package e2e_test

import (
	"testing"

	"rowbot/sandbox"
)

// There is no rematch with somebody who has left the server, until they are back.
func TestRematchWithSomebodyWhoLeft(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.play(p.duel("ttt"), "a1", "a2", "b1", "b2", "c1")
	p.Playground.RemoveMember(p.Bob)
	p.told(p.click(p.alice, board, "Rematch"), "They aren't in this server any more, so there's no rematch. Challenge somebody who is with a challenge command.")
	p.unchanged(board)
	p.Playground.AddMember(p.Bob)
	p.says(p.click(p.alice, board, "Rematch").Message, "to move · move 1")
}

// Nobody starts a match with a challenger who has left the server; the challenge is
// closed then.
func TestAcceptOfSomebodyWhoLeft(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	toBob, open := p.invite("ttt"), p.slash(p.alice, "gomoku challenge").Message
	p.Playground.RemoveMember(p.Alice)
	for offer, by := range map[*sandbox.Message]sandbox.Seat{toBob: p.bob, open: p.chen} {
		p.told(p.click(by, offer, "Accept"), "They aren't in this server any more, so the challenge is over. Start your own with a challenge command.")
		p.buttons(p.await(offer, p.Alice.Mention()+" has left, so the challenge is over."), "")
	}
	p.Playground.AddMember(p.Alice)
	p.says(p.update(p.bob, p.invite("ttt"), "Accept"), "to move · move 1")
}
