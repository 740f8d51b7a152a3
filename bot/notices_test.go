package bot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/bot/gateway"
	"rowbot/match"
)

const (
	postNotice = "POST channels/" + channel + "/messages"
	takeAway   = "DELETE channels/" + channel + "/messages/…"
	turnNotice = 10 * time.Minute
)

// toBoard is the link to the board of all these matches.
const toBoard = "https://discord.com/channels/" + guild + "/" + channel + "/" + board

// inQuietWorld runs a test in which people are told of their turn, and sweeps go
// round every so often.
func inQuietWorld(t *testing.T, every time.Duration, f func(t *testing.T, w *world)) {
	t.Helper()
	inWorldWith(t, turnNotice, func(t *testing.T, w *world) {
		ctx, stop := context.WithCancel(t.Context())
		var sweeps sync.WaitGroup
		sweeps.Go(func() { w.bot.Sweep(ctx, every) })
		f(t, w)
		stop()
		sweeps.Wait()
		w.rest.answer(nil)
	})
}

// pass lets time go by, and what happens then be done.
func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func place(at string) match.Action {
	p, err := small.ParsePoint(at)
	if err != nil {
		panic(err)
	}
	return match.Place{At: p}
}

// TestNoticeMessage: all that is sent, at its time, and taken away after it.
func TestNoticeMessage(t *testing.T) {
	inQuietWorld(t, turnNotice/2, func(t *testing.T, w *world) {
		m := w.start(small, board, "a1", "b2")
		pass(turnNotice - time.Second)
		w.expect()
		pass(time.Minute)
		notice := func(text, nonce string) fields {
			return fields{
				"content": text, "components": []any{}, "nonce": nonce, "enforce_nonce": true,
				"allowed_mentions":  fields{"parse": []any{}, "users": []any{alice}},
				"message_reference": fields{"message_id": board, "fail_if_not_exists": false},
			}
		}
		c := w.expect(postNotice)[0]
		if diff := cmp.Diff(notice("<@"+alice+">, it's your turn: "+toBoard, "n1.m1.4"), c.body); diff != "" || c.after != turnNotice {
			t.Errorf("after %v (-want +got):\n%s", c.after, diff)
		}
		pass(47 * time.Hour)
		w.expect()
		pass(time.Hour)
		until := m.Deadline.Unix()
		calls := w.expect(takeAway, postNotice)
		text := fmt.Sprintf("<@%s>, you have until <t:%d:f> (<t:%d:R>) to move, or the match is lost on time: %s", alice, until, until, toBoard)
		if diff := cmp.Diff(notice(text, "n2.m1.4"), calls[1].body); diff != "" || calls[1].after != 48*time.Hour {
			t.Errorf("after %v (-want +got):\n%s", calls[1].after, diff)
		}
		if !strings.HasSuffix(calls[0].path, c.id) {
			t.Errorf("%v is not of the notice %s", calls[0], c.id)
		}
		w.bot.Serve(w.Context(), w.click(alice, pressID(m.ID, m.Version, "cell:c3"), board))
		synctest.Wait()
		if gone := w.expect(firstAnswer, takeAway)[1]; !strings.HasSuffix(gone.path, calls[1].id) {
			t.Errorf("%v is not of the warning %s", gone, calls[1].id)
		}
		pass(turnNotice - time.Second)
		w.expect()
	})
}

// TestNoticeOfUnknownFate is sent again, the same, while Discord surely knows it
// still, and not after that.
func TestNoticeOfUnknownFate(t *testing.T) {
	for name, fault := range map[string]error{
		"a broken connection": errNetwork, "a bad gateway": refusal(http.StatusBadGateway, 0),
		"a rate limit": &gateway.APIError{Status: http.StatusTooManyRequests, RetryAfter: time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			inQuietWorld(t, 30*time.Second, func(t *testing.T, w *world) {
				w.start(small, board, "a1", "b2")
				w.rest.answer(func(context.Context, call, int) (json.RawMessage, error) { return nil, fault })
				pass(2 * time.Hour)
				calls := w.expect(postNotice, postNotice, postNotice, postNotice)
				for _, c := range calls {
					if diff := cmp.Diff(calls[0].body, c.body); diff != "" || c.after-turnNotice >= 2*time.Minute {
						t.Errorf("after %v the tries differ:\n%s", c.after, diff)
					}
				}
			})
			inQuietWorld(t, 30*time.Second, func(t *testing.T, w *world) {
				m := w.start(small, board, "a1", "b2")
				w.rest.answer(func(_ context.Context, c call, n int) (json.RawMessage, error) {
					if n == 0 {
						return nil, fault
					}
					return nil, nil
				})
				pass(turnNotice + time.Minute)
				posted := w.expect(postNotice, postNotice)[1]
				pass(time.Hour)
				w.expect()
				w.act(m, place("c3"), alice) // by another process, say: the sweep finds it
				pass(time.Minute)
				if gone := w.expect(takeAway)[0]; !strings.HasSuffix(gone.path, posted.id) {
					t.Errorf("%v is not of the notice %s", gone, posted.id)
				}
			})
		})
	}
}

// TestNoticeIsRefused: nothing more is tried in that match, and nobody is
// promised anything.
func TestNoticeIsRefused(t *testing.T) {
	for code, tries := range map[int]int{50001: 1, 50013: 2, 10003: 2} {
		t.Run(strconv.Itoa(code), func(t *testing.T) {
			inQuietWorld(t, turnNotice/2, func(t *testing.T, w *world) {
				m := w.start(small, board, "a1", "b2")
				w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
					if c.is("POST", "channels/…") {
						return nil, refusal(http.StatusForbidden, code)
					}
					return nil, nil
				})
				w.bot.Serve(w.Context(), w.click(bob, pressID(m.ID, m.Version, "cell:c3"), board))
				checkCall(t, w.expect(firstAnswer)[0], 4, private, "It's <@"+alice+">'s turn. You'll be told when it's yours.")
				pass(turnNotice)
				calls := w.expect([]string{postNotice, postNotice}[:tries]...)
				if _, answers := calls[tries-1].body["message_reference"]; answers != (tries == 1) {
					t.Errorf("the last try was %v", calls[tries-1])
				}
				pass(60 * time.Hour)
				m = w.act(m, place("c3"), alice)
				pass(60 * time.Hour)
				w.expect()
				w.bot.Serve(w.Context(), w.click(alice, pressID(m.ID, m.Version, "cell:c2"), board))
				if c := w.expect(firstAnswer)[0]; strings.Contains(c.words(), "told") {
					t.Errorf("a promise that can't be kept: %v", c)
				}
			})
		})
	}
}

// TestNoticeIsTakenAway for as long as it takes, and with whatever outcome it is
// gone.
func TestNoticeIsTakenAway(t *testing.T) {
	for name, c := range map[string]struct {
		answers []error // to the tries, the last of them from then on
		tries   int
	}{
		"at once":               {[]error{nil}, 1},
		"gone already":          {[]error{refusal(http.StatusNotFound, 10008)}, 1},
		"out of reach":          {[]error{refusal(http.StatusForbidden, 50001)}, 1},
		"Discord was away":      {[]error{errNetwork, refusal(http.StatusBadGateway, 0), nil}, 3},
		"it was gone after all": {[]error{errNetwork, refusal(http.StatusNotFound, 10008)}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			inQuietWorld(t, 30*time.Second, func(t *testing.T, w *world) {
				m := w.start(small, board, "a1", "b2")
				pass(turnNotice)
				posted := w.expect(postNotice)[0]
				tries := 0
				w.rest.answer(func(_ context.Context, x call, _ int) (json.RawMessage, error) {
					if x.method != http.MethodDelete {
						return nil, nil
					}
					tries++
					return nil, c.answers[min(tries, len(c.answers))-1]
				})
				w.bot.Serve(w.Context(), w.click(alice, pressID(m.ID, m.Version, "cell:c3"), board))
				pass(turnNotice - time.Second)
				want := []string{firstAnswer}
				for range c.tries {
					want = append(want, takeAway)
				}
				for _, x := range w.expect(want...)[1:] {
					if !strings.HasSuffix(x.path, posted.id) {
						t.Errorf("%v is not of the notice %s", x, posted.id)
					}
				}
			})
		})
	}
}

// TestNoticeOnItsWay: the person moves while the notice is being posted.
func TestNoticeOnItsWay(t *testing.T) {
	inQuietWorld(t, 30*time.Second, func(t *testing.T, w *world) {
		m := w.start(small, board, "a1", "b2")
		w.rest.answer(func(ctx context.Context, c call, _ int) (json.RawMessage, error) {
			if c.is("POST", "channels/…") {
				return nil, pause(ctx, 2*time.Second)
			}
			return nil, nil
		})
		time.Sleep(turnNotice + time.Second)
		w.bot.Serve(w.Context(), w.click(alice, pressID(m.ID, m.Version, "cell:c3"), board))
		pass(time.Minute)
		calls := w.expect(postNotice, firstAnswer, takeAway)
		if gone := calls[2]; !strings.HasSuffix(gone.path, calls[0].id) || gone.after != turnNotice+2*time.Second {
			t.Errorf("the notice %s: %v", calls[0].id, gone)
		}
	})
}

// TestManyNotices: all that is due is found in one round, whatever comes before
// it in the list; two sweeps at the same time tell nobody twice.
func TestManyNotices(t *testing.T) {
	inWorldWith(t, turnNotice, func(t *testing.T, w *world) {
		const n = 130
		var there match.Match
		for i := range n {
			m := w.between(strconv.Itoa(100+i/50), bob+strconv.Itoa(i/50), large, board, "h8") // nobody plays too many
			if i == 0 {
				there = m
			}
		}
		time.Sleep(turnNotice - time.Minute)
		w.bot.Serve(w.Context(), w.click(there.Seats[1].User, pressID(there.ID, there.Version, "left:5.5"), board))
		w.rest.take()
		time.Sleep(time.Minute)
		ctx, stop := context.WithCancel(t.Context())
		var sweeps sync.WaitGroup
		for range 2 {
			sweeps.Go(func() { w.bot.Sweep(ctx, time.Hour) })
		}
		synctest.Wait()
		nonces := map[any]int{}
		for _, c := range w.rest.take() {
			nonces[c.body["nonce"]]++
		}
		if len(nonces) != n-1 || nonces["n1."+string(there.ID)+".3"] != 0 {
			t.Errorf("%d matches have a notice", len(nonces))
		}
		for nonce, times := range nonces {
			if times != 1 {
				t.Errorf("%v was posted %d times", nonce, times)
			}
		}
		stop()
		sweeps.Wait()
	})
}
