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

// lost has all edits of a message fail: it is gone.
func (w *world) lost(on string) {
	w.rest.answer(func(_ context.Context, x call, _ int) (json.RawMessage, error) {
		if x.method == http.MethodPatch && strings.HasSuffix(x.path, "/"+on) {
			return nil, refusal(http.StatusNotFound, 10008)
		}
		return nil, nil
	})
}

// Where a challenge stands in the way of another, the private answer has the buttons to
// settle it at once, and its message follows if there still is one.
func TestRemedies(t *testing.T) {
	for _, c := range []struct {
		name, asks, of     string // who makes the second challenge
		refused            string
		labels, press      string
		says, shows        string
		status             match.Status
		gone, neverWasOne  bool
		boardIsTheNewReply bool
	}{
		{
			name: "withdrawn", asks: alice, of: bob, refused: "hasn't answered your last challenge yet.", labels: "Withdraw", press: "Withdraw",
			says: "You withdrew the challenge.", shows: "withdrew the challenge.", status: match.Withdrawn,
		},
		{
			name: "withdrawn, gone", asks: alice, of: bob, refused: "hasn't answered your last challenge yet.", labels: "Withdraw", press: "Withdraw",
			says: "You withdrew the challenge.", status: match.Withdrawn, gone: true,
		},
		{
			name: "withdrawn, never seen", asks: alice, of: bob, refused: "or withdraw it: /matches", labels: "Withdraw", press: "Withdraw",
			says: "You withdrew the challenge.", status: match.Withdrawn, neverWasOne: true,
		},
		{
			name: "declined", asks: bob, of: alice, refused: "has challenged you already.", labels: "Accept Decline", press: "Decline",
			says: "You declined the challenge.", shows: "declined.", status: match.Declined,
		},
		{
			name: "declined, gone", asks: bob, of: alice, refused: "has challenged you already.", labels: "Accept Decline", press: "Decline",
			says: "You declined the challenge.", status: match.Declined, gone: true,
		},
		{
			name: "accepted", asks: bob, of: alice, refused: "has challenged you already.", labels: "Accept Decline", press: "Accept",
			says: "You accepted. The match is here: https://discord.com/channels/" + guild + "/" + channel + "/" + board, shows: "to move · move 1", status: match.Active,
		},
		{
			name: "accepted, gone", asks: bob, of: alice, refused: "has challenged you already.", labels: "Accept Decline", press: "Accept",
			says: "to move · move 1", status: match.Active, gone: true, boardIsTheNewReply: true,
		},
		{
			name: "accepted, never seen", asks: bob, of: alice, refused: "Answer that one: /matches", labels: "Accept Decline", press: "Accept",
			says: "to move · move 1", status: match.Active, neverWasOne: true, boardIsTheNewReply: true,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				on := board
				if c.neverWasOne {
					on = ""
				}
				m := w.invite(alice, bob, on)
				if c.gone {
					w.lost(board)
				}
				w.serve(w.command(c.asks, "gomoku", "challenge", option("opponent", c.of)))
				no := w.expect(firstAnswer)[0]
				checkCall(t, no, 4, private, c.refused)
				found := buttons(no)
				for label := range strings.FieldsSeq(c.labels) {
					if found[label] == "" || len(found) != len(strings.Fields(c.labels)) {
						t.Fatalf("the buttons are %v", found)
					}
				}
				w.serve(w.clickPrivate(c.asks, found[c.press]))
				time.Sleep(time.Second)
				got := w.stored(m.ID)
				if got.Status != c.status {
					t.Errorf("status %d, want %d", got.Status, c.status)
				}
				var said, shown, posted string
				for _, x := range w.rest.take() {
					switch {
					case x.is(http.MethodPost, "interactions/…") && x.body["type"] == 7.0:
						said = x.words()
					case x.is(http.MethodPost, "interactions/…"):
						said, posted = x.words(), x.id
						if x.data()["flags"] != components {
							t.Errorf("the board is not public: %v", x)
						}
					case x.is(http.MethodPatch, "…/messages/"+board):
						shown = x.words()
					}
				}
				if !strings.Contains(said, c.says) || (posted != "") != c.boardIsTheNewReply {
					t.Errorf("answered (posted %q) with %s", posted, said)
				}
				if !strings.Contains(shown, c.shows) {
					t.Errorf("the message shows %s", shown)
				}
				if c.boardIsTheNewReply && got.Where.Message != posted {
					t.Errorf("the match is at %+v, and not at %s", got.Where, posted)
				}
				if ids, err := w.games.Unshown(t.Context(), ""); err != nil || len(ids) > 0 {
					t.Errorf("still to be shown: %v, %v", ids, err)
				}
				// The same button once more changes nothing, and says the same again.
				w.serve(w.clickPrivate(c.asks, found[c.press]))
				calls := w.rest.take()
				if again := calls[len(calls)-1]; again.body["type"] != 7.0 || w.stored(m.ID).Version != got.Version {
					t.Errorf("once more: %v", again)
				}
			})
		})
	}
}

// Who has nothing to say in a challenge cannot settle it by a button of that kind.
func TestRemediesOfOthers(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.invite(alice, bob, board)
		for verb, words := range map[string]string{
			"accept": "This challenge is for <@" + bob + ">.", "decline": "This challenge is for <@" + bob + ">.", "withdraw": "Only <@" + alice + ">",
		} {
			w.serve(w.clickPrivate(carol, pressID(m.ID, 1, verb)))
			checkCall(t, w.expect(firstAnswer)[0], 7, 0, words)
		}
		if got := w.stored(m.ID); got.Version != m.Version {
			t.Errorf("version %d", got.Version)
		}
		time.Sleep(25 * time.Hour)
		w.serve(w.clickPrivate(bob, pressID(m.ID, 1, "accept")))
		if said := join(w.rest.take()); !strings.Contains(said, "This challenge has expired.") || w.stored(m.ID).Status != match.Lapsed {
			t.Errorf("too late: %s", said)
		}
	})
}

// Where a challenge is accepted away from its message, a thread is opened there; what
// goes wrong with it takes nothing down.
func TestThreadOfAcceptedElsewhere(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		err := w.store.Store.Update(t.Context(), func(tx match.Tx) error {
			return tx.PutGuild(t.Context(), match.Guild{ID: guild, Threads: true})
		})
		if err != nil {
			t.Fatal(err)
		}
		m, asked := w.invite(alice, bob, board), 0
		w.rest.answer(func(_ context.Context, x call, _ int) (json.RawMessage, error) {
			if x.is(http.MethodPost, "channels/"+channel+"/messages/"+board+"/threads") {
				asked++
				panic("a fault of ours")
			}
			return nil, nil
		})
		w.serve(w.clickPrivate(bob, pressID(m.ID, 1, "accept")))
		if asked != 1 {
			t.Errorf("%d threads were asked for", asked)
		}
	})
}

// Where the message of a challenge is still on its way, whoever accepts it is told where
// it will be found.
func TestAcceptedBeforeTheMessage(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.invite(alice, bob, "")
		w.bot.BeginAnswer(m.ID, m.Version, 0)
		w.bot.Serve(t.Context(), w.clickPrivate(bob, pressID(m.ID, 1, "accept")))
		checkCall(t, w.expect(askAlice, firstAnswer)[1], 7, 0, "You accepted. The match is here: /matches")
		w.bot.EndAnswer(m.ID, m.Version)
		time.Sleep(2 * time.Minute) // the message is looked for no longer
	})
}
