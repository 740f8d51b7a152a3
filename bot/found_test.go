package bot_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"rowbot/match"
)

// Where the process was killed before it was known which message shows a match, the
// first press on that message makes it known, and the answer shows how things stand.
func TestMessageIsFound(t *testing.T) {
	for _, c := range []struct {
		name, by, verb string
		begin          func(w *world) match.Match
		version        any // that the message shows
		shows, also    string
		kind           int
	}{
		{"a challenge has expired", carol, "accept", expiredChallenge, 1, "This challenge has expired.", "This challenge has expired.", 7},
		{"an open one's own has", alice, "withdraw", expiredChallenge, 1, "This challenge has expired.", "This challenge has expired.", 7},
		{"a stranger's challenge", carol, "accept", func(w *world) match.Match { return w.invite(alice, bob, "") }, 1, "", "This challenge is for", 4},
		{"moved on", alice, "cell:c3", func(w *world) match.Match { return w.start(small, "", "b2", "a1") }, 2, "last ⭕ a1", "The board has moved on", 7},
		{"an arrow of before", alice, "left:1.1", func(w *world) match.Match { return w.start(large, "", "h8", "h9") }, 2, "last ⚪ h9", "", 7},
		{"not one's turn", bob, "cell:c3", func(w *world) match.Match { return w.start(small, "") }, 2, "", "It's <@" + alice + ">'s turn.", 4},
		{"over", bob, "resign", func(w *world) match.Match { return w.start(small, "", "a1", "a2", "b1", "b2", "c1") }, 2, "**won**", "This match is over.", 7},
		{"over, a stranger's click", carol, "cell:c3", func(w *world) match.Match { return w.start(small, "", "a1", "a2", "b1", "b2", "c1") }, 2, "", "This match is between", 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := c.begin(w)
				w.serve(w.click(c.by, pressID(m.ID, c.version, c.verb), board))
				time.Sleep(time.Minute)
				calls := w.rest.take()
				if c.kind == 4 {
					checkCall(t, calls[0], 4, private, c.also)
				} else {
					checkCall(t, calls[0], 7, components, c.shows)
					if len(calls) > 1 != (c.also != "") || c.also != "" && !strings.Contains(calls[1].words(), c.also) {
						t.Errorf("said beside it: %s", join(calls[1:]))
					}
				}
				if at := w.stored(m.ID).Where; at.Message != board || at.Channel != channel {
					t.Errorf("the match is at %+v", at)
				}
			})
		})
	}
}

func expiredChallenge(w *world) match.Match {
	w.serve(w.command(alice, "ttt", "challenge"))
	w.rest.take()
	m := w.only(alice)
	w.forget(m.ID)
	time.Sleep(25 * time.Hour)
	return m
}

// forget has no message known that shows a match.
func (w *world) forget(id match.ID) {
	w.Helper()
	err := w.store.Store.Update(w.Context(), func(tx match.Tx) error {
		return tx.SetWhere(w.Context(), id, match.Where{Guild: guild, Channel: channel})
	})
	if err != nil {
		w.Fatal(err)
	}
}

// While the message is still being posted, nothing is found: it will be known.
func TestMessageOnItsWay(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, "", "a1", "a2", "b1", "b2", "c1")
		w.bot.BeginAnswer(m.ID, m.Version, 0)
		click, done := w.click(bob, pressID(m.ID, m.Version, "resign"), board), make(chan struct{})
		go func() {
			defer close(done)
			w.bot.Serve(t.Context(), click)
		}()
		time.Sleep(time.Second) // its board would be drawn again meanwhile
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "This match is over.")
		if at := w.stored(m.ID).Where; at.Message != "" {
			t.Errorf("the match is at %+v", at)
		}
		w.bot.EndAnswer(m.ID, m.Version)
		<-done
		time.Sleep(2 * time.Minute) // the message is looked for no longer
	})
}

// A draw offer's message is no board.
func TestOfferIsNoBoard(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, "", "b2")
		w.serve(w.click(carol, pressID(m.ID, m.Version, "agree"), board))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "This match is between")
		if at := w.stored(m.ID).Where; at.Message != "" {
			t.Errorf("the match is at %+v", at)
		}
	})
}

// The list of matches waits for the ID of a message that is just being posted.
func TestListWaitsForMessages(t *testing.T) {
	for _, c := range []struct {
		takes  time.Duration
		linked bool
	}{{300 * time.Millisecond, true}, {1800 * time.Millisecond, false}} {
		inWorld(t, func(t *testing.T, w *world) {
			w.rest.answer(func(ctx context.Context, x call, _ int) (json.RawMessage, error) {
				if !strings.HasSuffix(x.path, "?with_response=true") {
					return nil, nil
				}
				return nil, pause(ctx, c.takes)
			})
			done := make(chan struct{})
			start := w.command(alice, "ttt", "bot")
			go func() {
				defer close(done)
				w.bot.Serve(t.Context(), start)
			}()
			time.Sleep(10 * time.Millisecond)
			w.serve(w.command(alice, "matches", ""))
			var list call
			for _, x := range w.rest.take() {
				if strings.Contains(x.words(), "Your matches") {
					list = x
				}
			}
			if !strings.Contains(list.words(), "against Rowbot") || list.after > 1100*time.Millisecond {
				t.Errorf("listed after %v: %s", list.after, list.words())
			}
			if linked := strings.Contains(list.words(), "discord.com/channels/"); linked != c.linked {
				t.Errorf("after %v: %s", c.takes, list.words())
			}
			<-done
		})
	}
}

// lagging is a store in which somebody who has read open matches hears of them late.
type lagging struct {
	match.Store

	lag time.Duration
}

func (s lagging) View(ctx context.Context, f func(match.Tx) error) error {
	listed := false
	err := s.Store.View(ctx, func(tx match.Tx) error { return f(listing{tx, &listed}) })
	if err != nil || !listed {
		return err
	}
	return pause(ctx, s.lag)
}

type listing struct {
	match.Tx

	listed *bool
}

func (tx listing) Open(ctx context.Context, q match.OpenQuery) ([]match.Match, error) {
	*tx.listed = true
	return tx.Tx.Open(ctx, q)
}

// A message whose ID becomes known between the reading of the list and the look at
// what is on its way is linked, too.
func TestListSeesMessagesThatJustArrived(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.store.Store = lagging{w.store.Store, 200 * time.Millisecond}
		w.rest.answer(func(ctx context.Context, x call, _ int) (json.RawMessage, error) {
			if !strings.HasSuffix(x.path, "?with_response=true") {
				return nil, nil
			}
			return nil, pause(ctx, 600*time.Millisecond)
		})
		done, start := make(chan struct{}), w.command(alice, "ttt", "bot")
		go func() {
			defer close(done)
			w.bot.Serve(t.Context(), start)
		}()
		time.Sleep(300 * time.Millisecond) // read at 500 for the second time, known at 600, heard of at 700
		w.serve(w.command(alice, "matches", ""))
		<-done
		said := join(w.rest.take())
		_, list, listed := strings.Cut(said, "Your matches")
		if !listed || !strings.Contains(list, "discord.com/channels/") {
			t.Errorf("no link: %s", said)
		}
	})
}
