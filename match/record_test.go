package match_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
	"rowbot/match/rating"
)

// record returns a record as the store has it.
func (b *bench) record(k match.RecordKey) match.Record {
	b.memory.mu.Lock()
	defer b.memory.mu.Unlock()
	return b.memory.state.records[k]
}

// tally is the part of a record that is counted.
type tally struct{ Won, Drawn, Lost, Streak, Best int }

func tallies(records map[match.RecordKey]match.Record) map[match.RecordKey]tally {
	out := map[match.RecordKey]tally{}
	for k, r := range records {
		out[k] = tally{r.Won, r.Drawn, r.Lost, r.Streak, r.Best}
	}
	return out
}

// finish plays one tic-tac-toe match of alice (first) and bob in a guild.
func (b *bench) finish(t *testing.T, id match.ID, guild, moves string) match.Match {
	t.Helper()
	m := b.start(t, id, "ttt", alice, bob, match.Where{Guild: guild, Channel: "c1"})
	b.now = b.now.Add(time.Minute)
	if m = b.line(t, m, moves); !m.Status.Over() {
		t.Fatalf("%s does not end the match", moves)
	}
	return m
}

const (
	firstWins  = "a1 a2 b1 b2 c1"
	secondWins = "a1 a2 b1 b2 c3 c2"
	nobodyWins = "a1 b2 c3 c1 a3 a2 c2 b3 b1"
)

func TestRecordsOfPeople(t *testing.T) {
	b := newBench()
	b.finish(t, "m1", "g1", firstWins)
	b.finish(t, "m2", "g1", firstWins)
	b.finish(t, "m3", "g2", nobodyWins)
	b.finish(t, "m4", "", firstWins) // in direct messages
	b.finish(t, "m5", "g1", secondWins)
	const ttt = match.TicTacToe
	want := map[match.RecordKey]tally{
		{Scope: "*", User: "101", Game: ttt}:                     {3, 1, 1, 0, 2},
		{Scope: "*", User: "202", Game: ttt}:                     {1, 1, 3, 1, 1},
		{Scope: "*", User: "101", Game: ttt, Versus: "user:202"}: {3, 1, 1, 0, 2},
		{Scope: "*", User: "202", Game: ttt, Versus: "user:101"}: {1, 1, 3, 1, 1},
		{Scope: "g1", User: "101", Game: ttt}:                    {2, 0, 1, 0, 2},
		{Scope: "g1", User: "202", Game: ttt}:                    {1, 0, 2, 1, 1},
		{Scope: "g2", User: "101", Game: ttt}:                    {0, 1, 0, 0, 0},
		{Scope: "g2", User: "202", Game: ttt}:                    {0, 1, 0, 0, 0},
	}
	if diff := cmp.Diff(want, tallies(b.memory.state.records)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if got := b.record(match.VersusPeople("g2", "101", ttt)).Updated; !got.Equal(noon.Add(3 * time.Minute)) {
		t.Errorf("updated %v", got)
	}
	if r := b.record(match.VersusPeople(match.Everywhere, "101", ttt)); r.Played() != 5 || r.Level() != "" {
		t.Errorf("played %d, level %q", r.Played(), r.Level())
	}
}

// TestStreaks counts wins in a row: the best one stays.
func TestStreaks(t *testing.T) {
	b := newBench()
	for i, step := range []struct {
		moves        string
		streak, best int
	}{
		{firstWins, 1, 1},
		{firstWins, 2, 2},
		{secondWins, 0, 2},
		{firstWins, 1, 2},
		{nobodyWins, 0, 2},
		{firstWins, 1, 2},
		{firstWins, 2, 2},
		{firstWins, 3, 3},
		{secondWins, 0, 3},
	} {
		b.finish(t, match.ID(rune('a'+i)), "g1", step.moves)
		r := b.record(match.VersusPeople(match.Everywhere, alice.User, match.TicTacToe))
		if r.Streak != step.streak || r.Best != step.best {
			t.Errorf("after match %d: streak %d, best %d; want %d, %d", i+1, r.Streak, r.Best, step.streak, step.best)
		}
	}
}

// TestGames keeps the records of the two games apart.
func TestGames(t *testing.T) {
	b := newBench()
	b.finish(t, "m1", "g1", firstWins)
	for id, rules := range map[match.ID]string{"m2": "15 freestyle", "m3": "19 standard"} {
		b.line(t, b.start(t, id, rules, alice, bob, match.Where{Guild: "g1"}), "h8 h9 i8 i9")
		b.act(t, match.Deed{Match: id, By: alice, Action: match.Resign{}})
	}
	want := map[match.Game]tally{match.TicTacToe: {1, 0, 0, 1, 1}, match.Gomoku: {0, 0, 2, 0, 0}}
	for game, want := range want {
		for _, scope := range []string{"*", "g1"} {
			if got := tallies(b.memory.state.records)[match.VersusPeople(scope, alice.User, game)]; got != want {
				t.Errorf("%s in %s: %+v, want %+v", game, scope, got, want)
			}
		}
	}
}

func TestRecordsAgainstRowbot(t *testing.T) {
	b := newBench()
	b.start(t, "m1", "15 freestyle", alice, rowbot, where)
	b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("h8")}})
	m := b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Resign{}})
	want := map[match.RecordKey]tally{
		{Scope: "*", User: "101", Game: match.Gomoku, Versus: "level:random"}: {0, 0, 1, 0, 0},
	}
	if diff := cmp.Diff(want, tallies(b.memory.state.records)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if len(b.memory.state.ratings) != 0 || m.Gains != ([2]match.Gain{}) {
		t.Errorf("ratings %v, gains %v", b.memory.state.ratings, m.Gains)
	}
	if r := b.record(match.VersusLevel("101", match.Gomoku, match.Random)); r.Level() != "random" {
		t.Errorf("level %q", r.Level())
	}
}

// TestNotCounted ends matches without a result.
func TestNotCounted(t *testing.T) {
	b := newBench()
	ask := func(id match.ID, by, to match.Player) {
		p := match.Proposal{ID: id, Rules: allRules["ttt"], Challenger: by, Opponent: to, Pace: pace, Where: where}
		if _, err := b.Challenge(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	b.now = noon.Add(-match.CoolDown)
	ask("declined", alice, bob)
	b.act(t, match.Deed{Match: "declined", By: bob, Action: match.Decline{}})
	ask("withdrawn", bob, alice)
	b.act(t, match.Deed{Match: "withdrawn", By: bob, Action: match.Withdraw{}})
	b.now = noon
	ask("lapsed", carol, bob)
	b.line(t, b.start(t, "closed", "ttt", alice, bob, where), "a1")
	b.line(t, b.start(t, "running", "ttt", alice, bob, where), "a1 b2")
	b.now = noon.Add(pace - time.Second)
	b.line(t, b.stored(t, "running"), "c3")
	b.now = noon.Add(pace)
	if ended, err := b.expireDue(t.Context()); err != nil || len(ended) != 2 {
		t.Fatalf("%v, error %v", ids(ended), err)
	}
	for id, want := range map[match.ID]match.Status{
		"declined": match.Declined, "withdrawn": match.Withdrawn, "lapsed": match.Lapsed,
		"closed": match.Closed, "running": match.Active,
	} {
		if got := b.stored(t, id); got.Status != want || got.Gains != ([2]match.Gain{}) {
			t.Errorf("%s: status %d, gains %v", id, got.Status, got.Gains)
		}
	}
	if len(b.memory.state.records)+len(b.memory.state.ratings) != 0 {
		t.Errorf("records %v, ratings %v", b.memory.state.records, b.memory.state.ratings)
	}
}

// TestRatings follows two newcomers. A win against one's like gives a newcomer
// 162 points, by the paper's formulas worked out by hand.
func TestRatings(t *testing.T) {
	b := newBench()
	m := b.finish(t, "m1", "g1", firstWins)
	if want := [2]match.Gain{{After: 1662, Change: 162}, {After: 1338, Change: -162}}; m.Gains != want {
		t.Errorf("gains %v, want %v", m.Gains, want)
	}
	if diff := cmp.Diff(m, b.stored(t, "m1")); diff != "" {
		t.Errorf("stored (-returned +stored)\n%s", diff)
	}
	winner, loser := b.memory.state.ratings[rated{"101", match.TicTacToe}], b.memory.state.ratings[rated{"202", match.TicTacToe}]

	// The second match starts from both ratings as they were before it.
	m = b.finish(t, "m2", "g2", nobodyWins)
	wantWinner := winner.Update(rating.Result{Opponent: loser, Score: rating.Draw})
	wantLoser := loser.Update(rating.Result{Opponent: winner, Score: rating.Draw})
	want := map[rated]rating.Rating{{"101", match.TicTacToe}: wantWinner, {"202", match.TicTacToe}: wantLoser}
	if diff := cmp.Diff(want, b.memory.state.ratings); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for i, r := range []rating.Rating{wantWinner, wantLoser} {
		g := m.Gains[i]
		if g.After != int(r.Points+0.5) || (g.Change < 0) != (i == 0) || g.After-g.Change != []int{1662, 1338}[i] {
			t.Errorf("gain %+v for %+v", g, r)
		}
	}

	// Gomoku is rated apart, and the second side's win is the second side's.
	b.line(t, b.start(t, "m3", "15 freestyle", alice, bob, where), "h8 h9 i8 i9")
	m = b.act(t, match.Deed{Match: "m3", By: alice, Action: match.Resign{}})
	if want := [2]match.Gain{{After: 1338, Change: -162}, {After: 1662, Change: 162}}; m.Gains != want {
		t.Errorf("gains %v, want %v", m.Gains, want)
	}
	if got := b.memory.state.ratings[rated{"101", match.TicTacToe}]; got != wantWinner {
		t.Errorf("tic-tac-toe rating %+v, want %+v", got, wantWinner)
	}
}
