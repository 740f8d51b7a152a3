package e2e_test

import (
	"slices"
	"strings"
	"testing"

	"rowbot/sandbox"
)

// suggested are the names of what an option suggests for a typed text; the
// values of cells are their names.
func (w *world) suggested(by sandbox.Seat, command, option, typed string, filled ...sandbox.Option) (names []string) {
	w.t.Helper()
	list, err := by.Autocomplete(w.t.Context(), command, option, typed, filled...)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, c := range list {
		if names = append(names, c.Name); option == "cell" && c.Value != c.Name {
			w.t.Errorf("%s stands for %v", c.Name, c.Value)
		}
	}
	return names
}

func TestSuggestedCells(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	if got := w.suggested(alice, "ttt move", "cell", ""); len(got) > 0 {
		t.Errorf("without a match: %v", got)
	}
	tb := w.challenge(alice, bob, "ttt")
	if got := w.suggested(alice, "ttt move", "cell", ""); len(got) != 9 || got[0] != "b2" {
		t.Errorf("on the empty board: %v", got)
	}
	tb.play("a1", "b2", "b1")
	// Bob has to stop the row.
	if got := w.suggested(bob, "ttt move", "cell", ""); len(got) != 6 || got[0] != "c1" {
		t.Errorf("with two in a row: %v", got)
	}
	for typed, want := range map[string]string{
		"a": "a2 a3", "C": "c1 c2 c3", "a2": "a2", "1 1": "a3", "Ｃ３": "c3", "a1": "", "b2": "", "d": "", "x y": "", "9 9": "",
	} {
		got := w.suggested(bob, "ttt move", "cell", typed)
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("%q suggests %v, want %s", typed, got, want)
		}
	}

	large := w.challenge(alice, bob, "gomoku", sandbox.Int("size", 19))
	large.play("d8", "a1", "e8", "c1", "f8", "o15", "g8")
	got := w.suggested(bob, "gomoku move", "cell", "")
	if len(got) != 25 || !slices.Contains(got[:2], "h8") || !slices.Contains(got[:2], "c8") {
		t.Errorf("against four in a row: %v", got)
	}
	got = w.suggested(bob, "gomoku move", "cell", "h1")
	if want := "h1 h10 h11 h12 h13 h14 h15 h16 h17 h18 h19"; got[0] != "h1" || !sameSet(got, strings.Fields(want)) {
		t.Errorf("h1 suggests %v", got)
	}
	for _, c := range w.suggested(bob, "gomoku move", "cell", "d") {
		if c == "d8" || c[0] != 'd' {
			t.Errorf("d suggests %s", c)
		}
	}
	// Of several matches, the one that is named.
	w.challenge(alice, w.Chen.In(w.Games), "gomoku")
	id := w.idAgainst(alice, "gomoku", "Bob")
	if got := w.suggested(alice, "gomoku move", "cell", "s1", sandbox.String("match", id)); !slices.Contains(got, "s19") {
		t.Errorf("in the named match on 19x19, s1 suggests %v", got)
	}
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// idAgainst is the value of the suggested match against somebody.
func (w *world) idAgainst(by sandbox.Seat, game, opponent string) string {
	w.t.Helper()
	list, err := by.Autocomplete(w.t.Context(), game+" move", "match", opponent)
	if err != nil || len(list) != 1 {
		w.t.Fatalf("%d matches are suggested: %v", len(list), err)
	}
	return list[0].Value.(string)
}

func TestSuggestedMatches(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice := w.Alice.In(w.Games)
	here := w.challenge(alice, w.Bob.In(w.Games), "ttt")
	w.challenge(w.Alice.In(w.General), w.Chen.In(w.General), "ttt")
	w.challenge(alice, w.Bob.In(w.Games), "gomoku")
	w.challenge(w.Bob.In(w.Games), w.Darya.In(w.Games), "ttt")
	w.see(alice.Slash(t.Context(), "ttt challenge"))
	here.play("b2")
	for _, sub := range []string{"move", "resign", "draw", "board"} {
		got := w.suggested(alice, "ttt "+sub, "match", "")
		want := []string{"Tic-tac-toe against Bob · move 2 · last ❌ b2", "Tic-tac-toe against Chen · move 1"}
		if sub == "board" {
			want = append(want, "Tic-tac-toe against anybody · challenge, not answered yet")
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s suggests %q, want %q", sub, got, want)
		}
	}
	if got := w.suggested(w.Alice.In(w.General), "ttt resign", "match", ""); len(got) != 2 || !strings.Contains(got[0], "Chen") {
		t.Errorf("in the other channel: %q", got)
	}
	if got := w.suggested(alice, "ttt board", "match", "CHEN"); len(got) != 1 || !strings.Contains(got[0], "Chen") {
		t.Errorf("typed: %q", got)
	}
	if got := w.suggested(alice, "gomoku pass", "match", ""); !slices.Equal(got, []string{"Gomoku 15×15 against Bob · move 1"}) {
		t.Errorf("gomoku: %q", got)
	}
	if got := w.suggested(alice, "ttt board", "match", "nobody of that name"); len(got) != 0 {
		t.Errorf("typed something else: %q", got)
	}
}

func TestMatchesAndHelp(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	w.told("**Your matches**\nNone at the moment. Start one with /ttt challenge or /gomoku bot.")(alice.Slash(ctx, "matches"))

	tb := w.challenge(alice, bob, "ttt")
	tb.play("b2")
	solo := w.alone(w.Alice.In(w.General), 0, "gomoku")
	offer := w.see(bob.Slash(ctx, "gomoku challenge", sandbox.UserOption("opponent", w.Alice), sandbox.Int("size", 19)))
	ended := w.challenge(alice, w.Chen.In(w.Games), "ttt")
	ended.play("a1", "a2", "b1", "b2", "c1")

	list := w.see(alice.Slash(ctx, "matches"))
	lines := strings.Split(list.Text(), "\n")
	if len(lines) != 4 || !list.Ephemeral() || len(list.Pings) > 0 {
		t.Fatalf("the list:\n%s", list.Text())
	}
	for i, want := range []struct{ says, link string }{
		{"**Gomoku 19×19** · " + w.Bob.Mention() + " challenges you · expires <t:", link(offer)},
		{"**Gomoku 15×15** · against Rowbot (random) · your turn · move 1 · until <t:", link(solo.board)},
		{"**Tic-tac-toe** · against " + w.Bob.Mention() + " · their turn · move 2", link(tb.board)},
	} {
		if line := lines[i+1]; !strings.HasPrefix(line, want.says) || !strings.HasSuffix(line, "("+want.link+")") {
			t.Errorf("line %q, want %q and a link to %s", line, want.says, want.link)
		}
	}
	mine := w.see(bob.Slash(ctx, "matches")).Text()
	for _, want := range []string{"waiting for " + w.Alice.Mention() + " · expires", "against " + w.Alice.Mention() + " · your turn · move 2"} {
		if !strings.Contains(mine, want) {
			t.Errorf("Bob's list lacks %q:\n%s", want, mine)
		}
	}
	// More than fit stand on further pages, and the message stays inside the limits.
	for range 16 {
		w.see(w.Darya.In(w.Games).Slash(ctx, "gomoku bot", sandbox.Int("size", 19)))
	}
	page := w.see(w.Darya.In(w.Games).Slash(ctx, "matches"))
	if n := strings.Count(page.Text(), "your turn"); n != 15 || !page.Button("‹").Disabled {
		t.Errorf("%d of 16 matches listed:\n%s", n, page.Text())
	}
	page = w.see(w.Darya.In(w.Games).Click(ctx, page, "›"))
	if n := strings.Count(page.Text(), "your turn"); n != 1 || !page.Ephemeral() || !page.Button("›").Disabled {
		t.Errorf("%d matches on the second page:\n%s", n, page.Text())
	}

	help := w.see(alice.Slash(ctx, "help"))
	for _, want := range []string{"/ttt challenge", "/gomoku bot", "/gomoku move h8", "/matches", "/stats", "/leaderboard", "Type a move"} {
		if !strings.Contains(help.Text(), want) {
			t.Errorf("the help lacks %s:\n%s", want, help.Text())
		}
	}
	if n := strings.Count(help.Text(), "\n") + 1; n > 6 || !help.Ephemeral() {
		t.Errorf("the help has %d lines (private: %v)", n, help.Ephemeral())
	}
}
