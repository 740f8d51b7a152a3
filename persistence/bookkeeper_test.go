package persistence

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"rowbot/match"
	"rowbot/match/rating"
)

// openWatched opens a database in a folder, and has what its bookkeeper tells.
func openWatched(t *testing.T, dir string, told func(error)) *DB {
	t.Helper()
	db, err := OpenSQLite(t.Context(), filepath.Join(dir, "rowbot.db"), WatchFolding(told))
	if err != nil {
		t.Fatal(err)
	}
	return db
}

// win stores a record of somebody's, which changes the leaderboards.
func win(t *testing.T, db *DB, n int) {
	t.Helper()
	err := db.Update(t.Context(), func(tx match.Tx) error {
		k := match.VersusPeople(match.Everywhere, fmt.Sprint("p", n), match.Gomoku)
		if err := tx.PutRecord(t.Context(), match.Record{RecordKey: k, Won: n}); err != nil {
			return err
		}
		return tx.PutRating(t.Context(), k.User, k.Game, rating.New())
	})
	if err != nil {
		t.Fatal(err)
	}
}

func closed(t *testing.T, db *DB) {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Error(err)
	}
}

// TestFoldingThatFails: it is told, nobody who plays notices, it is not tried all the
// time, and it is made up for when it works again.
func TestFoldingThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var failed []string
		worked := 0
		db := openWatched(t, t.TempDir(), func(err error) {
			if err != nil {
				failed = append(failed, err.Error())
				return
			}
			worked++
		})
		defer closed(t, db)
		exec := func(query string) {
			t.Helper()
			if _, err := db.writer.ExecContext(t.Context(), query); err != nil {
				t.Fatal(err)
			}
		}
		exec(`CREATE TRIGGER broken BEFORE DELETE ON bracket_changes BEGIN SELECT RAISE(ABORT, 'no deleting'); END`)
		began := time.Now()
		for n := range 300 {
			win(t, db, n)
			time.Sleep(time.Second)
		}
		synctest.Wait()
		minutes := int(time.Since(began) / time.Minute)
		if len(failed) < minutes || len(failed) > minutes+1 || worked != 0 {
			t.Errorf("failed %d times and worked %d times in %d minutes", len(failed), worked, minutes)
		}
		for _, text := range failed {
			if !strings.Contains(text, "no deleting") {
				t.Error(text)
			}
		}
		if n := number(t, db, `SELECT count(*) FROM bracket_changes`); n < 300 {
			t.Errorf("%d changes are noted", n)
		}
		exec(`DROP TRIGGER broken`)
		time.Sleep(foldPause)
		synctest.Wait()
		if n := number(t, db, `SELECT count(*) FROM bracket_changes`); n != 0 || worked != 1 {
			t.Errorf("%d changes are left; it has worked %d times", n, worked)
		}
	})
}

// TestFoldingIsBesideUpdates: whoever stores something does not wait for it.
func TestFoldingIsBesideUpdates(t *testing.T) {
	folding, goOn := make(chan error, 99), make(chan struct{})
	db := openWatched(t, t.TempDir(), func(err error) {
		folding <- err
		<-goOn
	})
	win(t, db, 0)
	if err := <-folding; err != nil {
		t.Error(err)
	}
	for n := range 3 * foldAfter {
		win(t, db, n+1)
	}
	close(goOn)
	closed(t, db)
	close(folding)
	for err := range folding {
		if err != nil {
			t.Error(err)
		}
	}
}

// TestFoldingBeforeTheEnd: what is due is folded by the process that has changed it,
// also when it ends at once.
func TestFoldingBeforeTheEnd(t *testing.T) {
	dir := t.TempDir()
	for n := range 3 {
		db := openWatched(t, dir, nil)
		win(t, db, n)
		closed(t, db)
		db = openWatched(t, dir, nil)
		if left := number(t, db, `SELECT count(*) FROM bracket_changes`); left != 0 {
			t.Errorf("%d changes are left", left)
		}
		closed(t, db)
		closed(t, db) // changes nothing
	}
}

// TestFoldingThatPanics: it is an error like any other, and made up for.
func TestFoldingThatPanics(t *testing.T) {
	var told error
	b := &bookkeeper{db: &DB{}, told: func(err error) { told = err }}
	if err := b.fold(t.Context(), true); err == nil || told == nil || !strings.HasPrefix(told.Error(), "panic: ") {
		t.Errorf("error %v, told %v", err, told)
	}
	if b.db.unfolded.Load() < foldAfter || !b.owing.Load() {
		t.Error("it is not done again")
	}
}
