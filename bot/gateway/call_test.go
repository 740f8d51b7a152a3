package gateway_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"rowbot/bot/gateway"
)

func TestCall(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil)
	seen := make(chan *http.Request, 1)
	bodies := make(chan string, 1)
	record := func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		bodies <- string(b)
		seen <- r
		io.WriteString(w, `{"id":"1"}`)
	}
	f.answer("PATCH /api/v10/channels/1/messages/2", record)
	f.answer("POST /api/v10/interactions/1/tok/callback", record)
	f.answer("PATCH /api/v10/webhooks/1/tok/messages/@original", record)
	c, _ := newClient(t, f, nil)
	tests := []struct {
		method, path string
		body         any
		auth, want   string
	}{
		{"PATCH", "channels/1/messages/2", map[string]any{"content": nil}, "Bot " + token, `{"content":null}`},
		{"PATCH", "/channels/1/messages/2", nil, "Bot " + token, ""},
		{"POST", "interactions/1/tok/callback?with_response=true", struct{ Type int }{4}, "", `{"Type":4}`},
		{"PATCH", "webhooks/1/tok/messages/@original", map[string]any{}, "", `{}`},
	}
	for _, tt := range tests {
		got, err := c.Call(t.Context(), tt.method, tt.path, tt.body)
		if err != nil || string(got) != `{"id":"1"}` {
			t.Errorf("%s: %s, %v", tt.path, got, err)
			continue
		}
		if b := <-bodies; b != tt.want {
			t.Errorf("%s: body %q, want %q", tt.path, b, tt.want)
		}
		r := <-seen
		if got := r.Header.Get("Authorization"); got != tt.auth {
			t.Errorf("%s: Authorization %q, want %q", tt.path, got, tt.auth)
		}
		if !strings.HasPrefix(r.Header.Get("User-Agent"), "DiscordBot (http") {
			t.Errorf("%s: User-Agent %q", tt.path, r.Header.Get("User-Agent"))
		}
		if got := r.Header.Get("Content-Type"); (got == "application/json") != (tt.want != "") {
			t.Errorf("%s: Content-Type %q with body %q", tt.path, got, tt.want)
		}
		if i := strings.Index(tt.path, "?"); i > 0 && r.URL.RawQuery != tt.path[i+1:] {
			t.Errorf("%s: query %q", tt.path, r.URL.RawQuery)
		}
	}
}

func TestCallErrors(t *testing.T) {
	t.Parallel()
	const path = "interactions/1/SECRET-TOKEN/callback"
	tests := []struct {
		name   string
		status int
		header map[string]string
		body   string
		want   gateway.APIError
	}{
		{"discord's own", 400, nil, `{"message":"Unknown interaction","code":10062}`, gateway.APIError{Status: 400, Code: 10062, Message: "Unknown interaction"}},
		{"form error", 400, nil, `{"message":"Invalid Form Body","code":50035,"errors":{"data":{}}}`, gateway.APIError{Status: 400, Code: 50035, Message: `Invalid Form Body {"data":{}}`}},
		{"HTML", 502, nil, `<html>Bad gateway</html>`, gateway.APIError{Status: 502, Message: "Bad Gateway (not from the API itself)"}},
		{"empty", 500, nil, ``, gateway.APIError{Status: 500, Message: "Internal Server Error (not from the API itself)"}},
		{"a redirect", 302, map[string]string{"Location": "https://example.invalid/"}, ``, gateway.APIError{Status: 302, Message: "Found (not from the API itself)"}},
		{
			"route limit", 429,
			map[string]string{"Retry-After": "1"},
			`{"message":"You are being rate limited.","retry_after":0.4,"global":false}`,
			gateway.APIError{Status: 429, Message: "You are being rate limited.", RetryAfter: time.Second},
		},
		{"HTML limit", 429, map[string]string{"Retry-After": "3"}, `error code: 1015`, gateway.APIError{Status: 429, Message: "Too Many Requests (not from the API itself)", RetryAfter: 3 * time.Second, Global: true}},
		{"HTML limit without a time", 429, nil, `error code: 1015`, gateway.APIError{Status: 429, Message: "Too Many Requests (not from the API itself)", RetryAfter: time.Minute, Global: true}},
		{"token in the text", 403, nil, `{"message":"no SECRET-TOKEN and no ` + token + `","code":1}`, gateway.APIError{Status: 403, Code: 1, Message: "no [redacted] and no [redacted]"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFake(t, nil)
			f.answer("POST /api/v10/"+path, func(w http.ResponseWriter, _ *http.Request) {
				for k, v := range tt.header {
					w.Header().Set(k, v)
				}
				w.WriteHeader(tt.status)
				io.WriteString(w, tt.body)
			})
			c, _ := newClient(t, f, nil)
			_, err := c.Call(t.Context(), "POST", path, nil)
			var api *gateway.APIError
			if !errors.As(err, &api) || *api != tt.want {
				t.Fatalf("error %+v, want %+v", api, tt.want)
			}
			noToken(t, err)
			if n := f.asked("POST"); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
		})
	}
}

func TestCallWithoutDiscord(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil)
	c, _ := newClient(t, f, nil)
	f.Close()
	_, err := c.Call(t.Context(), "POST", "interactions/1/SECRET-TOKEN/callback", nil)
	noToken(t, err)
	_, err = c.Call(t.Context(), "POST", "webhooks/1/SECRET-TOKEN?\x00", nil)
	noToken(t, err)
	_, err = c.Call(t.Context(), "GET", "gateway/bot", make(chan int))
	noToken(t, err)
}

func TestCallEndsWithContext(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil)
	hang := make(chan struct{})
	f.answer("GET /api/v10/hang", func(http.ResponseWriter, *http.Request) { <-hang })
	defer close(hang)
	c, _ := newClient(t, f, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := c.Call(ctx, "GET", "hang", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the context's", err)
	}
}

func noToken(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		t.Error("no error")
		return
	}
	if s := err.Error(); strings.Contains(s, "SECRET-TOKEN") || strings.Contains(s, "secret-bot") {
		t.Errorf("the error holds a token: %s", s)
	}
}

// A global limit holds back what is sent with the bot's token, and only that.
func TestGlobalLimit(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil)
	f.answer("GET /api/v10/users/@me", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "60")
		w.Header().Set("X-RateLimit-Global", "true")
		w.WriteHeader(429)
		io.WriteString(w, `{"message":"You are being rate limited.","retry_after":60,"global":true}`)
	})
	f.answer("POST /api/v10/interactions/1/t/callback", reply(204, ""))
	c, _ := newClient(t, f, nil)
	var api *gateway.APIError
	if _, err := c.Call(t.Context(), "GET", "users/@me", nil); !errors.As(err, &api) || !api.Global || api.RetryAfter != time.Minute {
		t.Fatalf("error %v, want a global limit", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := c.Call(ctx, "GET", "gateway/bot", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want to be held back until the context ends", err)
	}
	if n := f.asked("GET /api/v10/gateway/bot"); n != 0 {
		t.Error("a call was sent during the global limit")
	}
	ctx, cancel = context.WithTimeout(t.Context(), 30*time.Second) // half of the limit
	defer cancel()
	if _, err := c.Call(ctx, "POST", "interactions/1/t/callback", nil); err != nil {
		t.Errorf("an interaction's answer was held back: %v", err)
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	good := gateway.Options{Token: token, Now: time.Now}
	if _, err := gateway.New(good); err != nil {
		t.Errorf("the least that is needed: %v", err)
	}
	bad := map[string]func(*gateway.Options){
		"no token":             func(o *gateway.Options) { o.Token = "" },
		"no clock":             func(o *gateway.Options) { o.Now = nil },
		"address":              func(o *gateway.Options) { o.APIURL = "discord.com/api" },
		"address with a query": func(o *gateway.Options) { o.APIURL = "https://discord.com/api?x=1" },
		"negative count":       func(o *gateway.Options) { o.ShardCount = -1 },
		"shards alone":         func(o *gateway.Options) { o.Shards = []int{0} },
		"shard too high":       func(o *gateway.Options) { o.ShardCount = 2; o.Shards = []int{2} },
	}
	for name, change := range bad {
		o := good
		change(&o)
		if _, err := gateway.New(o); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			noToken(t, err)
		}
	}
}

// Each request is told of once, also the one that nobody answers.
func TestObserve(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil)
	f.answer("GET /api/v10/channels/1", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{}`) })
	f.answer("POST /api/v10/interactions/1/tok/callback", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
		io.WriteString(w, `{"retry_after":1}`)
	})
	f.answer("GET /api/v10/users/@me", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	var got []gateway.Called
	c, _ := newClient(t, f, func(o *gateway.Options) {
		o.Observe = func(x gateway.Called) { x.Took = 0; got = append(got, x) }
	})
	c.Call(t.Context(), "GET", "channels/1", nil)
	c.Call(t.Context(), "POST", "/interactions/1/tok/callback?with_response=true", nil)
	c.Call(t.Context(), "GET", "users/@me", nil)
	want := []gateway.Called{{About: "channels", Status: 200}, {About: "interactions", Status: 429}, {About: "users"}}
	if !slices.Equal(got, want) {
		t.Errorf("told of %v, want %v", got, want)
	}
}
