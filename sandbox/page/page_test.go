package page_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

// silence is an answer that does not come.
func silence(interaction) any { return nil }

func TestWorld(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	b := visit(t, base, "bob")
	w := b.kind("world")
	if w.Me != srv.Bob.ID() || w.Connected {
		t.Errorf("me %s, connected %v; want Bob before a bot has come", w.Me, w.Connected)
	}
	var names []string
	for _, p := range w.People {
		names = append(names, p.Name)
	}
	if diff := cmp.Diff([]string{"Alice", "Bob", "Chen", "Дарья", "Otherbot", "Rowbot"}, names); diff != "" {
		t.Errorf("people (-want +got):\n%s", diff)
	}
	var places []string
	for _, p := range w.Places {
		for _, c := range p.Channels {
			places = append(places, p.Name+"/"+c.Name)
		}
	}
	if diff := cmp.Diff([]string{"Playground/general", "Playground/games", "Direct messages/Rowbot"}, places); diff != "" {
		t.Errorf("channels (-want +got):\n%s", diff)
	}
	members := w.Places[1].Channels[0].Members
	if diff := cmp.Diff([]string{srv.Bob.ID(), srv.BotID()}, members); diff != "" {
		t.Errorf("members of the direct messages (-want +got):\n%s", diff)
	}
	if v := b.kind("view"); v.Channel != srv.General.ID() || len(v.Messages) != 0 || len(v.Commands) != 0 {
		t.Errorf("first view %s", v.raw)
	}

	bot := startBot(t, srv, base, silence)
	if e := b.kind("bot"); !e.Connected {
		t.Error("the bot came and is shown as away")
	}
	bot.register()
	e := b.kind("commands")
	var offered []string
	for _, c := range e.Commands {
		offered = append(offered, c.Name)
	}
	if diff := cmp.Diff([]string{"ttt challenge", "ttt move", "help", "Challenge", "Explain"}, offered); diff != "" {
		t.Errorf("commands (-want +got):\n%s", diff)
	}
	added := srv.Playground.AddChannel("more")
	b.until(func(e event) bool { return e.T == "world" && strings.Contains(string(e.raw), added.ID()) })
}

func TestMessagesReachEverybody(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	bot := startBot(t, srv, base, func(it interaction) any {
		return object{"type": 7, "data": cells(2, "move 2 after "+it.Data.CustomID)}
	})
	alice, bob := visit(t, base, srv.Alice.ID()), visit(t, base, "bob")
	alice.open(srv.Games.ID())

	bot.post("POST", "/channels/"+srv.Games.ID()+"/messages", cells(1, "move 1"))
	shown := alice.message("move 1")
	if e := bob.kind("news"); e.Channel != srv.Games.ID() || strings.Contains(string(e.raw), "move 1") {
		t.Errorf("Bob, who looks at another channel, got %s", e.raw) // that there is something, and no more
	}
	bob.open(srv.Games.ID())
	click := object{"do": "click", "channel": srv.Games.ID(), "message": shown.Message.ID, "custom_id": "cell:a1:1"}
	if r := alice.ask(click); r.Error != "" || r.Failed || r.Message != shown.Message.ID {
		t.Errorf("click: %+v", r)
	}
	for name, b := range map[string]*browser{"Alice": alice, "Bob": bob} {
		if got := b.message("move 2 after cell:a1:1"); got.Message.ID != shown.Message.ID {
			t.Errorf("%s sees the update in message %s, want %s", name, got.Message.ID, shown.Message.ID)
		}
	}

	// What was on the screen when it was clicked reaches the bot, though an edit has overtaken it.
	if r := alice.ask(click); r.Error != "" {
		t.Errorf("old click: %+v", r)
	}
	if diff := cmp.Diff([]string{"cell:a1:1", "cell:a1:1"}, bot.clicked()); diff != "" {
		t.Errorf("clicks at the bot (-want +got):\n%s", diff)
	}
	r := alice.ask(object{"do": "click", "channel": srv.Games.ID(), "message": shown.Message.ID, "custom_id": "cell:b1:2"})
	if !strings.Contains(r.Error, "disabled") {
		t.Errorf("click on a disabled button: %+v", r)
	}

	bot.post("DELETE", "/channels/"+srv.Games.ID()+"/messages/"+shown.Message.ID, nil)
	bob.until(func(e event) bool { return e.T == "deleted" && strings.Contains(string(e.raw), shown.Message.ID) })
	if r := alice.ask(click); r.Error != "It is no longer there." {
		t.Errorf("click on a deleted message: %+v", r)
	}
}

func TestEphemeralOnlyAtItsReader(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	bot := startBot(t, srv, base, func(interaction) any {
		return object{"type": 4, "data": object{"content": "a secret", "flags": sandbox.FlagEphemeral}}
	})
	bot.register()
	alice, bob := visit(t, base, "alice"), visit(t, base, "bob")
	if r := alice.ask(object{"do": "slash", "channel": srv.General.ID(), "command": "help"}); r.Error != "" || r.Message == "" {
		t.Fatalf("help: %+v", r)
	}
	secret := alice.message("a secret")
	if secret.Viewer != srv.Alice.ID() {
		t.Errorf("viewer %q", secret.Viewer)
	}
	bob.ask(object{"do": "say", "channel": srv.General.ID(), "text": "  hello <@" + srv.Alice.ID() + "> "})
	if got := alice.message("hello"); !slices.Contains(got.Pings, srv.Alice.ID()) || got.Message.Content != "hello <@"+srv.Alice.ID()+">" {
		t.Errorf("message %+v", got)
	}
	bob.message("hello")
	for _, e := range bob.kept {
		if strings.Contains(string(e.raw), "a secret") {
			t.Errorf("Bob got %s", e.raw)
		}
	}
	// Neither does he see it when he opens the channel, nor can he act on it.
	if v := bob.open(srv.General.ID()); strings.Contains(string(v.raw), "a secret") {
		t.Errorf("Bob's view has %s", v.raw)
	}
	if v := alice.open(srv.General.ID()); !strings.Contains(string(v.raw), "a secret") {
		t.Errorf("Alice's view lacks her message: %s", v.raw)
	}
	r := bob.ask(object{"do": "click", "channel": srv.General.ID(), "message": secret.Message.ID, "custom_id": "x"})
	if r.Error != "It is no longer there." {
		t.Errorf("Bob's click: %+v", r)
	}
}

func TestModal(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	bot := startBot(t, srv, base, func(it interaction) any {
		if it.Type == 5 {
			return object{"type": 7, "data": cells(2, "typed "+string(it.Data.Components))}
		}
		return object{"type": 9, "data": object{"custom_id": "move:1", "title": "Type a move", "components": []object{
			{"type": sandbox.TypeTextDisplay, "content": "It is your turn."},
			{"type": sandbox.TypeLabel, "label": "Cell", "description": "Letter and number", "component": object{
				"type": sandbox.TypeTextInput, "custom_id": "cell", "style": 1, "max_length": 8, "placeholder": "h8",
			}},
		}}}
	})
	alice := visit(t, base, "alice")
	bot.post("POST", "/channels/"+srv.General.ID()+"/messages", cells(1, "move 1"))
	shown := alice.message("move 1")
	r := alice.ask(object{"do": "click", "channel": srv.General.ID(), "message": shown.Message.ID, "custom_id": "cell:a1:1"})
	if r.Modal == nil || r.Modal.Title != "Type a move" || len(r.Modal.Parts) != 2 {
		t.Fatalf("modal %+v", r)
	}
	text, field := r.Modal.Parts[0], r.Modal.Parts[1]
	if text.Content != "It is your turn." {
		t.Errorf("text %+v", text)
	}
	if field.CustomID != "cell" || field.Label != "Cell" || field.Description != "Letter and number" || !field.Required || field.Max != 8 {
		t.Errorf("field %+v", field)
	}
	submit := func(value string) result {
		return alice.ask(object{"do": "submit", "channel": srv.General.ID(), "modal": r.Modal.ID, "fields": object{"cell": value}})
	}
	if got := submit(""); !strings.Contains(got.Error, "required") {
		t.Errorf("empty form: %+v", got)
	}
	if got := submit("h8"); got.Error != "" || got.Message != shown.Message.ID {
		t.Errorf("form: %+v", got)
	}
	alice.message(`\"value\":\"h8\"`)
	if got := submit("h9"); got.Error != "This form is no longer open." {
		t.Errorf("form sent twice: %+v", got)
	}
}

func TestCommands(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	bot := startBot(t, srv, base, func(it interaction) any {
		if it.Type == 4 {
			return object{"type": 8, "data": object{"choices": []object{{"name": "b2 " + string(it.Data.Options), "value": "b2"}}}}
		}
		return object{"type": 4, "data": object{"content": it.Data.Name + " " + string(it.Data.Options)}}
	})
	bot.register()
	alice := visit(t, base, "alice")
	channel := srv.Games.ID()
	alice.open(channel)

	r := alice.ask(object{"do": "autocomplete", "channel": channel, "command": "ttt move", "option": "cell", "text": "b"})
	if len(r.Choices) != 1 || r.Choices[0].Value != "b2" || !strings.Contains(r.Choices[0].Name, `"value":"b"`) {
		t.Errorf("suggestions %+v", r)
	}
	r = alice.ask(object{"do": "slash", "channel": channel, "command": "ttt challenge", "options": []object{
		{"name": "opponent", "value": srv.Bob.ID()}, {"name": "side", "value": "second"},
	}})
	if r.Error != "" {
		t.Errorf("slash: %+v", r)
	}
	alice.message(srv.Bob.ID())
	if r = alice.ask(object{"do": "line", "channel": channel, "text": "/ttt challenge opponent:Chen side:First"}); r.Error != "" {
		t.Errorf("line: %+v", r)
	}
	alice.message(srv.Chen.ID())

	before := srv.Stats().Interactions
	for name, c := range map[string]struct {
		request object
		want    string
	}{
		"required option missing": {object{"do": "slash", "command": "ttt move"}, `Option "cell" is required.`},
		"no such command":         {object{"do": "line", "text": "/chess"}, "No command /chess here."},
		"not a choice": {
			object{"do": "slash", "command": "ttt challenge", "options": []object{{"name": "side", "value": "third"}}},
			`Third is not a choice of option "side".`,
		},
		"nothing to say": {object{"do": "say", "text": " "}, "There is nothing to send."},
		"too much":       {object{"do": "say", "text": strings.Repeat("é", 2001)}, "The text is too long: 2000 characters at most."},
		"unknown":        {object{"do": "dance"}, "The page asked for something unknown: dance."},
		"no such place":  {object{"do": "say", "channel": "1", "text": "x"}, "It is no longer there."},
		"somebody else's place": {
			object{"do": "say", "channel": srv.Bob.DM().Channel().ID(), "text": "x"}, "It is no longer there.",
		},
	} {
		if c.request["channel"] == nil {
			c.request["channel"] = channel
		}
		if r := alice.ask(c.request); r.Error != c.want || r.Failed {
			t.Errorf("%s: got %q, want %q", name, r.Error, c.want)
		}
	}
	if after := srv.Stats().Interactions; after != before {
		t.Errorf("%d interactions reached the bot that its people's clients should have refused", after-before)
	}
}

func TestSelect(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	bot := startBot(t, srv, base, func(it interaction) any {
		return object{"type": 7, "data": object{"content": "picked " + strings.Join(it.Data.Values, "+")}}
	})
	alice := visit(t, base, "alice")
	bot.post("POST", "/channels/"+srv.General.ID()+"/messages", object{"content": "which?", "components": []object{
		{"type": 1, "components": []object{{"type": 3, "custom_id": "which", "options": []object{
			{"label": "One", "value": "1"}, {"label": "Two", "value": "2"},
		}}}},
	}})
	m := alice.message("which?")
	request := object{"do": "select", "channel": srv.General.ID(), "message": m.Message.ID, "custom_id": "which", "values": []string{"2"}}
	if r := alice.ask(request); r.Error != "" {
		t.Errorf("select: %+v", r)
	}
	alice.message("picked 2")
	request["values"] = []string{"3"}
	if r := alice.ask(request); r.Error == "" {
		t.Error("a value that is not in the menu was sent")
	}
}

func TestFailure(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{AnswerWithin: 50 * time.Millisecond})
	base := serve(t, srv)
	bot := startBot(t, srv, base, silence)
	bot.register()
	alice, bob := visit(t, base, "alice"), visit(t, base, "bob")
	if r := alice.ask(object{"do": "slash", "channel": srv.General.ID(), "command": "help"}); !r.Failed || r.Error != "" {
		t.Errorf("unanswered command: %+v", r)
	}
	if e := alice.kind("failed"); e.Channel != srv.General.ID() || e.Interaction == "" {
		t.Errorf("event %s", e.raw)
	}
	bob.open(srv.Games.ID())
	if slices.ContainsFunc(bob.kept, func(e event) bool { return e.T == "failed" }) {
		t.Error("Bob was told of Alice's failure")
	}
}

func TestThinking(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	bot := startBot(t, srv, base, func(interaction) any { return object{"type": 5} })
	bot.register()
	alice := visit(t, base, "alice")
	r := alice.ask(object{"do": "slash", "channel": srv.General.ID(), "command": "help"})
	m := alice.message(r.Message)
	if m.Message.Flags&sandbox.FlagLoading == 0 {
		t.Errorf("flags %d of a deferred answer", m.Message.Flags)
	}
	bot.mu.Lock()
	token := bot.seen[0].Token
	bot.mu.Unlock()
	bot.post("PATCH", "/webhooks/"+sandbox.ApplicationID+"/"+token+"/messages/@original", object{"content": "done thinking"})
	if m := alice.message("done thinking"); m.Message.Flags&sandbox.FlagLoading != 0 {
		t.Errorf("flags %d after the answer has come", m.Message.Flags)
	}
}
