package persistence

import (
	"context"

	"rowbot/match"
)

// endedColumns are the columns that a list of ended matches shows, in the order of
// scanEnded, which reads the number of plies before them. The indexes hold all of them.
const endedColumns = `id, changed, black_user, black_level, white_user, white_level, status, winner,
	board_cols, board_rows, need, variant`

// endedColumnsHere has the number of plies in just the words of SQLite's indexes;
// otherwise SQLite would look each row up for it. PostgreSQL has a column for it.
const (
	endedColumnsHere = `CASE moves WHEN '' THEN 0 ELSE length(moves) - length(replace(moves, ' ', '')) + 1 END, ` + endedColumns
	endedOnServer    = `plies, ` + endedColumns
)

const (
	endedIn = ` FROM matches
		WHERE guild = ?1 AND guild <> '' AND status IN (30, 31) ORDER BY changed DESC, id DESC LIMIT ?2`
	endedAsBlack = ` FROM matches WHERE black_user = ?1 AND black_user <> '' AND status IN (30, 31)`
	endedAsWhite = ` FROM matches WHERE white_user = ?1 AND white_user <> '' AND status IN (30, 31) AND black_user <> ?1`
	endedLatest  = ` ORDER BY changed DESC, id DESC LIMIT ?2`

	selectEndedHere = `SELECT ` + endedColumnsHere + endedIn
	selectEndedOf   = `SELECT ` + endedColumnsHere + endedAsBlack +
		` UNION ALL SELECT ` + endedColumnsHere + endedAsWhite + endedLatest

	// PostgreSQL stops reading an index early only if each has a limit of its own.
	selectEndedHereOnServer = `SELECT ` + endedOnServer + endedIn
	selectEndedOfOnServer   = `(SELECT ` + endedOnServer + endedAsBlack + endedLatest +
		`) UNION ALL (SELECT ` + endedOnServer + endedAsWhite + endedLatest + `)` + endedLatest
)

// ended are the queries for the matches of a guild and for those of a user.
func (l *locks) ended() (here, of string) {
	if l != nil {
		return selectEndedHereOnServer, selectEndedOfOnServer
	}
	return selectEndedHere, selectEndedOf
}

// Ended returns matches that ended with a result; see match.Tx.
func (t *tx) Ended(ctx context.Context, q match.EndedQuery) (found []match.Summary, err error) {
	here, of := t.locks.ended()
	query, who := of, q.User
	if q.Guild != "" {
		query, who = here, q.Guild
	}
	err = t.rows(ctx, query, []any{who, int64(q.Limit)}, func(s scanner) error {
		m, err := scanEnded(s)
		found = append(found, m)
		return err
	})
	return found, err
}

// scanEnded reads the number of plies and endedColumns.
func scanEnded(s scanner) (m match.Summary, err error) {
	var changed int64
	err = s.Scan(&m.Plies, &m.ID, &changed, &m.Seats[0].User, &m.Seats[0].Level, &m.Seats[1].User, &m.Seats[1].Level,
		&m.Status, &m.Winner, &m.Rules.Cols, &m.Rules.Rows, &m.Rules.Need, &m.Rules.Variant)
	m.Changed = moment(changed)
	return m, err
}
