package e2e_test

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"rowbot/sandbox"
)

// hang lets a request arrive, and neither be carried out nor answered. The
// channel is closed when the first one is there.
func hang() (sandbox.Fault, <-chan struct{}) {
	arrived := make(chan struct{})
	var once sync.Once
	return sandbox.Fault{Delay: time.Minute, Cut: true, Arrived: func() { once.Do(func() { close(arrived) }) }}, arrived
}

// killDuring has somebody do something, kills the process when the request
// that follows from it has arrived at Discord but was not answered, and starts
// it again. What was done is then stored and nobody has seen it.
func (k *program) killDuring(method, route string, do func(ctx context.Context)) {
	k.t.Helper()
	ctx, cancel := context.WithCancel(k.t.Context())
	defer cancel()
	fault, arrived := hang()
	k.Fail(-1, method, route, fault)
	done := make(chan struct{})
	go func() {
		defer close(done)
		do(ctx)
	}()
	select {
	case <-arrived:
	case <-time.After(stuck):
		k.t.Fatal("the request that was waited for never came")
	}
	k.kill()
	cancel()
	<-done
	k.ClearFaults()
	k.run()
}

// lose is killDuring for an answer that never comes.
func (k *program) lose(do func(ctx context.Context) (*sandbox.Reply, error)) {
	k.t.Helper()
	k.killDuring(http.MethodPost, sandbox.RouteCallback, func(ctx context.Context) {
		if r, err := do(ctx); err == nil {
			k.t.Errorf("there was an answer: %s", r.Text())
		}
	})
}

func (k *program) loseClick(by sandbox.Seat, m *sandbox.Message, key string) {
	k.t.Helper()
	k.lose(func(ctx context.Context) (*sandbox.Reply, error) { return by.Click(ctx, m, key) })
}

// Killed after a click was stored and before it was answered, Rowbot shows at
// the next click on the old buttons what was stored, and plays nothing twice.
func TestKilledBeforeTheAnswerToAClick(t *testing.T) {
	t.Parallel()
	k := newProgram(t)
	k.run()

	offer := k.invite("ttt")
	k.loseClick(k.bob, offer, "Accept")
	k.says(k.now(offer), "challenges") // nobody has seen it
	board := k.update(k.bob, offer, "Accept")
	k.says(board, k.Alice.Mention()+" to move", "move 1")

	board = k.play(board, "a1", "a2", "b1")
	k.loseClick(k.bob, board, "b2")
	k.stones(k.now(board), 3, nil)
	again := k.update(k.bob, board, "b2")
	k.stones(again, 4, map[string]byte{"a1": 'X', "a2": 'O', "b1": 'X', "b2": 'O'})

	k.loseClick(k.alice, again, "c1") // which wins
	end := k.update(k.alice, again, "c1")
	k.says(end, k.Alice.Mention()+" **won**", "three in a row, a1–c1")
	k.says(k.slash(k.alice, "stats").Message, "1 win, 0 draws, 0 losses")

	k.loseClick(k.bob, end, "Rematch")
	r := k.click(k.bob, end, "Rematch")
	if !r.Ephemeral {
		t.Errorf("a rematch that is there already is posted again at once: %s", r.Text())
	}
	next := k.slash(k.alice, "ttt board").Message
	k.says(next, k.Bob.Mention()+" to move", "move 1")
	k.stones(k.update(k.bob, next, "c3"), 1, map[string]byte{"c3": 'X'})

	alone := k.slash(k.chen, "gomoku bot").Message
	k.loseClick(k.chen, alone, "h8")
	// Another cell than before: the board has moved on, and shows how.
	alone = k.update(k.chen, alone, "g8")
	k.stones(alone, 2, map[string]byte{"h8": 'X'})
	k.private(k.chen, "The board has moved on: here is how it stands.")
	k.stones(k.update(k.chen, alone, firstFree(alone)), 4, nil)
	k.terminate()
}

// Killed after somebody's data was deleted and before the boards of what was closed
// were drawn, the next process draws them.
func TestKilledWhileSomebodyLeaves(t *testing.T) {
	t.Parallel()
	k := newProgram(t)
	k.run()
	running, sent := k.play(k.duel("gomoku"), "h8", "h9"), k.slash(k.alice, "ttt challenge").Message
	question := k.slash(k.alice, "privacy delete").Message
	k.killDuring(http.MethodPatch, sandbox.RouteMessage, func(ctx context.Context) { k.alice.Click(ctx, question, "Delete my data") })
	k.buttons(k.await(running, "Closed · one of the players has left for good"), "Replay")
	k.buttons(k.await(sent, "Somebody who left withdrew the challenge."), "")
	for _, m := range []*sandbox.Message{running, sent} {
		if now := k.now(m).Text(); strings.Contains(now, k.Alice.ID()) {
			t.Errorf("the name still stands in\n%s", now)
		}
	}
	k.terminate()
}

// The same for commands, whose answer is for the caller alone.
func TestKilledBeforeTheAnswerToACommand(t *testing.T) {
	t.Parallel()
	k := newProgram(t)
	k.run()
	board := k.play(k.duel("gomoku"), "h8", "h9")
	move := func(by sandbox.Seat, cell string) func(context.Context) (*sandbox.Reply, error) {
		return func(ctx context.Context) (*sandbox.Reply, error) {
			return by.Slash(ctx, "gomoku move", sandbox.String("cell", cell))
		}
	}
	// Killed while the board is being edited.
	k.killDuring(http.MethodPatch, sandbox.RouteMessage, func(ctx context.Context) { move(k.alice, "j10")(ctx) })
	k.told(k.slash(k.alice, "gomoku move", sandbox.String("cell", "j10")), "It's "+k.Bob.Mention()+"'s turn.")
	// The next process draws what was not drawn.
	k.stones(k.until(board, func(m *sandbox.Message) bool { return len(stonesIn(m)) == 3 }), 3, map[string]byte{"j10": 'X'})
	board = k.update(k.bob, board, "g8") // on buttons of before: shows, plays nothing
	k.stones(board, 3, map[string]byte{"j10": 'X'})
	board = k.update(k.bob, board, "j9")

	sure := k.slash(k.alice, "gomoku resign").Message
	k.killDuring(http.MethodPost, sandbox.RouteCallback, func(ctx context.Context) { k.alice.Click(ctx, sure, "Resign") })
	k.told(k.slash(k.bob, "gomoku move", sandbox.String("cell", "k9")), "You have no match in this channel.")
	k.click(k.bob, board, firstFree(board))
	k.says(k.await(board, "won"), k.Bob.Mention()+" **won**", k.Alice.Mention()+" resigned")
	k.says(k.slash(k.bob, "stats").Message, "1 win, 0 draws, 0 losses")

	// A match whose first message never came is found by command.
	k.lose(func(ctx context.Context) (*sandbox.Reply, error) {
		return k.chen.Slash(ctx, "gomoku bot", sandbox.String("side", "second"))
	})
	lost := k.slash(k.chen, "gomoku board").Message
	k.stones(lost, 1, nil)
	k.stones(k.update(k.chen, lost, firstFree(lost)), 3, nil)

	// Told to stop, the process still answers what it has begun.
	lost = k.now(lost)
	slow, under := sandbox.Slow(500*time.Millisecond), make(chan struct{})
	slow.Arrived = func() { close(under) }
	k.Fail(1, http.MethodPost, sandbox.RouteCallback, slow)
	var answered *sandbox.Message
	done := make(chan struct{})
	go func() {
		defer close(done) // also when the update fails the test and ends here
		answered = k.update(k.chen, lost, firstFree(lost))
	}()
	select {
	case <-under:
		k.terminate()
	case <-done:
		t.Fatal("the answer came by itself")
	}
	<-done
	k.stones(answered, 5, nil)
}
