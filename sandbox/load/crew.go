package load

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"rowbot/sandbox"
)

const (
	startIn    = 30 * time.Second // how long the bot may take to start
	deadFor    = 2 * time.Second  // how long a copy that was killed stays dead
	sampleEach = time.Second      // between two looks at the processes' memory
	keptPoints = 20               // of the memory's course
	startTries = 5                // how often a copy that was killed is started before that is given up

	badSignatureEach = 1000 // deliveries between two wrong signatures; Discord's are rare, too
)

// crew are the copies of the bot, each a process.
type crew struct {
	o       Options
	discord *sandbox.Server
	copies  []*process

	mu      sync.Mutex
	deaths  []death
	own     time.Duration // this process's time when the measuring began
	points  []Point
	samples int
	failed  int // starts of a copy that was killed, after which it ended at once
}

// death is when a copy could not be reckoned with; to is zero while that lasts.
type death struct {
	copy     int
	from, to time.Time
}

func newCrew(o Options, discord *sandbox.Server) *crew {
	if o.Stderr != nil {
		o.Stderr = &shared{w: o.Stderr}
	}
	c := &crew{o: o, discord: discord}
	for i := range o.Copies {
		c.copies = append(c.copies, &process{number: i})
	}
	return c
}

// environ is what a copy has to know. What the options' environment says otherwise does not count.
func (c *crew) environ(p *process) []string {
	store := c.o.Store
	if store == "" {
		store = "sqlite:rowbot.db" // in the folder in which all copies run
	}
	env := []string{
		"ROWBOT_DISCORD_TOKEN=" + sandbox.Token, "ROWBOT_DISCORD_API_URL=" + c.discord.APIURL(), "ROWBOT_DISCORD_MODE=" + c.o.Via,
		"ROWBOT_STORE_URL=" + store, "ROWBOT_HTTP_LISTEN=" + p.listen, "ROWBOT_DISCORD_GUILD_ID=",
		"ROWBOT_DISCORD_APPLICATION_ID=", "ROWBOT_DISCORD_PUBLIC_KEY=",
	}
	if !slices.ContainsFunc(c.o.Environ, func(v string) bool { return strings.HasPrefix(v, "ROWBOT_LOG_LEVEL=") }) {
		env = append(env, "ROWBOT_LOG_LEVEL=error")
	}
	if c.o.Kill > 0 { // what a dead copy owed is seen to by another, or by its successor, at a sweep
		env = append(env, "ROWBOT_PLAY_SWEEP=1s")
	}
	if c.o.Via == Gateway {
		all, n := c.o.shards(), len(c.copies)
		from, to := p.number*all/n, (p.number+1)*all/n-1
		env = append(env, "ROWBOT_DISCORD_SHARD_COUNT="+strconv.Itoa(all), fmt.Sprintf("ROWBOT_DISCORD_SHARDS=%d-%d", from, to))
	}
	return slices.Concat(c.o.Environ, env)
}

// copyOf is the copy that gets the interactions of a guild over the gateway.
func (c *crew) copyOf(guild string) int {
	id, err := strconv.ParseUint(guild, 10, 64)
	if err != nil {
		return 0
	}
	all, n := c.o.shards(), len(c.copies)
	shard := int((id >> 22) % uint64(all))
	for i := range n {
		if shard < (i+1)*all/n {
			return i
		}
	}
	return 0
}

// start: the first copy makes the store and registers the commands, then the others may come.
func (c *crew) start(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startIn)
	defer cancel()
	var all []string
	for i, p := range c.copies {
		if c.o.Via == Webhook {
			address, err := freeAddress(ctx)
			if err != nil {
				return err
			}
			p.listen = address
			all = append(all, p.address())
		}
		if err := c.launch(p); err != nil {
			return err
		}
		if i == 0 || c.o.Via == Webhook {
			if err := c.ready(ctx, p, 1); err != nil {
				return err
			}
		}
	}
	if c.o.Via == Webhook {
		c.discord.SetBadSignatures(badSignatureEach)
		if err := c.discord.SetEndpoints(ctx, all...); err != nil {
			return err
		}
	} else if err := c.ready(ctx, c.copies[len(c.copies)-1], c.o.shards()); err != nil {
		return err
	}
	return c.discord.WaitForCommands(ctx)
}

// freeAddress is an address at which nobody listens.
func freeAddress(ctx context.Context) (string, error) {
	var cfg net.ListenConfig
	l, err := cfg.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close()
	return l.Addr().String(), nil
}

func (c *crew) launch(p *process) error {
	return p.launch(c.o.Program, c.o.Args, c.environ(p), c.o.Dir, c.o.Stderr)
}

// ready waits until a copy takes interactions: over the gateway until so many shards are connected, of any copy.
func (c *crew) ready(ctx context.Context, p *process, shards int) error {
	var watching sync.WaitGroup
	defer watching.Wait()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watching.Go(func() {
		select {
		case <-p.ended():
			cancel(fmt.Errorf("copy %d of the bot ended before it was ready: %w", p.number+1, errEnded))
		case <-ctx.Done():
		}
	})
	if c.o.Via == Gateway {
		if err := c.discord.WaitForBot(ctx, shards); err != nil {
			return fmt.Errorf("wait for the bot to connect: %w", context.Cause(ctx))
		}
		return nil
	}
	for {
		err := c.discord.ProbeAddress(ctx, p.address())
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("wait for the bot to take interactions: %w (%w)", context.Cause(ctx), err)
		}
		pause(ctx, 20*time.Millisecond)
	}
}

var errEnded = errors.New("see what it said above")

func (c *crew) measure() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.own = ownTime()
	for _, p := range c.copies {
		p.measure()
	}
}

// watch kills a copy when it is time for that, starts it again, and looks at the memory meanwhile.
func (c *crew) watch(ctx context.Context, fail func(error)) {
	var all sync.WaitGroup
	defer all.Wait()
	if c.o.Kill > 0 {
		all.Go(func() {
			pause(ctx, c.o.Kill)
			if ctx.Err() == nil {
				if err := c.kill(ctx, c.copies[int(c.o.Seed%uint64(len(c.copies)))]); err != nil && ctx.Err() == nil {
					fail(err)
				}
			}
		})
	}
	each := time.NewTicker(sampleEach)
	defer each.Stop()
	for {
		c.sample()
		select {
		case <-each.C:
		case <-ctx.Done():
			c.sample()
			return
		}
		for _, p := range c.copies {
			if p.diedByItself() && !c.dead(p) {
				fail(fmt.Errorf("copy %d of the bot ended by itself: %w", p.number+1, errEnded))
				return
			}
		}
	}
}

// dead tells whether a copy was killed and is not back yet.
func (c *crew) dead(p *process) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.deaths, func(d death) bool { return d.copy == p.number && d.to.IsZero() })
}

// kill kills a copy without a warning and starts it again a little later.
func (c *crew) kill(ctx context.Context, p *process) error {
	c.mu.Lock()
	n := len(c.deaths)
	c.deaths = append(c.deaths, death{copy: p.number, from: c.o.Now()})
	c.mu.Unlock()
	if err := p.kill(); err != nil {
		return err
	}
	pause(ctx, deadFor)
	if err := c.revive(ctx, p); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deaths[n].to = c.o.Now()
	return nil
}

// revive starts a copy again, as a service manager does: one that ends before it is ready, after a while once more.
func (c *crew) revive(ctx context.Context, p *process) error {
	for tries := 1; ; tries++ {
		if err := c.launch(p); err != nil {
			return err
		}
		err := c.ready(ctx, p, c.o.shards())
		if err == nil || ctx.Err() != nil || tries == startTries || !errors.Is(err, errEnded) {
			return err
		}
		c.mu.Lock()
		c.failed++
		c.mu.Unlock()
		pause(ctx, deadFor)
	}
}

// excuses: over the gateway a copy has its own guilds, and what comes for them while it is dead is lost. Behind a
// balancer the other copies take what comes then; lost is what it was at work on when it was killed.
func (c *crew) excuses(guild string, from, to time.Time) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, d := range c.deaths {
		end := d.to
		switch {
		case c.o.Via == Webhook && len(c.copies) > 1:
			end = d.from.Add(500 * time.Millisecond)
		case c.o.Via == Gateway && c.copyOf(guild) != d.copy:
			continue
		}
		if !to.Before(d.from) && (end.IsZero() || !from.After(end)) {
			return true
		}
	}
	return false
}

// sample looks at the processes' memory.
func (c *crew) sample() {
	c.mu.Lock()
	defer c.mu.Unlock()
	var now []float64
	for _, p := range c.copies {
		now = append(now, megabytes(p.sample()))
	}
	own, _ := memory(os.Getpid())
	c.points = append(c.points, Point{Second: c.samples, Bot: now, Own: megabytes(own)})
	c.samples++
	if len(c.points) > 100*keptPoints {
		c.points = thin(c.points, 50*keptPoints)
	}
}

func megabytes(n int64) float64 { return float64(n) / (1 << 20) }

func (c *crew) fill(r *Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var bot time.Duration
	for _, p := range c.copies {
		taken := p.taken()
		bot += taken
		r.Copies = append(r.Copies, Copy{CPUSeconds: taken.Seconds(), PeakMB: megabytes(p.peak), LastMB: megabytes(p.last)})
	}
	r.BotCPUSeconds, r.OwnCPUSeconds = bot.Seconds(), (ownTime() - c.own).Seconds()
	r.Memory = thin(c.points, keptPoints)
	r.Killed, r.FailedStarts = len(c.deaths), c.failed
}

// thin leaves so many points, evenly spread, the first and the last among them.
func thin(points []Point, n int) []Point {
	if len(points) <= n {
		return points
	}
	var out []Point
	for i := range n {
		out = append(out, points[i*(len(points)-1)/(n-1)])
	}
	return out
}

func (c *crew) stop() {
	var all sync.WaitGroup
	for _, p := range c.copies {
		all.Go(p.stop)
	}
	all.Wait()
}
