package match_test

import (
	"testing"

	"rowbot/match"
)

func TestHalt(t *testing.T) {
	closed := outcome{Status: match.Closed, Reason: match.ByModerator}
	ended(t, do(t, challenge("ttt", bob, match.SideFirst), match.Halt{}, nobody, noon), closed)
	ended(t, do(t, play(t, started(t, "15 freestyle"), "h8 h9"), match.Halt{}, nobody, noon), closed)
	won := play(t, started(t, "ttt"), "a1 a2 b1 b2 c1")
	refused(t, won, match.Halt{}, nobody, noon, match.Over)
}

func TestLeave(t *testing.T) {
	asked, running := challenge("ttt", bob, match.SideFirst), play(t, started(t, "ttt"), "a1")
	refused(t, asked, match.Leave{}, carol, noon, match.NotYours)
	refused(t, running, match.Leave{}, carol, noon, match.NotYours)
	ended(t, do(t, asked, match.Leave{}, alice, noon), outcome{Status: match.Withdrawn})
	ended(t, do(t, asked, match.Leave{}, bob, noon), outcome{Status: match.Declined})
	for _, by := range []match.Player{alice, bob} {
		closed := do(t, running, match.Leave{}, by, noon)
		ended(t, closed, outcome{Status: match.Closed, Reason: match.ByLeaving})
		refused(t, closed, match.Leave{}, by, noon, match.Over)
	}
}

func TestDesert(t *testing.T) {
	asked := challenge("ttt", bob, match.SideFirst)
	refused(t, asked, match.Desert{}, bob, noon, match.NotChallenger)
	ended(t, do(t, asked, match.Desert{}, alice, noon), outcome{Status: match.Withdrawn, Reason: match.ByLeaving})
	refused(t, play(t, started(t, "ttt"), "a1"), match.Desert{}, alice, noon, match.Gone)
}

func TestWelcomes(t *testing.T) {
	p := match.Preferences{Blocked: []string{"5"}}
	if !p.Welcomes("4", "") || p.Welcomes("5", "") || !p.Blocks("5") || p.Blocks("") {
		t.Errorf("%+v", p)
	}
	p.From, p.Server = match.FromServer, "g"
	if !p.Welcomes("4", "g") || p.Welcomes("4", "h") || p.Welcomes("4", "") || p.Welcomes("5", "g") {
		t.Errorf("%+v", p)
	}
}

func TestAllows(t *testing.T) {
	if g := (match.Guild{}); !g.Allows("c") {
		t.Error("without a list a channel is refused")
	}
	if g := (match.Guild{Channels: []string{"c", "d"}}); !g.Allows("d") || g.Allows("e") {
		t.Error("the list does not hold")
	}
}

func TestIsGone(t *testing.T) {
	for user, want := range map[string]bool{"gone-1": true, "100000000000000001": false, "": false} {
		if match.Person(user).IsGone() != want {
			t.Errorf("%q: %t", user, !want)
		}
	}
}

// TestRematchOfSomebodyGone: there is nobody to play it.
func TestRematchOfSomebodyGone(t *testing.T) {
	b := newBench()
	gone := match.Person("gone-1")
	m := b.line(t, b.start(t, "m1", "ttt", alice, gone, where), "a1 a2 b1 b2 c1")
	if _, err := b.Rematch(t.Context(), m.ID, "re", alice, where); err != match.OpponentGone {
		t.Errorf("rematch: %v", err)
	}
}
