package persistence_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/persistence"
)

// opensFile names the file that a process is to open and close again and again, and
// how often, which is started for [TestManyOpen].
const opensFile = "ROWBOT_TEST_OPENS"

// opener is the process that [TestManyOpen] starts, if this is it.
func opener() (ran bool, err error) {
	var times int
	var path string
	if n, _ := fmt.Sscan(os.Getenv(opensFile), &times, &path); n != 2 {
		return false, nil
	}
	ctx := context.Background()
	for n := range times {
		db, err := persistence.OpenSQLite(ctx, path)
		if err != nil {
			return true, fmt.Errorf("the %d. time: %w", n+1, err)
		}
		err = db.Update(ctx, func(tx match.Tx) error { return tx.SetWhere(ctx, benchMatch(7).ID, match.Where{}) })
		if err == nil && n == times-1 {
			os.Exit(0) // as one that is killed, which leaves its locks to the system
		}
		if err = errors.Join(err, db.Close()); err != nil {
			return true, err
		}
	}
	return true, nil
}

// opening starts a process that opens a file so many times.
func opening(t *testing.T, path string, times int) error {
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), fmt.Sprintf("%s=%d %s", opensFile, times, path))
	if out, err := child.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// TestManyOpen: processes come and go on one file, while others write to it.
func TestManyOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rowbot.db")
	db, err := persistence.OpenSQLite(t.Context(), path)
	must(t, err)
	fill(t, db)
	var over atomic.Bool
	var writing, coming sync.WaitGroup
	for range 2 {
		writing.Go(func() {
			for n := 0; !over.Load(); n++ {
				began := time.Now()
				if err := rename(t.Context(), db, strconv.Itoa(n), func() {}); err != nil {
					t.Error(err)
					return
				}
				time.Sleep(2 * time.Since(began)) // on a slow disk, too, they leave the file to others
			}
		})
	}
	for range 4 {
		coming.Go(func() {
			for range 2 {
				if err := opening(t, path, 10); err != nil {
					t.Error(err)
				}
			}
		})
	}
	coming.Wait()
	over.Store(true)
	writing.Wait()
	must(t, db.Close())
}

// TestOpenWaits: who opens a file waits for longer than SQLite does by itself.
func TestOpenWaits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rowbot.db")
	other, err := sql.Open("sqlite3", path)
	must(t, err)
	defer other.Close()
	other.SetMaxOpenConns(1)
	exec := func(statement string) {
		t.Helper()
		_, err := other.ExecContext(t.Context(), statement)
		must(t, err)
	}
	exec("PRAGMA journal_mode = WAL")
	exec("BEGIN IMMEDIATE")
	opened := make(chan error)
	go func() {
		db, err := persistence.OpenSQLite(t.Context(), path)
		if err == nil {
			err = db.Close()
		}
		opened <- err
	}()
	select {
	case err := <-opened:
		t.Fatalf("opened a file that is locked: %v", err)
	case <-time.After(1200 * time.Millisecond): // SQLite waits for one
	}
	exec("COMMIT")
	must(t, <-opened)

	exec("BEGIN IMMEDIATE")
	db, err := persistence.OpenSQLite(t.Context(), path)
	if err == nil || !strings.Contains(err.Error(), path+": another program keeps it locked") {
		t.Errorf("opened a file that stays locked: %v, %v", db, err)
	}
}

// TestManyOpenAtOnce: processes that begin at the same moment, on a file that is not
// there yet, or that the last one is just leaving.
func TestManyOpenAtOnce(t *testing.T) {
	for range 5 {
		path := filepath.Join(t.TempDir(), "rowbot.db")
		var coming sync.WaitGroup
		for range 8 {
			coming.Go(func() {
				db, err := persistence.OpenSQLite(t.Context(), path)
				if err != nil {
					t.Error(err)
					return
				}
				if s, err := db.Schema(t.Context()); err != nil || !s.Current() {
					t.Errorf("schema %+v, %v", s, err)
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		coming.Wait()
	}
}
