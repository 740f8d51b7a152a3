package persistence_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"rowbot/match"
	"rowbot/persistence"
	"rowbot/persistence/pgtest"
	"rowbot/persistence/storetest"
)

func TestMain(m *testing.M) {
	for _, other := range []func() (bool, error){resident, opener} {
		if ran, err := other(); ran {
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(0)
		}
	}
	pgtest.Main(m)
}

// openServer opens a database on the tests' server, which is closed with t.
func openServer(t testing.TB, address string) *persistence.DB {
	t.Helper()
	db, err := persistence.OpenPostgres(t.Context(), address)
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

// raw opens a connection to a server's database beside the store.
func raw(t testing.TB, address string) *sql.DB {
	t.Helper()
	pool, err := sql.Open("pgx", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pool.Close() })
	return pool
}

// emptied returns a function that opens the database at an address, without
// whatever was in it: that is much faster than making a new one.
func emptied(t *testing.T, address string) func(t *testing.T) *persistence.DB {
	openServer(t, address)
	beside := raw(t, address)
	return func(t *testing.T) *persistence.DB {
		t.Helper()
		for _, table := range []string{"matches", "records", "preferences", "guilds", "notices", "leases", "sessions"} {
			if _, err := beside.ExecContext(t.Context(), "DELETE FROM "+table); err != nil {
				t.Fatal(err)
			}
		}
		return openServer(t, address)
	}
}

// TestPostgres: PostgreSQL keeps every promise of a store.
func TestPostgres(t *testing.T) {
	open := emptied(t, pgtest.Database(t))
	storetest.Run(t, func(t *testing.T) match.Store { return open(t) })
}

// copies are the stores of two processes on one database: each transaction goes
// to the other one.
type copies struct {
	stores [2]*persistence.DB
	calls  atomic.Uint32
}

func (c *copies) next() *persistence.DB { return c.stores[c.calls.Add(1)%2] }

func (c *copies) View(ctx context.Context, f func(match.Tx) error) error {
	return c.next().View(ctx, f)
}

func (c *copies) Update(ctx context.Context, f func(match.Tx) error) error {
	return c.next().Update(ctx, f)
}

// TestPostgresCopies: two processes on one database keep them together.
func TestPostgresCopies(t *testing.T) {
	address := pgtest.Database(t)
	open := emptied(t, address)
	storetest.Run(t, func(t *testing.T) match.Store {
		return &copies{stores: [2]*persistence.DB{open(t), openServer(t, address)}}
	})
}

// TestTenOpenAtOnce: copies that start at the same time, on a database that has
// nothing yet, all get the schema, which is made once.
func TestTenOpenAtOnce(t *testing.T) {
	address := pgtest.Database(t)
	var opened sync.WaitGroup
	for range 10 {
		opened.Go(func() {
			db, err := persistence.OpenPostgres(t.Context(), address)
			if err != nil {
				t.Error(err)
				return
			}
			if s, err := db.Schema(t.Context()); err != nil || s.Have == 0 || !s.Current() {
				t.Errorf("schema %+v, %v", s, err)
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	opened.Wait()
	var steps, different int
	err := raw(t, address).QueryRowContext(t.Context(), `SELECT count(*), count(DISTINCT version_id) FROM goose_db_version`).Scan(&steps, &different)
	if err != nil || steps < 2 || steps != different {
		t.Errorf("%d steps noted, %d different ones; %v", steps, different, err)
	}
}

// TestServerRefusals: what cannot be a store is refused with a sentence that
// names it, and never its password.
func TestServerRefusals(t *testing.T) {
	address := pgtest.Database(t)
	beside := raw(t, address)
	place, _, _ := strings.Cut(address, "?")
	refused := func(name, address, want string, is error) {
		t.Helper()
		db, err := persistence.OpenPostgres(t.Context(), address)
		if err == nil {
			t.Fatal(name, ": no error", db.Close())
		}
		if !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got  %s\nwant %s", name, err, want)
		}
		if is != nil && !errors.Is(err, is) {
			t.Errorf("%s: got %v, which is not %v", name, err, is)
		}
	}
	const reach = "; see that it runs, and that the address has the right host, port and sslmode"
	refused("nobody there", "postgres://me:hunter2@127.0.0.1:1/x",
		"open store postgres://me@127.0.0.1:1/x: the server cannot be reached (127.0.0.1:1: connection refused)"+reach, nil)
	refused("no such host", "postgres://me:hunter2@rowbot.invalid,127.0.0.1:1/x",
		"open store postgres://me@rowbot.invalid,127.0.0.1:1/x: the server cannot be reached (rowbot.invalid: ", nil)
	quiet := silent(t)
	refused("no answer", "postgres://me:hunter2@"+quiet+"/x?connect_timeout=1",
		"open store postgres://me@"+quiet+"/x: the server cannot be reached (no answer in time)"+reach, nil)
	_, elsewhere := roadTo(t, address)
	refused("no encryption", strings.Replace(elsewhere, "sslmode=disable", "sslmode=require", 1),
		"open store "+strings.TrimSuffix(elsewhere, "?sslmode=disable")+": the server cannot be reached (server refused TLS connection)"+reach, nil)
	refused("no such database", strings.Replace(address, "?", "no?", 1), "open store "+place+
		"no: there is no such database on the server (database \""+place[strings.LastIndex(place, "/")+1:]+
		"no\" does not exist); make it with createdb, or put the name of another one into the address", nil)
	refused("no such user", strings.Replace(address, "rowbot@", "wrong:hunter2@", 1), "open store "+strings.Replace(place, "rowbot@", "wrong@", 1)+
		": it may not be accessed by this user, or from here (role \"wrong\" does not exist); see that the user in the address exists", nil)
	refused("no such setting", address+"&bogus=1", "open store "+place+
		": the address has a setting that the server does not know (unrecognized configuration parameter \"bogus\"); correct what is behind its question mark", nil)
	refused("a wrong setting", address+"&work_mem=much", "open store "+place+
		": the server refuses the connection (invalid value for parameter \"work_mem\": \"much\"); see that the address is right, also behind its question mark", nil)
	refused("no address", "postgres://me:hunter2@/x", "open store postgres://me@/x: it is no address of a PostgreSQL database", nil)
	refused("broken address", "postgres://me:hunter2@host:port/x", "open store postgres: it is no address", nil)
	refused("connections", address+"&pool_max_conns=1", "open store "+place+": it has a pool_max_conns that is no number", nil)

	exec := func(statement string) {
		t.Helper()
		_, err := beside.ExecContext(t.Context(), statement)
		must(t, err)
	}
	exec(`CREATE TABLE matches (id TEXT)`)
	refused("another's tables", address, "open store "+place+": it is another program's database", persistence.ErrForeign)
	exec(`DROP TABLE matches`)
	openServer(t, address)
	exec(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (4000, true)`)
	refused("newer schema", address, "open store "+place+": schema 4000, known up to ", persistence.ErrNewerSchema)
}

// silent is an address at which nobody says a word.
func silent(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	return listener.Addr().String()
}

// TestServerKeepSchema: a database can be looked at before it is migrated.
func TestServerKeepSchema(t *testing.T) {
	address := pgtest.Database(t)
	db, err := persistence.OpenPostgres(t.Context(), address, persistence.KeepSchema())
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
}

// TestDeadlockIsRetried: two transactions that wait for each other both end well.
func TestDeadlockIsRetried(t *testing.T) {
	db := openServer(t, pgtest.Database(t))
	for _, id := range []match.ID{"a", "b"} {
		m := benchMatch(3)
		m.ID = id
		must(t, db.Update(t.Context(), func(tx match.Tx) error { return tx.Insert(t.Context(), m) }))
	}
	var holding sync.WaitGroup
	holding.Add(2)
	var runs atomic.Int32
	both := func(first, second match.ID) error {
		meet := sync.OnceFunc(func() { holding.Done(); holding.Wait() })
		return db.Update(t.Context(), func(tx match.Tx) error {
			runs.Add(1)
			_, err := tx.Match(t.Context(), first)
			meet()
			if err != nil {
				return err
			}
			m, err := tx.Match(t.Context(), second)
			if err != nil {
				return err
			}
			m.Version++
			return tx.Replace(t.Context(), m.Version-1, m)
		})
	}
	other := make(chan error)
	go func() { other <- both("b", "a") }()
	if err := errors.Join(both("a", "b"), <-other); err != nil {
		t.Error(err)
	}
	if runs.Load() < 3 {
		t.Errorf("%d runs: they did not wait for each other", runs.Load())
	}
}

// TestServerRestart: connections that a server has ended are made anew, and what
// was under way is done again.
func TestServerRestart(t *testing.T) {
	address := pgtest.Database(t)
	db, beside := openServer(t, address), raw(t, address)
	fill(t, db)
	end := func() {
		_, err := beside.ExecContext(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`)
		must(t, err)
	}
	for range 3 {
		end()
		state(t, db) // reads
		end()
		must(t, db.Update(t.Context(), func(tx match.Tx) error {
			return tx.SetWhere(t.Context(), benchMatch(7).ID, match.Where{Guild: "new"})
		}))
	}
	runs := 0
	must(t, db.Update(t.Context(), func(tx match.Tx) error {
		if runs++; runs == 1 {
			end()
		}
		return tx.SetWhere(t.Context(), benchMatch(7).ID, match.Where{Guild: "newer"})
	}))
	if got := state(t, db).Match.Where.Guild; runs != 2 || got != "newer" {
		t.Errorf("after %d runs the guild is %q", runs, got)
	}
}

// TestServerHangs: who holds a lock for long makes others fail in time to say so,
// and those who hold it without a word lose it.
func TestServerHangs(t *testing.T) {
	address := pgtest.Database(t)
	db := openServer(t, address)
	fill(t, db)
	lock, err := raw(t, address).BeginTx(t.Context(), nil)
	must(t, err)
	defer lock.Rollback()
	_, err = lock.ExecContext(t.Context(), `SELECT 1 FROM matches FOR UPDATE`)
	must(t, err)
	err = db.Update(t.Context(), func(tx match.Tx) error {
		_, err := tx.Match(t.Context(), benchMatch(7).ID)
		return err
	})
	timeout, _ := errors.AsType[*pgconn.PgError](err)
	ended := timeout != nil && timeout.Code == "57014" || errors.Is(err, context.DeadlineExceeded) // by the server, or here where that is slow
	if !ended {
		t.Errorf("Update: got %v, want one that was ended by the statement's time", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	err = db.Update(ctx, func(tx match.Tx) error { _, err := tx.Match(ctx, benchMatch(7).ID); return err })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Update: got %v, want %v", err, context.DeadlineExceeded)
	}
	must(t, lock.Rollback())
	fillAgain := func(tx match.Tx) error { return tx.SetWhere(t.Context(), benchMatch(7).ID, match.Where{}) }
	must(t, db.Update(t.Context(), fillAgain))
}

// TestServerFailureIsNotSwallowed: after a statement that failed nothing is
// committed, and that is said, whatever is made of the failure.
func TestServerFailureIsNotSwallowed(t *testing.T) {
	db := openServer(t, pgtest.Database(t))
	fill(t, db)
	err := db.Update(t.Context(), func(tx match.Tx) error {
		if err := tx.SetWhere(t.Context(), benchMatch(7).ID, match.Where{Guild: "new"}); err != nil {
			return err
		}
		m := benchMatch(7)
		m.ID, m.Version = "wrong", 0
		_ = tx.Insert(t.Context(), m)
		return nil
	})
	if err == nil {
		t.Error("Update: no error")
	}
	if got, want := state(t, db).Match.Where, benchMatch(7).Where; got != want {
		t.Errorf("where is %+v, want %+v", got, want)
	}
}

func TestServerPing(t *testing.T) {
	address := pgtest.Database(t)
	db := openServer(t, address)
	must(t, db.Ping(t.Context()))
	_, err := raw(t, address).ExecContext(t.Context(), `ALTER ROLE rowbot IN DATABASE `+strings.Split(strings.Split(address, "/")[3], "?")[0]+
		` SET default_transaction_read_only = on`)
	must(t, err)
	follower, err := persistence.OpenPostgres(t.Context(), address)
	if err == nil || !strings.Contains(err.Error(), "it cannot be written: the server only reads") {
		t.Errorf("open where nothing can be written: %v, %v", follower, err)
	}
	must(t, db.Close())
	if err := db.Ping(t.Context()); err == nil {
		t.Error("Ping after Close: no error")
	}
}
