package persistence

import (
	"context"
	"time"

	"rowbot/match"
)

const (
	selectPending = `SELECT ` + matchColumns + ` FROM matches
		WHERE challenger_user = ?1 AND challenger_user <> '' AND status = 10
			AND invited_user = ?2 AND invited_level = 0 AND deadline > ?3 ORDER BY created DESC, id DESC LIMIT 1`
	selectPendingHere = `SELECT ` + matchColumns + ` FROM matches
		WHERE challenger_user = ?1 AND challenger_user <> '' AND status = 10
			AND invited_user = '' AND invited_level = 0 AND deadline > ?3 AND channel = ?2
		ORDER BY created DESC, id DESC LIMIT 1`
)

// Pending returns a challenge that waits for an answer; see match.Tx.
func (t *tx) Pending(ctx context.Context, q match.PendingQuery) (match.Match, error) {
	var m match.Match
	if err := t.take(ctx, q.Challenger); err != nil {
		return m, err
	}
	query, args := selectPending, []any{q.Challenger, q.Invited, q.Now.UnixMilli()}
	if q.Invited == "" {
		query, args = selectPendingHere, []any{q.Challenger, q.Channel, q.Now.UnixMilli()}
	}
	err := t.row(ctx, query, args, scanMatch(&m))
	return m, err
}

const selectStanding = `SELECT
	(SELECT count(*) FROM matches
		WHERE challenger_user = ?1 AND challenger_user <> '' AND status = 10 AND deadline > ?2),
	(SELECT count(*) FROM matches WHERE black_user = ?1 AND black_user <> '' AND status < 30 AND status = 20)
	+ (SELECT count(*) FROM matches WHERE white_user = ?1 AND white_user <> '' AND status < 30 AND status = 20)`

// Standing counts what a player has open; see match.Tx.
func (t *tx) Standing(ctx context.Context, user string, now time.Time) (match.Standing, error) {
	var s match.Standing
	if err := t.take(ctx, user); err != nil {
		return s, err
	}
	err := t.row(ctx, selectStanding, []any{user, now.UnixMilli()}, func(r scanner) error {
		return r.Scan(&s.Pending, &s.Running)
	})
	return s, err
}

const selectRebuffed = `SELECT ` + matchColumns + ` FROM matches
	WHERE challenger_user = ?1 AND challenger_user <> '' AND invited_user = ?2 AND status >= 40 AND status < 42
	ORDER BY changed DESC LIMIT 1 OFFSET ?3`

// Rebuffed returns a challenge that came to nothing; see match.Tx.
func (t *tx) Rebuffed(ctx context.Context, challenger, invited string, nth int) (match.Match, error) {
	var m match.Match
	err := t.row(ctx, selectRebuffed, []any{challenger, invited, int64(nth - 1)}, scanMatch(&m))
	return m, err
}

// countRated goes through what each has played as black since then, in an index that
// holds everything it needs.
const countRated = `SELECT
	(SELECT count(*) FROM matches WHERE black_user = ?1 AND black_user <> '' AND white_user = ?2 AND changed > ?3
		AND status IN (30, 31) AND unrated = 0 AND black_level = 0 AND white_level = 0)
	+ (SELECT count(*) FROM matches WHERE black_user = ?2 AND black_user <> '' AND white_user = ?1 AND changed > ?3
		AND status IN (30, 31) AND unrated = 0 AND black_level = 0 AND white_level = 0)`

// RatedBetween counts the rated matches of two people; see match.Tx.
func (t *tx) RatedBetween(ctx context.Context, one, other string, after time.Time) (int, error) {
	var n int
	if err := t.lockRecords(ctx, one, other); err != nil {
		return 0, err
	}
	err := t.row(ctx, countRated, []any{one, other, after.UnixMilli()}, func(s scanner) error { return s.Scan(&n) })
	return n, err
}

// lockPair finds the records that two people have everywhere, which every rated
// match of theirs writes. All lock them in the same order, so that nobody waits
// for somebody who waits for them.
const lockPair = `SELECT won FROM records
	WHERE user_id IN (?1, ?2) AND versus = '' AND scope = '*' AND game IN ('gomoku', 'ttt')
	ORDER BY user_id, game FOR UPDATE`

// lockRecords lets no other match of two people end before this transaction
// does: the matches counted would not be all there are. While neither has a
// record that could be locked, they take turns.
func (t *tx) lockRecords(ctx context.Context, one, other string) error {
	if t.locks == nil || !t.locks.writes {
		return nil
	}
	for range 2 {
		locked := false
		err := t.rows(ctx, lockPair, []any{one, other}, func(scanner) error { locked = true; return nil })
		if err != nil || locked {
			return err
		}
		if err := t.take(ctx, min(one, other)); err != nil {
			return err
		}
	}
	return nil
}
