package persistence

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/mattn/go-sqlite3"

	"rowbot/match"
)

// TestChecks: the database itself refuses what no Rowbot ever stores, and names
// the rule.
func TestChecks(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { testChecks(t, openHere(t)) })
	t.Run("PostgreSQL", func(t *testing.T) { testChecks(t, openServerHere(t)) })
}

// brokenRule returns the rule that the database says was broken.
func brokenRule(err error) string {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == "23514" {
		return e.ConstraintName
	}
	if e, ok := errors.AsType[sqlite3.Error](err); ok && e.ExtendedCode == sqlite3.ErrConstraintCheck {
		_, rule, _ := strings.Cut(e.Error(), ": ")
		return rule
	}
	return ""
}

func testChecks(t *testing.T, db *DB) {
	ctx := t.Context()
	m := match.Match{ID: "a", Version: 1, Rules: match.TicTacToeRules(), Status: match.Active}
	err := db.Update(ctx, func(tx match.Tx) error {
		return errors.Join(tx.Insert(ctx, m), tx.PutRecord(ctx, match.Record{RecordKey: match.VersusPeople("g", "u", match.Gomoku)}),
			tx.PutPreferences(ctx, match.Preferences{User: "u"}), tx.PutGuild(ctx, match.Guild{ID: "g"}))
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ set, rule string }{
		{"matches SET id = ''", "matches_id"},
		{"matches SET version = 0", "matches_version"},
		{"matches SET version = 4294967296", "matches_version"},
		{"matches SET board_cols = 21", "matches_board"},
		{"matches SET board_rows = 0", "matches_board"},
		{"matches SET need = 0", "matches_need"},
		{"matches SET variant = 256", "matches_variant"},
		{"matches SET challenger_level = 256", "matches_challenger_level"},
		{"matches SET invited_level = -1", "matches_invited_level"},
		{"matches SET black_level = -1", "matches_black_level"},
		{"matches SET white_level = 256", "matches_white_level"},
		{"matches SET side = 3", "matches_side"},
		{"matches SET opening = 256", "matches_opening"},
		{"matches SET choice = 4", "matches_choice"},
		{"matches SET last_choice = -1", "matches_last_choice"},
		{"matches SET status = 21", "matches_status"},
		{"matches SET reason = 256", "matches_reason"},
		{"matches SET unrated = -1", "matches_unrated"},
		{"matches SET black_offer_from = -1", "matches_black_offer_from"},
		{"matches SET white_offer_from = -1", "matches_white_offer_from"},
		{"matches SET winner = 3", "matches_winner"},
		{"matches SET offer = -1", "matches_offer"},
		{"matches SET pace = -1", "matches_pace"},
		{"matches SET rematch_of = ''", "matches_rematch_of"},
		{"records SET game = 'chess'", "records_game"},
		{"records SET versus = 'x'", "records_versus"},
		{"records SET versus = 'LEVEL:random'", "records_versus"},
		{"records SET lost = -1", "records_tally"},
		{"records SET streak = 1", "records_streak"},
		{"preferences SET audience = 256", "preferences_audience"},
		{"preferences SET quiet = 2", "preferences_quiet"},
		{"guilds SET pace = -1", "guilds_pace"},
		{"guilds SET side = 21", "guilds_side"},
		{"guilds SET variant = 256", "guilds_variant"},
		{"guilds SET threads = 2", "guilds_threads"},
		{"guilds SET gone = -1", "guilds_gone"},
	} {
		_, err := db.writer.ExecContext(ctx, "UPDATE "+x.set)
		if brokenRule(err) != x.rule {
			t.Errorf("%s: got %v, want a failed check of %s", x.set, err, x.rule)
		}
	}
	for _, set := range []string{"matches SET seed = 'x'", "matches SET event = NULL", "records SET points = 'x'"} {
		if _, err := db.writer.ExecContext(ctx, "UPDATE "+set); err == nil {
			t.Errorf("%s: no error", set)
		}
	}
}

// TestBusyIsRetried: where SQLite asks for it, f runs again from the start, and
// nothing of the first run stays.
func TestBusyIsRetried(t *testing.T) {
	db, ctx := openHere(t), t.Context()
	runs := 0
	err := db.Update(ctx, func(tx match.Tx) error {
		m := match.Match{ID: "a", Version: 1, Rules: match.TicTacToeRules(), Status: match.Active}
		if err := tx.Insert(ctx, m); err != nil {
			return err
		}
		if runs++; runs < 3 {
			return sqlite3.Error{Code: sqlite3.ErrBusy, ExtendedCode: sqlite3.ErrBusySnapshot}
		}
		return nil
	})
	if err != nil || runs != 3 {
		t.Errorf("Update: %v after %d runs, want 3", err, runs)
	}
	runs = 0
	err = db.Update(ctx, func(match.Tx) error { runs++; return match.ErrConflict })
	if !errors.Is(err, match.ErrConflict) || runs != 1 {
		t.Errorf("Update: %v after %d runs, want a conflict after 1", err, runs)
	}
}

// TestBrokenConnection: a connection on which a transaction cannot be ended in
// order is replaced by a new one, which is set up like the first.
func TestBrokenConnection(t *testing.T) {
	db, ctx := openHere(t), t.Context()
	for _, wrong := range []string{"ROLLBACK", "COMMIT"} { // after either there is nothing to roll back
		err := db.Update(ctx, func(open match.Tx) error {
			conn := open.(*tx).conn
			_, err := conn.ExecContext(ctx, "PRAGMA cache_size = 77") // to know the connection by
			_, err2 := conn.ExecContext(ctx, wrong)
			return errors.Join(err, err2, errors.New("end"))
		})
		if err == nil {
			t.Errorf("after a %s of f's own: no error", wrong)
		}
		var synchronous, cache int
		err = db.writer.QueryRowContext(ctx, `SELECT synchronous, cache_size FROM pragma_synchronous, pragma_cache_size`).
			Scan(&synchronous, &cache)
		if err != nil || synchronous != 2 || cache == 77 {
			t.Errorf("then: synchronous is %d, cache_size %d, %v", synchronous, cache, err)
		}
		if err := db.Update(ctx, func(match.Tx) error { return nil }); err != nil {
			t.Errorf("then: %v", err)
		}
	}
}

// TestNothingStaysOnTheServer: a connection that goes on to the next transaction,
// or behind a pooler to somebody else's, is as it was before.
func TestNothingStaysOnTheServer(t *testing.T) {
	db, ctx := openServerHere(t), t.Context()
	settings := `SELECT current_setting('statement_timeout') || ' ' || current_setting('idle_in_transaction_session_timeout')
		|| ' ' || (SELECT count(*) FROM pg_prepared_statements) || ' ' || (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')`
	read := func(pool *sql.DB) (all string) {
		t.Helper()
		if err := pool.QueryRowContext(ctx, settings).Scan(&all); err != nil {
			t.Fatal(err)
		}
		return all
	}
	for _, pool := range []*sql.DB{db.writer, db.readers} {
		pool.SetMaxOpenConns(1)
		if got := read(pool); got != "0 0 0 0" {
			t.Errorf("before: %s", got)
		}
	}
	for range 10 { // more often than a cache of statements needs to see one
		err := db.Update(ctx, func(open match.Tx) error {
			var within string
			err := open.(*tx).row(ctx, settings, nil, func(s scanner) error { return s.Scan(&within) })
			if within != "2s 5s 0 0" {
				t.Errorf("within: %s", within)
			}
			_, err2 := open.Match(ctx, "none")
			if !errors.Is(err2, match.ErrNotFound) {
				err = errors.Join(err, err2)
			}
			return errors.Join(err, open.(*tx).takeTime(ctx, 0), open.PutPreferences(ctx, match.Preferences{User: "u"}))
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := db.View(ctx, func(open match.Tx) error { _, err := open.Preferences(ctx, "u"); return err }); err != nil {
			t.Fatal(err)
		}
	}
	for _, pool := range []*sql.DB{db.writer, db.readers} {
		if got := read(pool); got != "0 0 0 0" {
			t.Errorf("after: %s", got)
		}
	}
}

// TestServerAsksAgain: where the server asks for it, or somebody else was faster,
// f runs again from the start, and nothing of the first run stays.
func TestServerAsksAgain(t *testing.T) {
	db, ctx := openServerHere(t), t.Context()
	for _, reason := range []error{&pgconn.PgError{Code: "40001"}, &pgconn.PgError{Code: "40P01"}, errAgain} {
		runs := 0
		err := db.Update(ctx, func(open match.Tx) error {
			m := match.Match{ID: match.ID(reason.Error()), Version: 1, Rules: match.TicTacToeRules(), Status: match.Active}
			if err := open.Insert(ctx, m); err != nil {
				return err
			}
			if runs++; runs < 3 {
				return fmt.Errorf("wrapped: %w", reason)
			}
			return nil
		})
		if err != nil || runs != 3 {
			t.Errorf("%v: %v after %d runs, want 3", reason, err, runs)
		}
	}
	for _, reason := range []error{match.ErrConflict, &pgconn.PgError{Code: "23505"}, &pgconn.PgError{Code: "57014"}} {
		runs := 0
		err := db.Update(ctx, func(match.Tx) error { runs++; return reason })
		if !errors.Is(err, reason) || runs != 1 {
			t.Errorf("Update: %v after %d runs, want %v after 1", err, runs, reason)
		}
	}
}
