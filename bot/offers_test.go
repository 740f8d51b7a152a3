package bot_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rowbot/match"
)

// offered has Alice offer Bob a draw in a match in which it is his turn, and returns
// the buttons of the offer.
func (w *world) offered(m match.Match) map[string]string {
	w.Helper()
	w.serve(w.click(alice, pressID(m.ID, m.Version, "draw"), board))
	return buttons(w.expect(firstAnswer, editBoard)[0])
}

// offerEdits are the edits of the message of the offer, by its interaction or by its ID.
func (w *world) offerEdits() (edits []call) {
	w.Helper()
	synctest.Wait()
	for _, c := range w.rest.take() {
		if c.is("PATCH", original) || c.is("PATCH", "channels/"+channel+"/messages/"+offerMessage) {
			edits = append(edits, c)
		}
	}
	return edits
}

const offerMessage = "800000000000000077"

// The message of a draw offer loses its buttons when the offer does not stand any
// more, in whatever way: once, and by the interaction that made it.
func TestOfferLapses(t *testing.T) {
	const gone, agreed = "This draw offer no longer stands.", "A draw, agreed."
	for name, c := range map[string]struct {
		end   func(w *world, m match.Match)
		words string
	}{
		"a move": {func(w *world, m match.Match) {
			w.serve(w.click(bob, pressID(m.ID, m.Version, "cell:a1"), board))
		}, gone},
		"a move by command": {func(w *world, _ match.Match) {
			w.serve(w.command(bob, "ttt", "move", option("cell", "a1")))
		}, gone},
		"the other wants it too": {func(w *world, _ match.Match) { w.serve(w.command(bob, "ttt", "draw")) }, agreed},
		"giving up": {func(w *world, _ match.Match) {
			w.serve(w.command(bob, "ttt", "resign"))
			w.serve(w.clickPrivate(bob, buttons(w.rest.take()[0])["Resign"]))
		}, gone},
		"the clock": {func(w *world, _ match.Match) {
			stop := w.sweeping(time.Minute)
			time.Sleep(2 * time.Minute)
			stop()
		}, gone},
		"another offer": {func(w *world, m match.Match) {
			m = w.act(w.stored(m.ID), match.Place{At: match.Point{}}, bob)
			m = w.act(m, match.Place{At: match.Point{Col: 2}}, alice)
			m = w.act(m, match.Place{At: match.Point{Row: 2}}, bob)
			w.serve(w.click(alice, pressID(m.ID, m.Version, "draw"), board))
		}, gone},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.hurried("b2")
				w.offered(m)
				c.end(w, w.stored(m.ID))
				edits := w.offerEdits()
				if len(edits) != 1 {
					t.Fatalf("edits:\n%s", join(edits))
				}
				checkCall(t, edits[0], 0, components, c.words)
				if b := buttons(edits[0]); len(b) > 0 {
					t.Errorf("it has buttons: %v", b)
				}
			})
		})
	}
}

// An offer that stands, or that is answered on its message, is left alone.
func TestOfferStands(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "b2", "a1")
		w.offered(m) // it is her own turn
		w.serve(w.click(alice, pressID(m.ID, w.stored(m.ID).Version, "cell:c1"), board))
		w.serve(w.command(alice, "ttt", "board"))
		if edits := w.offerEdits(); len(edits) > 0 {
			t.Errorf("edits:\n%s", join(edits))
		}
	})
	for _, button := range []string{"Accept", "Decline"} {
		inWorld(t, func(t *testing.T, w *world) {
			m := w.start(small, board, "b2")
			offer := w.offered(m)
			w.serve(w.click(bob, offer[button], offerMessage))
			if edits := w.offerEdits(); len(edits) > 0 {
				t.Errorf("%s: edits:\n%s", button, join(edits))
			}
		})
	}
}

// Where the interaction cannot be used any more, its message is edited as a board is.
// What cannot be edited is left alone.
func TestOfferLapsesLater(t *testing.T) {
	for _, known := range []bool{true, false} {
		inWorld(t, func(t *testing.T, w *world) {
			w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
				switch {
				case c.is("GET", original) && known:
					return json.RawMessage(`{"id":"` + offerMessage + `"}`), nil
				case c.is("GET", original), strings.HasSuffix(c.path, offerMessage):
					return nil, refusal(403, 50001)
				}
				return nil, nil
			})
			m := w.start(small, board, "b2")
			w.offered(m)
			time.Sleep(time.Hour)
			synctest.Wait()
			if c := w.expect("GET " + original)[0]; c.after >= 15*time.Minute {
				t.Errorf("asked after %v, when the interaction is over", c.after)
			}
			w.serve(w.click(bob, pressID(m.ID, w.stored(m.ID).Version, "cell:a1"), board))
			want := 0
			if known {
				want = 1
			}
			if edits := w.offerEdits(); len(edits) != want {
				t.Errorf("edits, of which %d were right:\n%s", want, join(edits))
			}
			time.Sleep(time.Hour)
			if edits := w.offerEdits(); len(edits) > 0 {
				t.Errorf("edits that had failed:\n%s", join(edits))
			}
		})
	}
}
