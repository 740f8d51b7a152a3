package persistence

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

// manyRunning stores matches between two people, of which both have just been told.
func manyRunning(t *testing.T, db *DB, n int) {
	t.Helper()
	err := db.Update(t.Context(), func(tx match.Tx) error {
		for i := range n {
			m := match.Match{
				ID: match.ID("m" + strconv.Itoa(i)), Version: 5, Since: 5, Rules: match.TicTacToeRules(), Status: match.Active,
				Challenger: match.Person("1" + strconv.Itoa(i)), Invited: match.Person("2" + strconv.Itoa(i)), Told: match.Told{Turn: 5, Time: 5},
				Pace: time.Hour, Deadline: time.UnixMilli(3_600_000), Changed: time.UnixMilli(1000), Created: time.UnixMilli(1000),
				Where: match.Where{Guild: "3", Channel: "4", Message: "5"},
			}
			m.Seats = [2]match.Player{m.Challenger, m.Invited}
			if err := tx.Insert(t.Context(), m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// moveIn makes a move in a match.
func moveIn(ctx context.Context, tx match.Tx, id match.ID) error {
	m, err := tx.Match(ctx, id)
	if err != nil {
		return err
	}
	was := m.Version
	m.Version, m.Since = was+1, was+1
	m.Moves = append(m.Moves, match.Point{Col: int8(len(m.Moves))})
	m.Changed, m.Deadline = m.Changed.Add(time.Minute), m.Deadline.Add(time.Minute)
	return tx.Replace(ctx, was, m)
}

// A move, but for the first one behind a notice, writes the page of the match alone.
func TestMovesWriteToNoIndex(t *testing.T) {
	db := openHere(t)
	manyRunning(t, db, 2000)
	for move, most := range []int{4, 1, 1} { // the first one sets two alarms, on the pages of two indexes
		if err := checkpoint(t.Context(), db, nil); err != nil {
			t.Fatal(err)
		}
		if err := db.Update(t.Context(), func(tx match.Tx) error { return moveIn(t.Context(), tx, "m777") }); err != nil {
			t.Fatal(err)
		}
		var pages int
		if err := checkpoint(t.Context(), db, &pages); err != nil {
			t.Fatal(err)
		}
		if pages < 1 || pages > most {
			t.Errorf("move %d wrote %d pages, want 1 to %d", move, pages, most)
		}
	}
}

// checkpoint moves SQLite's log into the file, and says how many pages were in it.
func checkpoint(ctx context.Context, db *DB, pages *int) error {
	mode := "TRUNCATE"
	if pages != nil {
		mode = "PASSIVE"
	}
	var busy, log, moved int
	err := db.writer.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &log, &moved)
	if err == nil && busy != 0 {
		err = errors.New("the file is busy")
	}
	if pages != nil {
		*pages = log
	}
	return err
}

// PostgreSQL keeps such moves out of all indexes, too: there are a dozen.
func TestServerMovesWriteToNoIndex(t *testing.T) {
	db := openServerHere(t)
	manyRunning(t, db, 10)
	err := db.Update(t.Context(), func(open match.Tx) error {
		tx := open.(*tx)
		var all, hot int // out of all indexes, so far
		count := func() error {
			return tx.conn.QueryRowContext(t.Context(),
				"SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_xact_user_tables WHERE relname = 'matches'").Scan(&all, &hot)
		}
		if err := count(); err != nil {
			return err
		}
		for move, want := range []int{0, 1, 1} { // the first one sets two alarms
			wasAll, was := all, hot
			if err := moveIn(t.Context(), tx, "m7"); err != nil {
				return err
			}
			if err := count(); err != nil {
				return err
			}
			if all-wasAll != 1 || hot-was != want {
				t.Errorf("move %d: %d rows updated, %d of them out of all indexes, want %d", move, all-wasAll, hot-was, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// Alarms are set for what runs when the tables come to have them, and the time of
// the last move is not lost when they are taken away again.
func TestAlarmsOfBefore(t *testing.T) {
	for name, c := range map[string]struct {
		open   func(t *testing.T) *DB
		before int64
	}{"SQLite": {openHere, 10}, "PostgreSQL": {openServerHere, 5}} {
		t.Run(name, func(t *testing.T) {
			db, ctx := c.open(t), t.Context()
			manyRunning(t, db, 5)
			err := db.Update(ctx, func(tx match.Tx) error {
				for _, id := range []match.ID{"m0", "m1", "m2"} {
					if err := moveIn(ctx, tx, id); err != nil {
						return err
					}
				}
				for id, change := range map[match.ID]func(m *match.Match){
					"m1": func(m *match.Match) { m.Deadline = time.Time{} },
					"m2": func(m *match.Match) { m.Status, m.Deadline = match.Closed, time.Time{} },
				} {
					m, err := tx.Match(ctx, id)
					if err != nil {
						return err
					}
					was := m.Version
					m.Version++
					change(&m)
					if err := tx.Replace(ctx, was, m); err != nil {
						return err
					}
				}
				return tx.SetAlarms(ctx, "m1")
			})
			if err != nil {
				t.Fatal(err)
			}
			const minute, hour = 60_000, 3_600_000
			want := []string{
				fmt.Sprint("m0 ", hour+minute, " ", hour*2/3+minute, " ", 1000+minute, " 0 ", 1000+minute),
				fmt.Sprint("m1 0 0 0 1 ", 1000+minute),
				fmt.Sprint("m2 0 0 0 0 ", 1000+minute),
				fmt.Sprint("m3 ", hour, " 0 0 0 1000"),
				fmt.Sprint("m4 ", hour, " 0 0 0 1000"),
			}
			p, err := db.steps()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := p.DownTo(ctx, c.before); err != nil {
				t.Fatal(err)
			}
			if _, err := db.Migrate(ctx); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, alarmsIn(t, db)); diff != "" {
				t.Errorf("alarms (-want +got):\n%s", diff)
			}
		})
	}
}

// alarmsIn returns, of each match, its alarms, whether a move is owed, and when it was changed.
func alarmsIn(t *testing.T, db *DB) (all []string) {
	t.Helper()
	rows, err := db.writer.QueryContext(t.Context(), `SELECT id, due, coalesce(warn, 0), coalesce(quiet, 0), owed,
		CASE WHEN moved > changed THEN moved ELSE changed END FROM matches ORDER BY id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		var due, warn, quiet, owed, changed int64
		if err := rows.Scan(&id, &due, &warn, &quiet, &owed, &changed); err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprint(id, " ", due, " ", warn, " ", quiet, " ", owed, " ", changed))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// A copy of an older version, which knows no alarms and says "changed" of a move, may
// still run beside the new one: its moves set them, too.
func TestServerAlarmsOfAnOlderProgram(t *testing.T) {
	db := openServerHere(t)
	manyRunning(t, db, 2)
	if err := db.Update(t.Context(), func(tx match.Tx) error { return moveIn(t.Context(), tx, "m0") }); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"m0", "m1"} {
		_, err := db.writer.ExecContext(t.Context(), `UPDATE matches SET version = version + 1, since = version + 1,
			moves = moves || ' c3', deadline = 9000000, changed = 500000 WHERE id = $1`, id)
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.writer.ExecContext(t.Context(), `UPDATE matches SET deadline = 0, changed = 600000 WHERE id = 'm1'`); err != nil {
		t.Fatal(err)
	}
	want := []string{"m0 9000000 7800000 500000 0 500000", "m1 0 0 0 1 600000"}
	if diff := cmp.Diff(want, alarmsIn(t, db)); diff != "" {
		t.Errorf("alarms (-want +got):\n%s", diff)
	}
}
