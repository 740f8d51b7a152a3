package page_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"rowbot/sandbox"
	"rowbot/sandbox/page"
)

// patience bounds the wait for something that is not going to come, so that a failure says what was missing.
const patience = 20 * time.Second

// event is anything the page gets.
type event struct {
	T         string `json:"t"`
	Me        string `json:"me"`
	Connected bool   `json:"connected"`
	New       bool   `json:"new"`
	Channel   string `json:"channel"`
	People    []struct {
		ID, Name string
		Bot      bool
	} `json:"people"`
	Places []struct {
		ID, Name string
		Channels []struct {
			ID, Name string
			Kind     int
			Members  []string
		}
	} `json:"places"`
	Messages []info `json:"messages"`
	Older    bool   `json:"older"`
	Commands []struct {
		Name        string `json:"name"`
		Shown       string `json:"shown"`
		Description string `json:"description"`
	} `json:"commands"`
	Interaction string              `json:"interaction"`
	On          []string            `json:"on"`
	Denied      map[string][]string `json:"denied"`
	Entries     []line              `json:"entries"`
	raw         json.RawMessage
}

// line is an entry of the traffic.
type line struct {
	N           int
	Kind, Title string
	Note        string
	Status      int
	Fault       bool
}

// info is a message as the page gets it.
type info struct {
	Message struct {
		ID         string          `json:"id"`
		Content    string          `json:"content"`
		Flags      int             `json:"flags"`
		Components json.RawMessage `json:"components"`
	} `json:"message"`
	Pings   []string `json:"pings"`
	Viewer  string   `json:"viewer"`
	Command string   `json:"command"`
	User    string   `json:"user"`
	Reply   *struct {
		ID, Author, Text string
	} `json:"reply"`
}

// result is the answer to a request.
type result struct {
	ID      int
	Error   string
	Failed  bool
	Message string
	Modal   *struct {
		ID, Title string
		Parts     []struct {
			Type                                     int
			CustomID                                 string `json:"custom_id"`
			Label, Description, Placeholder, Content string
			Required                                 bool
			Min, Max                                 int
			Checked                                  bool
			Options                                  []sandbox.SelectOption
			Defaults                                 []sandbox.DefaultValue
		}
	}
	Choices []struct{ Name, Value string }
	Leaf    *struct {
		Messages     []info
		Older, Newer bool
	}
	Detail *struct {
		Path              string
		Request, Response json.RawMessage
	}
}

// browser is one open page.
type browser struct {
	t    *testing.T
	ws   *websocket.Conn
	next int
	kept []event // read while waiting for something else
}

// serve mounts a page and its stand-in on a test server and gives its address.
func serve(t *testing.T, srv *sandbox.Server) string {
	t.Helper()
	p := page.Handler(srv, nil)
	base := listen(t, p)
	t.Cleanup(func() {
		p.Close()
		srv.Close()
	})
	return base
}

// listen serves a page until the test ends and gives its address.
func listen(t *testing.T, p *page.Page) string {
	t.Helper()
	return listenFor(t, p)
}

// listenFor is listen for benchmarks too.
func listenFor(t testing.TB, p *page.Page) string {
	t.Helper()
	web := httptest.NewServer(p)
	t.Cleanup(web.Close)
	return web.URL
}

// visit opens the page of a person and waits until it gets what happens from then on.
func visit(t *testing.T, base, user string) *browser {
	t.Helper()
	b := &browser{t: t, ws: dial(t, base, user)}
	b.kept = append(b.kept, b.kind("view"))
	return b
}

// dial opens the connection of a page.
func dial(t *testing.T, base, user string) *websocket.Conn {
	t.Helper()
	address := "ws" + strings.TrimPrefix(base, "http") + "/page/ws?user=" + user
	ws, _, err := websocket.Dial(t.Context(), address, //nolint:bodyclose // Dial wants it left alone
		&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {base}}})
	if err != nil {
		t.Fatalf("open page of %s: %v", user, err)
	}
	ws.SetReadLimit(64 << 20)
	t.Cleanup(func() { ws.CloseNow() })
	return ws
}

// read takes the next message from the connection.
func (b *browser) read() event {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.t.Context(), patience)
	defer cancel()
	_, raw, err := b.ws.Read(ctx)
	if err != nil {
		b.t.Fatalf("read: %v; so far unread: %.400s", err, b.unread())
	}
	e := event{raw: raw}
	if err := json.Unmarshal(raw, &e); err != nil {
		b.t.Fatalf("decode %s: %v", raw, err)
	}
	return e
}

func (b *browser) unread() []string {
	var out []string
	for _, e := range b.kept {
		out = append(out, fmt.Sprintf("%.80s", e.raw))
	}
	return out
}

// until reads until an event satisfies ok; what comes before is kept for later calls.
func (b *browser) until(ok func(event) bool) event {
	b.t.Helper()
	for i, e := range b.kept {
		if ok(e) {
			b.kept = slices.Delete(b.kept, i, i+1)
			return e
		}
	}
	for {
		e := b.read()
		if ok(e) {
			return e
		}
		b.kept = append(b.kept, e)
	}
}

// kind waits for an event of a kind.
func (b *browser) kind(t string) event {
	b.t.Helper()
	return b.until(func(e event) bool { return e.T == t })
}

// message waits for a message, new or changed, whose JSON holds text.
func (b *browser) message(text string) info {
	b.t.Helper()
	e := b.until(func(e event) bool { return e.T == "message" && strings.Contains(string(e.raw), text) })
	var out struct{ Message info }
	if err := json.Unmarshal(e.raw, &out); err != nil {
		b.t.Fatalf("decode %s: %v", e.raw, err)
	}
	return out.Message
}

// open looks at a channel and waits for its view.
func (b *browser) open(channel string) event {
	b.t.Helper()
	b.kept = slices.DeleteFunc(b.kept, func(e event) bool { return e.T == "view" })
	b.write(object{"do": "open", "channel": channel})
	return b.until(func(e event) bool { return e.T == "view" && e.Channel == channel })
}

func (b *browser) write(v any) {
	b.t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		b.t.Fatalf("encode: %v", err)
	}
	if err := b.ws.Write(b.t.Context(), websocket.MessageText, raw); err != nil {
		b.t.Fatalf("write: %v", err)
	}
}

// ask sends a request and waits for its result.
func (b *browser) ask(request object) result {
	b.t.Helper()
	b.next++
	request["id"] = b.next
	b.write(request)
	var out result
	b.until(func(e event) bool {
		if e.T != "result" {
			return false
		}
		out = result{}
		return json.Unmarshal(e.raw, &out) == nil && out.ID == b.next
	})
	return out
}
