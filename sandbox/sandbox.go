// Package sandbox is a local stand-in of Discord: REST (API v10, v9 too), gateway, application commands,
// interactions with their deadlines, messages with components, permissions, limits and faults. It speaks the
// protocol only and refuses what Discord refuses; of the bot on the other side it knows nothing. People are
// played through [Person] and [Seat], which do what a Discord client would do and show what it would show.
//
// It may be imported by cmd/bot, by sandbox/page, by sandbox/load and by tests; it imports nothing of this module.
package sandbox

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// The fixed identity of the application in the default world.
const (
	// Token is the bot token that is accepted unless Options.Token says otherwise.
	Token = "MTM5MDAwMDAwMDAwMDAwMDAwMQ.sandbox.a-token-that-opens-nothing-outside"
	// ApplicationID is the snowflake of the application; the bot user has the same, as on Discord.
	ApplicationID = "1390000000000000001"
	// VerifyKey is the application's public key as GET /applications/@me shows it (hex, 32 bytes).
	VerifyKey = "ebacc6b569adf174031d31925a53bd6a3b8f53fe36c75de2357c4b27575fe0b8"
)

// Options tune a Server. The zero value is Discord as it is: 3 seconds to answer, 15 minutes of token life.
type Options struct {
	// Token is the accepted bot token; empty means [Token].
	Token string
	// Now is the clock behind snowflakes, deadlines and rate limits; nil means time.Now.
	Now func() time.Time
	// Log receives what a person running the stand-in wants to know; nil discards.
	Log *slog.Logger
	// Record, when set, gets every REST exchange, one JSON object a line: method, path, content_type, request,
	// status, response. Exchanges answered by an injected fault carry no status and no response.
	Record io.Writer
	// AnswerWithin is how long the first answer to an interaction may take; 0 means 3 s.
	AnswerWithin time.Duration
	// TokenLife is how long an interaction token serves follow-ups and edits; 0 means 15 min.
	TokenLife time.Duration
	// HeartbeatInterval is what HELLO asks for; 0 means 41.25 s.
	HeartbeatInterval time.Duration
	// IdentifyEvery is the pause between two IDENTIFYs of one max_concurrency bucket; 0 means 5 s, negative none.
	// A client that is faster gets op 9.
	IdentifyEvery time.Duration
	// MaxConcurrency is max_concurrency of GET /gateway/bot; 0 means 1.
	MaxConcurrency int
	// Shards is the number of shards that GET /gateway/bot recommends; 0 means 1.
	Shards int
	// SessionStarts is the number of IDENTIFYs per 24 h; beyond it the token is reset, that is refused from then on.
	// 0 means 1000.
	SessionStarts int
	// DailyCommands is how many commands of new names a scope may get in a day; 0 means 200.
	DailyCommands int
	// Violation is told when the stand-in itself said something that Discord would not say: an answer or event that
	// breaks the rules of its own shapes. Nil logs it. Start makes it a test failure.
	Violation func(text string)
	// InspectEvery lets the stand-in hold only every n-th thing that it says to its shapes; 0 means all. A load
	// generator, which shares the processors with the bot, saves time with it.
	InspectEvery int
	// PrivilegedIntents are the intents switched on in the portal; others that need it are closed with 4014.
	PrivilegedIntents int
	// KeepMessages is how many messages a channel keeps (the longest untouched go first); 0 means 1000.
	KeepMessages int
	// KeepInteractions is how many interactions are remembered; 0 means 10000.
	KeepInteractions int
}

func (o Options) withDefaults() Options {
	o.Token = cmp.Or(o.Token, Token)
	if o.Now == nil {
		o.Now = time.Now //nolint:forbidigo // the one default clock
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Violation == nil {
		log := o.Log
		o.Violation = func(text string) { log.Error("the sandbox broke its own rules", "what", text) }
	}
	o.AnswerWithin = cmp.Or(o.AnswerWithin, 3*time.Second)
	o.TokenLife = cmp.Or(o.TokenLife, 15*time.Minute)
	o.HeartbeatInterval = cmp.Or(o.HeartbeatInterval, 41250*time.Millisecond)
	o.IdentifyEvery = cmp.Or(o.IdentifyEvery, 5*time.Second)
	o.MaxConcurrency = cmp.Or(o.MaxConcurrency, 1)
	o.Shards = cmp.Or(o.Shards, 1)
	o.SessionStarts = cmp.Or(o.SessionStarts, 1000)
	o.DailyCommands = cmp.Or(o.DailyCommands, 200)
	o.InspectEvery = max(o.InspectEvery, 1)
	o.KeepMessages = cmp.Or(o.KeepMessages, 1000)
	o.KeepInteractions = cmp.Or(o.KeepInteractions, 10000)
	return o
}

// Server is one Discord with its world. It is an http.Handler for /api/… (REST), /gateway (websocket) and
// /attachments/… (uploaded files). All methods are safe for concurrent use.
type Server struct {
	// The people of the default world; OtherBot is a second bot's account.
	Alice, Bob, Chen, Darya, OtherBot *Person
	// The default server "Playground", owned by Alice, and its channels #general and #games.
	Playground     *Guild
	General, Games *Channel

	opt   Options
	rest  http.Handler
	flake snowflakes

	mu           sync.Mutex // guards the world below; never held across a network call
	world        world
	commands     registry
	interactions ledger
	waiters      map[string][]chan struct{}
	stats        Stats

	gate    *gateway
	outlet  *endpoint
	faults  faults
	limits  limiter
	feed    hub[Event]
	traffic hub[Exchange]
	packets hub[Packet]
	recMu   sync.Mutex
	host    atomic.Pointer[string]
	said    atomic.Uint64 // what the stand-in said, for Options.InspectEvery

	listener net.Listener
	http     *http.Server
	serving  sync.WaitGroup
}

// New makes a Server with the default world: the bot Rowbot, the guild Playground with #general and #games, and the
// people Alice, Bob, Chen, Дарья and another bot.
func New(opt Options) *Server {
	s := &Server{opt: opt.withDefaults(), waiters: map[string][]chan struct{}{}}
	s.flake.now = s.opt.Now
	s.limits.now = s.opt.Now
	s.limits.reset()
	s.interactions = newLedger(s.opt.KeepInteractions)
	s.commands = newRegistry()
	s.gate = newGateway(s)
	s.outlet = newEndpoint()
	s.rest = s.routes()
	s.settle()
	return s
}

// ServeHTTP serves REST below /api, the gateway on every websocket request, and uploaded files below /attachments.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.handle(w, r)
}

// APIURL gives what a bot is configured with (ROWBOT_DISCORD_API_URL) when the server is reached at base, for
// example "http://127.0.0.1:8080": clients put /v10/… behind it.
func APIURL(base string) string { return base + "/api" }

// Listen binds addr (for example "127.0.0.1:0") and serves there until Close. It returns the base address, for
// example "http://127.0.0.1:40123".
func (s *Server) Listen(ctx context.Context, addr string) (string, error) {
	var cfg net.ListenConfig
	l, err := cfg.Listen(ctx, "tcp", addr)
	if err != nil {
		return "", fmt.Errorf("listen on %s: %w", addr, err)
	}
	s.listener = l
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	s.serving.Go(func() {
		if err := s.http.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			s.opt.Log.ErrorContext(ctx, "sandbox stopped serving", "error", err)
		}
	})
	return s.URL(), nil
}

// URL is the base address after Listen or Start, without a slash at the end; empty before.
func (s *Server) URL() string {
	if s.listener == nil {
		return ""
	}
	return "http://" + s.listener.Addr().String()
}

// APIURL is [APIURL] of the address this server listens on.
func (s *Server) APIURL() string { return APIURL(s.URL()) }

// Close ends all gateway connections, stops listening and waits for what it started.
func (s *Server) Close() {
	s.gate.shut()
	s.outlet.stop()
	if s.http != nil {
		s.http.Close()
	}
	s.serving.Wait()
	s.interactions.stop(&s.mu)
	s.feed.shut()
	s.traffic.shut()
	s.packets.shut()
}

// TB is the part of testing.TB that Start needs.
type TB interface {
	Helper()
	Cleanup(func())
	Fatalf(format string, args ...any)
}

// Start runs a Server on a free port of 127.0.0.1 and closes it when the test ends.
func Start(t TB, opt Options) *Server {
	t.Helper()
	if failing, ok := t.(interface{ Errorf(string, ...any) }); ok && opt.Violation == nil {
		opt.Violation = func(text string) { failing.Errorf("sandbox: %s", text) }
	}
	s := New(opt)
	if _, err := s.Listen(context.Background(), "127.0.0.1:0"); err != nil {
		t.Fatalf("start sandbox: %v", err)
	}
	t.Cleanup(s.Close)
	return s
}

// Stats counts what happened since New.
type Stats struct {
	Interactions int // delivered to the bot, each counted once however often it was sent
	Answered     int // got their first answer in time
	Failed       int // ran out of time: "This interaction failed"
	Late         int // answers refused with 10062
	Doubled      int // answers refused with 40060
	Refused      int // requests answered with 400 and code 50035
	Requests     int // REST requests
	Identifies   int // IDENTIFY packets accepted
	Resumes      int // RESUME packets accepted
	Sessions     int // gateway sessions connected now
}

// Stats returns the counts so far.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	st := s.stats
	s.mu.Unlock()
	st.Identifies, st.Resumes, st.Sessions = s.gate.counts()
	return st
}

func (s *Server) count(f func(*Stats)) {
	s.mu.Lock()
	f(&s.stats)
	s.mu.Unlock()
}
