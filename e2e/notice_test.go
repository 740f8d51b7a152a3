package e2e_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

// isNotice tells a notice from what else Rowbot posts.
func isNotice(m *sandbox.Message) bool {
	return strings.Contains(m.Content, ", it's your turn: ") || strings.Contains(m.Content, ", you have until ")
}

// notices are those that stand in #games, oldest first.
func (p *party) notices() []*sandbox.Message {
	return slices.DeleteFunc(p.Messages(p.Games.ID()), func(m *sandbox.Message) bool { return !isNotice(m) })
}

// noticed waits for the one notice that stands in #games, and looks at it: it
// says what it has to, pings one person, and answers the board.
func (p *party) noticed(board *sandbox.Message, who *sandbox.Person, text string) *sandbox.Message {
	p.t.Helper()
	p.poll("a notice to "+who.Mention(), func() bool {
		all := p.notices()
		return len(all) == 1 && strings.HasPrefix(all[0].Content, who.Mention()+", "+text)
	})
	n := p.notices()[0]
	link := "https://discord.com/channels/" + board.GuildID + "/" + board.ChannelID + "/" + board.ID
	if !strings.HasSuffix(n.Content, ": "+link) {
		p.t.Errorf("the notice is %q, and should lead to %s", n.Content, link)
	}
	if diff := cmp.Diff([]string{who.ID()}, n.Pings); diff != "" || n.PingsEveryone || len(n.PingsRoles) > 0 {
		p.t.Errorf("%q pings (-want +got):\n%s", n.Content, diff)
	}
	if n.ReplyTo != board.ID {
		p.t.Errorf("it answers %q, not the board %q", n.ReplyTo, board.ID)
	}
	return n
}

// unnoticed waits until no notice stands in #games.
func (p *party) unnoticed() {
	p.t.Helper()
	p.poll("the notices to go", func() bool { return len(p.notices()) == 0 })
}

// lookOut counts what is ever posted as a notice, by its text up to the link.
func (p *party) lookOut() func() map[string]int {
	sub := p.Subscribe(1 << 12)
	seen, mu, done := map[string]int{}, sync.Mutex{}, make(chan struct{})
	go func() {
		defer close(done)
		for e := range sub.C {
			if e.Kind == sandbox.MessageCreated && isNotice(e.Message) {
				text, _, _ := strings.Cut(e.Message.Content, ": https")
				mu.Lock()
				seen[text]++
				mu.Unlock()
			}
		}
	}()
	p.t.Cleanup(func() { sub.Close(); <-done })
	return func() map[string]int {
		mu.Lock()
		defer mu.Unlock()
		return maps.Clone(seen)
	}
}

// sweeps lets several sweeps run to their end: Chen, in another channel, is told
// of the turn that came last, after everything else that is due.
func (p *party) sweeps(times int) {
	p.t.Helper()
	there := p.Chen.In(p.General)
	for range times {
		offer := p.slash(p.Alice.In(p.General), "ttt challenge", sandbox.UserOption("opponent", p.Chen), sandbox.String("side", "second"))
		p.update(there, offer.Message, "Accept")
		p.clock.forward(10 * time.Minute)
		before := len(p.Messages(p.General.ID()))
		p.sweep()
		p.poll("the end of a sweep", func() bool { return len(p.Messages(p.General.ID())) > before })
	}
}

// TestTurnNotice follows a match in which somebody is away again and again.
func TestTurnNotice(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	count := p.lookOut()
	board := p.duel("gomoku")
	p.clock.forward(9 * time.Minute)
	p.sweep()
	p.clock.forward(time.Minute)
	p.sweep()
	first := p.noticed(board, p.Alice, "it's your turn")
	p.sweeps(2) // and is not told again
	if all := p.notices(); len(all) != 1 || all[0].ID != first.ID {
		t.Errorf("%d notices stand", len(all))
	}
	board = p.update(p.alice, board, "h8")
	p.unnoticed() // by a click

	p.clock.forward(10 * time.Minute)
	p.sweep()
	p.noticed(board, p.Bob, "it's your turn")
	p.told(p.slash(p.bob, "gomoku move", sandbox.String("cell", "h9")), "You played h9.")
	p.unnoticed() // by a command

	p.clock.forward(5 * time.Minute)
	board = p.update(p.alice, p.now(board), "g8") // in time
	p.clock.forward(6 * time.Minute)
	board = p.update(p.bob, board, "g9")
	p.clock.forward(10 * time.Minute)
	p.sweep()
	p.noticed(board, p.Alice, "it's your turn")
	moved := p.slash(p.bob, "gomoku board").Message
	p.unnoticed() // its link led to the board of before
	p.sweeps(1)
	p.unnoticed() // and she is not told of the same turn again

	moved = p.update(p.alice, moved, "f8")
	p.clock.forward(10 * time.Minute)
	p.sweep()
	p.noticed(moved, p.Bob, "it's your turn")
	sure := p.slash(p.alice, "gomoku resign").Message
	p.click(p.alice, sure, "Resign")
	p.unnoticed() // by the end of the match
	p.sweeps(1)
	p.unnoticed()
	want := map[string]int{
		p.Alice.Mention() + ", it's your turn": 2, p.Bob.Mention() + ", it's your turn": 2,
		p.Chen.Mention() + ", it's your turn": 4,
	}
	p.poll("all to be counted", func() bool { return maps.Equal(want, count()) })
}

// TestNobodyIsToldWhoIsThere: looking around on the board, or offering a draw, is
// doing something.
func TestNobodyIsToldWhoIsThere(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.duel("gomoku")
	p.clock.forward(9 * time.Minute)
	board = p.update(p.alice, board, "←")
	p.sweeps(0)
	p.clock.forward(5 * time.Minute)
	p.sweep()
	p.clock.forward(4 * time.Minute)
	p.slash(p.alice, "gomoku draw")
	p.await(board, "offers")
	p.clock.forward(9 * time.Minute)
	p.sweep()
	p.unnoticed()
	p.clock.forward(time.Minute)
	p.sweep()
	p.noticed(board, p.Alice, "it's your turn")
}

// TestNoNotice: where nobody is told, nobody is promised to be.
func TestNoNotice(t *testing.T) {
	t.Parallel()
	t.Run("switched off", func(t *testing.T) {
		t.Parallel()
		w := standIn(t)
		w.notice = 0
		w.connect()
		p := &party{world: w, alice: w.Alice.In(w.Games), bob: w.Bob.In(w.Games), chen: w.Chen.In(w.Games)}
		board := p.play(p.duel("ttt"), "a1")
		if r := p.click(p.alice, board, "a2"); r.Text() != "It's "+p.Bob.Mention()+"'s turn." {
			t.Errorf("told %q", r.Text())
		}
		quick := p.duel("ttt", sandbox.String("pace", "15m"))
		p.clock.forward(11 * time.Minute)
		p.sweep()
		n := p.noticed(quick, p.Alice, "you have until") // the warning comes all the same
		p.update(p.alice, quick, "a1")
		p.unnoticed()
		if p.Message(n.ChannelID, n.ID) != nil {
			t.Error("the warning stands")
		}
	})
	t.Run("against Rowbot", func(t *testing.T) {
		t.Parallel()
		p := newParty(t)
		board := p.slash(p.alice, "gomoku bot").Message
		p.update(p.alice, board, "h8")
		p.clock.forward(20 * time.Minute)
		p.sweeps(1)
		p.unnoticed()
		p.slash(p.bob, "ttt bot") // nobody waits for the first move
		p.clock.forward(48 * time.Hour)
		p.sweep()
		p.noticed(board, p.Alice, "you have until")
		p.sweeps(1)
		p.noticed(board, p.Alice, "you have until")
	})
}

// TestReminder: at a third of the time, once, in place of the notice.
func TestReminder(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	count := p.lookOut()
	board := p.play(p.duel("gomoku", sandbox.String("pace", "1h")), "h8", "h9")
	p.clock.forward(10 * time.Minute)
	p.sweep()
	p.noticed(board, p.Alice, "it's your turn")
	p.clock.forward(30 * time.Minute)
	p.sweep()
	p.poll("the warning to take the notice's place", func() bool {
		all := p.notices()
		return len(all) == 1 && strings.Contains(all[0].Content, "you have until")
	})
	warning := p.noticed(board, p.Alice, "you have until <t:")
	if !strings.Contains(warning.Content, ":R>) to move, or the match is lost on time: ") {
		t.Errorf("the warning is %q", warning.Content)
	}
	p.sweeps(1)
	p.noticed(board, p.Alice, "you have until")
	board = p.update(p.alice, board, "g8")
	p.unnoticed()
	p.clock.forward(time.Hour + time.Minute) // over for Bob, who was not warned in time
	p.sweep()
	p.says(p.await(board, "won"), "on time")
	p.sweeps(1)
	p.unnoticed()

	young := p.duel("ttt", sandbox.String("pace", "15m"))
	p.clock.forward(10 * time.Minute)
	p.sweep()
	if n := p.noticed(young, p.Alice, "you have until"); !strings.Contains(n.Content, "or the match is closed: ") {
		t.Errorf("the warning of a match that has hardly begun is %q", n.Content)
	}
	p.clock.forward(5 * time.Minute)
	p.sweep()
	p.await(young, "Closed")
	p.unnoticed()

	short := p.play(p.duel("ttt", sandbox.String("pace", "5m")), "a1", "a2")
	p.clock.forward(4 * time.Minute)
	p.sweep()
	p.clock.forward(2 * time.Minute)
	p.sweep()
	p.await(short, "won")
	p.sweeps(1)
	p.unnoticed()
	for text, n := range count() {
		if strings.HasPrefix(text, p.Alice.Mention()+", you have") && n != 1 || strings.HasPrefix(text, p.Bob.Mention()) {
			t.Errorf("%q was said %d times", text, n)
		}
	}
}

// TestNoticeWhereRowbotMayNotPost: it is tried once in each match and given up.
func TestNoticeWhereRowbotMayNotPost(t *testing.T) {
	t.Parallel()
	for name, bits := range map[string]uint64{
		"no sending": sandbox.PermInvite &^ sandbox.PermSendMessages,
		"no view":    sandbox.PermInvite &^ sandbox.PermViewChannel,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newParty(t)
			board := p.duel("ttt")
			p.Games.SetBotPermissions(bits)
			traffic := p.Traffic(1 << 12)
			p.clock.forward(10 * time.Minute)
			p.sweeps(2)
			board = p.update(p.alice, board, "a1")
			p.clock.forward(10 * time.Minute)
			p.sweeps(2)
			if r := p.click(p.alice, board, "a2"); r.Text() != "It's "+p.Bob.Mention()+"'s turn." {
				t.Errorf("told %q", r.Text())
			}
			traffic.Close()
			tries := 0
			for x := range traffic.C {
				if x.Method == http.MethodPost && strings.HasSuffix(x.Path, p.Games.ID()+"/messages") {
					tries++
				}
			}
			if tries < 1 || tries > 2 {
				t.Errorf("tried %d times", tries)
			}
		})
	}
	t.Run("no history", func(t *testing.T) {
		t.Parallel()
		p := newParty(t)
		board := p.duel("ttt")
		p.Games.SetBotPermissions(sandbox.PermInvite &^ sandbox.PermReadHistory)
		p.clock.forward(10 * time.Minute)
		p.sweep()
		p.poll("a notice that answers nothing", func() bool { return len(p.notices()) == 1 })
		if n := p.notices()[0]; n.ReplyTo != "" || !slices.Equal(n.Pings, []string{p.Alice.ID()}) {
			t.Errorf("it answers %q and pings %v", n.ReplyTo, n.Pings)
		}
		p.update(p.alice, board, "a1")
		p.unnoticed()
	})
}
