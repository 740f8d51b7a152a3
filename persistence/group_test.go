package persistence

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"rowbot/match"
)

// queue is a number of Updates that wait behind one another, each of which stores
// a match of its own.
type queue struct {
	t    *testing.T
	db   *DB
	ends []chan string // what became of each
}

// hold lets no Update begin until the returned function is called.
func (c *queue) hold() (release func()) {
	begun, end, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- c.db.Update(c.t.Context(), func(match.Tx) error {
			close(begun)
			<-end
			return nil
		})
	}()
	<-begun
	return func() {
		close(end)
		if err := <-done; err != nil {
			c.t.Error(err)
		}
	}
}

// comes starts an Update, and returns when it waits behind the others.
func (c *queue) comes(ctx context.Context, then func(*tx) error) {
	id, ended := match.ID(strconv.Itoa(len(c.ends))), make(chan string, 1)
	c.ends = append(c.ends, ended)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				said, _, _ := strings.Cut(fmt.Sprint(p), "\n")
				ended <- "panic " + said
			}
		}()
		err := c.db.Update(ctx, func(open match.Tx) error {
			m := match.Match{ID: id, Version: 1, Rules: match.TicTacToeRules(), Status: match.Active}
			if err := open.Insert(ctx, m); err != nil {
				return err
			}
			return then(open.(*tx))
		})
		ended <- fmt.Sprint(err)
	}()
	for len(c.ends) != c.waiting() {
		time.Sleep(time.Millisecond)
	}
}

func (c *queue) waiting() int {
	c.db.group.mu.Lock()
	defer c.db.group.mu.Unlock()
	return len(c.db.group.waiting)
}

// want checks what became of each Update, and which of their matches are stored.
func (c *queue) want(ends []string, stored string) {
	c.t.Helper()
	for i, end := range c.ends {
		if got := <-end; got != ends[i] {
			c.t.Errorf("Update %d ended with %q, want %q", i, got, ends[i])
		}
	}
	var all []string
	rows, err := c.db.readers.QueryContext(c.t.Context(), `SELECT id FROM matches ORDER BY rowid`)
	if err != nil {
		c.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			c.t.Fatal(err)
		}
		all = append(all, id)
	}
	if got := strings.Join(all, " "); got != stored || rows.Err() != nil {
		c.t.Errorf("stored %q, want %q; %v", got, stored, rows.Err())
	}
}

func nothingMore(*tx) error { return nil }

// TestGroup: Updates that wait are done in the order in which they came. One that
// fails, panics or has no more time leaves nothing, and does no harm to the others.
func TestGroup(t *testing.T) {
	c := &queue{t: t, db: openHere(t)}
	release := c.hold()
	late, cancel := context.WithCancel(t.Context())
	c.comes(t.Context(), nothingMore)
	c.comes(t.Context(), func(*tx) error { return errors.New("no") })
	c.comes(t.Context(), nothingMore)
	c.comes(t.Context(), func(*tx) error { panic("oops") })
	c.comes(late, func(*tx) error { cancel(); return nil })
	c.comes(t.Context(), nothingMore)
	release()
	c.want([]string{"<nil>", "no", "<nil>", "panic oops", "commit: context canceled", "<nil>"}, "0 2 5")
}

// TestGroupUndone: where SQLite undoes the whole transaction in the middle, as it
// does when the disk is full, those before and behind are done again.
func TestGroupUndone(t *testing.T) {
	c := &queue{t: t, db: openHere(t)}
	release := c.hold()
	full := errors.New("full")
	for i := range 4 {
		c.comes(t.Context(), func(open *tx) error {
			if i != 1 {
				return nil
			}
			_, err := open.conn.ExecContext(t.Context(), "ROLLBACK")
			return errors.Join(err, full)
		})
	}
	release()
	c.want([]string{"<nil>", "full", "<nil>", "<nil>"}, "0 2 3")
}

// TestGroupSharesCommits: many that wait are one transaction.
func TestGroupSharesCommits(t *testing.T) {
	c := &queue{t: t, db: openHere(t)}
	release := c.hold()
	var seen []int
	var ends, stored []string
	for i := range maxGroup + 2 {
		c.comes(t.Context(), func(*tx) error {
			var n int // what those before have committed
			err := c.db.readers.QueryRowContext(t.Context(), `SELECT count(*) FROM matches`).Scan(&n)
			seen = append(seen, n)
			return err
		})
		ends, stored = append(ends, "<nil>"), append(stored, strconv.Itoa(i))
	}
	release()
	c.want(ends, strings.Join(stored, " "))
	for i, n := range seen {
		if want := i / maxGroup * maxGroup; n != want {
			t.Errorf("Update %d saw %d others committed, want %d", i, n, want)
		}
	}
}

// TestGroupLeaves: whoever waits no longer is not waited for, and gets nothing done.
func TestGroupLeaves(t *testing.T) {
	c := &queue{t: t, db: openHere(t)}
	release := c.hold()
	brief, cancel := context.WithCancel(t.Context())
	c.comes(t.Context(), nothingMore)
	c.comes(brief, nothingMore)
	c.comes(t.Context(), nothingMore)
	cancel()
	for c.waiting() != 2 {
		time.Sleep(time.Millisecond)
	}
	release()
	c.want([]string{"<nil>", "wait for the database: context canceled", "<nil>"}, "0 2")
}
