package persistence

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
)

// errReadOnly means that a server follows another one, or is set not to write.
var errReadOnly = errors.New("it cannot be written: the server only reads; give the address of the one that takes writes")

// The codes that PostgreSQL's manual lists in its appendix A.
const (
	codeDuplicate     = "23505"
	codeSerialization = "40001"
	codeDeadlock      = "40P01"
	codeUndefined     = "42704"
)

// remedy says what is wrong with a server, and what to do about it.
type remedy struct{ reason, advice string }

var (
	unknown   = remedy{"the address has a setting that the server does not know", "correct what is behind its question mark"}
	unwilling = remedy{"the server refuses the connection", "see that the address is right, also behind its question mark"}
	unreached = remedy{"the server cannot be reached", "see that it runs, and that the address has the right host, port and sslmode"}
	remedies  = map[string]remedy{
		"28P01": {"the password is not the user's", "put the right one into the address"},
		"28000": {"it may not be accessed by this user, or from here", "see that the user in the address exists, and that pg_hba.conf on the server lets it in"},
		"3D000": {"there is no such database on the server", "make it with createdb, or put the name of another one into the address"},
		"42501": {"the user may not do what is needed", "make it the owner of the database"},
		"25006": {"it cannot be written", "give the address of a server that takes writes"},
		"53300": {"the server has no connection left", "raise max_connections there, or lower " + connectionsKey + " in the address"},
		"53100": {"the server's disk is full", "make room there"},
		"57P03": {"the server is just starting or stopping", "try again in a moment"},
	}
)

// serverError is an error with a server, in one sentence.
type serverError struct {
	text string
	err  error
}

func (e *serverError) Error() string { return e.text }
func (e *serverError) Unwrap() error { return e.err }

// explainServer turns a server's errors, which may fill several lines, into one sentence
// that also says what to do. Other errors stay as they are.
func explainServer(err error) error {
	var found remedy
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		found = remedies[e.Code]
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok && found == (remedy{}) {
		found = unreached
		if e, answered := errors.AsType[*pgconn.PgError](err); answered && e.Code == codeUndefined {
			found = unknown
		} else if answered {
			found = unwilling
		}
	}
	if found == (remedy{}) {
		return err
	}
	return &serverError{fmt.Sprintf("%s (%s); %s", found.reason, strings.Join(causes(err), ", "), found.advice), err}
}

// causes are the innermost reasons of an error, each once: a connection is tried
// with and without encryption, and at each of several addresses.
func causes(err error) (all []string) {
	switch e := err.(type) { //nolint:errorlint // it goes down the tree by itself
	case interface{ Unwrap() []error }:
		for _, each := range e.Unwrap() {
			for _, cause := range causes(each) {
				if !slices.Contains(all, cause) {
					all = append(all, cause)
				}
			}
		}
		return all
	case *pgconn.PgError:
		return []string{e.Message}
	case *net.DNSError:
		return []string{e.Name + ": " + e.Err}
	case *net.OpError:
		if e.Addr != nil {
			return []string{e.Addr.String() + ": " + strings.Join(causes(e.Err), ", ")}
		}
	}
	if inner := errors.Unwrap(err); inner != nil {
		return causes(inner)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return []string{"no answer in time"}
	}
	return []string{strings.Join(strings.Fields(err.Error()), " ")}
}

// isLost reports whether a statement failed because the connection to the server ended:
// the server said so (classes 08 and 57P), or no answer came. A statement that took too
// long is not counted.
func isLost(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return strings.HasPrefix(e.Code, "08") || strings.HasPrefix(e.Code, "57P")
	}
	return err != nil && !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) &&
		(pgconn.SafeToRetry(err) || errors.Is(err, pgconn.ErrConnClosed) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
			errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, driver.ErrBadConn))
}
