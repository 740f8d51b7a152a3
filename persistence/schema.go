package persistence

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/pressly/goose/v3"

	"rowbot/migrations"
)

// applicationID marks a file as Rowbot's in its header ("Rowb").
const applicationID = 0x526f7762

var (
	// ErrNewerSchema means that the database was written by a newer Rowbot, whose
	// schema this one does not know.
	ErrNewerSchema = errors.New("its schema is newer than this program; use the version that wrote it, or a newer one")
	// ErrForeign means that the file is a database, but not one of Rowbot's.
	ErrForeign = errors.New("it is another program's database")
)

// Schema is the state of a database's schema: the number of the last step that
// was applied, and of the last one this program knows.
type Schema struct{ Have, Want int64 }

// Current reports whether the schema is the one this program works with.
func (s Schema) Current() bool { return s.Have == s.Want }

// Schema tells which schema the database has.
func (db *DB) Schema(ctx context.Context) (Schema, error) {
	p, err := db.steps()
	if err != nil {
		return Schema{}, err
	}
	s, err := schema(ctx, p)
	if err != nil {
		return s, fmt.Errorf("look at the schema of store %s: %w", db.path, explain(err))
	}
	return s, nil
}

// Migrate brings the schema up to date and returns what it was before. The
// error is [ErrNewerSchema] where the database is ahead of this program; it
// stays as it is then.
func (db *DB) Migrate(ctx context.Context) (Schema, error) {
	was, err := db.migrate(ctx)
	if err != nil {
		return was, fmt.Errorf("migrate store %s: %w", db.path, explain(err))
	}
	return was, nil
}

func (db *DB) migrate(ctx context.Context) (Schema, error) {
	p, err := db.steps()
	if err != nil {
		return Schema{}, err
	}
	was, err := schema(ctx, p)
	switch {
	case err != nil:
		return was, err
	case was.Have > was.Want:
		return was, fmt.Errorf("schema %d, known up to %d: %w", was.Have, was.Want, ErrNewerSchema)
	case was.Current():
		return was, nil
	}
	_, err = p.Up(ctx)
	return was, err
}

// steps returns the steps that lead to the current schema. They run on the
// writer, the one connection that may change anything.
func (db *DB) steps() (*goose.Provider, error) {
	files, err := fs.Sub(migrations.SQLite, "sqlite")
	if err != nil {
		return nil, fmt.Errorf("find migrations: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db.writer, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	return p, nil
}

func schema(ctx context.Context, p *goose.Provider) (Schema, error) {
	have, want, err := p.GetVersions(ctx)
	return Schema{Have: have, Want: want}, err
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
