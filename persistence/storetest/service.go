package storetest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/match/rating"
)

var serviceTests = []test{
	{"ToItsEnd", testToItsEnd},
	{"SameEventTwice", testSameEventTwice},
	{"RacingPlayers", testRacingPlayers},
	{"RacingToWin", testRacingToWin},
	{"ChallengeTwice", testChallengeTwice},
	{"RematchTwice", testRematchTwice},
	{"AgainstRowbot", testAgainstRowbot},
	{"Expire", testExpire},
	{"Forgotten", testForgotten},
	{"Attend", testAttend},
}

var (
	ann, bob = match.Person("ann"), match.Person("bob")
	home     = match.Where{Guild: "home", Channel: "channel", Message: "message"}
)

// service returns a service whose clock stands still.
func service(s match.Store) *match.Service {
	return &match.Service{
		Store: s, Now: func() time.Time { return at(0) }, Seed: func() uint64 { return 1<<63 + 1 }, Expiry: time.Hour,
	}
}

// start makes a match that ann begins.
func start(ctx context.Context, t failer, sv *match.Service, id match.ID) match.Match {
	t.Helper()
	_, err := sv.Challenge(ctx, match.Proposal{
		ID: id, Rules: match.TicTacToeRules(), Challenger: ann, Opponent: bob,
		Side: match.SideFirst, Pace: time.Hour, Where: home,
	})
	if err != nil {
		t.Fatalf("Challenge: %v", err)
	}
	return act(ctx, t, sv, match.Deed{Match: id, By: bob, Action: match.Accept{}, Event: "accept"})
}

// act does a deed that has to succeed, and checks that what it returns is stored.
func act(ctx context.Context, t failer, sv *match.Service, d match.Deed) match.Match {
	t.Helper()
	m, err := sv.Act(ctx, d)
	if err != nil {
		t.Fatalf("Act %+v: %v", d, err)
	}
	equal(t, "stored match", load(ctx, t, sv.Store, m.ID), m)
	return m
}

// play makes moves by ann and bob in turn.
func play(ctx context.Context, t failer, sv *match.Service, m match.Match, cells ...string) match.Match {
	t.Helper()
	for _, cell := range cells {
		p, err := m.Rules.ParsePoint(cell)
		if err != nil {
			t.Fatalf("cell %s: %v", cell, err)
		}
		m = act(ctx, t, sv, match.Deed{
			Match: m.ID, Seen: m.Version, By: m.ToMove(), Action: match.Place{At: p}, Event: "event " + cell,
		})
	}
	return m
}

// tally is what a record says of ended matches.
type tally struct{ Won, Drawn, Lost, Streak, Best int }

func tallyOf(r match.Record) tally { return tally{r.Won, r.Drawn, r.Lost, r.Streak, r.Best} }

// annWonOnce checks every record after one match that ann won against bob.
func annWonOnce(ctx context.Context, t failer, s match.Store) {
	t.Helper()
	g := match.TicTacToe
	won, lost := tally{Won: 1, Streak: 1, Best: 1}, tally{Lost: 1}
	winner := rating.New().Update(rating.Result{Opponent: rating.New(), Score: rating.Win})
	loser := rating.New().Update(rating.Result{Opponent: rating.New(), Score: rating.Loss})
	for _, x := range []struct {
		key    match.RecordKey
		tally  tally
		rating rating.Rating
	}{
		{match.VersusPeople(match.Everywhere, "ann", g), won, winner},
		{match.VersusPeople("home", "ann", g), won, winner},
		{match.VersusUser("ann", g, "bob"), won, rating.New()},
		{match.VersusPeople(match.Everywhere, "bob", g), lost, loser},
		{match.VersusPeople("home", "bob", g), lost, loser},
		{match.VersusUser("bob", g, "ann"), lost, rating.New()},
		{match.VersusPeople(match.Everywhere, "ann", match.Gomoku), tally{}, rating.New()},
		{match.VersusLevel("ann", g, match.Random), tally{}, rating.New()},
	} {
		r := record(ctx, t, s, x.key)
		equal(t, fmt.Sprint(x.key), tallyOf(r), x.tally)
		equal(t, fmt.Sprint("rating of ", x.key), r.Rating, x.rating)
	}
}

// testToItsEnd: the move that ends a match writes its result, and none before does.
func testToItsEnd(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	m := play(ctx, t, sv, start(ctx, t, sv, "m"), "a1", "b1", "a2", "b2")
	equal(t, "before the end", record(ctx, t, s, match.VersusPeople("home", "ann", match.TicTacToe)).Played(), 0)
	m = play(ctx, t, sv, m, "a3")
	equal(t, "status", m.Status, match.Won)
	annWonOnce(ctx, t, s)
	if m.Gains[0].Change <= 0 || m.Gains[1].Change != -m.Gains[0].Change {
		t.Errorf("gains %+v, want one up and one down", m.Gains)
	}
	view(ctx, t, s, func(tx match.Tx) error {
		g, err := tx.LastPlayed(ctx, "home")
		equal(t, "last played", g, match.TicTacToe)
		return err
	})
}

// testSameEventTwice: a click that is delivered twice acts once, be it the last.
func testSameEventTwice(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	m := play(ctx, t, sv, start(ctx, t, sv, "m"), "a1", "b1", "a2", "b2")
	d := match.Deed{Match: "m", Seen: m.Version, By: ann, Action: match.Place{At: match.Point{Col: 0, Row: 2}}, Event: "twice"}
	first := act(ctx, t, sv, d)
	equal(t, "second time", act(ctx, t, sv, d), first)
	annWonOnce(ctx, t, s)
}

// testRacingPlayers: of many clicks on the same board one plays.
func testRacingPlayers(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	m := start(ctx, t, sv, "m")
	for _, row := range []int8{0, 1, 2} {
		oneWins(t, race(func(i int) error {
			_, err := sv.Act(ctx, match.Deed{
				Match: "m", Seen: m.Version, By: m.ToMove(),
				Action: match.Place{At: match.Point{Col: int8(i % 3), Row: row}}, Event: fmt.Sprint(row, i),
			})
			return err
		}), match.Stale)
		was := m
		m = load(ctx, t, s, "m")
		equal(t, "version", m.Version, was.Version+1)
		equal(t, "moves", len(m.Moves), len(was.Moves)+1)
	}
}

// testRacingToWin: the result is written once, however many clicks would win.
func testRacingToWin(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	m := play(ctx, t, sv, start(ctx, t, sv, "m"), "a1", "b1", "a2", "b2")
	oneWins(t, race(func(i int) error {
		_, err := sv.Act(ctx, match.Deed{
			Match: "m", Seen: m.Version, By: ann, Action: match.Place{At: match.Point{Col: 0, Row: 2}}, Event: strconv.Itoa(i),
		})
		return err
	}), match.Stale)
	annWonOnce(ctx, t, s)
}

func testChallengeTwice(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	m := start(ctx, t, sv, "m")
	again, err := sv.Challenge(ctx, match.Proposal{ID: "m", Rules: match.TicTacToeRules(), Challenger: ann, Opponent: bob})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "the second challenge", again, m)
}

// testRematchTwice: clicks on the rematch button, at once or later, make one match.
func testRematchTwice(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	m := start(ctx, t, sv, "m")
	act(ctx, t, sv, match.Deed{Match: "m", By: bob, Action: match.Resign{}, Event: "resign"})
	var got [racers]match.Match
	errs := race(func(i int) error {
		by := m.Seats[i%2]
		var err error
		got[i], err = sv.Rematch(ctx, "m", match.ID(fmt.Sprint("rematch ", i)), by, home)
		return err
	})
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	for _, again := range got {
		equal(t, "rematch", again, got[0])
	}
	equal(t, "open", openIDs(t, s, match.OpenQuery{User: "ann", Limit: 9}), []match.ID{got[0].ID})
	equal(t, "seats", got[0].Seats, [2]match.Player{bob, ann})
	equal(t, "stored", load(ctx, t, s, got[0].ID), got[0])
}

// testAgainstRowbot: such a match counts by level, and nobody is rated.
func testAgainstRowbot(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	m, err := sv.Challenge(ctx, match.Proposal{
		ID: "m", Rules: match.GomokuRules(15, match.Freestyle), Challenger: ann, Opponent: match.Engine(match.Random),
		Side: match.SideSecond, Pace: time.Hour, Where: home,
	})
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "Rowbot's first move", len(load(ctx, t, s, "m").Moves), 1)
	m = act(ctx, t, sv, match.Deed{Match: "m", Seen: m.Version, By: ann, Action: match.PassTurn{}, Event: "pass"})
	equal(t, "moves after its reply", len(m.Moves), 3)
	m = act(ctx, t, sv, match.Deed{Match: "m", By: ann, Action: match.Resign{}, Event: "resign"})
	equal(t, "gains", m.Gains, [2]match.Gain{})
	level := record(ctx, t, s, match.VersusLevel("ann", match.Gomoku, match.Random))
	equal(t, "by level", tallyOf(level), tally{Lost: 1})
	equal(t, "records", recordsOf(t, s, "ann"), []match.Record{level})
	equal(t, "Rowbot's records", recordsOf(t, s, ""), []match.Record(nil))
}

// testExpire: what fell due is ended once, with its result.
func testExpire(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	play(ctx, t, sv, start(ctx, t, sv, "m"), "a1", "b1", "a2")
	sv.Now = func() time.Time { return at(3600).Add(-time.Millisecond) }
	for _, step := range []struct {
		due  int
		over bool
	}{{0, false}, {1, true}, {0, true}} {
		due, err := sv.Due(ctx, match.Alarm{})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "due", len(due), step.due)
		if _, over, err := sv.Expire(ctx, "m"); err != nil || over != step.over {
			t.Errorf("over %t, error %v", over, err)
		}
		sv.Now = func() time.Time { return at(3600) }
	}
	equal(t, "reason", load(ctx, t, s, "m").Reason, match.ByTime)
	annWonOnce(ctx, t, s)
}
