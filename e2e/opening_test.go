package e2e_test

import (
	"slices"
	"strings"
	"testing"

	"rowbot/sandbox"
)

// by plays a record such as "A:h8 B:white", each step by a button of the board:
// A is Alice and B is Bob. Before each step the other one tries it in vain.
func (p *party) by(board *sandbox.Message, record string) *sandbox.Message {
	p.t.Helper()
	labels := map[string]string{"black": "Take black", "white": "Take white", "two": "Place two more"}
	for step := range strings.FieldsSeq(record) {
		who, key, _ := strings.Cut(step, ":")
		seat, other, name := p.alice, p.bob, p.Alice
		if who == "B" {
			seat, other, name = p.bob, p.alice, p.Bob
		}
		if label, ok := labels[key]; ok {
			key = label
		} else {
			board = p.reach(seat, board, key)
		}
		p.told(p.click(other, board, key), "It's "+name.Mention()+"'s turn.")
		p.told(p.click(p.chen, board, key), "This match is between ")
		board = p.update(seat, board, key)
	}
	return board
}

// reach presses arrows until a cell has a button.
func (p *party) reach(seat sandbox.Seat, board *sandbox.Message, cell string) *sandbox.Message {
	p.t.Helper()
	for range 20 {
		if board.Button(cell) != nil {
			return board
		}
		first, last := window(board)
		col, row := cellAt(cell)
		firstCol, firstRow := cellAt(first)
		lastCol, _ := cellAt(last)
		arrow := "↑"
		switch {
		case col < firstCol:
			arrow = "←"
		case col > lastCol:
			arrow = "→"
		case row < firstRow:
			arrow = "↓"
		}
		board = p.update(seat, board, arrow)
	}
	p.t.Fatalf("the arrows do not lead to %s", cell)
	return nil
}

func TestSwap2ByButtons(t *testing.T) {
	t.Parallel()
	const choose = "Take black, Take white, Place two more, More"
	for _, c := range []struct {
		name, record, mid string // mid: what can be pressed when the last choice is due
		black             string
		end               string // black's row is won by the end
	}{
		{"take white", "B:white", "", "A", "B:g6 A:h9 B:f6 A:h10 B:g7 A:h11 B:f10 A:h12"},
		{"take black", "B:black", "", "B", "A:g6 B:h9 A:f6 B:h10 A:g7 B:h11 A:f10 B:h12"},
		{"two more, black", "B:two B:g6 B:h9", "A:black", "A", "B:f6 A:h10 B:g7 A:h11 B:f10 A:h12"},
		{"two more, white", "B:two B:g6 B:h9", "A:white", "B", "A:f6 B:h10 A:g7 B:h11 A:f10 B:h12"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newParty(t)
			board := p.duel("gomoku", sandbox.String("opening", "swap2"))
			p.says(board, "freestyle · swap2 · "+p.Alice.Mention()+" – "+p.Bob.Mention(), p.Alice.Mention()+" to move: the first three stones, now ⚫")
			board = p.by(board, "A:h8 A:i9 A:j8")
			p.buttons(board, choose)
			p.says(board, p.Bob.Mention()+" to choose: take black, take white, or place two more stones · move 4 · last ⚫ j8")
			p.told(p.slash(p.bob, "gomoku move", sandbox.String("cell", "a1")), "Choose first: press one of the buttons under the board.")
			p.told(p.slash(p.bob, "gomoku pass"), "Choose first: ")
			board = p.by(board, c.record)
			if c.mid != "" {
				p.buttons(board, "Take black, Take white, More")
				p.says(board, p.Alice.Mention()+" to choose: take black or take white")
				board = p.by(board, c.mid)
			}
			black, white := p.Alice, p.Bob
			if c.black == "B" {
				black, white = white, black
			}
			p.says(board, "⚫ "+black.Mention()+" – ⚪ "+white.Mention(), "⚪ "+white.Mention()+" to move · move ")
			board = p.by(board, c.end)
			p.says(board, "⚫ "+black.Mention()+" **won** · five in a row, h8–h12")
			stats := p.slash(p.alice, "stats").Text()
			if want := map[bool]string{true: "1 win,", false: "1 loss"}[black == p.Alice]; !strings.Contains(stats, want) {
				t.Errorf("Alice's record lacks %q:\n%s", want, stats)
			}
			again := p.click(p.alice, board, "Rematch")
			p.says(again.Message, p.Bob.Mention()+" to move: the first three stones, now ⚫ · move 1")
		})
	}
}

func TestSwap2IsRefused(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	p.told(p.slash(p.alice, "gomoku challenge", sandbox.UserOption("opponent", p.Bot()), sandbox.String("opening", "swap2")),
		"Swap2 is for two people.")
	board := p.duel("gomoku", sandbox.String("opening", "swap2"), sandbox.String("rules", "renju"))
	board = p.by(board, "A:h8")
	p.told(p.slash(p.alice, "gomoku pass"), "These stones have to be put down before anybody may pass.")
	old := p.by(board, "A:i9 A:j8")
	p.by(old, "B:two")
	// The same press once more, on the board that showed it.
	after := p.click(p.bob, old, "Place two more")
	if after.Updated == nil || !strings.Contains(after.Updated.Text(), "two more stones, now ⚪") {
		t.Errorf("a second press was answered with %s", after.Text())
	}
	// Resigning is for who asked, whatever side they come to play.
	question := p.slash(p.bob, "gomoku resign")
	if r := p.click(p.bob, question.Message, "Resign"); !strings.HasPrefix(r.Text(), "You resigned.") {
		t.Errorf("resigning was answered with %q", r.Text())
	}
	p.await(old, p.Bob.Mention()+" resigned")
}

func TestRenju(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	clicks := 0
	for _, c := range []struct{ moves, at, kind string }{
		{"i8 g6 j8 g4 h9 f5 h10 k5", "h8", "double three"},
		{"g8 f8 i8 g4 j8 k4 h9 k6 h10 m6 h11 h12", "h8", "double four"},
		{"e8 e7 f8 f6 g8 g7 i8 i5 j8 j9", "h8", "overline"},
	} {
		t.Run(c.kind, func(t *testing.T) {
			tb := w.on(t).challenge(alice, bob, "gomoku", sandbox.String("rules", "renju"))
			tb.play(strings.Fields(c.moves)...)
			tb.board = w.Message(tb.board.ChannelID, tb.board.ID)
			says := "Black may not play " + c.at + ": " + c.kind + ". Five in a row would be allowed."
			if g := boardOf(t, tb.board); !slices.Contains(g.barred, c.at) || !strings.HasSuffix(tb.board.Text(), "`!` black may not play here") {
				t.Errorf("%s is not marked:\n%s", c.at, tb.board.Text())
			}
			// No arrows here: a board that follows them is drawn anew at any moment.
			if b := tb.board.Button(c.at); b != nil {
				clicks++
				tb.told(says)(alice.Click(t.Context(), tb.board, c.at))
			}
			tb.told(says)(alice.Slash(t.Context(), "gomoku move", cell(c.at)))
			tb.unchanged()
			if got := w.suggested(alice, "gomoku move", "cell", c.at); slices.Contains(got, c.at) {
				t.Errorf("suggested: %v", got)
			}
			tb.passByCommand()
			if g := boardOf(t, tb.board); len(g.barred) > 0 {
				t.Errorf("forbidden to white: %v", g.barred)
			}
			tb.play(c.at)
			tb.command("a15", "a15")
		})
	}
	if clicks == 0 {
		t.Error("no forbidden cell had a button to click")
	}
	t.Run("five and overline", func(t *testing.T) {
		tb := w.on(t).challenge(alice, bob, "gomoku", sandbox.String("rules", "renju"))
		tb.play(strings.Fields("e8 e7 f8 f6 g8 g7 i8 i5 j8 j9 h9 k7 h10 l5 h11 m6 h12 m9")...)
		tb.show("h8")
		tb.board = tb.see(alice.Click(t.Context(), tb.board, "h8"))
		if text := tb.board.Text(); !strings.Contains(text, "⚫ "+w.Alice.Mention()+" **won** · five in a row, h8–h12") {
			t.Errorf("the end is\n%s", text)
		}
	})
	t.Run("against Rowbot", func(t *testing.T) {
		tb := w.on(t).alone(w.Chen.In(w.General), 1, "gomoku", sandbox.String("rules", "renju"))
		for n := 0; tb.board.Button("Rematch") == nil && n < 40; n++ {
			tb.play(tb.nextOfFive(1))
		}
		if end, _ := tb.result(); !strings.Contains(end, "⚪") {
			t.Errorf("against a random mover the match ended with %q", end)
		}
	})
}
