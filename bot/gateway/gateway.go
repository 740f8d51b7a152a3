// Package gateway connects the bot to Discord: it keeps one gateway
// connection a shard alive and makes the REST calls beside them.
//
// A connection is a discordgo session that is used once. discordgo's own
// reconnecting is never used: it can lock itself up for good, sends IDENTIFY
// as fast as it can and retries what Discord has refused for ever. Here each
// shard has a supervisor that opens a session, watches it, throws it away when
// it ends and opens a fresh one, no faster than Discord allows.
//
// What was missed in between is asked for with RESUME, but not by opening the
// same discordgo session again, which its wsapi.go makes unsafe: CloseWithCode
// keeps the session's lock for a second, so that Open waits for it; the reader
// answers every lost connection with Close, whose code 1000 ends the session
// at Discord's; a heartbeat of the old connection that fails late closes the
// new one, because Close takes whatever connection there is; onEvent calls
// CloseWithCode for op 7 and op 9 inside Open, which holds the same lock, and
// so never returns; a resume address that is dead is tried for ever. Therefore
// no discordgo session talks to Discord itself. Each one talks, over a pipe, to
// a link, which holds the real connection: it knows the close codes, acts on
// op 7 and op 9, and sends RESUME in place of the IDENTIFY of a fresh session.
//
// Several processes may run shards of one bot. Whose turn it is to send IDENTIFY,
// and the sessions that a process leaves for the next one when it is told to stop,
// are kept outside: Options.Turn and Options.Sessions lead there. A session is left
// when all that was taken out of it has been handled, with the number of the last
// event of that; so Discord sends the next process all the others, and no others.
//
// The package imports discordgo, gorilla/websocket, x/time/rate and bot/slim, and
// nothing else of this module. It may be imported by bot and cmd/bot.
package gateway

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bwmarrin/discordgo"
)

// DefaultAPIURL is the base of Discord's own REST API; "/v10/..." goes behind it.
const DefaultAPIURL = "https://discord.com/api"

const apiVersion = "10"

// Options says which bot connects, to where and how much of it runs here.
type Options struct {
	// Token is the bot's token, without the word "Bot" in front.
	Token string
	// APIURL is the base "/v10/..." is put behind; empty means DefaultAPIURL.
	APIURL string
	// ShardCount is the number of shards of the whole bot; 0 takes what Discord
	// recommends.
	ShardCount int
	// Shards are the numbers of the shards that run in this process; none means
	// all of them. Naming some needs ShardCount.
	Shards []int
	// Intents are the events asked for. Interactions need none.
	Intents discordgo.Intent
	// Handlers is the number of interactions handled at the same time; 0 means 256.
	// An interaction counts until its handler returns. More than that wait for
	// Timings.Queue and are then dropped. What a handler leaves to other goroutines
	// is not bounded here.
	Handlers int
	// Now is the wall clock: network deadlines, the IDENTIFY gate and rate
	// limits are reckoned with it. It is required.
	Now func() time.Time
	// Log receives what happens to the connections; nil means slog.Default().
	// Neither the bot's token nor an interaction's token is ever put into it.
	Log *slog.Logger
	// Observe is told of every request to the REST API; nil: nobody is. It must not
	// take long.
	Observe func(Called)
	// Turn asks for a bucket's turn at sending IDENTIFY, for so long from now on:
	// among all processes that run shards of this bot one has it at a time. Whoever
	// has it may ask again, for a longer or a shorter time; no time gives it back.
	// Nil means that there is no other process.
	Turn func(ctx context.Context, bucket int, lasts time.Duration) (mine bool, err error)
	// Sessions takes the sessions of this process to the next one; nil: they end
	// with the process.
	Sessions Sessions
	// Timings replaces single delays; zero fields keep their defaults.
	Timings Timings
}

// Timings are the delays and limits of the supervisor. Only tests have a
// reason to change them.
type Timings struct {
	Open       time.Duration // from dialling to READY; default 30 s
	Resume     time.Duration // from dialling to the first event of a resumed session; default 5 s
	Silence    time.Duration // a connection that says nothing for so long is dead; default 75 s
	Identify   time.Duration // between two IDENTIFYs of one bucket; default 5 s
	BackoffMin time.Duration // first pause before trying again; default 1 s
	BackoffMax time.Duration // longest pause; default 2 min
	Stable     time.Duration // a connection this old did not die young and resets the pause; default 10 s
	Refresh    time.Duration // how long an answer of GET /gateway/bot is good for; default 1 min
	Queue      time.Duration // how long an interaction waits for a free handler; default 2 s
	Handler    time.Duration // how long one handler may run; default 30 s
	Drain      time.Duration // how long a shutdown waits for handlers; default 10 s
	Close      time.Duration // how long a session may take to close; default 3 s
	Turn       time.Duration // how long a turn is asked for that nobody answers for; default 30 s
	Keep       time.Duration // how long a session that another process has left may be gone on with; default 5 min
}

// Client is one bot at one API: its REST calls at any time, and its gateway
// connections while Run runs. Its methods may be used by many goroutines.
type Client struct {
	opts    Options
	base    string // ends in "/v10/"
	log     *slog.Logger
	http    *http.Client
	limit   *limiter
	gate    *gate
	secrets *secrets
	jitter  func() float64 // 0 <= x < 1

	mu       sync.Mutex
	open     map[int]bool // shards that are connected at present
	expected []int        // shards that run here; none until known

	running atomic.Bool

	identifies, resumes, refused atomic.Uint64 // see Starts
}

// New checks the options and makes a client; it does not touch the network.
func New(opts Options) (*Client, error) {
	base, err := baseURL(opts.APIURL)
	if err != nil {
		return nil, err
	}
	if err := opts.check(); err != nil {
		return nil, err
	}
	if opts.Log == nil {
		opts.Log = slog.Default()
	}
	if opts.Handlers <= 0 {
		opts.Handlers = 256
	}
	opts.Shards = slices.Compact(slices.Sorted(slices.Values(opts.Shards)))
	opts.Timings = opts.Timings.withDefaults()

	c := &Client{
		opts:    opts,
		base:    base,
		log:     opts.Log,
		http:    newHTTPClient(),
		limit:   newLimiter(opts.Now),
		secrets: newSecrets(opts.Token),
		jitter:  newJitter(opts.Now()),
		open:    map[int]bool{},
	}
	c.gate = newGate(c)
	setUpLibrary(c)
	return c, nil
}

// check finds what cannot work.
func (o Options) check() error {
	switch {
	case o.Token == "":
		return errors.New("gateway: no token")
	case o.Now == nil:
		return errors.New("gateway: no clock")
	case o.ShardCount < 0:
		return fmt.Errorf("gateway: shard count %d is negative", o.ShardCount)
	case len(o.Shards) > 0 && o.ShardCount == 0:
		return errors.New("gateway: shards are named, but not how many there are in all")
	}
	for _, id := range o.Shards {
		if id < 0 || id >= o.ShardCount {
			return fmt.Errorf("gateway: shard %d is not below the shard count %d", id, o.ShardCount)
		}
	}
	return nil
}

// Connected reports whether every shard of this process has a live connection
// at present. It is false before Run and after it.
func (c *Client) Connected() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.expected) > 0 && len(c.open) == len(c.expected)
}

// Shards tells of each shard that runs in this process whether it has a live
// connection. It is empty before Run and after it.
func (c *Client) Shards() map[int]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	state := make(map[int]bool, len(c.expected))
	for _, id := range c.expected {
		state[id] = c.open[id]
	}
	return state
}

// Close lets go of idle HTTP connections. Calls made later still work.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// baseURL turns the configured base into the prefix of every request.
func baseURL(s string) (string, error) {
	if s == "" {
		s = DefaultAPIURL
	}
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") || u.User != nil || u.RawQuery != "" {
		return "", errors.New("gateway: the API address is not an http or https URL")
	}
	return strings.TrimRight(s, "/") + "/v" + apiVersion + "/", nil
}

// newJitter gives random numbers of the client's own, so that processes
// started together do not try again together.
func newJitter(now time.Time) func() float64 {
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(uint64(now.UnixNano()), 0x6a69747465720000))
	return func() float64 {
		mu.Lock()
		defer mu.Unlock()
		return r.Float64()
	}
}

func (t Timings) withDefaults() Timings {
	set := func(d *time.Duration, def time.Duration) {
		if *d <= 0 {
			*d = def
		}
	}
	set(&t.Open, 30*time.Second)
	set(&t.Resume, 5*time.Second)
	set(&t.Silence, 75*time.Second)
	set(&t.Identify, 5*time.Second)
	set(&t.BackoffMin, time.Second)
	set(&t.BackoffMax, 2*time.Minute)
	set(&t.Stable, 10*time.Second)
	set(&t.Refresh, time.Minute)
	set(&t.Queue, 2*time.Second)
	set(&t.Handler, 30*time.Second)
	set(&t.Drain, 10*time.Second)
	set(&t.Close, 3*time.Second)
	set(&t.Turn, 30*time.Second)
	set(&t.Keep, 5*time.Minute)
	return t
}
