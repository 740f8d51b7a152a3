package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"rowbot/match"
)

// testForgotten: one of two people has everything deleted, and the other keeps
// what is theirs.
func testForgotten(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	play(ctx, t, sv, start(ctx, t, sv, "won"), "a1", "a2", "b1", "b2", "c1")
	running := start(ctx, t, sv, "running")
	unplayed := match.Proposal{ID: "unplayed", Rules: match.TicTacToeRules(), Challenger: ann, Opponent: bob, Pace: time.Hour}
	if _, err := sv.Challenge(ctx, unplayed); err != nil {
		t.Fatal(err)
	}
	if _, err := sv.Act(ctx, match.Deed{Match: "unplayed", By: bob, Action: match.Decline{}}); err != nil {
		t.Fatal(err)
	}
	stranger := match.Person("carl")
	for id, x := range map[match.ID][2]match.Player{"sent": {ann, bob}, "received": {stranger, ann}} {
		p := match.Proposal{ID: id, Rules: match.TicTacToeRules(), Challenger: x[0], Opponent: x[1], Pace: time.Hour}
		if _, err := sv.Challenge(ctx, p); err != nil {
			t.Fatal(err)
		}
	}
	done, err := sv.Forget(ctx, "ann")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(done.Closed)
	equal(t, "done", done, match.Farewell{Closed: []match.ID{"received", "running", "sent"}, Played: 1, Forgotten: 3})
	for id, want := range map[match.ID]match.Status{
		"won": match.Won, "running": match.Closed, "sent": match.Withdrawn, "received": match.Declined, "unplayed": match.Declined,
	} {
		m := load(ctx, t, s, id)
		if m.Status != want || m.Involves(ann) || !m.Involves(bob) && !m.Involves(stranger) || m.Challenger.IsGone() == m.Invited.IsGone() {
			t.Errorf("%s: %+v", id, m)
		}
	}
	if m := load(ctx, t, s, running.ID); m.Reason != match.ByLeaving {
		t.Errorf("the running match was closed for the reason %d", m.Reason)
	}
	gone := load(ctx, t, s, "won").Seats[0]
	equal(t, "lost to the other name", record(ctx, t, s, match.VersusUser("bob", match.TicTacToe, gone.User)).Lost, 1)
	equal(t, "lost", record(ctx, t, s, match.VersusPeople("home", "bob", match.TicTacToe)).Lost, 1)
	equal(t, "the first's records", allRecords(t, s, "ann"), []match.Record(nil))
	again, err := sv.Forget(ctx, "ann")
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "again", again, match.Farewell{})
}

// testAttend: what is stored of a guild goes thirty days after Rowbot has.
func testAttend(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	const day = 24 * 3600
	attend := func(days int, here []string, want ...string) {
		t.Helper()
		sv.Now = func() time.Time { return at(days * day) }
		forgotten, err := sv.Attend(ctx, here)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, fmt.Sprint("forgotten on day ", days), forgotten, want)
	}
	update(ctx, t, s, func(tx match.Tx) error { return tx.PutGuild(ctx, match.Guild{ID: "g", Style: "emoji"}) })
	putRecords(t, s, match.Record{RecordKey: match.VersusPeople("strange", "me", match.Gomoku), Won: 1})
	attend(0, []string{"g", "h", "i"})
	attend(1, []string{"h"})
	equal(t, "gone", presence(t, s), map[string]time.Time{"g": at(day), "h": {}, "i": at(day)})
	attend(20, []string{"h", "i"})
	attend(21, []string{"h"})
	attend(30, []string{"h"})
	equal(t, "settings on day 30", guild(t, s, "g").Style, "emoji")
	attend(31, []string{"h"}, "g")
	equal(t, "settings on day 31", guild(t, s, "g"), match.Guild{ID: "g"})
	attend(50, []string{"h"})
	attend(51, []string{"h"}, "i")
	equal(t, "left", presence(t, s), map[string]time.Time{"h": {}})
	// Where Rowbot never was, because a person brings it along, nothing is deleted.
	equal(t, "elsewhere", record(ctx, t, s, match.VersusPeople("strange", "me", match.Gomoku)).Won, 1)
}
