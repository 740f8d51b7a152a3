package persistence

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/persistence/pgtest"
)

// openServerHere opens a new database on a server for a test that looks inside.
func openServerHere(t *testing.T) *DB {
	t.Helper()
	db, err := OpenPostgres(t.Context(), pgtest.Database(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// crowd fills the tables as play would, in short: most matches are over, a few
// run, and many people have a record. Without that a server reads whole tables,
// since they are small.
var crowd = []string{
	`INSERT INTO matches (id, version, board_cols, board_rows, need, variant, seed, challenger_user, challenger_level,
		invited_user, invited_level, side, black_user, black_level, white_user, white_level, status, reason, winner, moves, offer,
		black_after, black_change, white_after, white_change, pace, deadline, created, changed, rematch_of, guild, channel,
		message, event, since, opening, choice, last_choice, unrated, black_offer_from, white_offer_from, told, unshown)
	SELECT 'm' || i, 5, 15, 15, 5, 0, i, 'u' || i % 900, 0, 'u' || (i + 7) % 900, 0, 0, 'u' || i % 900, 0, 'u' || (i + 7) % 900,
		CASE WHEN i % 3 = 0 THEN 2 ELSE 0 END,
		CASE WHEN i % 20 = 0 THEN 20 WHEN i % 20 = 1 THEN 10 WHEN i % 10 = 2 THEN 40 + i % 4 ELSE 30 END, 0, 0, repeat('h8 ', 40), 0,
		1500, 0, 1500, 0, 3600000, CASE WHEN i % 20 < 2 THEN 1000000 + i ELSE 0 END, i, i, CASE WHEN i % 9 = 0 THEN 'r' || i END,
		'g' || i % 300, 'c', '', '', 3, 0, 0, 0, i % 2, 0, 0, i % 5, CASE WHEN i % 500 = 0 THEN 1 ELSE 0 END
	FROM generate_series(1, 20000) AS i`,
	`INSERT INTO records (user_id, game, versus, scope, won, drawn, lost, streak, best, points, deviation, volatility, updated)
	SELECT 'u' || i, 'gomoku', v, s, i, 0, 0, 0, 0, 1500 + i, 60, 0.06, i
	FROM generate_series(1, 4000) AS i, (VALUES ('', '*'), ('level:easy', '*'), ('user:x', '*'), ('', 'g1')) AS x (v, s)`,
	`INSERT INTO preferences (user_id, audience, server, quiet, blocked) SELECT 'u' || i, 0, '', 0, '' FROM generate_series(1, 3000) AS i`,
	`INSERT INTO guilds (id) SELECT 'g' || i FROM generate_series(1, 3000) AS i`,
	`INSERT INTO notices (match_id, turn, kind, state, channel, message, at)
	SELECT 'm' || i, 1, 1, CASE WHEN i % 200 = 0 THEN 1 ELSE 2 END, '', '', 0 FROM generate_series(1, 3000) AS i`,
	`INSERT INTO brackets (game, sorted, level, first, second, lost, drawn, user_id, people)
	SELECT 'gomoku', s, CASE WHEN i % 64 = 0 THEN 1 ELSE 0 END, -i, 0, 0, 0, '', 64
	FROM generate_series(1, 4000) AS i, (VALUES ('rating'), ('wins')) AS x (s)`,
	`DELETE FROM bracket_changes`,
	`ANALYZE`,
}

// TestServerPlans shows the same of PostgreSQL as TestPlans of SQLite: what is
// found is found by a key or an index, and what has an order comes from an index
// that has it. Only the rows of a page are sorted, where they come from several
// indexes, and a person's history, which is wanted whole. An index that is read
// from its beginning is read for the single entry that is first in it, or has few.
func TestServerPlans(t *testing.T) {
	db := openServerHere(t)
	for _, statement := range crowd {
		if _, err := db.writer.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	above, figures := aboveSome("records")
	_, _, _, bracket, own := someBracket()
	oneBound := append([]any{"gomoku", "rating"}, own.args()...)
	for _, q := range []struct {
		name, query string
		args        []any
		plan        []string
	}{
		{"Match", selectMatch, []any{"m5"}, []string{"matches_pkey"}},
		{"Match, to write", selectMatch + " FOR UPDATE", []any{"m5"}, []string{"matches_pkey"}},
		{"Rematch", selectRematch, []any{"r9"}, []string{"matches_rematch_once"}},
		{"Replace by a move", updatePlay, []any{"m5", int64(5), int64(6), "h8", int64(0), int64(1), int64(1), "", int64(6)}, []string{"matches_pkey"}},
		{"SetWhere", updateWhere, []any{"m5", "", "", "", ""}, []string{"matches_pkey"}},
		{"SetUnshown", updateUnshown, []any{"m5", int64(1)}, []string{"matches_pkey"}},
		{"SetTold", updateTold, []any{"m5", int64(1), int64(1)}, []string{"matches_pkey"}},
		{"Open", selectOpenOnServer, []any{"u5", "", int64(25), int64(0)}, []string{"Sort", "matches_open_challenger", "matches_open_invited", "matches_open_black", "matches_open_white", "matches_pkey"}},
		{"Open, to write", selectOpenOnServer + " FOR UPDATE OF matches", []any{"u5", "", int64(25), int64(0)}, []string{"Sort", "matches_open_challenger", "matches_open_invited", "matches_open_black", "matches_open_white", "matches_pkey"}},
		{"Open, those being played", selectPlayingOnServer, []any{"u5", "", int64(25), int64(0)}, []string{"Sort", "matches_open_black", "matches_open_white", "matches_pkey"}},
		{"Open, sent challenges", selectSent, []any{"u5", "", int64(25), int64(0)}, []string{"matches_open_challenger"}},
		{"Ended in a guild", selectEndedHereOnServer, []any{"g5", int64(25)}, []string{"matches_list_guild"}},
		{"Ended of a user", selectEndedOfOnServer, []any{"u5", int64(25)}, []string{"matches_list_black", "matches_list_white"}},
		{"Due", selectDue, []any{int64(1000050), int64(1), "m5", int64(100)}, []string{"matches_alarm_due"}},
		{"Owed", selectOwed, []any{"m5", int64(100)}, []string{"matches_owed"}},
		{"Unshown", selectUnshown, []any{"m5", int64(100)}, []string{"matches_unshown"}},
		{"Quiet", selectQuiet, []any{int64(500), int64(1), "m5", int64(100)}, []string{"matches_alarm_quiet"}},
		{"ShortOfTime", selectShort, []any{int64(500), int64(1), "m5", int64(100)}, []string{"matches_alarm_warn"}},
		{"SetAlarms", updateAlarms, []any{"m5"}, []string{"matches_pkey"}},
		{"DropNotice", deleteNotice, []any{"m5", int64(1), int64(1)}, []string{"notices_pkey"}},
		{"RetireNotices", retireNotices, []any{"m5"}, []string{"notices_pkey"}},
		{"RetireOffers", retireOffers, []any{"m5"}, []string{"notices_pkey"}},
		{"Notices", selectNotices, []any{"m5"}, []string{"notices_pkey"}},
		{"Unsettled", selectUnsettled, []any{"m5", int64(100)}, []string{"notices_unsettled"}},
		{"LastPlayed", selectLastPlayed, []any{"g5"}, []string{"matches_played_guild"}},
		{"LastPlayed everywhere", selectLastPlayedAnywhere, nil, []string{"matches_played whole"}},
		{"Running", selectRunning, []any{"g5", int64(25)}, []string{"matches_open_guild"}},
		{"Pending", selectPending, []any{"u5", "u12", int64(0)}, []string{"matches_open_challenger"}},
		{"Pending in a channel", selectPendingHere, []any{"u5", "c", int64(0)}, []string{"matches_open_challenger"}},
		{"Standing", selectStanding, []any{"u5", int64(0)}, []string{"matches_open_challenger", "matches_open_black", "matches_open_white"}},
		{"Rebuffed", selectRebuffed, []any{"u5", "u12", int64(2)}, []string{"matches_over_challenger"}},
		{"RatedBetween", countRated, []any{"u5", "u12", int64(0)}, []string{"matches_rated", "matches_rated"}},
		{"RatedBetween, lock", lockPair, []any{"u5", "u12"}, []string{"records_pkey"}},
		{"Turn", lockSlot, []any{int64(5)}, []string{"turns_pkey"}},
		{"History", selectHistory, []any{"u5"}, []string{"Sort", "matches_list_black", "matches_list_white", "matches_other_black", "matches_other_white", "matches_over_challenger", "matches_over_invited", "matches_pkey"}},
		{"AllRecords", selectAllRecords, []any{"u5"}, []string{"records_pkey"}},
		{"Rename in a match", renameInMatch, []any{"u5", "x", "m5"}, []string{"matches_pkey"}},
		{"Rename in a record", renameRecord, []any{"x", "y", "u5", "gomoku", "*"}, []string{"records_pkey"}},
		{"Preferences", selectPreferences, []any{"u5"}, []string{"preferences_pkey"}},
		{"Guild", selectGuild, []any{"g5"}, []string{"guilds_pkey"}},
		{"Forget, matches", selectInvolved, []any{"u5"}, []string{
			"matches_list_black", "matches_list_white", "matches_other_black", "matches_other_white", "matches_over_challenger", "matches_over_invited",
			"matches_open_challenger", "matches_open_invited", "matches_open_black", "matches_open_white", "matches_pkey",
		}},
		{"ForgetGuild, records", forgetGuild[1], []any{"g7"}, []string{"records_of_guild"}},
		{"ForgetGuild, open matches", forgetGuild[2], []any{"g5"}, []string{"matches_open_guild"}},
		{"ForgetGuild, ended matches", forgetGuild[3], []any{"g5"}, []string{"matches_list_guild"}},
		{"ForgetGuild, others", forgetGuild[4], []any{"g5"}, []string{"matches_other_guild"}},
		{"Record", selectRecord, []any{"u5", "gomoku", "", "*"}, []string{"records_pkey"}},
		{"PutRating", updateRating, []any{"u5", "gomoku", 1500.0, 60.0, 0.06}, []string{"records_pkey"}},
		{"Records", selectRecords, []any{"u5", "gomoku", "ttt", "*"}, []string{"Sort", "records_pkey", "records_pkey"}},
		{"Leaders by rating", selectLeadersByRating, []any{"*", "gomoku", int64(10), int64(20)}, []string{"records_by_rating"}},
		{"Leaders by wins", selectLeadersByWins, []any{"*", "gomoku", int64(10), int64(20)}, []string{"records_by_wins"}},
		{"Place by rating", countAboveByRating, []any{"*", "gomoku", 5400.0, int64(3900), int64(0), int64(0), "u3900"}, []string{"records_by_rating", "records_by_rating"}},
		{"Place everywhere, bounds", selectBounds, oneBound, []string{"brackets_bound", "brackets_bound"}},
		{"Place everywhere", above, figures, []string{
			"brackets_bound", "brackets_bound", "Seq Scan", // of the changes, of which there are few
			"records_by_rating", "records_by_rating", "records_by_rating",
			"records_by_wins", "records_by_wins", "records_by_wins", "records_by_wins", "records_by_wins", "records_by_wins",
		}},
		{"Fold, full brackets", selectFull, nil, []string{"brackets_full whole"}},
		{"Fold, next block", selectNextBlock, oneBound, []string{"brackets_bound"}},
		{"Fold, a block anew", deleteBrackets, append(oneBound, bracket.args()...), []string{"brackets_bound"}},
		{"Place by wins", countAboveByWins, []any{"*", "gomoku", 5400.0, int64(3900), int64(0), int64(0), "u3900"}, []string{"records_by_wins", "records_by_wins"}},
	} {
		t.Run(q.name, func(t *testing.T) {
			if diff := cmp.Diff(q.plan, serverPlan(t, db, q.query, q.args)); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

var (
	usesIndex = regexp.MustCompile(`(?:Scan|Backward) using (\w+) on|Bitmap Index Scan on (\w+)`)
	otherwise = regexp.MustCompile(`Seq Scan|\bSort\b$|Incremental Sort$`)
)

// TestServerCovers shows that no row is looked up for the lists of ended matches.
func TestServerCovers(t *testing.T) {
	db := openServerHere(t)
	for _, statement := range crowd {
		if _, err := db.writer.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	for index, query := range map[string]string{
		"matches_list_guild": selectEndedHereOnServer,
		"matches_list_black": selectEndedOfOnServer, "matches_list_white": selectEndedOfOnServer,
	} {
		plan := strings.Join(explained(t, db, query, []any{"u5", int64(25)}), "\n")
		if !strings.Contains(plan, "Index Only Scan using "+index+" ") {
			t.Errorf("%s is not enough for its query:\n%s", index, plan)
		}
	}
}

// serverPlan asks PostgreSQL how it runs a query, and returns the indexes it uses,
// "whole" behind those that it reads from their beginning; and what it sorts, or
// reads whole.
func serverPlan(t *testing.T, db *DB, query string, args []any) (plan []string) {
	t.Helper()
	scanning := false
	for _, line := range explained(t, db, query, args) {
		if scanning && !strings.Contains(line, "Index Cond:") {
			plan[len(plan)-1] += " whole"
		}
		index := usesIndex.FindStringSubmatch(line)
		if scanning = index != nil; scanning {
			plan = append(plan, index[1]+index[2])
		}
		if found := otherwise.FindString(line); found != "" {
			plan = append(plan, found)
		}
	}
	if scanning {
		plan[len(plan)-1] += " whole"
	}
	return plan
}

// explained is what PostgreSQL answers to EXPLAIN, line by line. How it would sort
// the few rows of a test's person is of no interest: it is made to use the order of
// an index where there is one.
func explained(t *testing.T, db *DB, query string, args []any) (lines []string) {
	t.Helper()
	tx, err := db.writer.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(t.Context(), "SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off"); err != nil {
		t.Fatal(err)
	}
	rows, err := tx.QueryContext(t.Context(), "EXPLAIN (COSTS OFF) "+(&locks{}).text(query), args...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return lines
}
