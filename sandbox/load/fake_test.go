package load

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"rowbot/sandbox"
)

// obj is a JSON object.
type obj = map[string]any

// fake is a small bot that plays tic-tac-toe between people, by webhook. What breaks it does so with every so manieth
// move.
type fake struct {
	t       testing.TB
	discord *sandbox.Server
	breaks  func(n int, m *fakeMatch) // called with each move, counted from 1, before it is answered
	deaf    func(n int) bool          // an interaction that is not answered, counted from 1

	forgets func(m *fakeMatch) // called with each match at the end

	mu      sync.Mutex
	matches map[string]*fakeMatch
	moves   int
	asked   int
}

type fakeMatch struct {
	id, channel, message string
	players              [2]string
	cells                [9]byte
	plies                int
	end                  string
}

func newFake(t testing.TB, discord *sandbox.Server) *fake {
	return &fake{t: t, discord: discord, matches: map[string]*fakeMatch{}}
}

func (f *fake) start(ctx context.Context) error {
	if _, err := f.rest("PUT", "/applications/"+sandbox.ApplicationID+"/commands", []obj{{
		"name": "ttt", "description": "Tic-tac-toe", "options": []obj{
			{"type": 1, "name": "challenge", "description": "c", "options": []obj{
				{"type": 6, "name": "opponent", "description": "o"}, {"type": 3, "name": "side", "description": "s"},
			}},
			{"type": 1, "name": "move", "description": "m", "options": []obj{
				{"type": 3, "name": "cell", "description": "c"}, {"type": 3, "name": "match", "description": "m"},
			}},
			{"type": 1, "name": "board", "description": "b", "options": []obj{{"type": 3, "name": "match", "description": "m"}}},
		},
	}}); err != nil {
		return err
	}
	server := httptest.NewServer(f)
	f.t.Cleanup(server.Close)
	return f.discord.SetEndpoint(ctx, server.URL)
}

func (f *fake) measure()                                  {}
func (f *fake) watch(ctx context.Context, _ func(error))  { <-ctx.Done() }
func (f *fake) excuses(string, time.Time, time.Time) bool { return false }
func (f *fake) stop()                                     {}

func (f *fake) rest(method, path string, body any) (obj, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequest(method, f.discord.APIURL()+"/v10"+path, bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bot "+sandbox.Token)
	req.Header.Set("User-Agent", "DiscordBot (fake, 1)")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode >= 300 {
		return nil, fmt.Errorf("%s %s: %d %s %w", method, path, resp.StatusCode, said, err)
	}
	return nil, nil
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	key, _ := hex.DecodeString(sandbox.VerifyKey)
	signature, err := hex.DecodeString(r.Header.Get("X-Signature-Ed25519"))
	if err != nil || len(signature) != ed25519.SignatureSize ||
		!ed25519.Verify(key, append([]byte(r.Header.Get("X-Signature-Timestamp")), body...), signature) {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var i struct {
		Type      int
		ID        string
		ChannelID string `json:"channel_id"`
		Member    struct{ User struct{ ID string } }
		Message   struct{ ID string }
		Data      struct {
			CustomID string `json:"custom_id"`
			Options  []struct {
				Name    string
				Options []struct {
					Name  string
					Value any
				}
			}
		}
	}
	if err := json.Unmarshal(body, &i); err != nil {
		f.t.Error(err)
	}
	answer := obj{"type": 1}
	f.mu.Lock()
	deaf := false
	switch i.Type {
	case 2:
		command := i.Data.Options[0]
		values := map[string]string{}
		for _, o := range command.Options {
			values[o.Name] = fmt.Sprint(o.Value)
		}
		answer = f.command(i.ID, i.ChannelID, i.Member.User.ID, command.Name, values)
	case 3:
		f.asked++
		deaf = f.deaf != nil && f.deaf(f.asked)
		answer = f.click(i.ID, i.Member.User.ID, i.Message.ID, strings.Split(i.Data.CustomID, ":"))
	}
	f.mu.Unlock()
	if deaf {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(answer); err != nil {
		f.t.Error(err)
	}
}

// fill is called when the playing has ended, and before what has not ended is looked at again.
func (f *fake) fill(*Result) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.matches {
		if f.forgets != nil {
			f.forgets(m)
		}
	}
}

func private(text string) obj {
	return obj{"type": 4, "data": obj{"content": text, "flags": 64}}
}

func posted(data obj) obj  { return obj{"type": 4, "data": data} }
func updated(data obj) obj { return obj{"type": 7, "data": data} }

func button(label, id string, off bool) obj {
	return obj{"type": 2, "style": 2, "label": label, "custom_id": id, "disabled": off}
}

func (f *fake) command(id, channel, who, name string, values map[string]string) obj {
	switch name {
	case "challenge":
		m := &fakeMatch{id: id, channel: channel, players: [2]string{who, values["opponent"]}}
		f.matches[id] = m
		return posted(obj{"content": "a challenge", "components": []obj{{"type": 1, "components": []obj{button("Accept", "1:"+id+":1:accept", false)}}}})
	case "move":
		m := f.matches[values["match"]]
		if said := f.play(m, who, values["cell"]); said != "" {
			return private(said)
		}
		return posted(m.shown())
	}
	return posted(f.matches[values["match"]].shown())
}

func (f *fake) click(id, who, message string, parts []string) obj {
	m := f.matches[parts[1]]
	if parts[3] == "cell" && parts[2] != strconv.Itoa(m.plies) {
		return updated(m.shown()) // an older board
	}
	switch parts[3] {
	case "accept":
		m.message = message
		return updated(m.shown())
	case "cell":
		m.message = message
		if said := f.play(m, who, parts[4]); said != "" {
			return private(said)
		}
		return updated(m.shown())
	case "resign", "draw":
		m.message = message
		label, then := "Resign", "giveup"
		if parts[3] == "draw" {
			label, then = "Accept", "agree"
		}
		answer := private("sure?")
		if parts[3] == "draw" {
			answer = posted(obj{"content": "a draw?"})
		}
		answer["data"].(obj)["components"] = []obj{{"type": 1, "components": []obj{button(label, "1:"+m.id+":1:"+then, false)}}}
		return answer
	case "giveup", "agree":
		m.end = "A draw"
		if parts[3] == "giveup" {
			m.end = "<@" + m.players[1-m.plies%2] + "> **won**"
		}
		if _, err := f.rest("PATCH", "/channels/"+m.channel+"/messages/"+m.message, m.shown()); err != nil {
			f.t.Error(err)
		}
		return private("Done.")
	case "rematch":
		again := &fakeMatch{id: id, channel: m.channel, players: [2]string{m.players[1], m.players[0]}}
		f.matches[id] = again
		return posted(again.shown())
	}
	return private("?")
}

// play puts down a stone, or says why not.
func (f *fake) play(m *fakeMatch, who, cell string) string {
	if m.players[m.plies%2] != who {
		return "It's <@" + m.players[m.plies%2] + ">'s turn."
	}
	at := int(cell[0]-'a') + 3*int(cell[1]-'1')
	m.cells[at] = "XO"[m.plies%2]
	m.plies++
	for _, line := range []string{"012", "345", "678", "036", "147", "258", "048", "246"} {
		a, b, c := m.cells[line[0]-'0'], m.cells[line[1]-'0'], m.cells[line[2]-'0']
		if a != 0 && a == b && b == c {
			m.end = "<@" + who + "> **won**"
		}
	}
	if m.end == "" && m.plies == 9 {
		m.end = "A draw"
	}
	f.moves++
	if f.breaks != nil {
		f.breaks(f.moves, m)
	}
	return ""
}

func (m *fakeMatch) shown() obj {
	var text strings.Builder
	head := fmt.Sprintf("<@%s> to move · move %d", m.players[m.plies%2], m.plies+1)
	if m.end != "" {
		head = m.end
	}
	text.WriteString(head)
	rows := []obj{}
	for row := 2; row >= 0; row-- {
		text.WriteString("\n")
		var buttons []obj
		for col := range 3 {
			sign := m.cells[3*row+col]
			text.WriteString(map[byte]string{0: "⬜", 'X': "❌", 'O': "⭕"}[sign])
			name := string(rune('a'+col)) + string(rune('1'+row))
			buttons = append(buttons, button(name, fmt.Sprintf("1:%s:%d:cell:%s", m.id, m.plies, name), sign != 0 || m.end != ""))
		}
		rows = append(rows, obj{"type": 1, "components": buttons})
	}
	last := []obj{button("Resign", "1:"+m.id+":1:resign", false), button("Offer draw", "1:"+m.id+":1:draw", false)}
	if m.end != "" {
		last = []obj{button("Rematch", "1:"+m.id+":1:rematch", false)}
	}
	return obj{"content": text.String(), "components": append(rows, obj{"type": 1, "components": last})}
}
