package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/persistence"
)

// storeHere makes an empty store, and goes into its folder.
func storeHere(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	db, err := persistence.OpenSQLite(t.Context(), "rowbot.db")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func names(t *testing.T, pattern string) []string {
	t.Helper()
	got, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestBackupCommand(t *testing.T) {
	storeHere(t)
	if status, _, stderr := do(t, nil, "backup", "copy.db"); status != 0 || !strings.Contains(stderr, "copy.db") {
		t.Errorf("status %d: %s", status, stderr)
	}
	if status, _, stderr := do(t, nil, "backup", "copy.db"); status != 1 || !strings.Contains(stderr, "copy.db") {
		t.Errorf("over a file that is there: status %d: %s", status, stderr)
	}
	if status, _, stderr := do(t, []string{"ROWBOT_STORE_BACKUP_DIR=deep/shelf"}, "backup"); status != 0 {
		t.Errorf("status %d: %s", status, stderr)
	}
	if got := names(t, "deep/shelf/rowbot-*Z.db"); len(got) != 1 {
		t.Errorf("backups: %v", got)
	}
	for _, file := range append(names(t, "deep/shelf/*"), "copy.db") {
		db, err := persistence.OpenSQLite(t.Context(), file)
		if err != nil {
			t.Errorf("open %s: %v", file, err)
			continue
		}
		db.Close()
	}
}

// What fails leaves no folders behind, and takes none away that were there.
func TestBackupThatFails(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("here", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"backups", "here", "here/deep/shelf", "deep/shelf/"} {
		if status, _, stderr := do(t, []string{"ROWBOT_STORE_BACKUP_DIR=" + dir}, "backup"); status != 1 || !strings.Contains(stderr, "rowbot.db: no such file") {
			t.Errorf("status %d: %s", status, stderr)
		}
	}
	if diff := cmp.Diff([]string{"here"}, append(names(t, "*"), names(t, "*/*")...)); diff != "" {
		t.Errorf("in the folder (-want +got):\n%s", diff)
	}
}

// The newest copies are kept, and nothing else is touched.
func TestShelf(t *testing.T) {
	storeHere(t)
	sh := shelf{store: "rowbot.db", dir: "shelf", keep: 3}
	if times, err := sh.times(); err != nil || times != nil {
		t.Errorf("in no folder: %v, %v", times, err)
	}
	at := time.Date(2026, 12, 31, 23, 0, 0, 0, time.FixedZone("", 3600))
	for i := range 5 {
		file, err := sh.add(t.Context(), at.Add(time.Duration(i)*time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		if want := filepath.Join("shelf", "rowbot-20261231T220000Z.db"); i == 0 && file != want {
			t.Errorf("named %s, want %s", file, want)
		}
		if i == 1 {
			for _, other := range []string{"rowbot-notes.db", "rowbot-20200101T000000Z.db.part", "rowbot-2020.db"} {
				if err := os.WriteFile(filepath.Join("shelf", other), nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	want := []string{
		"shelf/rowbot-2020.db", "shelf/rowbot-20200101T000000Z.db.part",
		"shelf/rowbot-20270101T000000Z.db", "shelf/rowbot-20270101T010000Z.db", "shelf/rowbot-20270101T020000Z.db",
		"shelf/rowbot-notes.db",
	}
	if diff := cmp.Diff(want, names(t, "shelf/*")); diff != "" {
		t.Errorf("in the folder (-want +got):\n%s", diff)
	}
}

// Beside the bot a backup is made as soon as the newest one is old enough.
func TestKeepBackups(t *testing.T) {
	storeHere(t)
	s := defaults()
	log := newLog(io.Discard, s)
	keepBackups(t.Context(), s, log, newFigures())()
	if got := names(t, "backups*"); got != nil {
		t.Errorf("backups that nobody asked for: %v", got)
	}
	s.Store.BackupEvery = time.Hour
	f := newFigures()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	done := keepBackups(ctx, s, log, f)
	for len(names(t, "backups/*.db")) == 0 && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	for !strings.Contains(scrape(t, f), "\nrowbot_backups_total{result=\"made\"} 1\n") && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	done()
	if ctx.Err() != nil {
		t.Fatal("no backup was made")
	}
	made := names(t, "backups/*")

	// The next process finds it, and has time.
	f = newFigures()
	next := keepBackups(t.Context(), s, log, f)
	for !strings.Contains(scrape(t, f), "\nrowbot_backup_last_success_timestamp_seconds 1.") && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	next()
	if diff := cmp.Diff(made, names(t, "backups/*")); diff != "" {
		t.Errorf("another backup too soon (-want +got):\n%s", diff)
	}

	if left := shelfOf(s).untilNext(time.Hour, f); left <= 0 || left > time.Hour {
		t.Errorf("the next backup is due in %v", left)
	}
	if left := shelfOf(s).untilNext(time.Nanosecond, f); left != 0 {
		t.Errorf("a backup that is due waits for %v", left)
	}

	// One that fails is told of.
	f = newFigures()
	s.Store.URL, s.Store.BackupDir = "sqlite:none.db", "others"
	failing := keepBackups(t.Context(), s, log, f)
	defer failing()
	for !strings.Contains(scrape(t, f), "\nrowbot_backups_total{result=\"failed\"} 1\n") && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	if ctx.Err() != nil {
		t.Error("the failure is not told")
	}
}

// Who asks for backups of a database that is not copied is told so.
func TestKeepBackupsOfAnotherStore(t *testing.T) {
	s := defaults()
	s.Store.URL = "postgres://user:hunter2@host/db"
	var said strings.Builder
	keepBackups(t.Context(), s, newLog(&said, s), newFigures())()
	if said.String() != "" {
		t.Errorf("nobody asked for any: %s", &said)
	}
	s.Store.BackupEvery = 6 * time.Hour
	keepBackups(t.Context(), s, newLog(&said, s), newFigures())()
	if got := said.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "level=WARN") ||
		!strings.Contains(got, "store.backup_every is for an SQLite file") || strings.Contains(got, "hunter2") {
		t.Errorf("said: %s", got)
	}
}

func TestBackupOfAnotherStore(t *testing.T) {
	s := defaults()
	s.Store.URL = "postgres://host/db"
	if err := backup(t.Context(), backupOptions{}, s, newLog(io.Discard, s)); err != error(errNotSQLite) {
		t.Errorf("%v", err)
	}
}
