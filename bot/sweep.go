package bot

import (
	"context"
	"errors"
	"sync"
	"time"

	"rowbot/match"
)

// Sweep ends challenges and matches whose time is up, has the moves made that
// Rowbot owes, and beside that has the boards drawn that are not, and tells whoever
// is to move and is away, now and then every so often, until the context ends. What fell due while nothing ran is
// found by the first round.
func (b *Bot) Sweep(ctx context.Context, every time.Duration) {
	var beside sync.WaitGroup
	defer beside.Wait()
	beside.Go(func() { repeat(ctx, every, b.duty("notices", every), b.notices.round) })
	d, undrawn := b.duty("sweep", every), make(chan struct{}, 1)
	beside.Go(func() { b.showWhen(ctx, d, undrawn) })
	repeat(ctx, every, d, func(ctx context.Context, d duty) { b.sweepOnce(ctx, d, undrawn) })
}

// repeat does something at once and then every so often, until the context ends,
// while it is this copy's duty, and at once when that is taken over. Where it is
// another's, it is asked more often whether that is still there.
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

// each does something for all matches of a list that is read page by page.
func each(ctx context.Context, list func(context.Context, match.ID) ([]match.ID, error), do func(match.ID)) (err error) {
	defer caught(&err)
	for after := match.ID(""); ; {
		ids, err := list(ctx, after)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			do(id)
		}
		after = ids[len(ids)-1]
	}
}

// sweepOnce sees to the moves that Rowbot owes, and goes on while there is more
// than one batch to end. That there may be boards to draw it tells on undrawn, and
// does not wait for them.
func (b *Bot) sweepOnce(ctx context.Context, d duty, undrawn chan<- struct{}) {
	tell := func() {
		select {
		case undrawn <- struct{}{}:
		default: // told already
		}
	}
	if err := each(ctx, d.list(b.matches.Owed), b.owes); err != nil && ctx.Err() == nil {
		b.log.ErrorContext(ctx, "what is owed not looked for", "error", err)
	}
	tell()
	for after := (match.Overdue{}); d.mine(ctx); {
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

// expireDue ends a batch of what is due, and returns it, and how many it ended. It goes
// on past what fails, and returns those failures joined: the next round may do better.
func (b *Bot) expireDue(ctx context.Context, after match.Overdue) (due []match.Overdue, over int, err error) {
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
