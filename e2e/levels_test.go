package e2e_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"rowbot/sandbox"
)

// TestLevels plays a match at each level to its end, or some way into it, and
// finds it among the caller's statistics under that level's name.
func TestLevels(t *testing.T) {
	t.Parallel()
	w := start(t)
	for _, game := range []struct {
		name   string
		levels []string
	}{
		{"ttt", []string{"random", "easy", "medium", "perfect"}},
		{"gomoku", []string{"random", "easy", "medium", "hard"}},
	} {
		for _, level := range game.levels {
			for who := range 2 {
				tb := w.on(t).alone(w.Chen.In(w.General), who, game.name, sandbox.String("level", level))
				for n := 0; tb.board.Button("Rematch") == nil && n < 60; n++ {
					if game.name == "ttt" {
						tb.play(tb.anyFree())
					} else {
						tb.play(tb.nextOfFive(who))
					}
				}
				end, line := tb.result()
				t.Logf("%s, %s: %s", game.name, level, end)
				if won := len(line) > 0 && strings.Contains(end, w.Chen.Mention()); won && (level == "perfect" || level == "hard") {
					t.Errorf("%s at level %s lost to somebody who does not look:\n%s", game.name, level, tb.board.Text())
				}
			}
		}
	}
	stats := w.see(w.Chen.In(w.General).Slash(t.Context(), "stats")).Text()
	for _, want := range []string{"**Tic-tac-toe** · perfect · ", "**Tic-tac-toe** · random · ", "**Gomoku** · hard · ", "**Gomoku** · easy · "} {
		if !strings.Contains(stats, want) {
			t.Errorf("the statistics lack %q:\n%s", want, stats)
		}
	}
}

// anyFree is the first free cell of tic-tac-toe.
func (tb *table) anyFree() string {
	for _, b := range tb.board.Buttons() {
		if len(b.Label) == 2 && !b.Disabled {
			return b.Label
		}
	}
	tb.t.Fatalf("no cell is free:\n%s", tb.board.Text())
	return ""
}

// TestThinking: while Rowbot thinks the person's move is shown already, nobody
// else waits, and what is done in the match meanwhile counts.
func TestThinking(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	master := sandbox.String("level", "master")
	board := p.slash(p.alice, "gomoku bot", master).Message
	seen := p.update(p.alice, board, "h8")
	p.says(seen, "Rowbot (master) to move, thinking… · move 2 · last ⚫ h8")
	p.stones(seen, 1, map[string]byte{"h8": 'X'})
	p.told(p.click(p.alice, seen, "h9"), "It's Rowbot (master)'s turn.")

	// Another match, and another one in which Rowbot has to think, go on.
	other := p.slash(p.bob, "ttt bot", sandbox.String("level", "perfect")).Message
	p.stones(p.update(p.bob, other, "a1"), 2, map[string]byte{"a1": 'X'})
	second := p.slash(p.chen, "gomoku bot", master, sandbox.String("side", "second")).Message
	p.says(second, "⚫ Rowbot (master) to move, thinking… · move 1")

	p.stones(p.await(seen, p.Alice.Mention()+" to move"), 2, map[string]byte{"h8": 'X'})
	p.stones(p.await(second, p.Chen.Mention()+" to move"), 1, nil)

	// By command, whose answer is private; then resigning before the reply.
	p.told(p.slash(p.alice, "gomoku move", sandbox.String("cell", "a1")), "You played a1.")
	p.stones(p.await(seen, p.Alice.Mention()+" to move"), 4, map[string]byte{"a1": 'X'})
	p.told(p.slash(p.alice, "gomoku move", sandbox.String("cell", "a2")), "You played a2.")
	sure := p.slash(p.alice, "gomoku resign").Message
	p.click(p.alice, sure, "Resign")
	end := p.await(seen, "resigned")
	if n := len(stonesIn(end)); n != 5 && n != 6 { // it may have replied just before
		t.Errorf("%d stones at the end", n)
	}

	again := p.click(p.alice, end, "Rematch").Message
	p.says(again, "⚫ Rowbot (master) to move, thinking…")
	p.stones(p.await(again, p.Alice.Mention()+" to move"), 1, nil)
	if now := p.now(end); len(stonesIn(now)) != len(stonesIn(end)) {
		t.Errorf("the resigned match went on:\n%s", now.Text())
	}
}

// TestThinkingWhereTheBotIsNot: where Rowbot was only installed by the person,
// its reply comes through the interaction.
func TestThinkingWhereTheBotIsNot(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	place := p.AddPrivateChannel(p.Alice, p.Alice, p.Bob)
	group := p.Alice.In(place)
	board := p.slash(p.Bob.In(place), "gomoku bot", sandbox.String("level", "hard"), sandbox.String("side", "second")).Message
	p.stones(p.await(board, p.Bob.Mention()+" to move"), 1, nil)
	board = p.slash(group, "gomoku bot", sandbox.String("level", "master")).Message
	seen := p.update(group, board, "h8")
	p.stones(p.await(seen, p.Alice.Mention()+" to move"), 2, map[string]byte{"h8": 'X'})
	moved := p.slash(group, "gomoku move", sandbox.String("cell", "a1"))
	if moved.Message == nil || moved.Ephemeral {
		t.Fatalf("the board cannot be edited here, but the answer is %q", moved.Text())
	}
	p.stones(p.await(moved.Message, p.Alice.Mention()+" to move"), 4, map[string]byte{"a1": 'X'})
}

// TestOwedAfterKill: Rowbot is killed while it thinks, while it brings its reply
// to Discord, and with several replies owed at once. Started again it pays them
// all, without anybody's click.
func TestOwedAfterKill(t *testing.T) {
	t.Parallel()
	k := newProgram(t)
	k.run()
	var boards []*sandbox.Message
	for _, by := range []sandbox.Seat{k.alice, k.bob, k.chen} {
		board := k.slash(by, "gomoku bot", sandbox.String("level", "master")).Message
		boards = append(boards, k.update(by, board, "h8"))
	}
	k.says(boards[2], "thinking…")
	k.kill()
	k.run()
	for i, who := range []*sandbox.Person{k.Alice, k.Bob, k.Chen} {
		boards[i] = k.await(boards[i], who.Mention()+" to move")
		k.stones(boards[i], 2, map[string]byte{"h8": 'X'})
	}

	cell := firstFree(boards[0])
	k.killDuring(http.MethodPatch, sandbox.RouteMessage, func(ctx context.Context) { k.alice.Click(ctx, boards[0], cell) })
	k.stones(k.await(boards[0], k.Alice.Mention()+" to move"), 4, map[string]byte{cell: 'X'})
	k.terminate()
}
