package bot

import (
	"context"
	"errors"
	"time"
)

const (
	// dutyKept is the longest that a copy goes without saying that it keeps a duty, even
	// if there is nothing to do for it in between.
	dutyKept = time.Minute
	// dutyGrace is how long a copy keeps a duty beyond that, so that a round that comes a
	// little late finds it still its own.
	dutyGrace = 5 * time.Second
	// dutyPause is how often a copy asks for a duty that another one has. After that
	// copy has crashed, the duty is taken over within the time between two rounds (or
	// dutyKept, where that is shorter), the grace and this pause.
	dutyPause = 5 * time.Second
	// yieldLimit bounds the giving back at the end.
	yieldLimit = time.Second
)

// duty is work that only one of all copies of the program on one store does at a time.
// If two did it, nothing would go wrong, since every step checks in the store what has
// been done; it would only be wasted work.
type duty struct {
	bot   *Bot
	name  string
	lasts time.Duration
}

// errDutyLost: another copy has the duty by now.
var errDutyLost = errors.New("another copy has the duty")

// duty returns a duty that is done in rounds, every so often.
func (b *Bot) duty(name string, every time.Duration) duty {
	return duty{bot: b, name: name, lasts: min(every, dutyKept) + dutyGrace}
}

// mine takes the duty, or goes on with it, and reports whether it is this copy's
// now. Where the store does not say it is not.
func (d duty) mine(ctx context.Context) bool {
	mine, err := d.take(ctx)
	if err != nil && ctx.Err() == nil {
		d.bot.log.ErrorContext(ctx, "duty not taken", "duty", d.name, "error", err)
	}
	return mine
}

func (d duty) take(ctx context.Context) (mine bool, err error) {
	defer caught(&err)
	return d.bot.matches.Take(ctx, d.name, d.lasts)
}

// yield gives the duty back when this copy ends.
func (d duty) yield(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), yieldLimit)
	defer cancel()
	var err error
	defer func() {
		if err != nil {
			d.bot.log.WarnContext(ctx, "duty not given back; it ends by itself", "duty", d.name, "error", err)
		}
	}()
	defer caught(&err)
	err = d.bot.matches.Yield(ctx, d.name)
}
