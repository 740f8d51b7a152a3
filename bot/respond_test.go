package bot_test

import (
	"context"
	"encoding/json"
	"errors"
	"mime"
	"mime/multipart"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot"
	"rowbot/match"
)

// response is a first answer that went back as one.
type response struct {
	after time.Duration
	kind  string
	body  string
}

// respond has an interaction answered in its response, and all that it causes done.
func (w *world) respond(i *discordgo.Interaction, err error) (got []response) {
	w.Helper()
	began := time.Now()
	w.bot.Respond(w.Context(), i, func(body []byte, contentType string) error {
		got = append(got, response{time.Since(began), contentType, string(body)})
		return err
	})
	w.bot.AwaitBehind()
	synctest.Wait()
	return got
}

// callback reads a response that is JSON.
func (w *world) callback(got []response, kind int, words ...string) {
	w.Helper()
	if len(got) != 1 || got[0].kind != "application/json" {
		w.Fatalf("responses %v", got)
	}
	var c call
	if err := json.Unmarshal([]byte(got[0].body), &c.body); err != nil {
		w.Fatal(err)
	}
	flags, _ := c.data()["flags"].(float64)
	checkCall(w.T, c, kind, flags, words...)
}

// A click costs no request. What follows an answer comes when Discord has had time
// to take that.
func TestRespond(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "a1", "b2")
		click := w.click(alice, pressID(m.ID, m.Version, "cell:c3"), board)
		w.callback(w.respond(click, nil), 7, "last ❌ c3")
		w.expect()
		if again := w.respond(click, nil); again != nil {
			t.Errorf("answered twice: %v", again)
		}

		// A button of an older board: the board, and a note after it.
		began := time.Since(w.rest.began)
		w.callback(w.respond(w.click(bob, pressID(m.ID, m.Version, "cell:a3"), board), nil), 7, "last ❌ c3")
		if c := w.expect(followUp)[0]; c.after < began+200*time.Millisecond {
			t.Errorf("the note followed the answer after %v", c.after-began)
		}

		// A new message is asked for its ID.
		w.callback(w.respond(w.command(carol, "gomoku", "bot"), nil), 4, "to move · move 1")
		c := w.expect("GET " + original)[0]
		if where := w.only(carol).Where; where.Message != c.id {
			t.Errorf("the match is at %+v, its message is %s", where, c.id)
		}
	})
}

// Discord knows an interaction's webhook only when it has taken the answer.
func TestRespondBeforeDiscordHasIt(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.rest.answer(func(_ context.Context, _ call, n int) (json.RawMessage, error) {
			if n < 2 {
				return nil, refusal(404, 10015)
			}
			return nil, nil
		})
		w.respond(w.command(carol, "gomoku", "bot"), nil)
		calls := w.expect("GET "+original, "GET "+original, "GET "+original)
		if where := w.only(carol).Where; where.Message != calls[2].id {
			t.Errorf("the match is at %+v", where)
		}
	})
}

// After two seconds the response says that the answer will come, which is an edit.
func TestRespondLate(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		w.store.before(func() { time.Sleep(2300 * time.Millisecond); w.store.before(nil) })
		got := w.respond(w.click(alice, pressID(m.ID, m.Version, "cell:b2"), board), nil)
		w.callback(got, 6)
		if got[0].after != 2*time.Second {
			t.Errorf("put off after %v", got[0].after)
		}
		checkCall(t, w.expect("PATCH " + original)[0], 0, components, "last ❌ b2")

		w.store.before(func() { time.Sleep(2300 * time.Millisecond); w.store.before(nil) })
		w.callback(w.respond(w.command(bob, "stats", ""), nil), 5)
		w.expect("PATCH " + original)
	})
}

// A response that nobody got: the move counts, and the board is drawn.
func TestRespondToNobody(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board)
		w.respond(w.click(alice, pressID(m.ID, m.Version, "cell:b2"), board), errors.New("gone"))
		checkCall(t, w.expect(editBoard)[0], 0, components, "last ❌ b2")
		if got := w.stored(m.ID); len(got.Moves) != 1 {
			t.Errorf("%d moves", len(got.Moves))
		}
	})
}

// Files go along in the response.
func TestRespondWithFiles(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		err := w.store.Update(t.Context(), func(tx match.Tx) error {
			return tx.PutGuild(t.Context(), match.Guild{ID: guild, Style: "picture"})
		})
		if err != nil {
			t.Fatal(err)
		}
		got := w.respond(w.command(carol, "gomoku", "bot"), nil)
		w.expect("GET " + original)
		if len(got) != 1 {
			t.Fatalf("%d responses", len(got))
		}
		kind, parameters, err := mime.ParseMediaType(got[0].kind)
		if err != nil || kind != "multipart/form-data" {
			t.Fatalf("%q, %v", got[0].kind, err)
		}
		form, err := multipart.NewReader(strings.NewReader(got[0].body), parameters["boundary"]).ReadForm(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		if len(form.File["files[0]"]) != 1 || !strings.HasPrefix(strings.Join(form.Value["payload_json"], ""), `{"type":4,`) {
			t.Errorf("files %v, payload %v", form.File, form.Value)
		}
	})
}

// The observer is told once of each interaction, with the time to its first answer.
func TestObserve(t *testing.T) {
	var got []bot.Answered
	inWorldSeen(t, func(a bot.Answered) { got = append(got, a) }, func(t *testing.T, w *world) {
		m := w.start(small, board)
		click := w.click(alice, pressID(m.ID, m.Version, "cell:b2"), board)
		w.respond(click, nil)
		w.respond(click, nil)
		w.store.before(func() { time.Sleep(2500 * time.Millisecond); w.store.before(nil) })
		w.serve(w.click(bob, pressID(m.ID, m.Version+1, "cell:a1"), board))
		w.respond(w.command(alice, "help", ""), errors.New("gone"))
		want := []bot.Answered{
			{Asked: "cell", Outcome: "updated", Delivered: true},
			{Asked: "cell", Outcome: "updated", Took: 2 * time.Second, Deferred: true, Delivered: true},
			{Asked: "help", Outcome: "help"},
		}
		if len(got) != len(want) {
			t.Fatalf("told of %+v", got)
		}
		for n := range want {
			if got[n] != want[n] {
				t.Errorf("told of %+v, want %+v", got[n], want[n])
			}
		}
	})
}
