package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rowbot/persistence"
	"rowbot/persistence/pgtest"
	"rowbot/persistence/storetest"
)

// TestMigrateCopies: a file moves to a server, as often as one likes; the
// server's address may come from the settings.
func TestMigrateCopies(t *testing.T) {
	t.Chdir(t.TempDir())
	address := pgtest.Database(t)
	file, err := persistence.OpenSQLite(t.Context(), "rowbot.db")
	if err != nil {
		t.Fatal(err)
	}
	const n = 30
	storetest.Fill(t, file, n)
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	for _, run := range []struct {
		environ, args []string
		changed       int
	}{
		{nil, []string{"migrate", "--from", "sqlite:rowbot.db", "--to", address}, n},
		{[]string{"ROWBOT_STORE_URL=" + address}, []string{"migrate", "--from", "sqlite:rowbot.db"}, 0},
		{nil, []string{"migrate", "--from", address, "--to", "sqlite:back.db"}, n},
		{[]string{"ROWBOT_STORE_URL=" + address}, []string{"migrate"}, -1},
	} {
		status, _, stderr := do(t, run.environ, run.args...)
		if status != 0 {
			t.Fatalf("%v: status %d: %s", run.args, status, stderr)
		}
		for _, table := range []string{"matches", "records", "preferences", "guilds", "notices"} {
			want := fmt.Sprintf("msg=\"table copied\" table=%s rows=%d changed=%d checksum=", table, n, run.changed)
			if run.changed >= 0 && !strings.Contains(stderr, want) {
				t.Errorf("%v says:\n%swant %s", run.args, stderr, want)
			}
		}
	}
}

// TestMigrateToItself: a store is not copied to itself, by whatever name it goes.
func TestMigrateToItself(t *testing.T) {
	storeHere(t)
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, link := range []func(old, new string) error{os.Symlink, os.Link} {
		if err := link("rowbot.db", fmt.Sprintf("link%d.db", len(names(t, "link*")))); err != nil {
			t.Fatal(err)
		}
	}
	for _, to := range []string{"./rowbot.db", here + "/rowbot.db", here + "//./rowbot.db", "link0.db", "link1.db"} {
		status, _, stderr := do(t, nil, "migrate", "--from", "sqlite:rowbot.db", "--to", "sqlite:"+to)
		if status != 1 || !strings.Contains(stderr, "--from and the store to copy to are the same") {
			t.Errorf("to %s: status %d: %s", to, status, stderr)
		}
	}
	address := pgtest.Database(t)
	status, _, stderr := do(t, nil, "migrate", "--from", address, "--to", address+"&application_name=another&timezone=Asia%2FTokyo")
	if status != 1 || !strings.Contains(stderr, "--from and the store to copy to are the same") {
		t.Errorf("to the same server: status %d: %s", status, stderr)
	}
	status, _, stderr = do(t, nil, "migrate", "--from", address, "--to", pgtest.Database(t))
	if status != 0 {
		t.Errorf("to another database of the server: status %d: %s", status, stderr)
	}
}

// TestPasswordIsNotShown: neither when a store is refused nor when it is used.
func TestPasswordIsNotShown(t *testing.T) {
	t.Chdir(t.TempDir())
	nobody := "postgres://me:hunter2@127.0.0.1:1/x?sslmode=disable"
	for _, args := range [][]string{{"migrate"}, {"run"}, {"migrate", "--from", nobody, "--to", "sqlite:x.db"}} {
		status, _, stderr := do(t, []string{"ROWBOT_STORE_URL=" + nobody, "ROWBOT_DISCORD_TOKEN=" + secret}, args...)
		if status != 1 || strings.Contains(stderr, "hunter2") || !strings.Contains(stderr, "postgres://me@127.0.0.1:1/x: the server cannot be reached") {
			t.Errorf("%v: status %d: %s", args, status, stderr)
		}
	}
	if status, _, stderr := do(t, nil, "migrate", "--from", "postgres://me:hunter2@/x"); status != 2 || strings.Contains(stderr, "hunter2") {
		t.Errorf("status %d: %s", status, stderr)
	}
}

// TestServerInUse: the address of a server is not shown with its password in the log.
func TestServerInUse(t *testing.T) {
	address := strings.Replace(pgtest.Database(t), "rowbot@", "rowbot:hunter2@", 1)
	status, _, stderr := do(t, []string{"ROWBOT_STORE_URL=" + address}, "migrate")
	if status != 0 || !strings.Contains(stderr, "store up to date") || strings.Contains(stderr, "hunter2") {
		t.Errorf("status %d: %s", status, stderr)
	}
}
