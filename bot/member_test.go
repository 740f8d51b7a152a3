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

const askMember = "GET guilds/" + guild + "/members/" + bob

// A rematch with somebody who has left the server is refused as a challenge is;
// what Discord does not say, or too late, is no obstacle.
func TestRematchWithSomebodyWhoLeft(t *testing.T) {
	for name, c := range map[string]struct {
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
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board, "a1", "a2", "b1", "b2", "c1")
				w.rest.answer(func(ctx context.Context, x call, _ int) (json.RawMessage, error) {
					if x.method != http.MethodGet {
						return nil, nil
					}
					if err := pause(ctx, c.delay); err != nil {
						return nil, err
					}
					return nil, c.answer
				})
				w.serve(w.click(alice, pressID(m.ID, m.Version, "rematch"), board))
				if !c.starts {
					checkCall(t, w.expect(askMember, firstAnswer)[1], 4, private, "They aren't in this server any more.")
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
