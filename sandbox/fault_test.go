package sandbox_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

func TestFaults(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	path := "/channels/" + srv.Games.ID() + "/messages"
	post := func() answer { return b.call("POST", path, obj{"content": "x"}) }
	for name, c := range map[string]struct {
		fault   sandbox.Fault
		status  int
		code    int
		header  string // has to be there
		missing string // must not be there
		words   string
	}{
		"bucket":  {sandbox.RateLimited(1500 * time.Millisecond), 429, 0, "X-Ratelimit-Bucket", "X-Ratelimit-Global", `"retry_after":1.5`},
		"global":  {sandbox.GlobalRateLimited(time.Second), 429, 0, "X-Ratelimit-Global", "X-Ratelimit-Bucket", `"global":true`},
		"html":    {sandbox.HTMLRateLimited(time.Second), 429, 0, "Retry-After", "X-Ratelimit-Bucket", "1015"},
		"502":     {sandbox.BadGateway(0), 502, 0, "Content-Type", "X-Ratelimit-Bucket", "<html>"},
		"500":     {sandbox.BadGateway(500), 500, 0, "Content-Type", "Retry-After", "<html>"},
		"too old": {sandbox.Refusal(400, 30046, "Maximum number of edits"), 400, 30046, "Content-Type", "Retry-After", "Maximum"},
	} {
		srv.Fail(1, "POST", sandbox.RouteMessages, c.fault)
		got := post()
		if got.status != c.status || got.code() != c.code || got.header.Get(c.header) == "" || got.header.Get(c.missing) != "" ||
			!strings.Contains(string(got.body), c.words) {
			t.Errorf("%s: %d %v %s", name, got.status, got.header, got.body)
		}
		b.want(200, post())
	}
	if n := len(srv.Messages(srv.Games.ID())); n != 6 {
		t.Errorf("%d messages", n)
	}
	srv.Fail(1, "POST", sandbox.RouteMessages, sandbox.LostAnswer())
	if _, err := b.try("POST", path, obj{"content": "lost"}, "Bot "+sandbox.Token); err == nil {
		t.Error("an answer came")
	}
	if list := srv.Messages(srv.Games.ID()); list[len(list)-1].Content != "lost" {
		t.Error("the work was not done")
	}
	srv.Fail(-1, "", "", sandbox.BadGateway(503))
	for range 3 {
		if got := post(); got.status != 503 {
			t.Errorf("status %d", got.status)
		}
	}
	srv.ClearFaults()
	srv.Fail(1, "PATCH", sandbox.RouteMessage, sandbox.BadGateway(503))
	b.want(200, post())
}

func TestRateLimits(t *testing.T) {
	var c clock
	srv, b := start(t, sandbox.Options{Now: c.now})
	path := "/channels/" + srv.Games.ID() + "/messages"
	srv.SetLimit("POST", sandbox.RouteMessages, 2, 5*time.Second)
	first := b.want(200, b.call("POST", path, obj{"content": "x"}))
	if first.header.Get("X-RateLimit-Limit") != "2" || first.header.Get("X-RateLimit-Remaining") != "1" {
		t.Errorf("headers %v", first.header)
	}
	b.want(200, b.call("POST", path, obj{"content": "x"}))
	third := b.want(429, b.call("POST", path, obj{"content": "x"}))
	if third.header.Get("Retry-After") == "" || third.json()["global"] != false {
		t.Errorf("429: %v %s", third.header, third.body)
	}
	b.want(200, b.call("POST", "/channels/"+srv.General.ID()+"/messages", obj{"content": "another bucket"}))
	c.ahead.Store(int64(6 * time.Second))
	b.want(200, b.call("POST", path, obj{"content": "x"}))
	srv.SetGlobalLimit(1)
	b.want(200, b.call("GET", "/users/@me", nil))
	limited := b.want(429, b.call("GET", "/users/@me", nil))
	if limited.header.Get("X-RateLimit-Bucket") != "" || limited.header.Get("X-RateLimit-Global") != "true" {
		t.Errorf("global: %v", limited.header)
	}
	b.answerWith(obj{"type": 4, "data": obj{"content": "interactions are exempt"}})
	must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Slash(t.Context(), "ping"))
}

func TestWhoMayAsk(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	for name, auth := range map[string]string{"none": "", "wrong": "Bot nonsense", "no prefix": sandbox.Token} {
		if a := must[answer](t)(b.try("GET", "/users/@me", nil, auth)); a.status != 401 {
			t.Errorf("%s: %d", name, a.status)
		}
	}
	if a := must[answer](t)(b.try("GET", "/gateway", nil, "")); a.status != 200 {
		t.Errorf("GET /gateway: %d", a.status)
	}
	for path, code := range map[string]int{
		"/nothing": 0, "/users/1390000000000000999": 10013, "/guilds/1390000000000000999": 10004,
	} {
		b.refused(404, code, b.call("GET", path, nil))
	}
	for _, path := range []string{"/applications/@me", "/oauth2/applications/@me", "/users/@me", "/users/" + srv.Bob.ID(), "/channels/" + srv.Games.ID()} {
		b.want(200, b.call("GET", path, nil))
	}
	get := func(url, agent string) answer {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("User-Agent", agent)
		return must[answer](t)(do(req))
	}
	b.refused(403, 40333, get(srv.APIURL()+"/v10/gateway", "curl"))
	b.refused(400, 50041, get(srv.APIURL()+"/v8/gateway", "DiscordBot (x, 1)"))
	b.want(200, get(srv.APIURL()+"/gateway", "DiscordBot (x, 1)"))
}

func TestEventsAndWaiting(t *testing.T) {
	srv, b := start(t, sandbox.Options{AnswerWithin: time.Second})
	sub := srv.Subscribe(100)
	traffic := srv.Traffic(100)
	b.answerWith(obj{"type": 4, "data": obj{"content": "one", "flags": 64}})
	alice := srv.Alice.In(srv.Games)
	must[*sandbox.Reply](t)(alice.Slash(t.Context(), "ping"))
	b.want(200, b.call("PATCH", hook(b.seenLast(), "/messages/@original"), obj{"content": "two"}))
	b.want(204, b.call("DELETE", hook(b.seenLast(), "/messages/@original"), nil))
	b.handle(nil)
	if _, err := alice.Slash(t.Context(), "ping"); !errors.Is(err, sandbox.ErrFailed) {
		t.Error(err)
	}
	for _, kind := range []sandbox.EventKind{
		sandbox.MessageCreated, sandbox.MessageUpdated, sandbox.MessageDeleted, sandbox.InteractionFailed,
	} {
		e := <-sub.C
		if e.Kind != kind {
			t.Errorf("%s, want %s", e.Kind, kind)
		}
		if e.Message != nil && e.Message.Viewer != srv.Alice.ID() {
			t.Errorf("viewer %q", e.Message.Viewer)
		}
	}
	sub.Close()
	if _, open := <-sub.C; open {
		t.Error("a closed subscription delivers")
	}
	methods := map[string]int{} // a person may go on before the exchange is noted, so in any order
	for range 3 {
		x := <-traffic.C
		methods[x.Method] = x.Status
	}
	if diff := cmp.Diff(map[string]int{"POST": 204, "PATCH": 200, "DELETE": 204}, methods); diff != "" {
		t.Error(diff)
	}
	slow := srv.Subscribe(1)
	alice.Say("a")
	alice.Say("b")
	if e := <-slow.C; e.Message.Content != "a" {
		t.Errorf("%+v", e)
	}
	if _, open := <-slow.C; open {
		t.Error("a subscriber that fell behind is not cut off")
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		m, err := srv.Wait(t.Context(), srv.General.ID(), "", func(m *sandbox.Message) bool { return m.Content == "now" })
		if err != nil || m.Author.ID != srv.Bob.ID() {
			t.Errorf("%v %v", m, err)
		}
	})
	srv.Bob.In(srv.General).Say("not yet")
	srv.Bob.In(srv.General).Say("now")
	wg.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := srv.Wait(ctx, srv.General.ID(), "", func(*sandbox.Message) bool { return false }); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestRecording(t *testing.T) {
	var buf bytes.Buffer
	out := &lockedWriter{w: &buf}
	srv, b := start(t, sandbox.Options{Record: out})
	srv.Fail(1, "GET", sandbox.RouteMe, sandbox.BadGateway(0))
	b.call("GET", "/users/@me", nil)
	b.call("GET", "/users/@me", nil)
	out.mu.Lock()
	lines := strings.Split(strings.TrimSpace(buf.String()), "\n")
	out.mu.Unlock()
	var got []sandbox.Exchange
	for _, line := range lines {
		var x sandbox.Exchange
		if err := json.Unmarshal([]byte(line), &x); err != nil {
			t.Fatal(err)
		}
		got = append(got, x)
	}
	if n := len(got); n != 4 || got[n-2].Status != 0 || got[n-1].Status != 200 || got[n-1].Path != "/users/@me" || got[1].Request == nil {
		t.Errorf("%d exchanges: %s", n, lines)
	}
}
