package match_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

const (
	pace   = 72 * time.Hour
	expiry = 24 * time.Hour
)

// challenge returns a challenge by alice, made at noon.
func challenge(rules string, invited match.Player, side match.Side) match.Match {
	return match.Match{
		ID: "m1", Version: 1, Rules: allRules[rules], Seed: 7,
		Challenger: alice, Invited: invited, Side: side,
		Status: match.Challenged, Pace: pace, Deadline: noon.Add(expiry),
		Created: noon, Changed: noon,
	}
}

// started returns a match that alice (first) and bob have just begun at noon.
func started(t testing.TB, rules string) match.Match {
	t.Helper()
	return do(t, challenge(rules, bob, match.SideFirst), match.Accept{}, bob, noon)
}

// do applies an action that has to be taken.
func do(t testing.TB, m match.Match, a match.Action, by match.Player, now time.Time) match.Match {
	t.Helper()
	next, err := m.Apply(a, by, now)
	if err != nil {
		t.Fatalf("%T by %v: %v", a, by, err)
	}
	return next
}

// play lets the two sides move in turn, a minute each; "pass" passes.
func play(t testing.TB, m match.Match, moves string) match.Match {
	t.Helper()
	for _, at := range cells(moves) {
		m = do(t, m, action(at), m.ToMove(), m.Changed.Add(time.Minute))
	}
	return m
}

func action(at match.Point) match.Action {
	if at.IsPass() {
		return match.PassTurn{}
	}
	return match.Place{At: at}
}

// refused checks that an action is refused with a reason, and changes nothing.
func refused(t testing.TB, m match.Match, a match.Action, by match.Player, now time.Time, want match.Refusal) {
	t.Helper()
	next, err := m.Apply(a, by, now)
	if err != want {
		t.Errorf("%T by %v: error %v, want %v", a, by, err, want)
	}
	if diff := cmp.Diff(m, next); diff != "" {
		t.Errorf("%T by %v changed the match (-was +is)\n%s", a, by, diff)
	}
}

// outcome is what the end of a match leaves behind.
type outcome struct {
	Status match.Status
	Reason match.Reason
	Winner match.Stone
}

// ended checks how a match has ended, and that nothing can happen in it any more.
func ended(t testing.TB, m match.Match, want outcome) {
	t.Helper()
	if diff := cmp.Diff(want, outcome{m.Status, m.Reason, m.Winner}); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if !m.Status.Over() || m.Offer != match.Empty || !m.Deadline.IsZero() {
		t.Errorf("over %t, offer %v, deadline %v", m.Status.Over(), m.Offer, m.Deadline)
	}
	for _, by := range []match.Player{alice, bob, carol, nobody} {
		for _, a := range everyAction {
			if next, err := m.Apply(a, by, m.Changed.Add(1000*time.Hour)); err == nil || !cmp.Equal(m, next) {
				t.Errorf("%T by %v after the end: error %v", a, by, err)
			}
		}
	}
}

var everyAction = []match.Action{
	match.Accept{},
	match.Decline{},
	match.Withdraw{},
	match.Withdraw{Unseen: true},
	match.Place{At: match.Point{Col: 2, Row: 2}},
	match.PassTurn{},
	match.Choose{Choice: match.TakeBlack},
	match.Choose{Choice: match.PlaceTwo},
	match.Resign{},
	match.OfferDraw{},
	match.AgreeDraw{},
	match.RefuseDraw{},
	match.Expire{},
	match.Leave{},
}

func TestAnswerToChallenge(t *testing.T) {
	later := noon.Add(time.Hour)
	seats := func(black, white match.Player) [2]match.Player { return [2]match.Player{black, white} }
	for _, test := range []struct {
		name    string
		invited match.Player
		side    match.Side
		action  match.Action
		by      match.Player
		refused match.Refusal
		status  match.Status
		seats   [2]match.Player
	}{
		{"accepted, first", bob, match.SideFirst, match.Accept{}, bob, "", match.Active, seats(alice, bob)},
		{"accepted, second", bob, match.SideSecond, match.Accept{}, bob, "", match.Active, seats(bob, alice)},
		{"open, accepted by anyone", nobody, match.SideFirst, match.Accept{}, carol, "", match.Active, seats(alice, carol)},
		{"accepted by somebody else", bob, match.SideFirst, match.Accept{}, carol, match.NotForYou, 0, seats(nobody, nobody)},
		{"accepted by the challenger", bob, match.SideFirst, match.Accept{}, alice, match.OwnChallenge, 0, seats(nobody, nobody)},
		{"open, accepted by the challenger", nobody, match.SideFirst, match.Accept{}, alice, match.OwnChallenge, 0, seats(nobody, nobody)},
		{"open, accepted by nobody", nobody, match.SideFirst, match.Accept{}, nobody, match.NotForYou, 0, seats(nobody, nobody)},
		{"declined", bob, match.SideFirst, match.Decline{}, bob, "", match.Declined, seats(nobody, nobody)},
		{"declined by somebody else", bob, match.SideFirst, match.Decline{}, carol, match.NotForYou, 0, seats(nobody, nobody)},
		{"declined by the challenger", bob, match.SideFirst, match.Decline{}, alice, match.NotForYou, 0, seats(nobody, nobody)},
		{"open, declined", nobody, match.SideFirst, match.Decline{}, carol, match.NotForYou, 0, seats(nobody, nobody)},
		{"open, declined by nobody", nobody, match.SideFirst, match.Decline{}, nobody, match.NotForYou, 0, seats(nobody, nobody)},
		{"withdrawn", bob, match.SideFirst, match.Withdraw{}, alice, "", match.Withdrawn, seats(nobody, nobody)},
		{"open, withdrawn", nobody, match.SideFirst, match.Withdraw{}, alice, "", match.Withdrawn, seats(nobody, nobody)},
		{"withdrawn unseen", bob, match.SideFirst, match.Withdraw{Unseen: true}, alice, "", match.Lapsed, seats(nobody, nobody)},
		{"withdrawn unseen by the invited", bob, match.SideFirst, match.Withdraw{Unseen: true}, bob, match.NotChallenger, 0, seats(nobody, nobody)},
		{"withdrawn by the invited", bob, match.SideFirst, match.Withdraw{}, bob, match.NotChallenger, 0, seats(nobody, nobody)},
		{"withdrawn by somebody else", bob, match.SideFirst, match.Withdraw{}, carol, match.NotChallenger, 0, seats(nobody, nobody)},
		{"placed by the challenger", bob, match.SideFirst, match.Place{}, alice, match.NotStarted, 0, seats(nobody, nobody)},
		{"placed by the invited", bob, match.SideSecond, match.Place{}, bob, match.NotStarted, 0, seats(nobody, nobody)},
		{"placed by somebody else", bob, match.SideFirst, match.Place{}, carol, match.NotYours, 0, seats(nobody, nobody)},
		{"passed", bob, match.SideFirst, match.PassTurn{}, alice, match.NotStarted, 0, seats(nobody, nobody)},
		{"resigned", bob, match.SideFirst, match.Resign{}, alice, match.NotStarted, 0, seats(nobody, nobody)},
		{"resigned by somebody else", bob, match.SideFirst, match.Resign{}, carol, match.NotYours, 0, seats(nobody, nobody)},
		{"draw offered", bob, match.SideFirst, match.OfferDraw{}, alice, match.NotStarted, 0, seats(nobody, nobody)},
		{"draw agreed", bob, match.SideFirst, match.AgreeDraw{}, bob, match.NotStarted, 0, seats(nobody, nobody)},
		{"draw refused", bob, match.SideFirst, match.RefuseDraw{}, bob, match.NotStarted, 0, seats(nobody, nobody)},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := challenge("15 freestyle", test.invited, test.side)
			if test.refused != "" {
				refused(t, m, test.action, test.by, later, test.refused)
				return
			}
			next := do(t, m, test.action, test.by, later)
			if next.Status != test.status || next.Seats != test.seats || next.Version != 2 || !next.Changed.Equal(later) {
				t.Errorf("status %d, seats %v, version %d, changed %v", next.Status, next.Seats, next.Version, next.Changed)
			}
			if next.Status != match.Active {
				ended(t, next, outcome{Status: test.status})
			} else if want := later.Add(pace); !next.Deadline.Equal(want) {
				t.Errorf("deadline %v, want %v", next.Deadline, want)
			}
			for _, again := range []match.Action{match.Accept{}, match.Decline{}, match.Withdraw{}} {
				refused(t, next, again, alice, later, match.Gone)
				refused(t, next, again, bob, later, match.Gone)
			}
		})
	}
}

func TestExpire(t *testing.T) {
	versus := func(moves string) match.Match { // alice first against Rowbot
		m := challenge("15 freestyle", rowbot, match.SideFirst)
		return play(t, do(t, m, match.Accept{}, rowbot, noon), moves)
	}
	for _, test := range []struct {
		name string
		m    match.Match
		want outcome // none: it does not expire
	}{
		{"challenge", challenge("ttt", bob, match.SideFirst), outcome{Status: match.Lapsed}},
		{"open challenge", challenge("ttt", nobody, match.SideRandom), outcome{Status: match.Lapsed}},
		{"no move", started(t, "ttt"), outcome{Status: match.Closed}},
		{"one move", play(t, started(t, "ttt"), "a1"), outcome{Status: match.Closed}},
		{"two moves", play(t, started(t, "ttt"), "a1 b2"), outcome{match.Won, match.ByTime, match.White}},
		{"three moves", play(t, started(t, "ttt"), "a1 b2 c3"), outcome{match.Won, match.ByTime, match.Black}},
		{"draw offered", do(t, play(t, started(t, "ttt"), "a1 b2"), match.OfferDraw{}, bob, noon.Add(time.Hour)), outcome{match.Won, match.ByTime, match.White}},
		{"Rowbot to move", versus("h8"), outcome{}},
		{"person to move, Rowbot waits", versus("h8 h9"), outcome{match.Won, match.ByTime, match.White}},
	} {
		t.Run(test.name, func(t *testing.T) {
			due := test.m.Deadline
			for _, early := range []time.Duration{-time.Hour, -time.Nanosecond} {
				refused(t, test.m, match.Expire{}, nobody, due.Add(early), match.Early)
			}
			for _, late := range []time.Duration{0, time.Nanosecond, 1000 * time.Hour} {
				if test.want == (outcome{}) {
					refused(t, test.m, match.Expire{}, nobody, due.Add(late), match.Early)
					continue
				}
				ended(t, do(t, test.m, match.Expire{}, nobody, due.Add(late)), test.want)
			}
		})
	}
}

func TestDeadlineMovesWithEveryPly(t *testing.T) {
	m := started(t, "15 freestyle")
	for i, at := range cells("h8 pass h9 i9") {
		now := noon.Add(time.Duration(i+1) * time.Hour)
		m = do(t, m, action(at), m.ToMove(), now)
		if want := now.Add(pace); !m.Deadline.Equal(want) || !m.Changed.Equal(now) {
			t.Errorf("after %v: deadline %v, changed %v; want %v, %v", at, m.Deadline, m.Changed, want, now)
		}
	}
	was := m.Deadline
	m = do(t, m, match.OfferDraw{}, alice, noon.Add(10*time.Hour))
	m = do(t, m, match.RefuseDraw{}, bob, noon.Add(11*time.Hour))
	if !m.Deadline.Equal(was) {
		t.Errorf("a draw offer moved the deadline from %v to %v", was, m.Deadline)
	}
}
