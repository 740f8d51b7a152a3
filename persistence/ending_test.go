package persistence_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/match/rating"
	"rowbot/persistence"
	"rowbot/persistence/pgtest"
)

// ending does what the end of a match between two people does in the store: six
// records and two ratings beside the match.
func ending(ctx context.Context, db *persistence.DB, id match.ID, step int, users [2]string, guild string) error {
	return db.Update(ctx, func(tx match.Tx) error {
		m, err := tx.Match(ctx, id)
		if err != nil {
			return err
		}
		next := m
		next.Version++
		next.Gains[0].After++ // so that all columns are written
		if err := tx.Replace(ctx, m.Version, next); err != nil {
			return err
		}
		for i, user := range users {
			if err := tally(ctx, tx, guild, user, users[1-i]); err != nil {
				return err
			}
		}
		for i, user := range users {
			points := 1500 + float64((step*(2*i-1)*40503)%400)
			if err := tx.PutRating(ctx, user, match.Gomoku, rating.Rating{Points: points, Deviation: 80, Volatility: 0.06}); err != nil {
				return err
			}
		}
		return nil
	})
}

// BenchmarkEnding ends matches in two stores, of which one keeps no account of
// places, and reports how many times as long it takes in the one that does: in the
// middle, and on the average, in which the folding now and then is contained.
func BenchmarkEnding(b *testing.B) {
	b.Run("SQLite", func(b *testing.B) {
		compareEnding(b, func(without bool) *persistence.DB {
			path := filepath.Join(b.TempDir(), "rowbot.db")
			db, err := persistence.OpenSQLite(b.Context(), path)
			if err != nil {
				b.Fatal(err)
			}
			b.Cleanup(func() { _ = db.Close() })
			if without {
				dropTriggers(b, "sqlite3", path, "DROP TRIGGER records_come; DROP TRIGGER records_go; DROP TRIGGER records_move")
			}
			return db
		})
	})
	b.Run("PostgreSQL", func(b *testing.B) {
		compareEnding(b, func(without bool) *persistence.DB {
			address := pgtest.Database(b)
			db := openServer(b, address)
			if without {
				dropTriggers(b, "pgx", address, "DROP TRIGGER records_move ON records")
			}
			return db
		})
	})
}

// pair are two of 5,000 people, others each time.
func pair(step int) [2]string {
	return [2]string{fmt.Sprint("p", step*7919%5000), fmt.Sprint("p", (step*7919+1)%5000)}
}

func dropTriggers(b *testing.B, driver, name, statements string) {
	b.Helper()
	beside, err := sql.Open(driver, name)
	if err != nil {
		b.Fatal(err)
	}
	defer beside.Close()
	if _, err := beside.ExecContext(b.Context(), statements); err != nil {
		b.Fatal(err)
	}
}

func compareEnding(b *testing.B, open func(without bool) *persistence.DB) {
	ctx, cancel := context.WithTimeout(b.Context(), time.Hour)
	defer cancel()
	m := benchMatch(benchMoves)
	stores := [2]*persistence.DB{open(true), open(false)}
	for _, db := range stores {
		if err := db.Update(ctx, func(tx match.Tx) error { return tx.Insert(ctx, m) }); err != nil {
			b.Fatal(err)
		}
		for step := range 2500 { // everybody has a record
			if err := ending(ctx, db, m.ID, step, pair(step), "guild"); err != nil {
				b.Fatal(err)
			}
		}
	}
	step := 2500
	var took [2][]time.Duration
	for b.Loop() {
		step++
		for i, db := range stores {
			start := time.Now()
			if err := ending(ctx, db, m.ID, step, pair(step), "guild"); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], time.Since(start))
		}
	}
	reportTwo(b, took, "without", "with")
}
