package persistence_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
	"rowbot/match/rating"
	"rowbot/persistence"
	"rowbot/persistence/storetest"
)

// open opens a database that is closed when the test ends.
func open(t *testing.T, path string) *persistence.DB {
	t.Helper()
	db, err := persistence.OpenSQLite(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func openNew(t *testing.T) *persistence.DB {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "rowbot.db"))
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) match.Store { return openNew(t) })
}

// fill stores a match and a record, and state reads them back.
func fill(t *testing.T, db *persistence.DB) {
	t.Helper()
	err := db.Update(t.Context(), func(tx match.Tx) error {
		return errors.Join(
			tx.Insert(t.Context(), benchMatch(7)),
			tx.PutRecord(t.Context(), match.Record{RecordKey: match.VersusPeople("g", "u", match.Gomoku), Won: 3}),
			tx.PutRating(t.Context(), "u", match.Gomoku, rating.Rating{Points: 1600, Deviation: 90, Volatility: 0.06}),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
}

type kept struct {
	Match  match.Match
	Record match.Record
}

func state(t *testing.T, db *persistence.DB) kept {
	t.Helper()
	var k kept
	err := db.View(t.Context(), func(tx match.Tx) error {
		var err, err2 error
		k.Match, err = tx.Match(t.Context(), benchMatch(7).ID)
		k.Record, err2 = tx.Record(t.Context(), match.VersusPeople("g", "u", match.Gomoku))
		return errors.Join(err, err2)
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestRestart: everything is there after the database was closed.
func TestRestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rowbot.db")
	db, err := persistence.OpenSQLite(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, db)
	want := state(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(path + "?*"); left != nil {
		t.Errorf("left beside the file after Close: %v", left)
	}
	if diff := cmp.Diff(want, state(t, open(t, path))); diff != "" {
		t.Errorf("after a restart (-want +got):\n%s", diff)
	}
}

// TestCrash: everything is there although the database was never closed. The
// files as they lie on the disk are what a killed process leaves behind.
func TestCrash(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	db := open(t, filepath.Join(from, "rowbot.db"))
	fill(t, db)
	want := state(t, db)
	for _, name := range []string{"rowbot.db", "rowbot.db-wal"} {
		data, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, state(t, open(t, filepath.Join(to, "rowbot.db")))); diff != "" {
		t.Errorf("after a crash (-want +got):\n%s", diff)
	}
}

// TestOddPaths: the path is the name of the file, whatever is in it.
func TestOddPaths(t *testing.T) {
	for _, name := range []string{
		"with space.db", "what?mode=memory", "a#b.db", "100%.db", "%41.db", "a&_synchronous=OFF", "it's.db",
		"файл ❌.db", ":memory:", "file:x.db", "-x", "a+b;c.db", `back\slash.db`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			db := open(t, filepath.Join(dir, name))
			fill(t, db)
			state(t, db)
			entries, err := os.ReadDir(dir)
			if err != nil || len(entries) == 0 || entries[0].Name() != name {
				t.Errorf("folder has %v (%v), want %q first", entries, err, name)
			}
		})
	}
	t.Run("relative", func(t *testing.T) {
		t.Chdir(t.TempDir())
		fill(t, open(t, "rowbot.db"))
		if _, err := os.Stat("rowbot.db"); err != nil {
			t.Error(err)
		}
	})
	t.Run("two slashes", func(t *testing.T) { open(t, "/"+filepath.Join(t.TempDir(), "rowbot.db")) })
}

// must stops the test at an error of the preparations.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sqliteFile makes a database with plain SQL.
func sqliteFile(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	must(t, err)
	defer db.Close()
	for _, s := range statements {
		_, err := db.ExecContext(t.Context(), s)
		must(t, err)
	}
}

// TestRefusals: what cannot be a store is refused with a sentence that names it.
func TestRefusals(t *testing.T) {
	for _, x := range []struct {
		name    string
		prepare func(t *testing.T, path string)
		want    string // behind the path
		is      error
	}{
		{"folder", func(t *testing.T, path string) { must(t, os.Mkdir(path, 0o700)) }, "it is a folder, not a file", nil},
		{"text", func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte("log.level = \"info\"\n"), 0o600))
		}, "it is not an SQLite database: file is not a database", nil},
		{
			"log is a folder", func(t *testing.T, path string) { must(t, os.Mkdir(path+"-wal", 0o700)) },
			"the disk cannot be read or written: disk I/O error: is a directory", nil,
		},
		{
			"another's tables", func(t *testing.T, path string) { sqliteFile(t, path, `CREATE TABLE matches (id TEXT)`) },
			"it is another program's database", persistence.ErrForeign,
		},
		{
			"another's mark", func(t *testing.T, path string) { sqliteFile(t, path, `PRAGMA application_id = 1`) },
			"it is another program's database", persistence.ErrForeign,
		},
		{
			"newer schema", func(t *testing.T, path string) {
				fill(t, open(t, path))
				sqliteFile(t, path, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (4000, 1)`)
			}, "schema 4000, known up to " + lastStep(t) + ": its schema is newer than this program; use the version that wrote it, or a newer one",
			persistence.ErrNewerSchema,
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "rowbot.db")
			x.prepare(t, path)
			before, _ := os.ReadFile(path)
			db, err := persistence.OpenSQLite(t.Context(), path)
			if err == nil {
				t.Fatal("no error", db.Close())
			}
			if want := "open store " + path + ": " + x.want; err.Error() != want {
				t.Errorf("got  %s\nwant %s", err, want)
			}
			if x.is != nil && !errors.Is(err, x.is) {
				t.Errorf("got %v, which is not %v", err, x.is)
			}
			if after, _ := os.ReadFile(path); x.name != "log is a folder" && !cmp.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

// lastStep is the number of the last step of SQLite's schema.
func lastStep(t *testing.T) string {
	t.Helper()
	s, err := openNew(t).Schema(t.Context())
	must(t, err)
	return strconv.FormatInt(s.Want, 10)
}

func TestRefusedPaths(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	missing, under := filepath.Join(dir, "missing"), filepath.Join(dir, "file")
	for path, want := range map[string]string{
		"":                                "open store : no path given",
		":memory:":                        "open store :memory:: matches are not kept in memory alone; name a file, such as rowbot.db",
		filepath.Join(missing, "x.db"):    fmt.Sprintf("open store %[1]s/x.db: there is no folder %[1]s", missing),
		filepath.Join(under, "x.db"):      fmt.Sprintf("open store %[1]s/x.db: %[1]s is not a folder", under),
		filepath.Join(dir, "nul\x00.db"):  fmt.Sprintf("open store %s/nul\x00.db: its name cannot be that of a file", dir),
		filepath.Join(dir, "file", "..."): fmt.Sprintf("open store %[1]s/...: %[1]s is not a folder", under),
	} {
		db, err := persistence.OpenSQLite(t.Context(), path)
		if err == nil {
			t.Fatalf("%s: no error (%v)", path, db.Close())
		}
		if err.Error() != want {
			t.Errorf("got  %s\nwant %s", err, want)
		}
	}
	if _, err := os.Stat(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the missing folder: %v", err)
	}
}

// TestKeepSchema: a database can be looked at before it is migrated.
func TestKeepSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rowbot.db")
	db, err := persistence.OpenSQLite(t.Context(), path, persistence.KeepSchema())
	must(t, err)
	defer db.Close()
	before, err := db.Schema(t.Context())
	if err != nil || before.Have != 0 || before.Want == 0 || before.Current() {
		t.Errorf("before: %+v, %v", before, err)
	}
	for _, want := range []persistence.Schema{before, {Have: before.Want, Want: before.Want}} {
		if was, err := db.Migrate(t.Context()); err != nil || was != want {
			t.Errorf("Migrate: %+v, %v; want %+v", was, err, want)
		}
	}
	fill(t, db)
	sqliteFile(t, path, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (4000, 1)`)
	if _, err := db.Migrate(t.Context()); !errors.Is(err, persistence.ErrNewerSchema) {
		t.Errorf("Migrate: got %v, want ErrNewerSchema", err)
	}
	if now, err := db.Schema(t.Context()); err != nil || now.Have != 4000 {
		t.Errorf("Schema: %+v, %v", now, err)
	}
}

func TestPing(t *testing.T) {
	db, err := persistence.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "rowbot.db"))
	must(t, err)
	must(t, db.Ping(t.Context()))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := db.Ping(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Ping: got %v, want %v", err, context.Canceled)
	}
	must(t, db.Close())
	if err := db.Ping(t.Context()); err == nil {
		t.Error("Ping after Close: no error")
	}
}
