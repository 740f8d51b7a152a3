package persistence

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

// TestMatchesSurviveTheCopy: the step that copies the table of matches keeps
// everything in them.
func TestMatchesSurviveTheCopy(t *testing.T) {
	db, ctx := openHere(t), t.Context()
	r := match.GomokuRules(19, match.Renju)
	at := time.UnixMilli(1_790_000_000_123).UTC()
	m := match.Match{
		ID: "m1", Version: 7, Rules: r, Seed: 1<<63 + 5,
		Challenger: match.Person("1"), Invited: match.Person("2"), Side: match.SideSecond,
		Seats: [2]match.Player{match.Person("2"), match.Person("1")}, Opening: match.Swap2, Choices: [2]match.Choice{match.PlaceTwo, match.TakeWhite},
		Status: match.Won, Reason: match.ByTime, Winner: match.White, Moves: []match.Point{{Col: 7, Row: 7}, match.Pass}, Offer: match.Empty,
		Gains: [2]match.Gain{{After: 1400, Change: -100}, {After: 1600, Change: 100}},
		Pace:  time.Hour, Deadline: at.Add(time.Hour), Created: at, Changed: at.Add(time.Minute), RematchOf: "m0",
		Where: match.Where{Guild: "3", Channel: "4", Message: "5"}, Event: "e", Since: 6,
	}
	if err := db.Update(ctx, func(tx match.Tx) error { return tx.Insert(ctx, m) }); err != nil {
		t.Fatal(err)
	}
	p, err := db.steps()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.DownTo(ctx, 2); err != nil {
		t.Fatal(err)
	}
	if was, err := db.Migrate(ctx); err != nil || was.Have != 2 {
		t.Fatalf("Migrate: from %+v, %v", was, err)
	}
	var got match.Match
	err = db.View(ctx, func(tx match.Tx) (err error) {
		got, err = tx.Match(ctx, m.ID)
		return err
	})
	if diff := cmp.Diff(m, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got)\n%s", err, diff)
	}
}
