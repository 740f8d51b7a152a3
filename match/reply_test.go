package match_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

var hard = match.Engine(match.Hard)

// chooser is an engine that does as it is told.
type chooser func(ctx context.Context, p *match.Position, level match.Level, seed uint64) (match.Point, error)

func (c chooser) Choose(ctx context.Context, p *match.Position, level match.Level, seed uint64) (match.Point, error) {
	return c(ctx, p, level, seed)
}

func always(text string) chooser {
	return func(context.Context, *match.Position, match.Level, uint64) (match.Point, error) {
		return cell(text), nil
	}
}

// against starts a match in which Rowbot, at level hard, has the second side.
func (b *bench) against(t *testing.T) match.Match {
	t.Helper()
	m, err := b.Challenge(t.Context(), match.Proposal{
		ID: "m1", Rules: allRules["15 freestyle"], Challenger: alice, Opponent: hard, Side: match.SideFirst, Pace: pace, Where: where,
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func (b *bench) owed(t *testing.T) []match.ID {
	t.Helper()
	ids, err := b.Owed(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// TestReply: the move of a level that thinks is owed when the person's is
// stored, whatever the hour, and is played once.
func TestReply(t *testing.T) {
	b := newBench()
	b.Engine = chooser(func(ctx context.Context, p *match.Position, level match.Level, seed uint64) (match.Point, error) {
		end, limited := ctx.Deadline()
		if left := time.Until(end); !limited || left > match.ThinkingTime {
			t.Errorf("may think for %s", left)
		}
		if level != match.Hard || seed != 7 || p.At(cell("h8")) != match.Black || p.Placed() != 1 {
			t.Errorf("level %v, seed %d, position %v", level, seed, p)
		}
		return cell("i9"), nil
	})
	b.against(t)
	m := b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("h8")}, Event: "e1"})
	if len(m.Moves) != 1 || !m.Owed() || !m.Deadline.IsZero() {
		t.Errorf("moves %v, owed %t, deadline %v", m.Moves, m.Owed(), m.Deadline)
	}
	b.now = noon.Add(1000 * pace)
	if ended, err := b.expireDue(t.Context()); len(ended) != 0 || err != nil {
		t.Errorf("ended %v, error %v", ended, err)
	}
	if diff := cmp.Diff([]match.ID{"m1"}, b.owed(t)); diff != "" {
		t.Errorf("owed (-want +got)\n%s", diff)
	}
	m, err := b.Reply(t.Context(), "m1")
	if err != nil || m.Owed() || !m.Deadline.Equal(b.now.Add(pace)) {
		t.Errorf("error %v, owed %t, deadline %v", err, m.Owed(), m.Deadline)
	}
	if diff := cmp.Diff([]match.Point{cell("h8"), cell("i9")}, m.Moves); diff != "" {
		t.Errorf("moves (-want +got)\n%s", diff)
	}
	if diff := cmp.Diff(m, b.stored(t, "m1")); diff != "" {
		t.Errorf("stored (-returned +stored)\n%s", diff)
	}
	again, err := b.Reply(t.Context(), "m1")
	if diff := cmp.Diff(m, again); diff != "" || err != nil || b.owed(t) != nil {
		t.Errorf("the second time: error %v, owed %v (-want +got)\n%s", err, b.owed(t), diff)
	}
	// The person's interaction, delivered again after the reply.
	twice := b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("h8")}, Event: "e1"})
	if diff := cmp.Diff(m, twice); diff != "" {
		t.Errorf("the interaction again (-want +got)\n%s", diff)
	}
}

// TestShown: what Rowbot or the clock has done is found until it is noted that
// the board shows it; what a person does, the answer to them shows.
func TestShown(t *testing.T) {
	b := newBench()
	b.Engine = always("i9")
	unshown := func(after match.ID, want ...match.ID) {
		t.Helper()
		got, err := b.Unshown(t.Context(), after)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("error %v (-want +got)\n%s", err, diff)
		}
	}
	b.against(t)
	b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("h8")}})
	b.start(t, "m2", "ttt", alice, bob, where)
	unshown("")
	if _, err := b.Reply(t.Context(), "m1"); err != nil {
		t.Fatal(err)
	}
	unshown("", "m1")
	b.now = b.now.Add(1000 * pace)
	if _, err := b.Act(t.Context(), match.Deed{Match: "m2", By: alice, Action: match.Place{At: cell("a1")}}); err != match.Over {
		t.Errorf("after its time: %v", err)
	}
	unshown("", "m1", "m2")
	unshown("m1", "m2")
	was := b.stored(t, "m1")
	shown := func(id match.ID, v match.Version) {
		t.Helper()
		if err := b.Shown(t.Context(), id, v); err != nil {
			t.Errorf("%s: %v", id, err)
		}
	}
	shown("m1", was.Version-1) // drawn before Rowbot's reply, and heard of after it
	unshown("", "m1", "m2")
	shown("m1", was.Version)
	shown("m1", was.Version)
	shown("m3", 1)
	unshown("", "m2")
	if diff := cmp.Diff(was, b.stored(t, "m1")); diff != "" {
		t.Errorf("showing it changed the match (-was +is)\n%s", diff)
	}
	if _, err := b.expireDue(t.Context()); err != nil {
		t.Fatal(err)
	}
	unshown("", "m1", "m2")
}

// TestReplyToWhatIsPast: what happens while Rowbot thinks makes its thought void.
func TestReplyToWhatIsPast(t *testing.T) {
	for name, meanwhile := range map[string]func(*bench, match.Match){
		"resigned": func(b *bench, _ match.Match) {
			b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Resign{}})
		},
		"replied": func(b *bench, _ match.Match) {
			b.Engine = always("a1")
			if _, err := b.Reply(t.Context(), "m1"); err != nil {
				t.Error(err)
			}
		},
		"replied and moved": func(b *bench, _ match.Match) {
			b.Engine = always("a1")
			if _, err := b.Reply(t.Context(), "m1"); err != nil {
				t.Error(err)
			}
			b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("b2")}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench()
			b.against(t)
			m := b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("h8")}})
			var then match.Match
			b.Engine = chooser(func(context.Context, *match.Position, match.Level, uint64) (match.Point, error) {
				meanwhile(b, m)
				then = b.stored(t, "m1")
				return cell("o15"), nil
			})
			got, err := b.Reply(t.Context(), "m1")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(then, got); diff != "" {
				t.Errorf("returned (-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(then, b.stored(t, "m1")); diff != "" {
				t.Errorf("stored (-want +got)\n%s", diff)
			}
		})
	}
}

// TestReplyWithoutAThought: an engine that finds nothing, or nonsense, does not
// hold up the match.
func TestReplyWithoutAThought(t *testing.T) {
	for name, engine := range map[string]match.Chooser{
		"an error": chooser(func(context.Context, *match.Position, match.Level, uint64) (match.Point, error) {
			return cell("a1"), errBroken
		}),
		"a taken cell":  always("h8"),
		"off the board": always("t20"),
		"a pass": chooser(func(context.Context, *match.Position, match.Level, uint64) (match.Point, error) {
			return match.Pass, nil
		}),
		"no engine": nil,
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench()
			b.Engine = engine
			b.against(t)
			b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("h8")}})
			m, err := b.Reply(t.Context(), "m1")
			if err != nil || len(m.Moves) != 2 || m.Moves[1].IsPass() {
				t.Errorf("error %v, moves %v", err, m.Moves)
			}
		})
	}
}

// TestReplyBrokenOff: what a program that is being ended thought of is not
// played; the move is still owed.
func TestReplyBrokenOff(t *testing.T) {
	b := newBench()
	b.against(t)
	was := b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("h8")}})
	ctx, cancel := context.WithCancel(t.Context())
	b.Engine = chooser(func(thinking context.Context, _ *match.Position, _ match.Level, _ uint64) (match.Point, error) {
		cancel()
		<-thinking.Done()
		return cell("i9"), nil
	})
	if _, err := b.Reply(ctx, "m1"); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if diff := cmp.Diff(was, b.stored(t, "m1")); diff != "" {
		t.Errorf("stored (-want +got)\n%s", diff)
	}
	for _, call := range []string{"Match", "Replace", "SetUnshown"} {
		b.memory.broken = func(c string, _ match.ID) bool { return c == call }
		if _, err := b.Reply(t.Context(), "m1"); !errors.Is(err, errBroken) {
			t.Errorf("%s fails: error %v", call, err)
		}
		if diff := cmp.Diff(was, b.stored(t, "m1")); diff != "" {
			t.Errorf("%s fails: stored (-want +got)\n%s", call, diff)
		}
	}
	b.memory.broken = func(string, match.ID) bool { return true }
	_, owed := b.Owed(t.Context(), "")
	_, unshown := b.Unshown(t.Context(), "")
	for _, err := range []error{owed, unshown, b.Shown(t.Context(), "m1", was.Version)} {
		if !errors.Is(err, errBroken) {
			t.Errorf("the store fails: error %v", err)
		}
	}
}

// TestReplyAtOnce: a match of tic-tac-toe, and Rowbot at random, waits for nothing.
func TestReplyAtOnce(t *testing.T) {
	for _, test := range []struct {
		rules string
		level match.Level
		moves int
	}{
		{"ttt", match.Perfect, 1},
		{"ttt", match.Random, 1},
		{"15 freestyle", match.Random, 1},
		{"15 freestyle", match.Easy, 0},
		{"15 freestyle", match.Master, 0},
	} {
		b := newBench()
		b.Engine = always("b1")
		m, err := b.Challenge(t.Context(), match.Proposal{
			ID: "m1", Rules: allRules[test.rules], Challenger: alice, Opponent: match.Engine(test.level), Side: match.SideSecond, Pace: pace,
		})
		if err != nil || len(m.Moves) != test.moves || m.Owed() != (test.moves == 0) {
			t.Errorf("%s, %v: error %v, moves %v", test.rules, test.level, err, m.Moves)
		}
		if test.level == match.Perfect && m.Moves[0] != cell("b1") {
			t.Errorf("the engine was not asked: %v", m.Moves)
		}
	}
}
