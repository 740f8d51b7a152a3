package bot_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/match"
)

// unshown reports whether a match is noted as one whose board is to be drawn.
func (w *world) unshown(id match.ID) bool {
	w.Helper()
	all, err := w.games.Unshown(w.Context(), "")
	if err != nil {
		w.Error(err)
	}
	return slices.Contains(all, id)
}

// TestBoardsApart: what is answered with words changes a board on another message. Until
// that has been drawn the store says that it is to be, so that it is made up for where
// the process is killed in between.
func TestBoardsApart(t *testing.T) {
	for name, asks := range map[string]func(w *world, m match.Match) *discordgo.Interaction{
		"a typed move": func(w *world, _ match.Match) *discordgo.Interaction {
			return w.command(bob, "ttt", "move", option("cell", "b2"))
		},
		"resigning": func(w *world, m match.Match) *discordgo.Interaction {
			return w.click(bob, pressID(m.ID, m.Version, "giveup:w"), "")
		},
		"offering a draw": func(w *world, m match.Match) *discordgo.Interaction {
			return w.click(bob, pressID(m.ID, m.Version, "draw"), board)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				m := w.start(small, board, "a1")
				edits := 0
				w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
					if c.method != http.MethodPatch {
						return nil, nil
					}
					if !w.unshown(m.ID) { //nolint:contextcheck // it has the test's own
						t.Error("not noted while the board is being drawn")
					}
					if edits++; edits == 1 {
						return nil, errNetwork
					}
					return nil, nil
				})
				w.serve(asks(w, m))
				time.Sleep(time.Minute)
				if edits != 2 {
					t.Errorf("%d edits", edits)
				}
				if w.unshown(m.ID) {
					t.Error("still noted when the board is drawn")
				}
				if got := w.stored(m.ID); got.Version == m.Version {
					t.Error("nothing was done")
				}
			})
		})
	}
}

// TestShownBeforeTheNextChange: what is stored while an older board is on its way to
// Discord, be it by another process, stays noted as not drawn.
func TestShownBeforeTheNextChange(t *testing.T) {
	for name, asks := range map[string]func(w *world, m match.Match){
		"a typed move": func(w *world, _ match.Match) { w.serve(w.command(bob, "ttt", "move", option("cell", "b2"))) },
		"offering a draw": func(w *world, m match.Match) {
			w.serve(w.click(bob, pressID(m.ID, m.Version, "draw"), board))
		},
		"accepting elsewhere": func(w *world, m match.Match) { w.serve(w.clickPrivate(bob, pressID(m.ID, 1, "accept"))) },
		"the sweep": func(w *world, m match.Match) {
			d := match.Deed{Match: m.ID, By: match.Person(bob), Action: match.Place{At: match.Point{Col: 2}}, Apart: true}
			if _, err := w.games.Act(w.Context(), d); err != nil {
				w.Fatal(err)
			}
			w.sweepOnce(time.Hour)
		},
	} {
		t.Run(name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				var m match.Match
				if name == "accepting elsewhere" {
					m = w.invite(alice, bob, board)
				} else {
					m = w.start(small, board, "a1")
				}
				other := false
				w.rest.answer(func(_ context.Context, c call, _ int) (json.RawMessage, error) {
					if c.method != http.MethodPatch || other {
						return nil, nil
					}
					other = true
					_, err := w.games.Act(w.Context(), match.Deed{Match: m.ID, Action: match.Halt{}, Apart: true}) //nolint:contextcheck // it has the test's own
					return nil, err
				})
				asks(w, m)
				if !other || !w.unshown(m.ID) {
					t.Errorf("edited: %t; noted as drawn, which it is not", other)
				}
			})
		})
	}
}
