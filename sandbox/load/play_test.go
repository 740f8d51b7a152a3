package load

import (
	"strings"
	"testing"
	"time"

	"rowbot/sandbox"
)

// plan is a short run with few people.
func plan() Options {
	return Options{
		People: 40, Servers: 5, AtOnce: 8, For: time.Minute, Interactions: 600, Via: Webhook, Copies: 1, Games: []string{tictactoe},
		Against: People, Script: Matches, Seed: 3, Now: time.Now,
	}
}

func playFake(t *testing.T, o Options, change func(*fake)) *Result {
	t.Helper()
	counts := newTally()
	discord := newDiscord(o, counts)
	if _, err := discord.Listen(t.Context(), "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	defer discord.Close()
	bot := newFake(t, discord)
	change(bot)
	r, err := play(t.Context(), o, discord, counts, bot)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A bot that plays well: all kinds of things happen, and nothing is wrong.
func TestRight(t *testing.T) {
	t.Parallel()
	r := playFake(t, plan(), func(*fake) {})
	if !r.Right() || r.Interactions < 600 || r.BoardsChecked < 400 || r.Matches < 20 || r.Doubled > 0 || r.Late > 0 {
		t.Errorf("%s", r.Text())
	}
	for _, kind := range []string{"challenge", "accept", "click", "move", "not your turn", "rematch", "resign", "confirm"} {
		if r.Kinds[kind] == 0 {
			t.Errorf("nobody did %q: %v", kind, r.Kinds)
		}
	}
	for _, end := range []string{"line", "full board", "resigned"} {
		if r.Ends[end] == 0 {
			t.Errorf("no match ended by %q: %v", end, r.Ends)
		}
	}
}

// A few people who think take their time.
func TestOpenLoop(t *testing.T) {
	t.Parallel()
	o := plan()
	o.Interactions, o.Rate, o.For = 0, 200, 500*time.Millisecond
	r := playFake(t, o, func(*fake) {})
	if !r.Right() || r.Interactions != 100 {
		t.Errorf("%d interactions instead of 100:\n%s", r.Interactions, r.Text())
	}
}

// Whatever a bot does wrong is found and said.
func TestWrong(t *testing.T) {
	t.Parallel()
	once := func(n int, do func(m *fakeMatch)) func(*fake) {
		return func(f *fake) {
			f.breaks = func(move int, m *fakeMatch) {
				if move >= n && m.end == "" && m.plies < 7 && f.moves < 1<<20 {
					f.moves = 1 << 20
					do(m)
				}
			}
		}
	}
	for name, c := range map[string]struct {
		change func(*fake)
		words  string
	}{
		"a stone on another cell": {once(100, func(m *fakeMatch) {
			for i, c := range m.cells {
				if c == 0 {
					m.cells[i] = 'X'
					return
				}
			}
		}), "shows X instead of nothing"},
		"a stone that turns": {once(100, func(m *fakeMatch) {
			for i, c := range m.cells {
				if c == 'X' {
					m.cells[i] = 'O'
					return
				}
			}
		}), "shows O instead of X"},
		"a move that is lost": {once(100, func(m *fakeMatch) {
			m.cells = [9]byte{}
			m.plies--
		}), "shows nothing instead of "},
		"a turn too many":  {once(100, func(m *fakeMatch) { m.plies++ }), "to move · move"},
		"a draw too early": {once(100, func(m *fakeMatch) { m.end = "A draw" }), "the board does not say"},
		"no answer":        {func(f *fake) { f.deaf = func(n int) bool { return n == 200 } }, "no answer came"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := playFake(t, plan(), c.change)
			if r.Right() || !strings.Contains(strings.Join(r.Differences, "\n"), c.words) {
				t.Errorf("found %q, want %q", r.Differences, c.words)
			}
			if !strings.Contains(r.Text(), r.Differences[0]) {
				t.Errorf("the text does not tell of it:\n%s", r.Text())
			}
		})
	}
}

// What a bot forgets after it has answered is found at the end, when all that has not ended is looked at again.
func TestForgotten(t *testing.T) {
	t.Parallel()
	r := playFake(t, plan(), func(f *fake) {
		f.forgets = func(m *fakeMatch) {
			if m.plies > 0 && m.end == "" {
				m.cells = [9]byte{}
			}
		}
	})
	if r.Right() || !strings.Contains(strings.Join(r.Differences, "\n"), "shows nothing instead of ") {
		t.Errorf("%q", r.Differences)
	}
}

// A kill explains what is not answered: the move may be there once or not at all.
func TestUnknown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		again func(m *fakeMatch)
		right bool
	}{
		"done all the same": {nil, true},
		"done twice":        {func(m *fakeMatch) { m.cells[strings.IndexByte(string(m.cells[:]), 0)] = 'X' }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := plan()
			counts := newTally()
			discord := newDiscord(o, counts)
			if _, err := discord.Listen(t.Context(), "127.0.0.1:0"); err != nil {
				t.Fatal(err)
			}
			defer discord.Close()
			bot := newFake(t, discord)
			last := (*fakeMatch)(nil)
			bot.breaks = func(_ int, m *fakeMatch) { last = m }
			bot.deaf = func(n int) bool {
				if n%50 != 0 || n < 100 {
					return false
				}
				if c.again != nil && last.end == "" && last.plies < 9 {
					c.again(last)
				}
				return true
			}
			r, err := play(t.Context(), o, discord, counts, forgiving{bot})
			if err != nil {
				t.Fatal(err)
			}
			if r.Right() != c.right || r.Unknown == 0 || r.Unanswered > 0 {
				t.Errorf("right: %v\n%s", r.Right(), r.Text())
			}
		})
	}
}

// forgiving is a fake all of whose silences are excused.
type forgiving struct{ *fake }

func (forgiving) excuses(string, time.Time, time.Time) bool { return true }

func TestEvenlySpread(t *testing.T) {
	o := plan()
	o.Servers = 50
	discord := sandbox.New(sandbox.Options{})
	defer discord.Close()
	h := newHall(discord, o)
	if len(h.rooms) != 20 {
		t.Errorf("40 people meet in %d servers, want 20 with two each", len(h.rooms))
	}
	c := &crew{o: Options{Servers: 50, Copies: 2, Shards: 5}, copies: []*process{{}, {number: 1}}}
	got := map[int]int{}
	for _, g := range discord.Guilds()[:50] {
		got[c.copyOf(g.ID())]++
	}
	// Shards 0 and 1 are the first copy's, 2 to 4 the second's.
	if got[0] != 20 || got[1] != 30 {
		t.Errorf("the copies have %v servers, want 20 and 30", got)
	}
}
