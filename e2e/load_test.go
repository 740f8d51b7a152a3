package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"rowbot/sandbox"
)

const (
	// loadMatches is how many matches are played at the same time.
	loadMatches = 200
	// loadHands is how many of their players do something at the very same
	// moment. All at once, under the race detector on a busy machine, is more
	// than three seconds' work.
	loadHands = 30
)

// TestManyMatchesAtOnce plays matches of all kinds at the same time, every one
// with people of its own, and follows each board move by move.
func TestManyMatchesAtOnce(t *testing.T) {
	// How long an answer takes on a busy machine is not the question here.
	p := newParty(t, func(o *sandbox.Options) { o.AnswerWithin = time.Minute })
	hands := make(chan struct{}, loadHands)
	var all sync.WaitGroup
	for i := range loadMatches {
		all.Go(func() {
			g := p.crowd(i, hands)
			if i%4 < 2 {
				g.playSmall(i%2 == 1, 1+i%16/8)
			} else {
				g.playLarge(i%2 == 1, 5)
			}
		})
	}
	all.Wait()
	got := p.Stats()
	if got.Answered != got.Interactions || got.Late > 0 {
		t.Errorf("of %d interactions %d were answered, %d too late", got.Interactions, got.Answered, got.Late)
	}
	t.Logf("%d interactions, %d requests, %d answers sent again", got.Interactions, got.Requests, got.Doubled)
}

// game is one match of the crowd.
type game struct {
	*party
	seats [2]sandbox.Seat
	luck  *rand.Rand
	hands chan struct{}
}

// click is party's, with one of the hands.
func (g *game) click(by sandbox.Seat, m *sandbox.Message, key string) *sandbox.Reply {
	g.hands <- struct{}{}
	defer func() { <-g.hands }()
	return g.party.click(by, m, key)
}

// slash is party's, with one of the hands.
func (g *game) slash(by sandbox.Seat, command string, options ...sandbox.Option) *sandbox.Reply {
	g.hands <- struct{}{}
	defer func() { <-g.hands }()
	return g.party.slash(by, command, options...)
}

// crowd brings two new people into a channel that few others play in.
func (p *party) crowd(i int, hands chan struct{}) *game {
	g := &game{party: p, luck: rand.New(rand.NewPCG(uint64(i), 2)), hands: hands}
	channel := []*sandbox.Channel{p.General, p.Games}[i%2]
	for side := range g.seats {
		who := p.AddPerson(fmt.Sprintf("Player %d-%d", i, side), sandbox.PersonOptions{})
		p.Playground.AddMember(who)
		g.seats[side] = who.In(channel)
	}
	return g
}

// begin starts a match against Rowbot or between the two, in which the first
// of them moves first.
func (g *game) begin(game string, alone bool) *sandbox.Message {
	if alone {
		return g.slash(g.seats[0], game+" bot").Message
	}
	offer := g.slash(g.seats[0], game+" challenge",
		sandbox.UserOption("opponent", g.seats[1].Person()), sandbox.String("side", "first")).Message
	return g.click(g.seats[1], offer, "Accept").Updated
}

// playSmall plays tic-tac-toe to the end, so many times with sides swapped
// after each.
func (g *game) playSmall(alone bool, rounds int) {
	board := g.begin("ttt", alone)
	for round := range rounds {
		for board.Button("Rematch") == nil && !g.t.Failed() {
			board = g.move(board, alone, round)
		}
		if g.t.Failed() {
			return
		}
		if !strings.Contains(board.Text(), "**won**") && !strings.Contains(board.Text(), "A draw") {
			g.t.Errorf("a match without a result:\n%s", board.Text())
		}
		if round+1 < rounds {
			if board = g.click(g.seats[0], board, "Rematch").Message; board == nil {
				board = g.slash(g.seats[0], "ttt board").Message // it came late, as a message of its own
			}
		}
	}
}

// playLarge plays the first moves of a game of gomoku and resigns.
func (g *game) playLarge(alone bool, moves int) {
	board := g.begin("gomoku", alone)
	for range moves {
		if board = g.move(board, alone, 0); board.Button("Rematch") != nil {
			return // five in a row by chance
		}
	}
	menu := g.click(g.seats[0], board, "More")
	sure := g.click(g.seats[0], menu.Message, "Resign")
	g.click(g.seats[0], sure.Shown(), "Resign")
	g.says(g.await(board, "won"), g.seats[0].Person().Mention()+" resigned")
}

// move clicks any free cell for whoever is to move, and checks that this stone
// has come to those that were there, with Rowbot's answer if it owes one, and
// nothing else.
func (g *game) move(board *sandbox.Message, alone bool, round int) *sandbox.Message {
	before := stonesIn(board)
	side := len(before) % 2
	by := g.seats[(side+round)%2]
	if alone {
		by = g.seats[0]
	}
	free := freeCells(board)
	if len(free) == 0 {
		g.t.Fatalf("nothing can be pressed:\n%s", board.JSON())
	}
	cell := free[g.luck.IntN(len(free))]
	next := g.click(by, board, cell).Updated
	if next == nil {
		g.t.Fatalf("a click on %s did not update the board", cell)
	}
	after := stonesIn(next)
	for old, sign := range before {
		if after[old] != sign {
			g.t.Errorf("%s changed from %q to %q", old, sign, after[old])
		}
	}
	added := 1
	if alone && next.Button("Rematch") == nil || len(after) == len(before)+2 && alone {
		added = 2
	}
	if after[cell] != "XO"[side] || len(after) != len(before)+added {
		g.t.Errorf("after %c at %s:\n%s\nbecame\n%s", "XO"[side], cell, board.Text(), next.Text())
	}
	return next
}

// BenchmarkMemory plays against Rowbot in a few channels without end and
// measures what stays in memory: after a quarter of 100,000 interactions, when
// all that is bounded has reached its bound, and at the end. Run it with
// -benchtime=1x.
func BenchmarkMemory(b *testing.B) {
	p := newParty(b)
	for b.Loop() {
		p.busy(25_000)
		early := heap()
		p.busy(100_000)
		b.ReportMetric(float64(early)/1e6, "MB_before")
		b.ReportMetric(float64(heap())/1e6, "MB_after")
		b.ReportMetric(float64(runtime.NumGoroutine()), "goroutines")
	}
}

// heap is the memory that is in use after everything else was let go.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// busy has so many interactions of all kinds handled.
func (p *party) busy(interactions int) {
	until := p.Stats().Interactions + interactions
	hands := make(chan struct{}, 16)
	var all sync.WaitGroup
	for i := range cap(hands) {
		all.Go(func() {
			g := p.crowd(i, hands)
			for n := 0; p.Stats().Interactions < until && !p.t.Failed(); n++ {
				g.playSmall(true, 2)
				g.playLarge(true, 12)
				if n%4 == 0 {
					g.ask()
				}
			}
		})
	}
	all.Wait()
}

// ask uses the commands that only look.
func (g *game) ask() {
	me := g.seats[0]
	for _, command := range []string{"help", "matches", "leaderboard", "stats"} {
		g.slash(me, command)
	}
	board := g.slash(me, "gomoku bot", sandbox.Int("size", 19)).Message
	if _, err := me.Autocomplete(g.t.Context(), "gomoku move", "cell", "k"); err != nil {
		g.t.Error(err)
	}
	g.slash(me, "gomoku move", sandbox.String("cell", "k10"))
	g.click(me, board, "Type a move")
	board = g.slash(me, "gomoku board").Message
	g.slash(me, "gomoku pass")
	sure := g.slash(me, "gomoku resign")
	g.click(me, sure.Message, "Resign")
	g.await(board, "won")
}
