package persistence

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
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

// errReadOnly means that a server follows another one, or is set not to write.
var errReadOnly = errors.New("it cannot be written: the server only reads")

// explain puts words for the operator before what the database says.
func explain(err error) error {
	reason := ""
	if e, ok := errors.AsType[sqlite3.Error](err); ok {
		reason = reasons[e.Code]
	}
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		reason = serverReasons[e.Code]
	} else if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		reason = "the server cannot be reached"
	}
	if reason != "" {
		return fmt.Errorf("%s: %w", reason, err)
	}
	return err
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

// The codes that PostgreSQL's manual lists in its appendix A.
const (
	codeDuplicate     = "23505"
	codeSerialization = "40001"
	codeDeadlock      = "40P01"
)

var serverReasons = map[string]string{
	"28P01": "the password is not the user's",
	"28000": "it may not be accessed by this user, or from here",
	"3D000": "there is no such database on the server",
	"42501": "the user may not do what is needed",
	"25006": "it cannot be written",
	"53300": "the server has no connection left",
	"53100": "the server's disk is full",
	"57P03": "the server is just starting or stopping",
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

// isLost reports whether a statement failed because the connection to the server
// has ended: the server said so (classes 08 and 57P), or there was no answer. One
// that took too long is not among it.
func isLost(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return strings.HasPrefix(e.Code, "08") || strings.HasPrefix(e.Code, "57P")
	}
	return err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) &&
		(pgconn.SafeToRetry(err) || errors.Is(err, pgconn.ErrConnClosed) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
			errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, driver.ErrBadConn))
}
