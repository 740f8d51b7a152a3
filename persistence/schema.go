package persistence

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/pressly/goose/v3"

	"rowbot/migrations"
)

// applicationID marks a file as Rowbot's in its header ("Rowb").
const applicationID = 0x526f7762

var (
	// ErrNewerSchema means that the database was written by a newer Rowbot, whose
	// schema this one does not know.
	ErrNewerSchema = errors.New("its schema is newer than this program; use the version that wrote it, or a newer one")
	// ErrForeign means that it is a database, but not one of Rowbot's.
	ErrForeign = errors.New("it is another program's database")
)

// Schema is the state of a database's schema: the number of the last step that
// was applied, and of the last one this program knows.
type Schema struct{ Have, Want int64 }

// Current reports whether the schema is the one this program works with.
func (s Schema) Current() bool { return s.Have == s.Want }

// Migrate brings the schema up to date and returns what it was before. The
// error is [ErrNewerSchema] where the database is ahead of this program; it
// stays as it is then.
func (db *DB) Migrate(ctx context.Context) (Schema, error) {
	var was Schema
	err := whileBusy(ctx, func() (err error) {
		was, err = db.migrate(ctx)
		return err
	})
	if err != nil {
		return was, fmt.Errorf("migrate store %s: %w", db.name, explain(err))
	}
	return was, nil
}

func (db *DB) migrate(ctx context.Context) (Schema, error) {
	was, err := db.schema(ctx)
	switch {
	case err != nil:
		return was, err
	case was.Have > was.Want:
		return was, fmt.Errorf("schema %d, known up to %d: %w", was.Have, was.Want, ErrNewerSchema)
	case was.Current():
		return was, nil
	}
	p, err := db.steps()
	if err != nil {
		return was, err
	}
	if db.server {
		return was, db.alone(ctx, func() error { _, err := p.Up(ctx); return err })
	}
	return was, db.up(ctx, p)
}

// stuckSteps is how often in a row a step may fail.
const stuckSteps = 3

// up takes the steps of an SQLite file. If another process takes them at the same time,
// a step may fail because it has been taken already, and leaves nothing: the next try
// goes on from there.
func (db *DB) up(ctx context.Context, p *goose.Provider) error {
	stuck := 0
	for at := int64(-1); ; {
		_, err := p.Up(ctx)
		if err == nil {
			return nil
		}
		now, lookErr := db.schema(ctx)
		if lookErr != nil {
			return errors.Join(err, lookErr)
		}
		if now.Have > at {
			at, stuck = now.Have, 0
		}
		if stuck++; stuck == stuckSteps {
			return err
		}
	}
}

// steps returns the steps that lead to the current schema. They run on the
// writer, which in SQLite has the one connection that may change anything.
func (db *DB) steps() (*goose.Provider, error) {
	dialect, all, folder := goose.DialectSQLite3, migrations.SQLite, "sqlite"
	if db.server {
		dialect, all, folder = goose.DialectPostgres, migrations.Postgres, "postgres"
	}
	files, err := fs.Sub(all, folder)
	if err != nil {
		return nil, fmt.Errorf("find migrations: %w", err)
	}
	p, err := goose.NewProvider(dialect, db.writer, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return p, nil
}

func (db *DB) schema(ctx context.Context) (Schema, error) {
	p, err := db.steps()
	if err != nil {
		return Schema{}, err
	}
	if db.server {
		sources := p.ListSources()
		have, err := db.applied(ctx)
		return Schema{Have: have, Want: sources[len(sources)-1].Version}, err
	}
	have, want, err := p.GetVersions(ctx)
	return Schema{Have: have, Want: want}, err
}

// applied tells which step a server's database has reached. It only reads; goose would
// create its table, which copies that start at the same time must not do.
func (db *DB) applied(ctx context.Context) (have int64, err error) {
	var known, tables bool
	err = db.writer.QueryRowContext(ctx, `SELECT to_regclass('goose_db_version') IS NOT NULL,
		to_regclass('matches') IS NOT NULL OR to_regclass('records') IS NOT NULL`).Scan(&known, &tables)
	switch {
	case err != nil:
		return 0, err
	case !known && tables:
		return 0, ErrForeign
	case !known:
		return 0, nil
	}
	err = db.writer.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&have)
	return have, err
}

const (
	// migrating is the number of the lock under which a server's schema is changed.
	migrating = applicationID
	// migratingPause is how often is looked whether another copy is done with it.
	migratingPause = 200 * time.Millisecond
)

// alone does something while no other copy of the program does. Its lock belongs
// to an open transaction on a connection of its own, since one that belongs to
// the session (as goose's own does) may be lost behind a pooler. It is given
// back, too, when the process is killed. Whoever waits holds no connection: the
// others might be as many as a pooler has, and leave none for the work.
func (db *DB) alone(ctx context.Context, do func() error) error {
	for {
		done, err := db.tryAlone(ctx, do)
		if err != nil || done {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for another copy to migrate: %w", ctx.Err())
		case <-time.After(migratingPause):
		}
	}
}

// tryAlone is alone, but does not wait. It reports whether it was done.
func (db *DB) tryAlone(ctx context.Context, do func() error) (done bool, err error) {
	conn, err := db.readers.Conn(ctx)
	if err != nil {
		return false, err
	}
	defer conn.Close()
	defer (&tx{conn: conn, locks: &locks{patience: statementLimit}}).rollback(context.WithoutCancel(ctx)) // nothing was written here
	_, err = conn.ExecContext(ctx, "BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0")
	if err != nil {
		return false, err
	}
	err = conn.QueryRowContext(ctx, "SELECT pg_try_advisory_xact_lock($1)", int64(migrating)).Scan(&done)
	if err != nil || !done {
		return false, err
	}
	return true, do()
}

// probe refuses a file that holds something else. It looks before anything is
// set up, since turning the log on would already write to the file.
func probe(ctx context.Context, absolute string) error {
	if info, err := os.Stat(absolute); errors.Is(err, fs.ErrNotExist) || (err == nil && info.Size() == 0) {
		return nil
	}
	pool, err := connect(absolute, probeQuery, 1)
	if err != nil {
		return err
	}
	defer pool.Close()
	var id int64
	var tables int
	err = pool.QueryRowContext(ctx, `SELECT application_id, (SELECT count(*) FROM sqlite_schema)
		FROM pragma_application_id`).Scan(&id, &tables)
	if err != nil {
		return err
	}
	if id != applicationID && (id != 0 || tables > 0) {
		return ErrForeign
	}
	return nil
}

// claim marks the file as Rowbot's. It does so each time, because only writing
// tells whether the file can be written: SQLite grants the write lock on a file
// that is read-only, too.
func (db *DB) claim(ctx context.Context) error {
	tx, err := db.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after the commit
	if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID)); err != nil {
		return err
	}
	return tx.Commit()
}
