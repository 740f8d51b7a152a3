package bot

import (
	"context"
	"time"

	"rowbot/match"
)

// Sweep ends challenges and matches whose time is up, now and then every so
// often, until the context ends. What fell due while nothing ran is found by
// the first round.
func (b *Bot) Sweep(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		b.sweepOnce(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// sweepOnce goes on while there is more than one batch to end.
func (b *Bot) sweepOnce(ctx context.Context) {
	for {
		ended, err := b.expire(ctx)
		if err != nil && ctx.Err() == nil {
			b.log.ErrorContext(ctx, "sweep incomplete", "error", err)
		}
		for i := range ended {
			b.boards.redraw(ended[i].ID)
			b.log.InfoContext(ctx, "match ended by the clock", "match", string(ended[i].ID))
		}
		if len(ended) == 0 || err != nil || ctx.Err() != nil {
			return
		}
	}
}

// expire ends one batch. A panic in it is an error: the next round may do better.
func (b *Bot) expire(ctx context.Context) (ended []match.Match, err error) {
	defer caught(&err)
	return b.matches.ExpireDue(ctx)
}
