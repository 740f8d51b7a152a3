package e2e_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rowbot/bot/gateway"
	"rowbot/match"
	"rowbot/persistence"
	"rowbot/persistence/pgtest"
	"rowbot/sandbox"
)

// sibling is a process among those on one store, as cmd/bot wires it.
type sibling struct {
	db   *persistence.DB
	name string
}

func (s sibling) Take(ctx context.Context, shard int) (gateway.Session, bool, error) {
	left, ok, err := s.db.TakeSession(ctx, shard, s.name)
	return gateway.Session(left), ok, err
}

func (s sibling) Leave(ctx context.Context, left gateway.Session) (bool, error) {
	return s.db.LeaveSession(ctx, persistence.Session(left), s.name)
}

// siblings connects Rowbots on one store with each other.
func siblings() func(db *persistence.DB, matches *match.Service, o *gateway.Options) {
	var born atomic.Int32
	return func(db *persistence.DB, matches *match.Service, o *gateway.Options) {
		s := sibling{db, "copy " + strconv.Itoa(int(born.Add(1)))}
		o.Sessions, matches.Copy = s, s.name
		o.Turn = func(ctx context.Context, bucket int, lasts time.Duration) (bool, error) {
			return matches.Take(ctx, "identify "+strconv.Itoa(bucket), lasts)
		}
	}
}

// rolling is a party with Rowbots that come and go on one store, and people who play
// on all the while.
type rolling struct {
	*program
	duets []*duet
	luck  *rand.Rand
}

// newRolling starts the first Rowbot. That a command is given while none is there is
// no fault, and how fast the others start is not the question.
func newRolling(t *testing.T, store string) *rolling {
	t.Helper()
	w := standIn(t, func(o *sandbox.Options) { o.AnswerWithin = 20 * time.Second })
	w.store, w.webhook, w.lossy, w.wire = store, false, true, siblings()
	w.connect()
	return &rolling{luck: rand.New(rand.NewPCG(uint64(len(store)), 8)), program: &program{store: store, party: &party{
		world: w, alice: w.Alice.In(w.Games), bob: w.Bob.In(w.Games), chen: w.Chen.In(w.Games),
	}}}
}

// play has pairs of people play until the function that it returns is called. Every
// click of theirs has to be answered, and rightly.
func (r *rolling) play() (end func()) {
	for i, game := range []string{"gomoku", "ttt", "gomoku", "ttt"} {
		g := r.crowd(i, nil)
		d := &duet{seats: g.seats, alone: i%2 == 0, game: game, luck: g.luck}
		d.start(r.t.Context())
		r.duets = append(r.duets, d)
	}
	var over atomic.Bool
	var all sync.WaitGroup
	for _, d := range r.duets {
		all.Go(func() {
			for !over.Load() && !r.t.Failed() {
				if d.step(r.t.Context(), r.t); d.pending != "" {
					r.t.Errorf("a click on %s was not answered:\n%s", d.pending, d.board.Text())
				}
			}
		})
	}
	return func() {
		over.Store(true)
		all.Wait()
	}
}

// wait lets them play for a moment.
func (r *rolling) wait() {
	before := r.Stats().Answered
	r.poll("some answers", func() bool { return r.Stats().Answered >= before+6 })
	time.Sleep(time.Duration(r.luck.Int64N(int64(20 * time.Millisecond))))
}

// check compares what people saw with the store, and says how many answers there were.
func (r *rolling) check() {
	r.t.Helper()
	answers := 0
	for _, d := range r.duets {
		d.inspect(r.program)
		d.settle(r.program)
		answers += d.answers
	}
	r.t.Logf("%d answers, %+v", answers, r.Stats())
	if answers < 8 {
		r.t.Errorf("only %d answers", answers)
	}
}

// Rowbot is stopped at any moment of play, and the next process goes on with its
// session: no click is lost, none is played twice, and one IDENTIFY does for all.
func TestRollingRestart(t *testing.T) {
	t.Parallel()
	for name, store := range map[string]func(t *testing.T) string{
		"SQLite":     func(*testing.T) string { return "" },
		"PostgreSQL": func(t *testing.T) string { return pgtest.Database(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRolling(t, store(t))
			if r.store == "" {
				r.store = "sqlite:" + r.file
			}
			end := r.play()
			const rounds = 2
			for range rounds {
				r.wait()
				r.stop()
				r.connect()
			}
			end()
			r.stop()
			r.check()
			if got := r.Stats(); got.Identifies != 1 || got.Resumes != rounds {
				t.Errorf("%d IDENTIFYs and %d RESUMEs, want 1 and %d", got.Identifies, got.Resumes, rounds)
			}
		})
	}
}

// The next process starts while the old one still runs, and each gets all events for
// a while: each click is answered once and played once.
func TestRollingRestartOverlaps(t *testing.T) {
	t.Parallel()
	r := newRolling(t, pgtest.Database(t))
	end := r.play()
	const rounds = 2
	for range rounds {
		old := r.stop
		r.connect()
		r.poll("both to be connected", func() bool { return r.Stats().Sessions == 2 })
		r.wait()
		old()
	}
	end()
	r.stop()
	r.check()
	if got := r.Stats(); got.Identifies != 1+rounds || got.Resumes != 0 || got.Failed > 0 || got.Doubled == 0 {
		t.Errorf("%+v, want %d IDENTIFYs, nothing unanswered, and second answers", got, 1+rounds)
	}
	// The last one was alone at its end, so its session goes on.
	r.connect()
	if got := r.Stats(); got.Identifies != 1+rounds || got.Resumes != 1 {
		t.Errorf("%+v, want one RESUME", got)
	}
}

// The program itself hands its session over when it is told to end.
func TestRollingRestartOfTheProgram(t *testing.T) {
	t.Parallel()
	k := newProgram(t)
	k.run()
	board := k.play(k.duel("ttt"), "b2")
	k.terminate()
	clicked := make(chan *sandbox.Message)
	go func() {
		defer close(clicked)
		if r, err := k.bob.Click(t.Context(), board, "a1"); err != nil {
			t.Errorf("a click while no process was there: %v", err)
		} else {
			clicked <- r.Updated
		}
	}()
	time.Sleep(50 * time.Millisecond) // until it is at Discord's
	k.run()
	if board := <-clicked; board != nil {
		k.stones(board, 2, map[string]byte{"b2": 'X', "a1": 'O'})
	}
	k.terminate()
	if got := k.Stats(); got.Identifies != 1 || got.Resumes != 1 || got.Failed > 0 {
		t.Errorf("%+v, want one IDENTIFY, one RESUME and nothing unanswered", got)
	}
}

// Whatever was done is not done again by the next process, if Discord sends it once
// more.
func TestNewProcessDoesNothingAgain(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	once := func(all ...*sandbox.Reply) {
		t.Helper()
		p.stop()
		p.connect()
		before, posted := p.Stats().Doubled, len(p.Messages(p.Games.ID()))
		for _, r := range all {
			r.Redeliver()
		}
		p.poll("each to be answered once more, in vain", func() bool { return p.Stats().Doubled >= before+len(all) })
		p.quiet()
		if n := len(p.Messages(p.Games.ID())) - posted; n != 0 {
			t.Errorf("%d more messages", n)
		}
	}
	asked := p.slash(p.alice, "ttt challenge", sandbox.UserOption("opponent", p.Bob), sandbox.String("side", "first"))
	accepted := p.click(p.bob, asked.Message, "Accept")
	moved := p.slash(p.alice, "ttt move", sandbox.String("cell", "b2"))
	offered := p.slash(p.bob, "ttt draw")
	board := p.await(accepted.Updated, "offers")
	once(asked, accepted, moved, offered)
	p.stones(p.now(board), 1, map[string]byte{"b2": 'X'})
	p.says(p.now(board), "offers")
	p.buttons(p.now(offered.Message), "Accept, Decline")

	declined := p.click(p.alice, offered.Message, "Decline")
	resigned := p.click(p.bob, p.slash(p.bob, "ttt resign").Message, "Resign")
	end := p.await(board, "won")
	again := p.click(p.alice, end, "Rematch")
	set := p.slash(p.alice, "settings style", sandbox.String("style", "picture"))
	once(declined, resigned, again, set)
	p.says(p.now(end), p.Alice.Mention()+" **won**", p.Bob.Mention()+" resigned")
	p.says(p.now(offered.Message), "declined")
	p.says(p.now(again.Message), "move 1")
	p.says(p.slash(p.alice, "stats").Message, "1 win, 0 draws, 0 losses")
	if text := p.slash(p.bob, "matches").Text(); strings.Count(text, p.Alice.Mention()) != 1 {
		t.Errorf("the matches after a rematch that came twice:\n%s", text)
	}
}

// What was done while no process was there, for longer than Discord waits: a click
// is played once and its board shows it; a command is not carried out.
func TestNewProcessComesLate(t *testing.T) {
	t.Parallel()
	w := standIn(t, func(o *sandbox.Options) { o.AnswerWithin = 2 * time.Second })
	w.webhook, w.lossy, w.wire = false, true, siblings()
	w.connect()
	p := w.party()
	board := p.play(p.duel("ttt"), "b2")
	p.stop()
	var all sync.WaitGroup
	all.Go(func() {
		if _, err := p.bob.Click(t.Context(), board, "a1"); !errors.Is(err, sandbox.ErrFailed) {
			t.Errorf("a click while nobody was there: %v", err)
		}
	})
	all.Go(func() {
		_, err := p.bob.Slash(t.Context(), "ttt challenge", sandbox.UserOption("opponent", p.Chen))
		if !errors.Is(err, sandbox.ErrFailed) {
			t.Errorf("a command while nobody was there: %v", err)
		}
	})
	all.Wait()
	p.clock.forward(time.Second)
	p.connect()
	board = p.await(board, "move 3")
	p.stones(board, 2, map[string]byte{"b2": 'X', "a1": 'O'})
	p.stones(p.update(p.alice, board, "c3"), 3, map[string]byte{"c3": 'X'})
	if text := p.slash(p.chen, "matches").Text(); strings.Contains(text, p.Bob.Mention()) {
		t.Errorf("a challenge that nobody saw stands:\n%s", text)
	}
	if got := p.Stats(); got.Identifies != 1 || got.Resumes != 1 {
		t.Errorf("%+v, want one IDENTIFY and one RESUME", got)
	}
}
