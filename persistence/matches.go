package persistence

import (
	"context"
	"fmt"
	"time"

	"rowbot/match"
)

// latest is when a match was changed last, a move included.
const latest = `CASE WHEN moved > changed THEN moved ELSE changed END`

// matchColumns are the columns of a match in the order of scanMatch.
const matchColumns = `id, version, board_cols, board_rows, need, variant, seed,
	challenger_user, challenger_level, invited_user, invited_level, side,
	black_user, black_level, white_user, white_level,
	status, reason, winner, moves, offer,
	black_after, black_change, white_after, white_change,
	pace, deadline, created, ` + latest + ` AS latest, coalesce(rematch_of, ''),
	guild, channel, message, event, since, opening, choice, last_choice,
	unrated, black_offer_from, white_offer_from, locale, told, reminded`

const selectMatch = `SELECT ` + matchColumns + ` FROM matches WHERE id = ?1`

// Match returns a match; see match.Tx.
func (t *tx) Match(ctx context.Context, id match.ID) (match.Match, error) {
	var m match.Match
	err := t.row(ctx, t.locks.forUpdate(selectMatch), []any{string(id)}, scanMatch(&m))
	if err == nil {
		t.read = &m
	} else {
		t.locks.miss(id, err)
	}
	return m, err
}

const selectRematch = `SELECT ` + matchColumns + ` FROM matches WHERE rematch_of = ?1`

// Rematch returns the rematch of a match; see match.Tx.
func (t *tx) Rematch(ctx context.Context, of match.ID) (match.Match, error) {
	var m match.Match
	return m, t.row(ctx, selectRematch, []any{string(of)}, scanMatch(&m))
}

const insertMatch = `INSERT INTO matches (id, version, board_cols, board_rows, need, variant, seed,
		challenger_user, challenger_level, invited_user, invited_level, side,
		black_user, black_level, white_user, white_level,
		status, reason, winner, moves, offer,
		black_after, black_change, white_after, white_change,
		pace, deadline, created, changed, rematch_of,
		guild, channel, message, event, since, opening, choice, last_choice,
		unrated, black_offer_from, white_offer_from, locale, told, reminded)
	VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21,
		?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, nullif(?30, ''), ?31, ?32, ?33, ?34, ?35, ?36, ?37, ?38, ?39, ?40, ?41, ?42, ?43, ?44)
	ON CONFLICT DO NOTHING`

// Insert stores a new match; see match.Tx.
func (t *tx) Insert(ctx context.Context, m match.Match) error {
	n, err := t.exec(ctx, insertMatch,
		string(m.ID), int64(m.Version),
		int64(m.Rules.Cols), int64(m.Rules.Rows), int64(m.Rules.Need), int64(m.Rules.Variant), int64(m.Seed),
		m.Challenger.User, int64(m.Challenger.Level), m.Invited.User, int64(m.Invited.Level), int64(m.Side),
		m.Seats[0].User, int64(m.Seats[0].Level), m.Seats[1].User, int64(m.Seats[1].Level),
		int64(m.Status), int64(m.Reason), int64(m.Winner), match.FormatMoves(m.Moves), int64(m.Offer),
		int64(m.Gains[0].After), int64(m.Gains[0].Change), int64(m.Gains[1].After), int64(m.Gains[1].Change),
		m.Pace.Milliseconds(), millis(m.Deadline), millis(m.Created), millis(m.Changed), string(m.RematchOf),
		m.Where.Guild, m.Where.Channel, m.Where.Message, m.Event, int64(m.Since),
		int64(m.Opening), int64(m.Choices[0]), int64(m.Choices[1]),
		int64(m.Unrated), int64(m.OfferFrom[0]), int64(m.OfferFrom[1]), m.Where.Locale,
		int64(m.Told.Turn), int64(m.Told.Time))
	if err != nil || n > 0 {
		return err
	}
	if _, missed := t.locks.missed(m.ID); missed {
		return errAgain
	}
	return match.ErrExists
}

const updateMatch = `UPDATE matches SET
		version = ?3, board_cols = ?4, board_rows = ?5, need = ?6, variant = ?7, seed = ?8,
		challenger_user = ?9, challenger_level = ?10, invited_user = ?11, invited_level = ?12, side = ?13,
		black_user = ?14, black_level = ?15, white_user = ?16, white_level = ?17,
		status = ?18, reason = ?19, winner = ?20, moves = ?21, offer = ?22,
		black_after = ?23, black_change = ?24, white_after = ?25, white_change = ?26,
		pace = ?27, deadline = ?28, created = ?29, changed = ?30, rematch_of = nullif(?31, ''), event = ?32, since = ?33,
		opening = ?34, choice = ?35, last_choice = ?36, unrated = ?37, black_offer_from = ?38, white_offer_from = ?39, moved = 0
	WHERE id = ?1 AND version = ?2`

// updatePlay is updateMatch for a move: the columns that only the start and the
// end of a match change are left out. They carry all the indexes, and SQLite writes
// an index anew wherever a column of it is set, be it to what it was. The alarms
// follow by triggers (migrations, "alarms").
const updatePlay = `UPDATE matches SET version = ?3, moves = ?4, offer = ?5, deadline = ?6, moved = ?7, event = ?8, since = ?9
	WHERE id = ?1 AND version = ?2`

// Replace stores a match in place of its version was; see match.Tx.
func (t *tx) Replace(ctx context.Context, was match.Version, m match.Match) error {
	var n int64
	var err error
	if t.read != nil && t.read.ID == m.ID && t.read.Version == was && onlyPlayed(t.read, &m) {
		n, err = t.exec(ctx, updatePlay, string(m.ID), int64(was), int64(m.Version),
			match.FormatMoves(m.Moves), int64(m.Offer), millis(m.Deadline), millis(m.Changed), m.Event, int64(m.Since))
	} else {
		n, err = t.replaceAll(ctx, was, &m)
	}
	t.read = nil
	switch {
	case isDuplicate(err):
		return match.ErrExists
	case err != nil:
		return err
	case n == 0:
		return match.ErrConflict
	}
	return nil
}

func (t *tx) replaceAll(ctx context.Context, was match.Version, m *match.Match) (int64, error) {
	return t.exec(ctx, updateMatch,
		string(m.ID), int64(was), int64(m.Version),
		int64(m.Rules.Cols), int64(m.Rules.Rows), int64(m.Rules.Need), int64(m.Rules.Variant), int64(m.Seed),
		m.Challenger.User, int64(m.Challenger.Level), m.Invited.User, int64(m.Invited.Level), int64(m.Side),
		m.Seats[0].User, int64(m.Seats[0].Level), m.Seats[1].User, int64(m.Seats[1].Level),
		int64(m.Status), int64(m.Reason), int64(m.Winner), match.FormatMoves(m.Moves), int64(m.Offer),
		int64(m.Gains[0].After), int64(m.Gains[0].Change), int64(m.Gains[1].After), int64(m.Gains[1].Change),
		m.Pace.Milliseconds(), millis(m.Deadline), millis(m.Created), millis(m.Changed), string(m.RematchOf),
		m.Event, int64(m.Since),
		int64(m.Opening), int64(m.Choices[0]), int64(m.Choices[1]),
		int64(m.Unrated), int64(m.OfferFrom[0]), int64(m.OfferFrom[1]))
}

// onlyPlayed reports whether updatePlay stores all that differs between two
// versions of a match that runs; Where and Told are not stored by either. A clock may
// have been set back: of "moved" and "changed" the later one counts.
func onlyPlayed(was, is *match.Match) bool {
	return !is.Status.Over() && millis(is.Changed) >= millis(was.Changed) && was.Rules == is.Rules && was.Seed == is.Seed &&
		was.Challenger == is.Challenger && was.Invited == is.Invited && was.Side == is.Side &&
		was.Seats == is.Seats && was.Opening == is.Opening && was.Choices == is.Choices &&
		was.Status == is.Status && was.Reason == is.Reason && was.Winner == is.Winner &&
		was.Gains == is.Gains && was.Unrated == is.Unrated && was.OfferFrom == is.OfferFrom && was.Pace == is.Pace &&
		millis(was.Created) == millis(is.Created) && was.RematchOf == is.RematchOf
}

const updateWhere = `UPDATE matches SET guild = ?2, channel = ?3, message = ?4, locale = ?5 WHERE id = ?1`

// SetWhere notes which message shows the match; see match.Tx.
func (t *tx) SetWhere(ctx context.Context, id match.ID, w match.Where) error {
	n, err := t.exec(ctx, updateWhere, string(id), w.Guild, w.Channel, w.Message, w.Locale)
	if err == nil && n == 0 {
		return match.ErrNotFound
	}
	return err
}

const updateUnshown = `UPDATE matches SET unshown = ?2 WHERE id = ?1`

// SetUnshown notes whether a match's board is to be drawn; see match.Tx.
func (t *tx) SetUnshown(ctx context.Context, id match.ID, unshown bool) error {
	n, err := t.exec(ctx, updateUnshown, string(id), flag(unshown))
	if err == nil && n == 0 {
		return match.ErrNotFound
	}
	return err
}

// scanMatch reads matchColumns into a match.
func scanMatch(m *match.Match) func(scanner) error {
	return func(s scanner) error {
		var moves string
		var seed, pace, deadline, created, changed int64
		err := s.Scan(
			&m.ID, &m.Version, &m.Rules.Cols, &m.Rules.Rows, &m.Rules.Need, &m.Rules.Variant, &seed,
			&m.Challenger.User, &m.Challenger.Level, &m.Invited.User, &m.Invited.Level, &m.Side,
			&m.Seats[0].User, &m.Seats[0].Level, &m.Seats[1].User, &m.Seats[1].Level,
			&m.Status, &m.Reason, &m.Winner, &moves, &m.Offer,
			&m.Gains[0].After, &m.Gains[0].Change, &m.Gains[1].After, &m.Gains[1].Change,
			&pace, &deadline, &created, &changed, &m.RematchOf,
			&m.Where.Guild, &m.Where.Channel, &m.Where.Message, &m.Event, &m.Since,
			&m.Opening, &m.Choices[0], &m.Choices[1],
			&m.Unrated, &m.OfferFrom[0], &m.OfferFrom[1], &m.Where.Locale, &m.Told.Turn, &m.Told.Time)
		if err != nil {
			return err
		}
		if m.Moves, err = m.Rules.ParseMoves(moves); err != nil {
			return fmt.Errorf("read moves of match %s: %w", m.ID, err)
		}
		m.Seed = uint64(seed)
		m.Pace = time.Duration(pace) * time.Millisecond
		m.Deadline, m.Created, m.Changed = moment(deadline), moment(created), moment(changed)
		return nil
	}
}

// millis writes a time as it is stored: Unix milliseconds, 0 for none.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// moment reads what millis wrote, in UTC.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}
