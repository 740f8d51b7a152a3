package persistence

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"rowbot/match"
)

// ErrDiffers means that the target of a copy holds what the source does not.
var ErrDiffers = errors.New("the target holds something else than the source: it was played on, or something was deleted from " +
	"the source since an earlier copy. Copy into an empty database")

// ErrSame means that the two stores of a copy are one database of one server.
var ErrSame = errors.New("source and target are the same database")

// Copied says what became of a table.
type Copied struct {
	Table   string
	Rows    int64  // in the source, and now in the target
	Sum     uint64 // over all rows and columns; the same in both
	Changed int64  // rows of the target that were new or different
}

// copiedTable is a table that is copied. What copies of the program have agreed
// upon among themselves is not: leases end by themselves, and sessions are of use
// for minutes.
type copiedTable struct {
	name string
	key  []string
	// guard is what else has to hold for a row of the target to be replaced.
	guard string
	// made are columns that the database fills by itself.
	made []string
	// fleeting rows come and go by themselves: those of an earlier copy may go.
	fleeting bool
}

var copiedTables = []copiedTable{
	// A match of the target that has gone on is not set back.
	{name: "matches", key: []string{"id"}, guard: " AND matches.version <= excluded.version", made: []string{"plies", "due", "warn", "quiet", "owed"}},
	{name: "records", key: []string{"user_id", "game", "versus", "scope"}},
	{name: "preferences", key: []string{"user_id"}},
	{name: "guilds", key: []string{"id"}},
	{name: "notices", key: []string{"match_id", "turn", "kind"}, fleeting: true},
}

// copyBatch is how many rows one statement stores.
const copyBatch = 200

// Copy copies everything in one store to another, in one transaction on the
// target, and checks there, row by row, that it holds the same afterwards; if it
// does not, nothing is changed. The source is read as it is at one moment: what
// is played on it later is not copied. A copy that is repeated changes nothing,
// or brings over what has changed in the source since. The error is [ErrDiffers]
// where the target holds something else, and [ErrSame] where it is the source itself;
// that is looked at for servers only.
func Copy(ctx context.Context, from, to *DB) ([]Copied, error) {
	var all []Copied
	err := to.Update(ctx, func(into match.Tx) error {
		all = nil
		return from.View(ctx, func(outOf match.Tx) error {
			source, target := outOf.(*tx), into.(*tx)
			if err := errors.Join(source.takeTime(ctx, 0), target.takeTime(ctx, 0)); err != nil {
				return err
			}
			if same, err := sameDatabase(ctx, source, target); same || err != nil {
				return cmp.Or(err, ErrSame)
			}
			for _, table := range copiedTables {
				done, err := copyTable(ctx, source, target, table)
				if err != nil {
					return fmt.Errorf("table %s: %w", table.name, err)
				}
				all = append(all, done)
			}
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("copy store %s to %s: %w", from.name, to.name, explain(err))
	}
	return all, nil
}

// selectServer is what tells a database of a server from all others: servers do not
// start in the same microsecond.
const selectServer = `SELECT current_database(), coalesce(current_schema(), ''), extract(epoch FROM pg_postmaster_start_time())::text`

// sameDatabase reports whether two transactions are on the same database of a server.
func sameDatabase(ctx context.Context, one, other *tx) (bool, error) {
	if one.locks == nil || other.locks == nil { // one is in a file
		return false, nil
	}
	var seen [2][3]string
	for i, t := range []*tx{one, other} {
		at := &seen[i]
		err := t.rows(ctx, selectServer, nil, func(s scanner) error { return s.Scan(&at[0], &at[1], &at[2]) })
		if err != nil {
			return false, fmt.Errorf("ask the server which it is: %w", err)
		}
	}
	return seen[0] == seen[1], nil
}

func copyTable(ctx context.Context, source, target *tx, table copiedTable) (Copied, error) {
	columns, err := source.columns(ctx, table)
	if err != nil {
		return Copied{}, err
	}
	query := "SELECT " + strings.Join(columns, ", ") + " FROM " + table.name
	want, err := tallyOf(ctx, source, query, len(columns))
	if err != nil {
		return Copied{}, err
	}
	target.ranked = true
	done := Copied{Table: table.name, Rows: want.rows, Sum: want.sum}
	has, err := tallyOf(ctx, target, query, len(columns))
	if err != nil || has == want {
		return done, err
	}
	if table.fleeting {
		if _, err := target.exec(ctx, "DELETE FROM "+table.name); err != nil {
			return done, err
		}
	}
	if done.Changed, err = copyRows(ctx, source, target, table, columns, query); err != nil {
		return done, err
	}
	if has, err = tallyOf(ctx, target, query, len(columns)); err == nil && has != want {
		err = fmt.Errorf("%d rows in the source, %d in the target: %w", want.rows, has.rows, ErrDiffers)
	}
	return done, err
}

// copyRows stores all rows of a table and returns how many made a difference.
func copyRows(ctx context.Context, source, target *tx, table copiedTable, columns []string, query string) (changed int64, err error) {
	var batch []any
	store := func() error {
		if len(batch) == 0 {
			return nil
		}
		n, err := target.exec(ctx, storeRows(table, columns, len(batch)/len(columns)), batch...)
		changed += n
		batch = batch[:0]
		return err
	}
	err = source.rows(ctx, query, nil, func(s scanner) error {
		values, err := scanAny(s, len(columns))
		if err != nil {
			return err
		}
		if batch = append(batch, values...); len(batch) == copyBatch*len(columns) {
			return store()
		}
		return nil
	})
	if err != nil {
		return changed, err
	}
	return changed, store()
}

// storeRows is the statement that stores so many rows; those that are there
// already, and the same, it leaves alone.
func storeRows(table copiedTable, columns []string, rows int) string {
	var b strings.Builder
	b.WriteString("INSERT INTO " + table.name + " (" + strings.Join(columns, ", ") + ") VALUES ")
	n := 0
	for row := range rows {
		if row > 0 {
			b.WriteString(", ")
		}
		b.WriteString("(")
		for column := range columns {
			if column > 0 {
				b.WriteString(", ")
			}
			n++
			b.WriteString("?" + strconv.Itoa(n))
		}
		b.WriteString(")")
	}
	var set, have, get []string
	for _, c := range columns {
		if !slices.Contains(table.key, c) {
			set = append(set, c+" = excluded."+c)
			have, get = append(have, table.name+"."+c), append(get, "excluded."+c)
		}
	}
	b.WriteString(" ON CONFLICT (" + strings.Join(table.key, ", ") + ") DO UPDATE SET " + strings.Join(set, ", ") +
		" WHERE (" + strings.Join(have, ", ") + ") IS DISTINCT FROM (" + strings.Join(get, ", ") + ")" + table.guard)
	return b.String()
}

// columns lists a table's columns, sorted: all that are filled from outside, whatever
// the schema has come to be.
func (t *tx) columns(ctx context.Context, table copiedTable) ([]string, error) {
	free, done, err := t.ready(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	rows, err := t.conn.QueryContext(free, "SELECT * FROM "+table.name+" LIMIT 0")
	if err != nil {
		return nil, t.locks.note(err)
	}
	defer rows.Close()
	names, err := rows.Columns()
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return slices.Contains(table.made, name) })
	slices.Sort(names)
	return names, errors.Join(err, rows.Err())
}

// tally is what tells the contents of two tables apart: how many rows there are,
// and a sum over what is in them, in which their order plays no part.
type tally struct {
	rows int64
	sum  uint64
}

func tallyOf(ctx context.Context, t *tx, query string, columns int) (sum tally, err error) {
	err = t.rows(ctx, query, nil, func(s scanner) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		values, err := scanAny(s, columns)
		if err != nil {
			return err
		}
		h := fnv.New64a()
		for _, v := range values {
			if err := writeValue(h.Write, v); err != nil {
				return err
			}
		}
		sum.rows++
		sum.sum += h.Sum64()
		return nil
	})
	return sum, err
}

// writeValue writes a column so that no two values are written alike.
func writeValue(write func([]byte) (int, error), v any) error {
	var b []byte
	switch v := v.(type) {
	case nil:
		b = []byte{'n'}
	case int64:
		b = binary.BigEndian.AppendUint64([]byte{'i'}, uint64(v))
	case float64:
		b = binary.BigEndian.AppendUint64([]byte{'f'}, math.Float64bits(v))
	case string:
		b = append(binary.BigEndian.AppendUint64([]byte{'s'}, uint64(len(v))), v...)
	default:
		return fmt.Errorf("a column holds a %T", v)
	}
	_, err := write(b)
	return err
}

func scanAny(s scanner, columns int) ([]any, error) {
	values, to := make([]any, columns), make([]any, columns)
	for i := range values {
		to[i] = &values[i]
	}
	return values, s.Scan(to...)
}

// takeTime lets the statements that follow take so long, or as long as they may.
func (t *tx) takeTime(ctx context.Context, limit time.Duration) error {
	if t.locks == nil {
		return nil
	}
	t.locks.patience = limit
	_, err := t.exec(ctx, "SET LOCAL statement_timeout = "+strconv.FormatInt(limit.Milliseconds(), 10))
	if err == nil && limit == 0 {
		_, err = t.exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = 0")
	}
	return err
}
