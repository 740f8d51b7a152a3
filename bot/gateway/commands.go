package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// Application asks which application the token belongs to, and for the key
// (64 hex digits) its signed interactions are checked with. The error matches
// ErrUnauthorized when the token is refused.
func (c *Client) Application(ctx context.Context) (id, verifyKey string, err error) {
	raw, err := c.Call(ctx, http.MethodGet, "applications/@me", nil)
	if err != nil {
		return "", "", fmt.Errorf("ask for the application: %w", err)
	}
	var app struct {
		ID        string `json:"id"`
		VerifyKey string `json:"verify_key"`
	}
	if err := json.Unmarshal(raw, &app); err != nil {
		return "", "", fmt.Errorf("read the application: %w", err)
	}
	if app.ID == "" {
		return "", "", errors.New("read the application: no id")
	}
	return app.ID, app.VerifyKey, nil
}

// Register makes the given commands the only ones of the application: of the
// server guildID, or global ones when that is empty. commands is encoded as a
// JSON list of command objects, as Discord takes them. The commands that are
// registered are read first, and written, all in one request, only when they
// differ; wrote tells which it was.
//
// An empty list is refused: it would delete all commands.
func (c *Client) Register(ctx context.Context, appID, guildID string, commands any) (wrote bool, err error) {
	body, err := json.Marshal(commands)
	if err != nil {
		return false, fmt.Errorf("encode the commands: %w", err)
	}
	var want []map[string]any
	if err := json.Unmarshal(body, &want); err != nil {
		return false, fmt.Errorf("read the commands to register: %w", err)
	}
	if len(want) == 0 {
		return false, errors.New("register commands: there are none")
	}
	path := "applications/" + appID + "/commands"
	if guildID != "" {
		path = "applications/" + appID + "/guilds/" + guildID + "/commands"
	}
	same, err := c.registered(ctx, path, want, guildID != "")
	if same || errors.Is(err, ErrUnauthorized) {
		return false, err
	}
	if _, err := c.Call(ctx, http.MethodPut, path, json.RawMessage(body)); err != nil {
		return false, fmt.Errorf("register commands: %w", err)
	}
	return true, nil
}

// registered reports whether the commands at a path are the wanted ones. Where
// that cannot be found out, writing them once too often does no harm.
func (c *Client) registered(ctx context.Context, path string, want []map[string]any, inGuild bool) (bool, error) {
	raw, err := c.Call(ctx, http.MethodGet, path+"?with_localizations=true", nil)
	if err != nil {
		return false, fmt.Errorf("ask for the registered commands: %w", err)
	}
	var have []map[string]any
	if err := json.Unmarshal(raw, &have); err != nil {
		return false, fmt.Errorf("read the registered commands: %w", err)
	}
	return sameCommands(want, have, inGuild), nil
}

// definition names the fields that make up a command, its options and their
// choices. Of what Discord sends, only these are compared: the rest (ids,
// versions, deprecated fields and ones yet to be invented) is not ours.
var definition = map[string]bool{
	"type": true, "name": true, "name_localizations": true, "description": true, "description_localizations": true,
	"options": true, "default_member_permissions": true, "nsfw": true, "contexts": true, "integration_types": true,
	"required": true, "choices": true, "value": true, "channel_types": true, "min_value": true, "max_value": true,
	"min_length": true, "max_length": true, "autocomplete": true, "file_types": true,
}

// assigned are fields that Discord gives a command. They may stand in a
// wanted command that was read from Discord once, and are not looked at.
var assigned = []string{"id", "application_id", "guild_id", "version", "name_localized", "description_localized", "dm_permission", "default_permission"}

// sameCommands compares two lists of commands. Their order has no meaning; a
// command is known by its type and name.
func sameCommands(want, have []map[string]any, inGuild bool) bool {
	if len(want) != len(have) {
		return false
	}
	registered := make(map[string]map[string]any, len(have))
	for _, h := range have {
		h = normal(h, inGuild)
		registered[commandKey(h)] = h
	}
	for _, w := range want {
		w = normal(w, inGuild)
		h, ok := registered[commandKey(w)]
		if !ok {
			return false
		}
		// What is left out has a default that depends on the application.
		for _, k := range []string{"contexts", "integration_types"} {
			if _, asked := w[k]; !asked {
				delete(h, k)
			}
		}
		if !sameObject(w, h) {
			return false
		}
		delete(registered, commandKey(w))
	}
	return len(registered) == 0
}

func commandKey(c map[string]any) string {
	return fmt.Sprint(c["type"], " ", c["name"])
}

// normal brings a command into the form in which two equal ones are equal:
// without what Discord adds, without values that mean the same as none, and
// with the default type filled in.
func normal(command map[string]any, inGuild bool) map[string]any {
	c := maps.Clone(command)
	for _, k := range assigned {
		delete(c, k)
	}
	if inGuild { // these two only exist for global commands
		delete(c, "contexts")
		delete(c, "integration_types")
	}
	if c["type"] == nil {
		c["type"] = 1.0
	}
	if p, ok := c["default_member_permissions"].(float64); ok { // the API takes both forms
		c["default_member_permissions"] = fmt.Sprintf("%.0f", p)
	}
	return withoutDefaults(c)
}

// withoutDefaults drops null, false, and empty texts, lists and objects at
// every level. Zero stays: it is a value (of a choice, or as a limit).
func withoutDefaults(object map[string]any) map[string]any {
	out := make(map[string]any, len(object))
	for k, v := range object {
		switch v := v.(type) {
		case nil:
		case bool:
			if v {
				out[k] = v
			}
		case string:
			if v != "" {
				out[k] = v
			}
		case map[string]any:
			if m := withoutDefaults(v); len(m) > 0 {
				out[k] = m
			}
		case []any:
			if len(v) > 0 {
				out[k] = normalList(k, v)
			}
		default:
			out[k] = v
		}
	}
	return out
}

// unordered are lists that are sets.
var unordered = []string{"contexts", "integration_types", "channel_types", "file_types"}

func normalList(key string, list []any) []any {
	out := make([]any, len(list))
	for i, v := range list {
		if m, ok := v.(map[string]any); ok {
			v = withoutDefaults(m)
		}
		out[i] = v
	}
	if slices.Contains(unordered, key) {
		slices.SortFunc(out, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	}
	return out
}

// sameObject compares two normal objects: whatever is wanted must be there,
// and nothing else that belongs to a definition.
func sameObject(want, have map[string]any) bool {
	for k := range have {
		if _, ok := want[k]; !ok && definition[k] {
			return false
		}
	}
	for k, w := range want {
		h, ok := have[k]
		if !ok || !sameValue(k, w, h) {
			return false
		}
	}
	return true
}

func sameValue(key string, want, have any) bool {
	w, ok := want.([]any)
	if !ok || (key != "options" && key != "choices") {
		return reflect.DeepEqual(want, have)
	}
	h, ok := have.([]any)
	if !ok || len(w) != len(h) {
		return false
	}
	for i := range w {
		wo, wok := w[i].(map[string]any)
		ho, hok := h[i].(map[string]any)
		if !wok || !hok || !sameObject(wo, ho) {
			return false
		}
	}
	return true
}
