package e2e_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/persistence"
)

// startMatches is how many matches are running in the store that BenchmarkStart
// compares with an empty one.
const startMatches = 100_000

// BenchmarkStart starts the program, in turn on an empty store and on one with many
// running matches, and measures until it is connected to the stand-in: the commands
// are registered already. What a session start has to wait for at Discord is not in it.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	stores := []string{filepath.Join(dir, "empty.db"), filepath.Join(dir, "full.db")}
	fillRunning(b, stores[1], startMatches)
	took := make([]time.Duration, len(stores))
	w := standIn(b)
	w.lossy = true
	binary, err := built()
	if err != nil {
		b.Fatal(err)
	}
	k := &program{binary: binary, party: &party{world: w, alice: w.Alice.In(w.Games), bob: w.Bob.In(w.Games), chen: w.Chen.In(w.Games)}}
	start := func(store string) time.Duration {
		k.store = persistence.SQLiteScheme + store
		before := time.Now()
		k.launch()
		k.run()
		d := time.Since(before)
		k.kill()
		return d
	}
	for _, store := range stores {
		start(store) // registers the commands, and reads the file once
	}
	rounds := 0
	for b.Loop() {
		rounds++
		for i, store := range stores {
			took[i] += start(store)
		}
	}
	b.ReportMetric(float64(took[0].Milliseconds())/float64(rounds), "ms/empty")
	b.ReportMetric(float64(took[1].Milliseconds())/float64(rounds), "ms/full")
	b.ReportMetric(float64(took[1])/float64(took[0]), "times-empty")
}

// fillRunning stores gomoku matches between people that are being played, none of
// them due.
func fillRunning(b *testing.B, path string, matches int) {
	b.Helper()
	ctx := context.Background()
	db, err := persistence.OpenSQLite(ctx, path)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	now := time.Now().Truncate(time.Millisecond)
	const batch = 1000
	for first := 0; first < matches; first += batch {
		err := db.Update(ctx, func(tx match.Tx) error {
			for i := first; i < first+batch; i++ {
				if err := tx.Insert(ctx, running(i, now)); err != nil {
					return fmt.Errorf("match %d: %w", i, err)
				}
			}
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// running is a match of five moves between two people of many.
func running(i int, now time.Time) match.Match {
	m := match.Match{
		ID: match.ID(fmt.Sprintf("z%012x", i)), Version: 7, Since: 7, Rules: match.GomokuRules(15, match.Freestyle),
		Challenger: match.Person(fmt.Sprintf("25%016d", i%5000)), Invited: match.Person(fmt.Sprintf("26%016d", i/10%5000)),
		Status: match.Active, Pace: 24 * time.Hour, Created: now, Changed: now, Deadline: now.Add(24 * time.Hour),
		Where: match.Where{Guild: fmt.Sprintf("35%016d", i%1000), Channel: fmt.Sprintf("36%016d", i%1000), Message: fmt.Sprintf("37%016d", i)},
		Event: fmt.Sprintf("38%016d", i),
	}
	m.Seats = [2]match.Player{m.Challenger, m.Invited}
	for row := range int8(5) {
		m.Moves = append(m.Moves, match.Point{Col: 7, Row: row})
	}
	return m
}
