package gateway_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rowbot/bot/gateway"
)

// turns is whose turn it is in each bucket, among several clients.
type turns struct {
	mu     sync.Mutex
	holder map[int]string
	until  map[int]time.Time
}

func newTurns() *turns { return &turns{holder: map[int]string{}, until: map[int]time.Time{}} }

// of is the Turn of one client.
func (u *turns) of(who string) func(context.Context, int, time.Duration) (bool, error) {
	return func(_ context.Context, bucket int, lasts time.Duration) (bool, error) {
		u.mu.Lock()
		defer u.mu.Unlock()
		now := time.Now()
		if u.holder[bucket] != who && now.Before(u.until[bucket]) {
			return false, nil
		}
		u.holder[bucket], u.until[bucket] = who, now.Add(lasts)
		return true, nil
	}
}

// Several processes with a range of shards each keep their IDENTIFYs apart, bucket
// by bucket, as one process does.
func TestTurns(t *testing.T) {
	t.Parallel()
	const apart = 100 * time.Millisecond
	for _, concurrency := range []int{1, 2} {
		f := newFake(t, nil)
		f.answer("GET /api/v10/gateway/bot", f.gatewayBot(9, concurrency, 1000, 0))
		u := newTurns()
		var all []*running
		for n, who := range []string{"a", "b", "c"} {
			c, _ := newClient(t, f, func(o *gateway.Options) {
				o.ShardCount, o.Shards = 6, []int{n * 2, n*2 + 1}
				o.Turn, o.Timings.Identify = u.of(who), apart
			})
			all = append(all, start(t, c, nil))
		}
		for _, r := range all {
			receive(t, r.ready, "all shards")
		}
		for _, r := range all {
			r.stop()
		}
		for _, r := range all {
			if err := r.wait(); err != nil {
				t.Errorf("Run: %v", err)
			}
		}
		ids := f.identified()
		if len(ids) != 6 {
			t.Errorf("%d IDENTIFYs, want 6", len(ids))
		}
		slices.SortFunc(ids, func(a, b identify) int { return a.at.Compare(b.at) })
		last := map[int]time.Time{}
		for _, i := range ids {
			bucket := i.Shard[0] % concurrency
			if before, ok := last[bucket]; ok && i.at.Sub(before) < apart {
				t.Errorf("concurrency %d: two IDENTIFYs of bucket %d only %v apart", concurrency, bucket, i.at.Sub(before))
			}
			last[bucket] = i.at
		}
		u.mu.Lock()
		for bucket, until := range u.until {
			if time.Until(until) > 2*apart {
				t.Errorf("the turn of bucket %d was not given back", bucket)
			}
		}
		u.mu.Unlock()
	}
}

// Several processes that spend out of one budget do not overdraw it, however it is
// shared out.
func TestTurnsKeepTheBudget(t *testing.T) {
	t.Parallel()
	const budget = 7
	const apart = 750 * time.Millisecond // far longer than an IDENTIFY is on its way, as Discord's five seconds are
	var spent atomic.Int64
	f := newFake(t, func(_ int, p *peer) {
		p.identify()
		spent.Add(1)
		p.ready()
		p.ws.CloseNow() // each shard needs one after the other
	})
	f.answer("GET /api/v10/gateway/bot", f.budget(&spent, budget, 2))
	u := newTurns()
	var all []*running
	for n, who := range []string{"a", "b", "c"} {
		c, _ := newClient(t, f, func(o *gateway.Options) {
			o.ShardCount, o.Shards = 6, []int{n * 2, n*2 + 1}
			o.Turn, o.Timings.Identify, o.Timings.Stable = u.of(who), apart, time.Nanosecond
		})
		all = append(all, start(t, c, nil))
	}
	poll(t, "the budget to be spent", func() bool { return spent.Load() >= budget-1 })
	time.Sleep(2 * apart) // for one too many
	for _, r := range all {
		r.stop()
	}
	for _, r := range all {
		if err := r.wait(); err != nil {
			t.Errorf("Run: %v", err)
		}
	}
	// With two buckets one IDENTIFY is left over: it might be on its way in the other.
	if n := spent.Load(); n != budget-1 {
		t.Errorf("%d IDENTIFYs, want %d of %d", n, budget-1, budget)
	}
}

// Where nobody says whose turn it is, a shard connects in the end; and it does so
// only while the day's budget is far from spent.
func TestTurnsUnknown(t *testing.T) {
	t.Parallel()
	for name, remaining := range map[string]int{"plenty": 500, "little": 99} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, nil)
			f.answer("GET /api/v10/gateway/bot", f.gatewayBot(1, 1, remaining, time.Hour))
			var asked atomic.Int32
			c, log := newClient(t, f, func(o *gateway.Options) {
				o.Turn = func(context.Context, int, time.Duration) (bool, error) {
					asked.Add(1)
					return false, errors.New("the store is away")
				}
				o.Timings.Turn = 100 * time.Millisecond
			})
			r := start(t, c, nil)
			if remaining > 100 {
				receive(t, r.ready, "READY")
			} else {
				poll(t, "the budget to be told", func() bool { return strings.Contains(log.String(), "session starts used up") })
			}
			if err := r.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
			if n := len(f.identified()); n != 0 && remaining < 100 || asked.Load() < 2 {
				t.Errorf("%d IDENTIFYs, asked %d times", n, asked.Load())
			}
			if !strings.Contains(log.String(), "connecting out of turn") {
				t.Error("nothing was said about it")
			}
		})
	}
}

// Who waits for another's turn can be told to stop.
func TestStopOutOfTurn(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil)
	u := newTurns()
	if mine, err := u.of("other")(t.Context(), 0, time.Hour); !mine || err != nil {
		t.Fatal(mine, err)
	}
	c, _ := newClient(t, f, func(o *gateway.Options) { o.Turn = u.of("this") })
	r := start(t, c, nil)
	time.Sleep(50 * time.Millisecond)
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if n := len(f.identified()); n != 0 {
		t.Errorf("%d IDENTIFYs out of turn", n)
	}
}

// Where connecting takes so long that another process has the turn by then, no
// IDENTIFY is sent, and the turn is waited for once more.
func TestTurnIsLost(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(n int, p *peer) {
		if n == 1 {
			p.send(10, "", `{"heartbeat_interval":100}`)
			if p.await(2) != nil {
				t.Error("an IDENTIFY was sent out of turn")
			}
			return
		}
		p.serve("1")
	})
	const apart = 50 * time.Millisecond
	confirmed := 0 // calls come one at a time
	c, _ := newClient(t, f, func(o *gateway.Options) {
		o.Timings.Identify = apart
		o.Turn = func(_ context.Context, _ int, lasts time.Duration) (bool, error) {
			if lasts != apart*6/5 { // of an IDENTIFY that is about to be sent
				return true, nil
			}
			confirmed++
			return confirmed > 1, nil
		}
	})
	r := start(t, c, nil)
	receive(t, r.got, "an interaction")
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if n := len(f.identified()); n != 1 || c.Starts().Identifies != 1 || confirmed != 3 { // and when it had arrived
		t.Errorf("%d IDENTIFYs, want 1; counted %+v; %d confirmed", n, c.Starts(), confirmed)
	}
}
