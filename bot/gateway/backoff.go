package gateway

import (
	"context"
	"errors"
	"time"
)

// backoff gives growing pauses between attempts.
type backoff struct {
	min, max time.Duration
	jitter   func() float64
	tries    int
}

func (c *Client) backoff() *backoff {
	return &backoff{min: c.opts.Timings.BackoffMin, max: c.opts.Timings.BackoffMax, jitter: c.jitter}
}

// next is the pause before the next attempt: doubled each time, spread over
// the half below and the half above, and never above max.
func (b *backoff) next() time.Duration {
	d := b.max
	if b.tries < 30 {
		d = min(b.min<<b.tries, b.max)
	}
	b.tries++
	return min(d/2+time.Duration(b.jitter()*float64(d)), b.max)
}

// reset starts again with the shortest pause.
func (b *backoff) reset() { b.tries = 0 }

// sleep waits for d, or until ctx ends, and then gives ctx's error.
func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// Retry calls f until it succeeds, with growing pauses and a warning for each
// failure. It gives up, with f's error, when trying again is of no use: when
// the token was refused, or what was asked for is not there (400, 404, 405).
// It ends with ctx's error when ctx ends. what is for the log.
func (c *Client) Retry(ctx context.Context, what string, f func(ctx context.Context) error) error {
	pause := c.backoff()
	for {
		err := f(ctx)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case hopeless(err):
			return err
		}
		wait := pause.next()
		if api, ok := errors.AsType[*APIError](err); ok {
			wait = max(wait, api.RetryAfter)
		}
		c.log.WarnContext(ctx, "no success, trying again", "what", what, "error", c.plain(err), "wait", wait)
		if err := sleep(ctx, wait); err != nil {
			return err
		}
	}
}
