package gateway

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// limiter keeps the calls made with the bot's token inside Discord's global
// limit of 50 a second: at most 5 at once and 45 a second after them. A burst
// of 50 would let nearly 100 through in the first second.
type limiter struct {
	now   func() time.Time
	steps *rate.Limiter

	mu    sync.Mutex
	until time.Time // a global 429 lasts until then
}

func newLimiter(now func() time.Time) *limiter {
	return &limiter{now: now, steps: rate.NewLimiter(45, 5)}
}

// wait returns when a call may be sent, or with ctx's error.
func (l *limiter) wait(ctx context.Context) error {
	for {
		l.mu.Lock()
		left := l.until.Sub(l.now())
		l.mu.Unlock()
		if left <= 0 {
			break
		}
		if err := sleep(ctx, left); err != nil {
			return err
		}
	}
	if err := l.steps.Wait(ctx); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		// The turn would come after the deadline.
		return fmt.Errorf("%w: %w", context.DeadlineExceeded, err)
	}
	return nil
}

// block holds all calls back for d.
func (l *limiter) block(d time.Duration) {
	until := l.now().Add(d)
	l.mu.Lock()
	defer l.mu.Unlock()
	if until.After(l.until) {
		l.until = until
	}
}
