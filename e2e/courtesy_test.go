package e2e_test

import (
	"strings"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/sandbox"
)

// A second challenge to the same person leads to the first; so does a second
// open one in a channel.
func TestOnePendingChallenge(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	offer := p.invite("ttt")
	p.shownBy(offer)
	link := "https://discord.com/channels/" + offer.GuildID + "/" + offer.ChannelID + "/" + offer.ID
	p.told(p.slash(p.alice, "gomoku challenge", sandbox.UserOption("opponent", p.Bob)),
		p.Bob.Mention()+" hasn't answered your last challenge yet. Wait for that, or withdraw it: "+link)
	open := p.slash(p.alice, "gomoku challenge").Message
	p.shownBy(open)
	p.told(p.slash(p.alice, "ttt challenge"), "Your open challenge in this channel still waits for somebody. Wait for that, or withdraw it: https://")
	p.says(p.slash(p.Alice.In(p.General), "ttt challenge").Message, "is looking for an opponent")
	p.told(p.slash(p.bob, "gomoku challenge", sandbox.UserOption("opponent", p.Alice)),
		p.Alice.Mention()+" has challenged you already. Answer that one: "+link)
	p.update(p.bob, offer, "Accept")
	p.says(p.invite("ttt"), "challenges")
}

func TestTooManyChallenges(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	var first *sandbox.Message
	for i := range match.MaxPending {
		guest := p.AddPerson("Guest "+string(rune('A'+i)), sandbox.PersonOptions{})
		p.Playground.AddMember(guest)
		m := p.slash(p.alice, "ttt challenge", sandbox.UserOption("opponent", guest)).Message
		if first == nil {
			first = m
		}
	}
	full := "10 of your challenges wait for an answer, and that's as many as can be. Withdraw one first: /matches"
	p.told(p.slash(p.alice, "ttt challenge", sandbox.UserOption("opponent", p.Bob)), full)
	p.told(p.slash(p.alice, "gomoku challenge"), full)
	p.says(p.slash(p.alice, "ttt bot").Message, "move 1")
	p.update(p.alice, first, "Withdraw")
	p.says(p.slash(p.alice, "ttt challenge", sandbox.UserOption("opponent", p.Bob)).Message, "challenges")
}

func TestTooManyMatches(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	toBob := p.invite("ttt")
	toAlice := p.slash(p.chen, "ttt challenge", sandbox.UserOption("opponent", p.Alice)).Message
	for range match.MaxRunning {
		p.says(p.slash(p.alice, "ttt bot").Message, "move 1")
	}
	mine := "You're playing 100 matches, and that's as many as can be. Finish one first: /matches"
	p.told(p.slash(p.alice, "gomoku bot"), mine)
	p.told(p.slash(p.alice, "gomoku challenge", sandbox.UserOption("opponent", p.Darya)), mine)
	p.told(p.click(p.alice, toAlice, "Accept"), mine)
	p.told(p.click(p.bob, toBob, "Accept"), p.Alice.Mention()+" is playing as many matches as can be. Try again when they have finished one.")
	p.unchanged(toBob)
	p.says(p.slash(p.bob, "gomoku bot").Message, "move 1")
}

func TestCoolDown(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	for _, c := range []struct {
		by     sandbox.Seat
		button string
	}{{p.bob, "Decline"}, {p.alice, "Withdraw"}, {p.bob, "Decline"}} {
		p.update(c.by, p.invite("ttt"), c.button)
	}
	p.told(p.slash(p.alice, "gomoku challenge", sandbox.UserOption("opponent", p.Bob)),
		p.Bob.Mention()+" has had enough of your challenges for the moment. You can ask again <t:")
	back := p.slash(p.bob, "gomoku challenge", sandbox.UserOption("opponent", p.Alice)).Message
	p.says(back, "challenges")
	p.update(p.bob, back, "Withdraw")
	p.clock.forward(10 * time.Minute)
	p.says(p.invite("ttt"), "challenges")
}

// After a no the same player offers a draw again when both have moved.
func TestDrawOffersPause(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.play(p.duel("gomoku"), "h8", "h9")
	offer := p.slash(p.alice, "gomoku draw").Message
	p.click(p.bob, offer, "Decline")
	p.told(p.slash(p.alice, "gomoku draw"), p.Bob.Mention()+" said no just now. You can offer a draw again after both have moved.")
	board = p.play(p.until(board, func(m *sandbox.Message) bool { return !strings.Contains(m.Text(), "offers") }), "g8", "g9")
	p.says(p.slash(p.alice, "gomoku draw").Message, "offers")
	p.click(p.alice, p.play(p.until(board, func(m *sandbox.Message) bool { return strings.Contains(m.Text(), "offers") }), "f8"), "f9")
}

// What was given up before it had begun says that it is not rated.
func TestUnrated(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.play(p.duel("gomoku"), "h8", "h9", "g8")
	sure := p.slash(p.bob, "gomoku resign").Message
	p.click(p.bob, sure, "Resign")
	p.says(p.await(board, "resigned"), p.Alice.Mention()+" **won** · "+p.Bob.Mention()+" resigned · 3 moves · unrated, it had hardly begun")
	p.says(p.slash(p.alice, "stats").Message, "1 win, 0 draws, 0 losses · rating 1500?")
	for i := range match.MaxRatedOfPair + 1 {
		end := p.play(p.duel("ttt"), "a1", "a2", "b1", "b2", "c1")
		limit := strings.Contains(end.Text(), "unrated, these two have had 5 rated matches in a day")
		if limit != (i == match.MaxRatedOfPair) {
			t.Errorf("match %d:\n%s", i+1, end.Text())
		}
	}
}
