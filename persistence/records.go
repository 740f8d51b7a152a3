package persistence

import (
	"context"
	"errors"
	"fmt"

	"rowbot/match"
	"rowbot/match/rating"
)

// recordColumns are the columns of a record in the order of scanRecord.
const recordColumns = `user_id, game, versus, scope, won, drawn, lost, streak, best,
	points, deviation, volatility, updated`

const selectRecord = `SELECT ` + recordColumns + ` FROM records
	WHERE user_id = ?1 AND game = ?2 AND versus = ?3 AND scope = ?4`

// Record returns a record; see match.Tx.
func (t *tx) Record(ctx context.Context, k match.RecordKey) (match.Record, error) {
	var r match.Record
	err := t.row(ctx, t.locks.forUpdate(selectRecord), []any{k.User, string(k.Game), k.Versus, k.Scope}, scanRecord(&r))
	if errors.Is(err, match.ErrNotFound) {
		t.locks.miss(k, err)
		return match.Record{RecordKey: k, Rating: rating.New()}, nil
	}
	return r, err
}

const (
	insertRecord = `INSERT INTO records (user_id, game, versus, scope, won, drawn, lost, streak, best, updated,
		points, deviation, volatility)
	VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) ` + orNothing
	upsertRecord = `INSERT INTO records (user_id, game, versus, scope, won, drawn, lost, streak, best, updated,
		points, deviation, volatility)
	VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
	ON CONFLICT (user_id, game, versus, scope) DO UPDATE SET
		won = excluded.won, drawn = excluded.drawn, lost = excluded.lost,
		streak = excluded.streak, best = excluded.best, updated = excluded.updated`
)

// PutRecord stores a record; see match.Tx. A new one begins with a newcomer's rating.
func (t *tx) PutRecord(ctx context.Context, r match.Record) error {
	t.ranked = t.ranked || r.Scope == match.Everywhere && r.Versus == ""
	newcomer := rating.New()
	return t.putNew(ctx, r.RecordKey, upsertRecord, insertRecord, r.User, string(r.Game), r.Versus, r.Scope,
		int64(r.Won), int64(r.Drawn), int64(r.Lost), int64(r.Streak), int64(r.Best), millis(r.Updated),
		newcomer.Points, newcomer.Deviation, newcomer.Volatility)
}

const updateRating = `UPDATE records SET points = ?3, deviation = ?4, volatility = ?5
	WHERE user_id = ?1 AND game = ?2 AND versus = ''`

// PutRating stores a rating in a player's records against people; see match.Tx.
func (t *tx) PutRating(ctx context.Context, user string, g match.Game, r rating.Rating) error {
	t.ranked = true
	_, err := t.exec(ctx, updateRating, user, string(g), r.Points, r.Deviation, r.Volatility)
	return err
}

// selectRecords steps over the records against single people, which may be
// many: 'level;' is the first text after all that begin with 'level:'.
const selectRecords = `SELECT ` + recordColumns + ` FROM records
		WHERE user_id = ?1 AND game IN (?2, ?3) AND versus = '' AND scope = ?4
	UNION ALL SELECT ` + recordColumns + ` FROM records
		WHERE user_id = ?1 AND game IN (?2, ?3) AND versus >= 'level:' AND versus < 'level;' AND scope = ?4
	ORDER BY 2, 3`

// Records returns a player's records everywhere; see match.Tx. They are sorted
// by game, and then by whom they are against: people first.
func (t *tx) Records(ctx context.Context, user string) ([]match.Record, error) {
	args := []any{user, string(match.Gomoku), string(match.TicTacToe), match.Everywhere}
	return t.records(ctx, selectRecords, args)
}

const (
	selectLeadersByRating = `SELECT ` + recordColumns + ` FROM records
		WHERE scope = ?1 AND game = ?2 AND versus = ''
		ORDER BY points DESC, won DESC, lost, drawn DESC, user_id LIMIT ?3 OFFSET ?4`
	selectLeadersByWins = `SELECT ` + recordColumns + ` FROM records
		WHERE scope = ?1 AND game = ?2 AND versus = ''
		ORDER BY won DESC, points DESC, lost, drawn DESC, user_id LIMIT ?3 OFFSET ?4`
)

// Leaders returns a page of a leaderboard; see match.Tx.
func (t *tx) Leaders(ctx context.Context, q match.LeadersQuery) ([]match.Record, error) {
	query, err := byOrder(q.By, selectLeadersByRating, selectLeadersByWins)
	if err != nil {
		return nil, err
	}
	return t.records(ctx, query, []any{q.Scope, string(q.Game), int64(q.Limit), int64(q.Offset)})
}

// What is above by the first figure alone is counted in the index without looking
// at anything else; the rest is compared with those of the same first figure only.
const (
	countAboveByRating = `SELECT
		(SELECT count(*) FROM records WHERE scope = ?1 AND game = ?2 AND versus = '' AND points > ?3)
		+ (SELECT count(*) FROM records WHERE scope = ?1 AND game = ?2 AND versus = '' AND points = ?3
			AND (won > ?4 OR (won = ?4
				AND (lost < ?5 OR (lost = ?5 AND (drawn > ?6 OR (drawn = ?6 AND user_id < ?7)))))))`
	countAboveByWins = `SELECT
		(SELECT count(*) FROM records WHERE scope = ?1 AND game = ?2 AND versus = '' AND won > ?4)
		+ (SELECT count(*) FROM records WHERE scope = ?1 AND game = ?2 AND versus = '' AND won = ?4
			AND (points > ?3 OR (points = ?3
				AND (lost < ?5 OR (lost = ?5 AND (drawn > ?6 OR (drawn = ?6 AND user_id < ?7)))))))`
)

// Place returns the place of a record among the leaders; see match.Tx.
func (t *tx) Place(ctx context.Context, r match.Record, by match.Order) (int, error) {
	query, err := byOrder(by, countAboveByRating, countAboveByWins)
	if err != nil {
		return 0, err
	}
	if r.Scope == match.Everywhere {
		return t.placeEverywhere(ctx, r, by)
	}
	var above int
	err = t.row(ctx, query, []any{
		r.Scope, string(r.Game), r.Rating.Points, int64(r.Won), int64(r.Lost), int64(r.Drawn), r.User,
	}, func(s scanner) error { return s.Scan(&above) })
	return above + 1, err
}

// byOrder picks the query for an order. An order nobody knows is a mistake of
// the caller's, not something to guess at.
func byOrder(o match.Order, byRating, byWins string) (string, error) {
	switch o {
	case match.ByRating:
		return byRating, nil
	case match.ByWins:
		return byWins, nil
	}
	return "", fmt.Errorf("unknown order %q", string(o))
}

func (t *tx) records(ctx context.Context, query string, args []any) ([]match.Record, error) {
	var found []match.Record
	err := t.rows(ctx, query, args, func(s scanner) error {
		var r match.Record
		if err := scanRecord(&r)(s); err != nil {
			return err
		}
		found = append(found, r)
		return nil
	})
	return found, err
}

// scanRecord reads recordColumns into a record.
func scanRecord(r *match.Record) func(scanner) error {
	return func(s scanner) error {
		var updated int64
		err := s.Scan(&r.User, &r.Game, &r.Versus, &r.Scope, &r.Won, &r.Drawn, &r.Lost, &r.Streak, &r.Best,
			&r.Rating.Points, &r.Rating.Deviation, &r.Rating.Volatility, &updated)
		r.Updated = moment(updated)
		return err
	}
}
