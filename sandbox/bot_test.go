package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"rowbot/sandbox"
)

// obj is a JSON object.
type obj = map[string]any

// list is a JSON array.
type list = []any

// rawBot is the smallest possible bot: a websocket and REST calls, without any library.
type rawBot struct {
	t    testing.TB
	srv  *sandbox.Server
	ws   *websocket.Conn
	mu   sync.Mutex
	on   func(i obj) // what it does with an interaction
	log  []string    // names of the events that came
	last float64     // sequence number
	got  chan obj    // every packet
	seen obj         // the last interaction
}

// record collects the exchanges of all tests in the file that SANDBOX_RECORD names, if any.
var record = sync.OnceValue(func() io.Writer {
	name := os.Getenv("SANDBOX_RECORD")
	if name == "" {
		return io.Discard
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		panic(err)
	}
	return &lockedWriter{w: f}
})

type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lockedWriter) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}

// start runs a sandbox with a connected bot that registered the commands of these tests.
func start(t testing.TB, opt sandbox.Options) (*sandbox.Server, *rawBot) {
	t.Helper()
	if opt.Record == nil {
		opt.Record = record()
	}
	srv := sandbox.Start(t, opt)
	b := &rawBot{t: t, srv: srv, got: make(chan obj, 4096)}
	b.connect(obj{"intents": 0})
	b.want(200, b.call("PUT", "/applications/"+sandbox.ApplicationID+"/commands", commands()))
	return srv, b
}

// commands are the application commands of these tests.
func commands() list {
	return list{
		obj{"name": "play", "description": "Play", "options": list{
			obj{"type": 1, "name": "start", "description": "Start", "options": list{
				obj{"type": 6, "name": "opponent", "description": "Who", "required": true},
				obj{"type": 3, "name": "side", "description": "Side", "choices": list{
					obj{"name": "First", "value": "first", "name_localizations": obj{"de": "Erster"}}, obj{"name": "Second", "value": "second"},
				}},
				obj{"type": 4, "name": "size", "description": "Size", "min_value": 3, "max_value": 19},
			}},
			obj{"type": 1, "name": "move", "description": "Move", "options": list{
				obj{"type": 3, "name": "cell", "description": "Cell", "required": true, "autocomplete": true},
				obj{"type": 3, "name": "match", "description": "Match", "autocomplete": true},
			}},
		}},
		obj{"name": "ping", "description": "Ping"},
		obj{"name": "admin", "description": "Admin", "default_member_permissions": "32", "contexts": list{0}},
		obj{"name": "Challenge to a game", "type": 2},
		obj{"name": "Look at it", "type": 3},
		obj{"name": "anywhere", "description": "Anywhere", "contexts": list{0, 1, 2}, "integration_types": list{0, 1}},
	}
}

// answer is what a REST call brought.
type answer struct {
	status int
	body   []byte
	header http.Header
}

func (a answer) json() obj {
	var m obj
	_ = json.Unmarshal(a.body, &m) // nil for lists and empty bodies
	return m
}

// code is the error code of the body.
func (a answer) code() int {
	n, _ := a.json()["code"].(float64)
	return int(n)
}

// call makes a REST request with the bot's token.
func (b *rawBot) call(method, path string, body any) answer {
	b.t.Helper()
	a, err := b.try(method, path, body, "Bot "+sandbox.Token)
	if err != nil {
		b.t.Fatalf("%s %s: %v", method, path, err)
	}
	return a
}

func (b *rawBot) try(method, path string, body any, auth string) (answer, error) {
	var reader io.Reader
	if body != nil {
		raw, err := json.Marshal(body)
		if err != nil {
			return answer{}, err
		}
		reader = bytes.NewReader(raw)
	}
	req, err := http.NewRequestWithContext(context.Background(), method, b.srv.APIURL()+"/v10"+path, reader)
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("User-Agent", "DiscordBot (https://example.org, 1)")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if auth != "" {
		req.Header.Set("Authorization", auth)
	}
	return do(req)
}

// client keeps enough connections for many people at once.
var client = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 200}}

func do(req *http.Request) (answer, error) {
	res, err := client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	return answer{res.StatusCode, raw, res.Header}, err
}

// want fails the test when the status is another one.
func (b *rawBot) want(status int, a answer) answer {
	b.t.Helper()
	if a.status != status {
		b.t.Fatalf("status %d, want %d: %s", a.status, status, a.body)
	}
	return a
}

// refused fails the test unless the answer is the given refusal; words have to be in the body.
func (b *rawBot) refused(status, code int, a answer, words ...string) {
	b.t.Helper()
	if a.status != status || a.code() != code {
		b.t.Fatalf("got %d, code %d; want %d, code %d: %s", a.status, a.code(), status, code, a.body)
	}
	for _, w := range words {
		if !strings.Contains(string(a.body), w) {
			b.t.Fatalf("no %q in %s", w, a.body)
		}
	}
}

// handle sets what the bot does with interactions.
func (b *rawBot) handle(f func(i obj)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.on = f
}

// seenLast is the interaction that came last.
func (b *rawBot) seenLast() obj {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.seen
}

// reply answers an interaction.
func (b *rawBot) reply(i obj, body any) answer {
	b.t.Helper()
	return b.call("POST", callbackPath(i), body)
}

func callbackPath(i obj) string {
	return "/interactions/" + i["id"].(string) + "/" + i["token"].(string) + "/callback"
}

func hook(i obj, rest string) string {
	return "/webhooks/" + sandbox.ApplicationID + "/" + i["token"].(string) + rest
}

// answerWith lets the bot answer every interaction with the same body.
func (b *rawBot) answerWith(body any) {
	b.handle(func(i obj) { b.want(204, b.reply(i, body)) })
}

// dial opens the websocket that GET /gateway/bot names.
func (b *rawBot) dial() *websocket.Conn {
	b.t.Helper()
	url, _ := b.call("GET", "/gateway/bot", nil).json()["url"].(string)
	ws, res, err := websocket.Dial(b.t.Context(), url+"/?v=10&encoding=json", nil)
	if err != nil {
		b.t.Fatalf("dial %s: %v", url, err)
	}
	if res.Body != nil {
		res.Body.Close()
	}
	ws.SetReadLimit(1 << 20)
	b.t.Cleanup(func() { ws.CloseNow() })
	return ws
}

func sendPacket(t testing.TB, ws *websocket.Conn, v any) {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := ws.Write(t.Context(), websocket.MessageText, raw); err != nil {
		t.Fatalf("send: %v", err)
	}
}

// receive reads one packet.
func receive(ctx context.Context, ws *websocket.Conn) (obj, error) {
	_, raw, err := ws.Read(ctx)
	if err != nil {
		return nil, err
	}
	var p obj
	return p, json.Unmarshal(raw, &p)
}

// closedWith reads until the connection ends and returns the close code, -1 for none.
func closedWith(t *testing.T, ws *websocket.Conn) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for {
		if _, err := receive(ctx, ws); err != nil {
			if closed, ok := errors.AsType[websocket.CloseError](err); ok {
				return int(closed.Code)
			}
			if ctx.Err() != nil {
				t.Fatal("the connection stays open")
			}
			return -1
		}
	}
}

// identifyData is the d of an IDENTIFY, with the changes of more.
func identifyData(more obj) obj {
	d := obj{
		"token": sandbox.Token, "intents": 0,
		"properties": obj{"$os": "linux", "$browser": "x", "$device": "x"}, "presence": obj{"game": nil, "status": ""},
	}
	maps.Copy(d, more)
	return d
}

// connect identifies, waits for READY and reads from then on.
func (b *rawBot) connect(more obj) {
	b.t.Helper()
	ws := b.dial()
	b.ws = ws
	if hello, err := receive(b.t.Context(), ws); err != nil || hello["op"] != 10.0 {
		b.t.Fatalf("no HELLO: %v %v", hello, err)
	}
	sendPacket(b.t, ws, obj{"op": 2, "d": identifyData(more)})
	ready, err := receive(b.t.Context(), ws)
	if err != nil || ready["t"] != "READY" {
		b.t.Fatalf("no READY: %v %v", ready, err)
	}
	b.note(ready)
	ctx, done := context.WithCancel(context.Background())
	finished := make(chan struct{})
	go func() {
		defer close(finished)
		b.listen(ctx, ws)
	}()
	b.t.Cleanup(func() { done(); <-finished })
}

func (b *rawBot) note(p obj) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if s, ok := p["s"].(float64); ok {
		b.last = s
	}
	if name, ok := p["t"].(string); ok {
		b.log = append(b.log, name)
	}
	select {
	case b.got <- p:
	default:
	}
}

func (b *rawBot) listen(ctx context.Context, ws *websocket.Conn) {
	for {
		p, err := receive(ctx, ws)
		if err != nil {
			return
		}
		b.note(p)
		if p["t"] != "INTERACTION_CREATE" {
			continue
		}
		b.mu.Lock()
		on := b.on
		b.seen, _ = p["d"].(obj)
		b.mu.Unlock()
		if on != nil {
			on(p["d"].(obj))
		}
	}
}

// awaitEvent reads what the bot got until an event of the name comes.
func (b *rawBot) awaitEvent(name string) obj {
	b.t.Helper()
	for {
		select {
		case p := <-b.got:
			if p["t"] == name {
				return p["d"].(obj)
			}
		case <-time.After(10 * time.Second):
			b.t.Fatalf("no %s came", name)
		}
	}
}

// row is an action row; button and text are what they say.
func row(kids ...any) obj { return obj{"type": 1, "components": kids} }

func button(label, id string) obj { return obj{"type": 2, "style": 2, "label": label, "custom_id": id} }

func text(s string) obj { return obj{"type": 10, "content": s} }

// board is a components v2 message with a button.
func board(s string) obj {
	return obj{"flags": 32768, "allowed_mentions": obj{"parse": list{}}, "components": list{
		obj{"type": 17, "accent_color": 255, "components": list{text(s), row(button("h8", "move:h8"), button("More", "more"))}},
	}}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
