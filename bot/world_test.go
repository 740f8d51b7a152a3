package bot_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"rowbot/bot"
	"rowbot/bot/gateway"
	"rowbot/match"
	"rowbot/persistence"
)

const (
	appID   = "900000000000000001"
	guild   = "300000000000000001"
	channel = "300000000000000002"
	alice   = "100000000000000001"
	bob     = "100000000000000002"
	carol   = "100000000000000003"
)

// call is one request that reached Discord.
type call struct {
	after  time.Duration // since the world began
	method string
	path   string
	body   map[string]any
	id     string // of the message that it made, if all went well
	files  []gateway.File
}

func (c call) String() string {
	return fmt.Sprintf("%v %s %s %s", c.after, c.method, c.path, plain(c.body))
}

// is reports whether a call goes to a path, written with "…" for what differs.
func (c call) is(method, path string) bool {
	head, tail, _ := strings.Cut(path, "…")
	return c.method == method && strings.HasPrefix(c.path, head) && strings.HasSuffix(c.path, tail)
}

// data is the message of a callback, or the body of any other call.
func (c call) data() map[string]any {
	if d, ok := c.body["data"].(map[string]any); ok {
		return d
	}
	return c.body
}

// words is all the text of a message.
func (c call) words() string { return plain(c.data()) }

// plain is JSON in which mentions are readable.
func plain(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// discord takes the calls. What it answers can be changed; a hook may take its
// time, which it must not do for longer than the context lasts.
type discord struct {
	began time.Time

	mu    sync.Mutex
	calls []call
	count int
	hook  func(ctx context.Context, c call, n int) (json.RawMessage, error)
	limit func() // what calls with the bot's token wait for
}

func (d *discord) wait() {
	d.mu.Lock()
	limit := d.limit
	d.mu.Unlock()
	if limit != nil {
		limit()
	}
}

var errNetwork = errors.New("the connection broke")

func (d *discord) Call(ctx context.Context, method, path string, body any) (json.RawMessage, error) {
	if late, ok := body.(gateway.Late); ok {
		d.wait()
		var err error
		if body, err = late(); err != nil {
			return nil, err
		}
	}
	form, _ := body.(gateway.Form)
	if form.Files != nil {
		body = form.Payload
	}
	raw, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	c := call{after: time.Since(d.began), method: method, path: path, files: form.Files}
	if err := json.Unmarshal(raw, &c.body); err != nil {
		return nil, err
	}
	d.mu.Lock()
	n := d.count
	d.count++
	c.id = strconv.Itoa(firstMessage + n)
	d.calls = append(d.calls, c)
	hook := d.hook
	d.mu.Unlock()
	if hook != nil {
		if out, err := hook(ctx, c, n); out != nil || err != nil {
			return out, err
		}
	}
	return answerTo(c), ctx.Err()
}

// firstMessage is the ID of the message that the first call makes.
const firstMessage = 800000000000000000

// answerTo is what Discord answers when all is well: a message with an ID of
// its own where a call makes or reads one.
func answerTo(c call) json.RawMessage {
	switch {
	case strings.HasSuffix(c.path, "?with_response=true"):
		return fmt.Appendf(nil, `{"interaction":{"id":"1"},"resource":{"type":4,"message":{"id":%q}}}`, c.id)
	case strings.HasSuffix(c.path, "/callback"):
		return nil
	}
	return fmt.Appendf(nil, `{"id":%q}`, c.id)
}

func (d *discord) answer(hook func(ctx context.Context, c call, n int) (json.RawMessage, error)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.hook = hook
}

// take returns the calls so far and forgets them.
func (d *discord) take() []call {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := d.calls
	d.calls = nil
	return out
}

// pause waits like a slow network: not beyond the context.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func refusal(status, code int) error {
	return &gateway.APIError{Status: status, Code: code, Message: "no"}
}

// store is a real one that can be made slow or worse: the hook runs before each
// transaction. Each that reads runs twice, as a database may ask for at any time.
type store struct {
	match.Store
	mu   sync.Mutex
	hook func()
}

func (s *store) before(hook func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook = hook
}

func (s *store) run() {
	s.mu.Lock()
	hook := s.hook
	s.mu.Unlock()
	if hook != nil {
		hook()
	}
}

func (s *store) View(ctx context.Context, f func(match.Tx) error) error {
	s.run()
	if err := s.Store.View(ctx, f); err != nil {
		return err
	}
	return s.Store.View(ctx, f)
}

func (s *store) Update(ctx context.Context, f func(match.Tx) error) error {
	s.run()
	return s.Store.Update(ctx, f)
}

// world is a Bot between a store and Discord, in a bubble of virtual time.
type world struct {
	*testing.T
	rest  *discord
	store *store
	games *match.Service
	bot   *bot.Bot
	ids   int
	how   bot.Options // what the Bot was made of
}

// restart puts another Bot in place of the one there is.
func (w *world) restart() {
	w.Helper()
	w.bot.Close()
	var err error
	if w.bot, err = bot.New(w.how); err != nil {
		w.Fatal(err)
	}
}

// inWorld runs a test in a world of its own. Nothing may be under way when it ends.
func inWorld(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	inWorldWith(t, 0, f)
}

// inWorldWith is inWorld with people being told of their turn after a time.
func inWorldWith(t *testing.T, turnNotice time.Duration, f func(t *testing.T, w *world)) {
	t.Helper()
	inWorldOf(t, bot.Options{TurnNotice: turnNotice}, f)
}

// inWorldSeen is inWorld with somebody who is told of every answer.
func inWorldSeen(t *testing.T, observe func(bot.Answered), f func(t *testing.T, w *world)) {
	t.Helper()
	inWorldOf(t, bot.Options{Observe: observe}, f)
}

func inWorldOf(t *testing.T, o bot.Options, f func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		db, err := persistence.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "rowbot.db"))
		if err != nil {
			t.Fatal(err)
		}
		w := &world{T: t, rest: &discord{began: time.Now()}, store: &store{Store: db}}
		w.games = &match.Service{Store: w.store, Now: time.Now, Seed: func() uint64 { return 1 }, Expiry: 24 * time.Hour}
		o.Matches, o.REST, o.AppID = w.games, w.rest, appID
		o.Log = slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug}))
		w.how = o
		w.bot, err = bot.New(o)
		if err != nil {
			t.Fatal(err)
		}
		defer func() {
			w.store.before(nil)
			w.bot.Close()
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		}()
		f(t, w)
		synctest.Wait()
		if n := w.bot.Pending(); n != 0 && !t.Failed() {
			t.Errorf("%d boards are still remembered", n)
		}
	})
}

// start stores a match between Alice, who moves first, and Bob, shown by a
// message, or by none where that is empty.
func (w *world) start(r match.Rules, message string, moves ...string) match.Match {
	w.Helper()
	return w.between(alice, bob, r, message, moves...)
}

// invite stores a challenge, shown by a message, or by none where that is empty.
func (w *world) invite(from, to, message string) match.Match {
	w.Helper()
	w.ids++
	m, err := w.games.Challenge(w.Context(), match.Proposal{
		ID: match.ID(fmt.Sprintf("m%d", w.ids)), Rules: match.TicTacToeRules(), Challenger: match.Person(from), Opponent: match.Person(to),
		Side: match.SideFirst, Pace: 72 * time.Hour, Where: match.Where{Guild: guild, Channel: channel, Message: message},
	})
	if err != nil {
		w.Fatal(err)
	}
	return m
}

// between is start for any two.
func (w *world) between(one, other string, r match.Rules, message string, moves ...string) match.Match {
	w.Helper()
	w.ids++
	m, err := w.games.Challenge(w.Context(), match.Proposal{
		ID: match.ID(fmt.Sprintf("m%d", w.ids)), Rules: r, Challenger: match.Person(one), Opponent: match.Person(other),
		Side: match.SideFirst, Pace: 72 * time.Hour, Where: match.Where{Guild: guild, Channel: channel, Message: message},
	})
	if err != nil {
		w.Fatal(err)
	}
	m = w.act(m, match.Accept{}, other)
	for _, s := range moves {
		at, err := r.ParsePoint(s)
		if err != nil {
			w.Fatal(err)
		}
		m = w.act(m, match.Place{At: at}, m.ToMove().User)
	}
	return m
}

func (w *world) act(m match.Match, a match.Action, by string) match.Match {
	w.Helper()
	m, err := w.games.Act(w.Context(), match.Deed{Match: m.ID, By: match.Person(by), Action: a})
	if err != nil {
		w.Fatal(err)
	}
	return m
}

// stored is a match as the store has it now.
func (w *world) stored(id match.ID) (m match.Match) {
	w.Helper()
	err := w.store.Store.View(w.Context(), func(tx match.Tx) (err error) {
		m, err = tx.Match(w.Context(), id)
		return err
	})
	if err != nil {
		w.Fatal(err)
	}
	return m
}

// expect compares the calls so far with paths in order ("POST /x/…/y"), and
// returns them.
func (w *world) expect(want ...string) []call {
	w.Helper()
	got := w.rest.take()
	same := len(got) == len(want)
	for i := range min(len(got), len(want)) {
		method, path, _ := strings.Cut(want[i], " ")
		same = same && got[i].is(method, path)
	}
	if !same {
		w.Fatalf("calls\n%s\nwant\n%s", join(got), strings.Join(want, "\n"))
	}
	return got
}

func join(calls []call) string {
	lines := make([]string, len(calls))
	for i, c := range calls {
		lines[i] = c.String()
	}
	return strings.Join(lines, "\n")
}
