package sandbox_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

const globalCommands = "/applications/" + sandbox.ApplicationID + "/commands"

func slash(more obj) obj {
	m := obj{"name": "play", "description": "Play"}
	maps.Copy(m, more)
	return m
}

func option(more obj) obj {
	m := obj{"type": 3, "name": "a", "description": "A"}
	maps.Copy(m, more)
	return m
}

func options(o ...any) obj { return slash(obj{"options": o}) }

func many(n int, f func(i int) obj) list {
	var out list
	for i := range n {
		out = append(out, f(i))
	}
	return out
}

func big(description int) obj {
	return options(many(25, func(i int) obj {
		return option(obj{"name": fmt.Sprintf("o%02d", i), "description": strings.Repeat("d", 100), "choices": many(3, func(j int) obj {
			return obj{"name": fmt.Sprint(j, strings.Repeat("n", description)), "value": strings.Repeat("v", 9)}
		})})
	})...)
}

// refusedCommands are definitions that Discord answers with 50035, and a word of the answer.
var refusedCommands = map[string]struct {
	body obj
	word string
}{
	"upper case":              {slash(obj{"name": "Play"}), "lower case"},
	"upper case Cyrillic":     {slash(obj{"name_localizations": obj{"ru": "Игра"}}), "lower case"},
	"a space":                 {slash(obj{"name": "a b"}), "STRING_TYPE_REGEX"},
	"33 characters":           {slash(obj{"name": strings.Repeat("x", 33)}), "BASE_TYPE_BAD_LENGTH"},
	"no name":                 {obj{"description": "x"}, "BASE_TYPE_REQUIRED"},
	"no description":          {obj{"name": "x"}, "BASE_TYPE_REQUIRED"},
	"description 101":         {slash(obj{"description": strings.Repeat("x", 101)}), "BASE_TYPE_BAD_LENGTH"},
	"unknown locale":          {slash(obj{"name_localizations": obj{"xx": "play"}}), "not a supported locale"},
	"description on a menu":   {slash(obj{"type": 2}), "DESCRIPTION_NOT_ALLOWED"},
	"options on a menu":       {obj{"name": "x", "type": 3, "options": list{option(nil)}}, "OPTIONS_NOT_ALLOWED"},
	"26 options":              {options(many(26, func(i int) obj { return option(obj{"name": fmt.Sprint("o", i)}) })...), "BASE_TYPE_MAX_LENGTH"},
	"required after optional": {options(option(nil), option(obj{"name": "b", "required": true})), "REQUIRED_INVALID"},
	"names doubled":           {options(option(nil), option(nil)), "NAME_ALREADY_EXISTS"},
	"localized as another":    {options(option(nil), option(obj{"name": "b", "name_localizations": obj{"de": "a"}})), "NAME_ALREADY_EXISTS"},
	"subcommand beside":       {options(option(obj{"type": 1}), option(obj{"name": "b"})), "TYPE_INVALID"},
	"subcommand in itself":    {options(option(obj{"type": 1, "options": list{option(obj{"type": 1})}})), "TYPE_INVALID"},
	"group in group":          {options(option(obj{"type": 2, "options": list{option(obj{"type": 2, "options": list{}})}})), "TYPE_INVALID"},
	"option in group":         {options(option(obj{"type": 2, "options": list{option(nil)}})), "TYPE_INVALID"},
	"option without type":     {options(obj{"name": "a", "description": "A"}), "BASE_TYPE_REQUIRED"},
	"26 choices":              {options(option(obj{"choices": many(26, func(i int) obj { return obj{"name": strconv.Itoa(i), "value": "x"} })})), "BASE_TYPE_MAX_LENGTH"},
	"choice doubled":          {options(option(obj{"choices": many(2, func(int) obj { return obj{"name": "x", "value": "x"} })})), "CHOICE_NAME_ALREADY_EXISTS"},
	"choices on a user":       {options(option(obj{"type": 6, "choices": many(1, func(int) obj { return obj{"name": "x", "value": "x"} })})), "CHOICES_INVALID"},
	"choice of another type":  {options(option(obj{"type": 4, "choices": many(1, func(int) obj { return obj{"name": "x", "value": "x"} })})), "NUMBER_TYPE_COERCE"},
	"autocomplete and choice": {options(option(obj{"autocomplete": true, "choices": many(1, func(int) obj { return obj{"name": "x", "value": "x"} })})), "AUTOCOMPLETE"},
	"too large":               {big(80), "APPLICATION_COMMAND_TOO_LARGE"},
	"private without user":    {slash(obj{"contexts": list{2}, "integration_types": list{0}}), "USER_INSTALL"},
	"unknown context":         {slash(obj{"contexts": list{3}}), "BASE_TYPE_CHOICES"},
	"permissions in words":    {slash(obj{"default_member_permissions": "all"}), "NUMBER_TYPE_COERCE"},
}

func TestRefusedCommands(t *testing.T) {
	_, b := start(t, sandbox.Options{})
	for name, c := range refusedCommands {
		t.Run(name, func(t *testing.T) {
			b.t = t
			b.refused(400, 50035, b.call("POST", globalCommands, c.body), c.word)
			b.refused(400, 50035, b.call("PUT", globalCommands, list{c.body}), c.word)
		})
	}
}

func names(a answer) []string {
	var cmds []sandbox.Command
	if err := json.Unmarshal(a.body, &cmds); err != nil {
		return []string{err.Error()}
	}
	out := []string{}
	for _, c := range cmds {
		out = append(out, c.Name)
	}
	return out
}

func TestCommandsAreReplacedAndKept(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	b.want(200, b.call("PUT", globalCommands, list{slash(nil), slash(obj{"name": "игра"}), obj{"name": "Play with", "type": 2}}))
	before := srv.Commands("")
	again := b.want(200, b.call("PUT", globalCommands, list{slash(obj{"description": "New", "name_localizations": obj{"de": "spielen"}})}))
	if diff := cmp.Diff([]string{"play"}, names(again)); diff != "" {
		t.Error(diff)
	}
	after := srv.Commands("")[0]
	if after.ID != before[0].ID || after.Version == before[0].Version || after.Description != "New" {
		t.Errorf("overwritten: %+v, was %+v", after, before[0])
	}
	b.want(201, b.call("POST", globalCommands, slash(obj{"name": "more"})))
	b.want(200, b.call("POST", globalCommands, slash(obj{"name": "more", "description": "Else"})))
	if got := b.want(200, b.call("GET", globalCommands, nil)); strings.Contains(string(got.body), "spielen") {
		t.Errorf("localizations unasked: %s", got.body)
	}
	if got := b.want(200, b.call("GET", globalCommands+"?with_localizations=true", nil)); !strings.Contains(string(got.body), "spielen") {
		t.Errorf("no localizations: %s", got.body)
	}
	one := globalCommands + "/" + after.ID
	b.want(200, b.call("PATCH", one, obj{"description": "Newer"}))
	if got := b.want(200, b.call("GET", one, nil)).json(); got["description"] != "Newer" || got["name_localizations"].(obj)["de"] != "spielen" {
		t.Errorf("patched: %v", got)
	}
	b.refused(400, 50035, b.call("PATCH", one, obj{"name": "A b"}))
	b.want(204, b.call("DELETE", one, nil))
	b.refused(404, 10063, b.call("GET", one, nil))
	b.refused(404, 10002, b.call("GET", "/applications/1390000000000000999/commands", nil))
}

func TestGuildCommandsAndTheirNumber(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	guild := "/applications/" + sandbox.ApplicationID + "/guilds/" + srv.Playground.ID() + "/commands"
	b.want(200, b.call("PUT", guild, many(100, func(i int) obj { return slash(obj{"name": fmt.Sprint("c", i)}) })))
	b.refused(400, 30032, b.call("POST", guild, slash(obj{"name": "one-more"})))
	b.refused(400, 30032, b.call("PUT", guild, many(16, func(i int) obj { return obj{"name": fmt.Sprint("C", i), "type": 2} })))
	b.refused(400, 50035, b.call("PUT", guild, list{slash(nil), slash(nil)}), "DUPLICATE_NAME")
	b.refused(400, 50035, b.call("PUT", guild, list{slash(obj{"contexts": list{0}})}), "GLOBAL_ONLY")
	b.refused(400, 50035, b.call("PUT", guild, obj{}))
	b.answerWith(obj{"type": 4, "data": obj{"content": "x"}})
	must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Slash(t.Context(), "c7"))
	if got := b.seenLast()["data"].(obj)["guild_id"]; got != srv.Playground.ID() {
		t.Errorf("guild_id %v", got)
	}
	b.want(200, b.call("PUT", guild, list{}))
	if n := len(srv.Commands(srv.Playground.ID())); n != len(commands()) {
		t.Errorf("%d commands are left", n)
	}
}
