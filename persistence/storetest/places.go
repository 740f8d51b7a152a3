package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"rowbot/match"
	"rowbot/match/rating"
)

// placeTests are about the place among everybody, which a store may not count from
// the top each time.
var placeTests = []test{
	{"Walk", testPlaceWalk},
	{"AtOnce", testPlaceAtOnce},
}

// ranks are the records everywhere as they have to be in the store.
type ranks map[match.RecordKey]match.Record

// above counts from the top.
func (all ranks) above(r match.Record, by match.Order) (n int) {
	for _, other := range all {
		if other.Game == r.Game && better(by)(other, r) < 0 {
			n++
		}
	}
	return n
}

// pick returns one of the records, or one that is not there.
func (all ranks) pick(random *rand.Rand, people int) match.Record {
	k := match.VersusPeople(match.Everywhere, fmt.Sprint("p", random.IntN(people)), match.Gomoku)
	if random.IntN(4) == 0 {
		k.Game = match.TicTacToe
	}
	if r, ok := all[k]; ok {
		return r
	}
	return match.Record{RecordKey: k, Rating: rating.New()}
}

// result is what a match changes: the tally always, the rating mostly. Some ratings
// come often, as those after a first match do.
func result(random *rand.Rand, r match.Record) (_ match.Record, rated bool) {
	switch random.IntN(5) {
	case 0, 1:
		r.Won++
	case 2, 3:
		r.Lost++
	default:
		r.Drawn++
	}
	switch random.IntN(4) {
	case 0:
		return r, false
	case 1:
		r.Rating.Points = []float64{1337.5, 1500, 1662.5}[random.IntN(3)]
	default:
		r.Rating.Points += 200 * (random.Float64() - 0.5)
	}
	return r, true
}

// putResult stores a record everywhere as the end of a match does.
func putResult(ctx context.Context, tx match.Tx, r match.Record, rated bool) error {
	if err := tx.PutRecord(ctx, r); err != nil || !rated {
		return err
	}
	return tx.PutRating(ctx, r.User, r.Game, r.Rating)
}

// testPlaceWalk changes records in all ways there are, and compares places with
// what a count from the top says: a few at each step, and many at the end.
func testPlaceWalk(t *testing.T, s match.Store) {
	random, ctx := rand.New(rand.NewPCG(1, 2)), t.Context()
	all, people := ranks{}, 300
	for step := range 300 {
		switch what := random.IntN(40); what {
		case 0: // many newcomers, most of whom have the same figures
			update(ctx, t, s, func(tx match.Tx) error { return crowd(ctx, tx, random, all, people) })
			people += 150
		case 1, 2:
			leave(t, s, all, fmt.Sprint("p", random.IntN(people)))
		case 3: // nothing of it stays
			r, _ := result(random, all.pick(random, people))
			undone := errors.New("undone")
			err := s.Update(ctx, func(tx match.Tx) error { return errors.Join(putResult(ctx, tx, r, true), undone) })
			if !errors.Is(err, undone) {
				t.Fatal(err)
			}
		default: // a match: two people, in one transaction
			update(ctx, t, s, func(tx match.Tx) error {
				for range 2 {
					r, rated := result(random, all.pick(random, people))
					if err := putResult(ctx, tx, r, rated); err != nil {
						return err
					}
					all[r.RecordKey] = r
				}
				return nil
			})
		}
		for range 2 {
			comparePlace(t, s, all, all.pick(random, people), fmt.Sprint("step ", step))
		}
	}
	if people < 900 {
		t.Fatalf("%d people: too few", people)
	}
	compareAll(t, s, all)
}

// crowd stores newcomers in one transaction.
func crowd(ctx context.Context, tx match.Tx, random *rand.Rand, all ranks, people int) error {
	for i := range 150 {
		k := match.VersusPeople(match.Everywhere, fmt.Sprint("p", people+i), match.Gomoku)
		r := match.Record{RecordKey: k, Won: 1, Rating: rating.New()}
		r.Rating.Points = 1662.5
		if i%5 == 0 {
			r, _ = result(random, r)
		}
		if err := putResult(ctx, tx, r, true); err != nil {
			return err
		}
		all[k] = r
	}
	return nil
}

// leave forgets a person.
func leave(t *testing.T, s match.Store, all ranks, user string) {
	t.Helper()
	update(t.Context(), t, s, func(tx match.Tx) error {
		_, err := tx.Forget(t.Context(), user, "gone-"+user)
		return err
	})
	for _, g := range []match.Game{match.TicTacToe, match.Gomoku} {
		delete(all, match.VersusPeople(match.Everywhere, user, g))
	}
}

func comparePlace(t *testing.T, s match.Store, all ranks, r match.Record, when string) {
	t.Helper()
	for _, by := range []match.Order{match.ByRating, match.ByWins} {
		if got, want := place(t.Context(), t, s, r, by), all.above(r, by)+1; got != want {
			t.Fatalf("%s: place of %+v by %s: got %d, want %d", when, r, by, got, want)
		}
	}
}

// compareAll compares 300 places, or all that there are.
func compareAll(t *testing.T, s match.Store, all ranks) {
	t.Helper()
	n := 0
	for _, r := range all {
		if n++; n > 300 {
			return // as many as any, since a map has no order
		}
		comparePlace(t, s, all, r, "at the end")
	}
}

// testPlaceAtOnce: changes that come at once are all counted.
func testPlaceAtOnce(t *testing.T, s match.Store) {
	ctx := t.Context()
	var done [racers]ranks
	errs := race(func(i int) error {
		random := rand.New(rand.NewPCG(3, uint64(i)))
		done[i] = ranks{}
		for n := range 60 {
			k := match.VersusPeople(match.Everywhere, fmt.Sprint("p", i, "/", n%20), match.Gomoku)
			r, ok := done[i][k]
			if !ok {
				r = match.Record{RecordKey: k, Rating: rating.New()}
			}
			r, rated := result(random, r)
			err := s.Update(ctx, func(tx match.Tx) error { return putResult(ctx, tx, r, rated) })
			if err != nil {
				return err
			}
			done[i][k] = r
		}
		return s.Update(ctx, func(tx match.Tx) error {
			_, err := tx.Forget(ctx, fmt.Sprint("p", i, "/", 7), "gone")
			return err
		})
	})
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	all := ranks{}
	for i := range done {
		for k, r := range done[i] {
			if k.User != fmt.Sprint("p", i, "/", 7) {
				all[k] = r
			}
		}
	}
	compareAll(t, s, all)
}
