package persistence

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"
)

// How each connection is set up. Everything goes through the DSN, because a
// pragma that is executed reaches only one connection of a pool.
//
// synchronous=FULL: what was answered is never ahead of the file, not even
// after a power cut. The transaction lock is immediate because one that reads
// first and writes later is refused at once when another wrote in between. The
// statement cache is larger than the number of statements there are. The page
// caches, of at most 7 MB for the writer and 1 MB for each reader, are a bargain, since
// what is not in them comes from the system's cache, and SQLite never gives back what
// it has filled. The writer's holds the indexes by ID and by deadline of 100,000 running
// matches, so that a move reads the match's own page alone; readers find what they
// list in an index, and keep little but the pages above its leaves.
const (
	common      = "_journal_mode=WAL&_synchronous=FULL&_foreign_keys=1&_busy_timeout=1000&_stmt_cache_size=64"
	writerQuery = common + "&_txlock=immediate&_cache_size=-7000"
	readerQuery = common + "&_query_only=1&_cache_size=-1000"
	probeQuery  = "_busy_timeout=1000"

	maxReaders = 4
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
	db, err := openFile(ctx, path, o)
	if err != nil {
		return nil, fmt.Errorf("open store %s: %w", path, explain(err))
	}
	return db, nil
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
	db := &DB{name: path, views: make(line, maxReaders)}
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
