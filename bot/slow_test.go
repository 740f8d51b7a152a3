package bot_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

// An answer that takes longer than two seconds is put off before Discord gives
// up, and comes by another way then.
func TestSlowAnswers(t *testing.T) {
	type step struct {
		call  string
		kind  int
		flags float64
		words string
	}
	thinking, unchanged := step{call: firstAnswer, kind: 5}, step{call: firstAnswer, kind: 6}
	thinkingAlone := step{call: firstAnswer, kind: 5, flags: private}
	for _, c := range []struct {
		name string
		of   func(w *world, m match.Match) *discordgo.Interaction
		want []step
	}{
		{
			"a public command",
			func(w *world, _ match.Match) *discordgo.Interaction { return w.command(carol, "gomoku", "challenge") },
			[]step{thinking, {"PATCH " + original, 0, components, "is looking for an opponent"}},
		},
		{
			"a leaderboard",
			func(w *world, _ match.Match) *discordgo.Interaction { return w.command(carol, "leaderboard", "") },
			[]step{thinking, {"PATCH " + original, 0, components, "Leaderboard"}},
		},
		{
			"a private command",
			func(w *world, _ match.Match) *discordgo.Interaction { return w.command(carol, "matches", "") },
			[]step{thinkingAlone, {"PATCH " + original, 0, components, "Your matches"}},
		},
		{
			"a private word to a private command",
			func(w *world, _ match.Match) *discordgo.Interaction {
				return w.command(carol, "ttt", "move", option("cell", "a1"))
			},
			[]step{thinkingAlone, {"PATCH " + original, 0, 0, "You have no match in this channel."}},
		},
		{
			"a private word to a public command",
			func(w *world, _ match.Match) *discordgo.Interaction { return w.command(carol, "ttt", "board") },
			[]step{thinking, {"DELETE " + original, 0, 0, ""}, {followUp, 0, private, "You have no match in this channel."}},
		},
		{
			"a click",
			func(w *world, m match.Match) *discordgo.Interaction {
				return w.click(alice, pressID(m.ID, m.Version, "cell:a1"), board)
			},
			[]step{unchanged, {"PATCH " + original, 0, components, "last ❌ a1"}},
		},
		{
			"a click that is refused",
			func(w *world, m match.Match) *discordgo.Interaction {
				return w.click(bob, pressID(m.ID, m.Version, "cell:a1"), board)
			},
			[]step{unchanged, {followUp, 0, private, "'s turn"}},
		},
		{
			"a click on an old board",
			func(w *world, m match.Match) *discordgo.Interaction {
				return w.click(alice, pressID(m.ID, 1, "cell:a1"), board)
			},
			[]step{unchanged, {"PATCH " + original, 0, components, "move 1"}, {followUp, 0, private, "The board has moved on"}},
		},
		{
			"a modal that was to open",
			func(w *world, m match.Match) *discordgo.Interaction {
				return w.click(alice, pressID(m.ID, m.Version, "type"), board)
			},
			[]step{unchanged, {followUp, 0, private, "Press the button once more"}},
		},
		{
			"a modal sent from the board",
			func(w *world, m match.Match) *discordgo.Interaction {
				return w.submit(alice, pressID(m.ID, m.Version, "type"), "b2", board)
			},
			[]step{unchanged, {"PATCH " + original, 0, components, "last ❌ b2"}},
		},
		{
			"a modal sent from nowhere",
			func(w *world, m match.Match) *discordgo.Interaction {
				return w.submit(alice, pressID(m.ID, m.Version, "type"), "b9", "")
			},
			[]step{thinkingAlone, {"PATCH " + original, 0, 0, "There is no b9"}},
		},
		{
			"a private menu",
			func(w *world, m match.Match) *discordgo.Interaction {
				return w.clickPrivate(alice, pressID(m.ID, m.Version, "resign"))
			},
			[]step{unchanged, {"PATCH " + original, 0, 0, "Give up"}},
		},
		{
			"an autocomplete",
			func(w *world, _ match.Match) *discordgo.Interaction {
				return w.typing(alice, "ttt", "move", "cell", "")
			},
			[]step{{firstAnswer, 8, 0, `"choices":[]`}},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				i := c.of(w, w.start(small, board))
				began := time.Since(w.rest.began)
				first := true
				w.store.before(func() {
					if first {
						first = false
						time.Sleep(4 * time.Second)
					}
				})
				w.serve(i)
				var want []string
				for _, s := range c.want {
					want = append(want, s.call)
				}
				calls := w.expect(want...)
				for n, s := range c.want {
					checkCall(t, calls[n], s.kind, s.flags, s.words)
					due := began + 4*time.Second
					if n == 0 {
						due = began + 2*time.Second
					}
					if calls[n].after != due {
						t.Errorf("call %d came after %v, not after %v", n, calls[n].after, due)
					}
				}
			})
		})
	}
}

// beenHere lets Rowbot learn what was chosen for the server.
func (w *world) beenHere() {
	w.Helper()
	w.serve(w.command(carol, "help", ""))
	w.rest.take()
}

// What is just in time is answered directly.
func TestNotQuiteSlow(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		w.beenHere()
		w.store.before(func() { time.Sleep(1999 * time.Millisecond) })
		w.serve(w.click(alice, pressID(m.ID, m.Version, "cell:a1"), board))
		calls := w.expect(firstAnswer)
		checkCall(t, calls[0], 7, components, "last ❌ a1")
		if diff := cmp.Diff([]time.Duration{1999 * time.Millisecond}, times(calls)); diff != "" {
			t.Errorf("answered (-want +got):\n%s", diff)
		}
	})
}

// A board that comes late is the match's message all the same.
func TestSlowBoardIsNoted(t *testing.T) {
	for name, sub := range map[string]string{"after public thinking": "board", "after private thinking": "move"} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, "")
				first := true
				w.store.before(func() {
					if first {
						first = false
						time.Sleep(3 * time.Second)
					}
				})
				w.serve(w.command(alice, "ttt", sub, option("cell", "b2")))
				calls := w.rest.take()
				checkCall(t, calls[len(calls)-1], 0, components, "Resign")
				if got, want := w.stored(m.ID).Where.Message, calls[len(calls)-1].id; got != want {
					t.Errorf("the match is at %q, not %q:\n%s", got, want, join(calls))
				}
				if sub == "move" && (len(calls) != 3 || !calls[1].is("DELETE", original)) {
					t.Errorf("calls\n%s", join(calls))
				}
			})
		})
	}
}

// A fault of ours that comes late is admitted all the same.
func TestSlowPanic(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.store.before(func() {
			time.Sleep(5 * time.Second)
			panic("a fault of ours")
		})
		i := w.command(alice, "matches", "")
		w.serve(i)
		calls := w.expect(firstAnswer, "PATCH "+original)
		checkCall(t, calls[0], 5, private)
		checkCall(t, calls[1], 0, 0, "("+i.ID+" for the log)")

		m := match.ID("zzz")
		i = w.click(alice, pressID(m, 1, "cell:a1"), board)
		w.serve(i)
		calls = w.expect(firstAnswer, followUp)
		checkCall(t, calls[0], 6, 0)
		checkCall(t, calls[1], 0, private, "("+i.ID+" for the log)")
	})
}

// Close waits for the handlers that are at work.
func TestCloseWaitsForHandlers(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		w.beenHere()
		w.store.before(func() { time.Sleep(time.Second) })
		go w.bot.Serve(w.Context(), w.click(alice, pressID(m.ID, m.Version, "cell:a1"), board))
		synctest.Wait()
		began := time.Now()
		w.bot.Close()
		if took := time.Since(began); took != time.Second {
			t.Errorf("Close took %v", took)
		}
		if len(w.stored(m.ID).Moves) != 1 {
			t.Error("the move was lost")
		}
	})
}

// A late answer that Discord does not take at once is sent again; where Discord says no,
// that counts.
func TestSlowAnswerIsSentAgain(t *testing.T) {
	for name, c := range map[string]struct {
		failure error
		hangs   time.Duration
		edits   int
	}{
		"broken off":         {io.ErrUnexpectedEOF, 0, 2},
		"Discord at fault":   {refusal(http.StatusBadGateway, 0), 0, 2},
		"refused":            {refusal(http.StatusBadRequest, 50035), 0, 1},
		"a slow line":        {nil, 5 * time.Second, 1},
		"one without an end": {nil, time.Hour, 2},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.store.before(func() { time.Sleep(2500 * time.Millisecond); w.store.before(nil) })
				failed := false
				w.rest.answer(func(ctx context.Context, x call, _ int) (json.RawMessage, error) {
					if failed || !x.is("PATCH", original) {
						return nil, nil
					}
					failed = true
					if err := pause(ctx, c.hangs); err != nil {
						return nil, err
					}
					return nil, c.failure
				})
				w.serve(w.command(alice, "matches", ""))
				if calls := w.rest.take(); len(calls) != 1+c.edits || !calls[len(calls)-1].is("PATCH", original) {
					t.Errorf("%d edits wanted, calls\n%s", c.edits, join(calls))
				}
			})
		})
	}
}
