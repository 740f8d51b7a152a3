package persistence

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"rowbot/match"
	"rowbot/match/rating"
)

// sound checks that the brackets are what the records say once all is folded: each
// has as many people as lie from its bound to the next one's, the blocks as many as
// their brackets, and none is too large. It returns how many brackets and blocks a
// leaderboard has.
func sound(t *testing.T, db *DB, game match.Game, by match.Order) (brackets, blocks int) {
	t.Helper()
	ctx := t.Context()
	if err := db.run(ctx, db.writer, true, func(open match.Tx) error { return open.(*tx).fold(ctx, true) }); err != nil {
		t.Fatal(err)
	}
	if n := number(t, db, `SELECT count(*) FROM bracket_changes`); n != 0 {
		t.Errorf("%d changes are left", n)
	}
	nobody := `SELECT count(*) FROM brackets AS b WHERE user_id <> '' AND NOT EXISTS (SELECT 1 FROM records AS r
		WHERE r.user_id = b.user_id AND r.game = b.game AND r.versus = '' AND r.scope = '*')`
	if n := number(t, db, nobody); n != 0 {
		t.Errorf("%d brackets begin with somebody who is gone", n)
	}
	starts := [2][]bound{}
	people := [2][]int{}
	err := db.View(ctx, func(open match.Tx) error {
		return open.(*tx).rows(ctx, `SELECT level, people, `+boundColumns+` FROM brackets WHERE game = ?1 AND sorted = ?2
			ORDER BY level, first, second, lost, drawn, user_id`, []any{string(game), string(by)}, func(s scanner) error {
			var b bound
			var level, n int
			err := s.Scan(&level, &n, &b.first, &b.second, &b.lost, &b.drawn, &b.user)
			starts[level], people[level] = append(starts[level], b), append(people[level], n)
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	for level := range starts {
		for i, from := range starts[level] {
			to := bound{first: beyond}
			if i+1 < len(starts[level]) {
				to = starts[level][i+1]
			}
			want := 0
			err := db.View(ctx, func(open match.Tx) error {
				query, args := countBetween("records", bracketStart{game: game, by: by, bound: from}, to)
				return open.(*tx).row(ctx, query, args, func(s scanner) error { return s.Scan(&want) })
			})
			if err != nil || people[level][i] != want {
				t.Fatalf("%s by %s, level %d, %d of %d from %+v: %d people, want %d; %v",
					game, by, level, i, len(starts[level]), from, people[level][i], want, err)
			}
			if level == 0 && want > 2*bracketSize {
				t.Errorf("a bracket has %d people", want)
			}
		}
	}
	return len(starts[0]), len(starts[1])
}

func number(t *testing.T, db *DB, query string) (n int) {
	t.Helper()
	if err := db.writer.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestBrackets: through thousands of changes by which people move about, come in
// crowds and go, what is folded is what the records say, and blocks are divided.
func TestBrackets(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { testBrackets(t, openHere(t)) })
	t.Run("PostgreSQL", func(t *testing.T) { testBrackets(t, openServerHere(t)) })
}

func testBrackets(t *testing.T, db *DB) {
	random, ctx := rand.New(rand.NewPCG(5, 6)), t.Context()
	put := func(tx match.Tx, n int) error {
		r := match.Record{RecordKey: match.VersusPeople(match.Everywhere, fmt.Sprint("p", n), match.Gomoku), Won: random.IntN(4), Lost: random.IntN(3)}
		if err := tx.PutRecord(ctx, r); err != nil {
			return err
		}
		points := []float64{1337.5, 1500, 1662.5, 1500 + 400*random.NormFloat64()}[random.IntN(4)]
		return tx.PutRating(ctx, r.User, r.Game, rating.Rating{Points: points, Deviation: 90, Volatility: 0.06})
	}
	must := func(f func(match.Tx) error) {
		t.Helper()
		if err := db.Update(ctx, f); err != nil {
			t.Fatal(err)
		}
	}
	people := 9000
	insertPeople(t, db, people)
	for range 8 {
		must(func(tx match.Tx) error {
			for range 200 {
				if err := put(tx, people); err != nil {
					return err
				}
				people++
			}
			return nil
		})
		for range foldAfter {
			must(func(tx match.Tx) error { return put(tx, random.IntN(people)) })
		}
		must(func(tx match.Tx) error { return forget(ctx, tx, fmt.Sprint("p", random.IntN(people))) })
		if n := number(t, db, `SELECT count(*) FROM bracket_changes`); n > 4*foldAfter {
			t.Errorf("%d changes wait: nobody folds", n)
		}
	}
	for _, by := range []match.Order{match.ByRating, match.ByWins} {
		brackets, blocks := sound(t, db, match.Gomoku, by)
		if brackets < people/(2*bracketSize) || brackets > 2*people/bracketSize || blocks < 2 {
			t.Errorf("by %s: %d brackets and %d blocks for %d people", by, brackets, blocks, people)
		}
		if brackets, blocks := sound(t, db, match.TicTacToe, by); brackets != 1 || blocks != 1 {
			t.Errorf("by %s: %d brackets and %d blocks for nobody", by, brackets, blocks)
		}
	}
	must(func(tx match.Tx) error { // so many at once that all is cut anew
		for n := range people {
			if err := put(tx, n); err != nil {
				return err
			}
		}
		return nil
	})
	foldNow(t, db)
	sound(t, db, match.Gomoku, match.ByRating)
}

// insertPeople stores people, half of whom have the same rating.
func insertPeople(t *testing.T, db *DB, people int) {
	t.Helper()
	_, err := db.writer.ExecContext(t.Context(), `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < `+strconv.Itoa(people)+`)
		INSERT INTO records (user_id, game, versus, scope, won, drawn, lost, streak, best, points, deviation, volatility, updated)
		SELECT 'p' || i, 'gomoku', '', '*', i % 7, 0, i % 3, 0, 0, CASE WHEN i % 2 = 0 THEN 1500 ELSE i END, 60, 0.06, i FROM n`)
	if err != nil {
		t.Fatal(err)
	}
}

// TestNobodyStaysInTheBrackets: whoever is deleted is in no table any more when
// that is done, also if a bracket or a block began with them.
func TestNobodyStaysInTheBrackets(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { testNobodyStays(t, openHere(t)) })
	t.Run("PostgreSQL", func(t *testing.T) { testNobodyStays(t, openServerHere(t)) })
}

func testNobodyStays(t *testing.T, db *DB) {
	ctx := t.Context()
	insertPeople(t, db, 10100)
	foldNow(t, db)
	var users []string
	for _, level := range []string{"1", "0"} {
		var user string
		err := db.writer.QueryRowContext(ctx, `SELECT user_id FROM brackets WHERE level = `+level+` AND user_id <> '' ORDER BY people, user_id LIMIT 1`).Scan(&user)
		if err != nil {
			t.Fatal(err)
		}
		users = append(users, user)
	}
	for _, user := range append(users, "p99") {
		if err := db.Update(ctx, func(tx match.Tx) error { return forget(ctx, tx, user) }); err != nil {
			t.Fatal(err)
		}
		for _, table := range []string{"records", "brackets", "bracket_changes"} {
			if n := number(t, db, `SELECT count(*) FROM `+table+` WHERE user_id = '`+user+`'`); n != 0 {
				t.Errorf("%s is in %s", user, table)
			}
		}
	}
	for _, by := range []match.Order{match.ByRating, match.ByWins} {
		if brackets, blocks := sound(t, db, match.Gomoku, by); brackets < 150 || blocks != 3 {
			t.Errorf("by %s: %d brackets, %d blocks", by, brackets, blocks)
		}
	}
}

// TestBracketsOfBefore: the step that makes the brackets fills them from the
// records that are there.
func TestBracketsOfBefore(t *testing.T) {
	t.Run("SQLite", func(t *testing.T) { testBracketsOfBefore(t, openHere(t), 8) })
	t.Run("PostgreSQL", func(t *testing.T) { testBracketsOfBefore(t, openServerHere(t), 2) })
}

func testBracketsOfBefore(t *testing.T, db *DB, before int64) {
	ctx := t.Context()
	p, err := db.steps()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.DownTo(ctx, before); err != nil {
		t.Fatal(err)
	}
	insert := `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
		INSERT INTO records (user_id, game, versus, scope, won, drawn, lost, streak, best, points, deviation, volatility, updated)
		SELECT 'u' || i, CASE WHEN i % 50 = 0 THEN 'ttt' ELSE 'gomoku' END, v, s, i % 7, 0, i % 3, 0, 0, 1500 + i % 1000, 60, 0.06, i
		FROM n, (SELECT '' AS v, '*' AS s UNION ALL SELECT 'level:easy', '*' UNION ALL SELECT '', 'g1') AS x`
	if _, err := db.writer.ExecContext(ctx, insert); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	for _, by := range []match.Order{match.ByRating, match.ByWins} {
		if brackets, blocks := sound(t, db, match.Gomoku, by); brackets != 77 || blocks != 2 { // of 4900
			t.Errorf("by %s: %d brackets, %d blocks", by, brackets, blocks)
		}
		if brackets, blocks := sound(t, db, match.TicTacToe, by); brackets != 2 || blocks != 1 { // of 100
			t.Errorf("by %s: %d brackets, %d blocks", by, brackets, blocks)
		}
	}
}

// TestBracketsOfACopy: what is copied to another store, or to one that has some of
// it, is in its brackets.
func TestBracketsOfACopy(t *testing.T) {
	file, server, ctx := openHere(t), openServerHere(t), t.Context()
	for range 2 {
		err := file.Update(ctx, func(tx match.Tx) error {
			for n := range 300 {
				k := match.VersusPeople(match.Everywhere, fmt.Sprint("p", n), match.Gomoku)
				r, err := tx.Record(ctx, k)
				if err != nil {
					return err
				}
				r.Won += n
				if err := tx.PutRecord(ctx, r); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Copy(ctx, file, server); err != nil {
			t.Fatal(err)
		}
		for _, db := range []*DB{file, server} {
			if brackets, _ := sound(t, db, match.Gomoku, match.ByWins); brackets < 4 {
				t.Errorf("%d brackets of 300 people", brackets)
			}
		}
	}
}

func forget(ctx context.Context, tx match.Tx, user string) error {
	_, err := tx.Forget(ctx, user, "gone")
	return err
}

// foldNow folds what has changed, as the bookkeeper does.
func foldNow(t *testing.T, db *DB) {
	t.Helper()
	if err := db.books.fold(t.Context(), false); err != nil {
		t.Fatal(err)
	}
}

// TestFullBrackets: the index of the brackets that are to be cut anew is the one for
// their size.
func TestFullBrackets(t *testing.T) {
	want := fmt.Sprintf("people > %d", 2*bracketSize)
	if !strings.HasSuffix(selectFull, "level = 0 AND "+want) {
		t.Errorf("%s, want %s", selectFull, want)
	}
	for kind, where := range map[string]struct {
		db    *DB
		query string
	}{
		"SQLite":     {openHere(t), `SELECT sql FROM sqlite_schema WHERE name = 'brackets_full'`},
		"PostgreSQL": {openServerHere(t), `SELECT indexdef FROM pg_indexes WHERE indexname = 'brackets_full'`},
	} {
		var index string
		if err := where.db.writer.QueryRowContext(t.Context(), where.query).Scan(&index); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(index, want) {
			t.Errorf("%s: %s, want %s", kind, index, want)
		}
	}
}
