package gateway_test

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"rowbot/bot/gateway"
)

// estate is what processes leave for each other.
type estate struct {
	mu   sync.Mutex
	left map[int]gateway.Session
	no   bool  // another process has all shards
	err  error // of every call
}

func newEstate(left ...gateway.Session) *estate {
	e := &estate{left: map[int]gateway.Session{}}
	for _, s := range left {
		e.left[s.Shard] = s
	}
	return e
}

func (e *estate) Take(_ context.Context, shard int) (gateway.Session, bool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, ok := e.left[shard]
	delete(e.left, shard)
	return s, ok && e.err == nil, e.err
}

func (e *estate) Leave(_ context.Context, s gateway.Session) (bool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.no || e.err != nil {
		return false, e.err
	}
	e.left[s.Shard] = s
	return true, nil
}

// of is the session that is left for a shard.
func (e *estate) of(shard int) (gateway.Session, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, ok := e.left[shard]
	return s, ok
}

// with gives a client the estate.
func (e *estate) with(o *gateway.Options) { o.Sessions = e }

// A process that is told to stop leaves its session to the next one: what was
// taken is finished, what comes after is not taken, and the next process gets it
// without an IDENTIFY.
func TestHandsOver(t *testing.T) {
	t.Parallel()
	stopping, second := make(chan struct{}), make(chan struct{})
	f := newFake(t, func(n int, p *peer) {
		if n == 1 {
			p.identifyBeating(rarely)
			p.readyHere()
			p.interaction("1")
			p.await(1)
			<-stopping
			p.interaction("2")
			p.taken()
			close(second)
			p.beats()
			return
		}
		p.resume()
		p.interaction("2")
		p.send(0, "RESUMED", `{}`)
		p.interaction("3")
		p.beats()
	})
	e := newEstate()
	one, oneLog := newClient(t, f, e.with)
	begun, release := make(chan struct{}, 2), make(chan struct{})
	var handled atomic.Int32
	r := start(t, one, func(context.Context, *discordgo.Interaction) {
		handled.Add(1)
		begun <- struct{}{}
		<-release
	})
	receive(t, begun, "the handler")
	r.stop()
	close(stopping)
	receive(t, second, "interaction 2 to be read")
	if s, ok := e.of(0); ok {
		t.Errorf("left %+v before all was handled", s)
	}
	close(release)
	if err := r.wait(); err != nil {
		t.Errorf("Run: %v", err)
	}
	s, _ := e.of(0)
	want := gateway.Session{Shard: 0, Shards: 1, ID: "s", URL: "ws" + strings.TrimPrefix(f.URL, "http") + "/ws", Seq: 2, At: s.At}
	if diff := cmp.Diff(want, s); diff != "" || time.Since(s.At).Abs() > time.Minute {
		t.Errorf("left (-want +got):\n%s%v", diff, s.At)
	}
	if n := handled.Load(); n != 1 {
		t.Errorf("%d interactions handled, want 1", n)
	}

	two, twoLog := newClient(t, f, e.with)
	type got struct {
		ID       string
		Replayed bool
	}
	replies := make(chan got, 10)
	r = start(t, two, func(ctx context.Context, i *discordgo.Interaction) { replies <- got{i.ID, gateway.Replayed(ctx)} })
	receive(t, r.ready, "the session to go on")
	seen := map[got]int{receive(t, replies, "an interaction"): 1}
	seen[receive(t, replies, "an interaction")]++
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if diff := cmp.Diff(map[got]int{{"2", true}: 1, {"3", false}: 1}, seen); diff != "" || len(replies) > 0 {
		t.Errorf("interactions (-want +got):\n%s", diff)
	}
	if resumes := f.resumed(); len(resumes) != 1 || resumes[0] != (resume{token, "s", 2}) {
		t.Errorf("resumed with %+v", resumes)
	}
	if n := len(f.identified()); n != 1 {
		t.Errorf("%d IDENTIFYs, want 1", n)
	}
	if diff := cmp.Diff([]websocket.StatusCode{4000, 4000}, f.closedWith()); diff != "" {
		t.Errorf("closed with (-want +got):\n%s", diff)
	}
	if s, ok := e.of(0); !ok || s.Seq != 5 {
		t.Errorf("the second process left %+v, want number 5", s)
	}
	if got := []gateway.Starts{one.Starts(), two.Starts()}; !cmp.Equal(got, []gateway.Starts{{Identifies: 1}, {Resumes: 1}}) {
		t.Errorf("counted %+v", got)
	}
	for _, log := range []*lines{oneLog, twoLog} {
		if strings.Contains(log.String(), want.URL) || strings.Contains(log.String(), "session=s") {
			t.Error("the session is in the log")
		}
	}
}

// At whatever moment a process is told to stop, each interaction is handled once,
// by it or by the next one.
func TestHandsOverAtAnyMoment(t *testing.T) {
	t.Parallel()
	const all = 1000
	for round := range 8 {
		t.Run(strconv.Itoa(round), func(t *testing.T) {
			t.Parallel()
			f := newFake(t, func(n int, p *peer) {
				if n == 1 {
					p.identify()
					p.readyHere()
				} else {
					p.resume()
				}
				go func() { // number and ID are the same but for READY's
					for p.ctx.Err() == nil && p.seq.Load() <= all {
						p.interaction(strconv.FormatInt(p.seq.Load()+1, 10))
					}
					if n > 1 {
						p.send(0, "RESUMED", `{}`)
					}
				}()
				p.beats()
			})
			e := newEstate()
			var mu sync.Mutex
			handled, left := map[string]int{}, all
			done, some := make(chan struct{}), make(chan struct{}, all)
			handle := func(_ context.Context, i *discordgo.Interaction) {
				mu.Lock()
				defer mu.Unlock()
				some <- struct{}{}
				if handled[i.ID]++; handled[i.ID] == 1 {
					if left--; left == 0 {
						close(done)
					}
				}
			}
			change := func(o *gateway.Options) {
				o.Sessions, o.Handlers, o.Timings.Queue = e, 2*all, time.Minute
			}
			one, _ := newClient(t, f, change)
			r := start(t, one, handle)
			for range 1 + round*20 {
				receive(t, some, "an interaction")
			}
			if err := r.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
			two, _ := newClient(t, f, change)
			r = start(t, two, handle)
			receive(t, done, "all interactions")
			if err := r.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
			for id, n := range handled {
				if n != 1 {
					t.Errorf("interaction %s was handled %d times", id, n)
				}
			}
			if i, r := f.identified(), f.resumed(); len(i) != 1 || len(r) == 0 || r[0].Seq < 2 || r[0].Seq > all {
				t.Errorf("%d IDENTIFYs, resumed with %+v", len(i), r)
			}
		})
	}
}

// What was left is gone on with only if Discord is likely to know it, and if it is
// what this process would begin. Else there is a new session, at once.
func TestWhatIsLeftIsOfNoUse(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(s *gateway.Session)
		resume func(p *peer)
		want   int // RESUMEs
	}{
		"too old":             {func(s *gateway.Session) { s.At = s.At.Add(-6 * time.Minute) }, nil, 0},
		"other shards":        {func(s *gateway.Session) { s.Shards = 2 }, nil, 0},
		"other intents":       {func(s *gateway.Session) { s.Intents = 1 }, nil, 0},
		"not Discord's":       {func(s *gateway.Session) { s.URL = "ws://elsewhere.example/ws" }, nil, 0},
		"not with a password": {func(s *gateway.Session) { s.URL = strings.Replace(s.URL, "ws://", "ws://a:b@", 1) }, nil, 0},
		"op 9":                {nil, func(p *peer) { p.resume(); p.send(9, "", "false"); p.deaf() }, 1},
		"a dead address":      {func(s *gateway.Session) { s.URL = "ws://127.0.0.1:1" }, nil, 0},
		"no answer":           {nil, func(p *peer) { p.resume(); p.deaf() }, 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, func(n int, p *peer) {
				if n == 1 && tt.resume != nil {
					tt.resume(p)
					return
				}
				p.serve("1")
			})
			s := gateway.Session{Shards: 1, ID: "s", URL: "ws" + strings.TrimPrefix(f.URL, "http") + "/ws", Seq: 7, At: time.Now()}
			if tt.change != nil {
				tt.change(&s)
			}
			c, _ := newClient(t, f, func(o *gateway.Options) {
				o.Sessions = newEstate(s)
				o.Timings.BackoffMin, o.Timings.BackoffMax, o.Timings.Resume = time.Hour, time.Hour, time.Second
			})
			r := start(t, c, nil)
			receive(t, r.got, "an interaction over the new session")
			if err := r.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
			if i, s := len(f.identified()), len(f.resumed()); i != 1 || s != tt.want {
				t.Errorf("%d IDENTIFYs and %d RESUMEs, want 1 and %d", i, s, tt.want)
			}
		})
	}
}

// A session that nobody may go on with is ended at Discord's.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	for name, e := range map[string]*estate{"another has the shard": {no: true}, "the store is away": {err: errors.New("away")}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, nil)
			c, _ := newClient(t, f, e.with)
			r := start(t, c, nil)
			receive(t, r.ready, "READY")
			if err := r.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
			if diff := cmp.Diff([]websocket.StatusCode{websocket.StatusNormalClosure}, f.closedWith()); diff != "" {
				t.Errorf("closed with (-want +got):\n%s", diff)
			}
		})
	}

	// Nor does a process leave anything that ends because going on is of no use.
	both := make(chan struct{})
	f := newFake(t, func(n int, p *peer) {
		p.identify()
		p.readyHere()
		if n == 2 {
			<-both
			p.ws.Close(4004, "")
			return
		}
		p.beats()
	})
	f.answer("GET /api/v10/gateway/bot", f.gatewayBot(2, 1, 1000, 0))
	e := newEstate()
	c, _ := newClient(t, f, e.with)
	r := start(t, c, nil)
	receive(t, r.ready, "both shards")
	close(both)
	if err := r.wait(); !errors.Is(err, gateway.ErrUnauthorized) {
		t.Errorf("Run: %v, want ErrUnauthorized", err)
	}
	if len(e.left) != 0 {
		t.Errorf("left %v", e.left)
	}
}

// A session is left also where its connection is being made anew when the process
// is told to stop.
func TestHandsOverWithoutConnection(t *testing.T) {
	t.Parallel()
	resuming := make(chan struct{})
	f := newFake(t, func(n int, p *peer) {
		switch n {
		case 1:
			p.identify()
			p.readyHere()
			p.interaction("1")
			p.ws.CloseNow()
		case 2:
			p.resume()
			close(resuming)
			p.deaf()
		default:
			p.resume()
			p.send(0, "RESUMED", `{}`)
			p.beats()
		}
	})
	e := newEstate()
	c, _ := newClient(t, f, e.with)
	r := start(t, c, nil)
	receive(t, r.got, "the interaction")
	receive(t, resuming, "the RESUME")
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if s, ok := e.of(0); !ok || s.Seq != 2 {
		t.Errorf("left %+v, want number 2", s)
	}
	c, _ = newClient(t, f, e.with)
	r = start(t, c, nil)
	receive(t, r.ready, "the session to go on")
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if n := len(f.identified()); n != 1 {
		t.Errorf("%d IDENTIFYs, want 1", n)
	}
}
