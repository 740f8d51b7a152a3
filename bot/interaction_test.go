package bot_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"strconv"

	"github.com/bwmarrin/discordgo"
)

// fields is a JSON object.
type fields = map[string]any

// person is a user as Discord describes them.
func person(id string) fields {
	return fields{
		"id": id, "username": "user" + id[len(id)-1:], "global_name": "Person " + id[len(id)-1:],
		"discriminator": "0", "avatar": nil, "public_flags": 0,
	}
}

func member(id string) fields {
	return fields{
		"user": person(id), "nick": nil, "roles": []string{}, "joined_at": "2026-01-01T00:00:00.000000+00:00",
		"permissions": "2248473465835073", "deaf": false, "mute": false, "flags": 0,
	}
}

// event makes an interaction of what Discord sends for it in a server, with
// some of the fields changed or, where they are nil, left out.
func (w *world) event(kind int, user string, data fields, changed fields) *discordgo.Interaction {
	w.Helper()
	w.ids++
	id := strconv.Itoa(1345678901234567000 + w.ids)
	all := fields{
		"id": id, "application_id": appID, "type": kind, "token": "token" + id, "version": 1, "data": data,
		"guild_id": guild, "channel_id": channel, "member": member(user), "locale": "en-US", "guild_locale": "en-US",
		"guild": fields{"id": guild, "locale": "en-US", "features": []string{}}, "app_permissions": "2248473465835073",
		"context": 0, "entitlements": []any{}, "authorizing_integration_owners": fields{"0": guild}, "attachment_size_limit": 10485760,
	}
	maps.Copy(all, changed)
	for key, v := range all {
		if v == nil {
			delete(all, key)
		}
	}
	raw, err := json.Marshal(all)
	if err != nil {
		w.Fatal(err)
	}
	i := new(discordgo.Interaction)
	if err := json.Unmarshal(raw, i); err != nil {
		w.Fatal(err)
	}
	return i
}

// option is an option of a command; text ones and, by their name, users.
func option(name string, value any) fields {
	kind := 3
	switch name {
	case "opponent", "player":
		kind = 6
	case "size":
		kind = 4
	}
	return fields{"name": name, "type": kind, "value": value}
}

// command is "ttt move" or "help" with options.
func (w *world) command(user, name, sub string, options ...fields) *discordgo.Interaction {
	w.Helper()
	return w.event(2, user, slash(name, sub, options...), nil)
}

func slash(name, sub string, options ...fields) fields {
	people, members := fields{}, fields{}
	for _, o := range options {
		if o["type"] == 6 {
			id := fmt.Sprint(o["value"])
			people[id], members[id] = person(id), fields{"roles": []string{}, "permissions": "0"}
		}
	}
	data := fields{"id": "5", "name": name, "type": 1, "options": options, "resolved": fields{"users": people, "members": members}}
	if sub != "" {
		data["options"] = []fields{{"name": sub, "type": 1, "options": options}}
	}
	return data
}

// typing is the autocomplete of an option.
func (w *world) typing(user, name, sub, focused, typed string) *discordgo.Interaction {
	w.Helper()
	o := option(focused, typed)
	o["focused"] = true
	return w.event(4, user, slash(name, sub, o), nil)
}

// message is what a component's interaction says about its message.
func message(id string, flags int) fields {
	return fields{
		"id": id, "channel_id": channel, "type": 0, "content": "", "flags": flags, "components": []any{}, "embeds": []any{},
		"author": fields{"id": appID, "username": "Rowbot", "discriminator": "0", "bot": true}, "mentions": []any{},
		"timestamp": "2026-01-01T00:00:00.000000+00:00", "edited_timestamp": nil, "attachments": []any{}, "mention_roles": []any{},
	}
}

// with is a message with a button on it.
func with(m fields, customID string) fields {
	m["components"] = []fields{{"type": 1, "components": []fields{{"type": 2, "style": 2, "label": "x", "custom_id": customID}}}}
	return m
}

// click presses a button of a message.
func (w *world) click(user, customID, on string) *discordgo.Interaction {
	w.Helper()
	return w.event(3, user, fields{"custom_id": customID, "component_type": 2, "id": 3}, fields{"message": with(message(on, 1<<15), customID)})
}

// clickPrivate presses a button of a message that only its reader sees.
func (w *world) clickPrivate(user, customID string) *discordgo.Interaction {
	w.Helper()
	return w.event(3, user, fields{"custom_id": customID, "component_type": 2, "id": 3}, fields{"message": message("800000000000000099", 1<<6)})
}

// submit sends a modal with a text, opened from a message's button, or from
// none where that is empty.
func (w *world) submit(user, customID, typed, on string) *discordgo.Interaction {
	w.Helper()
	data := fields{"custom_id": customID, "components": []fields{{
		"type": 18, "id": 1, "component": fields{"type": 4, "id": 2, "custom_id": "cell", "value": typed},
	}}}
	changed := fields{}
	if on != "" {
		changed["message"] = with(message(on, 1<<15), customID)
	}
	return w.event(5, user, data, changed)
}

// pressID is the custom ID of a match's button as package bot writes it.
func pressID(match any, version any, verb string) string {
	return fmt.Sprintf("1:%v:%v:%s", match, version, verb)
}
