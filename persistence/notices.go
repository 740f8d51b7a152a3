package persistence

import (
	"context"

	"rowbot/match"
)

const updateTold = `UPDATE matches SET told = ?2, reminded = ?3 WHERE id = ?1`

// SetTold notes of which turns the players were told; see match.Tx.
func (t *tx) SetTold(ctx context.Context, id match.ID, told match.Told) error {
	n, err := t.exec(ctx, updateTold, string(id), int64(told.Turn), int64(told.Time))
	if err == nil && n == 0 {
		return match.ErrNotFound
	}
	return err
}

const putNotice = `INSERT INTO notices (match_id, turn, kind, state, channel, message, at)
	VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
	ON CONFLICT (match_id, turn, kind) DO UPDATE SET state = ?4, channel = ?5, message = ?6, at = ?7`

// PutNotice stores a notice; see match.Tx.
func (t *tx) PutNotice(ctx context.Context, n match.Notice) error {
	_, err := t.exec(ctx, putNotice,
		string(n.Match), int64(n.Turn), int64(n.Kind), int64(n.State), n.Channel, n.Message, millis(n.At))
	return err
}

const deleteNotice = `DELETE FROM notices WHERE match_id = ?1 AND turn = ?2 AND kind = ?3`

// DropNotice forgets a notice; see match.Tx.
func (t *tx) DropNotice(ctx context.Context, n match.Notice) error {
	_, err := t.exec(ctx, deleteNotice, string(n.Match), int64(n.Turn), int64(n.Kind))
	return err
}

// The kind 3 is match.DrawOffer.
const (
	retireNotices = `UPDATE notices SET state = 3 WHERE match_id = ?1 AND state = 2 AND kind <> 3`
	retireOffers  = `UPDATE notices SET state = 3 WHERE match_id = ?1 AND state = 2 AND kind = 3`
)

// RetireNotices marks what stands in a channel as to be taken away; see match.Tx.
func (t *tx) RetireNotices(ctx context.Context, id match.ID) error {
	_, err := t.exec(ctx, retireNotices, string(id))
	return err
}

// RetireOffers marks the messages of draw offers as to be closed; see match.Tx.
func (t *tx) RetireOffers(ctx context.Context, id match.ID) error {
	_, err := t.exec(ctx, retireOffers, string(id))
	return err
}

const selectNotices = `SELECT match_id, turn, kind, state, channel, message, at FROM notices
	WHERE match_id = ?1 ORDER BY turn, kind`

// Notices returns the notices of a match; see match.Tx.
func (t *tx) Notices(ctx context.Context, id match.ID) ([]match.Notice, error) {
	var found []match.Notice
	err := t.rows(ctx, selectNotices, []any{string(id)}, func(s scanner) error {
		var n match.Notice
		var at int64
		if err := s.Scan(&n.Match, &n.Turn, &n.Kind, &n.State, &n.Channel, &n.Message, &at); err != nil {
			return err
		}
		n.At = moment(at)
		found = append(found, n)
		return nil
	})
	return found, err
}

const selectUnsettled = `SELECT DISTINCT match_id FROM notices WHERE state <> 2 AND match_id > ?1 ORDER BY match_id LIMIT ?2`

// Unsettled returns the matches with notices to be posted or taken away; see match.Tx.
func (t *tx) Unsettled(ctx context.Context, after match.ID, limit int) ([]match.ID, error) {
	return t.ids(ctx, selectUnsettled, string(after), int64(limit))
}
