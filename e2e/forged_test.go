package e2e_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"rowbot/sandbox"
)

// Whatever a button's custom ID says, there is an answer, and a stranger
// changes nothing in a match.
func TestForgedButtons(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.play(p.duel("gomoku"), "h8")
	own := p.slash(p.chen, "ttt bot").Message
	verbs := []string{
		"accept", "decline", "withdraw", "cell", "left", "right", "up", "down", "type", "more", "pass", "resign",
		"giveup", "draw", "agree", "refuse", "rematch", "board", "play", "", "cell:cell",
	}
	ids := strings.Split(board.Buttons()[0].CustomID, ":")
	forged := rapid.OneOf(
		rapid.StringN(1, 100, 100),
		rapid.Custom(func(t *rapid.T) string {
			s := rapid.SampledFrom([]string{"1", "2", "3", "0", ""}).Draw(t, "kind") + ":" +
				rapid.SampledFrom([]string{ids[1], "0", "zzzzzzzzzzzzzzzz", "-1", "☃", ""}).Draw(t, "match") + ":" +
				rapid.SampledFrom([]string{ids[2], "0", "1", "zz", "-1", "99999999999999999999"}).Draw(t, "version") + ":" +
				rapid.SampledFrom(verbs).Draw(t, "verb")
			return s + rapid.SampledFrom([]string{"", ":", ":b", ":w", ":h9", ":z99", ":0.0", ":-1.-1", ":9.9.9", ":300.300"}).Draw(t, "argument")
		}),
		rapid.Custom(func(t *rapid.T) string {
			return rapid.SampledFrom([]string{"2:cell:", "2:pass", "3:ttt:s:rating:", "3:ttt:x:wins:", "2:"}).Draw(t, "kind") +
				rapid.StringN(0, 20, 60).Draw(t, "rest")
		}),
	)
	for _, verb := range verbs {
		for _, argument := range []string{"", ":b", ":w", ":h9", ":0.0"} {
			id := strings.Join([]string{"1", ids[1], ids[2], verb}, ":") + argument
			r, err := p.chen.Forge(t.Context(), own, id)
			if err != nil || !r.Ephemeral || r.Text() == "" {
				t.Fatalf("%q is answered with %v, in public: %s", id, err, r.Text())
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		id := forged.Draw(t, "custom ID")
		r, err := p.chen.Forge(p.t.Context(), own, id)
		if err != nil || r.Text() == "" {
			t.Fatalf("%q is answered with %v", id, err)
		}
	})
	p.unchanged(board)
	p.stones(p.update(p.bob, board, "h9"), 2, map[string]byte{"h8": 'X', "h9": 'O'})
}

// A button that leads from another message to a replay or a leaderboard does not
// put them in place of a board, and a match that goes on cannot be replayed.
func TestForgedReplay(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	running := p.play(p.duel("gomoku"), "h8", "h9")
	over := p.play(p.duel("ttt"), "a1", "a2", "b1", "b2", "c1")
	matchOf := func(m *sandbox.Message) string {
		for _, b := range m.Buttons() {
			if f := strings.Split(b.CustomID, ":"); f[0] == "1" {
				return f[1]
			}
		}
		t.Fatalf("no button of a match in\n%s", m.Text())
		return ""
	}
	forge := func(on *sandbox.Message, id string) *sandbox.Reply {
		t.Helper()
		r, err := p.chen.Forge(t.Context(), on, id)
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		return p.resolve(r)
	}
	for _, verb := range []string{"open", "first", "next", "last", "jump", "gif", "psq", "sgf"} {
		for _, on := range []*sandbox.Message{running, over} {
			p.told(forge(on, "4:"+matchOf(running)+":"+verb+":9"), "I know no such finished match here.")
		}
	}
	for _, verb := range []string{"open", "first", "back", "next", "last"} {
		for _, on := range []*sandbox.Message{running, over} {
			r := forge(on, "4:"+matchOf(over)+":"+verb+":2")
			p.told(r, "")
			if r.Message.Button("GIF") == nil {
				t.Errorf("%s shows no replay: %s", verb, r.Text())
			}
		}
	}
	for _, on := range []*sandbox.Message{running, over} {
		p.told(forge(on, "3:ttt:s:rating:0"), "**Leaderboard**")
		p.told(forge(on, "8:0"), "**Your matches**")
		p.unchanged(on)
	}
}

// Discord leaves fields out that it promises, and adds others. Each interaction
// is answered all the same.
func TestFieldsMissing(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.play(p.duel("gomoku"), "h8", "h9")
	for _, key := range []string{
		"context", "locale", "guild_locale", "guild", "channel", "app_permissions", "entitlements",
		"authorizing_integration_owners", "application_id", "version", "message", "member", "guild_id", "channel_id", "data",
	} {
		lacking := func(s sandbox.Seat) sandbox.Seat { return s.Tweak(func(i map[string]any) { delete(i, key) }) }
		for what, do := range map[string]func() (*sandbox.Reply, error){
			"click":   func() (*sandbox.Reply, error) { return lacking(p.chen).Click(t.Context(), board, "j9") },
			"arrow":   func() (*sandbox.Reply, error) { return lacking(p.bob).Click(t.Context(), board, "←") },
			"command": func() (*sandbox.Reply, error) { return lacking(p.chen).Slash(t.Context(), "help") },
			"move": func() (*sandbox.Reply, error) {
				return lacking(p.bob).Slash(t.Context(), "gomoku move", sandbox.String("cell", "a1"))
			},
			"modal": func() (*sandbox.Reply, error) {
				form := p.click(p.alice, board, "Type a move").Modal
				return lacking(p.alice).SubmitModal(t.Context(), form, map[string]string{"cell": "nowhere"})
			},
		} {
			if r, err := do(); err != nil || r.Text() == "" {
				t.Errorf("%s without %q: %v", what, key, err)
			}
		}
		if _, err := lacking(p.alice).Autocomplete(t.Context(), "gomoku move", "cell", "h"); err != nil {
			t.Errorf("completion without %q: %v", key, err)
		}
	}
	p.stones(p.update(p.alice, board, "j9"), 3, nil)
}

// A button of one match on the message of another changes neither.
func TestForgedOntoAnotherBoard(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	mine, over := p.play(p.duel("ttt"), "a1"), p.play(p.duel("ttt"), "a1", "a2", "b1", "b2", "c1")
	offer, other := p.slash(p.chen, "ttt challenge").Message, p.slash(p.chen, "gomoku bot").Message
	var ids []string
	for _, m := range []*sandbox.Message{mine, over, offer} {
		for _, b := range m.Buttons() {
			ids = append(ids, b.CustomID)
		}
	}
	for _, id := range ids {
		if strings.HasPrefix(id, "4:") {
			continue // see TestForgedReplay
		}
		r, err := p.bob.Forge(t.Context(), other, id)
		if err != nil {
			t.Fatal(err)
		}
		p.told(p.resolve(r), "That button belongs to an older version of me.")
	}
	for _, m := range []*sandbox.Message{mine, over, offer, other} {
		p.unchanged(m)
	}
	p.stones(p.update(p.bob, mine, "b2"), 2, nil)
	p.says(p.click(p.bob, over, "Replay").Message, "Replay: move 5 of 5")
	p.says(p.click(p.bob, over, "Rematch").Message, "to move · move 1")
	p.says(p.update(p.alice, offer, "Accept"), "to move · move 1")
}
