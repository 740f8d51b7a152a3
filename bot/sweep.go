package bot

import (
	"context"
	"errors"
	"sync"
	"time"

	"rowbot/match"
)

// Sweep ends challenges and matches whose time is up and has the moves made that Rowbot
// owes: at once, and then every so often until the context ends. Beside that it has
// undrawn boards drawn, and notices sent to players who are to move and away. The first
// round finds what fell due while nothing ran.
func (b *Bot) Sweep(ctx context.Context, every time.Duration) {
	var beside sync.WaitGroup
	defer beside.Wait()
	beside.Go(func() { repeat(ctx, every, b.duty("notices", every), b.notices.round) })
	d, undrawn := b.duty("sweep", every), make(chan struct{}, 1)
	beside.Go(func() { b.showWhen(ctx, d, undrawn) })
	repeat(ctx, every, d, func(ctx context.Context, d duty) { b.sweepOnce(ctx, d, undrawn) })
}

// repeat does something at once and then every so often, until the context ends, as
// long as it is this copy's duty, and at once when the duty is taken over. While another
// copy has it, repeat asks for it more often.
func repeat(ctx context.Context, every time.Duration, d duty, do func(context.Context, duty)) {
	pause := min(every, dutyKept)
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	defer d.yield(ctx)
	var due time.Time
	for {
		next := min(every, dutyKept)
		switch mine, now := d.mine(ctx), d.bot.matches.Now(); {
		case !mine:
			next, due = min(every, dutyPause), time.Time{}
		case next == every, !now.Before(due): // by the ticker, and over longer times by the clock
			do(ctx, d)
			due = now.Add(every)
		}
		if next != pause {
			pause = next
			ticker.Reset(pause)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// each does something for all of a list that is read page by page, for as long as the
// duty to do it is this copy's.
func each[E any](
	ctx context.Context, d duty, list func(ctx context.Context, after E) ([]E, error), do func(E),
) (err error) {
	defer caught(&err)
	for after := *new(E); d.mine(ctx); {
		page, err := list(ctx, after)
		if err != nil || len(page) == 0 {
			return err
		}
		for _, one := range page {
			do(one)
		}
		after = page[len(page)-1]
	}
	return nil
}

// sweepOnce has the moves made that Rowbot owes, and ends what is due, batch by batch.
// It says on undrawn that there may be boards to draw, and does not wait for them.
func (b *Bot) sweepOnce(ctx context.Context, d duty, undrawn chan<- struct{}) {
	tell := func() {
		select {
		case undrawn <- struct{}{}:
		default: // told already
		}
	}
	if err := each(ctx, d, b.matches.Owed, b.owes); err != nil && ctx.Err() == nil {
		b.log.ErrorContext(ctx, "what is owed not looked for", "error", err)
	}
	tell()
	for after := (match.Alarm{}); d.mine(ctx); {
		due, over, err := b.expireDue(ctx, after)
		if err != nil && ctx.Err() == nil {
			b.log.ErrorContext(ctx, "sweep incomplete", "error", err)
		}
		if over > 0 {
			tell()
		}
		if len(due) == 0 || ctx.Err() != nil {
			return
		}
		after = due[len(due)-1]
	}
}

// expireDue ends a batch of what is due, and returns the batch and how many of it have
// ended. It goes on past failures and returns them joined; the next round tries again.
func (b *Bot) expireDue(ctx context.Context, after match.Alarm) (due []match.Alarm, over int, err error) {
	defer caught(&err)
	if due, err = b.matches.Due(ctx, after); err != nil {
		return nil, 0, err
	}
	var errs []error
	for _, each := range due {
		ended, err := b.expire(ctx, each.Match)
		if err != nil {
			errs = append(errs, err)
		} else if ended {
			over++
			b.log.InfoContext(ctx, "match ended by the clock", "match", string(each.Match))
		}
	}
	return due, over, errors.Join(errs...)
}

// expire ends one match. A panic in it is an error, of this match alone.
func (b *Bot) expire(ctx context.Context, id match.ID) (over bool, err error) {
	defer caught(&err)
	_, over, err = b.matches.Expire(ctx, id)
	return over, err
}
