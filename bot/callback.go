package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/gateway"
)

// callbackLimit bounds all tries to deliver a first answer. A try that takes
// tryLimit gets another beside it; tryPause lies between one that failed and
// the next, and grows fourfold each time.
const (
	callbackLimit = 2800 * time.Millisecond
	tryLimit      = 1200 * time.Millisecond
	tryPause      = 100 * time.Millisecond
)

// callback makes the one callback that an interaction may have. While there is
// time, a try that failed without a word is repeated, and so is one that a rate
// limit refused; beside a try that hangs, another is made.
func (b *Bot) callback(ctx context.Context, i *discordgo.Interaction, c callback, tell bool) (json.RawMessage, error) {
	path := "interactions/" + i.ID + "/" + i.Token + "/callback"
	if tell {
		path += "?with_response=true"
	}
	body := upload(c)
	ctx, cancel := context.WithTimeout(ctx, callbackLimit)
	var sending sync.WaitGroup
	defer sending.Wait() // for what cancel breaks off
	defer cancel()
	tries, sent, pending := make(chan try), 0, 0
	failure := context.DeadlineExceeded
	for {
		sending.Go(func() { b.try(ctx, path, body).give(ctx, tries) })
		sent, pending = sent+1, pending+1
		for waits := true; waits; {
			select {
			case t := <-tries:
				pending--
				if t.final() {
					return t.result(sent)
				}
				failure = t.err
				waits = pending > 0 || !sleep(ctx, pauseAfter(t.err, sent))
			case <-time.After(tryLimit):
				waits = false
			case <-ctx.Done():
				return nil, failure
			}
		}
	}
}

// errElsewhere: another process has answered the interaction. While two run the
// same shard, each gets every event.
var errElsewhere = errors.New("answered by another process")

// try is what came of sending a callback once.
type try struct {
	raw json.RawMessage
	err error
}

func (b *Bot) try(ctx context.Context, path string, body any) (t try) {
	defer caught(&t.err)
	t.raw, t.err = b.rest.Call(ctx, http.MethodPost, path, body)
	return t
}

// give hands a try to whoever waits for it.
func (t try) give(ctx context.Context, to chan<- try) {
	select {
	case to <- t:
	case <-ctx.Done():
	}
}

// final reports whether another try is not worth while.
func (t try) final() bool {
	_, limited := rateLimited(t.err)
	return t.err == nil || code(t.err) == codeAcknowledged || !limited && !unknownOutcome(t.err)
}

// result is what a final try comes to. That another one has arrived already counts as
// success; where this is the first, it was another process's, which is errElsewhere.
func (t try) result(sent int) (json.RawMessage, error) {
	switch known := code(t.err) == codeAcknowledged; {
	case known && sent == 1:
		return nil, fmt.Errorf("%w: %w", errElsewhere, t.err)
	case known:
		return nil, nil
	}
	return t.raw, t.err
}

// pauseAfter is how long to wait before a callback that failed is sent once more, after
// so many tries.
func pauseAfter(err error, sent int) time.Duration {
	if wait, limited := rateLimited(err); limited {
		return wait
	}
	return tryPause << (2 * (sent - 1))
}

// rateLimited reports whether a rate limit refused a call, and for how long.
func rateLimited(err error) (wait time.Duration, limited bool) {
	e, ok := errors.AsType[*gateway.APIError](err)
	if !ok || e.Status != http.StatusTooManyRequests {
		return 0, false
	}
	return e.RetryAfter, true
}

// sleep waits, and reports whether the context still has time after that.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
