package persistence

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"rowbot/match"
)

// The place of somebody everywhere is not counted from the top, which takes the
// longer the more people there are. The table brackets holds how many people are
// in which stretch of a leaderboard, in two levels; a place is the sum over the
// blocks above, over the brackets of the own block that are above, and a count
// within the own bracket.
//
// Triggers note in bracket_changes, in the transaction that changes a record, who
// left which figures for which, whoever it was that changed it: also an older
// program that works on the same database, or somebody by hand. A place counts
// what is noted there, so it is exact at any moment. Writers only ever append to
// that table and do not wait for each other; now and then one of them, alone,
// folds the changes into the brackets.

// figures are what a record is sorted by, in the order of the columns: by rating
// or by wins first, then by the other one, and so on.
type figures [5]any

const (
	byLost = 2 // the number of that column among them
	byUser = 4
)

// figureColumns are the columns of records that hold the figures.
var figureColumns = map[match.Order][5]string{
	match.ByRating: {"points", "won", "lost", "drawn", "user_id"},
	match.ByWins:   {"won", "points", "lost", "drawn", "user_id"},
}

// bound is where a bracket begins: figures as the table has them, each better the
// smaller it is.
type bound struct {
	first, second float64
	lost, drawn   int64
	user          string
}

// beyond is better than any first figure, and its negative worse; a float64 and an
// int64 both hold it.
const beyond = 1 << 53

// boundOf is where a bracket would begin that begins with a record.
func boundOf(r match.Record, by match.Order) bound {
	b := bound{first: -r.Rating.Points, second: -float64(r.Won), lost: int64(r.Lost), drawn: -int64(r.Drawn), user: r.User}
	if by == match.ByWins {
		b.first, b.second = b.second, b.first
	}
	return b
}

func (b bound) args() []any { return []any{b.first, b.second, b.lost, b.drawn, b.user} }

// figures are those of a record that stands at the bound.
func (b bound) figures(by match.Order) figures {
	if by == match.ByWins {
		return figures{int64(-b.first), -b.second, b.lost, -b.drawn, b.user}
	}
	return figures{-b.first, int64(-b.second), b.lost, -b.drawn, b.user}
}

// ranked is the table of records, to be read by the index of an order. SQLite would
// take the other one for records that are alike in both figures, and load its pages.
func (l *locks) ranked(by match.Order) string {
	if l != nil {
		return "records"
	}
	return "records INDEXED BY records_by_" + string(by)
}

// between builds the conditions that records of a game everywhere lie from one
// place of a leaderboard, inclusive, to a later one, exclusive. The columns go up
// and down in turn, so that no single comparison says that; each condition is a
// range of the leaderboard's index, and none of them have a record in common.
// Parameters are numbered behind those that are there already.
func between(by match.Order, game match.Game, from, to figures, args []any) (conditions []string, _ []any) {
	columns := figureColumns[by]
	add := func(v any) string { args = append(args, v); return "?" + strconv.Itoa(len(args)) }
	everywhere := "scope = '*' AND game = " + add(string(game)) + " AND versus = ''"
	var parameters [2][5]string
	name := func(end int, column int) string {
		if parameters[end][column] == "" {
			parameters[end][column] = add([2]figures{from, to}[end][column])
		}
		return parameters[end][column]
	}
	same := func(end, columnsOf int) string {
		all := []string{everywhere}
		for c := range columnsOf {
			all = append(all, columns[c]+" = "+name(end, c))
		}
		return strings.Join(all, " AND ")
	}
	beforeEnd := func(c int) string { return " AND " + columns[c] + sign(c, ">") + name(1, c) }
	afterStart := func(c int) string {
		if c == byUser {
			return " AND " + columns[c] + " >= " + name(0, c)
		}
		return " AND " + columns[c] + sign(c, "<") + name(0, c)
	}
	differ := 0
	for differ < byUser && from[differ] == to[differ] {
		differ++
	}
	conditions = []string{same(0, differ) + afterStart(differ) + beforeEnd(differ)}
	for c := differ + 1; c <= byUser; c++ {
		conditions = append(conditions, same(0, c)+afterStart(c), same(1, c)+beforeEnd(c))
	}
	return conditions, args
}

// sign turns a comparison around for the columns that are better the smaller they are.
func sign(column int, comparison string) string {
	if column == byLost || column == byUser {
		comparison = map[string]string{"<": ">", ">": "<"}[comparison]
	}
	return " " + comparison + " "
}

const (
	boundColumns = `first, second, lost, drawn, user_id`

	selectBounds = `SELECT ` + boundColumns + ` FROM (SELECT ` + boundColumns + ` FROM brackets
			WHERE game = ?1 AND sorted = ?2 AND level = 1 AND (` + boundColumns + `) <= (?3, ?4, ?5, ?6, ?7)
			ORDER BY first DESC, second DESC, lost DESC, drawn DESC, user_id DESC LIMIT 1) AS block
		UNION ALL SELECT ` + boundColumns + ` FROM (SELECT ` + boundColumns + ` FROM brackets
			WHERE game = ?1 AND sorted = ?2 AND level = 0 AND (` + boundColumns + `) <= (?3, ?4, ?5, ?6, ?7)
			ORDER BY first DESC, second DESC, lost DESC, drawn DESC, user_id DESC LIMIT 1) AS bracket`

	sumAbove = `SELECT
		(SELECT CAST(coalesce(sum(people), 0) AS BIGINT) FROM brackets
			WHERE game = ?1 AND sorted = ?2 AND level = 1 AND (` + boundColumns + `) < (?3, ?4, ?5, ?6, ?7))
		+ (SELECT CAST(coalesce(sum(people), 0) AS BIGINT) FROM brackets
			WHERE game = ?1 AND sorted = ?2 AND level = 0
				AND (` + boundColumns + `) >= (?3, ?4, ?5, ?6, ?7) AND (` + boundColumns + `) < (?8, ?9, ?10, ?11, ?12))
		+ (SELECT CAST(coalesce(sum(people), 0) AS BIGINT) FROM bracket_changes WHERE game = ?1 AND `
)

// changeBound is where a change of bracket_changes stands. None of it is a column as
// such: SQLite would convert columns to a common type before it compares them, and
// could not look them up in an index then.
var changeBound = map[match.Order]string{
	match.ByRating: "(-points, -won * CAST(1 AS DOUBLE PRECISION), +lost, -drawn, coalesce(user_id, ''))",
	match.ByWins:   "(-won * CAST(1 AS DOUBLE PRECISION), -points, +lost, -drawn, coalesce(user_id, ''))",
}

// placeEverywhere is Place for a record everywhere.
func (t *tx) placeEverywhere(ctx context.Context, r match.Record, by match.Order) (int, error) {
	own := boundOf(r, by)
	block, bracket, err := t.bracketOf(ctx, r.Game, by, own)
	if err != nil {
		return 0, err
	}
	query, args := countAbove(t.locks.ranked(by), r.Game, by, block, bracket, own)
	var above int
	err = t.row(ctx, query, args, func(s scanner) error { return s.Scan(&above) })
	return above + 1, err
}

// countAbove is the query that counts whoever is above a place of a leaderboard,
// the block and the bracket of which are given. It reads records as [locks.ranked] says.
func countAbove(records string, game match.Game, by match.Order, block, bracket, own bound) (string, []any) {
	args := append([]any{string(game), string(by)}, block.args()...)
	args = append(args, bracket.args()...)
	var b strings.Builder
	b.WriteString(sumAbove + changeBound[by] + " < (?8, ?9, ?10, ?11, ?12))")
	if bracket == own {
		return b.String(), args
	}
	conditions, args := between(by, game, bracket.figures(by), own.figures(by), args)
	for _, condition := range conditions {
		b.WriteString(" + (SELECT count(*) FROM " + records + " WHERE " + condition + ")")
	}
	return b.String(), args
}

// errNoBracket means that somebody has changed the table of brackets by hand.
var errNoBracket = errors.New("the table of brackets has no beginning")

// bracketOf returns where the block and the bracket begin in which a place lies.
func (t *tx) bracketOf(ctx context.Context, game match.Game, by match.Order, own bound) (block, bracket bound, err error) {
	var found []bound
	err = t.rows(ctx, selectBounds, append([]any{string(game), string(by)}, own.args()...), func(s scanner) error {
		b, err := scanBound(s)
		found = append(found, b)
		return err
	})
	if err == nil && len(found) < 2 {
		err = errNoBracket
	}
	if err != nil {
		return bound{}, bound{}, err
	}
	return found[0], found[1], nil
}

func scanBound(s scanner) (b bound, err error) {
	return b, s.Scan(&b.first, &b.second, &b.lost, &b.drawn, &b.user)
}
