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
// the buttons of the offer and its message.
func (w *world) offered(m match.Match) (keys map[string]string, message string) {
	w.Helper()
	w.serve(w.click(alice, pressID(m.ID, m.Version, "draw"), board))
	offer := w.expect("POST interactions/…", editBoard)[0]
	return buttons(offer), offer.id
}

// offerEdits are the edits of the message of an offer, by its interaction or by its ID.
func (w *world) offerEdits(message string) (edits []call) {
	w.Helper()
	synctest.Wait()
	for _, c := range w.rest.take() {
		if c.is("PATCH", original) || c.is("PATCH", "channels/"+channel+"/messages/"+message) {
			edits = append(edits, c)
		}
	}
	return edits
}

// closed checks that the message of an offer was edited once, and has no buttons now.
func (w *world) closed(message, words string) {
	w.Helper()
	edits := w.offerEdits(message)
	if len(edits) != 1 {
		w.Fatalf("edits:\n%s", join(edits))
	}
	checkCall(w.T, edits[0], 0, components, words)
	if b := buttons(edits[0]); len(b) > 0 {
		w.Errorf("it has buttons: %v", b)
	}
}

const offerGone = "This draw offer no longer stands."

// The message of a draw offer loses its buttons when the offer does not stand any
// more, in whatever way: once.
func TestOfferLapses(t *testing.T) {
	const gone, agreed = offerGone, "A draw, agreed."
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
				_, offer := w.offered(m)
				c.end(w, w.stored(m.ID))
				w.closed(offer, c.words)
			})
		})
	}
}

// An offer that stands, or that is answered on its message, is left alone.
func TestOfferStands(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "b2", "a1")
		_, offer := w.offered(m) // it is her own turn
		w.serve(w.click(alice, pressID(m.ID, w.stored(m.ID).Version, "cell:c1"), board))
		w.serve(w.command(alice, "ttt", "board"))
		stop := w.sweeping(time.Minute)
		time.Sleep(time.Hour)
		stop()
		if edits := w.offerEdits(offer); len(edits) > 0 {
			t.Errorf("edits:\n%s", join(edits))
		}
	})
	for _, button := range []string{"Accept", "Decline"} {
		inWorld(t, func(t *testing.T, w *world) {
			m := w.start(small, board, "b2")
			keys, offer := w.offered(m)
			w.serve(w.click(bob, keys[button], offer))
			stop := w.sweeping(time.Minute)
			time.Sleep(time.Hour)
			stop()
			if edits := w.offerEdits(offer); len(edits) > 0 {
				t.Errorf("%s: edits:\n%s", button, join(edits))
			}
		})
	}
}

// A message that only the interaction reaches, where Rowbot is no member, is edited by
// it for as long as it lasts, and then left alone.
func TestOfferOutOfReach(t *testing.T) {
	for _, late := range []bool{false, true} {
		inWorld(t, func(t *testing.T, w *world) {
			m := w.start(small, board, "b2")
			_, offer := w.offered(m)
			w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
				if strings.HasPrefix(c.path, "channels/") {
					return nil, refusal(403, 50001)
				}
				return nil, nil
			})
			want := 2
			if late {
				time.Sleep(15 * time.Minute)
				want = 1
			}
			w.serve(w.click(bob, pressID(m.ID, w.stored(m.ID).Version, "cell:a1"), board))
			edits := w.offerEdits(offer)
			if len(edits) != want || want == 2 && !edits[1].is("PATCH", original) {
				t.Errorf("late: %v, edits:\n%s", late, join(edits))
			}
			stop := w.sweeping(time.Minute)
			time.Sleep(time.Hour)
			stop()
			if edits := w.offerEdits(offer); len(edits) > 0 {
				t.Errorf("late: %v, edits once more:\n%s", late, join(edits))
			}
		})
	}
}

// An offer that falls after a restart, or through another copy, loses its buttons too:
// at once with a move, and with the next round where nothing is said here.
func TestOfferOfAnotherProcess(t *testing.T) {
	for name, end := range map[string]func(w *world, m match.Match){
		"a move": func(w *world, m match.Match) {
			w.serve(w.click(bob, pressID(m.ID, m.Version, "cell:a1"), board))
		},
		"resigned elsewhere": func(w *world, m match.Match) {
			w.act(m, match.Resign{}, alice)
			stop := w.sweeping(time.Minute)
			time.Sleep(2 * time.Minute)
			stop()
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board, "b2")
				_, offer := w.offered(m)
				w.restart()
				end(w, w.stored(m.ID))
				w.closed(offer, offerGone)
			})
		})
	}
}

// An offer that had fallen before its message was known.
func TestOfferFallsBefore(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "b2")
		fall := func() { w.act(w.stored(m.ID), match.Place{At: match.Point{}}, bob) }
		w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
			if c.is("POST", "interactions/…") {
				fall()
			}
			return nil, nil
		})
		w.serve(w.click(alice, pressID(m.ID, m.Version, "draw"), board))
		calls := w.rest.take()
		w.rest.mu.Lock()
		w.rest.calls = calls
		w.rest.mu.Unlock()
		w.closed(calls[0].id, offerGone)
	})
}

// An offer that is answered before its message is known, or that Discord sends once more
// after that, says what was answered.
func TestOfferAnsweredBefore(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "b2")
		offer := w.click(alice, pressID(m.ID, m.Version, "draw"), board)
		var message string
		decline := func(c call) {
			message = c.id
			w.bot.Serve(t.Context(), w.click(bob, buttons(c)["Decline"], message))
		}
		w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
			if c.is("POST", "interactions/…?with_response=true") && message == "" {
				decline(c)
			}
			return nil, nil
		})
		w.serve(offer)
		w.rest.answer(nil)
		if edits := w.offerEdits(message); len(edits) > 0 {
			t.Errorf("edits:\n%s", join(edits))
		}
	})
}
