package load

import (
	"context"
	"sync/atomic"
	"time"
)

// pace says when the next interaction is begun.
type pace struct {
	start time.Time
	every time.Duration // between two interactions; 0: each begins when another was answered
	until time.Time     // when nothing more is begun
	now   func() time.Time
	full  func() bool // enough has been done
	taken atomic.Int64
}

// next waits for the next turn. due is when it is, or was: an open loop that falls behind begins late what was due
// before. In a closed loop it is zero. ok is false when nothing more is to be begun.
func (p *pace) next(ctx context.Context) (due time.Time, ok bool) {
	if p.every <= 0 {
		return time.Time{}, ctx.Err() == nil && !p.full() && p.now().Before(p.until)
	}
	due = p.due(p.taken.Add(1) - 1)
	if !due.Before(p.until) {
		return due, false
	}
	if wait := due.Sub(p.now()); wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	return due, ctx.Err() == nil && !p.full()
}

// end is when the measuring ended: the last ones may have waited for a board that did not come.
func (p *pace) end() time.Time {
	if now := p.now(); now.Before(p.until) {
		return now
	}
	return p.until
}

// due is when the n-th interaction of an open loop is due, from 0.
func (p *pace) due(n int64) time.Time { return p.start.Add(time.Duration(n) * p.every) }
