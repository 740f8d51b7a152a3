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

var openTests = []test{
	{"EachRole", testOpenEachRole},
	{"OnlyWhatIsNotOver", testOpenNotOver},
	{"OrderAndLimit", testOpenOrder},
	{"Channel", testOpenChannel},
	{"Parts", testOpenParts},
	{"Leaves", testOpenLeaves},
}

// openIDs asks for the IDs of a player's open matches.
func openIDs(t *testing.T, s match.Store, q match.OpenQuery) []match.ID {
	t.Helper()
	var ids []match.ID
	view(t.Context(), t, s, func(tx match.Tx) error {
		found, err := tx.Open(t.Context(), q)
		for _, m := range found {
			ids = append(ids, m.ID)
		}
		return err
	})
	return ids
}

// testOpenEachRole: a player finds the matches they have to do with in any way,
// each of them once.
func testOpenEachRole(t *testing.T, s match.Store) {
	me, you, nobody := match.Person("me"), match.Person("you"), match.Player{}
	rowbot := match.Engine(match.Random)
	for i, x := range []struct {
		id                  match.ID
		status              match.Status
		challenger, invited match.Player
		seats               [2]match.Player
	}{
		{"challenger", match.Challenged, me, you, [2]match.Player{}},
		{"challenger of anyone", match.Challenged, me, nobody, [2]match.Player{}},
		{"invited", match.Challenged, you, me, [2]match.Player{}},
		{"black", match.Active, you, me, [2]match.Player{me, you}},
		{"white", match.Active, you, me, [2]match.Player{you, me}},
		{"white of an open challenge", match.Active, you, nobody, [2]match.Player{you, me}},
		{"black of an open challenge", match.Active, you, nobody, [2]match.Player{me, you}},
		{"against Rowbot", match.Active, me, rowbot, [2]match.Player{rowbot, me}},
		{"others", match.Active, you, match.Person("m"), [2]match.Player{you, match.Person("me2")}},
		{"others' challenge", match.Challenged, you, nobody, [2]match.Player{}},
		{"others' against Rowbot", match.Active, you, rowbot, [2]match.Player{you, rowbot}},
	} {
		m := playing(x.id, "", "")
		m.Status, m.Challenger, m.Invited, m.Seats = x.status, x.challenger, x.invited, x.seats
		m.Created = at(-i)
		insert(t.Context(), t, s, m)
	}
	equal(t, "mine", openIDs(t, s, match.OpenQuery{User: "me", Limit: 99}), []match.ID{
		"challenger", "challenger of anyone", "invited", "black", "white",
		"white of an open challenge", "black of an open challenge", "against Rowbot",
	})
	equal(t, "a stranger's", openIDs(t, s, match.OpenQuery{User: "ME", Limit: 99}), []match.ID(nil))
	equal(t, "nobody's", openIDs(t, s, match.OpenQuery{Limit: 99}), []match.ID(nil))
}

func testOpenNotOver(t *testing.T, s match.Store) {
	for _, status := range []match.Status{
		match.Challenged, match.Active, match.Won, match.Drawn,
		match.Declined, match.Withdrawn, match.Lapsed, match.Closed,
	} {
		m := playing(match.ID(fmt.Sprint(status)), "me", "you")
		m.Status, m.Created = status, at(int(status))
		insert(t.Context(), t, s, m)
	}
	equal(t, "open", openIDs(t, s, match.OpenQuery{User: "me", Limit: 99}), []match.ID{"20", "10"})
}

// testOpenOrder: the newest come first, in all roles together, and whole.
func testOpenOrder(t *testing.T, s match.Store) {
	ctx := t.Context()
	created := []int{5, 1, 9, 3, 7, 2}
	all := map[match.ID]match.Match{}
	for i, n := range created {
		m := playing(match.ID(strconv.Itoa(n)), "me", "you")
		if i%2 == 0 {
			m = playing(m.ID, "you", "me")
		}
		m.Created, m.Moves = at(n), []match.Point{{Col: 1, Row: 2}}
		all[m.ID] = m
		insert(ctx, t, s, m)
	}
	want := []match.ID{"9", "7", "5", "3", "2", "1"}
	for limit := range len(want) + 2 {
		got := openIDs(t, s, match.OpenQuery{User: "me", Limit: limit})
		equal(t, fmt.Sprintf("limit %d", limit), got, want[:min(limit, len(want))])
	}
	view(ctx, t, s, func(tx match.Tx) error {
		found, err := tx.Open(ctx, match.OpenQuery{User: "you", Limit: 9})
		for _, m := range found {
			equal(t, "match", m, all[m.ID])
		}
		return err
	})
}

// testOpenChannel: the limit counts what is in the channel.
func testOpenChannel(t *testing.T, s match.Store) {
	for i := range 6 {
		m := playing(match.ID(strconv.Itoa(i)), "me", "you")
		m.Created, m.Where.Channel = at(i), fmt.Sprint("c", i%2)
		insert(t.Context(), t, s, m)
	}
	equal(t, "all of a channel", openIDs(t, s, match.OpenQuery{User: "me", Channel: "c0", Limit: 9}), []match.ID{"4", "2", "0"})
	equal(t, "some of a channel", openIDs(t, s, match.OpenQuery{User: "you", Channel: "c1", Limit: 2}), []match.ID{"5", "3"})
	equal(t, "the second page", openIDs(t, s, match.OpenQuery{User: "me", Channel: "c0", Offset: 1, Limit: 1}), []match.ID{"2"})
	equal(t, "the last page", openIDs(t, s, match.OpenQuery{User: "me", Channel: "c0", Offset: 2, Limit: 9}), []match.ID{"0"})
	equal(t, "beyond the last page", openIDs(t, s, match.OpenQuery{User: "me", Channel: "c0", Offset: 3, Limit: 9}), []match.ID(nil))
	equal(t, "another channel", openIDs(t, s, match.OpenQuery{User: "you", Channel: "c", Limit: 2}), []match.ID(nil))
	update(t.Context(), t, s, func(tx match.Tx) error {
		return tx.SetWhere(t.Context(), "0", match.Where{Channel: "c1"})
	})
	equal(t, "after a move", openIDs(t, s, match.OpenQuery{User: "me", Channel: "c0", Limit: 9}), []match.ID{"4", "2"})
}

// testOpenParts: what is played, and what somebody has sent, is told from the challenges
// to them, however many there are.
func testOpenParts(t *testing.T, s match.Store) {
	for i := range 9 {
		id := match.ID(strconv.Itoa(i))
		m := playing(id, "you", "me")
		switch i % 3 {
		case 1:
			m.Status, m.Seats = match.Challenged, [2]match.Player{}
		case 2:
			m.Status, m.Seats = match.Challenged, [2]match.Player{}
			m.Challenger, m.Invited = match.Person("me"), match.Person("you")
		}
		m.Created, m.Where.Channel = at(i), fmt.Sprint("c", i%2)
		insert(t.Context(), t, s, m)
	}
	for _, c := range []struct {
		q    match.OpenQuery
		want []match.ID
	}{
		{match.OpenQuery{User: "me", Part: match.Playing, Limit: 9}, []match.ID{"6", "3", "0"}},
		{match.OpenQuery{User: "me", Part: match.Playing, Offset: 1, Limit: 1}, []match.ID{"3"}},
		{match.OpenQuery{User: "me", Part: match.Playing, Channel: "c1", Limit: 9}, []match.ID{"3"}},
		{match.OpenQuery{User: "me", Part: match.Sent, Limit: 9}, []match.ID{"8", "5", "2"}},
		{match.OpenQuery{User: "me", Part: match.Sent, Offset: 1, Limit: 1}, []match.ID{"5"}},
		{match.OpenQuery{User: "me", Part: match.Sent, Channel: "c1", Limit: 9}, []match.ID{"5"}},
		{match.OpenQuery{User: "you", Part: match.Sent, Limit: 2}, []match.ID{"7", "4"}},
		{match.OpenQuery{User: "me", Part: match.AllOpen, Limit: 4}, []match.ID{"8", "7", "6", "5"}},
	} {
		equal(t, fmt.Sprintf("%+v", c.q), openIDs(t, s, c.q), c.want)
	}
	update(t.Context(), t, s, func(tx match.Tx) error {
		_, err := tx.Open(t.Context(), match.OpenQuery{User: "me", Part: match.Playing, Limit: 9}) // to be changed
		return err
	})
}

// testOpenLeaves: a match that ends is not open any more, neither for Open nor for Due.
func testOpenLeaves(t *testing.T, s match.Store) {
	ctx := t.Context()
	m := playing("a", "me", "you")
	insert(ctx, t, s, m)
	for _, reads := range []bool{true, false} {
		equal(t, "open", openIDs(t, s, match.OpenQuery{User: "you", Limit: 9}), []match.ID{"a"})
		over := m
		over.Status, over.Version = match.Closed, m.Version+1
		update(ctx, t, s, func(tx match.Tx) error {
			if reads {
				if _, err := tx.Match(ctx, "a"); err != nil {
					return err
				}
			}
			return tx.Replace(ctx, m.Version, over)
		})
		equal(t, "open", openIDs(t, s, match.OpenQuery{User: "you", Limit: 9}), []match.ID(nil))
		equal(t, "due", dueIDs(t, s, at(1e6), 9), []match.ID(nil))
		m.Version += 2
		update(ctx, t, s, func(tx match.Tx) error { return tx.Replace(ctx, m.Version-1, m) })
	}
}

var endedTests = []test{{"Ended", testEnded}, {"EndedShows", testEndedShows}}

// testEnded: matches with a result, the latest first: of a guild whoever played,
// or of a user wherever, on either side.
func testEnded(t *testing.T, s match.Store) {
	ctx := t.Context()
	add := func(id match.ID, first, second string, guild string, when int) {
		m := ended(id, first, second, at(when))
		m.Where.Guild = guild
		insert(ctx, t, s, m)
	}
	add("1", "ann", "bob", "g", 10)
	add("2", "bob", "ann", "g", 30)
	add("3", "bob", "cid", "g", 20)
	add("4", "ann", "bob", "h", 20)
	add("5", "ann", "bob", "", 20)
	insert(ctx, t, s, playing("6", "ann", "bob"))
	lapsed := ended("7", "ann", "bob", at(40))
	lapsed.Status, lapsed.Reason, lapsed.Winner, lapsed.Where.Guild = match.Closed, match.NoReason, match.Empty, "g"
	insert(ctx, t, s, lapsed)
	for _, c := range []struct {
		q    match.EndedQuery
		want []match.ID
	}{
		{match.EndedQuery{Guild: "g", User: "cid", Limit: 9}, []match.ID{"2", "3", "1"}},
		{match.EndedQuery{Guild: "g", Limit: 2}, []match.ID{"2", "3"}},
		{match.EndedQuery{User: "ann", Limit: 9}, []match.ID{"2", "5", "4", "1"}},
		{match.EndedQuery{User: "cid", Limit: 9}, []match.ID{"3"}},
		{match.EndedQuery{User: "dot", Limit: 9}, nil},
		{match.EndedQuery{Limit: 9}, nil},
	} {
		var got []match.ID
		view(ctx, t, s, func(tx match.Tx) error {
			found, err := tx.Ended(ctx, c.q)
			for _, m := range found {
				got = append(got, m.ID)
			}
			return err
		})
		equal(t, fmt.Sprintf("%+v", c.q), got, c.want)
	}
}

// testEndedShows: what a list shows of a match, whatever was played in it. Neither
// the matches of one moment nor one that somebody played alone come twice.
func testEndedShows(t *testing.T, s match.Store) {
	ctx := t.Context()
	var want []match.Summary
	for i, moves := range []string{"", "a1", "a1 b2", "a1 b2 pass", "a1 pass b2 c3"} {
		m := ended(match.ID(strconv.Itoa(i)), "ann", "bob", at(7))
		m.Rules, m.Where.Guild = match.GomokuRules(19, match.Renju), "g"
		switch i {
		case 1:
			m.Rules, m.Seats[1], m.Winner = match.TicTacToeRules(), match.Engine(match.Hard), match.White
		case 2:
			m.Status, m.Winner = match.Drawn, match.Empty
		case 3:
			m.Seats = [2]match.Player{match.Person("bob"), match.Person("ann")}
		case 4:
			m.Seats[1] = m.Seats[0]
		}
		var err error
		if m.Moves, err = m.Rules.ParseMoves(moves); err != nil {
			t.Fatal(err)
		}
		insert(ctx, t, s, m)
		want = append(want, match.Summary{
			ID: m.ID, Rules: m.Rules, Seats: m.Seats, Status: m.Status, Winner: m.Winner, Plies: i, Changed: at(7),
		})
	}
	slices.Reverse(want)
	for _, q := range []match.EndedQuery{{Guild: "g", Limit: 9}, {User: "ann", Limit: 9}} {
		view(ctx, t, s, func(tx match.Tx) error {
			got, err := tx.Ended(ctx, q)
			equal(t, fmt.Sprintf("%+v", q), got, want)
			return err
		})
	}
}

var owedTests = []test{{"Owed", testOwed}, {"Unshown", testUnshown}}

// testUnshown: what is noted as not shown, whether it is over or not, until it
// is noted as shown; a change of the match leaves the note as it is.
func testUnshown(t *testing.T, s match.Store) {
	ctx := t.Context()
	for _, id := range []match.ID{"3", "1", "2"} {
		insert(ctx, t, s, playing(id, "1", "2"))
	}
	insert(ctx, t, s, ended("over", "1", "2", at(0)))
	note := func(id match.ID, unshown bool) {
		t.Helper()
		update(ctx, t, s, func(tx match.Tx) error { return tx.SetUnshown(ctx, id, unshown) })
	}
	list := func(after match.ID, limit int, want ...match.ID) {
		t.Helper()
		var got []match.ID
		view(ctx, t, s, func(tx match.Tx) error {
			var err error
			got, err = tx.Unshown(ctx, after, limit)
			return err
		})
		equal(t, fmt.Sprintf("%d after %q", limit, after), got, want)
	}
	list("", 9)
	for _, id := range []match.ID{"over", "3", "1", "3"} {
		note(id, true)
	}
	list("", 9, "1", "3", "over")
	list("", 2, "1", "3")
	list("1", 9, "3", "over")
	update(ctx, t, s, func(tx match.Tx) error {
		m, err := tx.Match(ctx, "3")
		if err != nil {
			return err
		}
		m.Version++
		return tx.Replace(ctx, m.Version-1, m)
	})
	note("1", false)
	note("2", false)
	list("", 9, "3", "over")
	err := s.Update(ctx, func(tx match.Tx) error { return tx.SetUnshown(ctx, "none", true) })
	if !errors.Is(err, match.ErrNotFound) {
		t.Errorf("a match that is not there: %v", err)
	}
}

// testOwed: the matches without a deadline, in order, page by page; they are
// never due.
func testOwed(t *testing.T, s match.Store) {
	ctx := t.Context()
	for _, n := range []int{5, 1, 3, 2, 4} {
		m := playing(match.ID(strconv.Itoa(n)), "1", "2")
		if n != 3 {
			m.Deadline = time.Time{}
		}
		insert(ctx, t, s, m)
	}
	insert(ctx, t, s, ended("over", "1", "2", at(0))) // has no deadline either
	for _, c := range []struct {
		after match.ID
		limit int
		want  []match.ID
	}{
		{"", 9, []match.ID{"1", "2", "4", "5"}},
		{"", 2, []match.ID{"1", "2"}},
		{"2", 9, []match.ID{"4", "5"}},
		{"3", 1, []match.ID{"4"}},
		{"5", 9, nil},
		{"", 0, nil},
	} {
		var got []match.ID
		view(ctx, t, s, func(tx match.Tx) error {
			var err error
			got, err = tx.Owed(ctx, c.after, c.limit)
			return err
		})
		equal(t, fmt.Sprintf("%d after %q", c.limit, c.after), got, c.want)
	}
	equal(t, "due", dueIDs(t, s, at(1e6), 9), []match.ID{"3"})
}

var lastPlayedTests = []test{{"LastPlayed", testLastPlayed}}

func testLastPlayed(t *testing.T, s match.Store) {
	gomoku := match.GomokuRules(19, match.Standard)
	add := func(id match.ID, r match.Rules, guild string, status match.Status, changed int, seats ...match.Player) {
		m := ended(id, "1", "2", at(changed))
		m.Rules, m.Where.Guild, m.Status = r, guild, status
		copy(m.Seats[:], seats)
		insert(t.Context(), t, s, m)
	}
	rowbot := match.Engine(match.Random)
	add("latest of g", match.TicTacToeRules(), "g", match.Won, 10)
	add("earlier", gomoku, "g", match.Won, 9)
	add("closed", gomoku, "g", match.Closed, 30)
	add("running", gomoku, "g", match.Active, 31)
	add("Rowbot is white", gomoku, "g", match.Won, 32, match.Person("1"), rowbot)
	add("Rowbot is black", gomoku, "g", match.Drawn, 33, rowbot, match.Person("1"))
	add("latest of h", gomoku, "h", match.Drawn, 20)
	add("earlier in h", match.TicTacToeRules(), "h", match.Drawn, 19)
	add("in direct messages", match.TicTacToeRules(), "", match.Drawn, 25)
	last := func(scope string) match.Game {
		var g match.Game
		view(t.Context(), t, s, func(tx match.Tx) error {
			var err error
			g, err = tx.LastPlayed(t.Context(), scope)
			return err
		})
		return g
	}
	equal(t, "in g", last("g"), match.TicTacToe)
	equal(t, "in h", last("h"), match.Gomoku)
	equal(t, "everywhere", last(match.Everywhere), match.TicTacToe)
	add("now in g", gomoku, "g", match.Drawn, 40)
	equal(t, "in g", last("g"), match.Gomoku)
	equal(t, "everywhere", last(match.Everywhere), match.Gomoku)
}
