package page_test

import (
	"testing"

	"rowbot/sandbox"
)

func TestMenuCommands(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	bot := startBot(t, srv, base, func(it interaction) any {
		return object{"type": 4, "data": object{"content": it.Data.Name + " on " + it.Data.TargetID}}
	})
	bot.register()
	alice := visit(t, base, "alice")
	channel := srv.General.ID()
	if r := alice.ask(object{"do": "user", "channel": channel, "command": "Challenge", "target": srv.Bob.ID()}); r.Error != "" {
		t.Errorf("user command: %+v", r)
	}
	m := alice.message("Challenge on " + srv.Bob.ID())
	if m.Command != "Challenge" || m.User != srv.Alice.ID() {
		t.Errorf("the answer is of command %q, used by %q", m.Command, m.User)
	}
	if r := alice.ask(object{"do": "message", "channel": channel, "command": "Explain", "message": m.Message.ID}); r.Error != "" {
		t.Errorf("message command: %+v", r)
	}
	alice.message("Explain on " + m.Message.ID)
	if r := alice.ask(object{"do": "slash", "channel": channel, "command": "ttt challenge"}); r.Error != "" {
		t.Errorf("slash command: %+v", r)
	}
	if m := alice.message("ttt on"); m.Command != "ttt challenge" {
		t.Errorf("the answer is of command %q", m.Command)
	}
	for name, request := range map[string]object{
		"nobody":           {"do": "user", "command": "Challenge", "target": "1"},
		"no message":       {"do": "message", "command": "Explain", "message": "1"},
		"of another kind":  {"do": "user", "command": "Explain", "target": srv.Bob.ID()},
		"unknown command":  {"do": "message", "command": "Dance", "message": m.Message.ID},
		"somewhere else's": {"do": "user", "channel": "1", "command": "Challenge", "target": srv.Bob.ID()},
	} {
		if request["channel"] == nil {
			request["channel"] = channel
		}
		if r := alice.ask(request); r.Error == "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestLanguage(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	startBot(t, srv, base, silence).register()
	alice, other, bob := visit(t, base, "alice"), visit(t, base, "alice"), visit(t, base, "bob")
	check := func(b *browser, name, shown, description string) {
		t.Helper()
		b.until(func(e event) bool {
			if e.T != "commands" && e.T != "view" {
				return false
			}
			for _, c := range e.Commands {
				if c.Name == name && c.Shown == shown && c.Description == description {
					return true
				}
			}
			return false
		})
	}
	check(alice, "ttt move", "ttt move", "The move")
	if r := alice.ask(object{"do": "locale", "name": "ru"}); r.Error != "" {
		t.Fatalf("locale: %+v", r)
	}
	for _, b := range []*browser{alice, other} { // both windows of the same person
		check(b, "ttt move", "крестики move", "Сделать ход")
	}
	if got := srv.Alice.User().Locale; got != "ru" {
		t.Errorf("Alice speaks %s", got)
	}
	bob.open(srv.General.ID())
	for _, e := range bob.kept {
		for _, c := range e.Commands {
			if c.Shown == "крестики move" {
				t.Error("Bob is spoken to in Alice's language")
			}
		}
	}
	for _, bad := range []string{"", "Russian", "ru-ru", "x"} {
		if r := alice.ask(object{"do": "locale", "name": bad}); r.Error == "" {
			t.Errorf("language %q was taken", bad)
		}
	}
}
