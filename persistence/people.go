package persistence

import (
	"context"
	"errors"
	"strings"

	"rowbot/match"
)

const selectPreferences = `SELECT audience, server, quiet, blocked FROM preferences WHERE user_id = ?1`

// Preferences returns a person's preferences; see match.Tx.
func (t *tx) Preferences(ctx context.Context, user string) (match.Preferences, error) {
	p := match.Preferences{User: user}
	if err := t.take(ctx, user); err != nil {
		return p, err
	}
	var blocked string
	err := t.row(ctx, t.locks.forUpdate(selectPreferences), []any{user}, func(s scanner) error {
		return s.Scan(&p.From, &p.Server, &p.Quiet, &blocked)
	})
	if errors.Is(err, match.ErrNotFound) {
		t.locks.miss(preferencesOf(user), err)
		return match.Preferences{User: user}, nil
	}
	p.Blocked = strings.Fields(blocked)
	return p, err
}

// preferencesOf is the key of a person's preferences among what was missing.
type preferencesOf string

const (
	insertPreferences = `INSERT INTO preferences (user_id, audience, server, quiet, blocked)
	VALUES (?1, ?2, ?3, ?4, ?5) ` + orNothing
	upsertPreferences = `INSERT INTO preferences (user_id, audience, server, quiet, blocked) VALUES (?1, ?2, ?3, ?4, ?5)
	ON CONFLICT (user_id) DO UPDATE SET
		audience = excluded.audience, server = excluded.server, quiet = excluded.quiet, blocked = excluded.blocked`
)

// PutPreferences stores a person's preferences; see match.Tx. Blocked are IDs,
// which hold no spaces.
func (t *tx) PutPreferences(ctx context.Context, p match.Preferences) error {
	return t.putNew(ctx, preferencesOf(p.User), upsertPreferences, insertPreferences,
		p.User, int64(p.From), p.Server, flag(p.Quiet), strings.Join(p.Blocked, " "))
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

const (
	// overOf merges the six indexes of matches that are over. In a match that was won
	// or drawn the challenger and the invited are the two players.
	overOf = `SELECT id FROM matches WHERE black_user = ?1 AND black_user <> '' AND status IN (30, 31)
		UNION SELECT id FROM matches WHERE white_user = ?1 AND white_user <> '' AND status IN (30, 31)
		UNION SELECT id FROM matches WHERE black_user = ?1 AND black_user <> '' AND status >= 40
		UNION SELECT id FROM matches WHERE white_user = ?1 AND white_user <> '' AND status >= 40
		UNION SELECT id FROM matches WHERE challenger_user = ?1 AND challenger_user <> '' AND status >= 40
		UNION SELECT id FROM matches WHERE invited_user = ?1 AND invited_user <> '' AND status >= 40`
	selectHistory = `SELECT ` + matchColumns + ` FROM matches WHERE id IN (` + overOf + `) ORDER BY created, id`
)

// History returns a person's matches that are over; see match.Tx. The oldest
// comes first.
func (t *tx) History(ctx context.Context, user string) ([]match.Match, error) {
	if err := t.take(ctx, user); err != nil {
		return nil, err
	}
	return t.matches(ctx, selectHistory, user)
}

const selectAllRecords = `SELECT ` + recordColumns + ` FROM records WHERE user_id = ?1 ORDER BY game, versus, scope`

// AllRecords returns every record of a player; see match.Tx. They are sorted by
// game, by whom they are against, and by scope.
func (t *tx) AllRecords(ctx context.Context, user string) ([]match.Record, error) {
	return t.records(ctx, selectAllRecords, []any{user})
}

const (
	// selectInvolved finds all matches in which a person has any part, and whether
	// they were played.
	selectInvolved = `SELECT id, CASE WHEN status >= 30 AND (black_user = ?1 OR white_user = ?1) THEN 1 ELSE 0 END
		FROM matches WHERE id IN (` + overOf + `
			UNION SELECT id FROM matches WHERE challenger_user = ?1 AND challenger_user <> '' AND status = 10
			UNION SELECT id FROM matches WHERE invited_user = ?1 AND invited_user <> '' AND status = 10
			UNION SELECT id FROM matches WHERE black_user = ?1 AND black_user <> '' AND status < 30
			UNION SELECT id FROM matches WHERE white_user = ?1 AND white_user <> '' AND status < 30)`

	renameInMatch = `UPDATE matches SET
			challenger_user = CASE challenger_user WHEN ?1 THEN ?2 ELSE challenger_user END,
			invited_user = CASE invited_user WHEN ?1 THEN ?2 ELSE invited_user END,
			black_user = CASE black_user WHEN ?1 THEN ?2 ELSE black_user END,
			white_user = CASE white_user WHEN ?1 THEN ?2 ELSE white_user END
		WHERE id = ?3`

	deleteRecords     = `DELETE FROM records WHERE user_id = ?1`
	deletePreferences = `DELETE FROM preferences WHERE user_id = ?1`
	renameRecord      = `UPDATE records SET versus = 'user:' || ?2
		WHERE user_id = ?3 AND game = ?4 AND versus = 'user:' || ?1 AND scope = ?5`
)

// Forget deletes what is stored about a person; see match.Tx.
func (t *tx) Forget(ctx context.Context, user, name string) (was match.Forgotten, err error) {
	if err := errors.Join(t.takeTime(ctx, longLimit), t.take(ctx, user)); err != nil {
		return was, err
	}
	if was.Played, err = t.renameInMatches(ctx, user, name); err != nil {
		return was, err
	}
	own, err := t.AllRecords(ctx, user)
	if err != nil {
		return was, err
	}
	was.Records = len(own)
	for _, r := range own {
		other, against := strings.CutPrefix(r.Versus, "user:")
		if !against {
			continue
		}
		if _, err := t.exec(ctx, renameRecord, user, name, other, string(r.Game), r.Scope); err != nil {
			return was, err
		}
	}
	t.ranked, t.erased = true, true
	if _, err := t.exec(ctx, deleteRecords, user); err != nil {
		return was, err
	}
	_, err = t.exec(ctx, deletePreferences, user)
	return was, err
}

// renameInMatches puts another name in place of a person's in all matches, and
// returns how many of them were played.
func (t *tx) renameInMatches(ctx context.Context, user, name string) (played int, err error) {
	var ids []string
	err = t.rows(ctx, selectInvolved, []any{user}, func(s scanner) error {
		var id string
		seated := 0
		err := s.Scan(&id, &seated)
		ids, played = append(ids, id), played+seated
		return err
	})
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if _, err := t.exec(ctx, renameInMatch, user, name, id); err != nil {
			return 0, err
		}
	}
	return played, nil
}
