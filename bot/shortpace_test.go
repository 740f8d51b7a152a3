package bot_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"rowbot/match"
)

// hurried starts a match of Alice and Bob with twelve seconds a move.
func (w *world) hurried(moves ...string) match.Match {
	w.Helper()
	m, err := w.games.Challenge(w.Context(), match.Proposal{
		ID: "h1", Rules: small, Challenger: match.Person(alice), Opponent: match.Person(bob), Side: match.SideFirst,
		Pace: 12 * time.Second, Where: match.Where{Guild: guild, Channel: channel, Message: board},
	})
	if err != nil {
		w.Fatal(err)
	}
	m = w.act(m, match.Accept{}, bob)
	for _, at := range moves {
		m = w.act(m, place(at), m.ToMove().User)
	}
	return m
}

// However short the pace is, a warning comes at a third left, and goes when the
// time is over.
func TestWarningAtAShortPace(t *testing.T) {
	inQuietWorld(t, time.Second, func(t *testing.T, w *world) {
		w.hurried("a1", "b2")
		pass(8*time.Second - time.Millisecond)
		w.expect()
		pass(time.Millisecond)
		c := w.expect(postNotice)[0]
		if !strings.Contains(c.words(), "<@"+alice+">, you have until ") || !strings.Contains(c.words(), "lost on time: "+toBoard) {
			t.Errorf("the warning says %v", c)
		}
		pass(4 * time.Second)
		calls := w.rest.take()
		if gone := join(calls); !strings.Contains(gone, "DELETE channels/"+channel+"/messages/"+c.id) || strings.Contains(gone, "POST") {
			t.Errorf("when the time was over:\n%s", gone)
		}
	})
}

// A warning that could not be posted in time is not posted after it.
func TestNoWarningAfterTheTime(t *testing.T) {
	inQuietWorld(t, time.Second, func(t *testing.T, w *world) {
		w.hurried("a1", "b2")
		w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
			if c.is("POST", "channels/…") {
				return nil, errNetwork
			}
			return nil, nil
		})
		pass(time.Minute)
		tries := 0
		for _, c := range w.rest.take() {
			if c.method != "POST" {
				continue
			}
			if tries++; c.after >= 12*time.Second {
				t.Errorf("posted %v after the beginning", c.after)
			}
		}
		if tries != 4 {
			t.Errorf("%d tries, want one a second from 8 to 11", tries)
		}
	})
}
