package persistence

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"sync"
	"time"

	"rowbot/match"
)

const (
	// statementLimit ends, on this side, whatever the server does not answer;
	// Discord waits three seconds for everything together.
	statementLimit = 2500 * time.Millisecond
	// longLimit is that for the few statements that change all that belongs to a
	// person or a guild.
	longLimit = time.Minute
)

// beginOnServer begins a transaction on PostgreSQL, in one message. Nothing is
// set for longer than the transaction: behind a pooler, the next one may run on
// another connection. A client that is gone without a word holds its locks for
// no longer than the second limit.
//
// What reads sees one state throughout. What writes locks what it reads, and
// sees after each wait what there is by then; see [locks].
func beginOnServer(writes bool) string {
	const limits = "; SET LOCAL statement_timeout = 2000; SET LOCAL idle_in_transaction_session_timeout = 5000"
	if writes {
		return "BEGIN READ WRITE, ISOLATION LEVEL READ COMMITTED" + limits
	}
	return "BEGIN READ ONLY, ISOLATION LEVEL REPEATABLE READ" + limits
}

var (
	// errAgain asks for a transaction to be run again: another one has stored
	// meanwhile what this one had found missing.
	errAgain = errors.New("somebody else was faster")
	// errLost means that the connection was lost before the commit.
	errLost = errors.New("the connection was lost")
	// errAway means that no transaction could even be begun, since the server is
	// not there.
	errAway = errors.New("the server is away")
)

// locks is what makes transactions on PostgreSQL come out as if they had run one
// after the other, which in SQLite they do. There are no writers that take turns
// there, so that in place of it:
//
//   - a match, record, guild or person's preferences that are read to be written
//     are locked (FOR UPDATE) until the end;
//   - one that was missing cannot be locked: if it is there when it is to be
//     stored, the transaction is run again;
//   - what is counted before something is started is counted in turn, person by
//     person; what a person prefers is read in the same turn.
//
// All methods work on nil, which is SQLite, and do nothing there.
type locks struct {
	writes   bool
	patience time.Duration    // how long a statement may take; 0: as long as it takes
	missing  map[any]struct{} // keys of what was looked for in vain
	turns    []uint32         // slots that are held
	broken   error            // what a statement failed with; nothing works after it
}

// limit bounds one statement.
func (l *locks) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if l.patience == 0 {
		return ctx, nothing
	}
	return context.WithTimeout(ctx, l.patience)
}

var (
	numbered = regexp.MustCompile(`\?(\d+)`)
	rewrites sync.Map // queries for SQLite, and what they are for PostgreSQL
)

// text returns a query in the database's own words: parameters are ?1 in SQLite
// and $1 in PostgreSQL.
func (l *locks) text(query string) string {
	if l == nil {
		return query
	}
	if known, ok := rewrites.Load(query); ok {
		return known.(string)
	}
	rewritten := numbered.ReplaceAllString(query, "$$$1")
	rewrites.Store(query, rewritten)
	return rewritten
}

// forUpdate makes a query lock the rows that it finds, where they may be written
// afterwards.
func (l *locks) forUpdate(query string) string {
	if l == nil || !l.writes {
		return query
	}
	return query + " FOR UPDATE"
}

// note remembers that a statement failed, after which PostgreSQL takes no other
// one in the transaction.
func (l *locks) note(err error) error {
	if l != nil && err != nil && l.broken == nil {
		l.broken = err
	}
	return err
}

// err is what has broken the transaction.
func (l *locks) err() error {
	if l == nil {
		return nil
	}
	return l.broken
}

// failed is the error of a transaction that did not come to its end. Where the
// database asks for another try, that counts, whatever was made of it; so does a
// lost connection, with which everything is undone.
func (t *tx) failed(ctx context.Context, err error) error {
	broken := t.locks.err()
	switch {
	case broken == nil || ctx.Err() != nil:
		return err
	case isBusy(broken):
		return broken
	case isLost(broken):
		return fmt.Errorf("%w: %w", errLost, err)
	}
	return err
}

// miss remembers that there was nothing of a key.
func (l *locks) miss(key any, err error) {
	if l == nil || !l.writes || !errors.Is(err, match.ErrNotFound) {
		return
	}
	if l.missing == nil {
		l.missing = map[any]struct{}{}
	}
	l.missing[key] = struct{}{}
}

// putNew stores with insert what was missing before; put is the way otherwise.
// The two statements differ in what they do where there is something by now.
func (t *tx) putNew(ctx context.Context, key any, put, insert string, args ...any) error {
	_, missed := t.locks.missed(key)
	if !missed {
		_, err := t.exec(ctx, put, args...)
		return err
	}
	n, err := t.exec(ctx, insert, args...)
	if err == nil && n == 0 {
		return errAgain
	}
	delete(t.locks.missing, key)
	return err
}

func (l *locks) missed(key any) (found struct{}, ok bool) {
	if l != nil {
		found, ok = l.missing[key]
	}
	return found, ok
}

const (
	slots      = 1024 // rows in the table turns
	lockSlot   = `SELECT slot FROM turns WHERE slot = ?1 FOR UPDATE`
	lockIfFree = lockSlot + ` SKIP LOCKED`
	matchKnown = `SELECT 1 FROM matches WHERE id = ?1`
)

// outOfTurn asks for a transaction to be run again, and for turns to be taken at its
// beginning.
type outOfTurn struct{ turns []uint32 }

func (outOfTurn) Error() string { return "turns were not taken in their order" }
func (outOfTurn) Unwrap() error { return errAgain }

// take waits until nobody else starts anything for a person, and keeps it so until the
// end of the transaction. It waits for turns in ascending order alone: two people may
// act towards each other at the same moment, and each transaction would have what the
// other one waits for. One that comes to need an earlier turn, and does not get it at
// once, begins again and takes that one first.
func (t *tx) take(ctx context.Context, user string) error {
	if t.locks == nil || !t.locks.writes {
		return nil
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(user)) // never fails
	slot := h.Sum32() % slots
	if slices.Contains(t.locks.turns, slot) {
		return nil
	}
	return t.takeSlot(ctx, slot)
}

// takeAhead takes turns before anything else is done.
func (t *tx) takeAhead(ctx context.Context, turns []uint32) error {
	for _, slot := range slices.Sorted(slices.Values(turns)) {
		if err := t.takeSlot(ctx, slot); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) takeSlot(ctx context.Context, slot uint32) error {
	query := lockSlot
	late := len(t.locks.turns) > 0 && slot < slices.Max(t.locks.turns)
	if late {
		query = lockIfFree
	}
	var n int64
	err := t.row(ctx, query, []any{int64(slot)}, func(s scanner) error { return s.Scan(&n) })
	if late && errors.Is(err, match.ErrNotFound) {
		return outOfTurn{append(slices.Clone(t.locks.turns), slot)}
	}
	if err != nil {
		return err
	}
	t.locks.turns = append(t.locks.turns, slot)
	return t.stillMissing(ctx)
}

// stillMissing looks again for matches that were missing before a wait: the same
// interaction may have come twice, and one of them may have been stored meanwhile.
func (t *tx) stillMissing(ctx context.Context) error {
	for key := range t.locks.missing {
		id, ok := key.(match.ID)
		if !ok {
			continue
		}
		var n int64
		err := t.row(ctx, matchKnown, []any{string(id)}, func(s scanner) error { return s.Scan(&n) })
		switch {
		case err == nil:
			return errAgain
		case !errors.Is(err, match.ErrNotFound):
			return err
		}
	}
	return nil
}
