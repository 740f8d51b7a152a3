package e2e_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rowbot/sandbox"
)

// beat plays a match that the first of two wins.
func (w *world) beat(by, loser sandbox.Seat) {
	w.t.Helper()
	w.challenge(by, loser, "ttt").play("a1", "a2", "b1", "b2", "c1")
}

// giveUp starts a match and has the first of two give it up: the other wins.
func (w *world) giveUp(loser, winner sandbox.Seat, game string) {
	w.t.Helper()
	tb := w.challenge(loser, winner, game)
	tb.play(enough[game]...)
	w.see(loser.Click(w.t.Context(), w.see(loser.Slash(w.t.Context(), game+" resign")), "Resign"))
	w.await(tb.board, "the board does not end", contains("resigned"))
}

// enough are the moves after which a match that is given up is rated.
var enough = map[string][]string{"ttt": {"a1", "b2"}, "gomoku": {"h8", "h9", "g8", "g9"}}

// agree starts a match and has both agree to a draw.
func (w *world) agree(a, b sandbox.Seat, game string) {
	w.t.Helper()
	tb := w.challenge(a, b, game)
	tb.play(enough[game]...)
	w.see(b.Click(w.t.Context(), w.see(a.Slash(w.t.Context(), game+" draw")), "Accept"))
	w.await(tb.board, "the board does not end", contains("agreed"))
}

// place is one line of a leaderboard.
type place struct {
	place            int
	user             string
	rating           int
	provisional      bool
	won, drawn, lost int
}

var placeLine = regexp.MustCompile(`^(\d+)\. <@(\d+)> · (\d+)(\??) · (\d+) W (\d+) D (\d+) L$`)

// ranking reads a leaderboard: its title, and one line a player.
func (w *world) ranking(m *sandbox.Message) (title string, list []place) {
	w.t.Helper()
	title, rest, _ := strings.Cut(m.Text(), "\n")
	if len(m.Pings) > 0 || m.Ephemeral() {
		w.t.Errorf("the leaderboard pings %v, private: %v", m.Pings, m.Ephemeral())
	}
	for line := range strings.SplitSeq(rest, "\n") {
		f := placeLine.FindStringSubmatch(line)
		if f == nil {
			if line != "…" {
				w.t.Fatalf("line %q in\n%s", line, m.Text())
			}
			continue
		}
		n := func(i int) int {
			v, err := strconv.Atoi(f[i])
			if err != nil {
				w.t.Fatal(err)
			}
			return v
		}
		list = append(list, place{n(1), f[2], n(3), f[4] == "?", n(5), n(6), n(7)})
	}
	return title, list
}

func TestLeaderboard(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	if m := w.see(w.Alice.In(w.Games).Slash(ctx, "leaderboard")); !strings.Contains(m.Text(), "Nobody has finished a match here yet.") {
		t.Errorf("before any match:\n%s", m.Text())
	}
	// Fourteen people; p[0] wins most, p[1] after them.
	var p []sandbox.Seat
	for i := range 14 {
		who := w.AddPerson(fmt.Sprintf("Player %d", i), sandbox.PersonOptions{})
		w.Playground.AddMember(who)
		p = append(p, who.In(w.Games))
	}
	for i := 1; i < 14; i++ {
		w.giveUp(p[i], p[0], "ttt")
	}
	for i := 2; i < 8; i++ {
		w.giveUp(p[i], p[1], "ttt")
	}
	w.agree(p[2], p[3], "ttt")
	w.beat(p[13], p[12])

	m := w.see(p[0].Slash(ctx, "leaderboard", sandbox.String("game", "ttt")))
	title, list := w.ranking(m)
	if title != "**Leaderboard** · Tic-tac-toe · this server · by rating" || len(list) != 10 {
		t.Fatalf("%d lines under %q", len(list), title)
	}
	if !slices.Equal(labels(m.Buttons()), []string{"‹", "›", "Gomoku", "by wins"}) || !m.Button("‹").Disabled {
		t.Errorf("buttons %v", labels(m.Buttons()))
	}
	next := w.see(p[0].Click(ctx, m, "›"))
	_, second := w.ranking(next)
	if next.ID != m.ID || !next.Button("›").Disabled || next.Button("‹").Disabled {
		t.Errorf("the second page of two has %v", labels(next.Buttons()))
	}
	all := append(slices.Clone(list[:10]), second[:4]...)
	w.ranked(all, func(a, b place) bool { return a.rating >= b.rating })
	if len(second) != 5 || second[4] != list[0] {
		t.Errorf("page two ends with %+v, want the reader's own place", second[len(second)-1])
	}
	back := w.see(p[0].Click(ctx, next, "‹"))
	if back.Text() != m.Text() {
		t.Errorf("back on page one:\n%s\nwant\n%s", back.Text(), m.Text())
	}
	// Page one ends with the reader's own place, wherever that is.
	last := w.PersonByID(all[13].user).In(w.Games)
	if _, list := w.ranking(w.see(last.Slash(ctx, "leaderboard"))); len(list) != 11 || list[10] != all[13] {
		t.Errorf("%d lines, the last %+v, want %+v", len(list), list[len(list)-1], all[13])
	}
	if m := w.see(p[0].Slash(ctx, "leaderboard")); strings.Contains(m.Text(), "…") || strings.Count(m.Text(), p[0].Person().Mention()) != 1 {
		t.Errorf("somebody on the page is listed twice:\n%s", m.Text())
	}

	byWins := w.see(last.Click(ctx, back, "by wins"))
	title, list = w.ranking(byWins)
	if title != "**Leaderboard** · Tic-tac-toe · this server · by wins" || list[0].user != p[0].Person().ID() || list[0].won != 13 || list[1].won != 6 {
		t.Errorf("%s: %+v", title, list[:2])
	}
	same := w.see(last.Slash(ctx, "leaderboard", sandbox.String("by", "wins"), sandbox.String("game", "ttt")))
	if same.Text() != byWins.Text() {
		t.Errorf("the order of equals changes:\n%s\n%s", same.Text(), byWins.Text())
	}
	if got := labels(byWins.Buttons()); got[3] != "by rating" {
		t.Errorf("the other order is called %v", got)
	}
	if m := w.see(last.Click(ctx, byWins, "Gomoku")); !strings.HasPrefix(m.Text(), "**Leaderboard** · Gomoku · this server · by wins\nNobody") {
		t.Errorf("the other game:\n%s", m.Text())
	}
}

// ranked checks a whole leaderboard: places from 1, nobody twice, in order, and
// the sum of all matches.
func (w *world) ranked(all []place, ordered func(a, b place) bool) {
	w.t.Helper()
	seen := map[string]bool{}
	won, lost, drawn := 0, 0, 0
	for i, p := range all {
		if p.place != i+1 || seen[p.user] || i > 0 && !ordered(all[i-1], p) {
			w.t.Errorf("line %d is %+v", i+1, p)
		}
		if seen[p.user] = true; !p.provisional && p.won+p.drawn+p.lost < 5 {
			w.t.Errorf("%+v is not provisional", p)
		}
		won, lost, drawn = won+p.won, lost+p.lost, drawn+p.drawn
	}
	if len(all) != 14 || won != 20 || lost != 20 || drawn != 2 {
		w.t.Errorf("%d people, %d won, %d lost, %d drawn", len(all), won, lost, drawn)
	}
}

func TestLeaderboardScope(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	other := w.AddGuild("Elsewhere", sandbox.GuildOptions{Owner: w.Chen, Members: []*sandbox.Person{w.Darya}})
	there := other.AddChannel("games")
	w.beat(w.Alice.In(w.Games), w.Bob.In(w.Games))
	w.giveUp(w.Chen.In(there), w.Darya.In(there), "gomoku")
	w.beat(w.Chen.In(there), w.Darya.In(there))
	count := func(m *sandbox.Message) string {
		title, list := w.ranking(m)
		names := []string{title}
		for _, p := range list {
			names = append(names, w.PersonByID(p.user).Name())
		}
		return strings.Join(names, " ")
	}
	for _, c := range []struct {
		at      sandbox.Seat
		options []sandbox.Option
		want    string
	}{
		// Without a game it is the one played last, in that scope.
		{w.Bob.In(w.Games), nil, "**Leaderboard** · Tic-tac-toe · this server · by rating Alice Bob"},
		{w.Chen.In(there), nil, "**Leaderboard** · Tic-tac-toe · this server · by rating Chen Дарья"},
		{w.Bob.In(w.Games), []sandbox.Option{sandbox.String("scope", "everywhere"), sandbox.String("game", "gomoku")}, "**Leaderboard** · Gomoku · everywhere · by rating Дарья Chen"},
		{w.Bob.In(w.Games), []sandbox.Option{sandbox.String("scope", "server"), sandbox.String("game", "gomoku")}, ""},
	} {
		m := w.see(c.at.Slash(ctx, "leaderboard", c.options...))
		if c.want == "" {
			if !strings.Contains(m.Text(), "Nobody has finished a match here yet.") {
				t.Errorf("no match here, but\n%s", m.Text())
			}
		} else if got := count(m); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	m := w.see(w.Bob.In(w.Games).Slash(ctx, "leaderboard", sandbox.String("scope", "everywhere"), sandbox.String("game", "ttt")))
	// Equals keep one order: two have won a match, and two have lost one.
	if got := count(m); got != "**Leaderboard** · Tic-tac-toe · everywhere · by rating Alice Chen Bob Дарья" {
		t.Errorf("equals stand in the order %q", got)
	}
	// In direct messages there is no server.
	if m := w.see(w.Chen.DM().Slash(ctx, "leaderboard")); !strings.Contains(m.Text(), "· everywhere ·") {
		t.Errorf("in direct messages:\n%s", m.Text())
	}
}

func TestStats(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	alice, bob, chen := w.Alice.In(w.Games), w.Bob.In(w.Games), w.Chen.In(w.Games)
	a, b := w.Alice.Mention(), w.Bob.Mention()
	if m := w.see(alice.Slash(ctx, "stats")); m.Text() != "**Statistics** · "+a+"\nNo finished match yet." {
		t.Errorf("at first:\n%s", m.Text())
	}
	w.beat(alice, bob)
	w.beat(alice, bob)
	w.giveUp(alice, bob, "ttt")
	w.beat(alice, bob)
	w.agree(bob, alice, "gomoku")
	w.beat(chen, alice)
	solo := w.alone(alice, 0, "ttt")
	w.see(alice.Click(ctx, w.see(alice.Click(ctx, solo.board, "Resign")), "Resign"))

	lines := strings.Split(w.see(alice.Slash(ctx, "stats")).Text(), "\n")
	for i, want := range []string{
		`^\*\*Statistics\*\* · ` + a + `$`,
		`^\*\*Gomoku\*\* · 0 wins, 1 draw, 0 losses · rating 1500\? · streak 0, best 0$`,
		`^\*\*Tic-tac-toe\*\* · 3 wins, 0 draws, 2 losses · rating \d+\?? · streak 0, best 2$`,
		`^Against Rowbot:$`,
		`^\*\*Tic-tac-toe\*\* · random · 0 wins, 0 draws, 1 loss$`,
	} {
		if len(lines) != 5 || !regexp.MustCompile(want).MatchString(lines[i]) {
			t.Errorf("line %d of %d: %q, want %s", i+1, len(lines), lines[min(i, len(lines)-1)], want)
		}
	}
	// Of somebody else: the same for every reader.
	his := w.see(chen.Slash(ctx, "stats", sandbox.UserOption("player", w.Bob)))
	if own := w.see(bob.Slash(ctx, "stats")); own.Text() != his.Text() || !strings.Contains(his.Text(), "· 1 win, 0 draws, 3 losses ·") || len(his.Pings) > 0 {
		t.Errorf("Bob's:\n%s\n%s\npings %v", own.Text(), his.Text(), his.Pings)
	}
	// Head to head, from either side.
	h2h := w.see(alice.Slash(ctx, "stats", sandbox.UserOption("opponent", w.Bob)))
	want := "**Head to head** · " + a + " – " + b + "\n**Tic-tac-toe** · " + a + ": 3 wins, 0 draws, 1 loss\n**Gomoku** · " + a + ": 0 wins, 1 draw, 0 losses"
	if h2h.Text() != want {
		t.Errorf("head to head:\n%s\nwant\n%s", h2h.Text(), want)
	}
	h2h = w.see(chen.Slash(ctx, "stats", sandbox.UserOption("player", w.Bob), sandbox.UserOption("opponent", w.Alice)))
	if !strings.Contains(h2h.Text(), "**Tic-tac-toe** · "+b+": 1 win, 0 draws, 3 losses") {
		t.Errorf("head to head of others:\n%s", h2h.Text())
	}
	h2h = w.see(bob.Slash(ctx, "stats", sandbox.UserOption("opponent", w.Chen)))
	if !strings.HasSuffix(h2h.Text(), "\nThese two have not finished a match yet.") {
		t.Errorf("never met:\n%s", h2h.Text())
	}
	// Not of bots.
	bots := "Bots have no statistics here. Pick a person, or leave the option out for your own."
	w.told(bots)(alice.Slash(ctx, "stats", sandbox.UserOption("player", w.OtherBot)))
	w.told(bots)(alice.Slash(ctx, "stats", sandbox.UserOption("opponent", w.Bot())))
	w.told("Pick two different people to compare.")(alice.Slash(ctx, "stats", sandbox.UserOption("opponent", w.Alice)))
}
