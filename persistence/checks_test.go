package persistence

import (
	"errors"
	"strings"
	"testing"

	"github.com/mattn/go-sqlite3"

	"rowbot/match"
)

// TestChecks: the database itself refuses what no Rowbot ever stores, and names
// the rule.
func TestChecks(t *testing.T) {
	db, ctx := openHere(t), t.Context()
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
		refused, ok := errors.AsType[sqlite3.Error](err)
		if !ok || refused.ExtendedCode != sqlite3.ErrConstraintCheck || !strings.HasSuffix(refused.Error(), ": "+x.rule) {
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
