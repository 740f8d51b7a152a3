package persistence_test

import (
	"database/sql"
	"flag"
	"testing"

	"rowbot/match"
	"rowbot/persistence"
	"rowbot/persistence/pgtest"
)

// growthOn is the kind of database that the benchmarks of growth fill.
var growthOn = flag.String("growth-on", "sqlite", "database of the benchmarks of growth: sqlite or postgres")

// The fill of a server's database is that of a file, statement by statement, and
// what the server would do by itself a minute later.
const (
	fillServerMatches = `INSERT INTO matches (id, version, since, told, reminded, board_cols, board_rows, need, variant, seed,
		challenger_user, challenger_level, invited_user, invited_level, side,
		black_user, black_level, white_user, white_level, status, reason, winner, moves, offer,
		black_after, black_change, white_after, white_change, pace, deadline, created, changed,
		guild, channel, message, event, opening, choice, last_choice, unrated, black_offer_from, white_offer_from)
	SELECT id, 41, 41, 41, 41, 15, 15, 5, 0, i, black, 0, white, 0, 1, black, 0, white, 0, $6::int, 0, CASE $6::int WHEN 30 THEN 1 ELSE 0 END, $4, 0,
		1500, 8, 1500, -8, $8::bigint, CASE $8::bigint WHEN 0 THEN 0 ELSE at + $8::bigint END, at - 3600000, at,
		'35' || lpad((i % $3::bigint)::text, 16, '0'), '45' || lpad((i % $3::bigint)::text, 16, '0'),
		'55' || lpad(i::text, 16, '0'), '65' || lpad(i::text, 16, '0'), 0, 0, 0, 0, 0, 0
	FROM (SELECT i, lpad(to_hex(((i + $7::bigint) * $9::bigint) % 4294967296), 13, '0') AS id,
			'25' || lpad((i % $2::bigint)::text, 16, '0') AS black, '25' || lpad(((i + i / $2::bigint + 1) % $2::bigint)::text, 16, '0') AS white,
			$5::bigint - 1000 * ((i * 40503) % $1::bigint) AS at
		FROM generate_series(0, $1::bigint - 1) AS i) AS p`
	fillServerRecords = `INSERT INTO records (user_id, game, versus, scope, won, drawn, lost, streak, best, points, deviation, volatility, updated)
	SELECT '25' || lpad(i::text, 16, '0'), 'gomoku', versus, CASE guild WHEN '' THEN '35' || lpad((i % $2::bigint)::text, 16, '0') ELSE guild END,
		(i * 40503) % 97, 3, 10, 1, 2, 1500 + ((i * 40503) % $1::bigint) * 800.0 / $1::bigint - 400, 80, 0.06, $3
	FROM generate_series(0, $1::bigint - 1) AS i CROSS JOIN (VALUES ('', '*'), ('', ''), ('level:easy', '*'), ('user:1', '*'), ('user:2', '*'),
		('user:3', '*'), ('user:4', '*'), ('user:5', '*'), ('user:6', '*'), ('user:7', '*'), ('user:8', '*'), ('user:9', '*')) AS s (versus, guild)`
)

// server fills a database on the tests' server.
func (g *grown) server(b *testing.B) {
	b.Helper()
	g.path = pgtest.Database(b)
	db := openServer(b, g.path)
	beside, err := sql.Open("pgx", g.path)
	if err != nil {
		b.Fatal(err)
	}
	defer beside.Close()
	g.fill(b, beside, fillServerMatches, fillServerRecords)
	g.db = db
	g.fold(b)
	for range 2 { // the first notes what the second needs
		if _, err := beside.ExecContext(b.Context(), "VACUUM (ANALYZE)"); err != nil {
			b.Fatal(err)
		}
	}
}

// file fills a file.
func (g *grown) file(b *testing.B) {
	b.Helper()
	db, err := persistence.OpenSQLite(b.Context(), g.path)
	if err != nil {
		b.Fatal(err)
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	raw, err := sql.Open("sqlite3", "file:"+g.path+"?_synchronous=OFF&_cache_size=-2000000")
	if err != nil {
		b.Fatal(err)
	}
	raw.SetMaxOpenConns(1)
	g.fill(b, raw, fillMatches, fillRecords)
	if err := raw.Close(); err != nil {
		b.Fatal(err)
	}
	if g.db, err = persistence.OpenSQLite(b.Context(), g.path); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = g.db.Close() })
	g.fold(b)
}

// fill stores everything there is.
func (g *grown) fill(b *testing.B, raw *sql.DB, matches, records string) {
	b.Helper()
	finished := int64(g.players) * 10
	moves, at := match.FormatMoves(benchMatch(benchMoves).Moves), grownAt.UnixMilli()
	pace := day*3 + finished*1000 // nobody's time is up
	for _, fill := range []struct {
		query string
		args  []any
	}{
		{matches, []any{finished, g.players, g.guilds, moves, at, int64(match.Won), g.running, 0, idFactor()}},
		{matches, []any{g.running, g.players, g.guilds, moves, at, int64(match.Active), 0, pace, idFactor()}},
		{records, []any{g.players, g.guilds, at}},
	} {
		if _, err := raw.ExecContext(b.Context(), fill.query, fill.args...); err != nil {
			b.Fatal(err)
		}
	}
}

// fold has the changes of all people folded into the brackets, as the first
// transaction does that changes a record.
func (g *grown) fold(b *testing.B) {
	b.Helper()
	err := g.db.Update(b.Context(), func(tx match.Tx) error {
		r, err := tx.Record(b.Context(), match.VersusPeople(match.Everywhere, "nobody", match.TicTacToe))
		if err != nil {
			return err
		}
		return tx.PutRating(b.Context(), r.User, r.Game, r.Rating)
	})
	if err != nil {
		b.Fatal(err)
	}
}

// day is a day in milliseconds.
const day = 24 * 60 * 60 * 1000
