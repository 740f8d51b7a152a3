package match_test

import (
	"errors"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

// ask challenges somebody to tic-tac-toe in a channel.
func (b *bench) ask(t testing.TB, id match.ID, by, to match.Player, channel string) (match.Match, error) {
	t.Helper()
	return b.Challenge(t.Context(), match.Proposal{
		ID: id, Rules: allRules["ttt"], Challenger: by, Opponent: to, Pace: pace, Where: match.Where{Guild: "g1", Channel: channel},
	})
}

// asks is ask with what has to come of it: the refusal, and which match it is about.
func (b *bench) asks(t testing.TB, id match.ID, by, to match.Player, want error, about match.ID) {
	t.Helper()
	m, err := b.ask(t, id, by, to, "c1")
	if err != want || m.ID != about {
		t.Errorf("%s: %v about %q, want %v about %q", id, err, m.ID, want, about)
	}
	if _, stored := b.memory.state.matches[id]; stored != (want == nil) {
		t.Errorf("%s is stored: %t", id, stored)
	}
}

func TestOneChallengeAPair(t *testing.T) {
	b := newBench()
	b.asks(t, "m1", alice, bob, nil, "m1")
	b.asks(t, "m2", alice, bob, match.AlreadyAsked, "m1")
	b.asks(t, "m3", alice, carol, nil, "m3")
	b.asks(t, "m4", bob, alice, match.AskedByThem, "m1")
	b.asks(t, "m1", alice, bob, nil, "m1") // the same interaction again
	b.asks(t, "m5", alice, nobody, nil, "m5")
	b.asks(t, "m6", alice, nobody, match.AlreadyOpen, "m5")
	if _, err := b.ask(t, "m7", alice, nobody, "c2"); err != nil {
		t.Errorf("open in another channel: %v", err)
	}
	b.act(t, match.Deed{Match: "m1", By: bob, Action: match.Accept{}})
	b.asks(t, "m8", alice, bob, nil, "m8")
	b.asks(t, "m10", bob, carol, nil, "m10")
	b.asks(t, "m11", carol, bob, match.AskedByThem, "m10")
	b.now = b.now.Add(expiry) // nobody has swept yet
	b.asks(t, "m9", alice, bob, nil, "m9")
	b.asks(t, "m11", carol, bob, nil, "m11")
}

func TestPendingLimit(t *testing.T) {
	b := newBench()
	for i := range match.MaxPending {
		id := match.ID("m" + strconv.Itoa(i))
		b.asks(t, id, alice, match.Person(fmt.Sprint("guest", i)), nil, id)
	}
	b.asks(t, "more", alice, bob, match.TooManyPending, "more")
	b.asks(t, "open", alice, nobody, match.TooManyPending, "open")
	b.asks(t, "theirs", bob, alice, nil, "theirs")
	b.act(t, match.Deed{Match: "theirs", By: bob, Action: match.Withdraw{}})
	b.asks(t, "rowbot", alice, rowbot, nil, "rowbot")
	b.act(t, match.Deed{Match: "m0", By: alice, Action: match.Withdraw{}})
	b.asks(t, "again", alice, bob, nil, "again")
}

// fill starts as many matches of somebody's as are allowed.
func (b *bench) fill(t testing.TB, who match.Player) {
	t.Helper()
	for i := range match.MaxRunning {
		b.start(t, match.ID(fmt.Sprint(who.User, "/", i)), "15 freestyle", who, rowbot, where)
	}
}

func TestRunningLimit(t *testing.T) {
	b := newBench()
	b.asks(t, "to bob", alice, bob, nil, "to bob")
	b.asks(t, "to alice", match.Person("dora"), alice, nil, "to alice")
	over := b.line(t, b.start(t, "over", "ttt", carol, alice, where), "a1 a2 b1 b2 c1")
	b.fill(t, alice)
	b.asks(t, "another", alice, rowbot, match.TooManyRunning, "another")
	b.asks(t, "ask", alice, carol, match.TooManyRunning, "ask")
	for id, x := range map[match.ID]struct {
		by   match.Player
		want match.Refusal
	}{"to bob": {bob, match.OpponentBusy}, "to alice": {alice, match.TooManyRunning}} {
		m, err := b.Act(t.Context(), match.Deed{Match: id, By: x.by, Action: match.Accept{}})
		if err != x.want || m.Status != match.Challenged || b.stored(t, id).Status != match.Challenged {
			t.Errorf("%s: %v, status %d", id, err, m.Status)
		}
	}
	for by, want := range map[match.Player]match.Refusal{alice: match.TooManyRunning, carol: match.OpponentBusy} {
		if _, err := b.Rematch(t.Context(), over.ID, "re", by, where); err != want {
			t.Errorf("rematch by %v: %v, want %v", by, err, want)
		}
	}
	b.act(t, match.Deed{Match: match.ID(alice.User + "/0"), By: alice, Action: match.Resign{}})
	b.act(t, match.Deed{Match: "to bob", By: bob, Action: match.Accept{}})
}

// TestCoolDown: the third no within ten minutes is the last for a while.
func TestCoolDown(t *testing.T) {
	b := newBench()
	for i, no := range []match.Deed{
		{By: bob, Action: match.Decline{}}, {By: alice, Action: match.Withdraw{}}, {By: bob, Action: match.Decline{}},
	} {
		no.Match = match.ID("m" + strconv.Itoa(i))
		b.asks(t, no.Match, alice, bob, nil, no.Match)
		b.act(t, no)
		b.now = b.now.Add(time.Minute)
	}
	b.asks(t, "m4", alice, bob, match.CoolingDown, "m0")
	for i := range 4 { // what nobody saw was no bother
		unseen := match.ID("u" + strconv.Itoa(i))
		b.asks(t, unseen, match.Person("404"), bob, nil, unseen)
		b.act(t, match.Deed{Match: unseen, By: match.Person("404"), Action: match.Withdraw{Unseen: true}})
	}
	b.asks(t, "m5", alice, carol, nil, "m5")
	b.asks(t, "m6", bob, alice, nil, "m6")
	b.act(t, match.Deed{Match: "m6", By: bob, Action: match.Withdraw{}})
	b.now = noon.Add(10*time.Minute - time.Millisecond)
	b.asks(t, "m7", alice, bob, match.CoolingDown, "m0")
	b.now = b.now.Add(time.Millisecond)
	b.asks(t, "m8", alice, bob, nil, "m8")
}

func TestPreferencesAreKept(t *testing.T) {
	here := match.Preferences{From: match.FromServer, Server: "g1"}
	for name, x := range map[string]struct {
		bob  match.Preferences
		want error
	}{
		"everyone":       {match.Preferences{}, nil},
		"nobody":         {match.Preferences{From: match.FromNobody}, match.Unwelcome},
		"this server":    {here, nil},
		"another server": {match.Preferences{From: match.FromServer, Server: "g2"}, match.Unwelcome},
		"blocked":        {match.Preferences{Blocked: []string{carol.User, alice.User}}, match.Unwelcome},
		"others blocked": {match.Preferences{Blocked: []string{carol.User}}, nil},
	} {
		b := newBench()
		over := b.line(t, b.start(t, "over", "ttt", alice, bob, match.Where{Guild: "g1"}), "a1 a2 b1 b2 c1")
		b.memory.state.people[bob.User] = x.bob
		b.asks(t, "m1", alice, bob, x.want, "m1")
		if x.want == nil {
			b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Withdraw{}})
		}
		b.asks(t, "m2", bob, alice, nil, "m2") // what one does oneself is not limited
		if _, err := b.Rematch(t.Context(), over.ID, "re", alice, match.Where{Guild: "g1"}); err != x.want {
			t.Errorf("%s: rematch %v, want %v", name, err, x.want)
		}
	}
	b := newBench()
	b.memory.state.people[bob.User] = match.Preferences{From: match.FromNobody, Blocked: []string{alice.User}}
	b.asks(t, "open", bob, nobody, nil, "open")
	if _, err := b.Act(t.Context(), match.Deed{Match: "open", By: alice, Action: match.Accept{}}); err != match.Unwelcome {
		t.Errorf("somebody blocked takes up an open challenge: %v", err)
	}
	b.act(t, match.Deed{Match: "open", By: carol, Action: match.Accept{}})
}

// TestBlockedSince: a challenge that stands is none any more for whom its challenger
// has blocked since, until they are welcome again. They can still decline it.
func TestBlockedSince(t *testing.T) {
	b := newBench()
	b.asks(t, "m1", alice, bob, nil, "m1")
	b.memory.state.people[alice.User] = match.Preferences{Blocked: []string{bob.User}}
	m, err := b.Act(t.Context(), match.Deed{Match: "m1", By: bob, Action: match.Accept{}})
	if err != match.Unwelcome || m.Status != match.Challenged || b.stored(t, "m1").Status != match.Challenged {
		t.Errorf("somebody blocked accepts: %v, status %d", err, m.Status)
	}
	b.memory.state.people[alice.User] = match.Preferences{From: match.FromNobody}
	if m := b.act(t, match.Deed{Match: "m1", By: bob, Action: match.Accept{}}); m.Status != match.Active {
		t.Errorf("status %d", m.Status)
	}
	b.asks(t, "m2", alice, bob, nil, "m2")
	b.memory.state.people[alice.User] = match.Preferences{Blocked: []string{bob.User}}
	b.act(t, match.Deed{Match: "m2", By: bob, Action: match.Decline{}})
}

func TestCourtesyErrors(t *testing.T) {
	for _, call := range []string{"Pending", "Preferences", "Rebuffed", "Standing"} {
		b := newBench()
		b.memory.broken = func(c string, _ match.ID) bool { return c == call }
		if _, err := b.ask(t, "m1", alice, bob, "c1"); !errors.Is(err, errBroken) || len(b.memory.state.matches) != 0 {
			t.Errorf("%s fails: %v, stored %v", call, err, b.memory.state.matches)
		}
	}
}

// TestTooShort: what ends before it was a match is counted, not rated. Passing
// does not make a match of it.
func TestTooShort(t *testing.T) {
	agreed := []match.Deed{{By: alice, Action: match.OfferDraw{}}, {By: bob, Action: match.AgreeDraw{}}}
	resigned := []match.Deed{{By: bob, Action: match.Resign{}}}
	passed := []match.Deed{} // by the moves themselves
	for _, x := range []struct {
		rules, moves string
		end          []match.Deed
		want         match.Unrated
	}{
		{"ttt", "a1", resigned, match.TooShort},
		{"ttt", "a1 a2", resigned, match.Rated},
		{"ttt", "", agreed, match.TooShort},
		{"ttt", "a1 a2", agreed, match.Rated},
		{"15 freestyle", "a1 a2 a3", resigned, match.TooShort},
		{"15 freestyle", "a1 a2 a3 a4", resigned, match.Rated},
		{"15 freestyle", "a1 a2 a3", nil, match.TooShort}, // on time
		{"15 freestyle", "a1 a2 a3 a4", nil, match.Rated},
		{"19 standard", "a1 a2 a3", agreed, match.TooShort},
		{"15 freestyle", "pass pass", passed, match.TooShort},
		{"15 freestyle", "a1 a2 a3 pass pass", passed, match.TooShort},
		{"15 freestyle", "a1 a2 a3 a4 pass pass", passed, match.Rated},
		{"15 freestyle", "pass a1 pass a2", resigned, match.TooShort},
		{"15 freestyle", "a1 pass a2 pass a3", agreed, match.TooShort},
		{"19 standard", "pass a1 pass a2 a3", nil, match.TooShort},
	} {
		b := newBench()
		m := b.line(t, b.start(t, "m1", x.rules, alice, bob, where), x.moves)
		for _, d := range x.end {
			d.Match = m.ID
			m = b.act(t, d)
		}
		if x.end == nil {
			b.now = b.now.Add(pace)
			if _, err := b.expireDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			m = b.stored(t, "m1")
		}
		rated := len(b.memory.state.ratings) > 0
		if !m.Status.Counts() || m.Unrated != x.want || rated != (x.want == match.Rated) || (m.Gains != [2]match.Gain{}) != rated {
			t.Errorf("%s after %q: status %d, unrated %d, gains %v, rated %t", x.rules, x.moves, m.Status, m.Unrated, m.Gains, rated)
		}
		if r := b.record(match.VersusUser(alice.User, m.Rules.Game(), bob.User)); r.Played() != 1 {
			t.Errorf("%s after %q: %d played", x.rules, x.moves, r.Played())
		}
		if diff := cmp.Diff(m, b.stored(t, "m1")); diff != "" {
			t.Errorf("stored (-returned +stored)\n%s", diff)
		}
	}
	b := newBench()
	b.start(t, "m1", "ttt", alice, rowbot, where)
	if m := b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Resign{}}); m.Unrated != match.Rated || len(b.memory.state.records) != 1 {
		t.Errorf("against Rowbot: unrated %d, records %v", m.Unrated, b.memory.state.records)
	}
}

// TestPairLimit: after five rated matches of the same two, whatever the game and
// whoever is first, further ones count but do not rate, until a day has passed.
func TestPairLimit(t *testing.T) {
	b := newBench()
	play := func(id match.ID, first, second match.Player) match.Match {
		b.now = b.now.Add(time.Hour)
		return b.line(t, b.start(t, id, "ttt", first, second, where), "a1 a2 b1 b2 c1")
	}
	for i := range match.MaxRatedOfPair {
		pair := []match.Player{alice, bob}
		if m := play(match.ID("m"+strconv.Itoa(i)), pair[i%2], pair[1-i%2]); m.Unrated != match.Rated {
			t.Fatalf("match %d: unrated %d", i, m.Unrated)
		}
	}
	if m := play("sixth", alice, bob); m.Unrated != match.TooManyOf || m.Gains != ([2]match.Gain{}) {
		t.Errorf("the sixth: unrated %d, gains %v", m.Unrated, m.Gains)
	}
	if m := play("carol's", alice, carol); m.Unrated != match.Rated {
		t.Errorf("with somebody else: unrated %d", m.Unrated)
	}
	if r := b.record(match.VersusUser(alice.User, match.TicTacToe, bob.User)); r.Won != 4 || r.Lost != 2 {
		t.Errorf("the record %+v", r)
	}
	b.now = noon.Add(match.RatedWindow) // an hour later the first is a day old
	if m := play("next day", alice, bob); m.Unrated != match.Rated {
		t.Errorf("a day later: unrated %d", m.Unrated)
	}
	b.now = b.now.Add(-time.Hour)
	if m := play("too many", alice, bob); m.Unrated != match.TooManyOf {
		t.Errorf("one more: unrated %d", m.Unrated)
	}
}
