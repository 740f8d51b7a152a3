package bot_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A challenge is posted again like a board, by either of the two, and its old message
// loses its buttons.
func TestChallengePostedAgain(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.invite(alice, bob, board)
		for _, user := range []string{alice, bob} {
			old := w.stored(m.ID).Where.Message
			w.serve(w.command(user, "ttt", "board"))
			calls := w.expect(withMessage, "PATCH channels/"+channel+"/messages/"+old)
			checkCall(t, calls[0], 4, components, "<@"+alice+"> challenges <@"+bob+">.")
			if diff := fmt.Sprint(calls[0].data()["allowed_mentions"]); diff != "map[parse:[]]" {
				t.Errorf("pings %s", diff)
			}
			found := buttons(calls[0])
			if len(found) != 3 || found["Accept"] == "" || found["Decline"] == "" || found["Withdraw"] == "" {
				t.Errorf("buttons %v", found)
			}
			checkCall(t, calls[1], 0, components, "The challenge is here now: https://discord.com/channels/"+guild+"/"+channel+"/"+calls[0].id)
			if left := buttons(calls[1]); len(left) > 0 {
				t.Errorf("the old message keeps %v", left)
			}
			if now := w.stored(m.ID).Where.Message; now != calls[0].id {
				t.Errorf("the challenge is at %s", now)
			}
		}
		w.serve(w.command(carol, "ttt", "board"))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "You have no match in this channel.")
		w.serve(w.command(alice, "gomoku", "board"))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "You have no match in this channel.")

		// Two of them: which one? And by name, also from among the completions.
		other := w.invite(carol, alice, "700000000000000007")
		w.serve(w.command(alice, "ttt", "board"))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "Which match?", `"value":"`+string(other.ID)+`"`, `"value":"`+string(m.ID)+`"`, "challenge, not answered yet")
		w.serve(w.choose(alice, "2:board", string(other.ID)))
		checkCall(t, w.rest.take()[0], 4, components, "<@"+carol+"> challenges <@"+alice+">.")
		w.serve(w.typing(alice, "ttt", "board", "match", ""))
		if said := w.expect(firstAnswer)[0].words(); strings.Count(said, "challenge, not answered yet") != 2 || !strings.Contains(said, string(m.ID)) {
			t.Errorf("completed by %s", said)
		}
		w.serve(w.typing(alice, "ttt", "move", "match", ""))
		if said := w.expect(firstAnswer)[0].words(); strings.Contains(said, string(m.ID)) {
			t.Errorf("a move is completed by %s", said)
		}
		w.serve(w.command(alice, "ttt", "board", option("match", string(m.ID))))
		checkCall(t, w.rest.take()[0], 4, components, "<@"+alice+"> challenges <@"+bob+">.")
		// Where a match is played, its board is meant.
		running := w.between(alice, "1009", small, board, "b2")
		w.serve(w.command(alice, "ttt", "board"))
		checkCall(t, w.rest.take()[0], 4, components, "1:"+string(running.ID)+":")
	})
}

// However many people challenge somebody, what they play is found.
func TestManyChallengers(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		running, sent := w.between(alice, bob, small, board, "b2", "a1"), w.invite(alice, carol, "700000000000000002")
		const crowd = 1100
		for i := range crowd {
			time.Sleep(time.Millisecond)
			w.invite(strconv.Itoa(5000+i), alice, "")
		}
		w.serve(w.typing(alice, "ttt", "move", "match", ""))
		if said := w.expect(firstAnswer)[0].words(); !strings.Contains(said, `"value":"`+string(running.ID)+`"`) {
			t.Errorf("completed by %s", said)
		}
		w.serve(w.typing(alice, "ttt", "move", "cell", "c"))
		if said := w.expect(firstAnswer)[0].words(); !strings.Contains(said, `"value":"c3"`) {
			t.Errorf("completed by %s", said)
		}
		w.serve(w.command(alice, "ttt", "move", option("cell", "c1")))
		checkCall(t, w.expect("PATCH channels/"+channel+"/messages/"+board, firstAnswer)[1], 4, private, "You played c1.")
		w.serve(w.typing(alice, "ttt", "board", "match", string(sent.ID)))
		if said := w.expect(firstAnswer)[0].words(); !strings.Contains(said, `"value":"`+string(sent.ID)+`"`) {
			t.Errorf("completed by %s", said)
		}
		w.serve(w.command(alice, "ttt", "board", option("match", string(sent.ID))))
		checkCall(t, w.rest.take()[0], 4, components, "<@"+alice+"> challenges <@"+carol+">.")

		w.serve(w.command(alice, "privacy", "export"))
		c := w.expect(firstAnswer)[0]
		var x struct{ Matches []struct{ Status string } }
		if err := json.Unmarshal(c.files[0].Data, &x); err != nil || len(x.Matches) != crowd+2 {
			t.Errorf("%d matches are exported, %v", len(x.Matches), err)
		}
	})
}
