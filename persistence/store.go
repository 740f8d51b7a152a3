package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync/atomic"
	"time"
)

// DB is an open database. It implements match.Store and is safe for concurrent use.
type DB struct {
	name   string // for the operator: a path, or an address without its password
	path   string // of SQLite's file, from the root on
	server bool   // PostgreSQL; else SQLite
	// outage is for how long, from its start, a transaction is tried while the server
	// is away.
	outage time.Duration
	// writer is SQLite's one connection that writes: whoever wants to write waits
	// for it in database/sql, where a context ends the wait. A wait for SQLite's own
	// lock would go on to the busy timeout whatever the context says. On a server
	// there are several.
	writer *sql.DB
	// views and updates have as many places as readers and writer have connections.
	// On SQLite Updates form a group instead.
	views   line
	updates line
	group   *group
	// unfolded counts the transactions that changed records since the last folding.
	// What an earlier process left is folded with the first of them.
	unfolded atomic.Int64
	books    *bookkeeper // folds their changes
	// readers see the last committed state, also while a writer works.
	readers *sql.DB
}

// Name says which database it is, for the operator: without a password.
func (db *DB) Name() string { return db.name }

// Server reports whether the database is shared: other copies of the program may
// be at work on it.
func (db *DB) Server() bool { return db.server }

const (
	// SQLiteScheme begins the URL of an SQLite file; its path follows.
	SQLiteScheme = "sqlite:"

	orNothing = `ON CONFLICT DO NOTHING`
)

// Option changes how a database is opened.
type Option func(*options)

type options struct {
	keepSchema bool
	folded     func(error) // see WatchFolding
}

// KeepSchema leaves the schema as it is found, older or newer, for changing it with
// [DB.Migrate]. Nothing else works before the schema is the current one.
func KeepSchema() Option { return func(o *options) { o.keepSchema = true } }

// Open opens the store that a URL names: [OpenSQLite] for "sqlite:PATH" and
// [OpenPostgres] for "postgres://…".
func Open(ctx context.Context, address string, opts ...Option) (*DB, error) {
	if path, ok := strings.CutPrefix(address, SQLiteScheme); ok {
		return OpenSQLite(ctx, path, opts...)
	}
	return OpenPostgres(ctx, address, opts...)
}

// IsServer reports whether a URL is one of a PostgreSQL server.
func IsServer(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// nameOf writes a server's URL without what is secret in it, or might be.
func nameOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return "postgres"
	}
	if u.User != nil {
		u.User = url.User(u.User.Username())
	}
	u.RawQuery, u.Fragment = "", ""
	return u.String()
}

// prepare makes sure that the database can be written and has the schema.
func (db *DB) prepare(ctx context.Context, o options) error {
	writable := db.claim
	if db.server {
		writable = db.ping
	}
	if err := writable(ctx); err != nil || o.keepSchema {
		return err
	}
	_, err := db.migrate(ctx)
	return err
}

// leastRoom is how much room an SQLite database needs on its disk: the size that its
// log grows to before it is moved into the file, and some to spare.
const leastRoom = 16 << 20

// errNoRoom means that the disk of an SQLite database is as good as full.
var errNoRoom = errors.New("the disk is full")

// Ping checks that the database can be written. On SQLite it takes the write lock and
// gives it back, and checks that the disk has some room left. A server's disk is not
// checked.
func (db *DB) Ping(ctx context.Context) error {
	err := db.ping(ctx)
	if err == nil && !db.server {
		err = db.roomy(leastRoom)
	}
	if err != nil {
		return fmt.Errorf("reach store %s: %w", db.name, explain(err))
	}
	return nil
}

// roomy checks that so many bytes can still be written.
func (db *DB) roomy(least int64) error {
	if left := roomAt(db.path); left < least {
		return fmt.Errorf("%w, but for %.1f MB", errNoRoom, float64(left)/(1<<20))
	}
	return nil
}

func (db *DB) ping(ctx context.Context) error {
	tx, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if !db.server {
		return tx.Rollback()
	}
	// A server that only follows another one begins transactions, too.
	var follows string
	if err := tx.QueryRowContext(ctx, "SHOW transaction_read_only").Scan(&follows); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	if follows != "off" {
		return errors.Join(errReadOnly, tx.Rollback())
	}
	return tx.Rollback()
}

// Close closes the database; SQLite moves the log into the file. It is to be called
// when nobody uses the database any more; a transaction that still runs is not broken
// off.
func (db *DB) Close() error {
	if db.books != nil {
		db.books.leave()
	}
	if err := errors.Join(db.readers.Close(), db.writer.Close()); err != nil {
		return fmt.Errorf("close store %s: %w", db.name, err)
	}
	return nil
}
