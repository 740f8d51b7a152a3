package e2e_test

import (
	"slices"
	"testing"

	"rowbot/sandbox"
)

// chosen are the values that a select of a message has chosen.
func chosen(m *sandbox.Message, id string) (out []string) {
	s := m.Select(id)
	if s == nil {
		return []string{"(no select " + id + ")"}
	}
	for _, o := range s.Options {
		if o.Default {
			out = append(out, o.Value)
		}
	}
	for _, d := range s.Defaults {
		out = append(out, d.ID)
	}
	return out
}

// pick chooses in a select of a panel and returns the panel as it then is.
func (p *party) pick(by sandbox.Seat, m *sandbox.Message, id string, values ...string) *sandbox.Message {
	p.t.Helper()
	r, err := by.Select(p.t.Context(), m, id, values...)
	if err != nil {
		p.t.Fatalf("choose %v in %s: %v", values, id, err)
	}
	if p.resolve(r).Updated == nil {
		p.t.Fatalf("choosing %v in %s was answered with: %s", values, id, r.Text())
	}
	return r.Updated
}

func (p *party) chose(m *sandbox.Message, id string, want ...string) {
	p.t.Helper()
	if got := chosen(m, id); !slices.Equal(got, want) {
		p.t.Errorf("%s is %v, want %v", id, got, want)
	}
}

func TestPreferences(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	r := p.slash(p.bob, "preferences")
	p.told(r, "**Your preferences**")
	panel := r.Message
	p.chose(panel, "6:audience", "everyone")
	p.chose(panel, "6:notices", "true")
	p.chose(panel, "6:blocked")
	no := p.Bob.Mention() + " isn't taking this challenge at the moment."
	ask := func(by sandbox.Seat) *sandbox.Reply {
		return p.slash(by, "ttt challenge", sandbox.UserOption("opponent", p.Bob))
	}

	panel = p.pick(p.bob, panel, "6:blocked", p.Alice.ID(), p.Bob.ID(), p.Chen.ID())
	p.chose(panel, "6:blocked", p.Alice.ID(), p.Chen.ID())
	p.told(ask(p.alice), no)
	p.told(ask(p.chen), no)
	p.says(ask(p.Darya.In(p.Games)).Message, "challenges")
	open := p.slash(p.bob, "gomoku challenge").Message
	p.told(p.click(p.alice, open, "Accept"), no)
	p.buttons(p.now(open), "Accept, Withdraw")
	panel = p.pick(p.bob, panel, "6:blocked", p.Chen.ID())
	p.update(p.alice, open, "Accept")

	panel = p.pick(p.bob, panel, "6:audience", "nobody")
	p.told(ask(p.alice), no)
	p.says(p.slash(p.bob, "ttt challenge", sandbox.UserOption("opponent", p.Chen)).Message, "challenges")
	panel = p.pick(p.bob, panel, "6:audience", "server")
	p.chose(panel, "6:audience", "server")
	p.says(ask(p.alice).Message, "challenges")
	guest := p.AddPerson("Guest", sandbox.PersonOptions{})
	other := p.AddGuild("Elsewhere", sandbox.GuildOptions{Owner: p.Bob, Members: []*sandbox.Person{guest}})
	room := other.AddChannel("room")
	p.told(p.slash(guest.In(room), "gomoku challenge", sandbox.UserOption("opponent", p.Bob)), no)

	// They are stored, and the same everywhere; the choice made elsewhere can be kept.
	p.pick(p.bob, panel, "6:notices", "false")
	p.stop()
	p.connect()
	panel = p.slash(p.Bob.In(room), "preferences").Message
	p.chose(panel, "6:audience", "kept")
	p.chose(panel, "6:notices", "false")
	p.chose(panel, "6:blocked", p.Chen.ID())
	p.chose(p.pick(p.Bob.In(room), panel, "6:audience", "kept"), "6:audience", "kept")
	p.chose(p.pick(p.Bob.In(room), panel, "6:blocked"), "6:blocked")
	p.chose(p.slash(p.Bob.DM(), "preferences").Message, "6:audience", "kept")
	p.chose(p.slash(p.chen, "preferences").Message, "6:blocked")

	// No value that was not offered.
	panel = p.slash(p.bob, "preferences").Message
	for _, id := range []string{"6:audience", "6:nothing", "6:"} {
		forged := p.bob.Tweak(func(payload map[string]any) {
			payload["data"] = map[string]any{"custom_id": id, "component_type": 3, "id": 4, "values": []string{"x"}}
		})
		r, err := forged.Select(t.Context(), panel, "6:audience", "nobody")
		if err != nil {
			t.Fatal(err)
		}
		p.told(p.resolve(r), "I don't know that choice. Open /preferences again and pick from its lists.")
	}
	p.chose(p.slash(p.bob, "preferences").Message, "6:audience", "server")
}

func TestContextMenus(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	for command, title := range map[string]string{
		"Challenge to tic-tac-toe": "**Tic-tac-toe** · 3×3", "Challenge to gomoku": "**Gomoku** · 15×15 · freestyle",
	} {
		to := p.Bob
		if command == "Challenge to gomoku" {
			to = p.Chen
		}
		r, err := p.alice.UserCommand(t.Context(), command, to)
		if err != nil {
			t.Fatal(err)
		}
		offer := p.resolve(r).Message
		p.says(offer, title, p.Alice.Mention()+" challenges "+to.Mention())
		if !slices.Equal(offer.Pings, []string{to.ID()}) {
			t.Errorf("%s pings %v", command, offer.Pings)
		}
		p.says(p.update(to.In(p.Games), offer, "Accept"), "move 1")
	}
	for target, says := range map[*sandbox.Person]string{
		p.Alice: "You can't challenge yourself.", p.OtherBot: "I only know how to play people and myself.",
	} {
		r, err := p.alice.UserCommand(t.Context(), "Challenge to gomoku", target)
		if err != nil {
			t.Fatal(err)
		}
		p.told(p.resolve(r), says)
	}
	r, err := p.alice.UserCommand(t.Context(), "Challenge to gomoku", p.Bot())
	if err != nil {
		t.Fatal(err)
	}
	p.says(p.resolve(r).Message, "Rowbot (random)")
}
