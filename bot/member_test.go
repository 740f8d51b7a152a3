package bot_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"rowbot/match"
)

const (
	askMember = "GET guilds/" + guild + "/members/" + bob
	askAlice  = "GET guilds/" + guild + "/members/" + alice
)

// askedOfDiscord are ways in which the question goes whether somebody is in the server,
// and whether a match starts then.
var askedOfDiscord = map[string]struct {
	answer error
	delay  time.Duration
	starts bool
}{
	"they left":            {refusal(http.StatusNotFound, 10007), 0, false},
	"they are there":       {nil, 0, true},
	"the bot is not there": {refusal(http.StatusNotFound, 10004), 0, true},
	"the bot may not know": {refusal(http.StatusForbidden, 50001), 0, true},
	"Discord is at fault":  {refusal(http.StatusBadGateway, 0), 0, true},
	"the connection broke": {errNetwork, 0, true},
	"no answer comes":      {refusal(http.StatusNotFound, 10007), 10 * time.Second, true},
}

// members has questions about members answered after a while.
func (w *world) members(answer error, delay time.Duration) {
	w.rest.answer(func(ctx context.Context, x call, _ int) (json.RawMessage, error) {
		if x.method != http.MethodGet {
			return nil, nil
		}
		if err := pause(ctx, delay); err != nil {
			return nil, err
		}
		return nil, answer
	})
}

// A rematch with somebody who has left the server is refused as a challenge is;
// what Discord does not say, or too late, is no obstacle.
func TestRematchWithSomebodyWhoLeft(t *testing.T) {
	for name, c := range askedOfDiscord {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board, "a1", "a2", "b1", "b2", "c1")
				w.members(c.answer, c.delay)
				w.serve(w.click(alice, pressID(m.ID, m.Version, "rematch"), board))
				if !c.starts {
					checkCall(t, w.expect(askMember, firstAnswer)[1], 4, private, "They aren't in this server any more, so there's no rematch.")
					return
				}
				calls := w.expect(askMember, withMessage, editBoard)
				checkCall(t, calls[1], 4, components, "❌ <@"+bob+"> – ⭕ <@"+alice+">")
				if calls[1].after > 2*time.Second {
					t.Errorf("answered after %v", calls[1].after)
				}
			})
		})
	}
}

// A challenge of somebody who has left the server starts nothing: it is closed, and
// whoever wanted to accept is told so. What Discord does not say is no obstacle.
func TestAcceptOfSomebodyWhoLeft(t *testing.T) {
	for name, c := range askedOfDiscord {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.invite(alice, bob, board)
				w.members(c.answer, c.delay)
				w.serve(w.click(bob, pressID(m.ID, 1, "accept"), board))
				time.Sleep(time.Second)
				if c.starts {
					calls := w.expect(askAlice, firstAnswer)
					checkCall(t, calls[1], 7, components, "to move · move 1")
					if calls[1].after > 2*time.Second {
						t.Errorf("answered after %v", calls[1].after)
					}
					return
				}
				calls := w.rest.take()
				if len(calls) != 3 {
					t.Fatalf("calls\n%s", join(calls))
				}
				for _, x := range calls[1:] {
					if x.method == http.MethodPatch {
						checkCall(t, x, 0, components, "<@"+alice+"> has left, so the challenge is over.")
					} else {
						checkCall(t, x, 4, private, "They aren't in this server any more, so the challenge is over.")
					}
				}
				if got := w.stored(m.ID); got.Status != match.Withdrawn {
					t.Errorf("status %d", got.Status)
				}
			})
		})
	}
}

// Discord is asked about a challenger only where a match would start, in a server that
// the bot is in.
func TestAcceptThatNeedsNoQuestion(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.invite(alice, bob, board)
		for _, user := range []string{carol, alice, bob} {
			changed := fields{"message": message(board, 1<<15)}
			if user == bob {
				changed["authorizing_integration_owners"] = fields{"1": alice}
			}
			w.serve(w.event(3, user, fields{"custom_id": pressID(m.ID, 1, "accept"), "component_type": 2, "id": 3}, changed))
			if user != bob && w.stored(m.ID).Status != match.Challenged {
				t.Fatalf("accepted by %s", user)
			}
		}
		if calls := join(w.rest.take()); strings.Contains(calls, "members/") || w.stored(m.ID).Status != match.Active {
			t.Errorf("status %d, after\n%s", w.stored(m.ID).Status, calls)
		}
	})
}

// Discord is asked only where a rematch would start, and where it would answer.
func TestRematchThatNeedsNoQuestion(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		running, over := w.start(large, board, "h8"), w.start(small, board, "a1", "a2", "b1", "b2", "c1")
		asks := func(user string, m match.Match, changed fields) bool {
			t.Helper()
			changed["message"] = message(board, 1<<15)
			data := fields{"custom_id": pressID(m.ID, m.Version, "rematch"), "component_type": 2, "id": 3}
			w.serve(w.event(3, user, data, changed))
			return strings.Contains(join(w.rest.take()), "members")
		}
		brought := fields{"authorizing_integration_owners": fields{"1": alice}}
		if asks(alice, running, fields{}) || asks(carol, over, fields{}) || asks(alice, over, brought) {
			t.Error("Discord was asked in vain")
		}
		if asks(bob, over, fields{}) {
			t.Error("Discord was asked although the rematch stands")
		}
	})
}
