package storetest

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	"rowbot/match"
)

var dueTests = []test{
	{"Boundary", testDueBoundary},
	{"OrderAndLimit", testDueOrder},
	{"Pages", testDuePages},
	{"FollowsTheDeadline", testDueFollows},
}

func dueIDs(t *testing.T, s match.Store, now time.Time, limit int) []match.ID {
	t.Helper()
	return ringing(t, s, limit, func(tx match.Tx, after match.Alarm, limit int) ([]match.Alarm, error) {
		return tx.Due(t.Context(), now, after, limit)
	})
}

// ringing returns the matches of some first alarms behind which there is something to
// be done, read page by page. It sets those anew that ring too early.
func ringing(
	t *testing.T, s match.Store, limit int, read func(tx match.Tx, after match.Alarm, limit int) ([]match.Alarm, error),
) (all []match.ID) {
	t.Helper()
	ctx := t.Context()
	for after := (match.Alarm{}); len(all) < limit; {
		var page []match.Alarm
		size := min(2, limit-len(all))
		view(ctx, t, s, func(tx match.Tx) (err error) {
			page, err = read(tx, after, size)
			return err
		})
		if len(page) > size {
			t.Fatalf("a page of %d", len(page))
		}
		if len(page) == 0 {
			break
		}
		for _, after = range page {
			if after.Early {
				update(ctx, t, s, func(tx match.Tx) error { return tx.SetAlarms(ctx, after.Match) })
			} else {
				all = append(all, after.Match)
			}
		}
	}
	return all
}

func testDueBoundary(t *testing.T, s match.Store) {
	m := playing("a", "1", "2")
	m.Deadline = at(10)
	insert(t.Context(), t, s, m)
	equal(t, "before", dueIDs(t, s, at(10).Add(-time.Millisecond), 9), []match.ID(nil))
	equal(t, "at", dueIDs(t, s, at(10), 9), []match.ID{"a"})
	equal(t, "at, elsewhere", dueIDs(t, s, at(10).In(time.FixedZone("elsewhere", 3600)), 9), []match.ID{"a"})
	equal(t, "after", dueIDs(t, s, at(1e6), 9), []match.ID{"a"})
}

// testDueOrder: the earliest come first; what is over is never due.
func testDueOrder(t *testing.T, s match.Store) {
	for _, n := range []int{5, 1, 9, 3, 7, 2} {
		m := playing(match.ID(strconv.Itoa(n)), "1", "2")
		m.Deadline = at(n)
		if n == 1 {
			m.Status = match.Challenged
		}
		insert(t.Context(), t, s, m)
	}
	insert(t.Context(), t, s, ended("over", "1", "2", at(0)))
	late := ended("over, with a deadline", "1", "2", at(0))
	late.Deadline = at(0)
	insert(t.Context(), t, s, late)
	want := []match.ID{"1", "2", "3", "5", "7"}
	for limit := range len(want) + 2 {
		equal(t, fmt.Sprintf("limit %d", limit), dueIDs(t, s, at(8), limit), want[:min(limit, len(want))])
	}
}

// testDuePages: each page begins after the last of the one before, though that has
// ended meanwhile; what has not is not returned twice.
func testDuePages(t *testing.T, s match.Store) {
	ctx := t.Context()
	for id, deadline := range map[match.ID]int{"f": 1, "c": 2, "a": 2, "b": 2, "e": 3, "d": 9} {
		m := playing(id, "1", "2")
		m.Deadline = at(deadline)
		insert(ctx, t, s, m)
	}
	owed := playing("g", "1", "2")
	owed.Deadline = time.Time{}
	insert(ctx, t, s, owed)
	var all []match.Alarm
	for after := (match.Alarm{}); len(all) < 99; {
		var page []match.Alarm
		view(ctx, t, s, func(tx match.Tx) (err error) {
			page, err = tx.Due(ctx, at(8), after, 2)
			return err
		})
		if len(page) == 0 {
			break
		}
		all = append(all, page...)
		after = page[len(page)-1]
		update(ctx, t, s, func(tx match.Tx) error {
			m, err := tx.Match(ctx, after.Match)
			if err != nil {
				return err
			}
			was := m.Version
			m.Version, m.Status, m.Deadline = was+1, match.Closed, time.Time{}
			return tx.Replace(ctx, was, m)
		})
	}
	equal(t, "due", all, []match.Alarm{
		{Match: "f", At: at(1)},
		{Match: "a", At: at(2)},
		{Match: "b", At: at(2)},
		{Match: "c", At: at(2)},
		{Match: "e", At: at(3)},
	})
}

func testDueFollows(t *testing.T, s match.Store) {
	ctx := t.Context()
	m := playing("a", "1", "2")
	m.Deadline = at(10)
	insert(ctx, t, s, m)
	update(ctx, t, s, func(tx match.Tx) error {
		m, err := tx.Match(ctx, "a")
		if err != nil {
			return err
		}
		m.Version, m.Deadline = 2, at(20)
		return tx.Replace(ctx, 1, m)
	})
	equal(t, "at the old deadline", dueIDs(t, s, at(10), 9), []match.ID(nil))
	equal(t, "at the new deadline", dueIDs(t, s, at(20), 9), []match.ID{"a"})
}
