package gateway

import (
	"context"
	"net"
	"net/url"
	"strings"
	"sync"
	"time"
)

// Sessions keeps what processes leave for those that run after them.
type Sessions interface {
	// Take makes this process the one that has a shard from now on, and gives the
	// session that was left for it, if there is one. It is given once, to whichever
	// process takes the shard first.
	Take(ctx context.Context, shard int) (s Session, ok bool, err error)
	// Leave leaves a session. It does not, and says so, where another process has
	// taken the shard meanwhile.
	Leave(ctx context.Context, s Session) (left bool, err error)
}

// Session is what has to be known, beside the token, to go on with one of Discord's
// sessions in another process. Its ID and address are nobody else's business.
type Session struct {
	Shard, Shards int // which of how many
	Intents       int // that it was begun with
	ID, URL       string
	Seq           int64     // of the last event that was handled
	At            time.Time // when it was left
}

// parting is the end of all shards of a client.
type parting struct {
	begun chan struct{} // closed when open connections are to be closed
	keep  bool          // the sessions are to be left for another process; set before that
}

// doorway is where the events of a shard come in, one at a time, until the client
// ends. The session's ledger says of each event that went through that it was
// handled, and of none that did not.
type doorway struct {
	mu   sync.Mutex
	shut <-chan struct{} // closed when no more events are taken
}

// pass calls f unless no more events are taken.
func (d *doorway) pass(f func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	select {
	case <-d.shut:
	default:
		f()
	}
}

// wait returns, once the door is shut, when nobody is in it any more.
func (d *doorway) wait() {
	d.mu.Lock()
	defer d.mu.Unlock()
}

// inherit takes the shard, with the session that another process has left for it;
// nil where there is none to go on with.
func (sh *shard) inherit(ctx context.Context) *ledger {
	c := sh.client
	if c.opts.Sessions == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, refreshLimit)
	defer cancel()
	s, ok, err := c.opts.Sessions.Take(ctx, sh.id)
	if err != nil {
		c.log.WarnContext(ctx, "not known whether a session was left for the shard", "shard", sh.id, "error", c.plain(err))
		return nil
	}
	if !ok {
		return nil
	}
	age := c.opts.Now().Sub(s.At)
	if s.Shards != sh.shards || s.Intents != int(c.opts.Intents) || age > c.opts.Timings.Keep || !related(s.URL, c.gate.address()) {
		c.log.InfoContext(ctx, "session left for the shard is of no use", "shard", sh.id, "age", age, "of_shards", s.Shards)
		return nil
	}
	c.log.InfoContext(ctx, "going on with the session of another process", "shard", sh.id, "age", age)
	return &ledger{id: s.ID, url: s.URL, seq: s.Seq}
}

// bequeath leaves a session for the next process, once the client's end has come to
// that, and reports whether it stays open at Discord's. It is called when all that
// was taken out of the session has been handled.
func (sh *shard) bequeath(ctx context.Context, l *ledger) bool {
	c := sh.client
	if c.opts.Sessions == nil || !sh.end.keep || l == nil || l.id == "" {
		return false
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.opts.Timings.Close)
	defer cancel()
	left, err := c.opts.Sessions.Leave(ctx, Session{
		Shard: sh.id, Shards: sh.shards, Intents: int(c.opts.Intents), ID: l.id, URL: l.url, Seq: l.last(), At: c.opts.Now(),
	})
	switch {
	case err != nil:
		c.log.WarnContext(ctx, "session not left for another process", "shard", sh.id, "error", c.plain(err))
	case !left:
		c.log.InfoContext(ctx, "another process has the shard, the session ends", "shard", sh.id)
	default:
		c.log.InfoContext(ctx, "session left for another process", "shard", sh.id)
	}
	return err == nil && left
}

// related reports whether an address that was kept outside of this process leads to
// where Discord's gateway is: the token is sent there. Discord's own addresses of
// sessions have the last two parts of their names in common with the gateway's.
func related(address, gateway string) bool {
	a, err := url.Parse(address)
	g, err2 := url.Parse(gateway)
	if err != nil || err2 != nil || a.Scheme != g.Scheme || a.User != nil {
		return false
	}
	one, other := strings.ToLower(a.Hostname()), strings.ToLower(g.Hostname())
	if one == other {
		return true
	}
	return net.ParseIP(one) == nil && net.ParseIP(other) == nil && domain(one) == domain(other) && strings.Contains(one, ".")
}

// domain is the last two parts of a host's name.
func domain(host string) string {
	parts := strings.Split(host, ".")
	return strings.Join(parts[max(0, len(parts)-2):], ".")
}

// address is the gateway's, as Discord last told it.
func (g *gate) address() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.last.URL
}

// replayKey is the key of Replayed in a handler's context.
type replayKey struct{}

// Replayed reports whether the interaction that a handler was called for is one
// that Discord has sent once more, when a session was gone on with: it may be older
// than an answer may be late.
func Replayed(ctx context.Context) bool { return ctx.Value(replayKey{}) != nil }

// WithReplay makes the context of an interaction that is [Replayed].
func WithReplay(ctx context.Context) context.Context {
	return context.WithValue(ctx, replayKey{}, true)
}

// Starts counts how connections began.
type Starts struct {
	Identifies uint64 // IDENTIFYs sent
	Resumes    uint64 // sessions that were gone on with
	Refused    uint64 // sessions that could not be gone on with
}

// Starts tells how the connections of this client have begun so far.
func (c *Client) Starts() Starts {
	return Starts{Identifies: c.identifies.Load(), Resumes: c.resumes.Load(), Refused: c.refused.Load()}
}

// countStart counts the attempt that ended, or came to work, like this.
func (c *Client) countStart(resume, identified, works bool) {
	switch {
	case identified:
		c.identifies.Add(1)
	case resume && works:
		c.resumes.Add(1)
	case resume:
		c.refused.Add(1)
	}
}
