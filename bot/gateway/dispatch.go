package gateway

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/slim"
)

// dispatch runs the handlers of interactions: a bounded number at a time, each
// with a deadline, none able to take the process down. A handler counts until it
// returns, whatever work it has left to other goroutines.
type dispatch struct {
	client *Client
	base   context.Context // of all handlers; outlives the shutdown's beginning
	cancel context.CancelFunc
	handle func(context.Context, *discordgo.Interaction)
	slots  chan struct{}

	mu      sync.Mutex
	closing bool
	running sync.WaitGroup
}

// newDispatch makes a dispatch whose handlers get the values of ctx, but not
// its end: what is being answered when a shutdown begins is still answered.
func newDispatch(ctx context.Context, c *Client, handle func(context.Context, *discordgo.Interaction)) *dispatch {
	base, cancel := context.WithCancel(context.WithoutCancel(ctx))
	return &dispatch{client: c, base: base, cancel: cancel, handle: handle, slots: make(chan struct{}, c.opts.Handlers)}
}

// arrival is an interaction as it came.
type arrival struct {
	*discordgo.Interaction
	channel  *slim.Channel // nil where it is not told
	replayed bool          // see Replayed
}

// context is that of the interaction's handler.
func (a arrival) context(ctx context.Context) context.Context {
	if a.replayed {
		ctx = WithReplay(ctx)
	}
	return slim.WithChannel(ctx, a.channel)
}

// take handles one interaction on a goroutine of its own. After drain it must not
// be called any more.
func (d *dispatch) take(a arrival) {
	if d.begin() {
		go d.run(a)
	}
}

// run waits for a free slot and handles the interaction. When all slots are
// busy for too long the interaction is let go: Discord has told the user by
// then that it failed.
func (d *dispatch) run(a arrival) {
	defer d.running.Done()
	log := d.client.log
	queue := time.NewTimer(d.client.opts.Timings.Queue)
	defer queue.Stop()
	select {
	case d.slots <- struct{}{}:
		defer func() { <-d.slots }()
	case <-queue.C:
		log.Warn("interaction dropped, too many at once", "interaction", a.ID)
		return
	case <-d.base.Done():
		return
	}
	ctx, cancel := context.WithTimeout(d.base, d.client.opts.Timings.Handler)
	defer cancel()
	ctx = a.context(ctx)
	defer func() {
		if p := recover(); p != nil {
			clean := d.client.secrets.clean
			log.ErrorContext(ctx, "panic in a handler", "interaction", a.ID, "panic", clean(panicText(p)), "stack", clean(string(debug.Stack())))
		}
	}()
	d.handle(ctx, a.Interaction)
}

func (d *dispatch) begin() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closing {
		return false
	}
	d.running.Add(1)
	return true
}

// drain takes no more interactions and waits for those in flight: first for
// as long as a shutdown may take, then with their contexts ended.
func (d *dispatch) drain() {
	d.mu.Lock()
	d.closing = true
	d.mu.Unlock()
	done := make(chan struct{})
	go func() {
		d.running.Wait()
		close(done)
	}()
	t := d.client.opts.Timings
	if waitFor(done, t.Drain) {
		d.cancel()
		return
	}
	d.client.log.Warn("handlers did not finish in time, ending them")
	d.cancel()
	if !waitFor(done, t.Close) {
		d.client.log.Error("handlers do not end, leaving them behind")
	}
}

func waitFor(done <-chan struct{}, limit time.Duration) bool {
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-done:
		return true
	case <-t.C:
		return false
	}
}
