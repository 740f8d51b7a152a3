package storetest

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"rowbot/match"
	"rowbot/match/rating"
)

var recordTests = []test{
	{"Missing", testRecordMissing},
	{"RoundTrip", testRecordRoundTrip},
	{"KeysAreApart", testRecordKeys},
	{"PutRecordKeepsRating", testPutRecordKeepsRating},
	{"PutRating", testPutRating},
	{"OfAPlayer", testRecordsOfPlayer},
}

func putRecords(t *testing.T, s match.Store, rs ...match.Record) {
	t.Helper()
	update(t.Context(), t, s, func(tx match.Tx) error {
		for _, r := range rs {
			if err := tx.PutRecord(t.Context(), r); err != nil {
				return err
			}
		}
		return nil
	})
}

func putRating(t *testing.T, s match.Store, user string, g match.Game, r rating.Rating) {
	t.Helper()
	update(t.Context(), t, s, func(tx match.Tx) error { return tx.PutRating(t.Context(), user, g, r) })
}

// allKeys are the keys of every kind that a player can have.
func allKeys(user string) []match.RecordKey {
	var keys []match.RecordKey
	for _, g := range []match.Game{match.TicTacToe, match.Gomoku} {
		keys = append(keys,
			match.VersusPeople(match.Everywhere, user, g),
			match.VersusPeople("g", user, g), match.VersusPeople("h", user, g),
			match.VersusLevel(user, g, match.Random), match.VersusUser(user, g, "other"), match.VersusUser(user, g, ""),
		)
	}
	return keys
}

// testRecordMissing: where nothing is stored, one without matches comes back,
// and nothing has been stored by asking or by rating.
func testRecordMissing(t *testing.T, s match.Store) {
	putRating(t, s, "me", match.TicTacToe, rating.Rating{Points: 1, Deviation: 2, Volatility: 3})
	for _, k := range allKeys("me") {
		equal(t, "record", record(t.Context(), t, s, k), match.Record{RecordKey: k, Rating: rating.New()})
	}
	equal(t, "records", recordsOf(t, s, "me"), []match.Record(nil))
}

func testRecordRoundTrip(t *testing.T, s match.Store) {
	ctx := t.Context()
	rapid.Check(t, func(rt *rapid.T) {
		user := string(newID(rt))
		tally := func(name string) int { return rapid.IntRange(0, 1<<31).Draw(rt, name) }
		r := match.Record{
			RecordKey: match.RecordKey{
				Scope: texts().Draw(rt, "scope"), User: user, Game: rapid.SampledFrom([]match.Game{match.TicTacToe, match.Gomoku}).Draw(rt, "game"),
			},
			Won: tally("won"), Drawn: tally("drawn"), Lost: tally("lost"), Streak: tally("streak"),
			Rating:  rating.Rating{Points: rapid.Float64Range(-1e4, 1e4).Draw(rt, "points"), Deviation: rapid.Float64Range(0, 350).Draw(rt, "deviation"), Volatility: rapid.Float64Range(0, 1).Draw(rt, "volatility")},
			Updated: moments().Draw(rt, "updated"),
		}
		r.Best = r.Streak + rapid.IntRange(0, 9).Draw(rt, "best")
		if other := texts().Draw(rt, "versus"); other != "" {
			k := match.VersusUser(user, r.Game, other)
			k.Scope = r.Scope
			r.RecordKey, r.Rating = k, rating.New()
		}
		update(ctx, rt, s, func(tx match.Tx) error {
			if err := tx.PutRecord(ctx, r); err != nil {
				return err
			}
			return tx.PutRating(ctx, user, r.Game, r.Rating)
		})
		equal(rt, "record", record(ctx, rt, s, r.RecordKey), r)
	})
}

// testRecordKeys: each part of the key tells records apart.
func testRecordKeys(t *testing.T, s match.Store) {
	keys := slices.Concat(allKeys("1"), allKeys("2"))
	for i, k := range keys {
		putRecords(t, s, match.Record{RecordKey: k, Won: i + 1})
	}
	for i, k := range keys {
		equal(t, fmt.Sprint(k), record(t.Context(), t, s, k).Won, i+1)
	}
}

// testPutRecordKeepsRating: only PutRating touches a rating.
func testPutRecordKeepsRating(t *testing.T, s match.Store) {
	k := match.VersusPeople("g", "me", match.Gomoku)
	strange := rating.Rating{Points: 9, Deviation: 9, Volatility: 9}
	r := match.Record{RecordKey: k, Won: 1, Streak: 1, Best: 1, Rating: strange, Updated: at(0)}
	putRecords(t, s, r)
	r.Rating = rating.New()
	equal(t, "new", record(t.Context(), t, s, k), r)

	mine := rating.Rating{Points: 1612.0625, Deviation: 77.1, Volatility: 0.059}
	putRating(t, s, "me", match.Gomoku, mine)
	r.Rating = mine
	equal(t, "rated", record(t.Context(), t, s, k), r)

	r = match.Record{RecordKey: k, Won: 1, Drawn: 2, Lost: 3, Best: 4, Rating: strange, Updated: at(5)}
	putRecords(t, s, r)
	r.Rating = mine
	equal(t, "put again", record(t.Context(), t, s, k), r)
}

// testPutRating: it reaches the records against people in every scope, and
// neither other games, nor other players, nor records against anybody else.
func testPutRating(t *testing.T, s match.Store) {
	for _, k := range slices.Concat(allKeys("me"), allKeys("me2")) {
		putRecords(t, s, match.Record{RecordKey: k, Won: 1})
	}
	mine := rating.Rating{Points: 1700.5, Deviation: 60.25, Volatility: 0.0615}
	putRating(t, s, "me", match.Gomoku, mine)
	for _, k := range slices.Concat(allKeys("me"), allKeys("me2")) {
		want := rating.New()
		if k.User == "me" && k.Game == match.Gomoku && k.Versus == "" {
			want = mine
		}
		equal(t, fmt.Sprint(k), record(t.Context(), t, s, k).Rating, want)
	}
}

func recordsOf(t *testing.T, s match.Store, user string) []match.Record {
	t.Helper()
	var found []match.Record
	view(t.Context(), t, s, func(tx match.Tx) error {
		var err error
		found, err = tx.Records(t.Context(), user)
		return err
	})
	return found
}

// testRecordsOfPlayer: those everywhere, against people and against each level,
// in an order that does not hang on when they were stored.
func testRecordsOfPlayer(t *testing.T, s match.Store) {
	var orders [2][]match.RecordKey
	for i, user := range []string{"me", "you"} {
		keys := allKeys(user)
		if i == 1 {
			slices.Reverse(keys)
		}
		for n, k := range keys {
			putRecords(t, s, match.Record{RecordKey: k, Won: n + 1, Updated: at(n)})
		}
		for _, r := range recordsOf(t, s, user) {
			equal(t, "record", r, record(t.Context(), t, s, r.RecordKey))
			equal(t, "user", r.User, user)
			r.User = ""
			orders[i] = append(orders[i], r.RecordKey)
		}
	}
	equal(t, "order", orders[1], orders[0])
	want := map[match.RecordKey]bool{}
	for _, g := range []match.Game{match.TicTacToe, match.Gomoku} {
		want[match.VersusPeople(match.Everywhere, "", g)] = true
		want[match.VersusLevel("", g, match.Random)] = true
	}
	got := map[match.RecordKey]bool{}
	for _, k := range orders[0] {
		got[k] = true
	}
	equal(t, "records", got, want)
	equal(t, "how many", len(orders[0]), len(want))
}
