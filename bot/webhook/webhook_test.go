package webhook_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"go.uber.org/goleak"

	"rowbot/bot/slim"
	"rowbot/bot/webhook"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const now = 1_800_000_000 // the time of the endpoint, in seconds

var (
	private = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, ed25519.SeedSize))
	public  = private.Public().(ed25519.PublicKey)
)

type firstAnswer = func(body []byte, contentType string) error

// endpoint serves a handler until the test ends.
func endpoint(t *testing.T, handle webhook.Handle, change ...func(*webhook.Options)) (h *webhook.Handler, url string) {
	t.Helper()
	o := webhook.Options{
		Key: public, Handle: handle, Now: func() time.Time { return time.Unix(now, 0) },
		Log: slog.New(slog.NewTextHandler(t.Output(), nil)),
	}
	for _, c := range change {
		c(&o)
	}
	h, err := webhook.New(o)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(h)
	t.Cleanup(func() {
		http.DefaultClient.CloseIdleConnections()
		server.Close()
		if err := h.Drain(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return h, server.URL
}

// request is a signed one, to be spoilt by a test.
func request(t *testing.T, url, body string, seconds int64) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	stamp := strconv.FormatInt(seconds, 10)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Signature-Timestamp", stamp)
	r.Header.Set("X-Signature-Ed25519", hex.EncodeToString(ed25519.Sign(private, []byte(stamp+body))))
	return r
}

func send(t *testing.T, r *http.Request) (status int, body string, header http.Header) {
	t.Helper()
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(raw), resp.Header
}

const (
	ping  = `{"id":"1","application_id":"2","type":1,"token":"x","version":1}`
	click = `{"id":"10","application_id":"2","type":3,"token":"tok","version":1,"channel_id":"5","user":{"id":"3","username":"a"},` +
		`"data":{"custom_id":"c","component_type":2}}`
)

func TestRequests(t *testing.T) {
	var handled atomic.Int32
	var refused []int
	_, url := endpoint(t, func(_ context.Context, _ *discordgo.Interaction, first firstAnswer) {
		handled.Add(1)
		if err := first([]byte(`{"type":6}`), "application/json"); err != nil {
			t.Error(err)
		}
	}, func(o *webhook.Options) { o.Refused = func(status int) { refused = append(refused, status) } })
	_, other, err := ed25519.GenerateKey(bytes.NewReader(bytes.Repeat([]byte{9}, 64)))
	if err != nil {
		t.Fatal(err)
	}
	head := func(key, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(key, value) }
	}
	drop := func(key string) func(*http.Request) { return func(r *http.Request) { r.Header.Del(key) } }
	const signature, stamp = "X-Signature-Ed25519", "X-Signature-Timestamp"
	resign := func(key ed25519.PrivateKey, over string) func(*http.Request) {
		return head(signature, hex.EncodeToString(ed25519.Sign(key, []byte(over))))
	}
	at := strconv.Itoa(now)
	large := `{"pad":"` + strings.Repeat("x", 1<<20) + `"}`
	for _, tt := range []struct {
		name    string
		body    string
		seconds int64
		spoil   func(*http.Request)
		status  int
		says    string // how the body begins
	}{
		{"ping", ping, now, nil, 200, `{"type":1}`},
		{"click", click, now, nil, 200, `{"type":6}`},
		{"charset", click, now, head("Content-Type", "application/json; charset=utf-8"), 200, `{"type":6}`},
		{"body without a length", click, now, func(r *http.Request) { r.ContentLength = -1 }, 200, `{"type":6}`},
		{"five minutes old", click, now - 300, nil, 200, `{"type":6}`},
		{"five minutes ahead", click, now + 300, nil, 200, `{"type":6}`},

		{"older", click, now - 301, nil, 401, "timestamp"},
		{"further ahead", click, now + 301, nil, 401, "timestamp"},
		{"from the beginning", ping, 0, nil, 401, "timestamp"},
		{"before it", ping, -1, nil, 401, "timestamp"},
		{"from the end", ping, 1<<63 - 1, nil, 401, "timestamp"},
		{"in milliseconds", click, now * 1000, nil, 401, "timestamp"},
		{"no signature", click, now, drop(signature), 401, "no signature"},
		{"no timestamp", click, now, drop(stamp), 401, "timestamp"},
		{"timestamp of words", click, now, head(stamp, "now"), 401, "timestamp"},
		{"signature of words", click, now, head(signature, "now"), 401, "no signature"},
		{"half a signature", click, now, func(r *http.Request) { r.Header.Set(signature, r.Header.Get(signature)[:64]) }, 401, "no signature"},
		{"signature and more", click, now, func(r *http.Request) { r.Header.Set(signature, r.Header.Get(signature)+"00") }, 401, "no signature"},
		{"zeros", click, now, head(signature, strings.Repeat("00", 64)), 401, "wrong signature"},
		{"another's key", click, now, resign(other, at+click), 401, "wrong signature"},
		{"of the body alone", click, now, resign(private, click), 401, "wrong signature"},
		{"of another body", click, now, resign(private, at+ping), 401, "wrong signature"},
		{"of another time", click, now, head(stamp, strconv.Itoa(now+1)), 401, "wrong signature"},
		{"a digit moved", "9" + click, now, func(r *http.Request) { // 18000000009{…
			resign(private, at+"9"+click)(r)
			r.Header.Set(stamp, at+"9")
			r.Body = io.NopCloser(strings.NewReader(click))
			r.ContentLength = int64(len(click))
		}, 401, "timestamp"},
		{"no signature, and more wrong", large, now, func(r *http.Request) { r.Header = http.Header{} }, 401, "no signature"},
		{"wrong signature, and a wrong type", click, now, func(r *http.Request) {
			resign(other, at+click)(r)
			r.Header.Set("Content-Type", "text/plain")
		}, 401, "wrong signature"},

		{"too large", large, now, nil, 413, "the body is over 1 MiB"},
		{"too large without a length", large, now, func(r *http.Request) { r.ContentLength = -1 }, 413, "the body is over 1 MiB"},
		{"as large as may be", `{"pad":"` + strings.Repeat("x", 1<<20-10) + `"}`, now, nil, 400, "not an interaction"},
		{"text", click, now, head("Content-Type", "text/plain"), 415, "interactions are application/json"},
		{"no type", click, now, drop("Content-Type"), 415, "interactions are application/json"},
		{"GET", "", now, func(r *http.Request) { r.Method = http.MethodGet }, 405, "interactions are posted"},
		{"nothing", "", now, nil, 400, "not an interaction"},
		{"no JSON", "hello", now, nil, 400, "not an interaction"},
		{"no object", "[1]", now, nil, 400, "not an interaction"},
		{"null", "null", now, nil, 400, "not an interaction"},
		{"unknown type", strings.Replace(click, `"type":3`, `"type":9`, 1), now, nil, 400, "not an interaction"},
		{"type 0", strings.Replace(click, `"type":3`, `"type":0`, 1), now, nil, 400, "not an interaction"},
		{"no ID", strings.Replace(click, `"id":"10"`, `"id":""`, 1), now, nil, 400, "not an interaction"},
		// As over the gateway: what is wrong with it the handler says.
		{"no data", strings.Replace(click, `"data"`, `"atad"`, 1), now, nil, 200, `{"type":6}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			handled.Store(0)
			refused = nil
			r := request(t, url, tt.body, tt.seconds)
			if tt.spoil != nil {
				tt.spoil(r)
			}
			status, body, header := send(t, r)
			if status != tt.status || !strings.HasPrefix(body, tt.says) {
				t.Errorf("answered %d %q, want %d %q", status, body, tt.status, tt.says)
			}
			wants := 0
			if tt.says == `{"type":6}` {
				wants = 1
			}
			if got := int(handled.Load()); got != wants {
				t.Errorf("handled %d times, want %d", got, wants)
			}
			if status == 200 {
				if kind := header.Get("Content-Type"); kind != "application/json" || refused != nil {
					t.Errorf("content type %q, refused %v", kind, refused)
				}
			} else if fmt.Sprint(refused) != fmt.Sprint([]int{tt.status}) {
				t.Errorf("noted as refused: %v", refused)
			}
		})
	}
}

// What is told of the channel goes with the context.
func TestChannel(t *testing.T) {
	told := make(chan *slim.Channel, 1)
	_, url := endpoint(t, func(ctx context.Context, _ *discordgo.Interaction, first firstAnswer) {
		told <- slim.ChannelFrom(ctx)
		if err := first([]byte(`{"type":6}`), "application/json"); err != nil {
			t.Error(err)
		}
	})
	send(t, request(t, url, click, now))
	if c := <-told; c != nil {
		t.Errorf("told %+v of no channel", *c)
	}
	send(t, request(t, url, strings.Replace(click, "{", `{"channel":{"id":"5","type":11,"parent_id":"4"},`, 1), now))
	if c := <-told; c == nil || *c != (slim.Channel{Type: 11, Parent: "4"}) {
		t.Errorf("told %+v of a thread", c)
	}
}

// The response is whole as soon as the first answer is there: what comes after it
// holds up neither that nor the next request on the same connection.
func TestWorkGoesOn(t *testing.T) {
	more := make(chan struct{})
	h, url := endpoint(t, func(ctx context.Context, i *discordgo.Interaction, first firstAnswer) {
		if err := first([]byte(i.ID), "text/x-answer"); err != nil {
			t.Error(err)
		}
		select {
		case <-more:
		case <-ctx.Done():
			t.Error("the work ended with the request")
		}
	})
	for _, id := range []string{"10", "11", "12"} {
		status, body, header := send(t, request(t, url, strings.Replace(click, `"10"`, `"`+id+`"`, 1), now))
		if status != 200 || body != id || header.Get("Content-Type") != "text/x-answer" {
			t.Errorf("%d %q %v", status, body, header)
		}
	}
	short, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if err := h.Drain(short); err == nil {
		t.Error("drained with work under way")
	}
	if status, _, _ := send(t, request(t, url, click, now)); status != 503 {
		t.Errorf("while draining: %d", status)
	}
	if status, _, _ := send(t, request(t, url, ping, now)); status != 200 {
		t.Errorf("ping while draining: %d", status)
	}
	close(more)
	if err := h.Drain(t.Context()); err != nil {
		t.Error(err)
	}
}

// Where there is no answer the response says so; a panic reaches nobody.
func TestNoAnswer(t *testing.T) {
	_, url := endpoint(t, func(_ context.Context, i *discordgo.Interaction, _ firstAnswer) {
		if i.ID == "11" {
			panic("oops")
		}
	})
	if status, body, _ := send(t, request(t, url, click, now)); status != 202 || body != "" {
		t.Errorf("%d %q", status, body)
	}
	if status, body, _ := send(t, request(t, url, strings.Replace(click, `"10"`, `"11"`, 1), now)); status != 500 || body != "" {
		t.Errorf("%d %q", status, body)
	}
}

// Who answers a request that has left is told.
func TestRequestLeft(t *testing.T) {
	began, answer, result := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	h, _ := endpoint(t, func(_ context.Context, _ *discordgo.Interaction, first firstAnswer) {
		close(began)
		<-answer
		result <- first([]byte(`{"type":6}`), "application/json")
	})
	left := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r)
		close(left)
	}))
	defer server.Close()
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	r := request(t, server.URL, click, now).WithContext(ctx)
	go func() {
		resp, err := http.DefaultClient.Do(r)
		if err == nil {
			resp.Body.Close()
		}
		gone <- err
	}()
	<-began
	leave()
	if err := <-gone; err == nil {
		t.Error("the request was answered")
	}
	<-left
	close(answer)
	if err := <-result; err == nil {
		t.Error("an answer to nobody counts as delivered")
	}
}

// What is handled at the same time is bounded: what is not answered yet as well as
// what goes on behind its response.
func TestTooManyAtOnce(t *testing.T) {
	for name, early := range map[string]bool{"before the answer": false, "behind the response": true} {
		t.Run(name, func(t *testing.T) {
			began, more := make(chan struct{}, 2), make(chan struct{})
			h, url := endpoint(t, func(_ context.Context, _ *discordgo.Interaction, first firstAnswer) {
				if early {
					first([]byte(`{"type":6}`), "application/json")
				}
				began <- struct{}{}
				<-more
				if !early {
					first([]byte(`{"type":6}`), "application/json")
				}
			}, func(o *webhook.Options) { o.AtOnce = 1 })
			done := make(chan int, 1)
			go func() {
				resp, err := http.DefaultClient.Do(request(t, url, click, now))
				if err != nil {
					t.Error(err)
					done <- 0
					return
				}
				resp.Body.Close()
				done <- resp.StatusCode
			}()
			<-began
			status := 0
			if early { // its response is whole
				status = <-done
			}
			if status, _, _ := send(t, request(t, url, click, now)); status != 503 {
				t.Errorf("the second one: %d", status)
			}
			close(more)
			if !early {
				status = <-done
			}
			if status != 200 {
				t.Errorf("the first one: %d", status)
			}
			if err := h.Drain(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestNew(t *testing.T) {
	good := webhook.Options{Key: public, Handle: func(context.Context, *discordgo.Interaction, firstAnswer) {}, Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	for name, spoil := range map[string]func(*webhook.Options){
		"key": func(o *webhook.Options) { o.Key = o.Key[:31] }, "handle": func(o *webhook.Options) { o.Handle = nil },
		"now": func(o *webhook.Options) { o.Now = nil }, "log": func(o *webhook.Options) { o.Log = nil },
	} {
		o := good
		spoil(&o)
		if _, err := webhook.New(o); err == nil {
			t.Errorf("without %s: no error", name)
		}
	}
	if _, err := webhook.New(good); err != nil {
		t.Error(err)
	}
}
