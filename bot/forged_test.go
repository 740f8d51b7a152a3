package bot_test

import (
	"testing"

	"github.com/bwmarrin/discordgo"

	"rowbot/match"
)

// The form of a replay shows nothing of a match that goes on, and takes the place
// of no board.
func TestForgedJump(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		running := w.start(large, board, "h8", "h9")
		w.serve(w.submit(carol, "4:"+string(running.ID)+":jump:0", "1", "800000000000000098"))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "I know no such finished match here.")

		const there = "700000000000000002"
		over := w.start(small, there, "a1", "a2", "b1", "b2", "c1")
		jump := "4:" + string(over.ID) + ":jump:0"
		w.serve(w.submit(carol, jump, "１", there))
		checkCall(t, w.expect(firstAnswer)[0], 4, components+private, "Replay: move 1 of 5")
		w.serve(w.submit(carol, jump, "2", "800000000000000098"))
		checkCall(t, w.expect(firstAnswer)[0], 7, components, "Replay: move 2 of 5")
	})
}

// A button that cannot have come from the message it is said to be on changes nothing
// there, nor in any match.
func TestForeignButtons(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		mine, over := w.start(small, board, "b2"), w.start(small, "700000000000000003", "a1", "a2", "b1", "b2", "c1")
		offer, other := w.invite(carol, bob, ""), w.start(large, "700000000000000002")
		on := func(message fields, custom string, user string, ids ...string) *discordgo.Interaction {
			var row []fields
			for _, id := range ids {
				row = append(row, fields{"type": 2, "style": 2, "label": "x", "custom_id": id})
			}
			message["components"] = []fields{{"type": 1, "components": row}}
			return w.event(3, user, fields{"custom_id": custom, "component_type": 2, "id": 3}, fields{"message": message})
		}
		const there = "800000000000000098"
		its := pressID(other.ID, 2, "cell:h8")
		for _, custom := range []string{
			pressID(mine.ID, mine.Version, "cell:a1"), pressID(mine.ID, 2, "cell:a1"), pressID(mine.ID, mine.Version, "draw"),
			pressID(offer.ID, 1, "accept"), pressID(offer.ID, 1, "decline"), pressID(over.ID, 2, "cell:c3"), pressID(over.ID, over.Version, "rematch"),
			pressID(mine.ID, mine.Version, "agree"),
		} {
			for name, ids := range map[string][]string{
				"a board": {its}, "an ended board": {its, "4:" + string(other.ID) + ":open:0"}, "one with nothing but a replay": {"4:" + string(other.ID) + ":open:0"},
				"a leaderboard": {"3:ttt:s:rating:0"}, "a replay of the match": {"4:" + string(over.ID) + ":first:0"},
			} {
				w.serve(on(message(there, 1<<15), custom, bob, ids...))
				c := w.expect(firstAnswer)[0]
				if c.body["type"] != 4.0 || c.data()["flags"] != float64(private) {
					t.Errorf("%s on %s: %v", custom, name, c)
				}
			}
		}
		for _, m := range []match.Match{mine, over, offer, other} {
			if got := w.stored(m.ID); got.Version != m.Version || got.Where != m.Where {
				t.Errorf("%s became %+v", m.ID, got)
			}
		}
		// A replay's button on another match's replay opens one of its own.
		w.serve(on(message(there, 1<<15), "4:"+string(over.ID)+":next:1", bob, "4:"+string(other.ID)+":first:0", "4:x:gif:0"))
		checkCall(t, w.expect(firstAnswer)[0], 4, components+private, "Replay: move 1 of 5")
		w.serve(on(message(there, 1<<15), "4:"+string(over.ID)+":next:1", bob, "4:"+string(over.ID)+":first:0"))
		checkCall(t, w.expect(firstAnswer)[0], 7, components, "Replay: move 1 of 5")
		// Messages that rightly carry such a button, of which one of each kind is known.
		w.serve(on(message("700000000000000003", 1<<15), pressID(over.ID, 2, "cell:c3"), alice, "4:"+string(over.ID)+":open:5"))
		checkCall(t, w.rest.take()[0], 7, components, "**won**")
		w.serve(on(message("700000000000000003", 1<<15), "4:"+string(over.ID)+":open:5", bob, pressID(over.ID, 7, "cell:a1"), "4:"+string(over.ID)+":open:5"))
		checkCall(t, w.rest.take()[0], 4, components+private, "Replay: move 5 of 5")
		w.serve(on(message(board, 1<<15), pressID(mine.ID, mine.Version, "cell:a1"), bob, pressID(mine.ID, mine.Version, "cell:a3")))
		checkCall(t, w.expect(firstAnswer)[0], 7, components, "last ⭕ a1")
	})
}

// A press said to be on a message that has no buttons changes nothing there, nor in any
// match: the presser is told where to look. The board that is known stays one, whatever
// is said to be on it.
func TestPressWhereNothingIsToPress(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		mine, offer, nowhere := w.start(small, board, "b2"), w.invite(carol, bob, "700000000000000003"), w.start(large, "")
		const there = "800000000000000098"
		bare := func(user, custom, on string) *discordgo.Interaction {
			return w.event(3, user, fields{"custom_id": custom, "component_type": 2, "id": 3}, fields{"message": message(on, 1<<15)})
		}
		const noButton = "That button belongs to an older version of me."
		here := "https://discord.com/channels/" + guild + "/" + channel + "/"
		for _, x := range []struct {
			user, custom, says string
		}{
			{bob, pressID(mine.ID, mine.Version, "cell:a1"), "The board is here now: " + here + board},
			{bob, pressID(mine.ID, mine.Version, "resign"), "The board is here now: " + here + board},
			{bob, pressID(mine.ID, mine.Version, "draw"), "The board is here now: " + here + board},
			{bob, pressID(mine.ID, mine.Version, "agree"), "This draw offer no longer stands."},
			{bob, pressID(offer.ID, offer.Version, "accept"), "The challenge is here now: " + here + "700000000000000003"},
			{carol, pressID(mine.ID, mine.Version, "cell:a1"), noButton},
			{alice, pressID(nowhere.ID, nowhere.Version, "cell:h8"), noButton},
			{alice, pressID("zz", 1, "cell:h8"), "I no longer know this match."},
		} {
			w.serve(bare(x.user, x.custom, there))
			checkCall(t, w.expect(firstAnswer)[0], 4, private, x.says)
		}
		form := w.submit(alice, pressID(nowhere.ID, nowhere.Version, "type"), "h8", there)
		form.Message.Components = nil
		w.serve(form)
		checkCall(t, w.expect(firstAnswer)[0], 4, private, noButton)
		for _, m := range []match.Match{mine, offer, nowhere} {
			if got := w.stored(m.ID); got.Version != m.Version || got.Where != m.Where {
				t.Errorf("%s became %+v", m.ID, got)
			}
		}
		w.serve(bare(carol, "3:ttt:s:rating:0", there))
		checkCall(t, w.expect(firstAnswer)[0], 4, components+private, "Leaderboard")
		over := w.start(small, "700000000000000004", "a1", "a2", "b1", "b2", "c1")
		w.serve(bare(carol, "4:"+string(over.ID)+":next:1", there))
		checkCall(t, w.expect(firstAnswer)[0], 4, components+private, "Replay: move 1 of 5")

		w.serve(bare(bob, pressID(mine.ID, mine.Version, "cell:a1"), board))
		checkCall(t, w.expect(firstAnswer)[0], 7, components, "last ⭕ a1")
	})
}

// A move typed at one board does not come to lie on another.
func TestForeignForm(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(large, board)
		form := w.submit(alice, pressID(m.ID, m.Version, "type"), "h8", "800000000000000098")
		form.Message.Components = []discordgo.MessageComponent{&discordgo.ActionsRow{Components: []discordgo.MessageComponent{
			&discordgo.Button{CustomID: "1:zz:2:cell:h8"},
		}}}
		w.serve(form)
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "That button belongs to an older version of me.")
		if got := w.stored(m.ID); len(got.Moves) > 0 {
			t.Error("it was played")
		}
	})
}
