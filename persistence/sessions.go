package persistence

import (
	"context"
	"errors"
	"fmt"
	"time"

	"rowbot/match"
)

// Session is a session of Discord's gateway that a process has left for the next
// one: all that is needed to go on with it but the bot's token.
type Session struct {
	Shard, Shards int // which of how many
	Intents       int // that it was begun with
	ID, URL       string
	Seq           int64     // of the last event that was handled
	At            time.Time // when it was left
}

const (
	findSession = `SELECT session, url, seq, shards, intents, at FROM sessions WHERE shard = ?1`
	holdShard   = `INSERT INTO sessions (shard, holder, session, url, seq, shards, intents, at) VALUES (?1, ?2, '', '', 0, 0, 0, 0)
	ON CONFLICT (shard) DO UPDATE SET holder = excluded.holder, session = '', url = '', seq = 0, shards = 0, intents = 0, at = 0`
	leaveSession = `INSERT INTO sessions (shard, holder, session, url, seq, shards, intents, at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
	ON CONFLICT (shard) DO UPDATE SET holder = excluded.holder, session = excluded.session, url = excluded.url, seq = excluded.seq,
		shards = excluded.shards, intents = excluded.intents, at = excluded.at
		WHERE sessions.holder = excluded.holder OR sessions.session <> ''`
)

// TakeSession makes a holder the one that has a shard from now on, and returns the
// session that was left for it, if there is one. It is returned once: whoever
// takes the shard next does not get it.
func (db *DB) TakeSession(ctx context.Context, shard int, holder string) (s Session, ok bool, err error) {
	err = db.Update(ctx, func(writes match.Tx) error {
		t := writes.(*tx)
		s, ok = Session{Shard: shard}, false
		var at int64
		err := t.row(ctx, t.locks.forUpdate(findSession), []any{int64(shard)}, func(row scanner) error {
			return row.Scan(&s.ID, &s.URL, &s.Seq, &s.Shards, &s.Intents, &at)
		})
		if err != nil && !errors.Is(err, match.ErrNotFound) {
			return err
		}
		s.At, ok = time.UnixMilli(at), s.ID != ""
		_, err = t.exec(ctx, holdShard, int64(shard), holder)
		return err
	})
	if err != nil {
		return Session{}, false, fmt.Errorf("take the session of shard %d: %w", shard, err)
	}
	return s, ok, nil
}

// LeaveSession leaves a session for whoever takes its shard next. It does not, and
// reports so, where another holder has the shard by now; one that has left a
// session itself has it no more.
func (db *DB) LeaveSession(ctx context.Context, s Session, holder string) (left bool, err error) {
	err = db.Update(ctx, func(writes match.Tx) error {
		n, err := writes.(*tx).exec(ctx, leaveSession, int64(s.Shard), holder, s.ID, s.URL, s.Seq, int64(s.Shards), int64(s.Intents), s.At.UnixMilli())
		left = n > 0
		return err
	})
	if err != nil {
		return false, fmt.Errorf("leave the session of shard %d: %w", s.Shard, err)
	}
	return left, nil
}
