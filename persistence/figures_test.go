package persistence_test

import (
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/persistence"
)

// Challenges and running matches are counted, others are not.
func TestCountOpen(t *testing.T) {
	db, err := persistence.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "rowbot.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	count := func(want int) {
		t.Helper()
		if n, err := db.CountOpen(t.Context()); err != nil || n != want {
			t.Errorf("%d open, %v, want %d", n, err, want)
		}
	}
	count(0)
	at := time.UnixMilli(1_800_000_000_000)
	s := match.Service{Store: db, Now: func() time.Time { return at }, Seed: func() uint64 { return 1 }, Expiry: time.Hour}
	for i := range 3 {
		_, err := s.Challenge(t.Context(), match.Proposal{
			ID: match.ID("m" + strconv.Itoa(i)), Rules: match.TicTacToeRules(), Side: match.SideFirst, Pace: time.Hour,
			Challenger: match.Person(strconv.Itoa(100 + i)), Opponent: match.Person(strconv.Itoa(200 + i)),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	count(3)
	act := func(id match.ID, by string, a match.Action) {
		t.Helper()
		if _, err := s.Act(t.Context(), match.Deed{Match: id, By: match.Person(by), Action: a}); err != nil {
			t.Fatal(err)
		}
	}
	act("m0", "200", match.Accept{})
	act("m1", "201", match.Decline{})
	count(2)
	act("m0", "100", match.Resign{})
	count(1)
}
