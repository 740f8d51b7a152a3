package e2e_test

import (
	"strings"
	"testing"

	"rowbot/sandbox"
)

// Where Rowbot is no member and somebody may not use external apps, Discord shows what
// it answers them to nobody else. Nobody is left waiting for an answer to what nobody
// can see, and whoever asked is told so.
func TestUnseen(t *testing.T) {
	t.Parallel()
	for name, begin := range map[string]func(testing.TB, ...func(*sandbox.Options)) *party{"gateway": newParty, "webhook": newWebParty} {
		for scene, play := range map[string]func(p *party, away *sandbox.Guild){
			"challenge": (*party).unseenChallenge, "against Rowbot": (*party).unseenEngine, "board": (*party).unseenBoard, "rematch": (*party).unseenRematch,
		} {
			t.Run(name+"/"+scene, func(t *testing.T) {
				t.Parallel()
				p := begin(t)
				away := p.AddGuild("Elsewhere", sandbox.GuildOptions{
					Owner: p.Chen, Members: []*sandbox.Person{p.Alice, p.Bob}, WithoutBot: true, InstalledBy: p.Alice,
				})
				hall := away.AddChannel("hall")
				p.alice, p.bob, p.chen = p.Alice.In(hall), p.Bob.In(hall), p.Chen.In(hall)
				away.SetPermissions(p.Alice, sandbox.PermViewChannel|sandbox.PermSendMessages|sandbox.PermUseCommands)
				play(p, away)
			})
		}
	}
}

const toYouAlone = "Discord shows my messages here to you alone"

func (p *party) unseenChallenge(away *sandbox.Guild) {
	ask := func() *sandbox.Reply {
		return p.slash(p.alice, "ttt challenge", sandbox.UserOption("opponent", p.Bob))
	}
	withdrawn := func(r *sandbox.Reply) {
		p.t.Helper()
		if !r.Ephemeral {
			p.t.Fatal("the challenge is public")
		}
		m := p.await(r.Message, toYouAlone+", so I withdrew the challenge: ask a moderator for **Use External Apps**, or to add me to this server.")
		p.buttons(m, "")
		p.told(p.slash(p.alice, "matches"), "**Your matches**\nNone")
		p.told(p.slash(p.bob, "matches"), "**Your matches**\nNone")
	}
	withdrawn(ask())
	withdrawn(p.slash(p.alice, "gomoku challenge"))
	p.Alice.SetLocale("de")
	p.await(ask().Message, "**Externe Apps verwenden**")
	p.Alice.SetLocale("en-US")

	// Put off, the answer comes another way.
	release := p.hold()
	r, err := p.alice.Slash(p.t.Context(), "ttt challenge", sandbox.UserOption("opponent", p.Bob))
	if err != nil || !r.Deferred {
		p.t.Errorf("not put off: %v, %v", r, err)
	}
	release()
	withdrawn(p.resolve(r))

	away.SetPermissions(p.Alice, sandbox.PermViewChannel|sandbox.PermSendMessages|sandbox.PermUseCommands|sandbox.PermUseExternalApps)
	r = ask()
	if r.Ephemeral {
		p.t.Fatalf("the challenge is private though external apps are allowed:\n%s", r.Text())
	}
	p.quiet()
	p.says(p.update(p.bob, r.Message, "Accept"), "move 1")
}

func (p *party) unseenEngine(*sandbox.Guild) {
	r := p.slash(p.alice, "ttt bot")
	if !r.Ephemeral {
		p.t.Fatal("the board is public")
	}
	p.quiet()
	p.stones(p.update(p.alice, p.now(r.Message), "b2"), 2, map[string]byte{"b2": 'X'})

	large := p.slash(p.alice, "gomoku bot", sandbox.String("level", "master")).Message
	p.quiet()
	large = p.await(p.update(p.alice, p.now(large), "h8"), p.Alice.Mention()+" to move") // Rowbot thinks, and the reply is an edit
	p.stones(large, 2, map[string]byte{"h8": 'X'})
}

func (p *party) unseenBoard(*sandbox.Guild) {
	offer := p.slash(p.bob, "gomoku challenge", sandbox.UserOption("opponent", p.Alice), sandbox.String("side", "first")).Message
	board := p.update(p.bob, p.update(p.alice, offer, "Accept"), "h8")
	p.shownBy(board)
	copied := p.slash(p.alice, "gomoku board")
	if !copied.Ephemeral {
		p.t.Fatal("the board is public")
	}
	p.buttons(p.await(copied.Message, "The board is here now: https://discord.com/channels/"), "")
	if text := p.now(copied.Message).Text(); !strings.Contains(text, board.ID) {
		p.t.Errorf("it leads not to %s:\n%s", board.ID, text)
	}
	p.stones(p.update(p.alice, board, "h9"), 2, map[string]byte{"h8": 'X', "h9": 'O'})
}

func (p *party) unseenRematch(*sandbox.Guild) {
	offer := p.slash(p.bob, "ttt challenge", sandbox.UserOption("opponent", p.Alice), sandbox.String("side", "second")).Message
	board := p.play(p.update(p.alice, offer, "Accept"), "b2", "a1", "b3", "c1", "b1")
	r := p.click(p.alice, board, "Rematch")
	if !r.Ephemeral {
		p.t.Fatal("the board is public")
	}
	p.buttons(p.await(r.Message, toYouAlone+": your opponent can show the board to both of you with /ttt board."), "")
	again := p.slash(p.bob, "ttt board")
	if again.Ephemeral {
		p.t.Fatal("the board is private")
	}
	p.stones(p.update(p.alice, p.update(p.bob, again.Message, "a1"), "b2"), 2, map[string]byte{"a1": 'X', "b2": 'O'})
}
