package e2e_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rowbot/sandbox"
)

// unchanged checks that the board message is as it was, and that what was shown
// can still be played on.
func (tb *table) unchanged() {
	tb.t.Helper()
	now := tb.Message(tb.board.ChannelID, tb.board.ID)
	if face(now) != face(tb.board) {
		tb.t.Fatalf("the board was\n%s\nand is\n%s", face(tb.board), face(now))
	}
	tb.verify()
}

// cell is the option of the move command.
func cell(s string) sandbox.Option { return sandbox.String("cell", s) }

func TestNotYourTurn(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	for _, game := range []string{"ttt", "gomoku"} {
		tb := w.challenge(alice, bob, game)
		tb.play("b2")
		his := "It's " + w.Bob.Mention() + "'s turn. You'll be told when it's yours."
		free := anyCell(tb.board)
		w.told(his)(alice.Click(ctx, tb.board, free))
		tb.unchanged()
		w.told(his)(alice.Slash(ctx, game+" move", cell("a1")))
		w.told(his)(alice.Slash(ctx, game+" move", cell("b2")))
		tb.unchanged()
		if game == "gomoku" {
			w.told(his)(alice.Click(ctx, tb.board, "Type a move"))
			w.told(his)(alice.Slash(ctx, "gomoku pass"))
			menu := w.see(alice.Click(ctx, tb.board, "More"))
			if !menu.Button("Pass").Disabled {
				t.Error("the menu offers to pass when it is not one's turn")
			}
			w.told(his)(alice.Forge(ctx, menu, menu.Button("Pass").CustomID))
			tb.unchanged()
		}
		tb.play(free)
		w.told("It's " + w.Alice.Mention() + "'s turn. You'll be told when it's yours.")(bob.Slash(ctx, game+" move", cell("c3")))
		tb.unchanged()
	}
}

var takenAnswer = regexp.MustCompile(`^(\w+) is taken\. Pick an empty cell, like (\w+)\.$`)

func TestTaken(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	for _, game := range []string{"ttt", "gomoku"} {
		tb := w.challenge(alice, bob, game)
		tb.play("b2", "a1")
		taken := func(r *sandbox.Reply, err error) {
			t.Helper()
			m := w.see(r, err)
			f := takenAnswer.FindStringSubmatch(m.Text())
			if f == nil || !m.Ephemeral() || f[1] != "a1" {
				t.Fatalf("told %q (private: %v)", m.Text(), m.Ephemeral())
			}
			if _, there := tb.grid().stones[f[2]]; there {
				t.Errorf("%s is no empty cell", f[2])
			}
			tb.unchanged()
		}
		taken(alice.Slash(ctx, game+" move", cell("a1")))
		taken(alice.Slash(ctx, game+" move", cell(" A 1 ")))
		taken(alice.Slash(ctx, game+" move", cell(fmt.Sprintf("%d 1", tb.side))))
		// The disabled button, which no client lets anybody press.
		if b := button(tb.board, "a1"); b != nil {
			taken(alice.Forge(ctx, tb.board, b.CustomID))
		}
		if game == "gomoku" {
			r, err := alice.Click(ctx, tb.board, "Type a move")
			if err != nil || r.Modal == nil {
				t.Fatalf("no form: %v", err)
			}
			taken(alice.SubmitModal(ctx, r.Modal, map[string]string{"cell": "a1"}))
		}
		tb.play("b1")
	}
}

// button is the button of a cell, which has a mark and no label once it is taken.
func button(m *sandbox.Message, cell string) *sandbox.Component {
	i := slices.IndexFunc(m.Buttons(), func(b *sandbox.Component) bool { return strings.HasSuffix(b.CustomID, ":"+cell) })
	if i < 0 {
		return nil
	}
	return m.Buttons()[i]
}

func TestOffTheBoard(t *testing.T) {
	t.Parallel()
	w := start(t)
	for _, c := range []struct {
		game, rest string
		size       int64
		cells      string
	}{
		{"ttt", "on a 3×3 board: columns a–c, rows 1–3, like b2.", 3, "d1 a4 z9 a0 c99999999999999999999"},
		{"gomoku", "on a 15×15 board: columns a–o, rows 1–15, like h8.", 15, "z9 p1 a16 h0 o99"},
		{"gomoku", "on a 19×19 board: columns a–s, rows 1–19, like j10.", 19, "t1 a20 s0"},
	} {
		there := w.Playground.AddChannel(fmt.Sprint("off", c.size))
		by, options := w.Alice.In(there), []sandbox.Option(nil)
		if c.game == "gomoku" {
			options = append(options, sandbox.Int("size", c.size))
		}
		tb := w.challenge(by, w.Bob.In(there), c.game, options...)
		for s := range strings.FieldsSeq(c.cells) {
			w.told("There is no " + s + " " + c.rest)(by.Slash(t.Context(), c.game+" move", cell(s)))
		}
		for _, s := range []string{"0 1", "1 0", fmt.Sprintf("%d 1", c.size+1), fmt.Sprintf("1 %d", c.size+1)} {
			w.told("There is no " + s + " " + c.rest)(by.Slash(t.Context(), c.game+" move", cell(s)))
		}
		tb.unchanged()
		tb.play("a1")
	}
}

var notACell = regexp.MustCompile(`^I can't read "(.*)" as a cell\. Write one like (\w+), or row and column: (\d+ \d+)\.$`)

// loud is text that markdown or a mention could hide in: punctuation without a
// backslash before it.
var loud = regexp.MustCompile(`(^|[^\\])[*_~` + "`" + `|<>@#\[\]()]`)

func TestNotACell(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	texts := []string{
		"xyz", "h", "8", "h8 h9", "8 8 8", "8,,8", ",8", "h-8", "h8!", "-1 2", "1.5 2", "hh8", "8h", "h 8 8", "０", "h08", "x1y",
		"ж8", "八八", "🎲", "pass", "@everyone", "<@" + w.Bob.ID() + ">", "**h8**", "`h8`", "```", "||h8||", "[h8](https://example.com)",
		"h8\nh9", "# h8", "h\u200b8", "\u202eh8", strings.Repeat("h8", 500), strings.Repeat("*", 100), `\*h8\*`, `\`, "{{.Text}}", "%s %d",
	}
	for _, c := range []struct {
		game, example, pair string
		size                int64
	}{{"ttt", "b2", "2 2", 3}, {"gomoku", "h8", "8 8", 15}, {"gomoku", "j10", "10 10", 19}} {
		there := w.Playground.AddChannel(fmt.Sprint("cells", c.size))
		by, options := w.Alice.In(there), []sandbox.Option(nil)
		if c.game == "gomoku" {
			options = append(options, sandbox.Int("size", c.size))
		}
		tb := w.challenge(by, w.Bob.In(there), c.game, options...)
		for _, s := range texts {
			m := w.see(by.Slash(ctx, c.game+" move", cell(s)))
			f := notACell.FindStringSubmatch(m.Text())
			if f == nil || f[2] != c.example || f[3] != c.pair || !m.Ephemeral() || len(m.Pings) > 0 {
				t.Errorf("%q is answered with %q (private: %v)", s, m.Text(), m.Ephemeral())
			} else if loud.MatchString(strings.ReplaceAll(f[1], `\\`, "")) || len([]rune(strings.ReplaceAll(f[1], `\`, ""))) > 31 {
				t.Errorf("%q is quoted as %s", s, f[1])
			}
		}
		w.told(fmt.Sprintf(`I can't read "xyz" as a cell. Write one like %s, or row and column: %s.`, c.example, c.pair))(
			by.Slash(ctx, c.game+" move", cell("xyz")))
		tb.unchanged()
		if c.game == "gomoku" {
			r, err := by.Click(ctx, tb.board, "Type a move")
			if err != nil || r.Modal == nil {
				t.Fatalf("no form: %v", err)
			}
			w.told(fmt.Sprintf(`I can't read "h8 \*\*x\*\*" as a cell. Write one like %s, or row and column: %s.`, c.example, c.pair))(
				by.SubmitModal(ctx, r.Modal, map[string]string{"cell": "h8 **x**"}))
			tb.unchanged()
		}
		tb.play("a1")
	}
}

func TestSomebodyElsesMatch(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	darya := w.Darya.In(w.Games)
	tables := []*table{
		w.challenge(w.Alice.In(w.Games), w.Bob.In(w.Games), "ttt").play("b2"),
		w.challenge(w.Alice.In(w.Games), w.Bob.In(w.Games), "gomoku").play("h8"),
		w.alone(w.Alice.In(w.Games), 1, "gomoku", sandbox.Int("size", 19)).play("a1"),
	}
	for _, tb := range tables {
		for _, b := range tb.board.Buttons() {
			if !b.Disabled {
				w.told(tb.notYours())(darya.Click(ctx, tb.board, b.CustomID))
			}
		}
		tb.unchanged()
		// Not in a private menu that they get hold of, either.
		if tb.game == "gomoku" {
			menu := w.see(tb.person().Click(ctx, tb.board, "More"))
			for _, b := range menu.Buttons() {
				w.told(tb.notYours())(darya.Forge(ctx, tb.board, b.CustomID))
			}
			tb.unchanged()
		}
	}
}

func TestOldBoard(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	alice, bob, darya := w.Alice.In(w.Games), w.Bob.In(w.Games), w.Darya.In(w.Games)
	note := "The board has moved on: here is how it stands."
	notes := func(by sandbox.Seat) (n int) {
		for _, m := range by.Messages() {
			if m.Ephemeral() && m.Text() == note {
				n++
			}
		}
		return n
	}
	for _, game := range []string{"ttt", "gomoku"} {
		tb := w.challenge(alice, bob, game)
		first := tb.board
		free := map[string]string{"ttt": "c3", "gomoku": "j9"}[game]
		tb.play(map[string]string{"ttt": "b2", "gomoku": "h8"}[game])
		// The one whose turn it is, and the one who has just moved.
		was := []int{notes(bob), notes(alice)}
		told := func(what string, more ...int) {
			w.await(&sandbox.Message{ChannelID: first.ChannelID}, what, func(*sandbox.Message) bool {
				return notes(bob) == was[0]+more[0] && notes(alice) == was[1]+more[1]
			})
		}
		for n, seat := range []sandbox.Seat{bob, alice} {
			m := w.see(seat.Click(ctx, first, free))
			if m.ID != tb.board.ID {
				t.Fatalf("an old board is answered with %q", m.Text())
			}
			tb.board = m
			tb.verify()
			told("a private word", 1, n)
		}
		// The same click once more, out of impatience: nothing to explain.
		tb.board = w.see(alice.Click(ctx, first, tb.moves[0]))
		tb.verify()
		w.told(tb.notYours())(darya.Click(ctx, first, free))
		tb.play(free)
		tb.board = w.see(bob.Click(ctx, first, free))
		tb.verify()
		told("no further word", 1, 1)
		if game == "gomoku" { // arrows and the form of an old board
			for _, key := range []string{"←", "Type a move"} {
				tb.board = w.see(alice.Click(ctx, first, key))
				tb.verify()
			}
		}
		w.see(alice.Click(ctx, w.see(alice.Slash(ctx, game+" resign")), "Resign"))
		tb.board = w.await(tb.board, "the board does not end", contains("resigned"))
		// The end stays the end.
		told("no further word", 1, 1)
		tb.board = w.see(alice.Click(ctx, first, anyCell(first)))
		tb.ended(fmt.Sprintf("%s **won** · %s resigned · 2 moves", tb.named(1), tb.player(0)))
		told("a private word at the end", 1, 2)
	}
}

// A form that was opened on an older board plays nothing.
func TestOldForm(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	tb := w.challenge(alice, bob, "gomoku")
	r, err := alice.Click(t.Context(), tb.board, "Type a move")
	if err != nil || r.Modal == nil {
		t.Fatalf("no form: %v", err)
	}
	tb.play("h8", "h9")
	tb.board = w.see(alice.SubmitModal(t.Context(), r.Modal, map[string]string{"cell": "j9"}))
	tb.verify()
	tb.play("j9")
}

func TestChallengeRefusals(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	alice := w.Alice.In(w.Games)
	for _, game := range []string{"ttt", "gomoku"} {
		w.told("You can't challenge yourself. Try /" + game + " bot.")(alice.Slash(ctx, game+" challenge", sandbox.UserOption("opponent", w.Alice)))
		w.told("I only know how to play people and myself. Try /" + game + " bot.")(alice.Slash(ctx, game+" challenge", sandbox.UserOption("opponent", w.OtherBot)))
	}
	// Values that no client offers.
	size := func(v any) sandbox.Seat {
		return alice.Tweak(func(payload map[string]any) {
			sub := payload["data"].(map[string]any)["options"].([]any)[0].(map[string]any)
			sub["options"] = []any{map[string]any{"name": "size", "type": 4, "value": v}}
		})
	}
	for _, v := range []any{17, 0, -1, 1e9} {
		w.told("I don't know one of those options. Pick from the list that Discord shows.")(size(v).Slash(ctx, "gomoku bot", sandbox.Int("size", 15)))
	}
	if got := w.see(alice.Slash(ctx, "matches")).Text(); !strings.Contains(got, "None at the moment.") {
		t.Errorf("refused challenges left something behind:\n%s", got)
	}
}

// Names may hold anything. In public they are mentions, and where they must be
// written out, nothing in them is read as markdown.
func TestNamesCannotInject(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice := w.Alice.In(w.Games)
	names := []string{"**loud** @everyone", "<@" + w.Chen.ID() + ">", "`code` ||x||"}
	for _, name := range names {
		w.Bob.Rename(name)
		tb := w.challenge(alice, w.Bob.In(w.Games), "ttt")
		if strings.Contains(tb.board.Text(), name) && name != w.Bob.Mention() {
			t.Errorf("the board writes the name out:\n%s", tb.board.Text())
		}
	}
	m := w.which(alice, "ttt board")
	for _, o := range m.Select("").Options {
		if want := "Tic-tac-toe against " + names[2]; o.Label != want {
			t.Errorf("the select offers %q, want %q", o.Label, want)
		}
	}
}

// When the fault is ours, it is said so, with a number for the log, and the
// match is safe.
func TestOurFault(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	tb := w.challenge(alice, bob, "ttt")
	tb.play("b2")
	if err := w.db.Close(); err != nil {
		t.Fatal(err)
	}
	broken := func(r *sandbox.Reply, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		w.told("Something went wrong on my side; your match is safe. Try again. ("+r.InteractionID+" for the log)")(r, err)
	}
	broken(bob.Click(t.Context(), tb.board, "a1"))
	broken(bob.Slash(t.Context(), "ttt move", cell("a1")))
	broken(bob.Slash(t.Context(), "ttt challenge"))
	broken(bob.Slash(t.Context(), "leaderboard"))
	if got := w.suggested(bob, "ttt move", "cell", ""); len(got) > 0 {
		t.Errorf("suggested without a store: %v", got)
	}
	tb.unchanged()
	w.stop()
	w.connect()
	tb.play("a1")
}
