package e2e_test

import (
	"cmp"
	"context"
	"flag"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rowbot/bot"
	"rowbot/bot/gateway"
	"rowbot/match"
	"rowbot/match/engine"
	"rowbot/persistence"
	"rowbot/persistence/pgtest"
	"rowbot/sandbox"
)

// TestMain lets more tests run at once than there are processors: most of the
// time they wait for a connection to close.
func TestMain(m *testing.M) {
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == strconv.Itoa(runtime.GOMAXPROCS(0)) {
		if err := f.Value.Set("8"); err != nil {
			panic(err)
		}
	}
	status := m.Run()
	pgtest.Stop()
	if builtIn != "" {
		os.RemoveAll(builtIn)
	}
	os.Exit(status)
}

// clock is a wall clock that a test can put forward.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time          { return time.Now().Add(time.Duration(c.ahead.Load())) }
func (c *clock) forward(d time.Duration) { c.ahead.Add(int64(d)) }

// world is a running Rowbot in a stand-in of Discord.
type world struct {
	*sandbox.Server
	t     testing.TB
	clock *clock
	db    *persistence.DB
	file  string // of an SQLite store
	store string // its URL, where it is another one
	stop  func() // ends Rowbot as SIGTERM would
	sweep func() // ends what is due now, in the background
	// attend looks which servers Rowbot is in, in the background.
	attend func()
	wrote  bool // the commands had to be registered at the last start

	notice time.Duration // until who is to move is told so
	// webhook: interactions are posted to Rowbot, and not sent over the gateway.
	// ROWBOT_E2E=webhook makes it so in all tests but those of the connection (newGatewayParty).
	webhook bool

	// wire, where it is set, connects a Rowbot with others on the same store, before
	// it is started.
	wire func(db *persistence.DB, matches *match.Service, o *gateway.Options)

	// lossy is set by a test that keeps answers from arriving. In all others every
	// interaction must have been answered by the end.
	lossy bool
}

// start runs the stand-in and Rowbot in this process, until the test ends.
func start(t testing.TB, change ...func(*sandbox.Options)) *world {
	t.Helper()
	w := standIn(t, change...)
	w.connect()
	return w
}

// standIn runs the stand-in without Rowbot, and watches what is posted there.
func standIn(t testing.TB, change ...func(*sandbox.Options)) *world {
	t.Helper()
	options := sandbox.Options{IdentifyEvery: -1, Record: trafficRecord(t)}
	for _, c := range change {
		c(&options)
	}
	w := &world{
		Server: sandbox.Start(t, options),
		t:      t, clock: &clock{}, file: filepath.Join(t.TempDir(), "rowbot.db"), notice: 10 * time.Minute,
		webhook: os.Getenv("ROWBOT_E2E") == "webhook",
	}
	// The stand-in's people have a language each. What they are told is English here
	// but in the tests that are about languages.
	for _, p := range w.People() {
		p.SetLocale("en-US")
	}
	w.audit()
	w.watch()
	return w
}

// record is the file that all exchanges of all tests go to, one JSON object a
// line, where ROWBOT_TRAFFIC names one.
type record struct {
	mu   sync.Mutex
	file *os.File
}

func (r *record) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.file.Write(b)
}

var openRecord = sync.OnceValues(func() (*record, error) {
	f, err := os.OpenFile(os.Getenv("ROWBOT_TRAFFIC"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	return &record{file: f}, err
})

func trafficRecord(t testing.TB) io.Writer {
	t.Helper()
	if os.Getenv("ROWBOT_TRAFFIC") == "" {
		return nil
	}
	r, err := openRecord()
	if err != nil {
		t.Fatalf("open the traffic record: %v", err)
	}
	return r
}

// audit looks back at the end of the test: Discord refused nothing as badly
// formed, and nothing was left unanswered.
func (w *world) audit() {
	w.t.Cleanup(func() {
		got := w.Stats()
		if got.Refused > 0 {
			w.t.Errorf("%d requests were refused as badly formed", got.Refused)
		}
		if got.Failed > 0 && !w.lossy {
			w.t.Errorf("%d interactions were left unanswered", got.Failed)
		}
	})
}

// quiet returns when Rowbot has asked nothing of Discord for a while: clicks
// that follow each other closely leave boards to be drawn once more. What follows from
// an answer comes later where that is an HTTP response.
func (w *world) quiet() {
	pause := 100 * time.Millisecond
	if w.webhook {
		pause = 400 * time.Millisecond
	}
	for before := -1; ; {
		now := w.Stats().Requests
		if now == before {
			return
		}
		before = now
		time.Sleep(pause)
	}
}

// thinker serves all Rowbots of the tests, since each of its searches takes memory.
var thinker = &engine.Engine{Now: time.Now}

// connect starts a Rowbot. Its stop ends it as SIGTERM would.
func (w *world) connect() {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	log := slog.New(slog.NewTextHandler(w.t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	db, err := persistence.Open(ctx, cmp.Or(w.store, "sqlite:"+w.file))
	if err != nil {
		w.t.Fatal(err)
	}
	w.db = db
	seed := atomic.Uint64{}
	matches := &match.Service{
		Store: db, Engine: bot.Safe{Chooser: thinker}, Now: w.clock.now, Expiry: 24 * time.Hour,
		Seed: func() uint64 { return seed.Add(1) * 7919 },
	}
	options := gateway.Options{
		Token: sandbox.Token, APIURL: w.APIURL(), Now: time.Now, Log: log,
		Timings: gateway.Timings{Identify: 10 * time.Millisecond, BackoffMin: 20 * time.Millisecond},
	}
	if w.wire != nil {
		w.wire(db, matches, &options)
	}
	client, err := gateway.New(options)
	if err != nil {
		w.t.Fatal(err)
	}
	b, err := bot.New(bot.Options{
		Matches: matches,
		REST:    client, Log: log, AppID: sandbox.ApplicationID, UserID: w.BotID(), TurnNotice: w.notice,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	commands, err := bot.Commands(false)
	if err != nil {
		w.t.Fatal(err)
	}
	if w.wrote, err = client.Register(ctx, sandbox.ApplicationID, "", commands); err != nil {
		w.t.Fatal(err)
	}
	done := make(chan error, 1)
	if w.webhook {
		shut := w.receive(b, log)
		go func() {
			<-ctx.Done()
			done <- shut()
		}()
	} else {
		go func() { done <- client.Run(ctx, nil, b.Serve) }()
	}
	var sweeps sync.WaitGroup
	w.sweep = func() { sweeps.Go(func() { b.Sweep(ctx, time.Hour) }) }
	w.attend = func() { sweeps.Go(func() { b.Attend(ctx, time.Hour) }) }
	stopped := false
	w.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			w.t.Errorf("Rowbot ended: %v", err)
		}
		sweeps.Wait()
		b.Close()
		client.Close()
		if err := db.Close(); err != nil {
			w.t.Errorf("close the store: %v", err)
		}
	}
	w.t.Cleanup(w.stop)
	if w.webhook {
		return
	}
	wait, end := context.WithTimeout(ctx, stuck)
	defer end()
	if err := w.WaitForBot(wait, 1); err != nil {
		w.t.Fatalf("Rowbot did not connect: %v", err)
	}
}
