// Package slim leaves out of interactions what takes long to decode and is not needed.
//
// It imports gjson and nothing of this module. It may be imported by bot/gateway and
// bot/webhook.
package slim

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/tidwall/gjson"
)

// Components replaces the components of a message, which stand at a path such as
// "d.message.components", by one row with a button for each kind of custom ID among
// them: what is before the first colon. It returns raw itself where there are none.
//
// discordgo decodes each part of each component two times over, which takes longer
// than all the rest of a click, and drops the whole event where one of them is new
// to it. What the bot has to know of its own message is what kind of message it is.
func Components(raw []byte, path string) []byte {
	c := gjson.GetBytes(raw, path)
	if c.Index <= 0 || !c.IsArray() {
		return raw
	}
	end := c.Index + len(c.Raw)
	return slices.Concat(raw[:c.Index], row(raw[c.Index:end]), raw[end:])
}

type button struct {
	Type     int             `json:"type"`
	Style    int             `json:"style"`
	CustomID json.RawMessage `json:"custom_id"`
}

// row is what is put in the place of components.
func row(components []byte) []byte {
	const typeRow, typeButton, secondary = 1, 2, 2
	var kinds []string
	var buttons []button
	for id := range customIDs(components) {
		kind, _, _ := bytes.Cut(id, []byte(":"))
		if slices.Contains(kinds, string(kind)) {
			continue
		}
		kinds = append(kinds, string(kind))
		buttons = append(buttons, button{typeButton, secondary, id})
	}
	if len(buttons) == 0 {
		return []byte("[]")
	}
	out, err := json.Marshal([]struct {
		Type       int      `json:"type"`
		Components []button `json:"components"`
	}{{typeRow, buttons}})
	if err != nil {
		return []byte("[]") // an ID that is no JSON; the rest will not be either
	}
	return out
}

// customIDs goes through the values of all keys "custom_id", as JSON. Within a string
// the quotes of what looks like one would be escaped.
func customIDs(components []byte) func(yield func([]byte) bool) {
	key := []byte(`"custom_id"`)
	return func(yield func([]byte) bool) {
		for {
			_, after, found := bytes.Cut(components, key)
			if !found {
				return
			}
			components = after
			after = bytes.TrimLeft(after, " \t\r\n")
			if len(after) == 0 || after[0] != ':' {
				continue // it is a value
			}
			if id := gjson.ParseBytes(after[1:]); id.Type == gjson.String && !yield([]byte(id.Raw)) {
				return
			}
		}
	}
}
