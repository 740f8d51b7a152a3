package bot_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"
)

// What is counted and listed.
func TestRecords(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		tell := func(i *discordgo.Interaction, flags float64, words ...string) call {
			t.Helper()
			w.serve(i)
			c := w.expect(firstAnswer)[0]
			checkCall(t, c, 4, flags, words...)
			return c
		}
		tell(w.command(carol, "leaderboard", ""), components, "Nobody has finished a match here yet.")
		tell(w.command(carol, "stats", ""), components, "No finished match yet.")
		tell(w.command(carol, "matches", ""), components+private, "Your matches", "None at the moment.")
		w.start(small, board, "a1", "a2", "b1", "b2", "c1")
		w.start(large, board, "h8")

		c := tell(w.command(carol, "leaderboard", ""), components,
			"**Leaderboard** · Tic-tac-toe · this server · by rating", "<@"+alice+">", "1 W 0 D 0 L", "<@"+bob+">", "0 W 0 D 1 L")
		if strings.Index(c.words(), alice) > strings.Index(c.words(), bob) {
			t.Errorf("the loser stands above the winner: %v", c)
		}
		wins := buttons(c)["by wins"]
		w.serve(w.click(carol, wins, "800000000000000000"))
		checkCall(t, w.expect(firstAnswer)[0], 7, components, "by wins", "<@"+alice+">")
		tell(w.command(carol, "leaderboard", "", option("game", "gomoku"), option("scope", "everywhere"), option("by", "wins")), components,
			"Gomoku · everywhere · by wins", "Nobody has finished a match here yet.")
		tell(w.command(carol, "leaderboard", "", option("game", "chess")), private, "I don't know one of those options.")

		tell(w.command(bob, "stats", "", option("player", alice)), components, "<@"+alice+">", "1 win, 0 draws, 0 losses", "streak 1, best 1")
		c = tell(w.command(bob, "stats", "", option("opponent", alice)), components, "Head to head", "<@"+bob+">: 0 wins, 0 draws, 1 loss")
		if n := strings.Count(c.words(), "1 loss"); n != 1 {
			t.Errorf("the record is there %d times: %v", n, c)
		}
		tell(w.command(bob, "stats", "", option("opponent", carol)), components, "have not finished a match yet.")
		tell(w.command(bob, "stats", "", option("opponent", bob)), private, "Pick two different people")
		tell(w.command(bob, "stats", "", option("player", appID)), private, "Bots have no statistics here.")

		link := fmt.Sprintf("(https://discord.com/channels/%s/%s/%s)", guild, channel, board)
		tell(w.command(bob, "matches", ""), components+private, "Gomoku 15×15", "against <@"+alice+"> · your turn · move 2", link)
		tell(w.command(alice, "matches", ""), components+private, "against <@"+bob+"> · their turn · move 2", link)
		tell(w.command(alice, "help", ""), components+private, "/ttt challenge", "/gomoku bot", "/matches", "/leaderboard")
	})
}

// /matches goes on to further pages, of 15 matches each, for the caller alone.
func TestPagesOfMatches(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		const n = 32
		for i := range n {
			w.between(alice, strconv.Itoa(200+i), small, board, "a1")
			time.Sleep(time.Second)
		}
		// shows checks that a page has the matches with these numbers, the newest first.
		shows := func(c call, first, last int) map[string]string {
			t.Helper()
			var got, want []string
			for _, m := range regexp.MustCompile(`against <@(\d+)>`).FindAllStringSubmatch(c.words(), -1) {
				got = append(got, m[1])
			}
			for i := first; i >= last; i-- {
				want = append(want, strconv.Itoa(200+i))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("listed (-want +got):\n%s", diff)
			}
			return buttons(c)
		}
		press := func(id string) call {
			w.serve(w.clickPrivate(alice, id))
			c := w.expect(firstAnswer)[0]
			checkCall(t, c, 7, components, "Your matches")
			return c
		}
		w.serve(w.command(alice, "matches", ""))
		c := w.expect(firstAnswer)[0]
		checkCall(t, c, 4, components+private, "Your matches")
		first := shows(c, 31, 17)
		if first["‹"] != "" || first["›"] != "8:1" {
			t.Fatalf("buttons of the first page: %v", first)
		}
		second := shows(press(first["›"]), 16, 2)
		if second["‹"] != "8:0" || second["›"] != "8:2" {
			t.Fatalf("buttons of the second page: %v", second)
		}
		last := shows(press(second["›"]), 1, 0)
		if last["‹"] != "8:1" || last["›"] != "" {
			t.Errorf("buttons of the last page: %v", last)
		}
		shows(press("8:3"), 31, 17) // there is none any more
		w.serve(w.click(alice, "8:1", "800000000000000000"))
		c = w.expect(firstAnswer)[0]
		checkCall(t, c, 4, components+private)
		shows(c, 16, 2)
		for _, id := range []string{"8:", "8:-1", "8:01", "8:1000", "8:x", "8:1:1"} {
			w.serve(w.clickPrivate(alice, id))
			checkCall(t, w.expect(firstAnswer)[0], 4, private, "That button belongs to an older version of me.")
		}
		w.serve(w.command(strconv.Itoa(200), "matches", ""))
		if b := buttons(w.expect(firstAnswer)[0]); len(b) != 0 {
			t.Errorf("a single page has buttons %v", b)
		}
	})
}

// What autocomplete suggests: legal cells, the likely ones first, and matches
// by name.
func TestSuggestions(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(large, board, "h8")
		w.start(small, "700000000000000002", "b2")
		suggested := func(user, name, option, typed string) (values []string) {
			t.Helper()
			w.serve(w.typing(user, name, "move", option, typed))
			c := w.expect(firstAnswer)[0]
			checkCall(t, c, 8, 0)
			for _, x := range c.data()["choices"].([]any) {
				values = append(values, x.(map[string]any)["value"].(string))
			}
			if len(values) > 25 {
				t.Errorf("%d suggestions", len(values))
			}
			return values
		}
		all := suggested(bob, "gomoku", "cell", "")
		if len(all) != 25 {
			t.Errorf("%d suggestions", len(all))
		}
		for _, s := range all[:8] { // next to the only stone
			at, err := large.ParsePoint(s)
			if err != nil || max(at.Col-7, 7-at.Col, at.Row-7, 7-at.Row) > 2 {
				t.Errorf("%s is not likely: %q", s, all)
			}
		}
		for typed, want := range map[string][]string{
			"a1": {"a1", "a13", "a10", "a11", "a12", "a14", "a15"}, "H8": {}, "８　１": {"a8"}, "xyz": {}, strings.Repeat("x", 6000): {},
		} {
			got := suggested(bob, "gomoku", "cell", typed)
			if len(got) != len(want) || len(want) > 0 && got[0] != want[0] {
				t.Errorf("%.10q: %q", typed, got)
			}
		}
		if got := suggested(carol, "gomoku", "cell", "h"); len(got) != 0 {
			t.Errorf("somebody without a match is offered %q", got)
		}
		if diff := cmp.Diff([]string{string(m.ID)}, suggested(bob, "gomoku", "match", "")); diff != "" {
			t.Errorf("matches (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{string(m.ID)}, suggested(bob, "gomoku", "match", "GOMOKU")); diff != "" {
			t.Errorf("matches (-want +got):\n%s", diff)
		}
		if got := suggested(bob, "gomoku", "match", "nothing like it"); len(got) != 0 {
			t.Errorf("matches %q", got)
		}
	})
}
