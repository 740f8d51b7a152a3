package storetest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"rowbot/match"
)

var transactionTests = []test{
	{"ErrorRollsBack", testErrorRollsBack},
	{"PanicRollsBack", testPanicRollsBack},
	{"FailedStatementRollsBack", testFailedStatement},
	{"ContextEndsBefore", testContextEndsBefore},
	{"ContextEndsWithin", testContextEndsWithin},
	{"SeesItsOwnWrites", testSeesItsOwnWrites},
	{"ViewDoesNotWrite", testViewDoesNotWrite},
	{"ViewSeesOneState", testViewSeesOneState},
	{"OneReplaceWins", testOneReplaceWins},
	{"OneReadAndReplaceWins", testOneReadAndReplaceWins},
	{"NoLostUpdates", testNoLostUpdates},
}

// racers is how many try at once.
const racers = 15

var errStop = errors.New("stop")

// gone checks that a match is not there.
func gone(ctx context.Context, t failer, s match.Store, id match.ID) {
	t.Helper()
	err := s.View(ctx, func(tx match.Tx) error { _, err := tx.Match(ctx, id); return err })
	if !errors.Is(err, match.ErrNotFound) {
		t.Fatalf("match %s: got %v, want ErrNotFound", id, err)
	}
}

// testErrorRollsBack: the error comes back as it is, and nothing stays.
func testErrorRollsBack(t *testing.T, s match.Store) {
	ctx := t.Context()
	kept := playing("kept", "1", "2")
	insert(ctx, t, s, kept)
	key := match.VersusPeople("guild", "1", match.TicTacToe)
	err := s.Update(ctx, func(tx match.Tx) error {
		next := kept
		next.Version = 2
		if err := errors.Join(
			tx.Insert(ctx, playing("a", "1", "2")), tx.Replace(ctx, 1, next),
			tx.SetWhere(ctx, "kept", match.Where{}), tx.PutRecord(ctx, match.Record{RecordKey: key, Won: 1}),
		); err != nil {
			return err
		}
		return errStop
	})
	if !errors.Is(err, errStop) {
		t.Fatalf("Update: got %v, want %v", err, errStop)
	}
	gone(ctx, t, s, "a")
	equal(t, "the other match", load(ctx, t, s, "kept"), kept)
	equal(t, "played", record(ctx, t, s, key).Played(), 0)
}

// testPanicRollsBack: a panic goes on its way, nothing stays, and the store works on.
func testPanicRollsBack(t *testing.T, s match.Store) {
	ctx := t.Context()
	for _, run := range []func(context.Context, func(match.Tx) error) error{s.Update, s.View, s.Update} {
		func() {
			defer func() {
				// Where f ran on another goroutine its stack follows.
				said, _, _ := strings.Cut(fmt.Sprint(recover()), "\n")
				equal(t, "recovered", said, "oops")
			}()
			_ = run(ctx, func(tx match.Tx) error {
				_ = tx.Insert(ctx, playing("a", "1", "2"))
				panic("oops")
			})
		}()
	}
	gone(ctx, t, s, "a")
	insert(ctx, t, s, playing("a", "1", "2"))
}

// testFailedStatement: what was done before a refused statement is undone too.
func testFailedStatement(t *testing.T, s match.Store) {
	ctx := t.Context()
	insert(ctx, t, s, playing("taken", "1", "2"))
	err := s.Update(ctx, func(tx match.Tx) error {
		if err := tx.Insert(ctx, playing("a", "1", "2")); err != nil {
			return err
		}
		return fmt.Errorf("wrapped: %w", tx.Insert(ctx, playing("taken", "1", "2")))
	})
	if !errors.Is(err, match.ErrExists) {
		t.Fatalf("Update: got %v, want ErrExists", err)
	}
	gone(ctx, t, s, "a")
}

func testContextEndsBefore(t *testing.T, s match.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, run := range map[string]func(context.Context, func(match.Tx) error) error{"Update": s.Update, "View": s.View} {
		err := run(ctx, func(match.Tx) error { t.Errorf("%s ran", name); return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v, want %v", name, err, context.Canceled)
		}
	}
}

// testContextEndsWithin: who gave up is told so, and then nothing was stored.
func testContextEndsWithin(t *testing.T, s match.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Update(ctx, func(tx match.Tx) error {
		defer cancel()
		return tx.Insert(ctx, playing("a", "1", "2"))
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("Update: got %v, want %v", err, context.Canceled)
	}
	gone(t.Context(), t, s, "a")
}

func testSeesItsOwnWrites(t *testing.T, s match.Store) {
	ctx := t.Context()
	update(ctx, t, s, func(tx match.Tx) error {
		m := playing("a", "1", "2")
		if err := tx.Insert(ctx, m); err != nil {
			return err
		}
		got, err := tx.Match(ctx, "a")
		equal(t, "after Insert", got, m)
		m.Version, m.Event = 2, "second"
		err = errors.Join(err, tx.Replace(ctx, 1, m))
		got, err2 := tx.Match(ctx, "a")
		equal(t, "after Replace", got, m)
		m.Version, m.Event = 3, "third"
		return errors.Join(err, err2, tx.Replace(ctx, 2, m))
	})
	equal(t, "version", load(ctx, t, s, "a").Version, match.Version(3))
}

func testViewDoesNotWrite(t *testing.T, s match.Store) {
	ctx := t.Context()
	err := s.View(ctx, func(tx match.Tx) error { return tx.Insert(ctx, playing("a", "1", "2")) })
	if err == nil {
		t.Error("Insert within View: no error")
	}
	gone(ctx, t, s, "a")
}

// testViewSeesOneState: what is committed during a View is not seen by it.
func testViewSeesOneState(t *testing.T, s match.Store) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // rather than hang where Update waits for View
	defer cancel()
	m := playing("a", "1", "2")
	insert(ctx, t, s, m)
	next := m
	next.Version = 2
	view(ctx, t, s, func(tx match.Tx) error {
		before, err := tx.Match(ctx, "a")
		equal(t, "before", before, m)
		changed := make(chan error)
		go func() {
			changed <- s.Update(ctx, func(tx match.Tx) error {
				return errors.Join(tx.Replace(ctx, 1, next), tx.Insert(ctx, playing("b", "1", "2")))
			})
		}()
		err = errors.Join(err, <-changed)
		after, err2 := tx.Match(ctx, "a")
		equal(t, "after another's commit", after, m)
		open, err3 := tx.Open(ctx, match.OpenQuery{User: "1", Limit: 9})
		equal(t, "open matches after another's commit", len(open), 1)
		return errors.Join(err, err2, err3)
	})
	equal(t, "after the View", load(ctx, t, s, "a"), next)
}

// race runs f so many times at once and returns the errors.
func race(f func(i int) error) [racers]error {
	var errs [racers]error
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = f(i) })
	}
	wg.Wait()
	return errs
}

// oneWins checks that one racer got through and all others got the same no.
func oneWins(t *testing.T, errs [racers]error, no error) {
	t.Helper()
	won := 0
	for _, err := range errs {
		switch {
		case err == nil:
			won++
		case !errors.Is(err, no):
			t.Errorf("loser: got %v, want %v", err, no)
		}
	}
	if won != 1 {
		t.Errorf("%d got through, want 1", won)
	}
}

// testOneReplaceWins: of those who replace the same version blindly one wins.
func testOneReplaceWins(t *testing.T, s match.Store) {
	ctx := t.Context()
	m := playing("a", "1", "2")
	insert(ctx, t, s, m)
	for v := range match.Version(10) {
		oneWins(t, race(func(i int) error {
			next := m
			next.Version, next.Event = v+2, strconv.Itoa(i)
			return s.Update(ctx, func(tx match.Tx) error { return tx.Replace(ctx, v+1, next) })
		}), match.ErrConflict)
	}
	equal(t, "version", load(ctx, t, s, "a").Version, match.Version(11))
}

// testOneReadAndReplaceWins: the same for those who look first, as a click does.
func testOneReadAndReplaceWins(t *testing.T, s match.Store) {
	ctx := t.Context()
	insert(ctx, t, s, playing("a", "1", "2"))
	for v := range match.Version(10) {
		oneWins(t, race(func(int) error {
			return s.Update(ctx, func(tx match.Tx) error {
				m, err := tx.Match(ctx, "a")
				if err != nil {
					return err
				}
				if m.Version != v+1 {
					return errStop
				}
				m.Version++
				return tx.Replace(ctx, v+1, m)
			})
		}), errStop)
	}
	equal(t, "version", load(ctx, t, s, "a").Version, match.Version(11))
}

// testNoLostUpdates: records have no version; the transaction alone protects them.
func testNoLostUpdates(t *testing.T, s match.Store) {
	ctx := t.Context()
	key := match.VersusPeople("guild", "1", match.TicTacToe)
	const each = 10
	errs := race(func(int) error {
		for range each {
			err := s.Update(ctx, func(tx match.Tx) error {
				r, err := tx.Record(ctx, key)
				if err != nil {
					return err
				}
				r.Won++
				return tx.PutRecord(ctx, r)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	equal(t, "won", record(ctx, t, s, key).Won, racers*each)
}
