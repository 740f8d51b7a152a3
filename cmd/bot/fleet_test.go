package main

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/bot/gateway"
	"rowbot/match"
	"rowbot/persistence"
	"rowbot/persistence/pgtest"
)

// fleetAt is a process on a store.
func fleetAt(t *testing.T, address string) (*fleet, *match.Service) {
	t.Helper()
	db, err := persistence.Open(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	f := newFleet(db)
	return f, newService(defaults(), db, f.processName())
}

// Processes on one server take turns, bucket by bucket.
func TestFleetTurns(t *testing.T) {
	address := pgtest.Database(t)
	one, matches := fleetAt(t, address)
	first := one.turn(matches)
	two, matches := fleetAt(t, address)
	second := two.turn(matches)
	for n, step := range []struct {
		who    string
		bucket int
		lasts  time.Duration
		mine   bool
	}{
		{"first", 0, time.Minute, true},
		{"second", 0, time.Minute, false},
		{"second", 1, time.Minute, true},
		{"first", 0, time.Hour, true}, // once more
		{"first", 0, 0, true},         // given back
		{"second", 0, time.Minute, true},
		{"first", 0, time.Minute, false},
	} {
		turn := first
		if step.who == "second" {
			turn = second
		}
		if mine, err := turn(t.Context(), step.bucket, step.lasts); err != nil || mine != step.mine {
			t.Errorf("step %d: %t, %v, want %t", n, mine, err, step.mine)
		}
	}
}

// A file has one process, which asks nobody for its turn; but it leaves its sessions
// to the next one.
func TestFleetOfOne(t *testing.T) {
	address := "sqlite:" + filepath.Join(t.TempDir(), "rowbot.db")
	one, matches := fleetAt(t, address)
	if one.processName() != "" || one.turn(matches) != nil {
		t.Error("a process alone takes turns")
	}
	want := gateway.Session{Shard: 3, Shards: 4, Intents: 1, ID: "s", URL: "wss://x", Seq: 5, At: time.UnixMilli(1_800_000_000_000)}
	if left, err := one.Leave(t.Context(), want); !left || err != nil {
		t.Fatalf("left: %t, %v", left, err)
	}
	two, _ := fleetAt(t, address)
	got, ok, err := two.Take(t.Context(), 3)
	if diff := cmp.Diff(want, got); diff != "" || !ok || err != nil {
		t.Errorf("taken: %t, %v\n%s", ok, err, diff)
	}
	if left, err := one.Leave(t.Context(), want); left || err != nil {
		t.Errorf("left while another process has the shard: %t, %v", left, err)
	}
}
