package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rowbot/sandbox"
)

func TestNoMatchHere(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice := w.Alice.In(w.General)
	// A match elsewhere, and one of the other game here, are not meant.
	w.challenge(w.Alice.In(w.Games), w.Bob.In(w.Games), "ttt")
	w.challenge(alice, w.Bob.In(w.General), "gomoku")
	none := "You have no match in this channel. Your matches: /matches. A new one: /ttt challenge or /ttt bot."
	for _, sub := range []string{"move", "resign", "draw", "board"} {
		var options []sandbox.Option
		if sub == "move" {
			options = append(options, sandbox.String("cell", "b2"))
		}
		w.told(none)(alice.Slash(t.Context(), "ttt "+sub, options...))
	}
	w.told(strings.ReplaceAll(none, "ttt", "gomoku"))(w.Alice.In(w.Games).Slash(t.Context(), "gomoku pass"))
}

// which runs a command that fits several matches and returns the question.
func (w *world) which(by sandbox.Seat, command string, options ...sandbox.Option) *sandbox.Message {
	w.t.Helper()
	m := w.told("Which match?")(by.Slash(w.t.Context(), command, options...))
	if m.Select("") == nil {
		w.t.Fatal("nothing to choose from")
	}
	return m
}

func TestSeveralMatches(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	alice, bob, chen := w.Alice.In(w.Games), w.Bob.In(w.Games), w.Chen.In(w.Games)
	one := w.challenge(alice, bob, "ttt")
	two := w.challenge(alice, chen, "ttt")

	// On turn in both: it asks, and plays where the answer says.
	m := w.which(alice, "ttt move", cell("2 2"))
	var offered []string
	for _, o := range m.Select("").Options {
		offered = append(offered, o.Label+", "+o.Description)
	}
	slices.Sort(offered)
	if want := []string{"Tic-tac-toe against Bob, move 1", "Tic-tac-toe against Chen, move 1"}; !slices.Equal(offered, want) {
		t.Errorf("offered %q, want %q", offered, want)
	}
	w.told("You played b2.")(alice.Select(ctx, m, "", "Tic-tac-toe against Bob"))
	one.follow("b2")

	// On turn in one: that one.
	two.command("a1", "a1")
	// In none.
	w.told("It isn't your turn in any of your matches here. Your matches: /matches")(alice.Slash(ctx, "ttt move", cell("c3")))
	// Only one match of Bob's is here.
	one.command("a3", "a3")
	w.told("It's " + w.Alice.Mention() + "'s turn. You'll be told when it's yours.")(bob.Slash(ctx, "ttt move", cell("c3")))

	// What asks back, or is for all to see, is asked about in the same way.
	offer := w.see(alice.Select(ctx, w.which(alice, "ttt draw"), "", "Tic-tac-toe against Chen"))
	if want := two.player(0) + " offers " + two.player(1) + " a draw."; offer.Text() != want || offer.Ephemeral() {
		t.Errorf("the chosen draw: %q", offer.Text())
	}
	two.board = w.await(two.board, "the offer is not shown", contains("offers"))
	one.board = w.see(alice.Select(ctx, w.which(alice, "ttt board"), "", "Tic-tac-toe against Bob"))
	one.verify()
	question := w.told("Give up Tic-tac-toe against " + two.player(1) + "? They win then.")(
		alice.Select(ctx, w.which(alice, "ttt resign"), "", "Tic-tac-toe against Chen"))
	if question.Select("") != nil {
		t.Error("the question still has the select")
	}
	w.told("You resigned. A good match all the same!")(alice.Click(ctx, question, "Resign"))
	two.board = w.await(two.board, "the board does not end", contains("resigned"))
	two.ended(fmt.Sprintf("%s **won** · %s resigned · 1 move", two.named(1), two.player(0)))
	one.play("c1", "c3")

	// A pass is asked about as well.
	large := w.challenge(alice, bob, "gomoku")
	w.challenge(alice, chen, "gomoku", sandbox.Int("size", 19))
	w.told("You passed.")(alice.Select(ctx, w.which(alice, "gomoku pass"), "", "Gomoku 15×15 against Bob"))
	large.follow("pass")
}

// What is no cell of the matches in question is refused before anything is asked.
func TestSeveralMatchesNoCell(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice := w.Alice.In(w.Games)
	w.challenge(alice, w.Bob.In(w.Games), "gomoku")
	tb := w.challenge(alice, w.Chen.In(w.Games), "gomoku")
	for typed, want := range map[string]string{
		"xyz": `I can't read "xyz" as a cell. Write one like h8, or row and column: 8 8.`,
		"z9":  "There is no z9 on a 15×15 board: columns a–o, rows 1–15, like h8.",
		"":    `I can't read " " as a cell. Write one like h8, or row and column: 8 8.`,
	} {
		w.told(want)(alice.Slash(t.Context(), "gomoku move", sandbox.String("cell", typed+strings.Repeat(" ", 1-min(1, len(typed))))))
	}
	// A long way to write a cell is still a cell.
	m := w.which(alice, "gomoku move", sandbox.String("cell", "　８　，　１０　　"))
	w.told("You played j8.")(alice.Select(t.Context(), m, "", "Gomoku 15×15 against Chen"))
	tb.follow("j8")
}

// idOf is the value that the option "match" has for a match.
func (tb *table) idOf(seat int) string {
	tb.t.Helper()
	list, err := tb.seats[seat].Autocomplete(tb.t.Context(), tb.game+" resign", "match", "")
	if err != nil || len(list) == 0 {
		tb.t.Fatalf("no match is suggested: %v", err)
	}
	return list[0].Value.(string)
}

func TestMatchNamed(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	alice, bob, darya := w.Alice.In(w.Games), w.Bob.In(w.Games), w.Darya.In(w.Games)
	tb := w.challenge(alice, bob, "ttt")
	id := tb.idOf(0)
	named := func(s string) []sandbox.Option {
		return []sandbox.Option{sandbox.String("cell", "b2"), sandbox.String("match", s)}
	}
	before := face(tb.board)
	unknown := "I can't find that match among yours. Your matches: /matches"
	w.told(unknown)(darya.Slash(ctx, "ttt move", named(id)...))
	w.told(unknown)(alice.Slash(ctx, "gomoku move", named(id)...))
	for _, s := range []string{"no such thing", "1", "-1", "zzzzzzzzzzzzzzzzzzzzzz", "'; DROP TABLE matches", " " + id, strings.ToUpper(id)} {
		w.told(unknown)(alice.Slash(ctx, "ttt move", named(s)...))
	}
	w.told("It's " + w.Alice.Mention() + "'s turn. You'll be told when it's yours.")(bob.Slash(ctx, "ttt move", named(id)...))
	if now := w.Message(tb.board.ChannelID, tb.board.ID); face(now) != before {
		t.Fatalf("refused moves changed the board:\n%s", now.Text())
	}
	// From another channel as well.
	w.told("You played b2.")(w.Alice.In(w.General).Slash(ctx, "ttt move", named(id)...))
	tb.follow("b2")
	for _, sub := range []string{"resign", "draw", "board"} {
		w.told(unknown)(darya.Slash(ctx, "ttt "+sub, sandbox.String("match", id)))
	}
	w.told(unknown)(alice.Slash(ctx, "gomoku pass", sandbox.String("match", id)))
	tb.board = w.see(bob.Slash(ctx, "ttt board", sandbox.String("match", id)))
	tb.verify()
	tb.play("a1", "a2", "b1", "c2")
	w.told("This match is over. Press Rematch under its board for another one.")(bob.Slash(ctx, "ttt move", named(id)...))
	w.told("This match is over. Press Rematch under its board for another one.")(bob.Slash(ctx, "ttt resign", sandbox.String("match", id)))
	tb.verify()
}

// A challenge that nobody has taken up is no match to play in yet.
func TestChallengeIsNoMatch(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	offer := w.see(alice.Slash(ctx, "ttt challenge", sandbox.UserOption("opponent", w.Bob)))
	before := face(offer)
	w.told(w.Bob.Mention() + " hasn't accepted the challenge yet. Play starts when they do.")(alice.Slash(ctx, "ttt move", cell("b2")))
	w.told("You haven't accepted " + w.Alice.Mention() + "'s challenge yet. Press Accept on it first.")(bob.Slash(ctx, "ttt move", cell("b2")))
	w.told("You haven't accepted " + w.Alice.Mention() + "'s challenge yet. Press Accept on it first.")(bob.Slash(ctx, "ttt resign"))
	w.see(w.Chen.In(w.General).Slash(ctx, "ttt challenge"))
	w.told("Nobody has accepted your challenge yet. Play starts when somebody does.")(w.Chen.In(w.General).Slash(ctx, "ttt move", cell("b2")))
	if now := w.Message(offer.ChannelID, offer.ID); face(now) != before {
		t.Errorf("the challenge is now\n%s", face(now))
	}
}
