package gateway_test

import (
	"strings"
	"testing"
	"time"

	"rowbot/bot/gateway"
)

// Every IDENTIFY of one bucket keeps its distance to the one before, over all
// shards and also while connections fail.
func TestIdentifyGate(t *testing.T) {
	t.Parallel()
	const apart = 150 * time.Millisecond
	for _, concurrency := range []int{1, 2} {
		f := newFake(t, func(n int, p *peer) {
			if n == 2 {
				p.identify()
				p.ws.CloseNow()
				return
			}
			p.serve()
		})
		f.answer("GET /api/v10/gateway/bot", f.gatewayBot(4, concurrency, 1000, 0))
		c, _ := newClient(t, f, func(o *gateway.Options) { o.Timings.Identify = apart })
		r := start(t, c, nil)
		receive(t, r.ready, "all shards")
		if err := r.end(); err != nil {
			t.Errorf("Run: %v", err)
		}
		ids := f.identified()
		if len(ids) != 5 {
			t.Errorf("%d IDENTIFYs, want 5", len(ids))
		}
		last := map[int]time.Time{}
		for _, i := range ids {
			bucket := i.Shard[0] % concurrency
			if before, ok := last[bucket]; ok && i.at.Sub(before) < apart {
				t.Errorf("concurrency %d: two IDENTIFYs of bucket %d only %v apart", concurrency, bucket, i.at.Sub(before))
			}
			last[bucket] = i.at
		}
	}
}

// With no session starts left, no IDENTIFY is sent until Discord has given
// new ones.
func TestIdentifyBudget(t *testing.T) {
	t.Parallel()
	const reset = 300 * time.Millisecond
	f := newFake(t, nil)
	f.answer("GET /api/v10/gateway/bot", f.gatewayBot(1, 1, 0, reset), f.gatewayBot(1, 1, 1000, 0))
	c, log := newClient(t, f, nil)
	begin := time.Now()
	r := start(t, c, nil)
	receive(t, r.ready, "READY")
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if ids := f.identified(); len(ids) != 1 || ids[0].at.Sub(begin) < reset {
		t.Errorf("IDENTIFY did not wait for the reset: %v", ids)
	}
	if !strings.Contains(log.String(), "level=ERROR") || !strings.Contains(log.String(), "session starts used up") {
		t.Error("nothing was said about it")
	}
}

// A budget counted down here is asked about before it is believed to be gone.
func TestIdentifyBudgetCountedDown(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(n int, p *peer) {
		if n < 3 {
			p.identify()
			p.ready()
			p.ws.CloseNow()
			return
		}
		p.serve("1")
	})
	f.answer("GET /api/v10/gateway/bot", f.gatewayBot(1, 1, 1, time.Hour))
	c, log := newClient(t, f, nil)
	r := start(t, c, nil)
	receive(t, r.got, "an interaction over the third connection")
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if strings.Contains(log.String(), "used up") {
		t.Error("the budget was held to be gone")
	}
	if n := f.asked("GET /api/v10/gateway/bot"); n != 3 {
		t.Errorf("asked %d times, want once for each IDENTIFY", n)
	}
}

// A connection whose address cannot be asked for again uses the last one.
func TestKeepsAddress(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(n int, p *peer) {
		if n == 1 {
			p.identify()
			p.ready()
			p.ws.CloseNow()
			return
		}
		p.serve("1")
	})
	f.answer("GET /api/v10/gateway/bot", f.gatewayBot(1, 1, 1000, 0), reply(503, ""))
	c, _ := newClient(t, f, func(o *gateway.Options) { o.Timings.Refresh = time.Nanosecond })
	r := start(t, c, nil)
	receive(t, r.got, "an interaction over the second connection")
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
}
