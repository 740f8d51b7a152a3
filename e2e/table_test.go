package e2e_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

// see is the message that an interaction led to, as it stands at last. It is
// used around the call: w.see(alice.Click(…)).
func (w *world) see(r *sandbox.Reply, err error) *sandbox.Message {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(w.t.Context(), stuck)
	defer cancel()
	m, err := r.Resolve(ctx)
	if err != nil || m == nil {
		w.t.Fatalf("an answer of kind %d shows no message: %v", r.Kind, err)
	}
	return m
}

// told expects a sentence that only the caller sees: w.told("…")(alice.Click(…)).
func (w *world) told(want string) func(*sandbox.Reply, error) *sandbox.Message {
	return func(r *sandbox.Reply, err error) *sandbox.Message {
		w.t.Helper()
		m := w.see(r, err)
		if m.Text() != want || !m.Ephemeral() {
			w.t.Errorf("told (privately: %v)\n%q, want\n%q", m.Ephemeral(), m.Text(), want)
		}
		return m
	}
}

// await waits until a message of a channel is as it has to be.
func (w *world) await(m *sandbox.Message, what string, is func(*sandbox.Message) bool) *sandbox.Message {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), stuck)
	defer cancel()
	now, err := w.Wait(ctx, m.ChannelID, m.ID, is)
	if err == nil {
		return now
	}
	if now = w.Message(m.ChannelID, m.ID); now != nil {
		what += " in\n" + now.Text()
	}
	w.t.Fatalf("%s: %v", what, err)
	return nil
}

func contains(s string) func(*sandbox.Message) bool {
	return func(m *sandbox.Message) bool { return m != nil && strings.Contains(m.Text(), s) }
}

// table is a match as its players see it, with what was played so far kept
// beside the bot's own word for it.
type table struct {
	*world
	game   string // ttt, gomoku
	side   int
	rules  string          // of gomoku
	seats  [2]sandbox.Seat // first and second; of Rowbot the zero value
	rowbot int             // Rowbot's seat, -1 between people
	level  string          // Rowbot's
	moves  []string        // cells and "pass"
	board  *sandbox.Message
	title  string // how a private answer names it
}

var marks = map[string][2]string{"ttt": {"❌", "⭕"}, "gomoku": {"⚫", "⚪"}}

// challenge has one person challenge another, who accepts. By is first.
func (w *world) challenge(by, to sandbox.Seat, game string, options ...sandbox.Option) *table {
	w.t.Helper()
	options = append(options, sandbox.UserOption("opponent", to.Person()), sandbox.String("side", "first"))
	offer := w.see(by.Slash(w.t.Context(), game+" challenge", options...))
	tb := w.sit(game, options)
	tb.seats = [2]sandbox.Seat{by, to}
	tb.board = w.see(to.Click(w.t.Context(), offer, "Accept"))
	if tb.board.ID != offer.ID {
		w.t.Fatal("the challenge did not become the board")
	}
	tb.verify()
	return tb
}

// alone starts a match against Rowbot; who is the person's seat, 0 or 1.
func (w *world) alone(by sandbox.Seat, who int, game string, options ...sandbox.Option) *table {
	w.t.Helper()
	options = append(options, sandbox.String("side", []string{"first", "second"}[who]))
	tb := w.sit(game, options)
	tb.seats[who], tb.rowbot = by, 1-who
	tb.board = w.see(by.Slash(w.t.Context(), game+" bot", options...))
	tb.adopt()
	tb.verify()
	return tb
}

func (w *world) sit(game string, options []sandbox.Option) *table {
	tb := &table{world: w, game: game, side: 3, rowbot: -1, level: "random", title: "Tic-tac-toe"}
	for _, level := range []string{"easy", "medium", "hard", "perfect", "master"} {
		if slices.Contains(options, sandbox.String("level", level)) {
			tb.level = level
		}
	}
	if game == "gomoku" {
		tb.side, tb.rules = 15, "freestyle"
		if slices.Contains(options, sandbox.Int("size", 19)) {
			tb.side = 19
		}
		if slices.Contains(options, sandbox.String("rules", "standard")) {
			tb.rules = "standard"
		}
		if slices.Contains(options, sandbox.String("rules", "renju")) {
			tb.rules = "renju"
		}
		tb.title = fmt.Sprintf("Gomoku %d×%d", tb.side, tb.side)
	}
	return tb
}

// player is how a seat is called.
func (tb *table) player(seat int) string {
	if seat == tb.rowbot {
		return "Rowbot (" + tb.level + ")"
	}
	return tb.seats[seat].Person().Mention()
}

// person is the seat of a person, the first where both are.
func (tb *table) person() sandbox.Seat {
	if tb.rowbot == 0 {
		return tb.seats[1]
	}
	return tb.seats[0]
}

func (tb *table) named(seat int) string { return marks[tb.game][seat] + " " + tb.player(seat) }

// turn is the seat to move.
func (tb *table) turn() int { return len(tb.moves) % 2 }

func (tb *table) grid() grid {
	g := grid{side: tb.side, stones: map[string]int{}}
	for i, c := range tb.moves {
		if c != "pass" {
			g.stones[c] = i % 2
		}
	}
	return g
}

// lastStone is the cell of the last stone put down, none before the first.
func (tb *table) lastStone() (last []string) {
	for _, c := range tb.moves {
		if c != "pass" {
			last = []string{c}
		}
	}
	return last
}

// play clicks cells in turn, each by whoever is to move.
func (tb *table) play(cells ...string) *table {
	tb.t.Helper()
	for _, c := range cells {
		tb.show(c)
		before := tb.board.ID
		tb.board = tb.see(tb.seats[tb.turn()].Click(tb.t.Context(), tb.board, c))
		if tb.board.ID != before {
			tb.t.Fatalf("the click on %s was not answered by the board itself:\n%s", c, tb.board.Text())
		}
		tb.played(c)
	}
	return tb
}

// show shifts the window of a large board until a cell has a button.
func (tb *table) show(cell string) {
	tb.t.Helper()
	for range 20 {
		if tb.board.Button(cell) != nil || tb.game == "ttt" {
			return
		}
		first, last := window(tb.board)
		col, row := cellAt(cell)
		firstCol, firstRow := cellAt(first)
		lastCol, lastRow := cellAt(last)
		arrow := ""
		switch {
		case col < firstCol:
			arrow = "←"
		case col > lastCol:
			arrow = "→"
		case row < firstRow:
			arrow = "↓"
		case row > lastRow:
			arrow = "↑"
		}
		tb.arrow(arrow)
	}
	tb.t.Fatalf("the arrows do not lead to %s", cell)
}

func (tb *table) arrow(label string) {
	tb.t.Helper()
	tb.board = tb.see(tb.seats[tb.turn()].Click(tb.t.Context(), tb.board, label))
	tb.verify()
}

// window is the lower left and the upper right cell of the buttons.
func window(m *sandbox.Message) (first, last string) {
	rows := m.Rows()
	return rows[4][0].Label, rows[0][4].Label
}

// command plays by a slash command, which is answered privately while the board follows.
func (tb *table) command(typed, cell string) *table {
	tb.t.Helper()
	tb.told("You played " + cell + ".")(tb.seats[tb.turn()].Slash(tb.t.Context(), tb.game+" move", sandbox.String("cell", typed)))
	tb.follow(cell)
	return tb
}

// follow waits for the board to show a move that was not made on it.
func (tb *table) follow(move string) {
	tb.t.Helper()
	before := face(tb.board)
	tb.board = tb.await(tb.board, "the board does not follow", func(m *sandbox.Message) bool { return face(m) != before })
	tb.played(move)
}

// typed plays through the form behind "Type a move".
func (tb *table) typed(text, cell string) *table {
	tb.t.Helper()
	seat := tb.seats[tb.turn()]
	r, err := seat.Click(tb.t.Context(), tb.board, "Type a move")
	if err != nil || r.Modal == nil {
		tb.t.Fatalf("no form opens: %v", err)
	}
	field := r.Modal.Fields()[0]
	tb.board = tb.see(seat.SubmitModal(tb.t.Context(), r.Modal, map[string]string{field.CustomID: text}))
	tb.played(cell)
	return tb
}

// played notes a move of a person, and Rowbot's after it, and looks at the board.
func (tb *table) played(move string) {
	tb.t.Helper()
	tb.moves = append(tb.moves, move)
	tb.adopt()
	tb.verify()
}

// adopt finds Rowbot's stone where it was Rowbot's turn: just one, on a cell
// that was free.
func (tb *table) adopt() {
	tb.t.Helper()
	if won, _ := tb.result(); tb.turn() != tb.rowbot || won != "" {
		return
	}
	was := tb.grid()
	replied := func(m *sandbox.Message) bool { // an edit of before may lie on the answer for a moment
		return !strings.Contains(m.Text(), "thinking…") && len(boardOf(tb.t, m).stones) > len(was.stones)
	}
	if !replied(tb.board) {
		tb.board = tb.await(tb.board, "Rowbot has not replied", replied)
	}
	now := boardOf(tb.t, tb.board)
	var fresh []string
	for c, who := range now.stones {
		if before, taken := was.stones[c]; !taken {
			fresh = append(fresh, c)
		} else if before != who {
			tb.t.Fatalf("the stone on %s changed its side", c)
		}
	}
	if len(fresh) != 1 || now.stones[fresh[0]] != tb.rowbot {
		tb.t.Fatalf("Rowbot played %v:\n%s", fresh, tb.board.Text())
	}
	tb.moves = append(tb.moves, fresh[0])
}

// result is how the match has ended by the moves alone, "" if it has not, and
// the winning stones.
func (tb *table) result() (text string, line []string) {
	g, need := tb.grid(), 5
	if tb.game == "ttt" {
		need = 3
	}
	line, who, lines := g.line(need, tb.rules == "standard")
	n := len(tb.moves)
	switch {
	case lines > 1:
		return fmt.Sprintf("%s **won** · %d lines at once · %d moves", tb.named(who), lines, n), line
	case len(line) > 0:
		length := map[int]string{3: "three", 5: "five"}[len(line)]
		if length == "" {
			length = strconv.Itoa(len(line))
		}
		return fmt.Sprintf("%s **won** · %s in a row, %s–%s · %d moves", tb.named(who), length, line[0], line[len(line)-1], n), line
	case len(g.stones) == tb.side*tb.side:
		return fmt.Sprintf("A draw · the board is full · %d moves", n), nil
	case n > 1 && tb.moves[n-1] == "pass" && tb.moves[n-2] == "pass":
		return fmt.Sprintf("A draw · both passed · %d moves", n), nil
	}
	return "", nil
}

// head is the first line of the board: game, size, rules, and who plays which mark.
func (tb *table) head() string {
	s := fmt.Sprintf("**Tic-tac-toe** · 3×3 · %s – %s", tb.named(0), tb.named(1))
	if tb.game == "gomoku" {
		s = fmt.Sprintf("**Gomoku** · %d×%d · %s · %s – %s", tb.side, tb.side, tb.rules, tb.named(0), tb.named(1))
	}
	return s
}

// verify compares the board with what was played.
func (tb *table) verify() {
	tb.t.Helper()
	if over, line := tb.result(); over != "" {
		tb.ended(over, line...)
		return
	}
	n := len(tb.moves)
	state := fmt.Sprintf("%s to move · move %d", tb.named(tb.turn()), n+1)
	if n > 0 {
		state += " · last " + marks[tb.game][1-tb.turn()] + " " + strings.ReplaceAll(tb.moves[n-1], "pass", "passed")
	}
	lines := strings.SplitN(tb.board.Text(), "\n", 3)
	if diff := cmp.Diff([]string{tb.head(), state}, lines[:2]); diff != "" {
		tb.t.Fatalf("the board says (-want +got):\n%s", diff)
	}
	g := boardOf(tb.t, tb.board)
	sameStones(tb.t, tb.grid().stones, g.stones)
	if tb.game == "ttt" {
		tb.smallButtons()
		return
	}
	if last := tb.lastStone(); !slices.Equal(last, g.marked) {
		tb.t.Fatalf("in brackets: %v, want %v\n%s", g.marked, last, tb.board.Text())
	}
	tb.largeButtons()
}

// on is the same world in a subtest.
func (w *world) on(t testing.TB) *world {
	return &world{Server: w.Server, t: t, clock: w.clock, db: w.db, file: w.file, stop: w.stop, sweep: w.sweep}
}
