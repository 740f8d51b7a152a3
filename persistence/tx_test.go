package persistence_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mattn/go-sqlite3"

	"rowbot/match"
)

// hold starts an Update that has written and stays open until it is released;
// release waits for its end and gives its error.
func hold(t *testing.T, s match.Store) (release func() error) {
	t.Helper()
	begun, end, done := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		done <- s.Update(t.Context(), func(tx match.Tx) error {
			err := tx.SetWhere(t.Context(), benchMatch(7).ID, match.Where{Guild: "new"})
			close(begun)
			<-end
			return err
		})
	}()
	<-begun
	return func() error { close(end); return <-done }
}

// TestDeadlineEndsTheWait: whoever waits for another writer waits no longer
// than their context.
func TestDeadlineEndsTheWait(t *testing.T) {
	db := openNew(t)
	fill(t, db)
	release := hold(t, db)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	err := db.Update(ctx, func(match.Tx) error { t.Error("ran beside another Update"); return nil })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Update: got %v, want %v", err, context.DeadlineExceeded)
	}
	must(t, release())
}

// TestDeadlineEndsTheRetries: the same where the writer is another process. Each
// try then lasts for the busy timeout, but no try follows the deadline.
func TestDeadlineEndsTheRetries(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rowbot.db")
	db := open(t, path)
	other, err := sql.Open("sqlite3", path+"?_txlock=immediate")
	must(t, err)
	defer other.Close()
	lock, err := other.BeginTx(t.Context(), nil)
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	err = db.Update(ctx, func(match.Tx) error { t.Error("ran beside another process"); return nil })
	if busy, ok := errors.AsType[sqlite3.Error](err); !errors.Is(err, context.DeadlineExceeded) || !ok || busy.Code != sqlite3.ErrBusy {
		t.Errorf("Update: got %v, want %v because the database is busy", err, context.DeadlineExceeded)
	}
	must(t, lock.Rollback())
	fill(t, db)
}

// TestViewDuringUpdate: a View neither waits for an Update nor sees its work.
func TestViewDuringUpdate(t *testing.T) {
	db := openNew(t)
	fill(t, db)
	release := hold(t, db)
	for range 10 { // more than there are connections
		if got, want := state(t, db).Match.Where, benchMatch(7).Where; got != want {
			t.Errorf("during the Update: %+v, want %+v", got, want)
		}
	}
	must(t, release())
	if got, want := state(t, db).Match.Where, (match.Where{Guild: "new"}); got != want {
		t.Errorf("after the Update: %+v, want %+v", got, want)
	}
}

// TestTxAfterEnd: a transaction that was kept does nothing any more.
func TestTxAfterEnd(t *testing.T) {
	db := openNew(t)
	var kept match.Tx
	must(t, db.Update(t.Context(), func(tx match.Tx) error { kept = tx; return nil }))
	if err := kept.Insert(t.Context(), benchMatch(7)); err == nil {
		t.Error("Insert after the end: no error")
	}
	if _, err := kept.Match(t.Context(), "a"); err == nil || errors.Is(err, match.ErrNotFound) {
		t.Errorf("Match after the end: got %v, want another error", err)
	}
	if _, err := kept.Due(t.Context(), time.UnixMilli(0), match.Alarm{}, 1); err == nil {
		t.Error("Due after the end: no error")
	}
}

// TestContextIsAskedBetweenStatements: who has given up runs no further statement.
func TestContextIsAskedBetweenStatements(t *testing.T) {
	db := openNew(t)
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Update(ctx, func(tx match.Tx) error {
		cancel()
		err := tx.Insert(ctx, benchMatch(7))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Insert: got %v, want %v", err, context.Canceled)
		}
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Update: got %v, want %v", err, context.Canceled)
	}
}

// TestViewsInTurn: those who wait for a connection get one in the order in which they
// came, so that nobody waits for as long as others come.
func TestViewsInTurn(t *testing.T) { synctest.Test(t, testViewsInTurn) }

func testViewsInTurn(t *testing.T) {
	db := openNew(t)
	fill(t, db)
	end := make(chan struct{})
	begun, ended := make(chan int), make(chan error)
	const open = 3 // as many as there are connections
	view := func(i int) {
		go func() {
			ended <- db.View(t.Context(), func(match.Tx) error {
				begun <- i
				<-end
				return nil
			})
		}()
	}
	for i := range open {
		view(i)
		<-begun
	}
	const waiting = 20
	for i := range waiting {
		view(i)
		synctest.Wait() // until it waits
	}
	for i := range waiting {
		end <- struct{}{}
		if got := <-begun; got != i {
			t.Errorf("View %d began, want %d", got, i)
		}
		must(t, <-ended)
	}
	for range open {
		end <- struct{}{}
		must(t, <-ended)
	}
}
