package bot_test

import (
	"cmp"
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rowbot/bot"
	"rowbot/match"
)

// brain is an engine that takes its time, and then plays on the lowest free
// cell of column o.
type brain struct {
	takes time.Duration

	mu     sync.Mutex
	atOnce int
	most   int
	order  []match.Level
}

func (b *brain) Choose(ctx context.Context, p *match.Position, level match.Level, _ uint64) (match.Point, error) {
	b.mu.Lock()
	b.atOnce++
	b.most = max(b.most, b.atOnce)
	b.order = append(b.order, level)
	b.mu.Unlock()
	err := pause(ctx, b.takes)
	b.mu.Lock()
	b.atOnce--
	b.mu.Unlock()
	at := match.Point{Col: 14}
	for p.At(at) != match.Empty {
		at.Row++
	}
	return at, err
}

// against starts a match of Alice, who moves first, against Rowbot.
func (w *world) against(level match.Level, message string) match.Match {
	w.Helper()
	w.ids++
	m, err := w.games.Challenge(w.Context(), match.Proposal{
		ID: match.ID("r" + strings.Repeat("x", w.ids)), Rules: match.GomokuRules(15, match.Freestyle), Challenger: match.Person(alice),
		Opponent: match.Engine(level), Side: match.SideFirst, Pace: time.Hour, Where: match.Where{Guild: guild, Channel: channel, Message: message},
	})
	if err != nil {
		w.Fatal(err)
	}
	return m
}

// TestReplyInTheAnswer: one answer shows both moves where Rowbot is quick; else
// the answer shows the person's alone, and an edit Rowbot's.
func TestReplyInTheAnswer(t *testing.T) {
	edit := "PATCH channels/" + channel + "/messages/" + board
	for _, c := range []struct {
		name     string
		level    match.Level
		takes    time.Duration
		answered time.Duration
		edited   bool
	}{
		{"quick", match.Hard, 50 * time.Millisecond, 50 * time.Millisecond, false},
		{"not quick", match.Hard, 700 * time.Millisecond, 200 * time.Millisecond, true},
		{"as long as it may", match.Master, 50 * time.Millisecond, 0, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(_ *testing.T, w *world) {
				w.games.Engine = &brain{takes: c.takes}
				m := w.against(c.level, board)
				w.bot.Serve(w.Context(), w.click(alice, pressID(m.ID, m.Version, "cell:h8"), board))
				time.Sleep(time.Minute)
				want, first, last := []string{firstAnswer}, "last ⚪ o1", "last ⚪ o1"
				if c.edited {
					want, first = []string{firstAnswer, edit}, "to move, thinking… · move 2 · last ⚫ h8"
				}
				calls := w.expect(want...)
				if calls[0].after != c.answered || !strings.Contains(calls[0].words(), first) {
					w.Errorf("answered with %v", calls[0])
				}
				if end := calls[len(calls)-1]; !strings.Contains(end.words(), last) || end.after > c.takes {
					w.Errorf("the board at last is %v", end)
				}
				if owed, err := w.games.Unshown(w.Context(), ""); len(owed) > 0 || err != nil {
					w.Errorf("not noted as shown: %v, error %v", owed, err)
				}
			})
		})
	}
}

// TestThinkersTakeTurns: as many searches at once as there are cores but for
// one, the others in turn, and meanwhile everybody is answered.
func TestThinkersTakeTurns(t *testing.T) {
	inWorld(t, func(_ *testing.T, w *world) {
		most := max(1, runtime.GOMAXPROCS(0)-1)
		engine := &brain{takes: 900 * time.Millisecond}
		w.games.Engine = engine
		n := 3*most + 1
		for i := range n {
			m := w.against(match.Master, board+strings.Repeat("0", i))
			began := time.Now()
			w.bot.Serve(w.Context(), w.click(alice, pressID(m.ID, m.Version, "cell:h8"), m.Where.Message))
			if took := time.Since(began); took != 0 {
				w.Errorf("the click was answered after %v", took)
			}
		}
		time.Sleep(4 * 900 * time.Millisecond)
		synctest.Wait()
		if engine.most != most || len(engine.order) != n {
			w.Errorf("%d searches, %d at once; want %d, %d", len(engine.order), engine.most, n, most)
		}
	})
}

// TestSweepPaysWhatIsOwed: a move that is owed since before the start, once,
// however often is looked for it.
func TestSweepPaysWhatIsOwed(t *testing.T) {
	inWorld(t, func(_ *testing.T, w *world) {
		engine := &brain{takes: 900 * time.Millisecond}
		w.games.Engine = engine
		m := w.act(w.against(match.Master, board), match.Place{At: match.Point{Col: 7, Row: 7}}, alice)
		ctx, cancel := context.WithCancel(w.Context())
		var sweeps sync.WaitGroup
		sweeps.Go(func() { w.bot.Sweep(ctx, 100*time.Millisecond) })
		time.Sleep(3 * time.Second)
		cancel()
		sweeps.Wait()
		calls := w.expect("PATCH channels/" + channel + "/messages/" + board)
		if !strings.Contains(calls[0].words(), "last ⚪ o1") || len(w.stored(m.ID).Moves) != 2 || len(engine.order) != 1 {
			w.Errorf("drawn %v, moves %v, searches %d", calls[0], w.stored(m.ID).Moves, len(engine.order))
		}
	})
}

// TestCloseWhileThinking: the move stays owed, and Close does not wait for the
// end of the search.
func TestCloseWhileThinking(t *testing.T) {
	inWorld(t, func(_ *testing.T, w *world) {
		w.games.Engine = &brain{takes: 900 * time.Millisecond}
		m := w.against(match.Master, board)
		w.bot.Serve(w.Context(), w.click(alice, pressID(m.ID, m.Version, "cell:h8"), board))
		time.Sleep(100 * time.Millisecond)
		began := time.Now()
		w.bot.Close()
		if took := time.Since(began); took != 0 {
			w.Errorf("closed after %v", took)
		}
		w.expect(firstAnswer)
		if now := w.stored(m.ID); !now.Owed() {
			w.Errorf("moves %v", now.Moves)
		}
	})
}

// panics is an engine with a fault.
type panics struct{}

func (panics) Choose(context.Context, *match.Position, match.Level, uint64) (match.Point, error) {
	panic("out of range")
}

// fails is an engine that finds nothing.
type fails struct{}

var errNothing = errors.New("nothing found")

func (fails) Choose(context.Context, *match.Position, match.Level, uint64) (match.Point, error) {
	return match.Point{}, errNothing
}

// TestSafe: a fault of the engine is an error, and the match goes on.
func TestSafe(t *testing.T) {
	p := match.TicTacToeRules().Start()
	if _, err := (bot.Safe{Chooser: panics{}}).Choose(t.Context(), &p, match.Easy, 1); err == nil || !strings.Contains(err.Error(), "out of range") {
		t.Errorf("a panic: error %v", err)
	}
	if _, err := (bot.Safe{Chooser: fails{}}).Choose(t.Context(), &p, match.Easy, 1); !errors.Is(err, errNothing) {
		t.Errorf("an error: error %v", err)
	}
	inWorld(t, func(_ *testing.T, w *world) {
		w.games.Engine = bot.Safe{Chooser: panics{}}
		m := w.against(match.Hard, board)
		w.bot.Serve(w.Context(), w.click(alice, pressID(m.ID, m.Version, "cell:h8"), board))
		w.expect(firstAnswer)
		if now := w.stored(m.ID); len(now.Moves) != 2 {
			w.Errorf("moves %v", now.Moves)
		}
	})
}

// lateReply is a store in which somebody who has stored a second ply hears of it late.
type lateReply struct {
	match.Store

	lag time.Duration
}

func (s lateReply) Update(ctx context.Context, f func(match.Tx) error) error {
	plies := 0
	err := s.Store.Update(ctx, func(tx match.Tx) error { return f(plyCounter{tx, &plies}) })
	if plies == 2 {
		return cmp.Or(err, pause(ctx, s.lag))
	}
	return err
}

type plyCounter struct {
	match.Tx

	plies *int
}

func (tx plyCounter) Replace(ctx context.Context, was match.Version, m match.Match) error {
	*tx.plies = len(m.Moves)
	return tx.Tx.Replace(ctx, was, m)
}

// TestMoveRightAfterTheReply: a move that comes when Rowbot's reply to the one before is
// stored, but not known here yet, is replied to as well.
func TestMoveRightAfterTheReply(t *testing.T) {
	for _, level := range []match.Level{match.Hard, match.Master} {
		inWorld(t, func(_ *testing.T, w *world) {
			w.games.Engine = &brain{takes: 10 * time.Millisecond}
			m := w.against(level, board)
			w.store.Store = lateReply{w.store.Store, time.Second}
			w.bot.Serve(w.Context(), w.click(alice, pressID(m.ID, m.Version, "cell:h8"), board))
			time.Sleep(500 * time.Millisecond)
			w.serve(w.command(alice, "gomoku", "move", option("cell", "h9")))
			time.Sleep(5 * time.Second)
			calls := w.rest.take()
			if end := calls[len(calls)-1]; len(w.stored(m.ID).Moves) != 4 || !strings.Contains(end.words(), "last ⚪ o2") {
				w.Errorf("%s: moves %v, the board at last is %v", level, w.stored(m.ID).Moves, end)
			}
		})
	}
}
