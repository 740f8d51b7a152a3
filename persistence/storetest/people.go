package storetest

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"rowbot/match"
)

var peopleTests = []test{
	{"Preferences", testPreferences},
	{"History", testHistory},
	{"AllRecords", testAllRecords},
	{"Forget", testForget},
}

// ids are IDs as Discord has them.
func ids() *rapid.Generator[string] { return rapid.StringMatching(`[1-9][0-9]{3,18}`) }

func preferences(t *testing.T, s match.Store, user string) (p match.Preferences) {
	t.Helper()
	view(t.Context(), t, s, func(tx match.Tx) (err error) {
		p, err = tx.Preferences(t.Context(), user)
		return err
	})
	return p
}

func testPreferences(t *testing.T, s match.Store) {
	equal(t, "by default", preferences(t, s, "me"), match.Preferences{User: "me"})
	rapid.Check(t, func(rt *rapid.T) {
		p := match.Preferences{
			User: ids().Draw(rt, "user"), From: match.Audience(rapid.Uint8Range(0, 2).Draw(rt, "from")),
			Server: rapid.OneOf(ids(), rapid.Just("")).Draw(rt, "server"), Quiet: rapid.Bool().Draw(rt, "quiet"),
			Blocked: rapid.SliceOfN(ids(), 0, match.MaxBlocked).Draw(rt, "blocked"),
		}
		update(t.Context(), rt, s, func(tx match.Tx) error { return tx.PutPreferences(t.Context(), p) })
		equal(rt, "stored", preferences(t, s, p.User), p)
	})
	equal(t, "somebody else's", preferences(t, s, "me"), match.Preferences{User: "me"})
}

// parts are matches in which "me" has every part there is, and some in which
// "me" has none; the oldest first.
func parts() (mine, others []match.Match) {
	me, you, nobody := match.Person("me"), match.Person("you"), match.Player{}
	for i, x := range []struct {
		status              match.Status
		challenger, invited match.Player
		seats               [2]match.Player
	}{
		{match.Won, me, you, [2]match.Player{me, you}},
		{match.Drawn, you, me, [2]match.Player{me, you}},
		{match.Won, you, nobody, [2]match.Player{you, me}},
		{match.Closed, you, me, [2]match.Player{me, you}},
		{match.Won, me, match.Engine(match.Random), [2]match.Player{match.Engine(match.Random), me}},
		{match.Declined, me, you, [2]match.Player{}},
		{match.Withdrawn, you, me, [2]match.Player{}},
		{match.Lapsed, me, nobody, [2]match.Player{}},
		{match.Closed, you, me, [2]match.Player{}},
	} {
		m := playing(match.ID(fmt.Sprint("mine", i)), "", "")
		m.Status, m.Challenger, m.Invited, m.Seats, m.Created = x.status, x.challenger, x.invited, x.seats, at(i)
		m.Moves = []match.Point{{Col: 1, Row: 1}}
		mine = append(mine, m)
	}
	for i, status := range []match.Status{match.Won, match.Closed, match.Declined, match.Lapsed} {
		m := playing(match.ID(fmt.Sprint("other", i)), "you", "they")
		m.Status = status
		others = append(others, m)
	}
	return mine, others
}

func history(t *testing.T, s match.Store, user string) (found []match.Match) {
	t.Helper()
	view(t.Context(), t, s, func(tx match.Tx) (err error) {
		found, err = tx.History(t.Context(), user)
		return err
	})
	return found
}

// testHistory: it is all that is over, whatever the person had to do with it.
func testHistory(t *testing.T, s match.Store) {
	mine, others := parts()
	insert(t.Context(), t, s, playing("running", "me", "you"), asked("asked", "me", "you", at(0)))
	insert(t.Context(), t, s, mine...)
	insert(t.Context(), t, s, others...)
	equal(t, "mine", history(t, s, "me"), mine)
	equal(t, "nobody's", history(t, s, ""), []match.Match(nil))
}

func allRecords(t *testing.T, s match.Store, user string) (found []match.Record) {
	t.Helper()
	view(t.Context(), t, s, func(tx match.Tx) (err error) {
		found, err = tx.AllRecords(t.Context(), user)
		return err
	})
	return found
}

func testAllRecords(t *testing.T, s match.Store) {
	for _, user := range []string{"me", "you"} {
		for _, k := range allKeys(user) {
			putRecords(t, s, match.Record{RecordKey: k, Won: 1})
		}
	}
	got := map[match.RecordKey]bool{}
	for _, r := range allRecords(t, s, "me") {
		equal(t, "record", r, record(t.Context(), t, s, r.RecordKey))
		got[r.RecordKey] = true
	}
	want := map[match.RecordKey]bool{}
	for _, k := range allKeys("me") {
		want[k] = true
	}
	equal(t, "keys", got, want)
}

// testForget: nothing of the person is left, what the others have stays, and
// the new name stands where the person stood.
func testForget(t *testing.T, s match.Store) {
	ctx := t.Context()
	mine, others := parts()
	running := playing("running", "you", "me")
	insert(ctx, t, s, mine...)
	insert(ctx, t, s, others...)
	insert(ctx, t, s, running)
	lost := match.Record{RecordKey: match.VersusUser("you", match.Gomoku, "me"), Lost: 3}
	kept := match.Record{RecordKey: match.VersusPeople("guild", "you", match.Gomoku), Won: 2}
	putRecords(t, s, lost, kept, match.Record{RecordKey: match.VersusUser("me", match.Gomoku, "you"), Won: 3},
		match.Record{RecordKey: match.VersusPeople("guild", "me", match.Gomoku), Won: 3})
	var counted match.Forgotten
	update(ctx, t, s, func(tx match.Tx) error {
		if err := tx.PutPreferences(ctx, match.Preferences{User: "me", Quiet: true}); err != nil {
			return err
		}
		if err := tx.PutPreferences(ctx, match.Preferences{User: "you", Quiet: true}); err != nil {
			return err
		}
		was, err := tx.Forget(ctx, "me", "gone-1")
		counted = was
		return err
	})

	equal(t, "what there was", counted, match.Forgotten{Played: 5, Records: 2})
	equal(t, "preferences", preferences(t, s, "me"), match.Preferences{User: "me"})
	equal(t, "another's preferences", preferences(t, s, "you").Quiet, true)
	equal(t, "history", history(t, s, "me"), []match.Match(nil))
	equal(t, "records", allRecords(t, s, "me"), []match.Record(nil))
	equal(t, "another's record", record(ctx, t, s, kept.RecordKey).Won, 2)
	equal(t, "another's against me", record(ctx, t, s, lost.RecordKey).Lost, 0)
	equal(t, "another's against the name", record(ctx, t, s, match.VersusUser("you", match.Gomoku, "gone-1")).Lost, 3)
	for _, m := range append(mine, running) {
		for _, p := range []*match.Player{&m.Challenger, &m.Invited, &m.Seats[0], &m.Seats[1]} {
			if p.User == "me" {
				p.User = "gone-1"
			}
		}
		equal(t, string(m.ID), load(ctx, t, s, m.ID), m)
	}
	for _, m := range others {
		equal(t, string(m.ID), load(ctx, t, s, m.ID), m)
	}
}
