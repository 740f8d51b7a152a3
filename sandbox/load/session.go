package load

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"rowbot/sandbox"
)

// endIn is how long may pass until all that is under way at the end is over.
const endIn = time.Minute

// bots are the bot's processes.
type bots interface {
	// start starts them and returns when the bot can be used.
	start(ctx context.Context) error
	// measure begins the measuring of what they take.
	measure()
	// watch looks after them until ctx ends: it kills one where that is asked for. fail is told when one ends by itself.
	watch(ctx context.Context, fail func(error))
	// excuses tells whether an interaction of a guild may have gone unanswered, since its copy was dead at the time.
	excuses(guild string, from, to time.Time) bool
	// fill puts what they took into the result.
	fill(r *Result)
	// stop ends them.
	stop()
}

// session is one run.
type session struct {
	discord *sandbox.Server
	crew    bots
	tally   *tally
	games   []string
	plain   bool
	now     func() time.Time
	errands *rate.Limiter
}

// errandsPerSecond is how often people do what the bot cannot answer alone: a move by command or in a private menu, after
// which the board on another message has to follow, or a rematch, before which the bot asks whether the other is still
// there. That takes requests with the bot's token, of which Discord allows 50 a second, and the bot waits when it has had
// them. Then Discord would be measured and not the bot, so people click instead.
const errandsPerSecond = 15

// errand tells whether there is room for one more of those.
func (s *session) errand() bool { return s.errands.AllowN(s.now(), 1) }

// Run plays as the options say, and returns what came of it. An error means that it could not be played; what went wrong
// in play is in the result.
func Run(ctx context.Context, o Options) (*Result, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	// The processors are the bot's first of all: this side rather takes some memory than collects garbage all the time.
	defer debug.SetGCPercent(debug.SetGCPercent(200))
	t := newTally()
	discord := newDiscord(o, t)
	defer discord.Close()
	if _, err := discord.Listen(ctx, "127.0.0.1:0"); err != nil {
		return nil, err
	}
	return play(ctx, o, discord, t, newCrew(o, discord))
}

// newDiscord is the stand-in as it is used here: what it says itself it checks now and then only, what it keeps is
// little, and the bot may connect again at once.
func newDiscord(o Options, t *tally) *sandbox.Server {
	shards := o.shards()
	perRoom := seatsFor(o.People/min(o.Servers, max(o.People/2, 1))+1, o.alone())
	return sandbox.New(sandbox.Options{
		Now: o.Now, IdentifyEvery: -1, SessionStarts: 1 << 20, Shards: shards, MaxConcurrency: max(16, shards),
		KeepMessages: 10 + 2*perRoom, KeepInteractions: 2000, InspectEvery: 1000,
		Violation: func(text string) { t.amiss("the stand-in: " + text) },
	})
}

func play(ctx context.Context, o Options, discord *sandbox.Server, t *tally, crew bots) (*Result, error) {
	s := &session{discord: discord, crew: crew, tally: t, games: o.Games, plain: o.Plain, now: o.Now, errands: rate.NewLimiter(errandsPerSecond, errandsPerSecond)}
	h := newHall(discord, o)
	h.furnish(o, s)
	defer crew.stop()
	if err := crew.start(ctx); err != nil {
		return nil, err
	}
	r, err := s.run(ctx, o, h)
	if err != nil {
		return nil, err
	}
	r.Options = describe(o, len(h.tables))
	return r, nil
}

// run plays until it is time to end, and looks once more at what has not ended.
func (s *session) run(ctx context.Context, o Options, h *hall) (*Result, error) {
	playing, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var beside sync.WaitGroup
	watching, unwatch := context.WithCancel(playing)
	defer beside.Wait()
	defer unwatch()

	p := s.pace(o)
	s.tally.open(p.start.Add(o.WarmUp))
	r := &Result{}
	started := make(chan struct{})
	beside.Go(func() {
		pause(watching, p.start.Add(o.WarmUp).Sub(s.now()))
		s.crew.measure()
		r.begin(s.discord.Stats())
		close(started)
		s.crew.watch(watching, func(err error) { stop(err) })
	})
	s.work(playing, p, o, h)
	s.tally.shut(p.end())
	<-started
	unwatch()
	beside.Wait()
	r.finish(s.discord.Stats())
	s.crew.fill(r)
	if r.CutShort = ctx.Err() != nil; playing.Err() == nil && o.Script == Matches {
		s.lookAgain(playing, h, o.AtOnce)
	}
	s.tally.fill(r)
	if r.BotCPUSeconds > 0 {
		r.PerCPUSecond = float64(r.Interactions) / r.BotCPUSeconds
	}
	if err := context.Cause(playing); err != nil && !errors.Is(err, context.Canceled) {
		return nil, err
	}
	return r, nil
}

// pace is that of the options, from now on.
func (s *session) pace(o Options) *pace {
	p := &pace{start: s.now(), now: s.now, full: func() bool { return false }}
	if o.Rate > 0 {
		p.every = time.Duration(float64(time.Second) / o.Rate)
	}
	p.until = p.start.Add(o.WarmUp + o.For)
	if o.Interactions > 0 {
		p.until = p.start.Add(365 * 24 * time.Hour)
		p.full = func() bool { return s.tally.count() >= o.Interactions }
	}
	return p
}

// work has so many hands do what is next at the tables, in turn, until the pace ends.
func (s *session) work(ctx context.Context, p *pace, o Options, h *hall) {
	ready := make(chan *table, len(h.tables))
	for n := range len(h.tables) { // the first tables of all rooms, then the second ones, and so on
		ready <- h.tables[(n*stride(len(h.tables)))%len(h.tables)]
	}
	hands := min(o.AtOnce, len(h.tables))
	if o.Rate > 0 {
		hands = len(h.tables)
	}
	var all sync.WaitGroup
	for range hands {
		all.Go(func() {
			for {
				due, ok := p.next(ctx)
				if !ok {
					return
				}
				t := <-ready
				t.rest(ctx, due)
				t.next = t.next(ctx)
				t.rested = s.now().Add(o.Think)
				ready <- t
			}
		})
	}
	all.Wait()
}

// stride is a number without a common factor with n, so that steps of it visit all of n things.
func stride(n int) int {
	for _, prime := range []int{101, 103, 107} {
		if n%prime != 0 {
			return prime
		}
	}
	return 1
}

// lookAgain looks at all matches that have not ended.
func (s *session) lookAgain(ctx context.Context, h *hall, atOnce int) {
	ctx, cancel := context.WithTimeout(ctx, endIn+time.Duration(len(h.tables))*50*time.Millisecond)
	defer cancel()
	tables := make(chan *table, len(h.tables))
	for _, t := range h.tables {
		tables <- t
	}
	close(tables)
	var all sync.WaitGroup
	for range min(atOnce, len(h.tables)) {
		all.Go(func() {
			for t := range tables {
				t.last(ctx)
			}
		})
	}
	all.Wait()
	if ctx.Err() != nil {
		s.tally.amiss("the matches that have not ended could not all be looked at again in time")
	}
}

// describe says in a line what was played.
func describe(o Options, tables int) string {
	pace := fmt.Sprintf("%d at once", min(o.AtOnce, tables))
	if o.Rate > 0 {
		pace = fmt.Sprintf("%g interactions a second", o.Rate)
	}
	bot := fmt.Sprintf("%d copies", o.Copies)
	if o.Copies == 1 {
		bot = "one copy"
	}
	return fmt.Sprintf("%s of %v against %s by %s, %s in %s at %s, %s; %s of the bot, %s",
		o.Script, o.Games, o.Against, o.Via, counted(o.People, "person", "people"), counted(o.Servers, "server", "servers"),
		counted(tables, "table", "tables"), pace, bot, counted(o.shards(), "shard", "shards"))
}

// counted is a number of things in words.
func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
