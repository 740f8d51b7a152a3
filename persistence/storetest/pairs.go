package storetest

import (
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"rowbot/match"
)

var pairTests = []test{
	{"Pending", testPending},
	{"Standing", testStanding},
	{"Rebuffed", testRebuffed},
	{"RatedBetween", testRatedBetween},
}

// asked returns a challenge of one person to another, or to anybody, that runs
// out an hour after it was made.
func asked(id match.ID, from, to string, created time.Time) match.Match {
	m := playing(id, from, to)
	m.Status, m.Seats = match.Challenged, [2]match.Player{}
	m.Created, m.Changed, m.Deadline = created, created, created.Add(time.Hour)
	return m
}

func testPending(t *testing.T, s match.Store) {
	elsewhere, rowbots := asked("elsewhere", "me", "", at(1)), asked("rowbots", "me", "", at(9))
	elsewhere.Where.Channel = "channel 2"
	rowbots.Invited = match.Engine(match.Random)
	declined, running := asked("declined", "me", "you", at(9)), playing("running", "me", "you")
	declined.Status, running.Created = match.Declined, at(9)
	insert(t.Context(), t, s,
		asked("older", "me", "you", at(1)), asked("newer", "me", "you", at(2)), asked("lapsed", "me", "they", at(-3600)),
		asked("back", "they", "me", at(3)), asked("open", "me", "", at(1)), elsewhere, rowbots, declined, running)
	for _, x := range []struct {
		name string
		q    match.PendingQuery
		want match.ID // "" for none
	}{
		{"the newest", match.PendingQuery{Challenger: "me", Invited: "you", Channel: "another"}, "newer"},
		{"the other way round", match.PendingQuery{Challenger: "you", Invited: "me"}, ""},
		{"out of time", match.PendingQuery{Challenger: "me", Invited: "they"}, ""},
		{"theirs", match.PendingQuery{Challenger: "they", Invited: "me"}, "back"},
		{"open", match.PendingQuery{Challenger: "me", Channel: "channel"}, "open"},
		{"open elsewhere", match.PendingQuery{Challenger: "me", Channel: "channel 2"}, "elsewhere"},
		{"open nowhere", match.PendingQuery{Challenger: "me", Channel: "channel 3"}, ""},
		{"nobody's", match.PendingQuery{Channel: "channel"}, ""},
	} {
		x.q.Now = at(0)
		view(t.Context(), t, s, func(tx match.Tx) error {
			m, err := tx.Pending(t.Context(), x.q)
			if x.want == "" && errors.Is(err, match.ErrNotFound) {
				return nil
			}
			if err == nil {
				equal(t, x.name, m, load(t.Context(), t, s, x.want))
			}
			return err
		})
	}
}

func testStanding(t *testing.T, s match.Store) {
	lapsed := asked("lapsed", "me", "they", at(-3600))
	over := playing("over", "me", "you")
	over.Status = match.Won
	insert(t.Context(), t, s,
		asked("a", "me", "you", at(0)), asked("b", "me", "", at(1)), lapsed, asked("c", "you", "me", at(0)),
		playing("d", "me", "you"), playing("e", "you", "me"), playing("f", "me", "they"), over)
	for user, want := range map[string]match.Standing{
		"me": {Pending: 2, Running: 3}, "you": {Pending: 1, Running: 2}, "they": {Running: 1}, "": {}, "ME": {},
	} {
		view(t.Context(), t, s, func(tx match.Tx) error {
			got, err := tx.Standing(t.Context(), user, at(0))
			equal(t, user, got, want)
			return err
		})
	}
}

func testRebuffed(t *testing.T, s match.Store) {
	no := func(id match.ID, from, to string, status match.Status, seconds int) match.Match {
		m := asked(id, from, to, at(seconds))
		m.Status, m.Deadline = status, time.Time{}
		return m
	}
	insert(t.Context(), t, s,
		no("declined", "me", "you", match.Declined, 1), no("withdrawn", "me", "you", match.Withdrawn, 2),
		no("lapsed", "me", "you", match.Lapsed, 3), no("closed", "me", "you", match.Closed, 4),
		no("back", "you", "me", match.Declined, 5), no("other", "me", "they", match.Declined, 6), asked("waits", "me", "you", at(7)))
	rebuffed := func(from, to string, nth int) (id match.ID) {
		view(t.Context(), t, s, func(tx match.Tx) error {
			m, err := tx.Rebuffed(t.Context(), from, to, nth)
			if id = m.ID; errors.Is(err, match.ErrNotFound) {
				return nil
			}
			return err
		})
		return id
	}
	equal(t, "mine", rebuffed("me", "you", 1), match.ID("withdrawn"))
	equal(t, "mine before", rebuffed("me", "you", 2), match.ID("declined"))
	equal(t, "mine before that", rebuffed("me", "you", 3), match.ID(""))
	equal(t, "yours", rebuffed("you", "me", 1), match.ID("back"))
	equal(t, "theirs", rebuffed("they", "me", 1), match.ID(""))
	equal(t, "nobody's", rebuffed("", "", 1), match.ID(""))
}

func testRatedBetween(t *testing.T, s match.Store) {
	var all []match.Match
	add := func(change func(m *match.Match)) {
		m := ended(match.ID(strconv.Itoa(len(all))), "me", "you", at(10))
		change(&m)
		all = append(all, m)
	}
	add(func(*match.Match) {})
	add(func(m *match.Match) { m.Seats[0], m.Seats[1] = m.Seats[1], m.Seats[0] })
	add(func(m *match.Match) { m.Status, m.Changed = match.Drawn, at(20) })
	add(func(m *match.Match) { m.Unrated = match.TooShort })
	add(func(m *match.Match) { m.Status = match.Closed })
	add(func(m *match.Match) { m.Status = match.Active })
	add(func(m *match.Match) { m.Seats[1] = match.Person("they") })
	add(func(m *match.Match) { m.Seats[1] = match.Engine(match.Random) })
	insert(t.Context(), t, s, all...)
	for seconds, want := range map[int]int{9: 3, 10: 1, 19: 1, 20: 0} {
		view(t.Context(), t, s, func(tx match.Tx) error {
			for _, pair := range [][2]string{{"me", "you"}, {"you", "me"}} {
				got, err := tx.RatedBetween(t.Context(), pair[0], pair[1], at(seconds))
				if err != nil {
					return err
				}
				equal(t, fmt.Sprint(pair, seconds), got, want)
			}
			return nil
		})
	}
}
