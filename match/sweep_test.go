package match_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

// ids lists the matches' IDs, sorted.
func ids(matches []match.Match) []match.ID {
	var out []match.ID
	for _, m := range matches {
		out = append(out, m.ID)
	}
	slices.Sort(out)
	return out
}

func TestDue(t *testing.T) {
	b := newBench()
	ask := func(id match.ID, by match.Player) {
		p := match.Proposal{ID: id, Rules: allRules["ttt"], Challenger: by, Opponent: bob, Pace: pace}
		if _, err := b.Challenge(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	ask("asked", carol)
	b.start(t, "begun", "ttt", alice, bob, where)
	b.line(t, b.start(t, "played", "ttt", alice, bob, where), "a1 b2 c3")
	b.line(t, b.start(t, "won", "ttt", alice, bob, where), "a1 a2 b1 b2 c1")
	b.line(t, b.start(t, "rowbot", "ttt", alice, rowbot, where), "a1")
	b.now = noon.Add(time.Hour)
	ask("later", alice)

	sweep := func(now time.Time, want ...match.ID) []match.Match {
		t.Helper()
		b.now = now
		got, err := b.expireDue(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(want)
		if diff := cmp.Diff(want, ids(got)); diff != "" {
			t.Errorf("at %v (-want +got)\n%s", now, diff)
		}
		for _, m := range got {
			if diff := cmp.Diff(m, b.stored(t, m.ID)); diff != "" {
				t.Errorf("%s (-returned +stored)\n%s", m.ID, diff)
			}
		}
		return got
	}
	sweep(noon.Add(expiry - time.Second))
	sweep(noon.Add(expiry), "asked")
	sweep(noon.Add(expiry + time.Minute))
	sweep(noon.Add(1000*time.Hour), "later", "begun", "played", "rowbot")
	sweep(noon.Add(2000 * time.Hour))

	for id, want := range map[match.ID]outcome{
		"asked":  {Status: match.Lapsed},
		"later":  {Status: match.Lapsed},
		"begun":  {Status: match.Closed},
		"played": {match.Won, match.ByTime, match.Black},
		"rowbot": {match.Won, match.ByTime, match.White},
		"won":    {match.Won, match.ByLine, match.Black},
	} {
		m := b.stored(t, id)
		if got := (outcome{m.Status, m.Reason, m.Winner}); got != want {
			t.Errorf("%s: %+v, want %+v", id, got, want)
		}
	}
	if r := b.record(match.VersusPeople(match.Everywhere, alice.User, match.TicTacToe)); r.Won != 2 || r.Played() != 2 {
		t.Errorf("record %+v", r)
	}
}

func TestDueGoesOn(t *testing.T) {
	b := newBench()
	for _, id := range []match.ID{"m1", "m2", "m3", "m4"} {
		b.start(t, id, "ttt", alice, bob, where)
	}
	b.now = noon.Add(pace)
	b.memory.broken = func(call string, id match.ID) bool {
		return call == "Match" && id == "m1" || call == "Replace" && id == "m3"
	}
	got, err := b.expireDue(t.Context())
	if diff := cmp.Diff([]match.ID{"m2", "m4"}, ids(got)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "m1") || !strings.Contains(err.Error(), "m3") {
		t.Errorf("error %v", err)
	}
	if b.stored(t, "m1").Status != match.Active || b.stored(t, "m3").Status != match.Active {
		t.Error("a match that failed has changed")
	}
	b.memory.broken = func(call string, _ match.ID) bool { return call == "Due" }
	if got, err := b.expireDue(t.Context()); !errors.Is(err, errBroken) || got != nil {
		t.Errorf("%v, error %v", got, err)
	}
	b.memory.broken = nil
	got, err = b.expireDue(t.Context())
	if diff := cmp.Diff([]match.ID{"m1", "m3"}, ids(got)); diff != "" || err != nil {
		t.Errorf("error %v (-want +got)\n%s", err, diff)
	}
}

// TestClockGoesBeforeTheDeed is about what comes after the deadline and before
// the sweep.
func TestClockGoesBeforeTheDeed(t *testing.T) {
	t.Run("challenge", func(t *testing.T) {
		b := newBench()
		p := match.Proposal{ID: "m1", Rules: allRules["ttt"], Challenger: alice, Opponent: bob, Pace: pace}
		if _, err := b.Challenge(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		b.now = noon.Add(expiry)
		m, err := b.Act(t.Context(), match.Deed{Match: "m1", By: bob, Action: match.Accept{}, Event: "e1"})
		if err != match.Gone || m.Status != match.Lapsed || b.stored(t, "m1").Status != match.Lapsed {
			t.Errorf("error %v, status %d, stored %d", err, m.Status, b.stored(t, "m1").Status)
		}
	})
	t.Run("match", func(t *testing.T) {
		b := newBench()
		m := b.line(t, b.start(t, "m1", "ttt", alice, bob, where), "a1 b2")
		b.now = m.Deadline
		deed := match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("c3")}, Event: "e1"}
		m, err := b.Act(t.Context(), deed)
		if err != match.Over || m.Reason != match.ByTime || m.Winner != match.White || len(m.Moves) != 2 {
			t.Errorf("error %v, reason %d, winner %v, moves %v", err, m.Reason, m.Winner, m.Moves)
		}
		if diff := cmp.Diff(m, b.stored(t, "m1")); diff != "" {
			t.Errorf("stored (-returned +stored)\n%s", diff)
		}
		if r := b.record(match.VersusPeople(match.Everywhere, bob.User, match.TicTacToe)); r.Won != 1 {
			t.Errorf("record %+v", r)
		}
		if _, err := b.Act(t.Context(), deed); err != match.Over {
			t.Errorf("again: error %v", err)
		}
		if r := b.record(match.VersusPeople(match.Everywhere, bob.User, match.TicTacToe)); r.Won != 1 {
			t.Errorf("counted twice: %+v", r)
		}
	})
	t.Run("just in time", func(t *testing.T) {
		b := newBench()
		m := b.line(t, b.start(t, "m1", "ttt", alice, bob, where), "a1 b2")
		b.now = m.Deadline.Add(-time.Nanosecond)
		b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("c3")}})
	})
}

func TestRematch(t *testing.T) {
	b := newBench()
	m := b.line(t, b.start(t, "m1", "ttt", alice, bob, where), "a1 a2 b1 b2 c1")
	b.now, b.seed = noon.Add(time.Hour), 99
	there := match.Where{Guild: "g2", Channel: "c2"}
	got, err := b.Rematch(t.Context(), "m1", "m2", bob, there)
	if err != nil {
		t.Fatal(err)
	}
	want := match.Match{
		ID: "m2", Version: 1, Since: 1, Rules: m.Rules, Seed: 99, Challenger: bob, Invited: alice, Side: match.SideFirst,
		Seats: [2]match.Player{bob, alice}, Status: match.Active, Pace: pace, Deadline: b.now.Add(pace),
		Created: b.now, Changed: b.now, RematchOf: "m1", Where: there, Event: "m2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, by := range []match.Player{alice, bob} {
		again, err := b.Rematch(t.Context(), "m1", "m3", by, where)
		if diff := cmp.Diff(want, again); diff != "" || err != nil {
			t.Errorf("again by %v: error %v (-want +got)\n%s", by, err, diff)
		}
	}
	if diff := cmp.Diff(m, b.stored(t, "m1")); diff != "" || len(b.memory.state.matches) != 2 {
		t.Errorf("the old match has changed (-was +is)\n%s", diff)
	}
	// The rematch's rematch has the sides as they were first.
	b.act(t, match.Deed{Match: "m2", By: alice, Action: match.Resign{}})
	third, err := b.Rematch(t.Context(), "m2", "m4", bob, there)
	if err != nil || third.Seats != m.Seats || third.Side != match.SideSecond || third.Challenger != bob {
		t.Errorf("seats %v, side %d, error %v", third.Seats, third.Side, err)
	}
}

func TestRematchWithRowbot(t *testing.T) {
	b := newBench()
	b.start(t, "m1", "ttt", alice, rowbot, where)
	b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Resign{}})
	m, err := b.Rematch(t.Context(), "m1", "m2", alice, where)
	if err != nil || m.Seats != [2]match.Player{rowbot, alice} || len(m.Moves) != 1 || m.Version != 2 || m.ToMove() != alice {
		t.Fatalf("seats %v, moves %v, version %d, error %v", m.Seats, m.Moves, m.Version, err)
	}
	again, err := b.Rematch(t.Context(), "m1", "m3", alice, where)
	if diff := cmp.Diff(m, again); diff != "" || err != nil {
		t.Errorf("again: error %v (-want +got)\n%s", err, diff)
	}
}

func TestRematchRefused(t *testing.T) {
	b := newBench()
	running := b.start(t, "m1", "ttt", alice, bob, where)
	b.line(t, b.start(t, "m2", "ttt", alice, bob, where), "a1 a2 b1 b2 c1")
	p := match.Proposal{ID: "m3", Rules: allRules["ttt"], Challenger: alice, Opponent: bob, Pace: pace}
	if _, err := b.Challenge(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	b.act(t, match.Deed{Match: "m3", By: bob, Action: match.Decline{}})
	for _, test := range []struct {
		old  match.ID
		by   match.Player
		want error
	}{
		{"m1", alice, match.NotOver},
		{"m1", carol, match.NotYours},
		{"m2", carol, match.NotYours},
		{"m2", nobody, match.NotYours},
		{"m3", bob, match.NotYours}, // it was never played
		{"m9", alice, match.ErrNotFound},
	} {
		m, err := b.Rematch(t.Context(), test.old, "m4", test.by, where)
		if !errors.Is(err, test.want) || test.want != match.ErrNotFound && m.ID != test.old {
			t.Errorf("of %s by %v: %s, error %v, want %v", test.old, test.by, m.ID, err, test.want)
		}
	}
	for _, call := range []string{"Match", "Rematch", "Insert"} {
		b.memory.broken = func(c string, _ match.ID) bool { return c == call }
		if _, err := b.Rematch(t.Context(), "m2", "m4", alice, where); !errors.Is(err, errBroken) {
			t.Errorf("%s fails: error %v", call, err)
		}
	}
	if len(b.memory.state.matches) != 3 || b.stored(t, "m1").Version != running.Version {
		t.Errorf("stored %v", b.memory.state.matches)
	}
}

// TestRematchIsOneForTwo lets both players ask at the same time.
func TestRematchIsOneForTwo(t *testing.T) {
	b := newBench()
	b.line(t, b.start(t, "m1", "ttt", alice, bob, where), "a1 a2 b1 b2 c1")
	var got [2]match.Match
	var errs [2]error
	var clicks sync.WaitGroup
	for i, by := range []match.Player{alice, bob} {
		clicks.Go(func() { got[i], errs[i] = b.Rematch(t.Context(), "m1", []match.ID{"m2", "m3"}[i], by, where) })
	}
	clicks.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got[0], got[1]); diff != "" {
		t.Errorf("two matches\n%s", diff)
	}
}

// TestBoards is about which message shows a match: the newest.
func TestBoards(t *testing.T) {
	on := func(message string) match.Where { return match.Where{Guild: "g1", Channel: "c1", Message: message} }
	b := newBench()
	m := b.start(t, "m1", "15 freestyle", alice, bob, on(""))
	moved := func(posted, old match.Where) {
		t.Helper()
		got, err := b.Moved(t.Context(), "m1", posted)
		if err != nil || got != old {
			t.Errorf("%v was posted: old %v, error %v; want %v", posted, got, err, old)
		}
	}
	moved(on("999"), match.Where{})
	moved(on("999"), match.Where{})
	moved(on("1000"), on("999"))
	moved(on("999"), on("999")) // late
	if got := b.stored(t, "m1"); got.Where != on("1000") || got.Version != m.Version {
		t.Fatalf("on %v, version %d", got.Where, got.Version)
	}
	place := func(board match.Where, by match.Player, at string) (match.Match, error) {
		return b.Act(t.Context(), match.Deed{Match: "m1", Board: board, By: by, Action: match.Place{At: cell(at)}})
	}
	if got, err := place(on("999"), alice, "h8"); err != match.Replaced || len(got.Moves) != 0 {
		t.Errorf("on the old board: moves %v, error %v", got.Moves, err)
	}
	if _, err := place(on("999"), carol, "h8"); err != match.NotYours {
		t.Errorf("on the old board, somebody else: error %v", err)
	}
	for i, board := range []match.Where{on("1000"), {}, on("1001")} {
		want := board
		if board == (match.Where{}) {
			want = on("1000")
		}
		got, err := place(board, []match.Player{alice, bob}[i%2], []string{"h8", "h9", "i8"}[i])
		if err != nil || got.Where != want || b.stored(t, "m1").Where != want {
			t.Errorf("on %v: shown on %v, stored %v, error %v", board, got.Where, b.stored(t, "m1").Where, err)
		}
	}
	if _, err := b.Moved(t.Context(), "m9", on("1")); !errors.Is(err, match.ErrNotFound) {
		t.Errorf("error %v", err)
	}
}

// TestBoardLanguage is about the language of the message that shows a match: the
// one it was posted in, until it is said to be in another.
func TestBoardLanguage(t *testing.T) {
	in := func(message, locale string) match.Where {
		return match.Where{Guild: "g1", Channel: "c1", Message: message, Locale: locale}
	}
	b := newBench()
	b.start(t, "m1", "15 freestyle", alice, bob, in("", "ru"))
	stands := func(what string, want match.Where) {
		t.Helper()
		if got := b.stored(t, "m1").Where; got != want {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	moved := func(posted match.Where) {
		t.Helper()
		if _, err := b.Moved(t.Context(), "m1", posted); err != nil {
			t.Fatal(err)
		}
	}
	turn := 0
	click := func(board match.Where) {
		t.Helper()
		by, at := []match.Player{alice, bob}[turn%2], []string{"a1", "b1", "c1", "d1", "e1"}[turn]
		turn++
		m := b.act(t, match.Deed{Match: "m1", Board: board, By: by, Action: match.Place{At: cell(at)}})
		if m.Where != b.stored(t, "m1").Where {
			t.Errorf("returned %v", m.Where)
		}
	}
	stands("new", in("", "ru"))
	moved(in("1000", ""))
	stands("posted, nothing said", in("1000", "ru"))
	click(in("1000", ""))
	stands("a click in a conversation", in("1000", "ru"))
	click(match.Where{Guild: "g2", Channel: "c2", Locale: "de"})
	stands("a command", in("1000", "ru"))
	click(in("1000", "ja"))
	stands("a click where the server's language has changed", in("1000", "ja"))
	click(in("1001", ""))
	stands("a click on a newer board", in("1001", "ja"))
	moved(in("1002", "de"))
	stands("posted in another language", in("1002", "de"))
	moved(in("1001", "ru"))
	stands("an older one, late", in("1002", "de"))
	click(match.Where{})
	stands("without a board", in("1002", "de"))
}
