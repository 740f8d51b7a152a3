package bot_test

import (
	"strings"
	"testing"
	"time"

	"rowbot/bot"
	"rowbot/match"
)

// Where nobody is told that it is their turn, what remains to be chosen is whether one
// is told that the time runs out.
func TestNoticesToChoose(t *testing.T) {
	const turn, late = "tell me when I've been away and it's my turn", "tell me when my time to move is running out"
	for after, words := range map[time.Duration][2]string{time.Minute: {turn, late}, 0: {late, turn}} {
		inWorldOf(t, bot.Options{TurnNotice: after}, func(t *testing.T, w *world) {
			w.serve(w.command(alice, "preferences", ""))
			panel := w.expect(firstAnswer)[0]
			checkCall(t, panel, 4, private+components, words[0], "never tell me")
			if strings.Contains(panel.words(), words[1]) {
				t.Errorf("told after %v: %q is offered", after, words[1])
			}
		})
	}
}

// Whoever was blocked after they were challenged is told what fits the press of a button,
// and the challenge stays for its challenger.
func TestAcceptOfSomebodyBlockedSince(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.invite(alice, bob, board)
		err := w.store.Update(t.Context(), func(tx match.Tx) error {
			return tx.PutPreferences(t.Context(), match.Preferences{User: alice, Blocked: []string{bob}})
		})
		if err != nil {
			t.Fatal(err)
		}
		w.serve(w.click(bob, pressID(m.ID, 1, "accept"), board))
		calls := w.expect(askAlice, firstAnswer)
		checkCall(t, calls[1], 4, private, "<@"+alice+"> isn't taking this challenge at the moment. "+
			"Ask somebody else with a challenge command, or name nobody in it.")
		if got := w.stored(m.ID); got.Status != match.Challenged {
			t.Errorf("status %d", got.Status)
		}
	})
}
