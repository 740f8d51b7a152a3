package e2e_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rowbot/sandbox"
)

// Rowbot is stopped and started between any two moves: the same messages go on.
func TestRestartBetweenMoves(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	again := func() { p.stop(); p.connect() }
	offer, open := p.invite("ttt"), p.slash(p.chen, "gomoku challenge", sandbox.Int("size", 19)).Message
	again()
	board := p.update(p.bob, offer, "Accept")
	large := p.update(p.alice, open, "Accept")
	board = p.play(board, "b2", "a1")
	again()
	p.stones(p.now(board), 2, map[string]byte{"b2": 'X', "a1": 'O'})
	board = p.play(board, "b3", "b1")
	alone := p.slash(p.chen, "gomoku bot", sandbox.String("rules", "standard")).Message
	alone = p.update(p.chen, alone, "h8")
	form := p.click(p.chen, alone, "Type a move").Modal
	sure := p.slash(p.alice, "gomoku resign").Message
	drawn := p.slash(p.alice, "ttt draw").Message
	p.await(board, "offers")
	again()
	r, err := p.chen.SubmitModal(t.Context(), form, map[string]string{"cell": "o15"})
	if err != nil {
		t.Fatal(err)
	}
	p.stones(r.Updated, 4, map[string]byte{"h8": 'X', "o15": 'X'})
	p.click(p.alice, sure, "Resign")
	p.says(p.await(large, "won"), p.Alice.Mention()+" resigned")
	p.update(p.bob, drawn, "Decline")
	board = p.until(board, func(m *sandbox.Message) bool { return !strings.Contains(m.Text(), "offers") })
	board = p.play(board, "a3", "c1")
	p.says(board, p.Bob.Mention()+" **won**", "three in a row, a1–c1")
	again()
	next := p.click(p.alice, board, "Rematch").Message
	p.says(next, p.Bob.Mention()+" to move", "move 1")
	p.says(p.slash(p.bob, "stats").Message, "1 win, 0 draws, 0 losses")
}

// What is in flight when Rowbot is told to stop is still answered, and none of
// it is lost.
func TestStopAnswersWhatIsInFlight(t *testing.T) {
	t.Parallel()
	p := newGatewayParty(t, func(o *sandbox.Options) { o.AnswerWithin = time.Minute }) // the question is not how fast
	boards := make([]*sandbox.Message, 20)
	for i := range boards {
		boards[i] = p.slash(p.alice, "gomoku bot").Message
	}
	slow, arrived := sandbox.Slow(400*time.Millisecond), atomic.Int64{} // too short for a second try
	slow.Arrived = func() { arrived.Add(1) }
	p.Fail(len(boards), "POST", sandbox.RouteCallback, slow)
	var clicks sync.WaitGroup
	for i := range boards {
		clicks.Go(func() { boards[i] = p.update(p.alice, boards[i], "h8") })
	}
	p.poll("each callback to be on its way", func() bool { return arrived.Load() == int64(len(boards)) })
	p.stop()
	clicks.Wait()
	p.connect()
	for _, board := range boards {
		p.stones(p.now(board), 2, map[string]byte{"h8": 'X'})
		p.stones(p.update(p.alice, p.now(board), firstFree(board)), 4, nil)
	}
}

func TestLostOnTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		pace []sandbox.Option
		time time.Duration
		away bool // Rowbot is down while the time runs out
	}{
		{"three days by default", nil, 72 * time.Hour, false},
		{"a chosen pace", []sandbox.Option{sandbox.String("pace", "1h")}, time.Hour, false},
		{"while Rowbot is away", nil, 72 * time.Hour, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newParty(t)
			young, idle := p.play(p.duel("ttt", c.pace...), "a1"), p.duel("ttt", c.pace...)
			board := p.play(p.duel("gomoku", c.pace...), "h8", "h9")
			p.clock.forward(c.time / 2)
			fresh := p.duel("ttt", c.pace...)
			board = p.play(board, "g8") // Bob's time begins anew
			p.clock.forward(c.time - time.Minute)
			p.sweep()
			p.says(p.await(young, "Closed"), "Closed · it had hardly begun")
			p.await(idle, "Closed")
			p.unchanged(fresh)
			p.unchanged(board)
			if c.away {
				p.stop()
			}
			p.clock.forward(2 * time.Minute)
			if c.away {
				p.connect()
			}
			p.sweep()
			end := p.await(board, "won")
			p.says(end, p.Alice.Mention()+" **won** · on time")
			p.buttons(end, "Rematch, Replay")
			p.await(fresh, "Closed")
			p.says(p.slash(p.alice, "stats").Message, "1 win, 0 draws, 0 losses")
			p.says(p.slash(p.bob, "stats").Message, "0 wins, 0 draws, 1 loss")
			p.told(p.slash(p.bob, "gomoku move", sandbox.String("cell", "j9")), "You have no match in this channel.")
			p.says(p.slash(p.chen, "leaderboard").Message, "1. "+p.Alice.Mention(), "2. "+p.Bob.Mention())
		})
	}
}

// The clock decides, not the sweep: a move that comes too late is not played.
func TestMoveAfterTheTime(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.play(p.duel("ttt", sandbox.String("pace", "5m")), "a1", "b2")
	p.clock.forward(5*time.Minute + time.Second)
	p.click(p.alice, board, "c3")
	end := p.await(board, "won")
	p.says(end, p.Bob.Mention()+" **won** · on time")
	p.stones(end, 2, map[string]byte{"a1": 'X', "b2": 'O'})

	alone := p.slash(p.alice, "gomoku bot").Message
	alone = p.update(p.alice, alone, "h8")
	alone = p.update(p.alice, alone, firstFree(alone))
	p.clock.forward(72*time.Hour + time.Second)
	p.told(p.slash(p.alice, "gomoku move", sandbox.String("cell", "a1")), "This match is over.")
	p.says(p.await(alone, "won"), "Rowbot", "on time")
}
