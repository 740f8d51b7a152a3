// Package pgtest gives tests PostgreSQL databases on a server of their own, which
// runs in a temporary folder, listens on a socket there, and ends with the tests.
// Where no server program is installed, the tests that ask for it are skipped.
//
// It is imported by tests only, and imports nothing of Rowbot.
package pgtest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"
)

// owner is the database's user; the socket's folder lets nobody else in.
const owner = "rowbot"

// server is the one server of a test binary.
var server struct {
	start  sync.Once
	folder string
	admin  *sql.DB
	run    *exec.Cmd
	again  func() error // ends and starts it
	err    error
	last   atomic.Int64
}

var errNoServer = errors.New("PostgreSQL's programs initdb and postgres are not installed")

// Main runs a package's tests and ends the server behind them: a package whose
// tests ask for databases has a TestMain that calls it, or [Stop].
func Main(m *testing.M) {
	status := m.Run()
	Stop()
	os.Exit(status)
}

// Database returns the URL of a new, empty database, which is dropped when t
// ends. It skips t where there is no server program.
func Database(t testing.TB) string {
	t.Helper()
	server.start.Do(func() { server.err = start() })
	if errors.Is(server.err, errNoServer) {
		t.Skip(server.err)
	}
	if server.err != nil {
		t.Fatal(server.err)
	}
	name := "test" + strconv.FormatInt(server.last.Add(1), 10)
	if _, err := server.admin.ExecContext(t.Context(), "CREATE DATABASE "+name); err != nil {
		t.Fatalf("create a database: %v", err)
	}
	t.Cleanup(func() {
		_, _ = server.admin.ExecContext(context.Background(), "DROP DATABASE "+name+" WITH (FORCE)") // it ends with the server anyway
	})
	return address(name)
}

func address(database string) string {
	return "postgres://" + owner + "@/" + database + "?host=" + url.QueryEscape(server.folder)
}

// start makes a server and waits until it answers.
func start() error {
	initdb, postgres, err := programs()
	if err != nil {
		return err
	}
	who, base, err := servant()
	if err != nil {
		return err
	}
	if server.folder, err = os.MkdirTemp(base, "rowbot-pg-"); err != nil {
		return fmt.Errorf("make the server's folder: %w", err)
	}
	if who != nil {
		if err := os.Chown(server.folder, int(who.Uid), int(who.Gid)); err != nil {
			return fmt.Errorf("hand over the server's folder: %w", err)
		}
	}
	data := filepath.Join(server.folder, "data")
	ctx := context.Background() // the server's life is the process's
	if out, err := command(ctx, who, initdb, "-D", data, "-U", owner, "-A", "trust", "-E", "UTF8", "--no-sync").CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	if err := serve(ctx, who, postgres, data); err != nil {
		return err
	}
	if server.admin, err = sql.Open("pgx", address("postgres")); err != nil {
		return err
	}
	server.again = func() error {
		if err := errors.Join(halt(), serve(ctx, who, postgres, data)); err != nil {
			return err
		}
		return answers(ctx)
	}
	return answers(ctx)
}

// Restart ends the server, as an operator does, and starts it again, while whoever
// uses it goes on; databases stay. It returns when the server answers.
func Restart(t testing.TB) {
	t.Helper()
	if err := server.again(); err != nil {
		t.Fatalf("restart the server: %v", err)
	}
}

// serve starts the server's program.
func serve(ctx context.Context, who *syscall.Credential, postgres, data string) error {
	// Nothing here has to outlast the machine.
	server.run = command(ctx, who, postgres, "-D", data, "-k", server.folder, "-c", "listen_addresses=",
		"-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off", "-c", "max_connections=300",
		"-c", "shared_buffers=32MB", "-c", "wal_level=minimal", "-c", "max_wal_senders=0", "-c", "logging_collector=off",
		"-c", "deadlock_timeout=100ms") // a second is long where statements may take two
	if err := server.run.Start(); err != nil {
		return fmt.Errorf("start the server: %w", err)
	}
	return nil
}

// halt ends the server's program.
func halt() error {
	if err := server.run.Process.Signal(os.Interrupt); err != nil { // a fast shutdown
		return fmt.Errorf("stop the server: %w", err)
	}
	return server.run.Wait()
}

// answers waits until the server answers.
func answers(ctx context.Context) (err error) {
	for range 600 {
		if err = server.admin.PingContext(ctx); err == nil {
			return nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return fmt.Errorf("reach the server: %w", err)
}

// command prepares one of the server's programs, to be run as its user.
func command(ctx context.Context, who *syscall.Credential, program string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, program, args...)
	c.Dir = server.folder
	c.SysProcAttr = attributes(who)
	return c
}

// programs finds the server's programs: in the path, or where Debian puts them.
func programs() (initdb, postgres string, err error) {
	folders, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is right
	if found, err := exec.LookPath("postgres"); err == nil {
		folders = append(folders, filepath.Dir(found))
	}
	for _, folder := range folders {
		initdb, postgres = filepath.Join(folder, "initdb"), filepath.Join(folder, "postgres")
		if executable(initdb) && executable(postgres) {
			return initdb, postgres, nil
		}
	}
	return "", "", errNoServer
}

func executable(path string) bool {
	_, err := exec.LookPath(path)
	return err == nil
}

// servant is who runs the server, and where: PostgreSQL does not run as root.
func servant() (who *syscall.Credential, base string, err error) {
	if os.Geteuid() != 0 {
		return nil, "", nil
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseUint(u.Uid, 10, 32)
		gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(err, err2); err != nil {
			return nil, "", err
		}
		// The folder for temporary files may be one that root alone can enter.
		return &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, "/tmp", nil
	}
	return nil, "", errors.New("no user to run PostgreSQL as")
}

// Stop ends the server, if there is one, and removes its folder.
func Stop() {
	if server.admin != nil {
		_ = server.admin.Close()
	}
	if server.run != nil && server.run.Process != nil {
		_ = halt() // the tests are over
	}
	if server.folder != "" {
		_ = os.RemoveAll(server.folder)
	}
}
