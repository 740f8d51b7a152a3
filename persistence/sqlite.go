package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/mattn/go-sqlite3" // also the driver "sqlite3"
)

// How each connection is set up. Everything goes through the DSN, because a
// pragma that is executed reaches only one connection of a pool.
//
// synchronous=FULL: what was answered is never ahead of the file, not even after a
// power cut. The transaction lock is immediate because a transaction that reads first
// and writes later is refused at once if another wrote in between. The statement cache
// is larger than the number of statements. The page caches, of at most 6 MB for the
// writer and 2 MB for each reader, are a compromise: what is not in them comes from the
// system's cache, and SQLite never gives back what it has filled. The writer's is
// larger because moves use all parts of the indexes by ID and by deadline. Three
// readers are enough: a view takes some 0.1 ms.
const (
	common      = "_journal_mode=WAL&_synchronous=FULL&_foreign_keys=1&_busy_timeout=1000&_stmt_cache_size=64"
	writerQuery = common + "&_txlock=immediate&_cache_size=-6000"
	readerQuery = common + "&_query_only=1&_cache_size=-2000"
	// Opening or copying a file may take longer than Discord waits for an answer.
	probeQuery = "_busy_timeout=5000"

	maxReaders = 3
	// openLimit is for how long opening a file is tried while others keep it locked.
	openLimit = 5 * time.Second
	// openPause is the pause between two tries.
	openPause = 20 * time.Millisecond
)

// OpenSQLite opens the SQLite database in a file, which it creates where there
// is none (but not its folder), and brings the schema up to date. It refuses,
// untouched, what is not a database of Rowbot's, and, with [ErrNewerSchema], a
// database that a newer Rowbot has written. Every error is a sentence that
// names the path, fit for the operator.
func OpenSQLite(ctx context.Context, path string, opts ...Option) (*DB, error) {
	var o options
	for _, opt := range opts {
		opt(&o)
	}
	var db *DB
	err := whileBusy(ctx, func() (err error) {
		db, err = openFile(ctx, path, o)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, explain(err))
	}
	return db, nil
}

// whileBusy does something, and again for as long as others keep the file locked, up to
// openLimit. It is for what happens before anybody plays: processes that begin or end at
// the same time lock each other out for a moment, sometimes without SQLite waiting for
// it (when it turns the log on, say, or repairs it after a crash).
func whileBusy(ctx context.Context, do func() error) error {
	over := time.NewTimer(openLimit)
	defer over.Stop()
	for {
		err := do()
		e, ok := errors.AsType[sqlite3.Error](err)
		if !ok || e.Code != sqlite3.ErrBusy && e.Code != sqlite3.ErrProtocol {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-over.C:
			return err
		case <-time.After(openPause):
		}
	}
}

func openFile(ctx context.Context, path string, o options) (*DB, error) {
	if err := checkPath(path); err != nil {
		return nil, err
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := probe(ctx, absolute); err != nil {
		return nil, err
	}
	db := &DB{name: path, path: absolute, views: make(line, maxReaders)}
	db.group = &group{db: db}
	if db.writer, err = connect(absolute, writerQuery, 1); err != nil {
		return nil, err
	}
	if db.readers, err = connect(absolute, readerQuery, maxReaders); err != nil {
		return nil, errors.Join(err, db.writer.Close())
	}
	db.unfolded.Store(foldAfter)
	if err := db.prepare(ctx, o); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	db.employ(ctx, o)
	return db, nil
}

// connect makes a pool of connections that stay open. It does not touch the file yet.
func connect(absolute, query string, connections int) (*sql.DB, error) {
	pool, err := sql.Open("sqlite3", dsn(absolute, query))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool, nil
}

// inURI escapes what has a meaning of its own in a file: URI.
var inURI = strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23")

// dsn names a file and the settings of a connection to it.
func dsn(absolute, query string) string {
	return "file:" + inURI.Replace(absolute) + "?" + query
}
