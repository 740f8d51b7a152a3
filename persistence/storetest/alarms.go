package storetest

import (
	"cmp"
	"context"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"rowbot/match"
)

var alarmTests = []test{
	{"NeverTooLate", testAlarms},
	{"MoveLetsThemBe", testAlarmsOfMoves},
	{"NoneIsLeft", testAlarmsOff},
}

// ring is a list of alarms, and when something is to be done behind one of a match;
// zero for never.
type ring struct {
	name string
	read func(tx match.Tx) reading
	when func(m *match.Match) time.Time
}

var rings = []ring{
	{"Due", func(tx match.Tx) reading { return tx.Due }, func(m *match.Match) time.Time {
		if m.Status == match.Challenged || m.Status == match.Active {
			return m.Deadline
		}
		return time.Time{}
	}},
	{"ShortOfTime", func(tx match.Tx) reading { return tx.ShortOfTime }, func(m *match.Match) time.Time {
		if m.Status != match.Active || m.Deadline.IsZero() || m.Told.Time >= m.Since {
			return time.Time{}
		}
		return m.Deadline.Add(-m.Pace / 3).Truncate(time.Millisecond)
	}},
	{"Quiet", func(tx match.Tx) reading { return tx.Quiet }, func(m *match.Match) time.Time {
		people := m.Seats[0].Level == 0 && m.Seats[1].Level == 0
		if m.Status != match.Active || m.Deadline.IsZero() || m.Told.Turn >= m.Since || !people {
			return time.Time{}
		}
		return m.Changed
	}},
}

// testAlarms: whatever is done with matches, an alarm rings at its time or earlier,
// says which of the two it is, and after it was set anew it does not ring too early.
func testAlarms(t *testing.T, s match.Store) {
	ctx := t.Context()
	ids := []match.ID{"a", "b", "c"}
	for _, id := range ids {
		insert(ctx, t, s, playing(id, "1", "2"))
	}
	rapid.Check(t, func(rt *rapid.T) {
		id := rapid.SampledFrom(ids).Draw(rt, "match")
		update(ctx, rt, s, func(tx match.Tx) error { return someChange(ctx, rt, tx, id) })
		now := at(rapid.IntRange(0, 12).Draw(rt, "now"))
		for _, r := range rings {
			want := map[match.ID]bool{}
			for _, id := range ids {
				m := load(ctx, rt, s, id)
				if when := r.when(&m); !when.IsZero() && !when.After(now) {
					want[id] = true
				}
			}
			for round := range 2 {
				got := map[match.ID]bool{}
				update(ctx, rt, s, func(tx match.Tx) error {
					rung, err := r.read(tx)(ctx, now, match.Alarm{}, 9)
					inOrder := slices.IsSortedFunc(rung, func(a, b match.Alarm) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Match, b.Match)) })
					for _, a := range rung {
						if a.Early == want[a.Match] || a.At.After(now) || !inOrder || round == 1 && a.Early {
							rt.Errorf("%s, time %d: alarms %+v at %v, want %v", r.name, round, rung, now, want)
						}
						if !a.Early {
							got[a.Match] = true
						} else if err := tx.SetAlarms(ctx, a.Match); err != nil {
							return err
						}
					}
					return err
				})
				equal(rt, r.name, got, want)
			}
		}
	})
}

// someChange does something to a match: a move most of the time.
func someChange(ctx context.Context, t *rapid.T, tx match.Tx, id match.ID) error {
	m, err := tx.Match(ctx, id)
	if err != nil {
		return err
	}
	was := m.Version
	seconds := rapid.IntRange(1, 10)
	what := rapid.IntRange(0, 9).Draw(t, "what")
	switch {
	case what < 6:
		m.Version++
		m.Since = m.Version
	case what == 6:
		m.Version++ // a draw offer
	case what == 7:
		m.Version++
		m.Status = rapid.SampledFrom([]match.Status{match.Challenged, match.Active, match.Won, match.Closed}).Draw(t, "status")
		m.Seats[1].Level = rapid.SampledFrom([]match.Level{0, match.Random}).Draw(t, "opponent")
	default:
		m.Told.Turn, m.Told.Time = m.Since-match.Version(what-8), m.Since
		return tx.SetTold(ctx, id, m.Told)
	}
	m.Changed, m.Pace = at(seconds.Draw(t, "changed")), 3*time.Second
	m.Deadline = time.Time{}
	if rapid.IntRange(0, 3).Draw(t, "whose turn") > 0 {
		m.Deadline = at(seconds.Draw(t, "deadline"))
	}
	return tx.Replace(ctx, was, m)
}

// reading reads a list of alarms.
type reading func(ctx context.Context, until time.Time, after match.Alarm, limit int) ([]match.Alarm, error)

// testAlarmsOfMoves: a move that leaves more time costs nothing: the alarm rings
// when it was to ring before, and once only.
func testAlarmsOfMoves(t *testing.T, s match.Store) {
	ctx := t.Context()
	m := playing("a", "1", "2")
	m.Deadline = at(10)
	insert(ctx, t, s, m)
	for _, deadline := range []int{30, 20} { // the second one is earlier than the first
		update(ctx, t, s, func(tx match.Tx) error {
			m, err := tx.Match(ctx, "a")
			if err != nil {
				return err
			}
			was := m.Version
			m.Version, m.Since, m.Deadline = was+1, was+1, at(deadline)
			return tx.Replace(ctx, was, m)
		})
	}
	for _, c := range []struct {
		now  int
		want []match.Alarm
	}{
		{9, nil},
		{15, []match.Alarm{{Match: "a", At: at(10), Early: true}}},
		{15, nil},
		{20, []match.Alarm{{Match: "a", At: at(20)}}},
	} {
		update(ctx, t, s, func(tx match.Tx) error {
			rung, err := tx.Due(ctx, at(c.now), match.Alarm{}, 9)
			equal(t, "alarms", rung, c.want)
			if err != nil || len(rung) == 0 || !rung[0].Early {
				return err
			}
			return tx.SetAlarms(ctx, "a")
		})
	}
}

// testAlarmsOff: who has been told, and who has nothing to be told any more, has no
// alarm left to be set anew.
func testAlarmsOff(t *testing.T, s match.Store) {
	ctx := t.Context()
	for id, change := range map[match.ID]func(tx match.Tx, m match.Match) error{
		"told": func(tx match.Tx, m match.Match) error {
			return tx.SetTold(ctx, m.ID, match.Told{Turn: m.Since, Time: m.Since})
		},
		"over": func(tx match.Tx, m match.Match) error {
			m.Version, m.Status, m.Deadline = 3, match.Won, time.Time{}
			return tx.Replace(ctx, 2, m)
		},
	} {
		m := playing(id, "1", "2")
		insert(ctx, t, s, m)
		update(ctx, t, s, func(tx match.Tx) error {
			m, err := tx.Match(ctx, id)
			if err != nil {
				return err
			}
			m.Version, m.Since, m.Deadline = 2, 2, at(5)
			if err := tx.Replace(ctx, 1, m); err != nil {
				return err
			}
			return change(tx, m)
		})
		view(ctx, t, s, func(tx match.Tx) error {
			for _, read := range []reading{tx.ShortOfTime, tx.Quiet} {
				rung, err := read(ctx, at(1e6), match.Alarm{}, 9)
				if len(rung) > 0 || err != nil {
					t.Errorf("%s: alarms %v, error %v", id, rung, err)
				}
			}
			return nil
		})
	}
}
