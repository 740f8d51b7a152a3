package bot

import (
	"context"
	"errors"

	"rowbot/match"
)

// showAtOnce is how many boards that nobody asked for are drawn at the same time. All
// edits wait in one line for the limit of some 45 a second (gateway.Client.Call).
// These take up at most a third of a second of it, so that people do not wait long
// behind them, and are enough to use the limit up.
const showAtOnce = 16

// show has a board drawn again, and notes it as shown once that is done or turns out to
// be impossible. Where the message can no longer be edited, the match moves to a new
// one. Asking for the same match meanwhile makes it draw once more.
func (b *Bot) show(id match.ID) {
	b.showThen(id, func() {})
}

// showThen is show, and calls then at its end.
func (b *Bot) showThen(id match.ID, then func()) {
	if !b.boards.showing(id) {
		then()
		return
	}
	b.work.Go(func() {
		defer then()
		var err error
		for again := true; again; {
			var v match.Version
			v, err = b.redrawn(b.boards.ctx, id)
			if err == nil || lasting(err) {
				err = b.shown(b.boards.ctx, id, v)
			}
			again = !b.boards.shown(id) // last, or showAll might find it undrawn with nobody working on it
		}
		if err != nil && !errors.Is(err, errNotYet) && b.boards.ctx.Err() == nil {
			b.log.Warn("board not shown yet", "match", string(id), "error", err)
		}
	})
}

// redrawn has a board drawn again, at a new message where that has to be, and returns
// the version that it shows.
func (b *Bot) redrawn(ctx context.Context, id match.ID) (match.Version, error) {
	for {
		v, err := b.boards.wait(ctx, id, false)
		if stuck(err) {
			v, err = b.postAnew(ctx, id, err)
		}
		if !errors.Is(err, errKnownNow) {
			return v, err
		}
	}
}

// shown notes that a board shows a version of its match. A panic in it is an error.
func (b *Bot) shown(ctx context.Context, id match.ID, v match.Version) (err error) {
	defer caught(&err)
	return b.matches.Shown(ctx, id, v)
}

// showWhen calls showAll each time it is told to, until the context ends.
func (b *Bot) showWhen(ctx context.Context, d duty, undrawn <-chan struct{}) {
	for {
		select {
		case <-undrawn:
			b.showAll(ctx, d)
		case <-ctx.Done():
			return
		}
	}
}

// showAll has all boards drawn that are noted as not shown, however long that takes, no
// more than showAtOnce at a time. It reads the next page when the boards before it are
// on their way. What is left when it ends is still noted.
func (b *Bot) showAll(ctx context.Context, d duty) {
	busy := map[match.ID]bool{} // their boards are being drawn, or are drawn by now
	list := func(ctx context.Context, after match.ID) ([]match.ID, error) {
		clear(busy)
		b.thinking.busy(busy)
		b.boards.busy(busy)
		return b.matches.Unshown(ctx, after)
	}
	err := each(ctx, d, list, func(id match.ID) {
		if busy[id] {
			return
		}
		select {
		case b.drawing <- struct{}{}:
			b.showThen(id, func() { <-b.drawing })
		case <-ctx.Done():
		}
	})
	if err != nil && ctx.Err() == nil {
		b.log.ErrorContext(ctx, "boards that are not shown not looked for", "error", err)
	}
}
