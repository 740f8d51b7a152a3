package browser_test

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot"
	"rowbot/bot/gateway"
	"rowbot/match"
	"rowbot/persistence"
	"rowbot/sandbox"
	"rowbot/sandbox/page"
)

// world is what "rowbot sandbox" runs: the stand-in, its page and Rowbot, in this process.
type world struct {
	*sandbox.Server
	t    testing.TB
	base string // the page's address
	stop func() // ends Rowbot as SIGTERM would

	// lossy is set by a test that keeps answers from arriving. In all others every interaction must have been answered.
	lossy bool

	mu      sync.Mutex
	windows []net.Conn // connections of open pages
}

// unhurried is how long an answer may take in tests that are not about that.
const unhurried = 30 * time.Second

// start runs everything until the test ends. The extra commands are registered beside Rowbot's own; it does not know them.
func start(t testing.TB, answerWithin time.Duration, extra ...*discordgo.ApplicationCommand) *world {
	t.Helper()
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	w := &world{t: t, Server: sandbox.New(sandbox.Options{
		IdentifyEvery: -1, AnswerWithin: answerWithin, Log: log,
		Violation: func(text string) { t.Errorf("sandbox: %s", text) },
	})}
	t.Cleanup(func() { w.Close() })
	window := page.Handler(w.Server, log)
	t.Cleanup(window.Close)
	w.serve(window)
	w.connect(log, extra)
	t.Cleanup(w.audit)
	return w
}

type connKey struct{}

// serve listens for browsers and for Rowbot; it remembers the pages' connections, so that a test can cut them.
func (w *world) serve(handler http.Handler) {
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/page/ws" {
			w.mu.Lock()
			w.windows = append(w.windows, r.Context().Value(connKey{}).(net.Conn))
			w.mu.Unlock()
		}
		handler.ServeHTTP(rw, r)
	}))
	srv.Config.ConnContext = func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) }
	srv.Start()
	w.t.Cleanup(srv.Close)
	w.base = srv.URL
}

// cutWindows breaks the connections of all open pages.
func (w *world) cutWindows() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, c := range w.windows {
		c.Close()
	}
	w.windows = nil
}

// audit looks back at the end of the test: nothing was badly formed, and nothing left unanswered.
func (w *world) audit() {
	got := w.Stats()
	if got.Refused > 0 {
		w.t.Errorf("%d requests were refused as badly formed", got.Refused)
	}
	if got.Failed > 0 && !w.lossy {
		w.t.Errorf("%d interactions were left unanswered", got.Failed)
	}
}

// connect starts Rowbot.
func (w *world) connect(log *slog.Logger, extra []*discordgo.ApplicationCommand) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	db, err := persistence.OpenSQLite(ctx, filepath.Join(w.t.TempDir(), "rowbot.db"))
	if err != nil {
		w.t.Fatal(err)
	}
	client, err := gateway.New(gateway.Options{
		Token: sandbox.Token, APIURL: sandbox.APIURL(w.base), Now: time.Now, Log: log,
		Timings: gateway.Timings{Identify: 10 * time.Millisecond, BackoffMin: 20 * time.Millisecond},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	var seed atomic.Uint64
	b, err := bot.New(bot.Options{
		Matches: &match.Service{
			Store: db, Now: time.Now, Expiry: 24 * time.Hour,
			Seed: func() uint64 { return seed.Add(1) * 7919 },
		},
		REST: client, Log: log, AppID: sandbox.ApplicationID, UserID: w.BotID(),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	commands, err := bot.Commands(false)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := client.Register(ctx, sandbox.ApplicationID, "", append(commands, extra...)); err != nil {
		w.t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- client.Run(ctx, nil, b.Serve) }()
	w.stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Errorf("the gateway ended: %v", err)
		}
		b.Close()
		client.Close()
		if err := db.Close(); err != nil {
			w.t.Errorf("close the store: %v", err)
		}
	})
	w.t.Cleanup(w.stop)
	wait, end := context.WithTimeout(ctx, patience)
	defer end()
	if err := w.WaitForBot(wait, 1); err != nil {
		w.t.Fatalf("Rowbot did not connect: %v", err)
	}
}
