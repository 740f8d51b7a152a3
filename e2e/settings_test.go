package e2e_test

import (
	"strings"
	"testing"

	"rowbot/sandbox"
)

// panelSays checks what the selects of the settings have chosen.
func (p *party) panelSays(m *sandbox.Message, want map[string]string) {
	p.t.Helper()
	for id, value := range want {
		if got := strings.Join(chosen(m, "5:"+id), ","); got != value {
			p.t.Errorf("%s is %q, want %q", id, got, value)
		}
	}
}

func TestSettings(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	r := p.slash(p.alice, "settings show")
	p.told(r, "**Settings of this server**")
	p.panelSays(r.Message, map[string]string{
		"style": "text", "language": "default", "channels": "", "pace": "default", "rules": "15 freestyle", "threads": "false",
	})
	panel := r.Message
	for id, value := range map[string]string{"style": "emoji", "language": "ja", "pace": "6h", "rules": "19 renju", "threads": "true"} {
		panel = p.pick(p.alice, panel, "5:"+id, value)
		p.panelSays(panel, map[string]string{id: value})
	}
	set := map[string]string{
		"style": "emoji", "language": "ja", "channels": "", "pace": "6h", "rules": "19 renju", "threads": "true",
	}
	p.stop()
	p.connect()
	p.panelSays(p.slash(p.alice, "settings show").Message, set)

	// The arguments set directly.
	for command, x := range map[string]struct {
		options []sandbox.Option
		id, now string
	}{
		"settings style":    {[]sandbox.Option{sandbox.String("style", "picture")}, "style", "picture"},
		"settings language": {[]sandbox.Option{sandbox.String("language", "default")}, "language", "default"},
		"settings pace":     {[]sandbox.Option{sandbox.String("pace", "1h")}, "pace", "1h"},
		"settings rules":    {[]sandbox.Option{sandbox.String("rules", "standard")}, "rules", "19 standard"},
		"settings threads":  {[]sandbox.Option{sandbox.Bool("threads", false)}, "threads", "false"},
	} {
		r := p.slash(p.alice, command, x.options...)
		p.told(r, "**Settings of this server**")
		p.panelSays(r.Message, map[string]string{x.id: x.now})
		set[x.id] = x.now
	}
	p.panelSays(p.slash(p.alice, "settings show").Message, set)

	// They are used where options are left out, in this server.
	p.says(p.slash(p.bob, "gomoku challenge").Message, "19×19 · standard", "1 hour a move")
	p.says(p.slash(p.chen, "gomoku challenge", sandbox.Int("size", 15), sandbox.String("rules", "renju"), sandbox.String("pace", "6h")).Message,
		"15×15 · renju", "6 hours a move")
	p.says(p.slash(p.chen, "gomoku bot").Message, "19×19 · standard")
	p.says(p.slash(p.Chen.DM(), "gomoku bot").Message, "15×15 · freestyle")
}

// Only those who may manage the server come to its settings, whatever their
// client sends.
func TestSettingsAreForManagers(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	for _, c := range p.bob.Offered() {
		if c.Name == "settings" {
			t.Error("Bob is offered the settings")
		}
	}
	panel := p.slash(p.alice, "settings show").Message
	no := "Only members with the permission **Manage Server** can change the settings."
	asBob := p.alice.Tweak(func(payload map[string]any) {
		payload["member"].(map[string]any)["permissions"] = "2048" // what nearly everybody may
	})
	p.told(p.slash(asBob, "settings show"), no)
	p.told(p.slash(asBob, "settings style", sandbox.String("style", "picture")), no)
	r, err := asBob.Select(t.Context(), panel, "5:style", "picture")
	if err != nil {
		t.Fatal(err)
	}
	p.told(p.resolve(r), no)
	p.panelSays(p.slash(p.alice, "settings show").Message, map[string]string{"style": "text"})
	p.Playground.SetPermissions(p.Bob, sandbox.PermViewChannel|sandbox.PermUseCommands|sandbox.PermManageGuild)
	p.told(p.slash(p.bob, "settings show"), "**Settings of this server**")

	// No value that was not offered.
	panel = p.slash(p.alice, "settings show").Message
	for id, value := range map[string]string{"style": "x", "language": "x", "pace": "2h", "rules": "17 renju", "threads": "x", "channels": "x", "nothing": "x"} {
		forged := p.alice.Tweak(func(payload map[string]any) {
			payload["data"] = map[string]any{"custom_id": "5:" + id, "component_type": 3, "id": 4, "values": []string{value}}
		})
		r, err := forged.Select(t.Context(), panel, "5:style", "emoji")
		if err != nil {
			t.Fatal(err)
		}
		p.told(p.resolve(r), "I don't know one of those options.")
	}
	p.panelSays(panel, map[string]string{
		"style": "text", "language": "default", "channels": "", "pace": "default", "rules": "15 freestyle", "threads": "false",
	})
}

// Matches are started in the allowed channels only.
func TestAllowedChannels(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	before := p.play(p.duel("ttt"), "a1", "a2", "b1", "b2", "c1")
	panel := p.slash(p.alice, "settings channels").Message
	if panel.Select("5:style") != nil {
		t.Error("the channels' panel has other selects")
	}
	p.pick(p.alice, panel, "5:channels", p.General.ID())
	p.panelSays(p.slash(p.alice, "settings show").Message, map[string]string{"channels": p.General.ID()})
	no := "Matches are started in <#" + p.General.ID() + "> in this server. Try it there."
	p.told(p.slash(p.bob, "ttt challenge"), no)
	p.told(p.slash(p.bob, "gomoku bot"), no)
	p.told(p.slash(p.bob, "ttt challenge", sandbox.UserOption("opponent", p.Alice)), no)
	p.told(p.click(p.bob, before, "Rematch"), no)
	r, err := p.bob.UserCommand(t.Context(), "Challenge to gomoku", p.Alice)
	if err != nil {
		t.Fatal(err)
	}
	p.told(p.resolve(r), no)
	p.says(p.slash(p.Bob.In(p.General), "ttt challenge").Message, "is looking for an opponent")
	p.says(p.slash(p.Bob.DM(), "ttt bot").Message, "move 1")

	// A thread of an allowed channel is one, also where Rowbot cannot see it.
	p.slash(p.alice, "settings threads", sandbox.Bool("threads", true))
	board := p.slash(p.Chen.In(p.General), "ttt bot").Message
	p.poll("the thread", func() bool { return p.threadOf(board) != nil })
	thread := p.threadOf(board)
	thread.SetBotPermissions(0)
	p.says(p.slash(p.Bob.In(thread), "ttt bot").Message, "move 1")

	p.pick(p.alice, p.slash(p.alice, "settings show").Message, "5:channels")
	p.says(p.slash(p.bob, "ttt challenge").Message, "is looking for an opponent")
}

// threadOf is the thread on a message, nil where there is none.
func (p *party) threadOf(m *sandbox.Message) *sandbox.Channel {
	for _, c := range p.Channels() {
		if c.Kind() == sandbox.ChannelThread && c.ID() == m.ID {
			return c
		}
	}
	return nil
}

func TestModerators(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	darya := p.Darya.In(p.Games)
	p.Playground.SetPermissions(p.Darya, sandbox.PermViewChannel|sandbox.PermSendMessages|sandbox.PermUseCommands|sandbox.PermManageMessages)
	match := func(game string) *sandbox.Message {
		offer := p.slash(p.bob, game+" challenge", sandbox.UserOption("opponent", p.Chen), sandbox.String("side", "first")).Message
		return p.update(p.chen, offer, "Accept")
	}
	closed := "Closed · a moderator ended it · unrated"

	// By the buttons of the board: only the moderator is asked.
	small, large := match("ttt"), match("gomoku")
	p.told(p.click(p.Darya.In(p.Games), large, "Type a move"), "This match is between")
	question := p.click(darya, small, "Resign")
	p.told(question, "End Tic-tac-toe between "+p.Bob.Mention()+" and "+p.Chen.Mention()+"? It's closed without a result.")
	p.click(darya, question.Message, "End match")
	p.says(p.await(small, "Closed"), closed)
	question = p.click(darya, large, "More")
	p.told(question, "End Gomoku 15×15 between")
	p.click(darya, question.Message, "End match")
	p.says(p.await(large, "Closed"), closed)
	p.buttons(p.now(large), "Rematch, Replay")
	p.says(p.slash(p.bob, "stats").Message, "No finished match yet.")

	// By command, for those who have the settings.
	small = match("ttt")
	list, err := p.alice.Autocomplete(t.Context(), "settings end", "match", "bob")
	if err != nil || len(list) != 1 || !strings.Contains(list[0].Name, "Bob – Chen") {
		t.Fatalf("suggested %v, %v", list, err)
	}
	question = p.slash(p.alice, "settings end", sandbox.String("match", list[0].Value.(string)))
	p.told(question, "End Tic-tac-toe between")
	p.click(p.alice, question.Message, "End match")
	p.says(p.await(small, "Closed"), closed)
	p.told(p.slash(p.alice, "settings end", sandbox.String("match", list[0].Value.(string))), "This match is over.")
	p.told(p.slash(p.alice, "settings end", sandbox.String("match", "nothing")), "I can't find that match in this server.")

	// Nobody else, whatever they send.
	p.alice.Slash(t.Context(), "ttt challenge")
	small = match("ttt")
	id := strings.Split(small.Button("Resign").CustomID, ":")
	forged := strings.Join(append(id[:3:3], "end"), ":")
	guest := p.AddPerson("Guest", sandbox.PersonOptions{})
	p.Playground.AddMember(guest)
	for _, by := range []sandbox.Seat{guest.In(p.Games), p.bob} {
		r, err := by.Forge(t.Context(), small, forged)
		if err != nil {
			t.Fatal(err)
		}
		p.told(p.resolve(r), "Only members with the permission **Manage Messages** or **Manage Server**")
	}
	p.told(p.click(guest.In(p.Games), small, "Resign"), "This match is between")
	p.unchanged(small)
	// Nor a moderator of another server.
	other := p.AddGuild("Elsewhere", sandbox.GuildOptions{Owner: p.Darya})
	p.told(p.slash(p.Darya.In(other.AddChannel("room")), "settings end", sandbox.String("match", id[1])), "I can't find that match in this server.")
}
