package persistence

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"time"

	"rowbot/match"
)

var _ match.Store = (*DB)(nil)

const (
	// busyPause is how long a transaction that the database wants to see again
	// waits, where the database has not waited itself.
	busyPause = 5 * time.Millisecond
	// maxLosses is how often a transaction may lose its connection.
	maxLosses = 3
)

// View runs f in a transaction that only reads; see match.Store.
func (db *DB) View(ctx context.Context, f func(match.Tx) error) error {
	return db.patiently(ctx, db.views, db.readers, false, f)
}

// line makes callers wait for one of a number of connections in the order in which they
// came. database/sql serves them in any order, so that under load somebody might wait
// for ever.
type line chan struct{}

func (l line) enter(ctx context.Context) error {
	select {
	case l <- struct{}{}:
		return nil
	case <-ctx.Done():
		return waited(ctx)
	}
}

func (l line) leave() { <-l }

// Update runs f in one write transaction; see match.Store. The context ends the wait
// for other writers and, until the commit, the transaction too, which then leaves
// nothing. A nil error means that everything is in the file, or with the server. An
// Update within an Update may wait for itself until the context ends.
func (db *DB) Update(ctx context.Context, f func(match.Tx) error) error {
	erased := false
	do := func(open match.Tx) error {
		err := f(open)
		erased = open.(*tx).erased
		return err
	}
	var err error
	if db.server {
		err = db.patiently(ctx, db.updates, db.writer, true, do)
	} else {
		err = db.group.update(ctx, do)
	}
	switch {
	case err != nil:
		return err
	case erased:
		db.books.erased(ctx)
	default:
		db.books.changed()
	}
	return nil
}

// run does a transaction, and again for as long as the database asks for it and the
// context allows it. SQLite asks when another process holds its lock, PostgreSQL when
// the transaction conflicts with others that ran at the same time.
func (db *DB) run(ctx context.Context, pool *sql.DB, writes bool, f func(match.Tx) error) error {
	var turns []uint32
	for losses := 0; ; {
		err := db.once(ctx, pool, writes, turns, f)
		lost := errors.Is(err, errLost)
		if lost {
			losses++
		}
		if late, ok := errors.AsType[outOfTurn](err); ok {
			turns = late.turns
		}
		if !isBusy(err) && (!lost || losses == maxLosses) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the database: %w: %w", ctx.Err(), err)
		case <-time.After(busyPause):
		}
	}
}

// once does a transaction. It uses a connection and plain BEGIN and COMMIT in
// place of sql.Tx: with that, each transaction and each query starts a goroutine
// that waits for the context, which costs more than the queries do. It begins with
// turns that an earlier try had to have; see [tx.take].
func (db *DB) once(ctx context.Context, pool *sql.DB, writes bool, turns []uint32, f func(match.Tx) error) error {
	conn, err := db.connection(ctx, pool)
	if err != nil {
		return away(ctx, fmt.Errorf("wait for the database: %w", err))
	}
	defer conn.Close() // hands it back; its errors say only that it is gone already
	t := &tx{conn: conn}
	if db.server {
		t.locks = &locks{writes: writes, patience: statementLimit}
	}
	free := context.WithoutCancel(ctx) // see tx.ready
	if err := t.control(free, t.begin(writes)); err != nil {
		return away(ctx, fmt.Errorf("begin: %w", err))
	}
	committed := false
	defer func() { // also after a panic in f
		if !committed {
			t.rollback(free)
		}
	}()
	err = t.takeAhead(ctx, turns)
	if err == nil {
		err = f(t)
	}
	if err != nil {
		return t.failed(ctx, err)
	}
	if err := t.locks.err(); err != nil { // PostgreSQL has rolled back, and COMMIT would not say so
		return t.failed(ctx, err)
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	if err := t.control(free, "COMMIT"); err != nil {
		return uncommitted(writes, fmt.Errorf("commit: %w", err))
	}
	committed = true
	db.ranks(t)
	return nil
}

// ranks notes what a transaction that is committed leaves to be folded.
func (db *DB) ranks(t *tx) {
	if t.ranked {
		db.unfolded.Add(1)
	}
}

// connection waits for a connection of a pool.
func (db *DB) connection(ctx context.Context, pool *sql.DB) (*sql.Conn, error) {
	if db.server {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, statementLimit)
		defer cancel()
	}
	return pool.Conn(ctx)
}

// begin is the statement that begins the transaction.
func (t *tx) begin(writes bool) string {
	switch {
	case t.locks != nil:
		return beginOnServer(writes)
	case writes:
		return "BEGIN IMMEDIATE"
	}
	return "BEGIN"
}

// control begins or ends the transaction. The context is one that does not end.
func (t *tx) control(ctx context.Context, statement string) error {
	if t.locks != nil {
		var cancel context.CancelFunc
		ctx, cancel = t.locks.limit(ctx)
		defer cancel()
	}
	_, err := t.conn.ExecContext(ctx, statement)
	return err
}

// rollback undoes the transaction. A connection on which that does not work is
// thrown away, which undoes it as well.
func (t *tx) rollback(ctx context.Context) {
	if err := t.control(ctx, "ROLLBACK"); err != nil {
		_ = t.conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// tx implements match.Tx. Errors that are not match's own are those of the
// database; what was being done is for the caller to say, who knows more of it.
type tx struct {
	conn   *sql.Conn    // answers nothing but sql.ErrConnDone after the end
	read   *match.Match // what Match gave out last; nobody else can change it meanwhile
	locks  *locks       // on PostgreSQL alone
	wrote  bool         // something was changed, or may have been
	over   bool         // it shared a connection that is still at work for others
	ranked bool         // records were changed
	erased bool         // and nothing may be left of somebody
}

// nothing is the end of a statement that has no time of its own.
var nothing context.CancelFunc = func() {}

// ready returns the context to run a statement with, and what is to be called
// behind it. In SQLite nothing waits for long (for another process, the busy
// timeout), so the context need not reach the driver, where one that can end
// costs 12 microseconds a statement: it is asked between the statements instead.
// A server may not answer at all.
func (t *tx) ready(ctx context.Context) (context.Context, context.CancelFunc, error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if t.over {
		return nil, nil, sql.ErrConnDone
	}
	if t.locks != nil {
		limited, cancel := t.locks.limit(ctx)
		return limited, cancel, nil
	}
	return context.WithoutCancel(ctx), nothing, nil
}

// row runs a query for at most one row. scan gets that row; ErrNotFound where
// there is none.
func (t *tx) row(ctx context.Context, query string, args []any, scan func(scanner) error) error {
	free, done, err := t.ready(ctx)
	if err != nil {
		return err
	}
	defer done()
	err = scan(t.conn.QueryRowContext(free, t.locks.text(query), args...))
	if errors.Is(err, sql.ErrNoRows) {
		return match.ErrNotFound
	}
	return t.locks.note(err)
}

// rows runs a query and gives each row to scan.
func (t *tx) rows(ctx context.Context, query string, args []any, scan func(scanner) error) error {
	free, done, err := t.ready(ctx)
	if err != nil {
		return err
	}
	defer done()
	rows, err := t.conn.QueryContext(free, t.locks.text(query), args...)
	if err != nil {
		return t.locks.note(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return t.locks.note(rows.Err())
}

// exec runs a statement and returns how many rows it changed.
func (t *tx) exec(ctx context.Context, query string, args ...any) (int64, error) {
	free, done, err := t.ready(ctx)
	if err != nil {
		return 0, err
	}
	defer done()
	result, err := t.conn.ExecContext(free, t.locks.text(query), args...)
	if err != nil {
		t.wrote = true
		return 0, t.locks.note(err)
	}
	n, err := result.RowsAffected()
	t.wrote = t.wrote || n > 0
	return n, err
}

// scanner is a row to read the columns of.
type scanner interface{ Scan(dest ...any) error }
