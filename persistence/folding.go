package persistence

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"rowbot/match"
)

// Changes of records are folded into the brackets by whichever copy of the program has
// stored enough of them, in a transaction of its own; see bookkeeper. Brackets that have
// grown too large are divided then: their block is cut anew.

const (
	// bracketSize is how many people a new bracket has. When one has more than twice as
	// many, its block is cut anew. Twice the number is written out in selectFull and in
	// the index brackets_full, which finds those brackets: to change it takes a
	// migration that makes the index anew.
	bracketSize = 64
	// blockSize is how many people a new block has.
	blockSize = 64 * bracketSize
	// foldAfter is after how many transactions that changed records somebody folds.
	foldAfter = 16
	// manyChanges is from how many changes on everything is cut anew in place of
	// looking up each.
	manyChanges = 10_000
	// folding is the number of the lock under which a server's brackets are changed.
	folding = migrating + 1
)

// fold folds the changes into the brackets. If somebody else is folding, it leaves the
// work to them, unless it has to wait: they may have begun too early.
func (t *tx) fold(ctx context.Context, wait bool) error {
	if alone, err := t.foldAlone(ctx, wait); err != nil || !alone {
		return err
	}
	n := 0
	if err := t.row(ctx, countChanges, []any{manyChanges}, func(s scanner) error { return s.Scan(&n) }); err != nil {
		return err
	}
	if n == manyChanges {
		return t.cutAll(ctx)
	}
	if _, err := t.exec(ctx, foldChanges); err != nil {
		return err
	}
	gone, err := t.starts(ctx, selectGone)
	if err != nil {
		return err
	}
	if _, err := t.exec(ctx, deleteChanges); err != nil {
		return err
	}
	for _, start := range gone {
		if err := t.cutAround(ctx, start); err != nil {
			return err
		}
	}
	return t.cutFull(ctx)
}

const (
	countChanges  = `SELECT count(*) FROM (SELECT 1 FROM bracket_changes LIMIT ?1) AS those`
	deleteChanges = `DELETE FROM bracket_changes`
	tryFolding    = `SELECT pg_try_advisory_xact_lock(?1)`
	waitToFold    = `SELECT pg_advisory_xact_lock(?1) IS NOT NULL`

	// The whole of a transaction that folds sees one state: what it takes from the
	// changes is what it deletes, and what it counts in the records.
	oneState = `SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`
)

// foldAlone reports whether nobody else folds. After a wait the server asks for
// the transaction to be run again, since it sees what was before the wait. On a
// server folding may take what time it needs.
func (t *tx) foldAlone(ctx context.Context, wait bool) (alone bool, err error) {
	if t.locks == nil {
		return true, nil
	}
	if _, err := t.exec(ctx, oneState); err != nil {
		return false, err
	}
	if err := t.takeTime(ctx, longLimit); err != nil {
		return false, err
	}
	query := tryFolding
	if wait {
		query = waitToFold
	}
	err = t.row(ctx, query, []any{int64(folding)}, func(s scanner) error { return s.Scan(&alone) })
	return alone, err
}

// foldChanges adds up, for each bracket and block, who came and went.
var foldChanges = func() string {
	var hits []string
	for _, by := range []match.Order{match.ByRating, match.ByWins} {
		for _, level := range []string{"0", "1"} {
			hits = append(hits, `SELECT (SELECT id FROM brackets AS b WHERE b.game = c.game AND b.sorted = '`+string(by)+`' AND b.level = `+level+`
				AND (b.first, b.second, b.lost, b.drawn, b.user_id) <= `+qualified(changeBound[by])+`
				ORDER BY b.first DESC, b.second DESC, b.lost DESC, b.drawn DESC, b.user_id DESC LIMIT 1) AS hit, people
			FROM net AS c`)
		}
	}
	return `WITH net AS (SELECT game, points, won, lost, drawn, user_id, CAST(sum(people) AS BIGINT) AS people FROM bracket_changes
			GROUP BY game, points, won, lost, drawn, user_id HAVING sum(people) <> 0),
		hits AS (` + strings.Join(hits, " UNION ALL ") + `),
		sums AS (SELECT hit, CAST(sum(people) AS BIGINT) AS people FROM hits GROUP BY hit HAVING sum(people) <> 0)
	UPDATE brackets SET people = brackets.people + sums.people FROM sums WHERE id = hit`
}()

// qualified names the table of changes before its columns.
func qualified(columns string) string {
	return strings.NewReplacer("points", "c.points", "won", "c.won", "lost", "c.lost", "drawn", "c.drawn", "user_id", "c.user_id").Replace(columns)
}

// bracketStart is where a bracket or a block begins, and on which leaderboard.
type bracketStart struct {
	game  match.Game
	by    match.Order
	bound bound
}

const (
	selectFull = `SELECT game, sorted, ` + boundColumns + ` FROM brackets WHERE level = 0 AND people > 128`
	// selectGone finds brackets that begin with somebody who has no record any more.
	selectGone = `SELECT game, sorted, ` + boundColumns + ` FROM brackets WHERE level = 0 AND user_id IN (
		SELECT user_id FROM bracket_changes AS c WHERE people < 0 AND NOT EXISTS (
			SELECT 1 FROM records AS r WHERE r.user_id = c.user_id AND r.game = c.game AND r.versus = '' AND r.scope = '*'))`
)

func (t *tx) starts(ctx context.Context, query string) (found []bracketStart, err error) {
	err = t.rows(ctx, query, nil, func(s scanner) error {
		var b bracketStart
		err := s.Scan(&b.game, &b.by, &b.bound.first, &b.bound.second, &b.bound.lost, &b.bound.drawn, &b.bound.user)
		found = append(found, b)
		return err
	})
	return found, err
}

// cutFull cuts the blocks anew in which a bracket has grown too large.
func (t *tx) cutFull(ctx context.Context) error {
	full, err := t.starts(ctx, selectFull)
	if err != nil {
		return err
	}
	done := map[bracketStart]bool{}
	for _, f := range full {
		if f.bound, _, err = t.bracketOf(ctx, f.game, f.by, f.bound); err != nil {
			return err
		}
		if done[f] {
			continue
		}
		done[f] = true
		end, err := t.nextBlock(ctx, f)
		if err != nil {
			return err
		}
		if err := t.cut(ctx, f, end); err != nil {
			return err
		}
	}
	return nil
}

// cutAround cuts anew what is around a bound, with the block before it if a block
// begins there: nothing begins with that person then.
func (t *tx) cutAround(ctx context.Context, at bracketStart) error {
	end, err := t.nextBlock(ctx, at)
	if err != nil {
		return err
	}
	at.bound.user = ""
	if at.bound, _, err = t.bracketOf(ctx, at.game, at.by, at.bound); err != nil {
		return err
	}
	return t.cut(ctx, at, end)
}

// cutAll cuts everything anew.
func (t *tx) cutAll(ctx context.Context) error {
	if _, err := t.exec(ctx, deleteChanges); err != nil {
		return err
	}
	for _, game := range []match.Game{match.TicTacToe, match.Gomoku} {
		for _, by := range []match.Order{match.ByRating, match.ByWins} {
			start := bracketStart{game: game, by: by, bound: bound{first: -beyond}}
			if err := t.cut(ctx, start, bound{first: beyond}); err != nil {
				return err
			}
		}
	}
	return nil
}

const selectNextBlock = `SELECT ` + boundColumns + ` FROM brackets
	WHERE game = ?1 AND sorted = ?2 AND level = 1 AND (` + boundColumns + `) > (?3, ?4, ?5, ?6, ?7)
	ORDER BY first, second, lost, drawn, user_id LIMIT 1`

// nextBlock returns where the next block begins behind a bound, or the end.
func (t *tx) nextBlock(ctx context.Context, from bracketStart) (next bound, err error) {
	args := append([]any{string(from.game), string(from.by)}, from.bound.args()...)
	err = t.row(ctx, selectNextBlock, args, func(s scanner) (err error) { next, err = scanBound(s); return err })
	if errors.Is(err, match.ErrNotFound) {
		return bound{first: beyond}, nil
	}
	return next, err
}

const (
	deleteBrackets = `DELETE FROM brackets WHERE game = ?1 AND sorted = ?2 AND level IN (0, 1)
		AND (` + boundColumns + `) > (?3, ?4, ?5, ?6, ?7) AND (` + boundColumns + `) < (?8, ?9, ?10, ?11, ?12)`
	setPeople = `UPDATE brackets SET people = CASE level WHEN 0 THEN CAST(?8 AS BIGINT) ELSE CAST(?9 AS BIGINT) END
		WHERE game = ?1 AND sorted = ?2 AND level IN (0, 1)
		AND first = ?3 AND second = ?4 AND lost = ?5 AND drawn = ?6 AND user_id = ?7`
)

// cut counts who is between two bounds of blocks, and makes brackets and blocks
// of even sizes of it. No change may be noted that is not in the records.
func (t *tx) cut(ctx context.Context, start bracketStart, end bound) error {
	total := 0
	query, args := countBetween(t.locks.ranked(start.by), start, end)
	if err := t.row(ctx, query, args, func(s scanner) error { return s.Scan(&total) }); err != nil {
		return err
	}
	args = append([]any{string(start.game), string(start.by)}, start.bound.args()...)
	if _, err := t.exec(ctx, deleteBrackets, append(args, end.args()...)...); err != nil {
		return err
	}
	if _, err := t.exec(ctx, setPeople, append(args, int64(min(total, bracketSize)), int64(min(total, blockSize)))...); err != nil {
		return err
	}
	query, args = cutBetween(t.locks.ranked(start.by), start, end, total)
	_, err := t.exec(ctx, query, args...)
	return err
}

func countBetween(records string, start bracketStart, end bound) (string, []any) {
	conditions, args := between(start.by, start.game, start.bound.figures(start.by), end.figures(start.by), nil)
	one := "(SELECT count(*) FROM " + records + " WHERE "
	return "SELECT " + one + strings.Join(conditions, ") + "+one) + ")", args
}

// cutBetween is the statement that stores brackets and blocks but for the first.
func cutBetween(records string, start bracketStart, end bound, total int) (string, []any) {
	columns := figureColumns[start.by]
	conditions, args := between(start.by, start.game, start.bound.figures(start.by), end.figures(start.by),
		[]any{string(start.game), string(start.by), int64(total)})
	var those []string
	for _, condition := range conditions {
		those = append(those, "SELECT points, won, lost, drawn, user_id FROM "+records+" WHERE "+condition)
	}
	return fmt.Sprintf(`INSERT INTO brackets (game, sorted, level, first, second, lost, drawn, user_id, people)
		SELECT CAST(?1 AS TEXT), CAST(?2 AS TEXT), level, -%[1]s, -%[2]s, lost, -drawn, user_id,
			CASE WHEN CAST(?3 AS BIGINT) - i < size THEN CAST(?3 AS BIGINT) - i ELSE size END
		FROM (SELECT points, won, lost, drawn, user_id, row_number() OVER (ORDER BY %[1]s DESC, %[2]s DESC, lost, drawn DESC, user_id) - 1 AS i
				FROM (%[3]s) AS those) AS numbered
			JOIN (SELECT 0 AS level, %[4]d AS size UNION ALL SELECT 1, %[5]d) AS levels ON i %% size = 0
		WHERE i > 0`, columns[0], columns[1], strings.Join(those, " UNION ALL "), bracketSize, blockSize), args
}
