package persistence

import (
	"context"
	"time"

	"rowbot/match"
)

// Each list of alarms says of those that ring whether that is too early: whether the
// row says otherwise by now.
const (
	selectDue = `SELECT id, due, CASE WHEN deadline > 0 AND deadline <= ?1 THEN 0 ELSE 1 END FROM matches
		WHERE status < 30 AND due <= ?1 AND (due, id) > (?2, ?3) ORDER BY due, id LIMIT ?4`
	selectQuiet = `SELECT id, quiet, CASE WHEN status = 20 AND deadline > 0 AND black_level = 0 AND white_level = 0
			AND told < since AND changed <= ?1 AND moved <= ?1 THEN 0 ELSE 1 END FROM matches
		WHERE quiet <= ?1 AND (quiet, id) > (?2, ?3) ORDER BY quiet, id LIMIT ?4`
	selectShort = `SELECT id, warn, CASE WHEN status = 20 AND deadline > 0 AND reminded < since
			AND deadline - pace / 3 <= ?1 THEN 0 ELSE 1 END FROM matches
		WHERE warn <= ?1 AND (warn, id) > (?2, ?3) ORDER BY warn, id LIMIT ?4`
)

// Due returns the alarms of deadlines; see match.Tx.
func (t *tx) Due(ctx context.Context, now time.Time, after match.Alarm, limit int) ([]match.Alarm, error) {
	if first := time.UnixMilli(1); after.At.Before(first) { // 0 is no deadline
		after.At = first
	}
	return t.alarms(ctx, selectDue, now, after, limit)
}

// Quiet returns the alarms of turns that nobody was told of; see match.Tx.
func (t *tx) Quiet(ctx context.Context, since time.Time, after match.Alarm, limit int) ([]match.Alarm, error) {
	return t.alarms(ctx, selectQuiet, since, after, limit)
}

// ShortOfTime returns the alarms of those who are to be warned; see match.Tx.
func (t *tx) ShortOfTime(ctx context.Context, now time.Time, after match.Alarm, limit int) ([]match.Alarm, error) {
	return t.alarms(ctx, selectShort, now, after, limit)
}

func (t *tx) alarms(ctx context.Context, query string, until time.Time, after match.Alarm, limit int) ([]match.Alarm, error) {
	var found []match.Alarm
	args := []any{until.UnixMilli(), millis(after.At), string(after.Match), int64(limit)}
	err := t.rows(ctx, query, args, func(s scanner) error {
		var a match.Alarm
		var at int64
		if err := s.Scan(&a.Match, &at, &a.Early); err != nil {
			return err
		}
		a.At = moment(at)
		found = append(found, a)
		return nil
	})
	return found, err
}

const updateAlarms = `UPDATE matches SET
		due = CASE WHEN status < 30 THEN deadline ELSE 0 END,
		warn = CASE WHEN status = 20 AND deadline > 0 AND reminded < since THEN deadline - pace / 3 END,
		quiet = CASE WHEN status = 20 AND deadline > 0 AND black_level = 0 AND white_level = 0 AND told < since
			THEN ` + latest + ` END
	WHERE id = ?1`

// SetAlarms sets a match's alarms to when they have to ring; see match.Tx.
func (t *tx) SetAlarms(ctx context.Context, id match.ID) error {
	_, err := t.exec(ctx, updateAlarms, string(id))
	return err
}
