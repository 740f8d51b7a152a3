// Package storetest is what a store of package match has to hold, as tests.
// Every store runs them from a test of its own:
//
//	func TestStore(t *testing.T) { storetest.Run(t, open) }
//
// It may import package match and is imported by tests only.
package storetest

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"rowbot/match"
)

// Run tests a store against every promise of match.Store and match.Tx, alone
// and with match.Service on top. open returns a new, empty store, which is
// closed when t ends; an Update must not wait for a View that is under way.
func Run(t *testing.T, open func(t *testing.T) match.Store) {
	t.Helper()
	for _, group := range []struct {
		name  string
		tests []test
	}{
		{"Matches", matchTests},
		{"Transactions", transactionTests},
		{"Open", openTests},
		{"Ended", endedTests},
		{"Due", dueTests},
		{"Alarms", alarmTests},
		{"Owed", owedTests},
		{"Notices", noticeTests},
		{"LastPlayed", lastPlayedTests},
		{"Pairs", pairTests},
		{"People", peopleTests},
		{"Guilds", guildTests},
		{"Records", recordTests},
		{"Leaders", leaderTests},
		{"Places", placeTests},
		{"Service", serviceTests},
		{"Races", raceTests},
	} {
		t.Run(group.name, func(t *testing.T) {
			for _, test := range group.tests {
				t.Run(test.name, func(t *testing.T) { test.run(t, open(t)) })
			}
		})
	}
}

// test is one promise, tried on an empty store.
type test struct {
	name string
	run  func(t *testing.T, s match.Store)
}

// failer is what the helpers need of testing.T and rapid.T.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

// epoch is when the tests begin. Times of tests are an offset to it.
var epoch = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// at returns the moment so many seconds after epoch.
func at(seconds int) time.Time { return epoch.Add(time.Duration(seconds) * time.Second) }

// update runs a write transaction that has to succeed.
func update(ctx context.Context, t failer, s match.Store, f func(tx match.Tx) error) {
	t.Helper()
	if err := s.Update(ctx, f); err != nil {
		t.Fatalf("Update: %v", err)
	}
}

// view runs a reading transaction that has to succeed.
func view(ctx context.Context, t failer, s match.Store, f func(tx match.Tx) error) {
	t.Helper()
	if err := s.View(ctx, f); err != nil {
		t.Fatalf("View: %v", err)
	}
}

// insert stores matches, in one transaction.
func insert(ctx context.Context, t failer, s match.Store, ms ...match.Match) {
	t.Helper()
	update(ctx, t, s, func(tx match.Tx) error {
		for _, m := range ms {
			if err := tx.Insert(ctx, m); err != nil {
				return err
			}
		}
		return nil
	})
}

// load reads a match that has to be there.
func load(ctx context.Context, t failer, s match.Store, id match.ID) match.Match {
	t.Helper()
	var m match.Match
	view(ctx, t, s, func(tx match.Tx) error {
		var err error
		m, err = tx.Match(ctx, id)
		return err
	})
	return m
}

// record reads a record.
func record(ctx context.Context, t failer, s match.Store, k match.RecordKey) match.Record {
	t.Helper()
	var r match.Record
	view(ctx, t, s, func(tx match.Tx) error {
		var err error
		r, err = tx.Record(ctx, k)
		return err
	})
	return r
}

// equal compares; that no moves are nil or an empty slice makes no difference.
func equal(t failer, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("%s (-want +got):\n%s", what, diff)
	}
}

// playing returns a running match between two people.
func playing(id match.ID, black, white string) match.Match {
	return match.Match{
		ID: id, Version: 1, Rules: match.TicTacToeRules(), Seed: 7,
		Challenger: match.Person(black), Invited: match.Person(white), Side: match.SideFirst,
		Seats:  [2]match.Player{match.Person(black), match.Person(white)},
		Status: match.Active, Pace: time.Hour, Deadline: at(3600), Created: at(0), Changed: at(0),
		Where: match.Where{Guild: "guild", Channel: "channel", Message: "message", Locale: "locale"}, Event: string(id),
	}
}

// ended returns a match between two people that black has won at a time.
func ended(id match.ID, black, white string, changed time.Time) match.Match {
	m := playing(id, black, white)
	m.Status, m.Reason, m.Winner = match.Won, match.ByResignation, match.Black
	m.Deadline, m.Changed = time.Time{}, changed
	return m
}
