package e2e_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/sandbox"
)

// exportedFile is the part of an export that the tests look at, by the names
// that people rely on.
type exportedFile struct {
	User        string `json:"user"`
	Name        string `json:"name"`
	Preferences struct {
		From    string   `json:"challenges_from"`
		Notices bool     `json:"turn_notices"`
		Blocked []string `json:"blocked"`
	} `json:"preferences"`
	Records []struct {
		Game, Server, Against string
		Won, Drawn, Lost      int
		Rating                float64
	} `json:"records"`
	Matches []struct {
		Game, Board, Rules, Challenger, Invited, First, Second, Status, Reason, Winner, Moves, Server, Channel string
		Rating                                                                                                 int `json:"rating_after"`
	} `json:"matches"`
}

// exportOf asks for what is stored about a person.
func (p *party) exportOf(by sandbox.Seat) (x exportedFile) {
	p.t.Helper()
	r := p.slash(by, "privacy export")
	p.told(r, "Here is everything I have stored about you.")
	files := r.Message.Attachments
	if len(files) != 1 || files[0].Filename != "rowbot-"+by.Person().ID()+".json" || !strings.HasPrefix(files[0].ContentType, "application/json") {
		p.t.Fatalf("the files are %+v", files)
	}
	if err := json.Unmarshal(files[0].Data, &x); err != nil {
		p.t.Fatal(err)
	}
	return x
}

func TestPrivacyExport(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	alice, bob := p.Alice.ID(), p.Bob.ID()
	if x := p.exportOf(p.alice); x.User != alice || len(x.Records)+len(x.Matches) != 0 || x.Preferences.From != "everyone" || !x.Preferences.Notices {
		t.Errorf("before anything: %+v", x)
	}
	p.play(p.duel("ttt"), "a1", "a2", "b1", "b2", "c1")
	p.play(p.duel("gomoku", sandbox.Int("size", 19)), "h8")
	p.invite("ttt")
	p.slash(p.bob, "ttt challenge", sandbox.UserOption("opponent", p.Chen)) // none of Alice's
	p.pick(p.alice, p.slash(p.alice, "preferences").Message, "6:blocked", p.Chen.ID())

	x := p.exportOf(p.alice)
	if x.Name != "Alice" || !slices.Equal(x.Preferences.Blocked, []string{p.Chen.ID()}) {
		t.Errorf("%q, %+v", x.Name, x.Preferences)
	}
	var records []string
	for _, r := range x.Records {
		records = append(records, strings.Join([]string{r.Game, r.Server, r.Against}, " "))
		if r.Won != 1 || r.Drawn != 0 || r.Lost != 0 || r.Against == "" && r.Rating < 1600 {
			t.Errorf("record %+v", r)
		}
	}
	slices.Sort(records)
	if want := []string{"ttt * ", "ttt * user:" + bob, "ttt " + p.Playground.ID() + " "}; !slices.Equal(records, want) {
		t.Errorf("records of %q, want %q", records, want)
	}
	if len(x.Matches) != 3 {
		t.Fatalf("%d matches: %+v", len(x.Matches), x.Matches)
	}
	for _, m := range x.Matches {
		ok := m.Challenger == alice && m.Invited == bob && m.Server == p.Playground.ID() && m.Channel == p.Games.ID()
		switch m.Status {
		case "won":
			ok = ok && m.Reason == "line" && m.First == alice && m.Second == bob && m.Winner == alice && m.Moves == "a1 a2 b1 b2 c1" && m.Rating > 1600
		case "running":
			ok = ok && m.Game == "gomoku" && m.Board == "19×19" && m.Rules == "freestyle" && m.Moves == "h8"
		case "challenged":
			ok = ok && m.Game == "ttt" && m.First == ""
		}
		if !ok {
			t.Errorf("match %+v", m)
		}
	}
}

func TestPrivacyDelete(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	won := p.play(p.duel("ttt"), "a1", "a2", "b1", "b2", "c1")
	running := p.play(p.duel("gomoku"), "h8", "h9")
	sent := p.invite("gomoku")
	received := p.slash(p.chen, "gomoku challenge", sandbox.UserOption("opponent", p.Alice)).Message
	untouched := p.slash(p.bob, "ttt challenge", sandbox.UserOption("opponent", p.Chen)).Message
	p.pick(p.alice, p.slash(p.alice, "preferences").Message, "6:notices", "false")
	p.shownBy(received)

	question := p.slash(p.alice, "privacy delete")
	p.told(question, "**Delete what I have stored about you?**")
	if x := p.exportOf(p.alice); len(x.Matches) != 4 {
		t.Fatalf("the question alone deleted something: %+v", x.Matches)
	}
	forged, err := p.bob.Forge(t.Context(), won, question.Message.Button("Delete my data").CustomID)
	if err != nil {
		t.Fatal(err)
	}
	p.told(p.resolve(forged), "That one is for "+p.Alice.Mention()+" to answer.")
	done := p.update(p.alice, question.Message, "Delete my data")
	for _, part := range []string{"3 running matches and challenges were closed", "1 finished match no longer shows your name", "3 records were deleted"} {
		p.says(done, part)
	}
	p.buttons(done, "")

	gone := "somebody who left"
	end := p.await(running, "Closed")
	p.buttons(end, "Replay")
	p.says(end, "Closed · one of the players has left for good · unrated", "⚫ "+gone+" – ⚪ "+p.Bob.Mention())
	p.says(p.await(sent, "withdrew"), "\nSomebody who left withdrew the challenge.")
	p.says(p.await(received, "declined"), "\nSomebody who left declined.")
	p.unchanged(untouched)
	for _, m := range []*sandbox.Message{end, p.now(sent), p.now(received)} {
		if strings.Contains(m.Text(), p.Alice.ID()) {
			t.Errorf("the name still stands in\n%s", m.Text())
		}
	}
	// The opponent keeps what is theirs.
	p.says(p.slash(p.bob, "stats").Message, "0 wins, 0 draws, 1 loss")
	if x := p.exportOf(p.bob); len(x.Matches) != 4 || len(x.Records) != 3 || strings.Contains(x.Matches[0].First, p.Alice.ID()) || x.Matches[0].Moves != "a1 a2 b1 b2 c1" {
		t.Errorf("Bob's: %+v", x)
	}
	p.told(p.click(p.bob, won, "Rematch"), "Your opponent has left for good.")
	p.told(p.click(p.alice, won, "Rematch"), "This match is between "+gone+" and "+p.Bob.Mention())

	// Of the person nothing is left, and they can begin anew.
	p.says(p.slash(p.alice, "stats").Message, "No finished match yet.")
	p.told(p.slash(p.alice, "matches"), "**Your matches**\nNone")
	if x := p.exportOf(p.alice); len(x.Records)+len(x.Matches) != 0 || !x.Preferences.Notices {
		t.Errorf("what is left: %+v", x)
	}
	if board := p.slash(p.bob, "leaderboard", sandbox.String("game", "ttt")).Message; strings.Contains(board.Text(), p.Alice.ID()) {
		t.Errorf("still a leader:\n%s", board.Text())
	}
	p.says(p.play(p.duel("ttt"), "a1", "a2", "b1", "b2", "c1"), p.Alice.Mention()+" **won**")
	again := p.update(p.alice, p.slash(p.alice, "privacy delete").Message, "Delete my data")
	p.says(again, "1 finished match no longer")
}

// The data of a server goes thirty days after it has removed Rowbot.
func TestServerGone(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	p.play(p.duel("ttt"), "a1", "a2", "b1", "b2", "c1")
	p.slash(p.alice, "settings style", sandbox.String("style", "emoji"))
	attend := func(what string, is func(since map[string]time.Time) bool) {
		p.t.Helper()
		p.attend()
		p.poll(what, func() bool {
			var known map[string]time.Time
			err := p.db.View(t.Context(), func(tx match.Tx) (err error) {
				known, err = tx.Presence(t.Context())
				return err
			})
			return err == nil && is(known)
		})
	}
	home := p.Playground.ID()
	attend("the server to be known", func(since map[string]time.Time) bool { at, known := since[home]; return known && at.IsZero() })
	p.Playground.RemoveBot()
	attend("its absence to be noted", func(since map[string]time.Time) bool { return !since[home].IsZero() })
	p.clock.forward(29 * 24 * time.Hour)
	p.Playground.AddBot()
	attend("its return to be noted", func(since map[string]time.Time) bool { return since[home].IsZero() })
	p.says(p.slash(p.chen, "leaderboard", sandbox.String("game", "ttt")).Message, "1. "+p.Alice.Mention())
	p.panelSays(p.slash(p.alice, "settings show").Message, map[string]string{"style": "emoji"})

	p.Playground.RemoveBot()
	attend("its absence to be noted", func(since map[string]time.Time) bool { return !since[home].IsZero() })
	p.clock.forward(30 * 24 * time.Hour)
	attend("it to be forgotten", func(since map[string]time.Time) bool { _, known := since[home]; return !known })
	p.Playground.AddBot()
	p.says(p.slash(p.chen, "leaderboard", sandbox.String("game", "ttt")).Message, "Nobody has finished a match here yet.")
	p.says(p.slash(p.chen, "leaderboard", sandbox.String("game", "ttt"), sandbox.String("scope", "everywhere")).Message, "1. "+p.Alice.Mention())
	p.panelSays(p.slash(p.alice, "settings show").Message, map[string]string{"style": "text"})
	if x := p.exportOf(p.alice); len(x.Matches) != 1 || x.Matches[0].Server+x.Matches[0].Channel != "" {
		t.Errorf("the match still says where it was played: %+v", x.Matches)
	}
}
