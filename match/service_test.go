package match_test

import (
	"errors"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

var where = match.Where{Guild: "g1", Channel: "c1", Message: "1000"}

func TestChallengeIsStored(t *testing.T) {
	b := newBench()
	p := match.Proposal{
		ID: "m1", Rules: allRules["19 standard"], Challenger: alice, Opponent: bob,
		Side: match.SideSecond, Pace: pace, Where: where,
	}
	got, err := b.Challenge(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	want := match.Match{
		ID: "m1", Version: 1, Since: 1, Rules: p.Rules, Seed: 7, Challenger: alice, Invited: bob, Side: match.SideSecond,
		Status: match.Challenged, Pace: pace, Deadline: noon.Add(expiry), Created: noon, Changed: noon,
		Where: where, Event: "m1",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("returned (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(want, b.stored(t, "m1")); diff != "" {
		t.Errorf("stored (-want +got)\n%s", diff)
	}

	// The same interaction again, later, even after the match has moved on.
	accepted := b.act(t, match.Deed{Match: "m1", By: bob, Action: match.Accept{}})
	b.now, b.seed, p.Opponent = b.now.Add(time.Hour), 8, carol
	again, err := b.Challenge(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(accepted, again); diff != "" {
		t.Errorf("the second time (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(accepted, b.stored(t, "m1")); diff != "" {
		t.Errorf("stored after the second time (-want +got)\n%s", diff)
	}
}

func TestChallengeRefused(t *testing.T) {
	b := newBench()
	if _, err := b.Challenge(t.Context(), match.Proposal{ID: "m1", Rules: allRules["ttt"], Challenger: alice, Opponent: alice}); err != match.Yourself {
		t.Errorf("error %v, want %v", err, match.Yourself)
	}
	for _, call := range []string{"Match", "Insert"} {
		b.memory.broken = func(c string, _ match.ID) bool { return c == call }
		_, err := b.Challenge(t.Context(), match.Proposal{ID: "m1", Rules: allRules["ttt"], Challenger: alice, Opponent: bob})
		if !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "m1") {
			t.Errorf("%s fails: error %v", call, err)
		}
	}
	if len(b.memory.state.matches) != 0 {
		t.Errorf("stored %v", b.memory.state.matches)
	}
}

func TestChallengeRowbotStartsAtOnce(t *testing.T) {
	seats := map[[2]match.Player]int{}
	for _, side := range []match.Side{match.SideFirst, match.SideSecond, match.SideRandom} {
		for seed := range uint64(20) {
			b := newBench()
			b.seed = seed
			m, err := b.Challenge(t.Context(), match.Proposal{
				ID: "m1", Rules: allRules["15 freestyle"], Challenger: alice, Opponent: rowbot, Side: side, Pace: pace, Where: where,
			})
			if err != nil {
				t.Fatal(err)
			}
			if side == match.SideRandom {
				seats[m.Seats]++
			}
			want := map[match.Side][2]match.Player{match.SideFirst: {alice, rowbot}, match.SideSecond: {rowbot, alice}}
			if seats, ok := want[side]; ok && m.Seats != seats {
				t.Errorf("side %d: seats %v", side, m.Seats)
			}
			moves := 0
			if m.Seats[0] == rowbot {
				moves = 1
			}
			if m.Status != match.Active || m.ToMove() != alice || len(m.Moves) != moves || m.Version != match.Version(2+moves) {
				t.Errorf("status %d, moves %v, version %d, seats %v", m.Status, m.Moves, m.Version, m.Seats)
			}
			if !m.Deadline.Equal(noon.Add(pace)) || m.Event != "m1" {
				t.Errorf("deadline %v, event %q", m.Deadline, m.Event)
			}
			if diff := cmp.Diff(m, b.stored(t, "m1")); diff != "" {
				t.Errorf("stored (-returned +stored)\n%s", diff)
			}
		}
	}
	if len(seats) != 2 {
		t.Errorf("by chance the seats were only %v", seats)
	}
}

func TestActWithRowbot(t *testing.T) {
	b := newBench()
	m := b.start(t, "m1", "15 freestyle", alice, rowbot, where)
	was := m
	m = b.act(t, match.Deed{Match: "m1", Seen: m.Version, By: alice, Action: match.Place{At: cell("h8")}, Event: "e1"})
	if m.Version != was.Version+2 || len(m.Moves) != 2 || m.ToMove() != alice || m.Event != "e1" {
		t.Fatalf("version %d, moves %v, event %q", m.Version, m.Moves, m.Event)
	}
	if at := m.Moves[1]; at == cell("h8") || !m.Rules.Contains(at) {
		t.Errorf("Rowbot played %v", at)
	}
	m = b.act(t, match.Deed{Match: "m1", Seen: m.Version, By: alice, Action: match.PassTurn{}})
	if m.Version != was.Version+4 || len(m.Moves) != 4 || m.Moves[2] != match.Pass || m.Moves[3].IsPass() {
		t.Errorf("version %d, moves %v", m.Version, m.Moves)
	}
	version := m.Version
	m = b.act(t, match.Deed{Match: "m1", Seen: m.Version, By: alice, Action: match.Resign{}})
	if m.Version != version+1 || len(m.Moves) != 4 || m.Winner != match.White {
		t.Errorf("resigned: version %d, moves %v, winner %v", m.Version, m.Moves, m.Winner)
	}
	if diff := cmp.Diff(m, b.stored(t, "m1")); diff != "" {
		t.Errorf("stored (-returned +stored)\n%s", diff)
	}
}

// TestWholeMatchesWithRowbot plays many of them: they all end, and Rowbot never
// moves after the end.
func TestWholeMatchesWithRowbot(t *testing.T) {
	reasons := map[outcome]int{}
	for seed := range uint64(60) {
		b := newBench()
		b.seed = seed
		m := b.start(t, "m1", "ttt", alice, rowbot, where)
		for m.Status == match.Active {
			p := m.Position()
			m = b.act(t, match.Deed{Match: "m1", Seen: m.Version, By: alice, Action: match.Place{At: p.Empties()[0]}})
		}
		reasons[outcome{m.Status, m.Reason, m.Winner}]++
		if m.Version != match.Version(2+len(m.Moves)) {
			t.Errorf("version %d after %d moves", m.Version, len(m.Moves))
		}
		if m.Gains != ([2]match.Gain{}) {
			t.Errorf("gains %v", m.Gains)
		}
	}
	for _, side := range []match.Stone{match.Black, match.White} {
		if reasons[outcome{match.Won, match.ByLine, side}] == 0 {
			t.Errorf("side %d never won: %v", side, reasons)
		}
	}
}

func TestActRefuses(t *testing.T) {
	b := newBench()
	m := b.line(t, b.start(t, "m1", "ttt", alice, bob, where), "a1 b2")
	seen := m.Version
	for _, test := range []struct {
		name string
		deed match.Deed
		want match.Refusal
	}{
		{"an older board", match.Deed{Seen: seen - 1, By: alice, Action: match.Place{At: cell("c3")}}, match.Stale},
		{"a version to come", match.Deed{Seen: seen + 1, By: alice, Action: match.Place{At: cell("c3")}}, match.Stale},
		{"stale before not one's turn", match.Deed{Seen: seen - 1, By: bob, Action: match.Place{At: cell("c3")}}, match.Stale},
		{"not yours before stale", match.Deed{Seen: seen - 1, By: carol, Action: match.Place{At: cell("c3")}}, match.NotYours},
		{"not yours", match.Deed{Seen: seen, By: carol, Action: match.Resign{}}, match.NotYours},
		{"not one's turn", match.Deed{Seen: seen, By: bob, Action: match.Place{At: cell("c3")}}, match.NotYourTurn},
		{"taken, whatever was seen", match.Deed{By: alice, Action: match.Place{At: cell("b2")}}, match.Occupied},
		{"off the board", match.Deed{Seen: seen, By: alice, Action: match.Place{At: cell("d1")}}, match.OffBoard},
		{"an old accept", match.Deed{By: carol, Action: match.Accept{}}, match.Gone},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.deed.Match, test.deed.Event = "m1", "e9"
			got, err := b.Act(t.Context(), test.deed)
			if err != test.want {
				t.Errorf("error %v, want %v", err, test.want)
			}
			if diff := cmp.Diff(m, got); diff != "" {
				t.Errorf("returned (-as stored +got)\n%s", diff)
			}
			if diff := cmp.Diff(m, b.stored(t, "m1")); diff != "" {
				t.Errorf("stored (-was +is)\n%s", diff)
			}
		})
	}
}

func TestSameEventActsOnce(t *testing.T) {
	b := newBench()
	m := b.start(t, "m1", "15 freestyle", alice, bob, where)
	deed := match.Deed{Match: "m1", Seen: m.Version, By: alice, Action: match.Place{At: cell("h8")}, Event: "e1"}
	first := b.act(t, deed)
	b.now = b.now.Add(time.Minute)
	if diff := cmp.Diff(first, b.act(t, deed)); diff != "" {
		t.Errorf("the second time (-want +got)\n%s", diff)
	}
	// Without a version it is the same, also where the action would be legal again.
	offer := match.Deed{Match: "m1", By: alice, Action: match.OfferDraw{}, Event: "e2"}
	if first, again := b.act(t, offer), b.act(t, offer); first.Version != 4 || again.Version != 4 {
		t.Errorf("versions %d, %d", first.Version, again.Version)
	}
	// Actions without an event are all different.
	b.act(t, match.Deed{Match: "m1", By: bob, Action: match.PassTurn{}})
	if m := b.act(t, match.Deed{Match: "m1", By: alice, Action: match.PassTurn{}}); m.Reason != match.ByPasses {
		t.Errorf("status %d, reason %d", m.Status, m.Reason)
	}
}

// TestOldEventAgain: what is delivered again after the other player has moved is not
// done again, though it would be legal again.
func TestOldEventAgain(t *testing.T) {
	b := newBench()
	m := b.line(t, b.start(t, "m1", "15 freestyle", alice, bob, where), "h8 h9")
	do := func(by match.Player, a match.Action, event string) error {
		_, err := b.Act(t.Context(), match.Deed{Match: m.ID, By: by, Action: a, Event: event})
		return err
	}
	for _, step := range []struct {
		by     match.Player
		action match.Action
		event  string
		want   error
	}{
		{alice, match.PassTurn{}, "1390000000000000010", nil},
		{alice, match.PassTurn{}, "1390000000000000010", nil}, // known: it is bob's turn
		{bob, match.Place{At: cell("i9")}, "1390000000000000020", nil},
		{alice, match.PassTurn{}, "1390000000000000010", match.Stale},
		{alice, match.OfferDraw{}, "999999999999999999", match.Stale}, // a digit less is earlier
		{alice, match.OfferDraw{}, "1390000000000000030", nil},
		{bob, match.RefuseDraw{}, "1390000000000000040", nil},
		{alice, match.OfferDraw{}, "1390000000000000030", match.Stale},
		{alice, match.Place{At: cell("i8")}, "1390000000000000039", nil}, // can be done once only
		{bob, match.PassTurn{}, "1390000000000000050", nil},
		{alice, match.Resign{}, "1390000000000000049", nil},
	} {
		if err := do(step.by, step.action, step.event); !errors.Is(err, step.want) {
			t.Errorf("%T of %s: error %v, want %v", step.action, step.event, err, step.want)
		}
	}
	if got := b.stored(t, m.ID); len(got.Moves) != 6 || got.Status != match.Won {
		t.Errorf("%d moves, status %d", len(got.Moves), got.Status)
	}
}

func TestActErrors(t *testing.T) {
	b := newBench()
	if _, err := b.Act(t.Context(), match.Deed{Match: "m9", By: alice, Action: match.Resign{}}); !errors.Is(err, match.ErrNotFound) || !strings.Contains(err.Error(), "m9") {
		t.Errorf("no such match: %v", err)
	}
	m := b.line(t, b.start(t, "m1", "ttt", alice, bob, where), "a1 a2")
	for _, call := range []string{"Match", "Record", "PutRecord", "PutRating", "RatedBetween", "Replace"} {
		b.memory.broken = func(c string, _ match.ID) bool { return c == call }
		_, err := b.Act(t.Context(), match.Deed{Match: "m1", By: alice, Action: match.Resign{}})
		if !errors.Is(err, errBroken) || !strings.Contains(err.Error(), "m1") {
			t.Errorf("%s fails: error %v", call, err)
		}
	}
	if diff := cmp.Diff(m, b.stored(t, "m1")); diff != "" || len(b.memory.state.records)+len(b.memory.state.ratings) != 0 {
		t.Errorf("something of the failed calls has stayed: records %v (-was +is)\n%s", b.memory.state.records, diff)
	}
}

// TestOneOfManyClicksPlays lets many clicks on one board come at the same time.
func TestOneOfManyClicksPlays(t *testing.T) {
	b := newBench()
	m := b.start(t, "m1", "15 freestyle", alice, bob, where)
	errs := make([]error, 16)
	var clicks sync.WaitGroup
	for i := range errs {
		clicks.Go(func() {
			_, errs[i] = b.Act(t.Context(), match.Deed{
				Match: "m1", Seen: m.Version, By: alice, Event: strconv.Itoa(i),
				Action: match.Place{At: match.Point{Col: int8(i % 15), Row: 3}},
			})
		})
	}
	clicks.Wait()
	played := 0
	for _, err := range errs {
		switch err {
		case nil:
			played++
		case match.Stale:
		default:
			t.Error(err)
		}
	}
	if m := b.stored(t, "m1"); played != 1 || len(m.Moves) != 1 || m.Version != 3 {
		t.Errorf("%d played, moves %v, version %d", played, m.Moves, m.Version)
	}
}

// A draw offer that comes or goes leaves the board as it is: a click made on it
// before counts. Moves, and the match's beginning and end, make it another.
func TestOfferLeavesTheBoard(t *testing.T) {
	b := newBench()
	m := b.start(t, "m1", "ttt", alice, bob, where)
	drawn := m.Version
	for i, a := range []match.Action{match.OfferDraw{}, match.RefuseDraw{}, match.OfferDraw{}} {
		by := m.Seats[1]
		if i > 0 {
			by = m.Seats[0]
		}
		m = b.act(t, match.Deed{Match: m.ID, By: by, Action: a})
		if m.Outdated(drawn) {
			t.Fatalf("%T makes the board another", a)
		}
	}
	m = b.act(t, match.Deed{Match: m.ID, Seen: drawn, By: m.Seats[0], Action: match.Place{At: cell("b2")}})
	if !m.Outdated(drawn) || !m.Outdated(m.Version-1) || m.Outdated(m.Version) || !m.Outdated(m.Version+1) {
		t.Errorf("after a move at version %d the board stands since %d", m.Version, m.Since)
	}
	moved := m.Version
	m = b.act(t, match.Deed{Match: m.ID, Seen: moved, By: m.Seats[0], Action: match.Resign{}})
	if !m.Outdated(moved) {
		t.Error("the board of an ended match is the same as before its end")
	}
}

// TestChallengeByNoRules: what is played is one of the games that exist.
func TestChallengeByNoRules(t *testing.T) {
	for _, r := range noRules {
		b := newBench()
		for _, opponent := range []match.Player{bob, nobody, rowbot} {
			p := match.Proposal{ID: "m1", Rules: r, Challenger: alice, Opponent: opponent, Pace: pace, Where: where}
			m, err := b.Challenge(t.Context(), p)
			if _, refused := errors.AsType[match.Refusal](err); err == nil || refused || m.ID != "" || len(b.memory.state.matches) != 0 {
				t.Errorf("%+v against %v: match %+v, error %v", r, opponent, m, err)
			}
		}
	}
}
