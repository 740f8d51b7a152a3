package persistence_test

import (
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/persistence"
	"rowbot/persistence/pgtest"
)

// withEach runs a test on an SQLite file and on PostgreSQL.
func withEach(t *testing.T, test func(t *testing.T, db *persistence.DB)) {
	t.Run("SQLite", func(t *testing.T) {
		db, err := persistence.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "rowbot.db"))
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		test(t, db)
	})
	t.Run("PostgreSQL", func(t *testing.T) { test(t, openServer(t, pgtest.Database(t))) })
}

// leftBy leaves a session and says whether it stayed.
func leftBy(t *testing.T, db *persistence.DB, s persistence.Session, holder string) bool {
	t.Helper()
	left, err := db.LeaveSession(t.Context(), s, holder)
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// takenBy takes a shard and says which session came with it.
func takenBy(t *testing.T, db *persistence.DB, shard int, holder string) (persistence.Session, bool) {
	t.Helper()
	s, ok, err := db.TakeSession(t.Context(), shard, holder)
	if err != nil {
		t.Fatal(err)
	}
	return s, ok
}

func session(shard int, id string) persistence.Session {
	return persistence.Session{
		Shard: shard, Shards: 4, Intents: 1, ID: id, URL: "wss://one.gateway.example", Seq: 1 << 40,
		At: time.UnixMilli(1_800_000_000_123),
	}
}

// A session goes from the process that leaves it to the one that takes the shard
// next, once, whole, and not to another shard's.
func TestSessionIsHandedOver(t *testing.T) {
	withEach(t, func(t *testing.T, db *persistence.DB) {
		if s, ok := takenBy(t, db, 1, "a"); ok {
			t.Errorf("nobody has left %+v", s)
		}
		want := session(1, "of a")
		if !leftBy(t, db, want, "a") {
			t.Error("the holder could not leave its session")
		}
		if s, ok := takenBy(t, db, 2, "b"); ok {
			t.Errorf("shard 2 got %+v", s)
		}
		got, ok := takenBy(t, db, 1, "b")
		if diff := cmp.Diff(want, got); diff != "" || !ok {
			t.Errorf("taken (-want +got):\n%s", diff)
		}
		if s, ok := takenBy(t, db, 1, "c"); ok {
			t.Errorf("taken twice: %+v", s)
		}
	})
}

// Who has the shard no more leaves nothing, since another process handles its
// events; but it does where that one has ended before it.
func TestSessionOfAnotherHolder(t *testing.T) {
	withEach(t, func(t *testing.T, db *persistence.DB) {
		takenBy(t, db, 0, "old")
		takenBy(t, db, 0, "new")
		if leftBy(t, db, session(0, "of old"), "old") {
			t.Error("the old process could leave its session beside the new one")
		}
		if !leftBy(t, db, session(0, "of new"), "new") {
			t.Error("the new process could not leave its session")
		}
		if !leftBy(t, db, session(0, "of old"), "old") {
			t.Error("the old process, which has outlived the new one, could not leave its session")
		}
		if s, ok := takenBy(t, db, 0, "next"); !ok || s.ID != "of old" {
			t.Errorf("taken %+v", s)
		}
		if !leftBy(t, db, session(7, "of nobody"), "old") {
			t.Error("a shard that nobody has could not be left")
		}
	})
}

// Of many that take a shard at once, one gets its session.
func TestSessionIsTakenOnce(t *testing.T) {
	withEach(t, func(t *testing.T, db *persistence.DB) {
		for round := range 10 {
			takenBy(t, db, round, "old")
			leftBy(t, db, session(round, "s"), "old")
			var got atomic.Int32
			var all sync.WaitGroup
			for _, holder := range []string{"a", "b", "c", "d", "e"} {
				all.Go(func() {
					if _, ok, err := db.TakeSession(t.Context(), round, holder); err != nil {
						t.Error(err)
					} else if ok {
						got.Add(1)
					}
				})
			}
			all.Wait()
			if n := got.Load(); n != 1 {
				t.Errorf("%d got the session, want 1", n)
			}
		}
	})
}
