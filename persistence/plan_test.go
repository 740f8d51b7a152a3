package persistence

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

// openHere opens a new database for a test that looks inside.
func openHere(t *testing.T) *DB {
	t.Helper()
	db, err := OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "rowbot.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// TestPlans shows that no query reads more of a table than it answers with: it
// finds its rows (SEARCH) by a key or an index, in the order asked for, so that
// nothing is sorted (TEMP B-TREE) but a person's history. What is shown in lists of
// many is in the index itself (COVERING). The one SCAN of an index is of the single
// entry that is first in it.
func TestPlans(t *testing.T) {
	const (
		byID       = "SEARCH matches USING INDEX sqlite_autoindex_matches_1 (id=?)"
		byNumber   = "SEARCH matches USING INTEGER PRIMARY KEY (rowid=?)"
		record     = "SEARCH records USING PRIMARY KEY (user_id=? AND game=? AND versus=? AND scope=?)"
		mergeUnion = "MERGE (UNION)"
		sorted     = "USE TEMP B-TREE FOR ORDER BY" // what is wanted whole
	)
	db := openHere(t)
	above, _ := aboveSome((*locks)(nil).ranked(match.ByRating))
	bounds := "SEARCH brackets USING COVERING INDEX brackets_bound (game=? AND sorted=? AND level=? AND (first,second,lost,drawn,user_id)<(?,?,?,?,?))"
	ofChange := strings.Replace(bounds, "brackets U", "b U", 1)
	for _, q := range []struct {
		name, query string
		plan        []string
	}{
		{"Match", selectMatch, []string{byID}},
		{"Rematch", selectRematch, []string{"SEARCH matches USING INDEX matches_rematch_of (rematch_of=?)"}},
		{"Replace", updateMatch, []string{byID}},
		{"Replace by a move", updatePlay, []string{byID}},
		{"SetWhere", updateWhere, []string{byID}},
		{"Open", selectOpen, []string{
			"CO-ROUTINE (subquery-4)",
			mergeUnion,
			"LEFT", mergeUnion,
			"LEFT", "SEARCH matches USING INDEX matches_open_challenger (challenger_user=?)",
			"RIGHT", "SEARCH matches USING INDEX matches_open_invited (invited_user=?)",
			"RIGHT", mergeUnion,
			"LEFT", "SEARCH matches USING INDEX matches_open_black (black_user=?)",
			"RIGHT", "SEARCH matches USING INDEX matches_open_white (white_user=?)",
			"SCAN (subquery-4)", byNumber,
		}},
		{"Open, those being played", selectPlaying, []string{
			"CO-ROUTINE (subquery-2)", mergeUnion,
			"LEFT", "SEARCH matches USING INDEX matches_open_black (black_user=?)",
			"RIGHT", "SEARCH matches USING INDEX matches_open_white (white_user=?)",
			"SCAN (subquery-2)", byNumber,
		}},
		{"Open, sent challenges", selectSent, []string{"SEARCH matches USING INDEX matches_open_challenger (challenger_user=?)"}},
		{"Ended in a guild", selectEndedHere, []string{"SEARCH matches USING COVERING INDEX matches_ended_guild (guild=?)"}},
		{"Ended of a user", selectEndedOf, []string{
			"MERGE (UNION ALL)",
			"LEFT", "SEARCH matches USING COVERING INDEX matches_ended_black (black_user=?)",
			"RIGHT", "SEARCH matches USING COVERING INDEX matches_ended_white (white_user=?)",
		}},
		{"Due", selectDue, []string{"SEARCH matches USING INDEX matches_due ((due,id)>(?,?) AND due<?)"}},
		{"CountOpen", countOpen, []string{"SCAN matches USING COVERING INDEX matches_due"}}, // which holds no others
		{"Owed", selectOwed, []string{"SEARCH matches USING COVERING INDEX matches_owed (id>?)"}},
		{"Unshown", selectUnshown, []string{"SEARCH matches USING COVERING INDEX matches_unshown (id>?)"}},
		{"SetUnshown", updateUnshown, []string{byID}},
		{"SetTold", updateTold, []string{byID}},
		{"Quiet", selectQuiet, []string{"SEARCH matches USING INDEX matches_quiet ((quiet,id)>(?,?) AND quiet<?)"}},
		{"ShortOfTime", selectShort, []string{"SEARCH matches USING INDEX matches_warn ((warn,id)>(?,?) AND warn<?)"}},
		{"SetAlarms", updateAlarms, []string{byID}},
		{"DropNotice", deleteNotice, []string{"SEARCH notices USING PRIMARY KEY (match_id=? AND turn=? AND kind=?)"}},
		{"RetireNotices", retireNotices, []string{"SEARCH notices USING PRIMARY KEY (match_id=?)"}},
		{"RetireOffers", retireOffers, []string{"SEARCH notices USING PRIMARY KEY (match_id=?)"}},
		{"Notices", selectNotices, []string{"SEARCH notices USING PRIMARY KEY (match_id=?)"}},
		{"Unsettled", selectUnsettled, []string{"SEARCH notices USING INDEX notices_unsettled (match_id>?)"}},
		{"LastPlayed", selectLastPlayed, []string{"SEARCH matches USING INDEX matches_played_guild (guild=?)"}},
		{"LastPlayed everywhere", selectLastPlayedAnywhere, []string{"SCAN matches USING INDEX matches_played"}},
		{"Running", selectRunning, []string{"SEARCH matches USING INDEX matches_open_guild (guild=?)"}},
		{"Pending", selectPending, []string{"SEARCH matches USING INDEX matches_open_challenger (challenger_user=?)"}},
		{"Pending in a channel", selectPendingHere, []string{"SEARCH matches USING INDEX matches_open_challenger (challenger_user=?)"}},
		{"Standing", selectStanding, []string{
			"SCAN CONSTANT ROW",
			"SCALAR SUBQUERY 1", "SEARCH matches USING INDEX matches_open_challenger (challenger_user=?)",
			"SCALAR SUBQUERY 2", "SEARCH matches USING INDEX matches_open_black (black_user=?)",
			"SCALAR SUBQUERY 3", "SEARCH matches USING INDEX matches_open_white (white_user=?)",
		}},
		{"Rebuffed", selectRebuffed, []string{"SEARCH matches USING INDEX matches_over_challenger (challenger_user=? AND invited_user=?)"}},
		{"RatedBetween", countRated, []string{
			"SCAN CONSTANT ROW",
			"SCALAR SUBQUERY 1", "SEARCH matches USING COVERING INDEX matches_ended_black (black_user=? AND changed>?)",
			"SCALAR SUBQUERY 2", "SEARCH matches USING COVERING INDEX matches_ended_black (black_user=? AND changed>?)",
		}},
		{"Rename in a match", renameInMatch, []string{byID}},
		{"Rename in a record", renameRecord, []string{record}},
		{"AllRecords", selectAllRecords, []string{"SEARCH records USING PRIMARY KEY (user_id=?)"}},
		{"Preferences", selectPreferences, []string{"SEARCH preferences USING PRIMARY KEY (user_id=?)"}},
		{"Guild", selectGuild, []string{"SEARCH guilds USING PRIMARY KEY (id=?)"}},
		{"ForgetGuild, records", forgetGuild[1], []string{"SEARCH records USING INDEX records_of_guild (scope=?)"}},
		{"ForgetGuild, open matches", forgetGuild[2], []string{"SEARCH matches USING INDEX matches_open_guild (guild=?)"}},
		{"ForgetGuild, ended matches", forgetGuild[3], []string{"SEARCH matches USING INDEX matches_ended_guild (guild=?)"}},
		{"ForgetGuild, others", forgetGuild[4], []string{"SEARCH matches USING INDEX matches_over_guild (guild=?)"}},
		{"History", selectHistory, []string{
			byID, "LIST SUBQUERY 6", mergeUnion, "LEFT", mergeUnion, "LEFT", mergeUnion,
			"LEFT", "SEARCH matches USING COVERING INDEX matches_ended_black (black_user=?)", sorted,
			"RIGHT", "SEARCH matches USING COVERING INDEX matches_ended_white (white_user=?)", sorted,
			"RIGHT", "SEARCH matches USING INDEX matches_over_black (black_user=?)", sorted,
			"RIGHT", mergeUnion, "LEFT", mergeUnion,
			"LEFT", "SEARCH matches USING INDEX matches_over_white (white_user=?)", sorted,
			"RIGHT", "SEARCH matches USING INDEX matches_over_challenger (challenger_user=?)", sorted,
			"RIGHT", "SEARCH matches USING INDEX matches_over_invited (invited_user=?)", sorted,
			sorted,
		}},
		{"Record", selectRecord, []string{record}},
		{"PutRating", updateRating, []string{"SEARCH records USING PRIMARY KEY (user_id=? AND game=? AND versus=?)"}},
		{"Records", selectRecords, []string{
			"MERGE (UNION ALL)", "LEFT", record,
			"RIGHT", "SEARCH records USING PRIMARY KEY (user_id=? AND game=? AND versus>? AND versus<?)",
		}},
		{"Leaders by rating", selectLeadersByRating, []string{"SEARCH records USING COVERING INDEX records_by_rating (scope=? AND game=?)"}},
		{"Leaders by wins", selectLeadersByWins, []string{"SEARCH records USING COVERING INDEX records_by_wins (scope=? AND game=?)"}},
		{"Place by rating", countAboveByRating, []string{
			"SCAN CONSTANT ROW",
			"SCALAR SUBQUERY 1", "SEARCH records USING COVERING INDEX records_by_rating (scope=? AND game=? AND points>?)",
			"SCALAR SUBQUERY 2", "SEARCH records USING COVERING INDEX records_by_rating (scope=? AND game=? AND points=? AND won>?)",
		}},
		{"Place everywhere, bounds", selectBounds, []string{
			"COMPOUND QUERY", "LEFT-MOST SUBQUERY", "CO-ROUTINE block", bounds, "SCAN block",
			"UNION ALL", "CO-ROUTINE bracket", bounds, "SCAN bracket",
		}},
		{"Place everywhere", above, []string{
			"SCAN CONSTANT ROW",
			"SCALAR SUBQUERY 1", bounds,
			"SCALAR SUBQUERY 2", strings.Replace(bounds, "<(?,?,?,?,?))", ">(?,?,?,?,?) AND (first,second,lost,drawn,user_id)<(?,?,?,?,?))", 1),
			"SCALAR SUBQUERY 3", "SCAN bracket_changes", // of which there are few
			"SCALAR SUBQUERY 4", "SEARCH records USING COVERING INDEX records_by_rating (scope=? AND game=? AND points>? AND points<?)",
			"SCALAR SUBQUERY 5", "SEARCH records USING COVERING INDEX records_by_rating (scope=? AND game=? AND points=? AND won<?)",
			"SCALAR SUBQUERY 6", "SEARCH records USING COVERING INDEX records_by_rating (scope=? AND game=? AND points=? AND won>?)",
			"SCALAR SUBQUERY 7", "SEARCH records USING COVERING INDEX records_by_rating (scope=? AND game=? AND points=? AND won=? AND lost>?)",
			"SCALAR SUBQUERY 8", "SEARCH records USING COVERING INDEX records_by_rating (scope=? AND game=? AND points=? AND won=? AND lost<?)",
			"SCALAR SUBQUERY 9", "SEARCH records USING COVERING INDEX records_by_rating (scope=? AND game=? AND points=? AND won=? AND lost=? AND drawn<?)",
			"SCALAR SUBQUERY 10", "SEARCH records USING COVERING INDEX records_by_rating (scope=? AND game=? AND points=? AND won=? AND lost=? AND drawn>?)",
			"SCALAR SUBQUERY 11", "SEARCH records USING COVERING INDEX records_by_rating (scope=? AND game=? AND points=? AND won=? AND lost=? AND drawn=? AND user_id>?)",
			"SCALAR SUBQUERY 12", "SEARCH records USING COVERING INDEX records_by_rating (scope=? AND game=? AND points=? AND won=? AND lost=? AND drawn=? AND user_id<?)",
		}},
		{"Fold", foldChanges, []string{
			"MATERIALIZE sums", "CO-ROUTINE hits", "COMPOUND QUERY", "LEFT-MOST SUBQUERY",
			"MATERIALIZE net", "SCAN bracket_changes", "USE TEMP B-TREE FOR GROUP BY",
			"SCAN c", "CORRELATED SCALAR SUBQUERY 2", ofChange, "UNION ALL", "SCAN c", "CORRELATED SCALAR SUBQUERY 4", ofChange,
			"UNION ALL", "SCAN c", "CORRELATED SCALAR SUBQUERY 6", ofChange, "UNION ALL", "SCAN c", "CORRELATED SCALAR SUBQUERY 8", ofChange,
			"SCAN hits", "USE TEMP B-TREE FOR GROUP BY", "SCAN sums", "SEARCH brackets USING INTEGER PRIMARY KEY (rowid=?)",
		}},
		{"Fold, full brackets", selectFull, []string{"SEARCH brackets USING INDEX brackets_full (people>?)"}},
		{"Fold, next block", selectNextBlock, []string{strings.Replace(bounds, ")<(", ")>(", 1)}},
		{"Place by wins", countAboveByWins, []string{
			"SCAN CONSTANT ROW",
			"SCALAR SUBQUERY 1", "SEARCH records USING COVERING INDEX records_by_wins (scope=? AND game=? AND won>?)",
			"SCALAR SUBQUERY 2", "SEARCH records USING COVERING INDEX records_by_wins (scope=? AND game=? AND won=? AND points>?)",
		}},
	} {
		t.Run(q.name, func(t *testing.T) {
			if diff := cmp.Diff(q.plan, queryPlan(t, db, q.query)); diff != "" {
				t.Errorf("plan (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPlansOfAPerson shows that all of a person's matches are found by the indexes of
// the four parts one can have, and of the two in matches that were won or drawn.
func TestPlansOfAPerson(t *testing.T) {
	db := openHere(t)
	const search, covering = "SEARCH matches USING INDEX matches_%s (%s_user=?)", "SEARCH matches USING COVERING INDEX matches_%s (%s_user=?)"
	over := map[string]bool{
		"SEARCH matches USING INDEX sqlite_autoindex_matches_1 (id=?)": true,
		fmt.Sprintf(covering, "ended_black", "black"):                  true,
		fmt.Sprintf(covering, "ended_white", "white"):                  true,
		fmt.Sprintf(search, "over_black", "black"):                     true,
		fmt.Sprintf(search, "over_white", "white"):                     true,
		fmt.Sprintf(search, "over_challenger", "challenger"):           true,
		fmt.Sprintf(search, "over_invited", "invited"):                 true,
	}
	all := maps.Clone(over)
	all[fmt.Sprintf(covering, "open_challenger", "challenger")] = true
	all[fmt.Sprintf(covering, "open_invited", "invited")] = true
	all[fmt.Sprintf(search, "open_black", "black")] = true
	all[fmt.Sprintf(search, "open_white", "white")] = true
	for query, want := range map[string]map[string]bool{selectHistory: over, selectInvolved: all} {
		got := map[string]bool{}
		for _, step := range queryPlan(t, db, query) {
			if strings.HasPrefix(step, "SEARCH") || strings.HasPrefix(step, "SCAN") {
				got[step] = true
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("plan of %s (-want +got):\n%s", query, diff)
		}
	}
}

func aboveSome(records string) (string, []any) {
	game, by, block, bracket, own := someBracket()
	return countAbove(records, game, by, block, bracket, own)
}

// someBracket is a block and a bracket that differ in everything, and a place in it.
func someBracket() (match.Game, match.Order, bound, bound, bound) {
	return match.Gomoku, match.ByRating, bound{-3000, -10, 4, -4, "u10"}, bound{-2500, -100, 1, -1, "u100"}, bound{-2400, -90, 2, -2, "u90"}
}

var parameter = regexp.MustCompile(`\?\d+`)

// queryPlan asks SQLite how it would run a query.
func queryPlan(t *testing.T, db *DB, query string) []string {
	t.Helper()
	count := 0
	for _, p := range parameter.FindAllString(query, -1) {
		n, err := strconv.Atoi(p[1:])
		if err != nil {
			t.Fatal(err)
		}
		count = max(count, n)
	}
	rows, err := db.writer.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+query, make([]any, count)...)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var plan []string
	for rows.Next() {
		var id, parent, unused int
		var detail string
		if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
			t.Fatal(err)
		}
		plan = append(plan, detail)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestSettings asks every connection of both pools what it really does.
func TestSettings(t *testing.T) {
	db := openHere(t)
	settings := map[string]string{
		"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1", "busy_timeout": "1000",
		"application_id": strconv.Itoa(applicationID),
	}
	for _, pool := range []struct {
		name        string
		connections int
		queryOnly   string
		cache       string
	}{{"writer", 1, "0", "-6000"}, {"readers", maxReaders, "1", "-2000"}} {
		t.Run(pool.name, func(t *testing.T) {
			opened := db.readers
			if pool.name == "writer" {
				opened = db.writer
			}
			if got := opened.Stats().MaxOpenConnections; got != pool.connections {
				t.Errorf("%d connections at most, want %d", got, pool.connections)
			}
			settings["query_only"], settings["cache_size"] = pool.queryOnly, pool.cache
			for range pool.connections {
				conn, err := opened.Conn(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				defer conn.Close() // all of them at the end, so that each is another one
				for name, want := range settings {
					var got string
					if err := conn.QueryRowContext(t.Context(), "PRAGMA "+name).Scan(&got); err != nil || got != want {
						t.Errorf("%s is %q (%v), want %q", name, got, err, want)
					}
				}
			}
		})
	}
}

// TestTables: the schema is what the migrations say, with one table of goose's.
func TestTables(t *testing.T) {
	db := openHere(t)
	rows, err := db.writer.QueryContext(t.Context(), `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var got []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		got = append(got, name)
	}
	want := []string{"bracket_changes", "brackets", "goose_db_version", "guilds", "leases", "matches", "notices", "preferences", "records", "sessions", "sqlite_sequence"}
	if diff := cmp.Diff(want, got); diff != "" || rows.Err() != nil {
		t.Errorf("tables (-want +got):\n%s%v", diff, rows.Err())
	}
}

// TestDownAndUp: the schema can be taken back and built again.
func TestDownAndUp(t *testing.T) {
	db, ctx := openHere(t), context.Background()
	p, err := db.steps()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.DownTo(ctx, 0); err != nil {
		t.Fatal(err)
	}
	was, err := db.Migrate(ctx)
	if err != nil || was.Have != 0 {
		t.Fatalf("Migrate: from %+v, %v", was, err)
	}
	if now, err := db.Schema(ctx); err != nil || !now.Current() || now.Have == 0 {
		t.Fatalf("Schema: %+v, %v", now, err)
	}
}

// TestNoticesOfBefore: a turn that began before there were notices counts as one
// that the player was told of.
func TestNoticesOfBefore(t *testing.T) {
	db, ctx := openHere(t), t.Context()
	for id, status := range map[match.ID]match.Status{"active": match.Active, "challenge": match.Challenged, "over": match.Won} {
		m := match.Match{ID: id, Version: 9, Since: 7, Rules: match.TicTacToeRules(), Status: status}
		if err := db.Update(ctx, func(tx match.Tx) error { return tx.Insert(ctx, m) }); err != nil {
			t.Fatal(err)
		}
	}
	p, err := db.steps()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.DownTo(ctx, 3); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[match.ID]match.Version{"active": 7, "challenge": 0, "over": 0} {
		err := db.View(ctx, func(tx match.Tx) error {
			m, err := tx.Match(ctx, id)
			if m.Told != (match.Told{Turn: want}) {
				t.Errorf("%s: told %+v, want the turn %d", id, m.Told, want)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}
