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

// askToForget asks for everything to be deleted, and returns the button's ID.
func (w *world) askToForget(user string) string {
	w.Helper()
	w.serve(w.command(user, "privacy", "delete"))
	c := w.expect(firstAnswer)[0]
	checkCall(w.T, c, 4, private, "Boards of finished matches that were posted in channels keep their mention of you.")
	return buttons(c)["Delete my data"]
}

// What was deleted is counted: matches that were played, not challenges that came
// to nothing; and what there was none of is not mentioned.
func TestForgottenIsCounted(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		forget := func(user string) string {
			t.Helper()
			w.serve(w.clickPrivate(user, w.askToForget(user)))
			c := w.rest.take()[0]
			checkCall(t, c, 7, 0, "**Done.**")
			return c.words()
		}
		if got := forget(alice); !strings.Contains(got, "Nothing about you is stored any more.") || strings.Contains(got, "•") {
			t.Errorf("of nobody: %s", got)
		}
		for range 2 {
			w.serve(w.command(alice, "ttt", "challenge"))
			w.serve(w.click(alice, pressID(w.only(alice).ID, 1, "withdraw"), w.only(alice).Where.Message))
			w.rest.take()
		}
		if got := forget(alice); strings.Contains(got, "•") {
			t.Errorf("after challenges that were withdrawn: %s", got)
		}
		w.start(small, board, "a1", "a2", "b1", "b2", "c1")
		got := forget(alice)
		if !strings.Contains(got, "1 finished match no longer shows") || !strings.Contains(got, "3 records were deleted") || strings.Contains(got, "running") {
			t.Errorf("after a match: %s", got)
		}
	})
}

// Boards of what was closed are noted as still to be drawn, until they are.
func TestForgottenBoardsAreOwed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.start(small, "700000000000000001", "a1")
		w.start(large, "700000000000000002")
		w.between(bob, carol, large, board)
		unshown := func() []match.ID {
			t.Helper()
			ids, err := w.games.Unshown(t.Context(), "")
			if err != nil {
				t.Error(err)
			}
			return ids
		}
		sure := w.askToForget(alice)
		w.rest.answer(func(ctx context.Context, c call, _ int) (json.RawMessage, error) {
			if c.method != http.MethodPatch {
				return nil, nil
			}
			return nil, pause(ctx, time.Second)
		})
		w.serve(w.clickPrivate(alice, sure))
		if got := unshown(); len(got) != 2 {
			t.Errorf("before the boards are drawn: %q", got)
		}
		time.Sleep(time.Minute)
		var edits []call // the answer may come before, between or after them
		for _, c := range w.rest.take() {
			if c.method == http.MethodPatch {
				checkCall(t, c, 0, components, "Closed · one of the players has left for good")
				edits = append(edits, c)
			}
		}
		if len(edits) != 2 {
			t.Errorf("%d edits:\n%s", len(edits), join(edits))
		}
		if got := unshown(); len(got) != 0 {
			t.Errorf("after the boards were drawn: %q", got)
		}
	})
}

// The button works for as long as the question stands, and not without one.
func TestForgetNeedsTheQuestion(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(large, board, "h8")
		late := "That question was asked a while ago, so I deleted nothing."
		id := w.askToForget(alice)
		future := w.askToForget(alice) + "0"
		for _, forged := range []string{"7:" + alice, "7:" + alice + ":", "7:" + alice + ":x", "7:&1" + strings.TrimPrefix(id, "7:"+alice)} {
			w.serve(w.clickPrivate(alice, forged))
			checkCall(t, w.expect(firstAnswer)[0], 4, private, "That button belongs to an older version of me.")
		}
		w.serve(w.clickPrivate(bob, id))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "That one is for <@"+alice+"> to answer.")
		w.serve(w.clickPrivate(alice, future))
		checkCall(t, w.expect(firstAnswer)[0], 7, 0, late)
		time.Sleep(15*time.Minute + time.Second)
		w.serve(w.clickPrivate(alice, id))
		checkCall(t, w.expect(firstAnswer)[0], 7, 0, late)
		if got := w.stored(m.ID); got.Status != match.Active || !got.Involves(match.Person(alice)) {
			t.Fatalf("deleted without a question: %+v", got)
		}
		id = w.askToForget(alice)
		time.Sleep(15*time.Minute - time.Second)
		w.serve(w.clickPrivate(alice, id))
		if said := join(w.rest.take()); !strings.Contains(said, "1 running match or challenge was closed") { // and the board
			t.Errorf("in time:\n%s", said)
		}
		if got := w.stored(m.ID); got.Involves(match.Person(alice)) {
			t.Errorf("not deleted: %+v", got)
		}
	})
}
