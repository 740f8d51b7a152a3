package e2e_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"rowbot/sandbox"
)

// link leads to a message.
func link(m *sandbox.Message) string {
	return fmt.Sprintf("https://discord.com/channels/%s/%s/%s", m.GuildID, m.ChannelID, m.ID)
}

// notYours is what a stranger hears.
func (tb *table) notYours() string {
	return fmt.Sprintf("This match is between %s and %s. Start your own with /%s challenge.", tb.player(0), tb.player(1), tb.game)
}

func TestResign(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob, darya := w.Alice.In(w.Games), w.Bob.In(w.Games), w.Darya.In(w.Games)
	button := func(tb *table, by sandbox.Seat) *sandbox.Message {
		return tb.see(by.Click(t.Context(), tb.board, "Resign"))
	}
	menu := func(tb *table, by sandbox.Seat) *sandbox.Message {
		return tb.see(by.Click(t.Context(), tb.see(by.Click(t.Context(), tb.board, "More")), "Resign"))
	}
	command := func(tb *table, by sandbox.Seat) *sandbox.Message {
		return tb.see(by.Slash(t.Context(), tb.game+" resign"))
	}
	for _, c := range []struct {
		name, game string
		ask        func(*table, sandbox.Seat) *sandbox.Message
		who        int
	}{
		{"ttt by button", "ttt", button, 0},
		{"ttt by command, not one's turn", "ttt", command, 1},
		{"gomoku by menu", "gomoku", menu, 1},
		{"gomoku by command", "gomoku", command, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			tb := w.on(t).challenge(alice, bob, c.game)
			tb.play("b2", "a1")
			loser, other := tb.seats[c.who], tb.seats[1-c.who]
			question := c.ask(tb, loser)
			if want := fmt.Sprintf("Give up %s against %s? They win then.", tb.title, tb.player(1-c.who)); question.Text() != want || !question.Ephemeral() {
				t.Fatalf("asked %q, want %q", question.Text(), want)
			}
			// The question's button is nobody else's, even where they get hold of it.
			before := face(tb.board)
			for _, seat := range []sandbox.Seat{other, darya} {
				tb.told(fmt.Sprintf("That one is for %s to answer.", tb.player(c.who)))(
					seat.Forge(t.Context(), tb.board, question.Button("Resign").CustomID))
			}
			if now := face(w.Message(tb.board.ChannelID, tb.board.ID)); now != before {
				t.Fatalf("somebody else pressed, and the board is\n%s", now)
			}
			done := tb.told("You resigned. A good match all the same!")(loser.Click(t.Context(), question, "Resign"))
			if len(done.Buttons()) > 0 {
				t.Error("the answered question still has buttons")
			}
			tb.board = tb.await(tb.board, "the board does not end", contains("resigned"))
			tb.ended(fmt.Sprintf("%s **won** · %s resigned · 2 moves", tb.named(1-c.who), tb.player(c.who)))
			tb.told("This match is over. Press Rematch under its board for another one.")(loser.Forge(t.Context(), question, question.Button("Resign").CustomID))
		})
	}
}

// offer has a seat offer a draw with the button or the command, and checks the
// public offer.
func (tb *table) offer(seat int, byCommand bool) *sandbox.Message {
	tb.t.Helper()
	by := tb.seats[seat]
	var m *sandbox.Message
	switch {
	case byCommand:
		m = tb.see(by.Slash(tb.t.Context(), tb.game+" draw"))
	case tb.game == "ttt":
		m = tb.see(by.Click(tb.t.Context(), tb.board, "Offer draw"))
	default:
		menu := tb.see(by.Click(tb.t.Context(), tb.board, "More"))
		m = tb.see(by.Click(tb.t.Context(), menu, "Offer draw"))
	}
	says := fmt.Sprintf("%s offers %s a draw.", tb.player(seat), tb.player(1-seat))
	if m.Text() != says || m.Ephemeral() || !slices.Equal(labels(m.Buttons()), []string{"Accept", "Decline"}) {
		tb.t.Fatalf("the offer is %q (private: %v) with %v", m.Text(), m.Ephemeral(), labels(m.Buttons()))
	}
	if other := tb.seats[1-seat].Person().ID(); !slices.Equal(m.Pings, []string{other}) {
		tb.t.Errorf("the offer pings %v, want %s", m.Pings, other)
	}
	tb.board = tb.await(tb.board, "the board does not show the offer", contains(says))
	tb.verify()
	return m
}

func TestDrawOffer(t *testing.T) {
	t.Parallel()
	w := start(t)
	for _, game := range []string{"ttt", "gomoku"} {
		title := map[string]string{"ttt": "**Tic-tac-toe** · ", "gomoku": "**Gomoku** · "}[game]
		for i, byCommand := range []bool{false, true} {
			channel := w.Playground.AddChannel(fmt.Sprintf("draw-%s-%d", game, i))
			alice, bob, darya := w.Alice.In(channel), w.Bob.In(channel), w.Darya.In(channel)
			t.Run(fmt.Sprintf("%s, by command %v", game, byCommand), func(t *testing.T) {
				ctx := t.Context()
				tb := w.on(t).challenge(alice, bob, game)
				tb.play("b2")
				// Declined: the match goes on.
				offer := tb.offer(1, byCommand)
				tb.told(tb.notYours())(darya.Click(ctx, offer, "Accept"))
				tb.told("That one is for " + tb.player(0) + " to answer.")(bob.Click(ctx, offer, "Accept"))
				tb.told("You have offered a draw already. " + tb.player(0) + " can answer it.")(bob.Slash(ctx, game+" draw"))
				said := tb.see(alice.Click(ctx, offer, "Decline"))
				if want := title + tb.player(0) + " declined the draw. The match goes on."; said.Text() != want || said.ID != offer.ID || len(said.Buttons()) > 0 {
					t.Fatalf("declined: %q with %v", said.Text(), labels(said.Buttons()))
				}
				tb.board = tb.await(tb.board, "the offer stays on the board", func(m *sandbox.Message) bool { return !contains("offers")(m) })
				tb.play("a1")
				// Forgotten with the other side's move.
				offer = tb.offer(0, byCommand)
				tb.play("a2")
				tb.play("c1")
				if strings.Contains(tb.board.Text(), "offers") {
					t.Errorf("the offer outlives the opponent's move:\n%s", tb.board.Text())
				}
				tb.await(offer, "the buttons of an old offer stay", func(m *sandbox.Message) bool {
					return m.Text() == title+"This draw offer no longer stands." && len(m.Buttons()) == 0
				})
				tb.told("This draw offer no longer stands.")(bob.Click(ctx, offer, "Accept"))
				// Accepted.
				offer = tb.offer(1, byCommand)
				said = tb.see(alice.Click(ctx, offer, "Accept"))
				if want := title + tb.player(0) + " accepted. A draw, agreed."; said.Text() != want || len(said.Buttons()) > 0 {
					t.Errorf("accepted: %q with %v", said.Text(), labels(said.Buttons()))
				}
				tb.board = tb.await(tb.board, "the board does not end", contains("agreed"))
				tb.ended("A draw · agreed · 4 moves")
				// Answered once more.
				tb.told("A draw, agreed.")(alice.Click(ctx, offer, "Accept"))
				if now := tb.Message(said.ChannelID, said.ID); now.Text() != said.Text() {
					t.Errorf("the news became %q", now.Text())
				}
			})
		}
	}
}

func TestDrawOfferedByBoth(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	for i, again := range []func(*table) (*sandbox.Reply, error){
		func(tb *table) (*sandbox.Reply, error) { return bob.Click(t.Context(), tb.board, "Offer draw") },
		func(*table) (*sandbox.Reply, error) { return bob.Slash(t.Context(), "ttt draw") },
	} {
		tb := w.challenge(alice, bob, "ttt")
		tb.play("b2", "a1")
		tb.offer(0, i == 1)
		tb.told("You both want a draw, so a draw it is.")(again(tb))
		tb.board = tb.await(tb.board, "the board does not end", contains("agreed"))
		tb.ended("A draw · agreed · 2 moves")
	}
	solo := w.alone(alice, 0, "gomoku")
	before := face(solo.board)
	solo.told("Rowbot plays every match to its end. Play on, or resign.")(alice.Slash(t.Context(), "gomoku draw"))
	menu := solo.see(alice.Click(t.Context(), solo.board, "More"))
	if got := labels(menu.Buttons()); !slices.Equal(got, []string{"Pass", "Resign"}) || face(solo.board) != before {
		t.Errorf("the menu against Rowbot has %v", got)
	}
}

func TestRematch(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob, darya := w.Alice.In(w.Games), w.Bob.In(w.Games), w.Darya.In(w.Games)
	tb := w.challenge(alice, bob, "ttt")
	tb.play("a1", "a2", "b1", "b2", "c1")
	tb.told(tb.notYours())(darya.Click(t.Context(), tb.board, "Rematch"))
	again := *tb
	again.seats, again.moves = [2]sandbox.Seat{bob, alice}, nil
	again.board = w.see(bob.Click(t.Context(), tb.board, "Rematch"))
	if again.board.ID == tb.board.ID || again.board.Ephemeral() {
		t.Fatal("the rematch is no message of its own")
	}
	again.verify()
	there := "The rematch is here: " + link(again.board)
	old := w.await(tb.board, "the old board does not lead on", contains(there))
	if strings.Contains(strings.Join(labels(old.Buttons()), " "), "Rematch") {
		t.Errorf("the old board still offers a rematch: %v", labels(old.Buttons()))
	}
	tb.told(there)(alice.Click(t.Context(), tb.board, "Rematch"))
	again.play("b2", "a1")
	tb.told(there)(bob.Click(t.Context(), tb.board, "Rematch"))
	again.verify()

	// Both press at the same moment: one match.
	again.play("b1", "a3", "b3")
	var fresh []*sandbox.Message
	var mu sync.Mutex
	var both sync.WaitGroup
	for _, seat := range again.seats {
		both.Go(func() {
			r, err := seat.Click(t.Context(), again.board, "Rematch")
			if err != nil {
				t.Error(err)
				return
			}
			if m := r.Shown(); !m.Ephemeral() {
				mu.Lock()
				fresh = append(fresh, m)
				mu.Unlock()
			} else if s := m.Text(); !strings.HasPrefix(s, "The rematch is here: ") && s != "The rematch has just been started. Look further down." {
				t.Errorf("the later one is told %q", s)
			}
		})
	}
	both.Wait()
	if len(fresh) != 1 {
		t.Fatalf("%d rematches were posted", len(fresh))
	}
	third := *tb
	third.moves, third.board = nil, fresh[0]
	third.verify()
	third.play("c3", "c2")
}

func TestRematchAgainstRowbot(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice := w.Alice.In(w.Games)
	tb := w.alone(alice, 0, "gomoku", sandbox.Int("size", 19), sandbox.String("rules", "standard"))
	tb.play("j10")
	question := w.see(alice.Slash(t.Context(), "gomoku resign"))
	w.see(alice.Click(t.Context(), question, "Resign"))
	tb.board = w.await(tb.board, "the board does not end", contains("resigned"))
	tb.ended(fmt.Sprintf("%s **won** · %s resigned · 2 moves", tb.named(1), tb.player(0)))
	again := *tb
	again.seats, again.rowbot, again.moves = [2]sandbox.Seat{1: alice}, 0, nil
	again.board = w.see(alice.Click(t.Context(), tb.board, "Rematch"))
	again.adopt()
	again.verify()
	again.play("s1")
}

func TestBoardCommand(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	for _, game := range []string{"ttt", "gomoku"} {
		tb := w.challenge(alice, bob, game)
		tb.play("b2", "a1")
		old := tb.board
		tb.board = w.see(bob.Slash(t.Context(), game+" board"))
		if tb.board.ID == old.ID {
			t.Fatal("no new message")
		}
		tb.verify()
		moved := "The board is here now: " + link(tb.board)
		bare := w.await(old, "the old board stays", contains(moved))
		if len(bare.Buttons()) > 0 {
			t.Errorf("the old board keeps %v", labels(bare.Buttons()))
		}
		// A click that was on its way plays nothing, and says where to go.
		cell := map[string]string{"ttt": "c3", "gomoku": "a2"}[game]
		if game == "gomoku" {
			cell = anyCell(old)
		}
		w.told(moved)(alice.Click(t.Context(), old, cell))
		if now := w.Message(tb.board.ChannelID, tb.board.ID); face(now) != face(tb.board) {
			t.Fatalf("a click on the old board changed the match:\n%s", now.Text())
		}
		tb.play(cell)
		w.see(bob.Click(t.Context(), w.see(bob.Slash(t.Context(), game+" resign")), "Resign"))
	}
}

// Where the board has moved on or to another message, a draw is not offered:
// the last move may have changed the player's mind.
func TestDrawNotOfferedFromOldBoard(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	tb := w.challenge(alice, bob, "ttt")
	first := tb.board
	tb.play("b2")
	if tb.board = w.see(bob.Click(ctx, first, "Offer draw")); contains("offers")(tb.board) {
		t.Errorf("a draw offered from an old board:\n%s", tb.board.Text())
	}
	tb.verify()
	old := tb.board
	tb.board = w.see(bob.Slash(ctx, "ttt board"))
	bare := w.await(old, "the old board stays", contains("The board is here now"))
	_, there, _ := strings.Cut(bare.Text(), "The board is here now")
	w.told("The board is here now" + there)(bob.Forge(ctx, bare, old.Button("Offer draw").CustomID))
	tb.unchanged()
	tb.play("a1")

	large := w.challenge(alice, bob, "gomoku")
	menu := w.see(bob.Click(ctx, large.board, "More"))
	large.play("h8")
	w.told("The board has moved on since you opened this menu. Open it again with More.")(bob.Click(ctx, menu, "Offer draw"))
	large.unchanged()
	menu = w.see(bob.Click(ctx, large.board, "More"))
	large.play("h9", "i9")
	w.told("The board has moved on since you opened this menu. Open it again with More.")(bob.Click(ctx, menu, "Pass"))
	large.unchanged()
}

// A board between people is not posted where the other side may not see it.
func TestBoardStaysInItsServer(t *testing.T) {
	t.Parallel()
	w := start(t)
	ctx := t.Context()
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	tb := w.challenge(alice, bob, "ttt")
	named := sandbox.String("match", tb.idOf(0))
	elsewhere := w.AddGuild("Elsewhere", sandbox.GuildOptions{Owner: w.Alice}).AddChannel("games")
	stays := "That match is played elsewhere: " + link(tb.board) + ". Post its board there."
	w.told(stays)(w.Alice.DM().Slash(ctx, "ttt board", named))
	w.told(stays)(w.Alice.In(elsewhere).Slash(ctx, "ttt board", named))
	tb.unchanged()
	tb.board = w.see(w.Alice.In(w.General).Slash(ctx, "ttt board", named))
	tb.verify()

	solo := w.alone(alice, 0, "gomoku")
	solo.board = w.see(w.Alice.DM().Slash(ctx, "gomoku board", sandbox.String("match", solo.idOf(0))))
	solo.verify()
	solo.seats[0] = w.Alice.DM()
	solo.play("h8")
}
