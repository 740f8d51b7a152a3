package gateway

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/bwmarrin/discordgo"
)

// Run keeps all shards of this process connected until ctx ends, and calls
// handle for each interaction, on a goroutine of its own. ready, when not nil,
// is called once, when every shard has been READY for the first time.
//
// The context of a handler has a deadline, but does not end with ctx. When ctx ends, Run
// takes no more interactions, waits for the handlers in flight (for 10 seconds at most,
// and not for what they left to other goroutines), closes the connections normally, and
// returns nil. With Options.Sessions it closes them so that Discord keeps the sessions,
// and leaves these for the next process, which gets what comes meanwhile.
//
// An error means that going on is of no use. It matches ErrUnauthorized when
// the token was refused, is a *CloseError for the other close codes of that
// kind, and an *APIError when there is no Discord API at the address. Outages
// of the network and of Discord are waited for, with growing pauses.
//
// A client runs once at a time.
func (c *Client) Run(ctx context.Context, ready func(), handle func(ctx context.Context, i *discordgo.Interaction)) error {
	if !c.running.CompareAndSwap(false, true) {
		return errors.New("gateway: already running")
	}
	defer c.running.Store(false)
	e, _, err := c.gate.entrance(ctx, false)
	if err != nil {
		if ctx.Err() != nil {
			return nil // told to stop before there was anything to stop
		}
		return fmt.Errorf("connect to Discord: %w", err)
	}
	shards, ids := c.shards(e)
	c.expect(ids)
	defer c.expect(nil)
	c.log.InfoContext(ctx, "connecting", "shards", shards, "here", len(ids), "session_starts_left", e.Limit.Remaining)
	return c.supervise(ctx, shards, ids, once(len(ids), ready), handle)
}

func (c *Client) supervise(ctx context.Context, shards int, ids []int, up func(int), handle func(context.Context, *discordgo.Interaction)) error {
	running, end := context.WithCancelCause(ctx)
	defer end(nil)
	d := newDispatch(running, c, handle)
	last := &parting{begun: make(chan struct{})}
	var all []*shard
	var wg sync.WaitGroup
	for _, id := range ids {
		sh := &shard{client: c, id: id, shards: shards, take: d.take, in: doorway{shut: running.Done()}, end: last, up: up}
		all = append(all, sh)
		wg.Go(func() {
			if err := sh.supervise(running); err != nil {
				end(err) // the first cause stays
			}
			sh.endings.Wait()
		})
	}
	<-running.Done()
	for _, sh := range all {
		sh.in.wait()
	}
	d.drain()
	last.keep = ctx.Err() != nil
	close(last.begun)
	wg.Wait()
	if ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("stay connected to Discord: %w", context.Cause(running))
}

// shards settles how many shards there are and which of them run here.
func (c *Client) shards(e entrance) (total int, ids []int) {
	total = c.opts.ShardCount
	if total == 0 {
		total = e.Shards
	}
	ids = c.opts.Shards
	if len(ids) == 0 {
		for id := range total {
			ids = append(ids, id)
		}
	}
	return total, ids
}

func (c *Client) expect(ids []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.expected = ids
}

// once makes a function that calls ready when n different shards were up.
func once(n int, ready func()) func(id int) {
	var mu sync.Mutex
	seen := map[int]bool{}
	return func(id int) {
		mu.Lock()
		was := len(seen)
		seen[id] = true
		all := was < n && len(seen) == n
		mu.Unlock()
		if all && ready != nil {
			ready()
		}
	}
}

// panicText is what a panic said, whatever its type.
func panicText(p any) string {
	return shorten(fmt.Sprint(p), 500)
}
