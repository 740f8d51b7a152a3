package e2e_test

import (
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"rowbot/sandbox"
)

// Discord's refusals of an edit that will not pass by themselves.
var refusals = map[string]sandbox.Fault{
	"message unknown":     sandbox.Refusal(http.StatusNotFound, 10008, "Unknown Message"),
	"missing access":      sandbox.Refusal(http.StatusForbidden, 50001, "Missing Access"),
	"missing permissions": sandbox.Refusal(http.StatusForbidden, 50013, "Missing Permissions"),
	"too old": sandbox.Refusal(http.StatusTooManyRequests, 30046,
		"Maximum number of edits to messages older than 1 hour reached. Try again later."),
}

// A callback that goes wrong on its way is sent again: the person sees the
// answer in time, and nothing is played twice.
func TestCallbackGoesWrongOnce(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]sandbox.Fault{
		"answer lost":       sandbox.LostAnswer(),
		"request lost":      {Cut: true},
		"500":               sandbox.BadGateway(http.StatusInternalServerError),
		"502":               sandbox.BadGateway(0),
		"rate limited":      sandbox.RateLimited(200 * time.Millisecond),
		"globally limited":  sandbox.GlobalRateLimited(200 * time.Millisecond),
		"limited by proxy":  sandbox.HTMLRateLimited(200 * time.Millisecond),
		"slow":              sandbox.Slow(700 * time.Millisecond),
		"slow, then lost":   {Delay: 500 * time.Millisecond, Cut: true, After: true},
		"hangs, never done": {Delay: time.Minute, Cut: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newGatewayParty(t)
			board := p.duel("ttt")
			once := func() { p.ClearFaults(); p.Fail(1, http.MethodPost, sandbox.RouteCallback, fault) }
			once()
			board = p.play(board, "a1")
			p.stones(board, 1, map[string]byte{"a1": 'X'})
			once()
			p.told(p.click(p.alice, board, "a2"), "It's "+p.Bob.Mention()+"'s turn.")
			once()
			p.told(p.slash(p.bob, "ttt move", sandbox.String("cell", "b2")), "You played b2.")
			once()
			moved := p.slash(p.alice, "ttt board").Message
			p.stones(moved, 2, map[string]byte{"a1": 'X', "b2": 'O'})
			p.await(board, moved.ID) // the old message leads to the new one
			once()
			alone := p.slash(p.chen, "ttt bot", sandbox.String("side", "second")).Message
			p.stones(alone, 1, nil)
			p.ClearFaults()
			p.stones(p.update(p.alice, moved, "a3"), 3, map[string]byte{"a3": 'X'})
		})
	}
}

// A callback that cannot be delivered loses the answer and nothing else.
func TestCallbackNeverArrives(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]sandbox.Fault{
		"refused as late": sandbox.Refusal(http.StatusNotFound, 10062, "Unknown interaction"),
		"502":             sandbox.BadGateway(0),
		"limited":         sandbox.RateLimited(time.Minute),
		"late":            {Delay: 4 * time.Second},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newGatewayParty(t)
			p.lossy = true
			board := p.duel("ttt")
			p.Fail(-1, http.MethodPost, sandbox.RouteCallback, fault)
			if _, err := p.alice.Click(t.Context(), board, "a1"); err == nil && name != "late" {
				t.Error("the answer arrived")
			}
			p.ClearFaults()
			now := p.await(board, "move 2") // drawn without the answer
			p.stones(now, 1, map[string]byte{"a1": 'X'})
			// Alice clicks again, on what she still sees: it is not played twice.
			again := p.update(p.alice, board, "a1")
			p.stones(again, 1, map[string]byte{"a1": 'X'})
			p.stones(p.update(p.bob, again, "b2"), 2, map[string]byte{"a1": 'X', "b2": 'O'})
		})
	}
}

func TestDeliveredTwice(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.duel("ttt")
	board = p.update(p.alice.Twice(), board, "b2")
	board = p.update(p.bob.Twice(), board, "a1")
	p.stones(board, 2, map[string]byte{"b2": 'X', "a1": 'O'})

	before := len(p.Messages(p.Games.ID()))
	own := p.slash(p.chen.Twice(), "ttt bot").Message
	r := p.click(p.chen, own, "b2")
	r.Redeliver()
	large := p.slash(p.chen.Twice(), "gomoku bot", sandbox.String("side", "second")).Message
	p.told(p.slash(p.chen.Twice(), "gomoku pass"), "You passed.")
	p.says(p.await(large, "move 4"), p.Chen.Mention()+" to move")
	offer := p.slash(p.alice.Twice(), "ttt draw").Message
	p.update(p.bob.Twice(), offer, "Accept")
	end := p.await(board, "A draw")
	r = p.click(p.alice.Twice(), end, "Rematch")
	r.Redeliver()
	p.settled()
	// Three boards and a draw offer.
	if n := len(p.Messages(p.Games.ID())) - before; n != 4 {
		t.Errorf("%d public messages came of interactions delivered twice, want 4", n)
	}
	p.says(p.now(r.Message), p.Bob.Mention()+" to move", "move 1")
	p.stones(p.now(own), 2, map[string]byte{"b2": 'X'})
	p.says(p.slash(p.alice, "stats").Message, "0 wins, 1 draw, 0 losses")
}

// settled returns when Rowbot has read all that was sent to it before.
func (p *party) settled() {
	p.t.Helper()
	p.slash(p.Darya.In(p.Games), "help")
}

// Rowbot forgets at a restart what it has answered; the match does not.
func TestDeliveredAgainAfterARestart(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.slash(p.alice, "gomoku bot").Message
	r := p.click(p.alice, board, "h8")
	started := p.slash(p.bob, "ttt bot", sandbox.String("side", "second"))
	passed := p.slash(p.chen, "gomoku bot", sandbox.String("side", "second"))
	pass := p.slash(p.chen, "gomoku pass")
	p.await(passed.Message, "move 4")
	p.stop()
	p.connect()
	for _, old := range []*sandbox.Reply{r, started, pass} {
		old.Redeliver()
	}
	p.poll("each to be answered once more, in vain", func() bool { return p.Stats().Doubled >= 3 })
	p.stones(p.now(r.Updated), 2, map[string]byte{"h8": 'X'})
	p.says(p.slash(p.chen, "gomoku board").Message, "move 4")
	p.says(p.slash(p.bob, "ttt board").Message, "move 2")
	if text := p.slash(p.bob, "matches").Text(); strings.Count(text, "Rowbot") != 1 {
		t.Errorf("the matches after a command that came twice:\n%s", text)
	}
	if n := len(p.Messages(p.Games.ID())); n != 5 {
		t.Errorf("%d messages, want three boards and two that were asked for", n)
	}
}

func TestDoubleClick(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	for range 5 {
		board := p.slash(p.alice, "gomoku bot").Message
		var clicks sync.WaitGroup
		for range 3 {
			clicks.Go(func() { p.update(p.alice, board, "h8") })
		}
		clicks.Wait()
		p.settled()
		now := p.now(board)
		p.stones(now, 2, map[string]byte{"h8": 'X'})
		p.says(now, p.Alice.Mention()+" to move", "move 3")
		p.click(p.alice, now, firstFree(now))
	}
	for _, m := range p.alice.Messages() {
		if m.Ephemeral() {
			t.Errorf("a double click is told off: %s", m.Text())
		}
	}
}

var cellLabel = regexp.MustCompile(`^[a-s]\d+$`)

// freeCells are the labels of the cells that can be pressed.
func freeCells(m *sandbox.Message) (free []string) {
	for _, b := range m.Buttons() {
		if !b.Disabled && cellLabel.MatchString(b.Label) {
			free = append(free, b.Label)
		}
	}
	return free
}

// firstFree is the first of them, "" where there is none.
func firstFree(m *sandbox.Message) string {
	for _, cell := range freeCells(m) {
		return cell
	}
	return ""
}

// Two people at one cell at the same moment: one of them gets it.
func TestRaceForAMove(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.duel("ttt")
	for range 3 {
		cells := freeCells(board)
		var race sync.WaitGroup
		for _, cell := range cells[:2] {
			race.Go(func() { p.click(p.alice, board, cell) })
		}
		race.Wait()
		p.settled()
		board = p.await(board, p.Bob.Mention()+" to move")
		got := stonesIn(board)
		if (got[cells[0]] != 0) == (got[cells[1]] != 0) {
			t.Fatalf("of %v not exactly one was played:\n%s", cells[:2], board.Text())
		}
		board = p.update(p.bob, board, firstFree(board))
	}
}

func TestStaleClick(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	old := p.duel("ttt")
	p.play(old, "a1", "b2")
	r := p.click(p.alice, old, "c3") // it was for move 1
	p.stones(r.Updated, 2, map[string]byte{"a1": 'X', "b2": 'O'})
	p.private(p.alice, "The board has moved on: here is how it stands.")
	p.stones(p.update(p.alice, r.Updated, "c3"), 3, map[string]byte{"c3": 'X'})
}

// private waits for a sentence that only this person sees.
func (p *party) private(by sandbox.Seat, want string) {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	_, err := p.Wait(ctx, by.Channel().ID(), "", func(m *sandbox.Message) bool {
		return m.Viewer == by.Person().ID() && strings.HasPrefix(m.Text(), want)
	})
	if err != nil {
		p.t.Errorf("nobody was told %q: %v", want, err)
	}
}

// Where the board message cannot be edited, the answer to a command is the
// board, and the match goes on there.
func TestBoardCannotBeEdited(t *testing.T) {
	t.Parallel()
	for name, fault := range refusals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newParty(t)
			board := p.play(p.duel("gomoku"), "h8")
			p.Fail(-1, http.MethodPatch, sandbox.RouteMessage, fault)
			r := p.slash(p.bob, "gomoku move", sandbox.String("cell", "h9"))
			p.ClearFaults()
			if r.Message == nil || r.Ephemeral {
				t.Fatalf("the answer is no board: %s", r.Text())
			}
			p.stones(r.Message, 2, map[string]byte{"h8": 'X', "h9": 'O'})
			p.shownBy(r.Message)
			p.click(p.alice, board, "g8") // the old message plays nothing
			p.buttons(p.await(board, r.Message.ID), "")
			p.stones(p.update(p.alice, r.Message, "j8"), 3, map[string]byte{"j8": 'X'})
			p.told(p.slash(p.bob, "gomoku move", sandbox.String("cell", "j9")), "You played j9.")
			p.stones(p.now(r.Message), 4, map[string]byte{"j9": 'O'})
		})
	}
}

// erase deletes a message as a moderator would.
func (p *party) erase(m *sandbox.Message) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), http.MethodDelete,
		p.APIURL()+"/v10/channels/"+m.ChannelID+"/messages/"+m.ID, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bot "+sandbox.Token)
	req.Header.Set("User-Agent", "DiscordBot (https://example.org, 1)")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil || resp.StatusCode != http.StatusNoContent {
		p.t.Fatalf("delete: %s, %v", resp.Status, err)
	}
}

func TestBoardDeleted(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.play(p.duel("ttt"), "a1")
	p.erase(board)
	board = p.slash(p.bob, "ttt move", sandbox.String("cell", "b2")).Message
	p.stones(board, 2, map[string]byte{"a1": 'X', "b2": 'O'})
	p.erase(board)
	sure := p.slash(p.alice, "ttt resign").Message
	p.click(p.alice, sure, "Resign")
	end := p.awaitNew(p.Games, "resigned")
	p.says(end, p.Bob.Mention()+" **won**")
	p.erase(end)
	large := p.play(p.duel("gomoku"), "h8")
	p.erase(large)
	p.update(p.bob, p.slash(p.alice, "gomoku draw").Message, "Accept")
	p.awaitNew(p.Games, "A draw · agreed")
}

// Without the permission to write, interactions can still be answered, and so
// the play goes on; without that to see the channel, boards come as answers.
func TestPermissionsTakenAway(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.play(p.duel("ttt"), "a1")
	p.Games.SetBotPermissions(sandbox.PermViewChannel)
	p.told(p.slash(p.bob, "ttt move", sandbox.String("cell", "b2")), "You played b2.")
	board = p.update(p.alice, p.await(board, "move 3"), "a2")
	p.Games.SetBotPermissions(0)
	p.update(p.bob, board, "b3")
	board = p.slash(p.alice, "ttt move", sandbox.String("cell", "a3")).Message
	p.says(board, p.Alice.Mention()+" **won**", "three in a row, a1–a3")
}

// Edits that a rate limit holds up are made when it lets them through; the
// command is answered without waiting for that.
func TestEditsRateLimited(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.play(p.duel("gomoku"), "h8")
	p.Fail(2, http.MethodPatch, sandbox.RouteMessage, sandbox.RateLimited(1500*time.Millisecond))
	p.told(p.slash(p.bob, "gomoku move", sandbox.String("cell", "h9")), "You played h9.")
	p.told(p.slash(p.alice, "gomoku move", sandbox.String("cell", "j9")), "You played j9.")
	p.stones(p.await(board, "move 4"), 3, map[string]byte{"h8": 'X', "h9": 'O', "j9": 'X'})
	p.Fail(2, http.MethodPatch, sandbox.RouteMessage, sandbox.BadGateway(0))
	p.told(p.slash(p.bob, "gomoku move", sandbox.String("cell", "k9")), "You played k9.")
	p.stones(p.await(board, "move 5"), 4, nil)
}

// Limits as narrow as Discord's, and several matches in one channel that are
// played by command: every command is answered, every board is right at last.
func TestEditsWithinLimits(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	p.SetLimit(http.MethodPatch, sandbox.RouteMessage, 3, time.Second)
	boards := []*sandbox.Message{p.duel("gomoku"), p.duel("ttt"), p.slash(p.chen, "gomoku bot").Message}
	for i, cell := range []string{"a1", "b2", "c1", "a3"} {
		by := []sandbox.Seat{p.alice, p.bob}[i%2]
		for _, game := range []string{"gomoku", "ttt"} {
			p.told(p.slash(by, game+" move", sandbox.String("cell", cell)), "You played "+cell+".")
		}
		p.told(p.slash(p.chen, "gomoku pass"), "You passed.")
	}
	for _, m := range boards[:2] {
		p.stones(p.await(m, "move 5"), 4, map[string]byte{"a1": 'X', "b2": 'O', "c1": 'X', "a3": 'O'})
	}
	p.stones(p.await(boards[2], "move 9"), 4, nil)
}

// The connection is lost in the middle of play: as soon as there is a new one,
// interactions are answered again, and nothing is missing.
func TestConnectionLost(t *testing.T) {
	t.Parallel()
	p := newGatewayParty(t)
	board, n := p.duel("gomoku"), 0
	for i, lose := range []func(){
		func() { p.CloseGateways(0) },
		func() { p.CloseGateways(4000) },
		func() { p.CloseGateways(4009) },
		p.AskReconnect,
		func() { p.InvalidateSessions(true) },
		func() { p.InvalidateSessions(false) },
	} {
		before := p.Stats().Identifies + p.Stats().Resumes
		lose()
		p.poll("a new connection", func() bool { s := p.Stats(); return s.Identifies+s.Resumes > before && s.Sessions > 0 })
		by := []sandbox.Seat{p.alice, p.bob}[i%2]
		board = p.update(by, board, firstFree(board))
		n++
		p.stones(board, n, nil)
	}
}
