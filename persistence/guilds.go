package persistence

import (
	"context"
	"errors"
	"strings"
	"time"

	"rowbot/match"
)

const selectGuild = `SELECT style, language, channels, pace, side, variant, threads FROM guilds WHERE id = ?1`

// Guild returns a guild's settings; see match.Tx.
func (t *tx) Guild(ctx context.Context, id string) (match.Guild, error) {
	g := match.Guild{ID: id}
	var channels string
	var pace int64
	err := t.row(ctx, t.locks.forUpdate(selectGuild), []any{id}, func(s scanner) error {
		return s.Scan(&g.Style, &g.Language, &channels, &pace, &g.Side, &g.Variant, &g.Threads)
	})
	if errors.Is(err, match.ErrNotFound) {
		t.locks.miss(settingsOf(id), err)
		return match.Guild{ID: id}, nil
	}
	g.Channels, g.Pace = strings.Fields(channels), time.Duration(pace)*time.Millisecond
	return g, err
}

// settingsOf is the key of a guild's settings among what was missing.
type settingsOf string

const (
	insertGuild = `INSERT INTO guilds (id, style, language, channels, pace, side, variant, threads)
	VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ` + orNothing
	upsertGuild = `INSERT INTO guilds (id, style, language, channels, pace, side, variant, threads)
	VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
	ON CONFLICT (id) DO UPDATE SET style = excluded.style, language = excluded.language, channels = excluded.channels,
		pace = excluded.pace, side = excluded.side, variant = excluded.variant, threads = excluded.threads`
)

// PutGuild stores a guild's settings; see match.Tx. Channels are IDs, which
// hold no spaces.
func (t *tx) PutGuild(ctx context.Context, g match.Guild) error {
	return t.putNew(ctx, settingsOf(g.ID), upsertGuild, insertGuild, g.ID, g.Style, g.Language, strings.Join(g.Channels, " "),
		g.Pace.Milliseconds(), int64(g.Side), int64(g.Variant), flag(g.Threads))
}

const selectPresence = `SELECT id, gone FROM guilds`

// Presence returns the guilds that are known; see match.Tx.
func (t *tx) Presence(ctx context.Context) (map[string]time.Time, error) {
	known := map[string]time.Time{}
	err := t.rows(ctx, selectPresence, nil, func(s scanner) error {
		var id string
		var gone int64
		if err := s.Scan(&id, &gone); err != nil {
			return err
		}
		known[id] = moment(gone)
		return nil
	})
	return known, err
}

const upsertPresence = `INSERT INTO guilds (id, gone) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET gone = excluded.gone`

// SetPresence notes since when Rowbot is not in a guild; see match.Tx.
func (t *tx) SetPresence(ctx context.Context, guild string, gone time.Time) error {
	_, err := t.exec(ctx, upsertPresence, guild, millis(gone))
	return err
}

// forgetGuild are the statements that forget a guild.
var forgetGuild = []string{
	`DELETE FROM guilds WHERE id = ?1`,
	`DELETE FROM records WHERE scope = ?1 AND scope <> '*'`,
	`UPDATE matches SET guild = '', channel = '', message = '', locale = '' WHERE guild = ?1 AND guild <> '' AND status < 30`,
	`UPDATE matches SET guild = '', channel = '', message = '', locale = '' WHERE guild = ?1 AND guild <> '' AND status IN (30, 31)`,
	`UPDATE matches SET guild = '', channel = '', message = '', locale = '' WHERE guild = ?1 AND guild <> '' AND status >= 40`,
}

// ForgetGuild deletes what is stored about a guild; see match.Tx.
func (t *tx) ForgetGuild(ctx context.Context, guild string) error {
	if err := t.takeTime(ctx, longLimit); err != nil {
		return err
	}
	for _, statement := range forgetGuild {
		if _, err := t.exec(ctx, statement, guild); err != nil {
			return err
		}
	}
	return nil
}

const selectRunning = `SELECT ` + matchColumns + ` FROM matches
	WHERE guild = ?1 AND guild <> '' AND status < 30 AND status = 20 ORDER BY created DESC, id DESC LIMIT ?2`

// Running returns the matches being played in a guild; see match.Tx.
func (t *tx) Running(ctx context.Context, guild string, limit int) ([]match.Match, error) {
	return t.matches(ctx, selectRunning, guild, int64(limit))
}
