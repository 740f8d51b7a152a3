package e2e_test

import (
	"cmp"
	"sync"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/sandbox"
)

func TestChallengeForOnePerson(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	for _, game := range []string{"ttt", "gomoku"} {
		offer := p.invite(game)
		p.says(offer, p.Alice.Mention()+" challenges "+p.Bob.Mention()+".", "The offer stands until <t:")
		p.buttons(offer, "Accept, Decline, Withdraw")
		if len(offer.Pings) != 1 || offer.Pings[0] != p.Bob.ID() {
			t.Errorf("the challenge pings %v, want Bob alone", offer.Pings)
		}
		forBob := "This challenge is for " + p.Bob.Mention() + "."
		p.told(p.click(p.chen, offer, "Accept"), forBob)
		p.told(p.click(p.chen, offer, "Decline"), forBob)
		p.told(p.click(p.chen, offer, "Withdraw"), "")
		p.told(p.click(p.alice, offer, "Accept"), "")
		p.told(p.click(p.alice, offer, "Decline"), forBob)
		p.told(p.click(p.bob, offer, "Withdraw"), "")
		p.unchanged(offer)
		board := p.update(p.bob, offer, "Accept")
		if board.ID != offer.ID {
			t.Error("the board is not the challenge's message")
		}
		p.says(board, p.Alice.Mention()+" to move", "move 1")
	}
}

func TestChallengeDeclinedAndWithdrawn(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	for _, c := range []struct {
		by           sandbox.Seat
		button, says string
	}{
		{p.bob, "Decline", p.Bob.Mention() + " declined."},
		{p.alice, "Withdraw", p.Alice.Mention() + " withdrew"},
	} {
		offer := p.invite("gomoku")
		closed := p.update(c.by, offer, c.button)
		p.says(closed, c.says)
		p.buttons(closed, "")
		for _, late := range []string{"Accept", "Decline", "Withdraw"} {
			for _, by := range []sandbox.Seat{p.alice, p.bob, p.chen} {
				p.click(by, offer, late) // a finger that was already on its way
			}
		}
		p.unchanged(closed)
		p.told(p.slash(p.alice, "gomoku move", sandbox.String("cell", "h8")), "You have no match in this channel.")
		p.clock.forward(match.CoolDown)
	}
}

func TestChallengeForAnybody(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	for range 5 {
		offer := p.slash(p.alice, "ttt challenge", sandbox.String("side", "second")).Message
		p.says(offer, p.Alice.Mention()+" is looking for an opponent. First come, first served.")
		p.buttons(offer, "Accept, Withdraw")
		if len(offer.Pings) > 0 {
			t.Errorf("an open challenge pings %v", offer.Pings)
		}
		p.told(p.click(p.alice, offer, "Accept"), "You can't")
		p.told(p.click(p.bob, offer, "Withdraw"), "Only "+p.Alice.Mention())
		p.unchanged(offer)

		replies := make([]*sandbox.Reply, 2)
		var race sync.WaitGroup
		for i, by := range []sandbox.Seat{p.bob, p.chen} {
			race.Go(func() { replies[i] = p.click(by, offer, "Accept") })
		}
		race.Wait()
		first, second := p.Bob, replies[1]
		if replies[0].Updated == nil {
			first, second = p.Chen, replies[0]
		}
		p.told(second, "This challenge has been accepted already.")
		p.says(p.now(offer), first.Mention()+" to move", p.Alice.Mention())
	}
}

func TestChallengeRowbot(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	r := p.slash(p.alice, "gomoku challenge", sandbox.UserOption("opponent", p.Bot()), sandbox.String("side", "second"))
	p.says(r.Message, p.Alice.Mention()+" to move", "move 2", "Rowbot")
	p.stones(r.Message, 1, nil)
	r = p.slash(p.alice, "ttt challenge", sandbox.UserOption("opponent", p.Bot()), sandbox.String("side", "first"))
	p.says(r.Message, p.Alice.Mention()+" to move", "move 1")
}

func TestChallengeImpossible(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	p.Playground.RemoveMember(p.Darya)
	before := len(p.Messages(p.Games.ID()))
	for _, c := range []struct {
		opponent *sandbox.Person
		says     string
	}{
		{p.Alice, "You can't challenge yourself. Try /gomoku bot."},
		{p.OtherBot, "I only know how to play people and myself."},
		{p.Darya, "They aren't in this server any more."},
	} {
		p.told(p.slash(p.alice, "gomoku challenge", sandbox.UserOption("opponent", c.opponent)), c.says)
	}
	if after := len(p.Messages(p.Games.ID())); after != before {
		t.Errorf("%d public messages came of impossible challenges", after-before)
	}
	p.told(p.slash(p.alice, "matches"), "**Your matches**\nNone")
}

func TestDirectMessages(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	dm := p.Alice.DM()
	p.told(p.slash(dm, "ttt challenge"), "Nobody else can see this conversation.")
	p.told(p.slash(dm, "ttt challenge", sandbox.UserOption("opponent", p.Bob)), "Nobody else can see this conversation.")
	board := p.slash(dm, "gomoku bot").Message
	board = p.update(dm, board, "h8")
	p.stones(board, 2, map[string]byte{"h8": 'X'})
	cell := "a1"
	if stonesIn(board)[cell] != 0 {
		cell = "a2"
	}
	p.told(p.slash(dm, "gomoku move", sandbox.String("cell", cell)), "You played "+cell+".")
	p.stones(p.now(board), 4, map[string]byte{"h8": 'X', cell: 'X'})
	p.says(p.slash(dm, "matches").Message, "https://discord.com/channels/@me/"+board.ChannelID+"/"+board.ID)
	sure := p.slash(dm, "gomoku resign")
	p.click(dm, sure.Message, "Resign")
	p.says(p.await(board, "won"), p.Alice.Mention()+" resigned")
}

// In a conversation or a server where the bot is not, only the answers to
// interactions work.
func TestWhereTheBotIsNot(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(p *party) *sandbox.Channel{
		"group conversation": func(p *party) *sandbox.Channel {
			return p.AddPrivateChannel(p.Alice, p.Alice, p.Bob, p.Chen)
		},
		"server": func(p *party) *sandbox.Channel {
			return p.AddGuild("Elsewhere", sandbox.GuildOptions{
				Owner: p.Chen, Members: []*sandbox.Person{p.Alice, p.Bob}, WithoutBot: true, InstalledBy: p.Alice,
			}).AddChannel("hall")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newParty(t)
			p.playWithout(place(p))
		})
	}
}

func (p *party) playWithout(place *sandbox.Channel) {
	p.alice, p.bob, p.chen = p.Alice.In(place), p.Bob.In(place), p.Chen.In(place)
	guild := place.GuildID()
	if guild == "" {
		guild = "@me"
	}
	board := p.play(p.duel("gomoku"), "h8", "h9")
	r := p.slash(p.alice, "gomoku move", sandbox.String("cell", "j10"))
	if r.Message == nil || r.Ephemeral {
		p.t.Fatalf("the board cannot be edited here, but the answer is %q", r.Text())
	}
	p.stones(r.Message, 3, map[string]byte{"h8": 'X', "h9": 'O', "j10": 'X'})
	p.shownBy(r.Message)
	old := p.click(p.bob, board, "g8")
	leads := cmp.Or(old.Updated, old.Message) // privately where the old board has lost its buttons already
	p.buttons(leads, "")
	p.says(leads, "https://discord.com/channels/"+guild+"/"+place.ID()+"/"+r.Message.ID)
	p.stones(p.update(p.bob, r.Message, "j9"), 4, map[string]byte{"j9": 'O'})

	offer := p.slash(p.alice, "gomoku draw").Message
	p.says(offer, p.Alice.Mention()+" offers "+p.Bob.Mention()+" a draw.")
	p.says(p.update(p.bob, offer, "Accept"), "A draw, agreed")
	end := p.awaitNew(place, "A draw")
	p.buttons(end, "Rematch, Replay")

	again := p.click(p.bob, end, "Rematch").Message
	p.says(again, p.Bob.Mention()+" to move")
	sure := p.slash(p.bob, "gomoku resign")
	p.click(p.bob, sure.Message, "Resign")
	p.says(p.awaitNew(place, "resigned"), p.Alice.Mention()+" **won**")
}

func TestChallengeExpires(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	offer := p.invite("ttt")
	p.clock.forward(24*time.Hour - time.Minute)
	young := p.slash(p.alice, "gomoku challenge", sandbox.UserOption("opponent", p.Chen)).Message
	p.clock.forward(2 * time.Minute)
	p.sweep()
	ended := p.await(offer, "This challenge has expired.")
	p.buttons(ended, "")
	p.unchanged(young)
	p.update(p.chen, young, "Accept")
}

func TestChallengeExpiresBeforeTheSweep(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	closed, open := p.invite("ttt"), p.slash(p.alice, "ttt challenge").Message
	p.clock.forward(24*time.Hour + time.Second)
	r := p.click(p.bob, closed, "Accept")
	p.says(p.await(closed, "This challenge has expired."), "")
	if r.Updated == nil {
		p.told(r, "This challenge has expired.")
	}
	p.told(p.click(p.chen, open, "Accept"), "This challenge has expired.")
	p.buttons(p.await(open, "This challenge has expired."), "")
}

func TestChallengeExpiresWhileRowbotIsAway(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	offer := p.invite("gomoku")
	p.stop()
	p.clock.forward(25 * time.Hour)
	p.connect()
	p.sweep() // as the program does at its start
	p.buttons(p.await(offer, "This challenge has expired."), "")
}
