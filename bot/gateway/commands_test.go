package gateway_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/gateway"
)

func TestApplication(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil)
	f.answer("GET /api/v10/applications/@me", reply(200, `{"id":"123","verify_key":"ab","name":"Rowbot"}`))
	c, _ := newClient(t, f, nil)
	id, key, err := c.Application(t.Context())
	if err != nil || id != "123" || key != "ab" {
		t.Errorf("%q %q %v", id, key, err)
	}
	f.answer("GET /api/v10/applications/@me", reply(401, `{"message":"401: Unauthorized","code":0}`))
	if _, _, err := c.Application(t.Context()); !errors.Is(err, gateway.ErrUnauthorized) {
		t.Errorf("error %v, want ErrUnauthorized", err)
	}
	f.answer("GET /api/v10/applications/@me", reply(200, `{}`))
	if _, _, err := c.Application(t.Context()); err == nil {
		t.Error("an application without an id")
	}
}

func TestExpiredInteractionIsNotARefusedToken(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil)
	f.answer("PATCH /api/v10/webhooks/1/t/messages/@original", reply(401, `{"message":"Invalid Webhook Token","code":50027}`))
	c, _ := newClient(t, f, nil)
	if _, err := c.Call(t.Context(), "PATCH", "webhooks/1/t/messages/@original", nil); errors.Is(err, gateway.ErrUnauthorized) {
		t.Errorf("%v is held for a refused bot token", err)
	}
}

// commandStore keeps commands as Discord does: with ids, and with defaults
// written out.
type commandStore struct {
	stored []map[string]any
	writes int
	asked  string
}

func (s *commandStore) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPut {
		s.writes++
		s.stored = nil
		if err := json.NewDecoder(r.Body).Decode(&s.stored); err != nil {
			w.WriteHeader(400)
			return
		}
		for i, c := range s.stored {
			s.stored[i] = asRegistered(c, true)
		}
	} else {
		s.asked = r.URL.RawQuery
	}
	b, _ := json.Marshal(s.stored)
	if s.stored == nil {
		b = []byte("[]")
	}
	w.Write(b)
}

// asRegistered makes of a command or option what Discord sends back for it.
func asRegistered(in map[string]any, command bool) map[string]any {
	out := map[string]any{}
	for k, v := range in {
		if v != nil && v != false {
			out[k] = v
		}
	}
	if command {
		defaults := map[string]any{
			"id": "77", "application_id": "1", "version": "99", "default_permission": true, "dm_permission": true,
			"default_member_permissions": nil, "nsfw": false, "type": 1, "contexts": nil, "integration_types": []int{0},
			"invented_later": true, "description_localizations": nil, "name_localizations": nil,
		}
		for k, v := range defaults {
			if _, ok := out[k]; !ok {
				out[k] = v
			}
		}
	}
	if options, ok := in["options"].([]any); ok {
		list := []any{}
		for _, o := range options {
			list = append(list, asRegistered(o.(map[string]any), false))
		}
		out["options"] = list
	}
	return out
}

func commands() []*discordgo.ApplicationCommand {
	zero := 0.0
	contexts := []discordgo.InteractionContextType{2, 0, 1}
	installs := []discordgo.ApplicationIntegrationType{1, 0}
	ru := map[discordgo.Locale]string{discordgo.Russian: "ход"}
	return []*discordgo.ApplicationCommand{
		{
			Name: "ttt", Description: "Play", Contexts: &contexts, IntegrationTypes: &installs, DescriptionLocalizations: &ru,
			Options: []*discordgo.ApplicationCommandOption{
				{Type: 1, Name: "move", Description: "Move", NameLocalizations: ru, Options: []*discordgo.ApplicationCommandOption{
					{Type: 3, Name: "cell", Description: "Cell", Required: true, Autocomplete: true},
					{Type: 4, Name: "level", Description: "Level", MinValue: &zero, MaxValue: 9, Choices: []*discordgo.ApplicationCommandOptionChoice{
						{Name: "none", Value: 0}, {Name: "one", Value: 1, NameLocalizations: ru},
					}},
				}},
				{Type: 1, Name: "pass", Description: "Pass"},
			},
		},
		{Type: discordgo.UserApplicationCommand, Name: "Challenge to gomoku", Contexts: &contexts, IntegrationTypes: &installs},
	}
}

func TestRegister(t *testing.T) {
	t.Parallel()
	for _, guild := range []string{"", "555"} {
		f := newFake(t, nil)
		store := &commandStore{}
		path := "/api/v10/applications/1/commands"
		if guild != "" {
			path = "/api/v10/applications/1/guilds/" + guild + "/commands"
		}
		f.answer("GET "+path, store.serve)
		f.answer("PUT "+path, store.serve)
		c, _ := newClient(t, f, nil)
		register := func(what string, want bool, commands any) {
			t.Helper()
			wrote, err := c.Register(t.Context(), "1", guild, commands)
			if err != nil || wrote != want {
				t.Errorf("guild %q, %s: wrote %v, %v", guild, what, wrote, err)
			}
		}
		register("first", true, commands())
		if store.asked != "with_localizations=true" {
			t.Errorf("asked with %q", store.asked)
		}
		register("same", false, commands())
		again := commands()
		again[0], again[1] = again[1], again[0]
		register("in another order", false, again)

		changes := map[string]func(c []*discordgo.ApplicationCommand){
			"description":       func(c []*discordgo.ApplicationCommand) { c[0].Description = "Play it" },
			"nested text":       func(c []*discordgo.ApplicationCommand) { c[0].Options[0].Options[0].Description = "A cell" },
			"choice":            func(c []*discordgo.ApplicationCommand) { c[0].Options[0].Options[1].Choices[0].Value = 2 },
			"choice translated": func(c []*discordgo.ApplicationCommand) { c[0].Options[0].Options[1].Choices[1].NameLocalizations = nil },
			"translation":       func(c []*discordgo.ApplicationCommand) { (*c[0].DescriptionLocalizations)["de"] = "Spielen" },
			"required":          func(c []*discordgo.ApplicationCommand) { c[0].Options[0].Options[0].Required = false },
			"limit":             func(c []*discordgo.ApplicationCommand) { c[0].Options[0].Options[1].MinValue = nil },
			"option order": func(c []*discordgo.ApplicationCommand) {
				c[0].Options[0], c[0].Options[1] = c[0].Options[1], c[0].Options[0]
			},
			"option gone":    func(c []*discordgo.ApplicationCommand) { c[0].Options = c[0].Options[:1] },
			"command's name": func(c []*discordgo.ApplicationCommand) { c[1].Name = "Challenge" },
			"permissions":    func(c []*discordgo.ApplicationCommand) { p := int64(32); c[0].DefaultMemberPermissions = &p },
		}
		for name, change := range changes {
			changed := commands()
			change(changed)
			register(name, true, changed)
			register(name+" once more", false, changed)
			register("back from "+name, true, commands())
		}
		register("fewer", true, commands()[:1])
		register("more", true, commands())
		contexts := []discordgo.InteractionContextType{0}
		fewer := commands()
		fewer[0].Contexts = &contexts
		register("contexts", guild == "", fewer) // a server's commands have none
	}
}

func TestRegisterRefuses(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil)
	c, _ := newClient(t, f, nil)
	for _, commands := range []any{nil, []any{}, "text", make(chan int)} {
		if _, err := c.Register(t.Context(), "1", "", commands); err == nil {
			t.Errorf("%T: no error", commands)
		}
	}
	if n := f.asked(""); n != 0 {
		t.Errorf("%d requests for what cannot be registered", n)
	}
	f.answer("GET /api/v10/applications/1/commands", reply(200, "[]"))
	f.answer("PUT /api/v10/applications/1/commands", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(400)
		io.WriteString(w, `{"message":"Invalid Form Body","code":50035,"errors":{"0":{"name":{"_errors":[{"code":"X","message":"too long"}]}}}}`)
	})
	_, err := c.Register(t.Context(), "1", "", commands())
	var api *gateway.APIError
	if !errors.As(err, &api) || api.Code != 50035 || !strings.Contains(err.Error(), "too long") {
		t.Errorf("error %v", err)
	}
}
