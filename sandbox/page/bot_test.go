package page_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"sync"
	"testing"

	"github.com/coder/websocket"

	"rowbot/sandbox"
)

// interaction is what the scripted bot reads of an interaction.
type interaction struct {
	ID    string `json:"id"`
	Token string `json:"token"`
	Type  int    `json:"type"`
	Data  struct {
		Name       string          `json:"name"`
		CustomID   string          `json:"custom_id"`
		Values     []string        `json:"values"`
		Options    json.RawMessage `json:"options"`
		TargetID   string          `json:"target_id"`
		Components json.RawMessage `json:"components"`
		Resolved   json.RawMessage `json:"resolved"`
	} `json:"data"`
	Member struct {
		User struct {
			ID string `json:"id"`
		} `json:"user"`
	} `json:"member"`
}

// object is a JSON object.
type object = map[string]any

// scriptedBot answers interactions with what answer returns: a callback body, or nil for silence.
type scriptedBot struct {
	t    *testing.T
	base string // of the stand-in

	mu   sync.Mutex
	seen []interaction
}

// startBot connects a bot to the gateway of the server at base and answers until the test ends.
func startBot(t *testing.T, srv *sandbox.Server, base string, answer func(interaction) any) *scriptedBot {
	t.Helper()
	b := &scriptedBot{t: t, base: base}
	ctx := t.Context()
	ws, _, err := websocket.Dial(ctx, "ws"+base[len("http"):]+"/gateway?v=10&encoding=json", nil) //nolint:bodyclose // Dial wants it left alone
	if err != nil {
		t.Fatalf("dial gateway: %v", err)
	}
	ws.SetReadLimit(1 << 20)
	identify := object{"op": 2, "d": object{
		"token": sandbox.Token, "intents": 0, "properties": object{"os": "linux", "browser": "test", "device": "test"},
	}}
	raw, _ := json.Marshal(identify)
	if err := ws.Write(ctx, websocket.MessageText, raw); err != nil {
		t.Fatalf("identify: %v", err)
	}
	var running sync.WaitGroup
	running.Go(func() {
		for {
			_, raw, err := ws.Read(ctx)
			if err != nil {
				return
			}
			var packet struct {
				T string          `json:"t"`
				D json.RawMessage `json:"d"`
			}
			var it interaction
			if json.Unmarshal(raw, &packet) != nil || packet.T != "INTERACTION_CREATE" || json.Unmarshal(packet.D, &it) != nil {
				continue
			}
			b.mu.Lock()
			b.seen = append(b.seen, it)
			b.mu.Unlock()
			if body := answer(it); body != nil {
				b.post("POST", fmt.Sprintf("/interactions/%s/%s/callback", it.ID, it.Token), body)
			}
		}
	})
	t.Cleanup(func() {
		ws.CloseNow()
		running.Wait()
	})
	if err := srv.WaitForBot(ctx, 1); err != nil {
		t.Fatalf("wait for bot: %v", err)
	}
	return b
}

// post sends a REST request as the bot and returns the answer.
func (b *scriptedBot) post(method, path string, body any) object {
	raw, _ := json.Marshal(body)
	req, err := http.NewRequest(method, b.base+"/api/v10"+path, bytes.NewReader(raw))
	if err != nil {
		b.t.Errorf("%s %s: %v", method, path, err)
		return nil
	}
	req.Header.Set("Authorization", "Bot "+sandbox.Token)
	req.Header.Set("User-Agent", "DiscordBot (https://example.org, 1)")
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		b.t.Errorf("%s %s: %v", method, path, err)
		return nil
	}
	defer res.Body.Close()
	answer, _ := io.ReadAll(res.Body)
	if res.StatusCode >= 300 {
		b.t.Errorf("%s %s: %s %s", method, path, res.Status, answer)
	}
	var out object
	_ = json.Unmarshal(answer, &out)
	return out
}

// register registers the commands of these tests.
func (b *scriptedBot) register() {
	option := func(kind int, name string, more object) object {
		out := object{"type": kind, "name": name, "description": "The " + name}
		maps.Copy(out, more)
		return out
	}
	b.post("PUT", "/applications/"+sandbox.ApplicationID+"/commands", []object{
		{"name": "ttt", "description": "Tic-tac-toe", "type": 1, "name_localizations": object{"ru": "крестики"}, "options": []object{
			option(1, "challenge", object{"options": []object{
				option(6, "opponent", nil),
				option(3, "side", object{"choices": []object{{"name": "First", "value": "first"}, {"name": "Second", "value": "second"}}}),
			}}),
			option(1, "move", object{"description_localizations": object{"ru": "Сделать ход"}, "options": []object{
				option(3, "cell", object{"required": true, "autocomplete": true}), option(3, "match", object{"autocomplete": true}),
			}}),
		}},
		{"name": "help", "description": "How to play", "type": 1, "options": []object{option(11, "record", nil)}},
		{"name": "Challenge", "type": 2},
		{"name": "Explain", "type": 3},
	})
}

// clicked lists the custom ids that were clicked so far.
func (b *scriptedBot) clicked() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []string
	for _, it := range b.seen {
		if it.Type == 3 {
			out = append(out, it.Data.CustomID)
		}
	}
	return out
}

// cells is a container message with a text and two buttons, whose custom ids carry version.
func cells(version int, text string) object {
	return object{"flags": sandbox.FlagComponentsV2, "components": []object{{"type": sandbox.TypeContainer, "components": []object{
		{"type": sandbox.TypeTextDisplay, "content": text},
		{"type": sandbox.TypeActionRow, "components": []object{
			{"type": sandbox.TypeButton, "style": 2, "label": "a1", "custom_id": fmt.Sprintf("cell:a1:%d", version)},
			{"type": sandbox.TypeButton, "style": 2, "label": "b1", "custom_id": fmt.Sprintf("cell:b1:%d", version), "disabled": true},
		}},
	}}}}
}
