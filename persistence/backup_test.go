package persistence_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/persistence"
)

// challenge stores a match under an ID.
func challenge(ctx context.Context, store match.Store, id string) error {
	s := match.Service{Store: store, Now: func() time.Time { return time.UnixMilli(1_800_000_000_000) }, Seed: func() uint64 { return 1 }, Expiry: time.Hour}
	_, err := s.Challenge(ctx, match.Proposal{
		ID: match.ID(id), Rules: match.TicTacToeRules(), Challenger: match.Person("1" + id), Opponent: match.Person("2" + id), Pace: time.Hour,
	})
	return err
}

// A copy that is made while others write is a state that there was: whoever was
// told before it began that something is stored finds it there.
func TestBackupWhileInUse(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	path, to := filepath.Join(dir, "it's 100% # ?.db"), filepath.Join(dir, "copy?.db")
	db, err := persistence.OpenSQLite(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for i := range 50 {
		if err := challenge(ctx, db, strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	stop, end := context.WithCancel(ctx)
	var writing sync.WaitGroup
	writing.Go(func() {
		for i := 50; stop.Err() == nil; i++ {
			if err := challenge(ctx, db, strconv.Itoa(i)); err != nil {
				t.Error(err)
				return
			}
		}
	})
	err = persistence.BackupSQLite(ctx, path, to)
	end()
	writing.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(to + ".part"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the part is left: %v", err)
	}
	restored, err := persistence.OpenSQLite(ctx, to)
	if err != nil {
		t.Fatal(err)
	}
	defer restored.Close()
	n, err := restored.CountOpen(ctx)
	if err != nil || n < 50 {
		t.Errorf("%d matches in the copy, %v", n, err)
	}
	if err := challenge(ctx, restored, "new"); err != nil {
		t.Errorf("the copy does not go on: %v", err)
	}
	if err := persistence.BackupSQLite(ctx, path, to); !errors.Is(err, fs.ErrExist) || !strings.Contains(err.Error(), to) {
		t.Errorf("over another file: %v", err)
	}
}

func TestBackupRefuses(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	file := func(name string) string { return filepath.Join(dir, name) }
	if err := persistence.BackupSQLite(ctx, file("none.db"), file("copy")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of nothing: %v", err)
	}
	if err := os.WriteFile(file("text.db"), []byte(strings.Repeat("no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := persistence.BackupSQLite(ctx, file("text.db"), file("copy")); err == nil || !strings.Contains(err.Error(), "not an SQLite database") {
		t.Errorf("of a text: %v", err)
	}
	other, err := sql.Open("sqlite3", file("other.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.ExecContext(ctx, "CREATE TABLE t (x); PRAGMA application_id = 5"); err != nil {
		t.Fatal(err)
	}
	if err := persistence.BackupSQLite(ctx, file("other.db"), file("copy")); !errors.Is(err, persistence.ErrForeign) {
		t.Errorf("of another program's: %v", err)
	}
	db, err := persistence.OpenSQLite(ctx, file("rowbot.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := persistence.BackupSQLite(ctx, file("rowbot.db"), file("nowhere/copy")); err == nil {
		t.Error("into no folder: no error")
	}
	ended, end := context.WithCancel(ctx)
	end()
	if err := persistence.BackupSQLite(ended, file("rowbot.db"), file("copy")); !errors.Is(err, context.Canceled) {
		t.Errorf("broken off: %v", err)
	}
	left, err := filepath.Glob(file("copy*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// The names of a store's own files are refused as those of copies, also while nobody
// has it open and they are not there.
func TestBackupOverTheStore(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for _, store := range []string{"rowbot.db", "rowbot.part"} {
		db, err := persistence.OpenSQLite(t.Context(), file(store))
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(file("rowbot.db"), file("other.db")); err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ store, to string }{
		{"rowbot.db", file("rowbot.db-wal")},
		{"rowbot.db", file("rowbot.db-shm")},
		{"rowbot.db", file("rowbot.db-journal")},
		{"rowbot.db", link + "/rowbot.db-wal"},
		{"other.db", file("rowbot.db-wal")},
		{"rowbot.part", file("rowbot")},
	} {
		err := persistence.BackupSQLite(t.Context(), file(x.store), x.to)
		if err == nil || !strings.Contains(err.Error(), "this name belongs to the store itself; choose another one") {
			t.Errorf("of %s to %s: %v", x.store, x.to, err)
		}
	}
	if err := persistence.BackupSQLite(t.Context(), file("rowbot.db"), file("rowbot.db-copy")); err != nil {
		t.Errorf("beside it: %v", err)
	}
	db, err := persistence.OpenSQLite(t.Context(), file("rowbot.part"))
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
}

// What is damaged in the file is found before its copy takes the place of a good one.
func TestBackupOfDamage(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	path, to := filepath.Join(dir, "rowbot.db"), filepath.Join(dir, "copy.db")
	db, err := persistence.OpenSQLite(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		if err := challenge(ctx, db, strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i := len(raw) / 2; i < len(raw)/2+20_000; i++ {
		raw[i] ^= 0x5a
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := persistence.BackupSQLite(ctx, path, to); err == nil {
		t.Error("no error")
	}
	if _, err := os.Stat(to); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a copy: %v", err)
	}
}

// A row that the schema does not allow is copied as it is; looking through finds it.
func TestBackupOfWrongRows(t *testing.T) {
	dir, ctx := t.TempDir(), t.Context()
	path, to := filepath.Join(dir, "rowbot.db"), filepath.Join(dir, "copy.db")
	db, err := persistence.OpenSQLite(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := challenge(ctx, db, "1"); err != nil {
		t.Fatal(err)
	}
	other, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if _, err := other.ExecContext(ctx, "PRAGMA ignore_check_constraints = ON; UPDATE matches SET status = 99"); err != nil {
		t.Fatal(err)
	}
	if err := persistence.BackupSQLite(ctx, path, to); !errors.Is(err, persistence.ErrNotSound) {
		t.Errorf("%v", err)
	}
	if left, err := filepath.Glob(to + "*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
