package gateway

import (
	"context"
	"errors"
	"time"
)

var errTurnLost = errors.New("connecting took longer than the turn")

const (
	// turnLimit bounds one question for a turn.
	turnLimit = 3 * time.Second
	// turnLooks is how often a turn that another process has is asked for in the
	// time between two IDENTIFYs.
	turnLooks = 5
	// turnLasts is how long a turn is held for a connection to be made. Where the
	// process is killed meanwhile, the others wait for so long.
	turnLasts = 10 * time.Second
)

// take waits until the bucket's turn is this process's, among all that run shards of
// the bot.
//
// A shard without a connection is worse than an IDENTIFY that Discord refuses for
// coming too early, which costs a pause and no more. So where nobody says whose
// turn it is for too long, the shard connects without; the budget is then spent with
// more care.
func (p *passage) take(ctx context.Context) error {
	c := p.gate.client
	var mute time.Time // since when there has been no answer
	for {
		mine, err := p.ask(ctx, turnLasts)
		switch now := c.opts.Now(); {
		case ctx.Err() != nil:
			p.giveBack(ctx) // it may have become this process's all the same
			return ctx.Err()
		case err == nil && mine:
			p.blind = false
			return nil
		case err == nil:
			mute = time.Time{}
		case mute.IsZero():
			c.log.WarnContext(ctx, "nobody says whose turn it is to connect", "bucket", p.bucket.number, "error", c.plain(err))
			mute = now
		case now.Sub(mute) >= c.opts.Timings.Turn:
			c.log.ErrorContext(ctx, "connecting out of turn", "bucket", p.bucket.number, "error", c.plain(err))
			p.blind = true
			return nil
		}
		look := float64(c.opts.Timings.Identify) / turnLooks
		if err := sleep(ctx, time.Duration(look/2+look*c.jitter())); err != nil {
			return err
		}
	}
}

// confirm is called when IDENTIFY is to be sent, and holds the turn until the next
// one may be. It fails where connecting took so long that the turn is another
// process's by now.
func (p *passage) confirm(ctx context.Context) error {
	mine, err := p.hold(ctx)
	if err == nil && !mine {
		return errTurnLost
	}
	return nil // without an answer it is most likely still there
}

// hold keeps the turn until the next IDENTIFY may be sent: somewhat longer than
// Discord wants, since the clocks of two machines are not quite the same.
func (p *passage) hold(ctx context.Context) (mine bool, err error) {
	return p.ask(ctx, p.gate.client.opts.Timings.Identify*(turnLooks+1)/turnLooks)
}

// giveBack ends the turn of an IDENTIFY that was not sent.
func (p *passage) giveBack(ctx context.Context) {
	if _, err := p.ask(context.WithoutCancel(ctx), 0); err != nil {
		c := p.gate.client
		c.log.WarnContext(ctx, "turn to connect not given back; it ends by itself", "bucket", p.bucket.number, "error", c.plain(err))
	}
}

// ask asks for the turn. Where there is no other process it is always this one's.
func (p *passage) ask(ctx context.Context, lasts time.Duration) (mine bool, err error) {
	turn := p.gate.client.opts.Turn
	if turn == nil {
		return true, nil
	}
	ctx, cancel := context.WithTimeout(ctx, turnLimit)
	defer cancel()
	return turn(ctx, p.bucket.number, lasts)
}

// need is how much of the day's budget must be left for one IDENTIFY to be surely
// within it, so long after Discord has said how much it is; g.mu is held. Alone
// that is one. With other processes there may be one of theirs on its way in every
// other bucket, and there may have been one in every bucket in each interval since.
// Without turns nobody knows, and a tenth of it is left alone.
func (g *gate) need(age time.Duration, blind bool) int {
	if g.client.opts.Turn == nil {
		return 1
	}
	intervals := 1 + int(max(age, 0)/g.client.opts.Timings.Identify)
	n := g.last.concurrency() * intervals
	if blind {
		n = max(n, g.last.Limit.Total/10)
	}
	return n
}
