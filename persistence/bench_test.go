package persistence_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/persistence"
	"rowbot/persistence/pgtest"
)

// benchMatch is a match in the middle of a game of gomoku.
func benchMatch(moves int) match.Match {
	at := time.UnixMilli(1_700_000_000_000).UTC()
	m := match.Match{
		ID: "1a2b3c4d5e6f7", Version: 1, Rules: match.GomokuRules(15, match.Freestyle), Seed: 1 << 63,
		Challenger: match.Person("250000000000000001"), Invited: match.Person("250000000000000002"),
		Status: match.Active, Pace: 72 * time.Hour, Deadline: at.Add(72 * time.Hour), Created: at, Changed: at,
		Where: match.Where{Guild: "350000000000000001", Channel: "450000000000000001", Message: "550000000000000001"},
		Event: "650000000000000001",
	}
	m.Seats = [2]match.Player{m.Challenger, m.Invited}
	for i := range moves {
		m.Moves = append(m.Moves, match.Point{Col: int8(i % 15), Row: int8(i / 15)})
	}
	return m
}

func openBench(b *testing.B) (*persistence.DB, string) {
	b.Helper()
	path := filepath.Join(b.TempDir(), "rowbot.db")
	db, err := persistence.OpenSQLite(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = db.Close() })
	return db, path
}

const benchMoves = 40

// click does what one click does in the store: it loads the match and stores
// its next version.
func click(ctx context.Context, db *persistence.DB, id match.ID) error {
	return db.Update(ctx, func(tx match.Tx) error {
		m, err := tx.Match(ctx, id)
		if err != nil {
			return err
		}
		next := m
		next.Version++
		next.Deadline, next.Changed = next.Deadline.Add(time.Second), next.Changed.Add(time.Second)
		next.Event = strconv.Itoa(int(next.Version))
		return tx.Replace(ctx, m.Version, next)
	})
}

// clicking returns a click on a match in a new database, and bareUpdate of the
// same row through a connection of its own with the same settings.
func clicking(b *testing.B) (update, bare func() error) {
	b.Helper()
	db, path := openBench(b)
	m := benchMatch(benchMoves)
	// As in the bot, the context is one that can end; bareUpdate is spared what
	// that costs.
	ctx, cancel := context.WithTimeout(b.Context(), time.Hour)
	b.Cleanup(cancel)
	if err := db.Update(ctx, func(tx match.Tx) error { return tx.Insert(ctx, m) }); err != nil {
		b.Fatal(err)
	}
	other, err := sql.Open("sqlite3", "file:"+path+"?_journal_mode=WAL&_synchronous=FULL&_foreign_keys=1"+
		"&_busy_timeout=1000&_txlock=immediate&_stmt_cache_size=64")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = other.Close() })
	other.SetMaxOpenConns(1)
	return func() error { return click(ctx, db, m.ID) },
		func() error { return bareUpdate(context.Background(), other, string(m.ID)) }
}

// BenchmarkUpdate is what the store does for one click, committed with FULL.
func BenchmarkUpdate(b *testing.B) {
	update, _ := clicking(b)
	repeat(b, update)
}

// BenchmarkBare is what BenchmarkUpdate is held to: the leanest transaction that
// reads and writes the same row, straight through database/sql.
func BenchmarkBare(b *testing.B) {
	_, bare := clicking(b)
	repeat(b, bare)
}

func repeat(b *testing.B, f func() error) {
	b.ReportAllocs()
	for b.Loop() {
		if err := f(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUpdateToBare does both in turn and reports how many times as long the
// first takes, which a disk that is busy now and then does not blur.
func BenchmarkUpdateToBare(b *testing.B) {
	update, bare := clicking(b)
	var took [2]time.Duration
	for b.Loop() {
		for i, f := range []func() error{update, bare} {
			start := time.Now()
			if err := f(); err != nil {
				b.Fatal(err)
			}
			took[i] += time.Since(start)
		}
	}
	b.ReportMetric(float64(took[0])/float64(took[1]), "times-bare")
}

func bareUpdate(ctx context.Context, db *sql.DB, id string) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return err
	}
	var version int64
	var moves string
	err = conn.QueryRowContext(ctx, `SELECT version, moves FROM matches WHERE id = ?1`, id).Scan(&version, &moves)
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, `UPDATE matches SET version = ?2, moves = ?3 WHERE id = ?1`, id, version+1, moves)
	if err != nil {
		return err
	}
	_, err = conn.ExecContext(ctx, `COMMIT`)
	return err
}

// BenchmarkView is a single read, as autocomplete does it.
func BenchmarkView(b *testing.B) {
	db, _ := openBench(b)
	ctx, cancel := context.WithTimeout(b.Context(), time.Hour)
	defer cancel()
	m := benchMatch(benchMoves)
	if err := db.Update(ctx, func(tx match.Tx) error { return tx.Insert(ctx, m) }); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		err := db.View(ctx, func(tx match.Tx) error { _, err := tx.Match(ctx, m.ID); return err })
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen opens and closes a file that has the schema already.
func BenchmarkOpen(b *testing.B) {
	db, path := openBench(b)
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		db, err := persistence.OpenSQLite(b.Context(), path)
		if err != nil {
			b.Fatal(err)
		}
		if err := db.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUpdatesAtOnce has 32 at once make moves in matches of their own, and one
// after the other as many; it reports how many times as long the latter take.
func BenchmarkUpdatesAtOnce(b *testing.B) {
	db, _ := openBench(b)
	var ids []match.ID
	for i := range 32 {
		m := benchMatch(benchMoves)
		m.ID = match.ID(strconv.Itoa(i))
		if err := db.Update(b.Context(), func(tx match.Tx) error { return tx.Insert(b.Context(), m) }); err != nil {
			b.Fatal(err)
		}
		ids = append(ids, m.ID)
	}
	var apart, together time.Duration
	rounds := 0
	for b.Loop() {
		rounds++
		start := time.Now()
		for _, id := range ids {
			if err := click(b.Context(), db, id); err != nil {
				b.Fatal(err)
			}
		}
		middle := time.Now()
		var all sync.WaitGroup
		for _, id := range ids {
			all.Go(func() {
				if err := click(b.Context(), db, id); err != nil {
					b.Error(err)
				}
			})
		}
		all.Wait()
		apart += middle.Sub(start)
		together += time.Since(middle)
	}
	b.ReportMetric(float64(together.Microseconds())/float64(rounds*len(ids)), "µs/together")
	b.ReportMetric(float64(apart.Microseconds())/float64(rounds*len(ids)), "µs/apart")
	b.ReportMetric(float64(apart)/float64(together), "times-apart")
}

// BenchmarkServerUpdate is BenchmarkUpdate on PostgreSQL, by one after the other
// and by many at once, each on a match of their own. The tests' server does not
// wait for the disk.
func BenchmarkServerUpdate(b *testing.B) {
	for _, mode := range []string{"exec", "cache_statement"} {
		db := openServer(b, pgtest.Database(b)+"&default_query_exec_mode="+mode)
		ctx, cancel := context.WithTimeout(b.Context(), time.Hour)
		defer cancel()
		var ids []match.ID
		for i := range 32 {
			m := benchMatch(benchMoves)
			m.ID = match.ID(strconv.Itoa(i))
			if err := db.Update(ctx, func(tx match.Tx) error { return tx.Insert(ctx, m) }); err != nil {
				b.Fatal(err)
			}
			ids = append(ids, m.ID)
		}
		b.Run(mode, func(b *testing.B) { repeat(b, func() error { return click(ctx, db, ids[0]) }) })
		b.Run(mode+" by 32", func(b *testing.B) {
			var next atomic.Int64
			b.SetParallelism(32 / runtime.GOMAXPROCS(0))
			b.RunParallel(func(pb *testing.PB) {
				id := ids[next.Add(1)%32]
				for pb.Next() {
					if err := click(ctx, db, id); err != nil {
						b.Error(err)
						return
					}
				}
			})
		})
	}
}
