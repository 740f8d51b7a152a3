package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"rowbot/match"
)

var noticeTests = []test{
	{"SetTold", testSetTold},
	{"Quiet", testQuiet},
	{"QuietPages", testQuietPages},
	{"ShortOfTime", testShortOfTime},
	{"RoundTrip", testNoticeRoundTrip},
	{"Retire", testRetireNotices},
	{"Unsettled", testUnsettled},
}

// testSetTold: nothing else changes with it, and a change of the match leaves it
// as it is.
func testSetTold(t *testing.T, s match.Store) {
	ctx := t.Context()
	a, b := playing("a", "1", "2"), playing("b", "1", "2")
	insert(ctx, t, s, a, b)
	set := func(id match.ID, told match.Told) error {
		return s.Update(ctx, func(tx match.Tx) error { return tx.SetTold(ctx, id, told) })
	}
	a.Told = match.Told{Turn: 4_294_967_295, Time: 7}
	if err := set("a", a.Told); err != nil {
		t.Fatal(err)
	}
	equal(t, "the match", load(ctx, t, s, "a"), a)
	equal(t, "another match", load(ctx, t, s, "b"), b)
	if err := set("c", a.Told); !errors.Is(err, match.ErrNotFound) {
		t.Errorf("no such match: error %v", err)
	}
	for _, reads := range []bool{false, true} {
		next := a
		next.Version, next.Told = a.Version+1, match.Told{}
		update(ctx, t, s, func(tx match.Tx) error {
			if reads {
				if _, err := tx.Match(ctx, "a"); err != nil {
					return err
				}
			}
			return tx.Replace(ctx, a.Version, next)
		})
		a.Version++
		equal(t, "after a change", load(ctx, t, s, "a"), a)
	}
}

// pages reads a list two at a time, each page after the last ID of the one before.
func pages(t *testing.T, s match.Store, read func(tx match.Tx, after match.ID, limit int) ([]match.ID, error)) []match.ID {
	t.Helper()
	var all []match.ID
	for after := match.ID(""); len(all) < 99; {
		var page []match.ID
		view(t.Context(), t, s, func(tx match.Tx) (err error) {
			page, err = read(tx, after, 2)
			return err
		})
		if len(page) > 2 {
			t.Fatalf("a page of %d", len(page))
		}
		if len(page) == 0 {
			break
		}
		all = append(all, page...)
		after = page[len(page)-1]
	}
	return all
}

func quietIDs(t *testing.T, s match.Store, since time.Time) []match.ID {
	t.Helper()
	return ringing(t, s, 99, func(tx match.Tx, after match.Alarm, limit int) ([]match.Alarm, error) {
		return tx.Quiet(t.Context(), since, after, limit)
	})
}

// testQuiet: which matches belong to the list, and from when on.
func testQuiet(t *testing.T, s match.Store) {
	ctx := t.Context()
	rowbot := match.Engine(match.Random)
	quiet := func(id match.ID, change func(m *match.Match)) {
		m := playing(id, "1", "2")
		m.Version, m.Since, m.Changed = 5, 4, at(100)
		if change != nil {
			change(&m)
		}
		insert(ctx, t, s, m)
	}
	quiet("quiet", nil)
	quiet("told before", func(m *match.Match) { m.Told.Turn = 3 })
	quiet("told", func(m *match.Match) { m.Told.Turn = 4 })
	quiet("warned only", func(m *match.Match) { m.Told.Time = 4 })
	quiet("never again", func(m *match.Match) { m.Told.Turn = 4_294_967_295 })
	quiet("over", func(m *match.Match) { m.Status = match.Won })
	quiet("a challenge", func(m *match.Match) { m.Status = match.Challenged })
	quiet("against Rowbot", func(m *match.Match) { m.Seats[1] = rowbot })
	quiet("Rowbot first", func(m *match.Match) { m.Seats[0] = rowbot })
	want := []match.ID{"quiet", "told before", "warned only"}
	equal(t, "before", quietIDs(t, s, at(100).Add(-time.Millisecond)), []match.ID(nil))
	equal(t, "at", quietIDs(t, s, at(100)), want)
	equal(t, "after", quietIDs(t, s, at(1e6)), want)

	update(ctx, t, s, func(tx match.Tx) error {
		m, err := tx.Match(ctx, "quiet")
		if err != nil {
			return err
		}
		m.Version, m.Since, m.Changed = 6, 6, at(200)
		if err := tx.Replace(ctx, 5, m); err != nil {
			return err
		}
		return tx.SetTold(ctx, "told before", match.Told{Turn: 4})
	})
	equal(t, "at the old change", quietIDs(t, s, at(199)), []match.ID{"warned only"})
	equal(t, "at the new change", quietIDs(t, s, at(200)), []match.ID{"warned only", "quiet"})
	update(ctx, t, s, func(tx match.Tx) error {
		m, err := tx.Match(ctx, "told")
		if err != nil {
			return err
		}
		m.Version, m.Since = 6, 6 // a move
		return tx.Replace(ctx, 5, m)
	})
	equal(t, "in the next turn", quietIDs(t, s, at(150)), []match.ID{"told", "warned only"})
}

// testQuietPages: the quietest first, in pages, and in the same order those that
// fell quiet at the same moment.
func testQuietPages(t *testing.T, s match.Store) {
	order := []string{"5", "1", "9", "3", "7", "2"}
	for i, id := range order {
		m := playing(match.ID(id), "1", "2")
		m.Since, m.Changed = 1, at(i/3)
		insert(t.Context(), t, s, m)
	}
	equal(t, "pages", quietIDs(t, s, at(9)), []match.ID{"1", "5", "9", "2", "3", "7"})
}

func shortIDs(t *testing.T, s match.Store, now time.Time) []match.ID {
	t.Helper()
	return ringing(t, s, 99, func(tx match.Tx, after match.Alarm, limit int) ([]match.Alarm, error) {
		return tx.ShortOfTime(t.Context(), now, after, limit)
	})
}

// testShortOfTime: a third of the pace before the deadline, whoever plays and
// however short the pace is.
func testShortOfTime(t *testing.T, s match.Store) {
	ctx := t.Context()
	short := func(id match.ID, change func(m *match.Match)) {
		m := playing(id, "1", "2") // an hour a move, until 3600
		m.Since = 1
		if change != nil {
			change(&m)
		}
		insert(ctx, t, s, m)
	}
	short("hour", nil)
	short("against Rowbot", func(m *match.Match) { m.Seats[1] = match.Engine(match.Random) })
	short("three days", func(m *match.Match) { m.Pace = 72 * time.Hour; m.Deadline = at(72 * 3600) })
	short("shortest", func(m *match.Match) { m.Pace = 12 * time.Second; m.Deadline = at(604) })
	short("Rowbot's turn", func(m *match.Match) { m.Deadline = time.Time{} })
	short("a challenge", func(m *match.Match) { m.Status = match.Challenged })
	short("over", func(m *match.Match) { m.Status = match.Won })
	short("warned", func(m *match.Match) { m.Told.Time = 1 })
	short("told of the turn", func(m *match.Match) { m.Told.Turn = 1 })
	for _, c := range []struct {
		now  time.Time
		want []match.ID
	}{
		{at(600).Add(-time.Millisecond), nil},
		{at(600), []match.ID{"shortest"}},
		{at(2400).Add(-time.Millisecond), []match.ID{"shortest"}},
		{at(2400), []match.ID{"shortest", "against Rowbot", "hour", "told of the turn"}},
		{at(48*3600 - 1), []match.ID{"shortest", "against Rowbot", "hour", "told of the turn"}},
		{at(48 * 3600), []match.ID{"shortest", "against Rowbot", "hour", "told of the turn", "three days"}},
	} {
		equal(t, fmt.Sprint(c.now), shortIDs(t, s, c.now), c.want)
	}
	update(ctx, t, s, func(tx match.Tx) error { return tx.SetTold(ctx, "hour", match.Told{Time: 1}) })
	equal(t, "once warned", shortIDs(t, s, at(2400)), []match.ID{"shortest", "against Rowbot", "told of the turn"})
}

// note returns a notice of a match.
func note(id match.ID, turn match.Version, kind match.NoticeKind, state match.NoticeState) match.Notice {
	return match.Notice{
		Match: id, Turn: turn, Kind: kind, State: state,
		Channel: "channel", Message: fmt.Sprint("message ", turn, kind), At: at(int(turn)),
	}
}

func put(t *testing.T, s match.Store, notices ...match.Notice) {
	t.Helper()
	update(t.Context(), t, s, func(tx match.Tx) error {
		for _, n := range notices {
			if err := tx.PutNotice(t.Context(), n); err != nil {
				return err
			}
		}
		return nil
	})
}

func noticesOf(t *testing.T, s match.Store, id match.ID) (found []match.Notice) {
	t.Helper()
	view(t.Context(), t, s, func(tx match.Tx) (err error) {
		found, err = tx.Notices(t.Context(), id)
		return err
	})
	return found
}

// testNoticeRoundTrip: what is put comes back, in order; the same turn and kind
// is the same notice.
func testNoticeRoundTrip(t *testing.T, s match.Store) {
	all := []match.Notice{
		note("a", 3, match.YourTurn, match.Posting), note("a", 3, match.TimeShort, match.Posted),
		note("a", 9, match.YourTurn, match.Retired), note("a", 4_294_967_295, match.YourTurn, match.Posted),
	}
	all[0].Message = ""
	other := note("b", 3, match.YourTurn, match.Posted)
	put(t, s, all[2], all[1], other, all[3], all[0])
	equal(t, "notices", noticesOf(t, s, "a"), all)

	all[1].State, all[1].Channel, all[1].Message, all[1].At = match.Retired, "elsewhere", "another", at(77)
	put(t, s, all[1])
	equal(t, "after a change", noticesOf(t, s, "a"), all)
	for range 2 { // the second time it is not there
		update(t.Context(), t, s, func(tx match.Tx) error {
			return tx.DropNotice(t.Context(), match.Notice{Match: "a", Turn: 3, Kind: match.YourTurn})
		})
		equal(t, "without the first", noticesOf(t, s, "a"), all[1:])
	}
	equal(t, "of another match", noticesOf(t, s, "b"), []match.Notice{other})
	equal(t, "of none", noticesOf(t, s, "c"), []match.Notice(nil))
}

func testRetireNotices(t *testing.T, s match.Store) {
	put(t, s,
		note("a", 1, match.YourTurn, match.Posting), note("a", 2, match.YourTurn, match.Posted),
		note("a", 2, match.TimeShort, match.Posted), note("a", 3, match.YourTurn, match.Retired),
		note("b", 1, match.YourTurn, match.Posted), note("a", 2, match.DrawOffer, match.Posted),
		note("c", 1, match.YourTurn, match.Posted), note("c", 1, match.DrawOffer, match.Posted), note("d", 1, match.DrawOffer, match.Posted))
	update(t.Context(), t, s, func(tx match.Tx) error { return tx.RetireNotices(t.Context(), "a") })
	equal(t, "notices", noticesOf(t, s, "a"), []match.Notice{
		note("a", 1, match.YourTurn, match.Posting), note("a", 2, match.YourTurn, match.Retired),
		note("a", 2, match.TimeShort, match.Retired), note("a", 2, match.DrawOffer, match.Posted), note("a", 3, match.YourTurn, match.Retired),
	})
	equal(t, "of another match", noticesOf(t, s, "b"), []match.Notice{note("b", 1, match.YourTurn, match.Posted)})
	update(t.Context(), t, s, func(tx match.Tx) error { return tx.RetireOffers(t.Context(), "c") })
	equal(t, "offers", noticesOf(t, s, "c"), []match.Notice{note("c", 1, match.YourTurn, match.Posted), note("c", 1, match.DrawOffer, match.Retired)})
	equal(t, "offers of another match", noticesOf(t, s, "d"), []match.Notice{note("d", 1, match.DrawOffer, match.Posted)})
}

// testUnsettled: each match with something to be done once, in order and in pages.
func testUnsettled(t *testing.T, s match.Store) {
	for i, state := range slices.Repeat([]match.NoticeState{match.Posting, match.Posted, match.Retired}, 3) {
		id := match.ID(strconv.Itoa(8 - i))
		put(t, s, note(id, 1, match.YourTurn, state), note(id, 2, match.YourTurn, state))
	}
	put(t, s, note("1", 3, match.TimeShort, match.Posting))
	got := pages(t, s, func(tx match.Tx, after match.ID, limit int) ([]match.ID, error) {
		return tx.Unsettled(t.Context(), after, limit)
	})
	equal(t, "unsettled", got, []match.ID{"0", "1", "2", "3", "5", "6", "8"})
}
