package bot_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/bot"
	"rowbot/bot/gateway"
	"rowbot/match"
)

// taken is Discord's answer to a callback where another process was faster.
var taken = refusal(http.StatusBadRequest, 40060)

// Where another process has answered an interaction, nothing more is posted for it,
// and it counts as delivered.
func TestAnsweredElsewhere(t *testing.T) {
	var seen []bot.Answered
	observe := func(a bot.Answered) { a.Took = 0; seen = append(seen, a) }
	inWorldSeen(t, observe, func(t *testing.T, w *world) {
		outcomes(w, taken)
		w.serve(w.command(alice, "ttt", "challenge", option("opponent", carol)))
		w.expect(withMessage) // the message is the other process's
		m := w.start(small, board, "a1", "b2", "c3")
		old := m
		at, err := m.Rules.ParsePoint("b1")
		if err != nil {
			t.Fatal(err)
		}
		m = w.act(m, match.Place{At: at}, bob)
		w.serve(w.click(bob, pressID(m.ID, old.Version, "cell:a2"), board))
		w.expect(firstAnswer, editBoard) // but not the word that the board was old
		w.serve(w.clickPrivate(alice, pressID(m.ID, m.Version, "giveup:b")))
		w.expect(firstAnswer, editBoard)
		if got := w.stored(m.ID); got.Reason != match.ByResignation {
			t.Errorf("the match ended by %v", got.Reason)
		}
	})
	want := []bot.Answered{
		{Asked: "ttt challenge", Outcome: "elsewhere", Delivered: true},
		{Asked: "cell", Outcome: "elsewhere", Delivered: true},
		{Asked: "giveup", Outcome: "elsewhere", Delivered: true},
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("observed (-want +got):\n%s", diff)
	}
}

// Nor is there an answer after a deferral that another process has forestalled.
func TestDeferredElsewhere(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		outcomes(w, taken)
		w.store.before(func() { time.Sleep(2500 * time.Millisecond) })
		w.serve(w.command(alice, "ttt", "resign"))
		w.expect(firstAnswer)
	})
}

// While boards cannot be edited, a board is posted anew by the process that answers
// alone.
func TestPostedAnewElsewhere(t *testing.T) {
	for name, c := range map[string]struct {
		callback error
		want     []string
	}{
		"here":      {nil, []string{firstAnswer, editBoard, followUp}},
		"elsewhere": {taken, []string{firstAnswer, editBoard}},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board)
				w.rest.answer(func(_ context.Context, call call, _ int) (json.RawMessage, error) {
					switch {
					case call.is("POST", "interactions/…"):
						return nil, c.callback
					case call.is("PATCH", "channels/…"):
						return nil, refusal(http.StatusForbidden, 50001)
					}
					return nil, nil
				})
				w.serve(w.clickPrivate(alice, pressID(m.ID, m.Version, "giveup:b")))
				time.Sleep(time.Second)
				got := w.rest.take()
				for n, want := range c.want {
					if n >= len(got) || got[n].method+" " != want[:len(got[n].method)+1] {
						t.Fatalf("calls\n%s\nwant %v", join(got), c.want)
					}
				}
				if name == "elsewhere" && len(got) != len(c.want) {
					t.Errorf("calls\n%s", join(got))
				}
			})
		})
	}
}

// A command that Discord kept back for longer than its answer may take is not
// carried out; a click is, and the board shows it.
func TestReplayed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.games.Now = func() time.Time { return time.Now().AddDate(30, 0, 0) } // snowflakes begin in 2015
		aged := func(d time.Duration) string {
			return strconv.FormatInt((w.games.Now().Add(-d).UnixMilli()-1420070400000)<<22, 10)
		}
		replayed := gateway.WithReplay(w.Context())

		late := w.command(alice, "ttt", "challenge", option("opponent", carol))
		late.ID = aged(2600 * time.Millisecond)
		w.bot.Serve(replayed, late)
		typing := w.typing(alice, "gomoku", "move", "cell", "h")
		typing.ID = aged(time.Minute)
		w.bot.Serve(replayed, typing)
		w.expect()

		fresh := w.command(alice, "ttt", "challenge", option("opponent", carol))
		fresh.ID = aged(2 * time.Second)
		w.bot.Serve(replayed, fresh)
		w.expect(withMessage)
		skewed := w.command(alice, "ttt", "bot") // a clock that is wrong must not stop what is live
		skewed.ID = aged(time.Hour)
		w.serve(skewed)
		w.expect(withMessage)

		m := w.start(small, board)
		click := w.click(alice, pressID(m.ID, m.Version, "cell:a1"), board)
		click.ID = aged(2 * time.Minute)
		outcomes(w, refusal(http.StatusNotFound, 10062))
		w.bot.Serve(replayed, click)
		time.Sleep(time.Second)
		calls := w.expect(firstAnswer, editBoard)
		checkCall(t, calls[1], 0, components, "last ❌ a1")
		if got := w.stored(m.ID); len(got.Moves) != 1 {
			t.Errorf("%d moves", len(got.Moves))
		}
	})
}
