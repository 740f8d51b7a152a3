package persistence

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"rowbot/match"
)

const (
	// outageLimit is [DB].outage: as long as a statement may take anyway, within
	// Discord's three seconds. A server that is restarted is back by then.
	outageLimit = statementLimit
	// outagePause is the longest pause between two tries. The first one is
	// busyPause, since often only the connections of the pool have ended.
	outagePause = 100 * time.Millisecond
)

// patiently does a transaction as soon as one of the places is free, and tries it again
// while the server is away. Between the tries it leaves its place, so that nobody's time
// runs out in the line.
func (db *DB) patiently(ctx context.Context, places line, pool *sql.DB, writes bool, f func(match.Tx) error) error {
	var over <-chan time.Time
	if db.server {
		timer := time.NewTimer(db.outage)
		defer timer.Stop()
		over = timer.C
	}
	for pause := busyPause; ; pause = min(2*pause, outagePause) {
		err := db.placed(ctx, places, pool, writes, f)
		if !errors.Is(err, errAway) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the database: %w: %w", ctx.Err(), err)
		case <-over:
			return err
		case <-time.After(pause):
		}
	}
}

// placed does a transaction when one of the places is free.
func (db *DB) placed(ctx context.Context, places line, pool *sql.DB, writes bool, f func(match.Tx) error) error {
	if err := places.enter(ctx); err != nil {
		return err
	}
	defer places.leave()
	return db.run(ctx, pool, writes, f)
}

// away marks the error of a transaction that could not begin because the server is not
// there. It leaves the error as it is where the caller's time is over.
func away(ctx context.Context, err error) error {
	if ctx.Err() == nil && isAway(err) {
		return fmt.Errorf("%w: %w", errAway, err)
	}
	return err
}

// isAway reports whether no connection could be made, or one had ended before it was
// used, for a reason that may pass (which a wrong password does not).
func isAway(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return isLost(err) || strings.HasPrefix(e.Code, "53") // it has no connection, memory or disk left
	}
	if _, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return true
	}
	return isLost(err)
}

// uncommitted is the error of a COMMIT that failed. Where the connection was lost,
// nothing tells whether the server has carried it out, unless it was not even sent. A
// transaction that only reads has nothing to lose.
func uncommitted(writes bool, err error) error {
	switch {
	case errors.Is(err, driver.ErrBadConn) || pgconn.SafeToRetry(err) || !writes && isLost(err):
		return fmt.Errorf("%w: %w", errLost, err)
	case isLost(err) || errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%w: %w", match.ErrUnsure, err)
	}
	return err
}
