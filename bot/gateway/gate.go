package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"
)

// refreshLimit is how long a shard waits for news of the gateway's address
// before it makes do with what it knows.
const refreshLimit = 3 * time.Second

// entrance is what GET /gateway/bot says: where to connect, with how many
// shards, and how often.
type entrance struct {
	URL    string `json:"url"`
	Shards int    `json:"shards"`
	Limit  struct {
		Total          int   `json:"total"`
		Remaining      int   `json:"remaining"`
		ResetAfter     int64 `json:"reset_after"` // milliseconds
		MaxConcurrency int   `json:"max_concurrency"`
	} `json:"session_start_limit"`
}

// concurrency is how many IDENTIFYs Discord takes at once, one a bucket.
func (e entrance) concurrency() int { return max(e.Limit.MaxConcurrency, 1) }

// gate is what every IDENTIFY of this process passes. More IDENTIFYs than
// Discord allows in a day end all sessions and reset the bot's token; more
// than max_concurrency in five seconds are refused. Where other processes run
// shards of the same bot, it also waits for their turns; see turn.go.
type gate struct {
	client *Client
	asking chan struct{} // one question to Discord at a time

	mu      sync.Mutex
	known   bool
	last    entrance // as Discord told it
	left    int      // of last.Limit.Remaining
	asked   time.Time
	reset   time.Time
	buckets map[int]*bucket
}

// bucket is the turn of the shards with the same number modulo
// max_concurrency. Whoever holds the turn alone may change used.
type bucket struct {
	number int
	turn   chan struct{}
	used   time.Time // the last IDENTIFY
}

func newGate(c *Client) *gate {
	return &gate{client: c, asking: make(chan struct{}, 1), buckets: map[int]*bucket{}}
}

// passage is the leave to connect and to send one IDENTIFY. Its holder has the turn
// of the shard's bucket until it calls leave.
type passage struct {
	gate    *gate
	bucket  *bucket
	address string // of the gateway
	blind   bool   // nobody said whose turn it is
}

// enter waits until the shard may connect and send IDENTIFY. The errors are ctx's
// own and those of ask.
func (g *gate) enter(ctx context.Context, shard int) (*passage, error) {
	b := g.bucket(shard)
	select {
	case b.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p := &passage{gate: g, bucket: b}
	if err := p.await(ctx); err != nil {
		<-b.turn
		return nil, err
	}
	return p, nil
}

// leave ends the turn, saying whether an IDENTIFY may have been sent.
func (p *passage) leave(ctx context.Context, identified bool) {
	if identified {
		p.bucket.used = p.gate.client.opts.Now()
		_, _ = p.hold(context.WithoutCancel(ctx)) // once more: it may have been long on its way
	} else {
		p.gate.refund()
		p.giveBack(ctx)
	}
	<-p.bucket.turn
}

// await waits for what a bucket's IDENTIFY needs: the time since the one before,
// the turn among all processes, and a place in the day's budget. The turn is not
// held while the budget is waited for.
func (p *passage) await(ctx context.Context) error {
	c := p.gate.client
	pause := c.backoff()
	for {
		if err := sleep(ctx, p.bucket.used.Add(c.opts.Timings.Identify).Sub(c.opts.Now())); err != nil {
			return err
		}
		if err := p.take(ctx); err != nil {
			return err
		}
		address, wait, err := p.gate.spend(ctx, pause, p.blind)
		if p.address = address; address != "" {
			return nil
		}
		p.giveBack(ctx)
		if err != nil {
			return err
		}
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}

func (g *gate) bucket(shard int) *bucket {
	g.mu.Lock()
	defer g.mu.Unlock()
	key := shard % g.last.concurrency()
	b := g.buckets[key]
	if b == nil {
		b = &bucket{number: key, turn: make(chan struct{}, 1)}
		g.buckets[key] = b
	}
	return b
}

// spend takes one IDENTIFY out of the day's budget and gives the gateway's
// address; or it gives how long to wait before it is asked again. Others may
// spend out of the same budget, so with them Discord is asked each time.
func (g *gate) spend(ctx context.Context, pause *backoff, blind bool) (address string, wait time.Duration, err error) {
	for _, anew := range []bool{g.client.opts.Turn != nil, true} {
		_, told, err := g.entrance(ctx, anew)
		if err != nil {
			return "", 0, err
		}
		address, wait := g.settle(told, blind)
		if address != "" {
			return address, 0, nil
		}
		if wait > 0 {
			g.client.log.ErrorContext(ctx, "session starts used up, waiting for Discord to allow more", "wait", wait)
			return "", wait, nil
		}
	}
	return "", pause.next(), nil // Discord does not say
}

// settle takes one IDENTIFY out of the budget as far as it is known. Where there
// is none it gives the time until Discord allows new ones; no time means that
// Discord is to be asked. told says that it has just been.
func (g *gate) settle(told, blind bool) (address string, wait time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	now := g.client.opts.Now()
	if g.left >= g.need(now.Sub(g.asked), blind) {
		g.left--
		return g.last.URL, 0
	}
	if g.last.Limit.Remaining >= g.need(0, blind) {
		return "", 0 // counted down here: Discord may count differently
	}
	if wait = g.reset.Sub(now); told || wait > 0 {
		return "", max(wait, g.client.opts.Timings.BackoffMin)
	}
	return "", 0
}

// refund gives back what was taken for an IDENTIFY that was never sent.
func (g *gate) refund() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left = min(g.left+1, g.last.Limit.Remaining)
}

// entrance gives what Discord last said, and asks it first when that is old, or
// anew is set; told says that it has answered. Without any answer yet it asks
// until one comes, asking is of no use, or ctx ends; an old answer is good enough
// while no new one can be had.
func (g *gate) entrance(ctx context.Context, anew bool) (e entrance, told bool, err error) {
	select {
	case g.asking <- struct{}{}:
		defer func() { <-g.asking }()
	case <-ctx.Done():
		return entrance{}, false, ctx.Err()
	}
	last, known, fresh := g.state()
	if fresh && !anew {
		return last, false, nil
	}
	if known {
		e, err = g.again(ctx)
		if err != nil && ctx.Err() == nil && !errors.Is(err, ErrUnauthorized) {
			g.client.log.WarnContext(ctx, "gateway address not refreshed, using the last one", "error", err)
			return last, false, nil
		}
	} else {
		err = g.client.Retry(ctx, "ask for the gateway", func(ctx context.Context) (err error) {
			e, err = g.ask(ctx)
			return err
		})
	}
	if err != nil {
		return entrance{}, false, err
	}
	g.store(e)
	return e, true, nil
}

func (g *gate) state() (last entrance, known, fresh bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	age := g.client.opts.Now().Sub(g.asked)
	return g.last, g.known, g.known && age < g.client.opts.Timings.Refresh
}

func (g *gate) store(e entrance) {
	now := g.client.opts.Now()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.known, g.last, g.left, g.asked = true, e, max(e.Limit.Remaining, 0), now
	g.reset = now.Add(time.Duration(e.Limit.ResetAfter) * time.Millisecond)
}

// again asks while an old answer is at hand, and so not for long.
func (g *gate) again(ctx context.Context) (entrance, error) {
	ctx, cancel := context.WithTimeout(ctx, refreshLimit)
	defer cancel()
	return g.ask(ctx)
}

// ask makes the request itself. GET /gateway/bot is the only address asked:
// a stand-in for Discord need not serve GET /gateway.
func (g *gate) ask(ctx context.Context) (entrance, error) {
	raw, err := g.client.Call(ctx, http.MethodGet, "gateway/bot", nil)
	if err != nil {
		return entrance{}, err
	}
	var e entrance
	if err := json.Unmarshal(raw, &e); err != nil {
		return entrance{}, fmt.Errorf("read the gateway address: %w", err)
	}
	if !strings.HasPrefix(e.URL, "ws://") && !strings.HasPrefix(e.URL, "wss://") {
		return entrance{}, errors.New("read the gateway address: not a websocket address")
	}
	if e.Limit.Total <= 0 { // no limit was told
		e.Limit.Remaining = 1000
	}
	e.Shards = max(e.Shards, 1)
	return e, nil
}
