package bot_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

const (
	firstAnswer = "POST interactions/…/callback"
	withMessage = "POST interactions/…/callback?with_response=true"
	original    = "webhooks/" + appID + "/…/messages/@original"
	followUp    = "POST webhooks/" + appID + "/…"

	private    = float64(1 << 6)
	components = float64(1 << 15)
)

var large = match.GomokuRules(15, match.Freestyle)

// serve has an interaction answered and all that it causes done.
func (w *world) serve(i *discordgo.Interaction) {
	w.Helper()
	w.bot.Serve(w.Context(), i)
	w.bot.AwaitBehind()
	synctest.Wait()
}

// checkCall compares the kind of a callback (0 for other calls) and the flags
// of its message, and looks for words in it.
func checkCall(t *testing.T, c call, kind int, flags float64, words ...string) {
	t.Helper()
	if kind != 0 && c.body["type"] != float64(kind) {
		t.Errorf("callback of type %v, want %d: %v", c.body["type"], kind, c)
	}
	got, _ := c.data()["flags"].(float64)
	if got != flags {
		t.Errorf("flags %v, want %v: %v", got, flags, c)
	}
	for _, s := range words {
		if !strings.Contains(c.words(), s) {
			t.Errorf("not said: %q in %v", s, c)
		}
	}
}

// A challenge is answered at once with its message, which pings the one who is
// invited, and the match knows the message.
func TestChallenge(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		i := w.command(alice, "gomoku", "challenge", option("opponent", bob), option("size", 19))
		w.serve(i)
		c := w.expect(withMessage)[0]
		checkCall(t, c, 4, components, "<@"+alice+"> challenges <@"+bob+">.", "19×19", "Accept", "Decline", "Withdraw")
		if !strings.Contains(c.path, i.ID+"/"+i.Token+"/") || c.after != 0 {
			t.Errorf("answered after %v to %s", c.after, c.path)
		}
		want := fields{"parse": []any{}, "users": []any{bob}}
		if diff := cmp.Diff(want, c.data()["allowed_mentions"]); diff != "" {
			t.Errorf("who is pinged (-want +got):\n%s", diff)
		}
		m := w.only(alice)
		if m.Where != (match.Where{Guild: guild, Channel: channel, Message: "800000000000000000", Locale: "en"}) {
			t.Errorf("the match is at %+v", m.Where)
		}

		w.serve(w.click(bob, pressID(m.ID, 1, "accept"), m.Where.Message))
		checkCall(t, w.expect(askAlice, firstAnswer)[1], 7, components, "to move · move 1", "Type a move")
		if m = w.stored(m.ID); m.Status != match.Active || m.Version != 2 {
			t.Errorf("status %d, version %d", m.Status, m.Version)
		}
	})
}

// only is the one open match of a user.
func (w *world) only(user string) match.Match {
	w.Helper()
	var open []match.Match
	err := w.store.Store.View(w.Context(), func(tx match.Tx) (err error) {
		open, err = tx.Open(w.Context(), match.OpenQuery{User: user, Limit: 10})
		return err
	})
	if err != nil || len(open) != 1 {
		w.Fatalf("%d open matches, %v", len(open), err)
	}
	return open[0]
}

// Where the answer to the callback does not name the message, it is asked for.
func TestMessageIsAskedFor(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
			if c.is("POST", "interactions/…") {
				return json.RawMessage(`{"interaction":{"id":"1"}}`), nil
			}
			return nil, nil
		})
		w.serve(w.command(alice, "ttt", "challenge"))
		w.expect(withMessage, "GET "+original)
		if m := w.only(alice); m.Where.Message != "800000000000000001" {
			t.Errorf("the match is at %+v", m.Where)
		}
	})
}

func TestClicks(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "a1", "b2")
		w.serve(w.click(alice, pressID(m.ID, m.Version, "cell:c3"), board))
		checkCall(t, w.expect(firstAnswer)[0], 7, components, "last ❌ c3")

		// The same button once more: the first answer may have been lost.
		w.serve(w.click(alice, pressID(m.ID, m.Version, "cell:c3"), board))
		checkCall(t, w.expect(firstAnswer)[0], 7, components, "last ❌ c3")

		// A button of an older board plays nothing, and says so.
		w.serve(w.click(bob, pressID(m.ID, m.Version, "cell:a3"), board))
		calls := w.expect(firstAnswer, followUp)
		checkCall(t, calls[0], 7, components, "last ❌ c3")
		checkCall(t, calls[1], 0, private, "The board has moved on")

		// What is wrong is said to the one who did it.
		now := w.stored(m.ID)
		w.serve(w.click(alice, pressID(m.ID, now.Version, "cell:a3"), board))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "<@"+bob+">'s turn")
		w.serve(w.click(bob, pressID(m.ID, now.Version, "cell:a1"), board))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "a1 is taken")
		w.serve(w.click(carol, pressID(m.ID, now.Version, "cell:a3"), board))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "between <@"+alice+"> and <@"+bob+">")
		if got := w.stored(m.ID); len(got.Moves) != 3 || got.Version != now.Version {
			t.Errorf("%d moves, version %d", len(got.Moves), got.Version)
		}
	})
}

// A click on a message that another has replaced plays nothing and takes its
// buttons off.
func TestClickOnReplacedBoard(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		w.serve(w.click(alice, pressID(m.ID, m.Version, "cell:a1"), "600000000000000001"))
		c := w.expect(firstAnswer)[0]
		checkCall(t, c, 7, components, "The board is here now", channel+"/"+board)
		if strings.Contains(c.words(), "custom_id") || len(w.stored(m.ID).Moves) != 0 {
			t.Errorf("still to be played on: %v", c)
		}
	})
}

// The board command posts the board anew; the old message loses its buttons.
func TestBoardMoves(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(large, board, "h8")
		w.serve(w.command(bob, "gomoku", "board"))
		calls := w.expect(withMessage, editBoard)
		checkCall(t, calls[0], 4, components, "last ⚫ h8", "Type a move")
		where := w.stored(m.ID).Where
		if where.Message != "800000000000000000" {
			t.Errorf("the match is at %+v", where)
		}
		checkCall(t, calls[1], 0, components, "https://discord.com/channels/"+guild+"/"+channel+"/"+where.Message)
		if strings.Contains(calls[1].words(), "custom_id") {
			t.Errorf("the old board still has buttons: %v", calls[1])
		}
	})
}

// A move by command is answered privately, and the board is edited.
func TestMoveByCommand(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(large, board)
		w.serve(w.command(alice, "gomoku", "move", option("cell", " H 8 ")))
		calls := w.expect(editBoard, firstAnswer)
		checkCall(t, calls[0], 0, components, "last ⚫ h8")
		checkCall(t, calls[1], 4, private, "You played h8.")

		// A slow edit does not hold the answer up for long.
		w.rest.answer(func(ctx context.Context, c call, _ int) (json.RawMessage, error) {
			if c.method == http.MethodPatch {
				return nil, pause(ctx, 2*time.Second)
			}
			return nil, nil
		})
		w.serve(w.command(bob, "gomoku", "move", option("cell", "7 9"), option("match", string(m.ID))))
		calls = w.expect(editBoard, firstAnswer)
		checkCall(t, calls[1], 4, private, "You played i9.")
		if took := calls[1].after - calls[0].after; took > 1500*time.Millisecond {
			t.Errorf("answered after %v", took)
		}
		time.Sleep(2 * time.Second)
	})
}

func TestMoveWhereTheBoardIsGone(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(large, board)
		w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
			if c.method == http.MethodPatch {
				return nil, refusal(http.StatusNotFound, 10008)
			}
			return nil, nil
		})
		w.serve(w.command(alice, "gomoku", "move", option("cell", "h8")))
		calls := w.expect(editBoard, withMessage, editBoard) // the last takes the old board out of use, in vain
		checkCall(t, calls[1], 4, components, "last ⚫ h8", "Type a move")
		if got := w.stored(m.ID).Where.Message; got != "800000000000000001" {
			t.Errorf("the match is at %s", got)
		}
	})
}

// After a private button, a board that cannot be edited is posted anew.
func TestResignWhereTheBoardIsGone(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "b2")
		w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
			if c.method == http.MethodPatch {
				return nil, refusal(http.StatusForbidden, 50001)
			}
			return nil, nil
		})
		w.serve(w.clickPrivate(bob, pressID(m.ID, m.Version, "giveup:w")))
		calls := w.expect(firstAnswer, editBoard, followUp, editBoard)
		checkCall(t, calls[0], 7, 0, "You resigned")
		checkCall(t, calls[2], 0, components, "**won**", "resigned", "Rematch")
		if got := w.stored(m.ID); got.Status != match.Won || got.Where.Message != "800000000000000002" {
			t.Errorf("status %d at %s", got.Status, got.Where.Message)
		}
	})
}

// An interaction that is delivered twice, also at the same time, is answered once.
func TestDeliveredTwice(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		i := w.click(alice, pressID(m.ID, m.Version, "cell:a1"), board)
		var all sync.WaitGroup
		for range 5 {
			all.Go(func() { w.bot.Serve(w.Context(), i) })
		}
		all.Wait()
		w.serve(i)
		w.expect(firstAnswer)
		if got := w.stored(m.ID); len(got.Moves) != 1 {
			t.Errorf("%d moves", len(got.Moves))
		}
	})
}

// Whatever comes in is answered, and once.
func TestMalformed(t *testing.T) {
	for name, changed := range map[string]fields{
		"no data":             {"type": 1, "data": nil},
		"an unknown type":     {"type": 99},
		"no user":             {"member": nil},
		"a member of no user": {"member": fields{"roles": []string{}}},
		"a user without ID":   {"member": nil, "user": fields{"id": ""}},
		"a number too large":  {"id": "99999999999999999999999"},
		"no number":           {"id": "not-a-number"},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				i := w.event(2, alice, slash("help", ""), changed)
				w.serve(i)
				c := w.expect(firstAnswer)[0]
				checkCall(t, c, 4, private, "your match is safe", "("+i.ID+" for the log)")
			})
		})
	}
}

// What a newer or an older version of the bot may have left is answered kindly.
func TestUnknown(t *testing.T) {
	for name, i := range map[string]func(w *world) *discordgo.Interaction{
		"command":     func(w *world) *discordgo.Interaction { return w.command(alice, "chess", "move") },
		"subcommand":  func(w *world) *discordgo.Interaction { return w.command(alice, "ttt", "undo") },
		"no sub":      func(w *world) *discordgo.Interaction { return w.command(alice, "ttt", "") },
		"button":      func(w *world) *discordgo.Interaction { return w.click(alice, "9:abc", board) },
		"forged cell": func(w *world) *discordgo.Interaction { return w.click(alice, "1:m1:1:cell:zz", board) },
		"no match":    func(w *world) *discordgo.Interaction { return w.click(alice, "1:zzz:1:accept", board) },
		"modal":       func(w *world) *discordgo.Interaction { return w.submit(alice, "1:m1:1:accept", "h8", board) },
		"modal's match": func(w *world) *discordgo.Interaction {
			return w.submit(alice, "1:zzz:1:type", "h8", board)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.serve(i(w))
				checkCall(t, w.expect(firstAnswer)[0], 4, private)
			})
		})
	}
}

// A fault of ours is admitted, with the number that leads to the log, and the
// next one is served as ever.
func TestPanicInHandler(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		w.store.before(func() { panic("a fault of ours") })
		for _, i := range []*discordgo.Interaction{
			w.command(alice, "matches", ""), w.command(alice, "leaderboard", ""), w.click(alice, pressID(m.ID, m.Version, "cell:a1"), board),
		} {
			w.serve(i)
			checkCall(t, w.expect(firstAnswer)[0], 4, private, "your match is safe", "("+i.ID+" for the log)")
		}
		w.serve(w.typing(alice, "ttt", "move", "cell", "a"))
		if c := w.expect(firstAnswer)[0]; c.body["type"] != float64(8) || len(c.data()["choices"].([]any)) != 0 {
			t.Errorf("suggested: %v", c)
		}
		w.store.before(nil)
		w.serve(w.click(alice, pressID(m.ID, m.Version, "cell:a1"), board))
		checkCall(t, w.expect(firstAnswer)[0], 7, components, "last ❌ a1")
	})
}
