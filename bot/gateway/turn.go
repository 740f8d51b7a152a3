package gateway

import (
	"context"
	"time"
)

const (
	// turnLimit bounds one question for a turn.
	turnLimit = 3 * time.Second
	// turnLooks is how often a turn that another process has is asked for in the
	// time between two IDENTIFYs.
	turnLooks = 5
)

// take waits until a bucket's turn is this process's, among all that run shards of
// the bot. It is taken for as long as the IDENTIFY may take to be sent, and in the
// end for the time that has to lie between it and the next.
//
// A shard without a connection is worse than an IDENTIFY that Discord refuses for
// coming too early, which costs a pause and no more. So where nobody says whose
// turn it is for too long, the shard connects without; blind then says that the
// budget has to be spent with more care.
func (g *gate) take(ctx context.Context, b *bucket) (blind bool, err error) {
	t := g.client.opts.Timings
	if g.client.opts.Turn == nil {
		return false, nil
	}
	var mute time.Time // since when there has been no answer
	for {
		mine, err := g.turn(ctx, b, t.Open+2*refreshLimit+g.apart())
		switch now := g.client.opts.Now(); {
		case ctx.Err() != nil:
			g.giveBack(ctx, b, false) // it may have become this process's all the same
			return false, ctx.Err()
		case err == nil && mine:
			return false, nil
		case err == nil:
			mute = time.Time{}
		case mute.IsZero():
			g.client.log.WarnContext(ctx, "nobody says whose turn it is to connect", "bucket", b.number, "error", g.client.plain(err))
			mute = now
		case now.Sub(mute) >= t.Turn:
			g.client.log.ErrorContext(ctx, "connecting out of turn", "bucket", b.number, "error", g.client.plain(err))
			return true, nil
		}
		look := float64(t.Identify) / turnLooks
		if err := sleep(ctx, time.Duration(look/2+look*g.client.jitter())); err != nil {
			return false, err
		}
	}
}

// giveBack ends a turn: at once, or when the next IDENTIFY may be sent.
func (g *gate) giveBack(ctx context.Context, b *bucket, identified bool) {
	if g.client.opts.Turn == nil {
		return
	}
	var lasts time.Duration
	if identified {
		lasts = g.apart()
	}
	if _, err := g.turn(context.WithoutCancel(ctx), b, lasts); err != nil {
		g.client.log.WarnContext(ctx, "turn to connect not given back; it ends by itself", "bucket", b.number, "error", g.client.plain(err))
	}
}

// apart is how long a turn goes on behind its IDENTIFY: somewhat longer than
// Discord wants, since the clocks of two machines are not quite the same.
func (g *gate) apart() time.Duration {
	return g.client.opts.Timings.Identify + g.client.opts.Timings.Identify/turnLooks
}

func (g *gate) turn(ctx context.Context, b *bucket, lasts time.Duration) (mine bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, turnLimit)
	defer cancel()
	return g.client.opts.Turn(ctx, b.number, lasts)
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
