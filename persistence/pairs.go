package persistence

import (
	"context"
	"time"

	"rowbot/match"
)

const (
	selectPending = `SELECT ` + matchColumns + ` FROM matches
		WHERE challenger_user = ?1 AND challenger_user <> '' AND status < 30 AND status = 10
			AND invited_user = ?2 AND invited_level = 0 AND deadline > ?3 ORDER BY created DESC, id DESC LIMIT 1`
	selectPendingHere = `SELECT ` + matchColumns + ` FROM matches
		WHERE challenger_user = ?1 AND challenger_user <> '' AND status < 30 AND status = 10
			AND invited_user = '' AND invited_level = 0 AND deadline > ?3 AND channel = ?2
		ORDER BY created DESC, id DESC LIMIT 1`
)

// Pending returns a challenge that waits for an answer; see match.Tx.
func (t *tx) Pending(ctx context.Context, q match.PendingQuery) (match.Match, error) {
	var m match.Match
	query, args := selectPending, []any{q.Challenger, q.Invited, q.Now.UnixMilli()}
	if q.Invited == "" {
		query, args = selectPendingHere, []any{q.Challenger, q.Channel, q.Now.UnixMilli()}
	}
	err := t.row(ctx, query, args, scanMatch(&m))
	return m, err
}

const selectStanding = `SELECT
	(SELECT count(*) FROM matches
		WHERE challenger_user = ?1 AND challenger_user <> '' AND status < 30 AND status = 10 AND deadline > ?2),
	(SELECT count(*) FROM matches WHERE black_user = ?1 AND black_user <> '' AND status < 30 AND status = 20)
	+ (SELECT count(*) FROM matches WHERE white_user = ?1 AND white_user <> '' AND status < 30 AND status = 20)`

// Standing counts what a player has open; see match.Tx.
func (t *tx) Standing(ctx context.Context, user string, now time.Time) (match.Standing, error) {
	var s match.Standing
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

const countRated = `SELECT
	(SELECT count(*) FROM matches WHERE black_user = ?1 AND white_user = ?2 AND changed > ?3
		AND status IN (30, 31) AND unrated = 0 AND black_level = 0 AND white_level = 0)
	+ (SELECT count(*) FROM matches WHERE black_user = ?2 AND white_user = ?1 AND changed > ?3
		AND status IN (30, 31) AND unrated = 0 AND black_level = 0 AND white_level = 0)`

// RatedBetween counts the rated matches of two people; see match.Tx.
func (t *tx) RatedBetween(ctx context.Context, one, other string, after time.Time) (int, error) {
	var n int
	err := t.row(ctx, countRated, []any{one, other, after.UnixMilli()}, func(s scanner) error { return s.Scan(&n) })
	return n, err
}
