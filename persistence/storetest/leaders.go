package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"rowbot/match"
	"rowbot/match/rating"
)

var leaderTests = []test{
	{"Order", testLeadersOrder},
	{"OnlyThose", testLeadersOnlyThose},
	{"PlaceOfOneNotStored", testPlaceNotStored},
	{"UnknownOrder", testUnknownOrder},
}

// better orders records as match.Order says.
func better(by match.Order) func(a, b match.Record) int {
	return func(a, b match.Record) int {
		points, won := cmp.Compare(b.Rating.Points, a.Rating.Points), cmp.Compare(b.Won, a.Won)
		first, second := points, won
		if by == match.ByWins {
			first, second = won, points
		}
		return cmp.Or(first, second, cmp.Compare(a.Lost, b.Lost), cmp.Compare(b.Drawn, a.Drawn), cmp.Compare(a.User, b.User))
	}
}

func leaders(ctx context.Context, t failer, s match.Store, q match.LeadersQuery) []match.Record {
	t.Helper()
	var found []match.Record
	view(ctx, t, s, func(tx match.Tx) error {
		var err error
		found, err = tx.Leaders(ctx, q)
		return err
	})
	return found
}

func place(ctx context.Context, t failer, s match.Store, r match.Record, by match.Order) int {
	t.Helper()
	var n int
	view(ctx, t, s, func(tx match.Tx) error {
		var err error
		n, err = tx.Place(ctx, r, by)
		return err
	})
	return n
}

// testLeadersOrder compares both orders, all their pages and everybody's place
// with a sorted slice. The figures are few, so that ties go down to the last one.
func testLeadersOrder(t *testing.T, s match.Store) {
	ctx := t.Context()
	small := rapid.IntRange(0, 1)
	rapid.Check(t, func(rt *rapid.T) {
		scope := string(newID(rt))
		var all []match.Record
		for i := range rapid.IntRange(1, 12).Draw(rt, "players") {
			all = append(all, match.Record{
				RecordKey: match.VersusPeople(scope, fmt.Sprintf("%s/%d", scope, i), match.Gomoku),
				Won:       small.Draw(rt, "won"), Drawn: small.Draw(rt, "drawn"), Lost: small.Draw(rt, "lost"),
				Rating: rating.Rating{Points: 1500 + float64(small.Draw(rt, "points"))/8, Deviation: 99, Volatility: 0.06},
			})
		}
		update(ctx, rt, s, func(tx match.Tx) error {
			for _, r := range all {
				if err := tx.PutRecord(ctx, r); err != nil {
					return err
				}
				if err := tx.PutRating(ctx, r.User, r.Game, r.Rating); err != nil {
					return err
				}
			}
			return nil
		})
		page := rapid.IntRange(1, 5).Draw(rt, "page")
		for _, by := range []match.Order{match.ByRating, match.ByWins} {
			slices.SortFunc(all, better(by))
			for offset := 0; offset < len(all)+page; offset += page {
				from, to := min(offset, len(all)), min(offset+page, len(all))
				q := match.LeadersQuery{Scope: scope, Game: match.Gomoku, By: by, Offset: offset, Limit: page}
				equal(rt, fmt.Sprintf("by %s from %d", by, offset), leaders(ctx, rt, s, q), all[from:to])
			}
			for i, r := range all {
				equal(rt, fmt.Sprintf("place by %s", by), place(ctx, rt, s, r, by), i+1)
			}
		}
	})
}

// testLeadersOnlyThose: a leaderboard has the records against people of one
// scope and game, and a place counts no others.
func testLeadersOnlyThose(t *testing.T, s match.Store) {
	for i, user := range []string{"1", "2", "3"} {
		for n, k := range allKeys(user) {
			putRecords(t, s, match.Record{RecordKey: k, Won: 100*i + n})
		}
	}
	for _, scope := range []string{match.Everywhere, "g"} {
		for _, g := range []match.Game{match.TicTacToe, match.Gomoku} {
			for _, by := range []match.Order{match.ByRating, match.ByWins} {
				var want []match.Record
				for i, user := range []string{"3", "2", "1"} {
					r := record(t.Context(), t, s, match.VersusPeople(scope, user, g))
					want = append(want, r)
					equal(t, "place", place(t.Context(), t, s, r, by), i+1)
				}
				got := leaders(t.Context(), t, s, match.LeadersQuery{Scope: scope, Game: g, By: by, Limit: 99})
				equal(t, fmt.Sprintf("%s in %s by %s", g, scope, by), got, want)
			}
		}
	}
	none := leaders(t.Context(), t, s, match.LeadersQuery{Scope: "nowhere", Game: match.Gomoku, By: match.ByWins, Limit: 9})
	equal(t, "elsewhere", none, []match.Record(nil))
}

// testPlaceNotStored: a place can be asked for a record that is not there.
func testPlaceNotStored(t *testing.T, s match.Store) {
	for i := range 4 {
		putRecords(t, s, match.Record{RecordKey: match.VersusPeople("g", strconv.Itoa(i), match.Gomoku), Won: 2 * i})
	}
	r := match.Record{RecordKey: match.VersusPeople("g", "me", match.Gomoku), Won: 3, Rating: rating.New()}
	equal(t, "by wins", place(t.Context(), t, s, r, match.ByWins), 3)
	equal(t, "by rating", place(t.Context(), t, s, r, match.ByRating), 3)
	r.Rating.Points++
	equal(t, "by rating", place(t.Context(), t, s, r, match.ByRating), 1)
}

func testUnknownOrder(t *testing.T, s match.Store) {
	err := s.View(t.Context(), func(tx match.Tx) error {
		_, err := tx.Leaders(t.Context(), match.LeadersQuery{Scope: "g", Game: match.Gomoku, By: "luck", Limit: 9})
		return err
	})
	if err == nil {
		t.Error("Leaders by luck: no error")
	}
}
