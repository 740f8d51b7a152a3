package e2e_test

import (
	"strings"
	"testing"

	"rowbot/sandbox"
)

// TestThreads: where the server wants it, each match has a thread on its board,
// in which it can be played on; that Rowbot may not open one is said.
func TestThreads(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	threads := func() (all []*sandbox.Channel) {
		for _, c := range p.Channels() {
			if c.Kind() == sandbox.ChannelThread {
				all = append(all, c)
			}
		}
		return all
	}
	p.duel("ttt")
	p.quiet() // a thread would be opened after the answer
	if found := threads(); len(found) != 0 {
		t.Errorf("%d threads that nobody wanted", len(found))
	}
	owner := p.alice
	p.slash(owner, "settings threads", sandbox.Bool("threads", true))

	// Without the permission the match begins all the same.
	p.Games.SetBotPermissions(sandbox.PermInvite &^ sandbox.PermCreateThreads)
	p.says(p.duel("gomoku"), "move 1")
	p.private(p.bob, "I can't open a thread for this match: I need **Create Public Threads** here (ask a moderator).")
	if found := threads(); len(found) != 0 {
		t.Errorf("%d threads without the permission", len(found))
	}

	p.Games.SetBotPermissions(sandbox.PermInvite)
	offer := p.slash(p.alice, "ttt challenge", sandbox.UserOption("opponent", p.Bob), sandbox.String("side", "first")).Message
	if found := threads(); len(found) != 0 {
		t.Errorf("%d threads of a challenge", len(found))
	}
	board := p.update(p.bob, offer, "Accept")
	p.poll("the thread", func() bool { return len(threads()) == 1 })
	thread := threads()[0]
	if thread.ID() != board.ID || thread.Name() != "Tic-tac-toe · Alice – Bob" {
		t.Errorf("the thread %q belongs to %s", thread.Name(), thread.ID())
	}
	p.stones(p.update(p.alice, board, "a1"), 1, map[string]byte{"a1": 'X'})

	p.slash(p.chen, "gomoku bot")
	p.poll("the second thread", func() bool { return len(threads()) == 2 })
	inThread := p.Alice.In(thread)
	p.stones(p.update(p.bob, p.now(board), "b2"), 2, nil)
	p.told(p.slash(inThread, "ttt move", sandbox.String("cell", "a2")), "You played a2.")
	p.stones(p.until(board, func(m *sandbox.Message) bool { return len(stonesIn(m)) == 3 }), 3, map[string]byte{"a2": 'X'})
	moved := p.slash(inThread, "ttt board").Message
	p.stones(p.update(p.Bob.In(thread), moved, "c3"), 4, nil)
	inside := p.slash(p.Chen.In(threads()[1]), "gomoku bot").Message // no thread in a thread
	p.says(inside, "move 1")
	if len(threads()) != 2 {
		t.Errorf("%d threads", len(threads()))
	}
	if !strings.Contains(threads()[1].Name(), "Chen – Rowbot (random)") {
		t.Errorf("the second thread is %q", threads()[1].Name())
	}
}

// TestSettingsSayWhatIsMissing: the permissions that Rowbot lacks are named
// where the server's settings are shown, those that it has no use for are not.
func TestSettingsSayWhatIsMissing(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	missing := func() string {
		t.Helper()
		_, after, found := strings.Cut(p.slash(p.alice, "settings show").Text(), "In this channel I lack ")
		if !found {
			return ""
		}
		names, _, _ := strings.Cut(after, ":")
		return names
	}
	all := sandbox.PermInvite
	for _, c := range []struct {
		may  uint64
		want string
	}{
		{all, ""},
		{all &^ sandbox.PermCreateThreads &^ sandbox.PermAttachFiles, ""},
		{all &^ sandbox.PermSendMessages, "**Send Messages**"},
		{all &^ sandbox.PermSendMessages &^ sandbox.PermReadHistory, "**Send Messages**, **Read Message History**"},
		{sandbox.PermAdministrator, ""},
	} {
		p.Games.SetBotPermissions(c.may)
		if got := missing(); got != c.want {
			t.Errorf("with %b: %q, want %q", c.may, got, c.want)
		}
	}
	p.Games.SetBotPermissions(all &^ sandbox.PermCreateThreads &^ sandbox.PermAttachFiles)
	p.slash(p.alice, "settings style", sandbox.String("style", "picture"))
	p.slash(p.alice, "settings threads", sandbox.Bool("threads", true))
	if got, want := missing(), "**Attach Files**, **Create Public Threads**"; got != want {
		t.Errorf("with pictures and threads: %q, want %q", got, want)
	}
}
