package persistence

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/mattn/go-sqlite3"
)

// checkPath finds the mistakes in a path for which SQLite has no clear words.
func checkPath(path string) error {
	if path == "" {
		return errors.New("no path given")
	}
	if path == ":memory:" { // SQLite's name for what is gone at the end; here it would be a file's
		return errors.New("matches are not kept in memory alone; name a file, such as rowbot.db")
	}
	if strings.ContainsRune(path, 0) {
		return errors.New("its name cannot be that of a file")
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("it is a folder, not a file")
	default:
		return nil
	}
	folder := filepath.Dir(path)
	info, err = os.Stat(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s", folder)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", folder)
	}
	return nil
}

// explain adds words for the operator to the errors of an SQLite file, and replaces
// those of a server.
func explain(err error) error {
	if e, ok := errors.AsType[sqlite3.Error](err); ok && reasons[e.Code] != "" {
		return fmt.Errorf("%s: %w", reasons[e.Code], err)
	}
	return explainServer(err)
}

var reasons = map[sqlite3.ErrNo]string{
	sqlite3.ErrNotADB:   "it is not an SQLite database",
	sqlite3.ErrCantOpen: "it cannot be opened or created",
	sqlite3.ErrReadonly: "it cannot be written",
	sqlite3.ErrPerm:     "it may not be accessed",
	sqlite3.ErrBusy:     "another program keeps it locked",
	sqlite3.ErrCorrupt:  "it is damaged",
	sqlite3.ErrFull:     "the disk is full",
	sqlite3.ErrIoErr:    "the disk cannot be read or written",
}

// isBusy reports whether the database asks to run the transaction again.
func isBusy(err error) bool {
	if err == nil {
		return false
	}
	if e, ok := errors.AsType[sqlite3.Error](err); ok {
		return e.Code == sqlite3.ErrBusy
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code == codeSerialization || e.Code == codeDeadlock
	}
	return errors.Is(err, errAgain)
}

// isDuplicate reports whether a row was refused because its key is taken.
func isDuplicate(err error) bool {
	if err == nil {
		return false
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return e.Code == codeDuplicate
	}
	e, ok := errors.AsType[sqlite3.Error](err)
	return ok && (e.ExtendedCode == sqlite3.ErrConstraintUnique || e.ExtendedCode == sqlite3.ErrConstraintPrimaryKey)
}
