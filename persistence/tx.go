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

// busyPause is how long a transaction that SQLite wants to see again waits,
// where SQLite has not waited itself.
const busyPause = 5 * time.Millisecond

// View runs f in a transaction that only reads; see match.Store.
func (db *DB) View(ctx context.Context, f func(match.Tx) error) error {
	return run(ctx, db.readers, "BEGIN", f)
}

// Update runs f in one write transaction; see match.Store. The context ends the
// wait for other writers, and until the commit it ends the transaction too,
// which then leaves nothing. A nil error means that everything is in the file.
// An Update within an Update waits for itself, until the context ends.
func (db *DB) Update(ctx context.Context, f func(match.Tx) error) error {
	// In turn: database/sql lets those who wait for a connection go in any order,
	// and under load somebody would wait for ever.
	select {
	case db.turn <- struct{}{}:
		defer func() { <-db.turn }()
	case <-ctx.Done():
		return fmt.Errorf("wait for the database: %w", ctx.Err())
	}
	return run(ctx, db.writer, "BEGIN IMMEDIATE", f)
}

// run does a transaction again for as long as SQLite asks for it, which it does
// when another process holds its lock, and the context allows it.
func run(ctx context.Context, pool *sql.DB, begin string, f func(match.Tx) error) error {
	for {
		err := once(ctx, pool, begin, f)
		if !isBusy(err) {
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
// that waits for the context, which costs more than the queries do.
func once(ctx context.Context, pool *sql.DB, begin string, f func(match.Tx) error) error {
	conn, err := pool.Conn(ctx)
	if err != nil {
		return fmt.Errorf("wait for the database: %w", err)
	}
	defer conn.Close() // hands it back; its errors say only that it is gone already
	// From here on nothing waits for long (for another process, the busy timeout),
	// so the context need not reach the driver, where one that can end costs 12
	// microseconds a statement. It is asked between the statements instead.
	free := context.WithoutCancel(ctx)
	if _, err := conn.ExecContext(free, begin); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	committed := false
	defer func() { // also after a panic in f
		if !committed {
			rollback(free, conn)
		}
	}()
	if err := f(&tx{conn: conn}); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	if _, err := conn.ExecContext(free, "COMMIT"); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	committed = true
	return nil
}

// rollback undoes a transaction. A connection on which that does not work is
// thrown away, which undoes it as well.
func rollback(ctx context.Context, conn *sql.Conn) {
	if _, err := conn.ExecContext(ctx, "ROLLBACK"); err != nil {
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}
}

// tx implements match.Tx. Errors that are not match's own are those of the
// database; what was being done is for the caller to say, who knows more of it.
type tx struct {
	conn *sql.Conn    // answers nothing but sql.ErrConnDone after the end
	read *match.Match // what Match gave out last; nobody else can change it meanwhile
}

// ready returns the context to run a statement with.
func (t *tx) ready(ctx context.Context) (context.Context, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return context.WithoutCancel(ctx), nil
}

// row runs a query for at most one row. scan gets that row; ErrNotFound where
// there is none.
func (t *tx) row(ctx context.Context, query string, args []any, scan func(scanner) error) error {
	free, err := t.ready(ctx)
	if err != nil {
		return err
	}
	err = scan(t.conn.QueryRowContext(free, query, args...))
	if errors.Is(err, sql.ErrNoRows) {
		return match.ErrNotFound
	}
	return err
}

// rows runs a query and gives each row to scan.
func (t *tx) rows(ctx context.Context, query string, args []any, scan func(scanner) error) error {
	free, err := t.ready(ctx)
	if err != nil {
		return err
	}
	rows, err := t.conn.QueryContext(free, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// exec runs a statement and returns how many rows it changed.
func (t *tx) exec(ctx context.Context, query string, args ...any) (int64, error) {
	free, err := t.ready(ctx)
	if err != nil {
		return 0, err
	}
	result, err := t.conn.ExecContext(free, query, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// scanner is a row to read the columns of.
type scanner interface{ Scan(dest ...any) error }
