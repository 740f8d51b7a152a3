package e2e_test

import (
	"slices"
	"testing"

	"rowbot/match"
	"rowbot/sandbox"
)

// A challenge whose message is gone is in nobody's way: it is withdrawn, declined or
// accepted by the buttons of what is said of it, or posted again.
func TestChallengeDeleted(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	lost := func() {
		t.Helper()
		offer := p.invite("ttt")
		p.shownBy(offer)
		p.Delete(offer)
	}
	second := func(by sandbox.Seat, to *sandbox.Person, says, buttons string) *sandbox.Message {
		t.Helper()
		r := p.slash(by, "gomoku challenge", sandbox.UserOption("opponent", to))
		p.told(r, says)
		p.buttons(r.Message, buttons)
		return r.Message
	}
	lost()
	p.says(p.update(p.alice, second(p.alice, p.Bob, p.Bob.Mention()+" hasn't answered", "Withdraw"), "Withdraw"), "You withdrew the challenge.")
	lost()
	p.says(p.update(p.bob, second(p.bob, p.Alice, p.Alice.Mention()+" has challenged you already.", "Accept, Decline"), "Decline"), "You declined the challenge.")
	lost()
	r := p.click(p.bob, second(p.bob, p.Alice, p.Alice.Mention()+" has challenged you already.", "Accept, Decline"), "Accept")
	if r.Ephemeral || r.Message == nil {
		t.Fatalf("no public board, but %s", r.Text())
	}
	p.says(p.play(r.Message, "a1", "a2", "b1", "b2", "c1"), p.Alice.Mention()+" **won**")

	// Posted again, by either of the two.
	p.clock.forward(match.CoolDown)
	lost()
	first := p.slash(p.bob, "ttt board").Message
	p.buttons(first, "Accept, Decline, Withdraw")
	again := p.slash(p.alice, "ttt board").Message
	p.buttons(again, "Accept, Decline, Withdraw")
	if len(again.Pings)+len(first.Pings) > 0 {
		t.Errorf("it pings %v", again.Pings)
	}
	p.buttons(p.await(first, "The challenge is here now: "), "")
	p.says(first, p.Alice.Mention()+" challenges "+p.Bob.Mention())
	p.says(p.update(p.bob, again, "Accept"), "to move · move 1")
}

// Where the message of a challenge is still there, it follows what is done elsewhere.
func TestChallengeSettledElsewhere(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	p.slash(p.alice, "settings threads", sandbox.Bool("threads", true))
	there := p.Bob.In(p.General)
	offer := p.invite("gomoku")
	p.shownBy(offer)
	no := p.slash(there, "ttt challenge", sandbox.UserOption("opponent", p.Alice)).Message
	p.says(p.update(there, no, "Accept"), "You accepted. The match is here: ", offer.ID)
	board := p.await(offer, "to move · move 1")
	p.buttons(p.play(board, "h8"), pressable(p.now(board)))
	p.poll("a thread on the board", func() bool {
		return slices.ContainsFunc(p.Channels(), func(c *sandbox.Channel) bool { return c.ID() == offer.ID })
	})

	open := p.slash(p.alice, "ttt challenge").Message
	p.shownBy(open)
	no = p.slash(p.alice, "ttt challenge").Message
	p.buttons(no, "Withdraw")
	p.update(p.alice, no, "Withdraw")
	p.buttons(p.await(open, p.Alice.Mention()+" withdrew the challenge."), "")
	p.says(p.update(p.alice, no, "Withdraw"), "You withdrew the challenge.")
}
