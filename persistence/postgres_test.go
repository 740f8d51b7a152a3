package persistence_test

import (
	"context"
	"database/sql"
	"sync/atomic"
	"testing"

	"rowbot/match"
	"rowbot/persistence"
	"rowbot/persistence/pgtest"
	"rowbot/persistence/storetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

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
		for _, table := range []string{"matches", "records", "preferences", "guilds", "notices", "leases"} {
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
