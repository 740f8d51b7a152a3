package storetest

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"rowbot/match"
)

var matchTests = []test{
	{"NotFound", testNotFound},
	{"RoundTrip", testRoundTrip},
	{"ReplaceRoundTrip", testReplaceRoundTrip},
	{"UTC", testUTC},
	{"Exists", testExists},
	{"RematchExists", testRematchExists},
	{"Rematch", testRematch},
	{"Conflict", testConflict},
	{"ReplaceKeepsWhere", testReplaceKeepsWhere},
	{"SetWhere", testSetWhere},
}

func testNotFound(t *testing.T, s match.Store) {
	ctx := t.Context()
	insert(ctx, t, s, playing("a", "1", "2"))
	calls := map[string]func(tx match.Tx) error{
		"Match":          func(tx match.Tx) error { _, err := tx.Match(ctx, "b"); return err },
		"Match, case":    func(tx match.Tx) error { _, err := tx.Match(ctx, "A"); return err },
		"Match, no ID":   func(tx match.Tx) error { _, err := tx.Match(ctx, ""); return err },
		"Rematch":        func(tx match.Tx) error { _, err := tx.Rematch(ctx, "a"); return err },
		"Rematch, no ID": func(tx match.Tx) error { _, err := tx.Rematch(ctx, ""); return err },
		"SetWhere":       func(tx match.Tx) error { return tx.SetWhere(ctx, "b", match.Where{}) },
		"LastPlayed":     func(tx match.Tx) error { _, err := tx.LastPlayed(ctx, match.Everywhere); return err },
	}
	for name, call := range calls {
		if err := s.Update(ctx, call); !errors.Is(err, match.ErrNotFound) {
			t.Errorf("%s: got %v, want ErrNotFound", name, err)
		}
	}
}

// testRoundTrip: whatever a match holds comes back.
func testRoundTrip(t *testing.T, s match.Store) {
	ctx := t.Context()
	rapid.Check(t, func(rt *rapid.T) {
		m := aMatch(rt, newID(rt))
		insert(ctx, rt, s, m)
		equal(rt, "match", load(ctx, rt, s, m.ID), m)
	})
}

// testReplaceRoundTrip: Replace stores every field but Where and Told, whether the match
// was read before, as it usually is, or not; and whether one thing has changed
// beside what a move changes, or everything.
func testReplaceRoundTrip(t *testing.T, s match.Store) {
	ctx := t.Context()
	rapid.Check(t, func(rt *rapid.T) {
		is, other := aMatch(rt, newID(rt)), aMatch(rt, "other")
		insert(ctx, rt, s, is)
		const step = 3 // a part of them at a time: there are many checks
		for i := rapid.SampledFrom([]int{0, 1, 2}).Draw(rt, "from"); i <= len(oneThings); i += step {
			next := moved(is, other, i)
			if i == len(oneThings) {
				next = other
				next.ID = is.ID
			}
			reads := rapid.Bool().Draw(rt, "reads before")
			update(ctx, rt, s, func(tx match.Tx) error {
				if reads {
					if _, err := tx.Match(ctx, is.ID); err != nil {
						return err
					}
				}
				return tx.Replace(ctx, is.Version, next)
			})
			next.Where, next.Told = is.Where, is.Told
			is = load(ctx, rt, s, is.ID)
			equal(rt, "match", is, next)
		}
	})
}

// testUTC: times come back in UTC, cut to milliseconds, whatever zone they had.
func testUTC(t *testing.T, s match.Store) {
	zone := time.FixedZone("elsewhere", 5*3600)
	m := playing("a", "1", "2")
	m.Created = at(0).Add(1234567 * time.Nanosecond).In(zone)
	m.Changed, m.Deadline = m.Created, m.Created
	insert(t.Context(), t, s, m)
	got := load(t.Context(), t, s, "a")
	for name, is := range map[string]time.Time{"created": got.Created, "changed": got.Changed, "deadline": got.Deadline} {
		if want := at(0).Add(time.Millisecond); !is.Equal(want) || is.Location() != time.UTC {
			t.Errorf("%s: got %v, want %v", name, is, want)
		}
	}
}

func testExists(t *testing.T, s match.Store) {
	ctx := t.Context()
	first := playing("a", "1", "2")
	insert(ctx, t, s, first)
	again := playing("a", "3", "4")
	if err := s.Update(ctx, func(tx match.Tx) error { return tx.Insert(ctx, again) }); !errors.Is(err, match.ErrExists) {
		t.Fatalf("second Insert: got %v, want ErrExists", err)
	}
	equal(t, "match", load(ctx, t, s, "a"), first)
}

func testRematchExists(t *testing.T, s match.Store) {
	ctx := t.Context()
	first, second, other := playing("b", "1", "2"), playing("c", "1", "2"), playing("d", "1", "2")
	first.RematchOf, second.RematchOf, other.RematchOf = "a", "a", "A"
	insert(ctx, t, s, first, other)
	if err := s.Update(ctx, func(tx match.Tx) error { return tx.Insert(ctx, second) }); !errors.Is(err, match.ErrExists) {
		t.Fatalf("second rematch: got %v, want ErrExists", err)
	}
	if err := s.View(ctx, func(tx match.Tx) error { _, err := tx.Match(ctx, "c"); return err }); !errors.Is(err, match.ErrNotFound) {
		t.Fatalf("the second rematch: got %v, want ErrNotFound", err)
	}
}

func testRematch(t *testing.T, s match.Store) {
	ctx := t.Context()
	old, m := playing("a", "1", "2"), playing("b", "2", "1")
	m.RematchOf = "a"
	insert(ctx, t, s, old, m)
	view(ctx, t, s, func(tx match.Tx) error {
		got, err := tx.Rematch(ctx, "a")
		equal(t, "rematch", got, m)
		return err
	})
}

// testConflict: only the version that is stored can be replaced.
func testConflict(t *testing.T, s match.Store) {
	ctx := t.Context()
	m := playing("a", "1", "2")
	m.Version = 5
	insert(ctx, t, s, m)
	for _, was := range []match.Version{0, 1, 4, 6} {
		for _, reads := range []bool{false, true} {
			next := m
			next.Version, next.Event = was+1, "other"
			err := s.Update(ctx, func(tx match.Tx) error {
				if reads {
					if _, err := tx.Match(ctx, "a"); err != nil {
						return err
					}
				}
				return tx.Replace(ctx, was, next)
			})
			if !errors.Is(err, match.ErrConflict) {
				t.Errorf("Replace of version %d, read before: %v: got %v, want ErrConflict", was, reads, err)
			}
		}
	}
	equal(t, "match", load(ctx, t, s, "a"), m)
}

func testReplaceKeepsWhere(t *testing.T, s match.Store) {
	ctx := t.Context()
	m := playing("a", "1", "2")
	insert(ctx, t, s, m)
	moved := match.Where{Guild: "g2", Channel: "c2", Message: "m2", Locale: "l2"}
	update(ctx, t, s, func(tx match.Tx) error { return tx.SetWhere(ctx, "a", moved) })
	next := m // still with the old Where
	next.Version = 2
	update(ctx, t, s, func(tx match.Tx) error { return tx.Replace(ctx, 1, next) })
	equal(t, "where", load(ctx, t, s, "a").Where, moved)
}

// testSetWhere: nothing else changes with it, the version least of all.
func testSetWhere(t *testing.T, s match.Store) {
	ctx := t.Context()
	a, b := playing("a", "1", "2"), playing("b", "1", "2")
	insert(ctx, t, s, a, b)
	a.Where = match.Where{Guild: "", Channel: "elsewhere", Message: "new", Locale: "other"}
	update(ctx, t, s, func(tx match.Tx) error { return tx.SetWhere(ctx, "a", a.Where) })
	equal(t, "the match", load(ctx, t, s, "a"), a)
	equal(t, "another match", load(ctx, t, s, "b"), b)
}
