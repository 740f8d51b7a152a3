package gateway_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/coder/websocket"

	"rowbot/bot/gateway"
)

const token = "MTIz.secret-bot-token.abcdef"

// fake is a small Discord: GET /gateway/bot, a gateway, and a log of what was
// asked of it.
type fake struct {
	*httptest.Server
	t testing.TB

	mu         sync.Mutex
	requests   []string // "METHOD /path?query"
	identifies []identify
	resumes    []resume
	closes     map[int]websocket.StatusCode // how clients ended their connections, by the connection's number
	open       sync.WaitGroup               // connections
	dials      int
	answers    map[string][]http.HandlerFunc // by "METHOD /path"; the last one stays
	script     func(n int, p *peer)          // what connection n (from 1) goes through
}

type identify struct {
	Token      string         `json:"token"`
	Intents    int            `json:"intents"`
	Shard      []int          `json:"shard"`
	Properties map[string]any `json:"properties"`
	at         time.Time
}

type resume struct {
	Token     string `json:"token"`
	SessionID string `json:"session_id"`
	Seq       int64  `json:"seq"`
}

func newFake(t testing.TB, script func(n int, p *peer)) *fake {
	t.Helper()
	f := &fake{t: t, answers: map[string][]http.HandlerFunc{}, closes: map[int]websocket.StatusCode{}, script: script}
	if script == nil {
		f.script = func(_ int, p *peer) { p.serve() }
	}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	f.answer("GET /api/v10/gateway/bot", f.gatewayBot(1, 1, 1000, 0))
	return f
}

func (f *fake) answer(route string, with ...http.HandlerFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers[route] = with
}

func (f *fake) gatewayBot(shards, concurrency, remaining int, resetAfter time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"url":"ws%s/ws","shards":%d,"session_start_limit":{"total":1000,"remaining":%d,"reset_after":%d,"max_concurrency":%d}}`,
			strings.TrimPrefix(f.URL, "http"), shards, remaining, resetAfter.Milliseconds(), concurrency)
	}
}

// budget is gatewayBot whose remaining session starts go down as they are spent.
func (f *fake) budget(spent *atomic.Int64, total, concurrency int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		f.gatewayBot(1, concurrency, total-int(spent.Load()), time.Hour)(w, r)
	}
}

func reply(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/ws" {
		f.gateway(w, r)
		return
	}
	route := r.Method + " " + r.URL.Path
	f.mu.Lock()
	f.requests = append(f.requests, r.Method+" "+r.URL.RequestURI())
	list := f.answers[route]
	var h http.HandlerFunc
	if len(list) > 0 {
		h = list[0]
	}
	if len(list) > 1 {
		f.answers[route] = list[1:]
	}
	f.mu.Unlock()
	if h == nil {
		h = reply(404, `{"message":"404: Not Found","code":0}`)
	}
	h(w, r)
}

func (f *fake) gateway(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.dials++
	n := f.dials
	f.open.Add(1)
	defer f.open.Done()
	f.mu.Unlock()
	if q := r.URL.Query(); q.Get("v") != "10" || q.Get("encoding") != "json" {
		f.t.Errorf("gateway asked with %q", r.URL.RawQuery)
	}
	ws, err := websocket.Accept(w, r, nil)
	if err != nil {
		f.t.Errorf("accept: %v", err)
		return
	}
	defer ws.CloseNow()
	f.script(n, &peer{f: f, n: n, ws: ws, ctx: r.Context(), seq: &atomic.Int64{}})
}

// dialledAt is another address of the gateway, which tells what it is asked.
func (f *fake) dialledAt(tell func(uri string)) (address string) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		tell(r.RequestURI)
		f.gateway(w, r)
	}))
	f.t.Cleanup(s.Close)
	return s.URL
}

func (f *fake) identified() []identify {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]identify(nil), f.identifies...)
}

func (f *fake) resumed() []resume {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]resume(nil), f.resumes...)
}

func (f *fake) asked(prefix string) (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, r := range f.requests {
		if strings.HasPrefix(r, prefix) {
			n++
		}
	}
	return n
}

// closedWith waits for the connections to end and tells how those ended that
// were read to their end, in the order they were made.
func (f *fake) closedWith() (codes []websocket.StatusCode) {
	f.open.Wait()
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, n := range slices.Sorted(maps.Keys(f.closes)) {
		codes = append(codes, f.closes[n])
	}
	return codes
}

// quick are timings for tests on one machine.
func quick() gateway.Timings {
	return gateway.Timings{
		Identify: time.Millisecond, BackoffMin: time.Millisecond, BackoffMax: 20 * time.Millisecond,
		Drain: 5 * time.Second, Close: 5 * time.Second,
	}
}

// lines is a log that can be looked into.
type lines struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func newClient(t testing.TB, f *fake, change func(*gateway.Options)) (*gateway.Client, *lines) {
	t.Helper()
	log := &lines{}
	opts := gateway.Options{
		Token: token, APIURL: f.URL + "/api", Now: time.Now, Timings: quick(),
		Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	if change != nil {
		change(&opts)
	}
	c, err := gateway.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	t.Cleanup(func() {
		if strings.Contains(log.String(), "secret-bot-token") || strings.Contains(log.String(), "interaction-token") {
			t.Error("a token stands in the log")
		}
		if t.Failed() {
			t.Log(log.String())
		}
	})
	return c, log
}

// running is a client whose Run goes on beside the test.
type running struct {
	t      testing.TB
	stop   context.CancelFunc
	result chan error
	ready  chan struct{}
	got    chan *discordgo.Interaction
}

// start runs the client with a handler that only passes interactions on,
// unless another is given.
func start(t testing.TB, c *gateway.Client, handle func(context.Context, *discordgo.Interaction)) *running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r := &running{t: t, stop: stop, result: make(chan error, 1), ready: make(chan struct{}), got: make(chan *discordgo.Interaction, 100)}
	if handle == nil {
		handle = func(_ context.Context, i *discordgo.Interaction) { r.got <- i }
	}
	go func() { r.result <- c.Run(ctx, func() { close(r.ready) }, handle) }()
	return r
}

// end stops the client and gives Run's result.
func (r *running) end() error {
	r.t.Helper()
	r.stop()
	return r.wait()
}

func (r *running) wait() error {
	r.t.Helper()
	return receive(r.t, r.result, "Run to return")
}

// receive waits for a value for as long as a test may be stuck.
func receive[T any](t testing.TB, from <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-from:
		return v
	case <-time.After(30 * time.Second):
		t.Fatalf("waited in vain for %s", what)
		panic("unreachable")
	}
}

// poll waits for something that only looking tells, for as long as a test may be
// stuck.
func poll(t testing.TB, what string, is func() bool) {
	t.Helper()
	for range 30_000 {
		if is() {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Fatalf("waited in vain for %s", what)
}
