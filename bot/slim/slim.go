// Package slim leaves out of interactions what takes long to decode and is not needed,
// and reads what discordgo leaves out of them, which goes on in the handler's context.
//
// It imports gjson and nothing of this module. It may be imported by bot, bot/gateway
// and bot/webhook.
package slim

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// message is what stays of one.
type message struct {
	ID         json.RawMessage `json:"id,omitempty"`
	Flags      json.RawMessage `json:"flags,omitempty"`
	Components []row           `json:"components"`
}

type row struct {
	Type       int      `json:"type"`
	Components []button `json:"components"`
}

type button struct {
	Type     int             `json:"type"`
	Style    int             `json:"style"`
	CustomID json.RawMessage `json:"custom_id"`
}

// Message replaces the message that an interaction came from, which stands at a path
// such as "d.message", by its ID, its flags and one row with a button for each
// kind of custom ID on it: what is before the first colon. It returns raw itself
// where there is no message.
//
// discordgo decodes each part of each component two times over, which takes longer
// than all the rest of a click, and drops the whole event where one of them is new
// to it. What the bot has to know of its own message is which one it is, who sees
// it, and what kind it is.
func Message(raw []byte, path string) []byte {
	m := gjson.GetBytes(raw, path)
	if m.Index <= 0 || !m.IsObject() {
		return raw
	}
	less, err := json.Marshal(kept(m))
	if err != nil {
		return raw // no JSON; the decoder says so
	}
	return slices.Concat(raw[:m.Index], less, raw[m.Index+len(m.Raw):])
}

// kept is what stays of a message.
func kept(whole gjson.Result) message {
	m := message{Components: []row{}}
	whole.ForEach(func(key, value gjson.Result) bool {
		switch key.Str {
		case "id":
			m.ID = json.RawMessage(value.Raw)
		case "flags":
			m.Flags = json.RawMessage(value.Raw)
		case "components":
			m.Components = rows(value.Raw)
		}
		return true
	})
	return m
}

// rows has one button of each kind among components.
func rows(components string) []row {
	const typeRow, typeButton, secondary = 1, 2, 2
	var kinds []string
	var buttons []button
	for id := range customIDs(components) {
		kind, _, _ := strings.Cut(id, ":")
		if slices.Contains(kinds, kind) {
			continue
		}
		kinds = append(kinds, kind)
		buttons = append(buttons, button{typeButton, secondary, json.RawMessage(id)})
	}
	if len(buttons) == 0 {
		return []row{}
	}
	return []row{{typeRow, buttons}}
}

// customIDs goes through the values of all keys "custom_id" that are strings, as JSON.
// Within a string the quotes of what looks like a key would be escaped.
func customIDs(components string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			_, after, found := strings.Cut(components, `"custom_id"`)
			if !found {
				return
			}
			components = after
			value, isKey := strings.CutPrefix(strings.TrimLeft(after, space), ":")
			if !isKey {
				continue // it is a value
			}
			if id := quoted(strings.TrimLeft(value, space)); id != "" && !yield(id) {
				return
			}
		}
	}
}

const space = " \t\r\n"

// quoted is the string with which JSON begins, with its quotes, or nothing.
func quoted(json string) string {
	if !strings.HasPrefix(json, `"`) {
		return ""
	}
	for i := 1; i < len(json); i++ {
		switch json[i] {
		case '\\':
			i++
		case '"':
			return json[:i+1]
		}
	}
	return ""
}
