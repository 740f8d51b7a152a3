package persistence

import (
	"context"

	"rowbot/match"
)

// Open returns matches that are not over; see match.Tx. Those of the same
// millisecond are sorted by ID, the later ID first.
func (t *tx) Open(ctx context.Context, q match.OpenQuery) ([]match.Match, error) {
	query := openParts[q.Part].file
	if t.locks != nil {
		query = openParts[q.Part].server
		if t.locks.writes {
			query += " FOR UPDATE OF matches"
		}
	}
	return t.matches(ctx, query, q.User, q.Channel, int64(q.Limit), int64(q.Offset))
}

// matches runs a query for matches.
func (t *tx) matches(ctx context.Context, query string, args ...any) ([]match.Match, error) {
	var found []match.Match
	err := t.rows(ctx, query, args, func(s scanner) error {
		var m match.Match
		if err := scanMatch(&m)(s); err != nil {
			return err
		}
		found = append(found, m)
		return nil
	})
	return found, err
}

const selectOwed = `SELECT id FROM matches WHERE owed = 1 AND id > ?1 ORDER BY id LIMIT ?2`

// Owed returns the matches in which Rowbot is to move; see match.Tx.
func (t *tx) Owed(ctx context.Context, after match.ID, limit int) ([]match.ID, error) {
	return t.ids(ctx, selectOwed, string(after), int64(limit))
}

const selectUnshown = `SELECT id FROM matches WHERE unshown = 1 AND id > ?1 ORDER BY id LIMIT ?2`

// Unshown returns the matches whose boards are to be drawn; see match.Tx.
func (t *tx) Unshown(ctx context.Context, after match.ID, limit int) ([]match.ID, error) {
	return t.ids(ctx, selectUnshown, string(after), int64(limit))
}

func (t *tx) ids(ctx context.Context, query string, args ...any) ([]match.ID, error) {
	var found []match.ID
	err := t.rows(ctx, query, args, func(s scanner) error {
		var id match.ID
		if err := s.Scan(&id); err != nil {
			return err
		}
		found = append(found, id)
		return nil
	})
	return found, err
}

const (
	selectLastPlayed = `SELECT board_cols, board_rows, need, variant FROM matches
		WHERE guild = ?1 AND status IN (30, 31) AND black_level = 0 AND white_level = 0
		ORDER BY changed DESC, id DESC LIMIT 1`
	selectLastPlayedAnywhere = `SELECT board_cols, board_rows, need, variant FROM matches
		WHERE status IN (30, 31) AND black_level = 0 AND white_level = 0
		ORDER BY changed DESC, id DESC LIMIT 1`
)

// LastPlayed returns the game people played last; see match.Tx.
func (t *tx) LastPlayed(ctx context.Context, scope string) (match.Game, error) {
	query, args := selectLastPlayed, []any{scope}
	if scope == match.Everywhere {
		query, args = selectLastPlayedAnywhere, nil
	}
	var r match.Rules
	err := t.row(ctx, query, args, func(s scanner) error {
		return s.Scan(&r.Cols, &r.Rows, &r.Need, &r.Variant)
	})
	if err != nil {
		return "", err
	}
	return r.Game(), nil
}
