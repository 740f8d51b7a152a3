package gateway

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// shard supervises the connections of one shard, one after the other.
type shard struct {
	client     *Client
	id, shards int
	take       func(arrival)
	in         doorway
	end        *parting
	up         func(id int)   // told each time the shard is connected
	endings    sync.WaitGroup // sessions that are over, but not yet finished; waited for after supervise
}

// supervise keeps the shard connected until ctx ends; the connection that is
// open then lives on until the end of all shards, at which the session is left for
// another process, if that is possible. The error is one that makes trying again
// useless: it matches ErrUnauthorized or is a *CloseError.
func (sh *shard) supervise(ctx context.Context) error {
	next := course{pause: sh.client.backoff(), stable: sh.client.opts.Timings.Stable}
	next.kept = sh.inherit(ctx)
	for ctx.Err() == nil {
		e := sh.connection(ctx, next.resume())
		if final := finally(e.err); final != nil && ctx.Err() == nil {
			return fmt.Errorf("shard %d: %w", sh.id, final)
		}
		pause := next.after(e)
		if e.closed {
			return nil
		}
		sh.rest(ctx, pause, e.err, next.resume() != nil)
	}
	<-sh.end.begun
	sh.bequeath(ctx, next.kept)
	return nil
}

// rest waits before the next connection.
func (sh *shard) rest(ctx context.Context, wait time.Duration, cause error, resume bool) {
	if ctx.Err() != nil {
		return
	}
	c := sh.client
	c.log.WarnContext(ctx, "connection lost, connecting again", "shard", sh.id, "error", c.plain(cause), "wait", wait, "resume", resume)
	_ = sleep(ctx, wait) // its error is ctx's, which the caller looks at
}

// ending is how a connection ended.
type ending struct {
	resumed    bool          // it was to resume a session, not to begin one
	identified bool          // IDENTIFY was sent
	worked     bool          // READY or RESUMED was reached
	lived      time.Duration // since then
	ledger     *ledger       // of the session that was on it
	closed     bool          // from this side, at the end
	err        error
}

// connection opens one session and stays with it to its end.
func (sh *shard) connection(ctx context.Context, resume *ledger) ending {
	t := sh.client.opts.Timings
	if resume != nil { // counts neither for the gate nor for the day's budget
		e := sh.attempt(ctx, t.Resume, resume.url, resume, nil)
		e.resumed = true
		return e
	}
	p, err := sh.client.gate.enter(ctx, sh.id)
	if err != nil {
		return ending{err: err}
	}
	return sh.attempt(ctx, t.Open, p.address, nil, p)
}

// attempt connects within the limit, leaves the passage where there is one, and
// stays.
func (sh *shard) attempt(ctx context.Context, limit time.Duration, address string, resume *ledger, p *passage) ending {
	leave := func(bool) {}
	if p != nil {
		leave = func(identified bool) { p.leave(ctx, identified) }
	}
	opening, cancel := context.WithTimeoutCause(ctx, limit, errOpenLimit)
	defer cancel()
	s, err := sh.connect(opening, address, resume, p)
	if err != nil {
		leave(false)
		sh.client.countStart(resume != nil, false, false)
		return ending{err: fmt.Errorf("connect: %w", err)}
	}
	defer sh.endings.Go(s.finish)
	err = s.wait(opening)
	cancel()
	leave(s.identified.Load())
	e := ending{identified: s.identified.Load()}
	sh.client.countStart(resume != nil, e.identified, err == nil)
	if err != nil {
		if ctx.Err() != nil && resume == nil {
			s.leave(websocket.CloseNormalClosure) // READY may be on its way
		}
		s.end(err)
		e.err = fmt.Errorf("connect: %w", err)
		return e
	}
	began := sh.client.opts.Now()
	e.closed = sh.stay(ctx, s)
	e.worked, e.lived, e.ledger, e.err = true, sh.client.opts.Now().Sub(began), s.ledger.Load(), s.err
	return e
}

// stay is with a session that works until it ends or is to be closed, which it
// reports.
func (sh *shard) stay(ctx context.Context, s *session) (closed bool) {
	c := sh.client
	c.setOpen(sh.id, true)
	defer c.setOpen(sh.id, false)
	c.log.InfoContext(ctx, "connected", "shard", sh.id, "shards", sh.shards, "resumed", s.resume != nil)
	sh.up(sh.id)
	select {
	case <-sh.end.begun:
	case <-s.gone:
		return false
	}
	if sh.bequeath(ctx, s.ledger.Load()) {
		s.leave(closeKept)
	} else {
		s.leave(websocket.CloseNormalClosure)
	}
	return true
}

// setOpen notes whether a shard is connected.
func (c *Client) setOpen(id int, open bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if open {
		c.open[id] = true
	} else {
		delete(c.open, id)
	}
}

// finally gives the error that ends the whole bot, or nil when another
// connection may do better.
func finally(err error) error {
	if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
		if _, fatal := closeMeanings[closed.Code]; fatal {
			return &CloseError{Code: closed.Code, Text: closed.Text}
		}
		return nil
	}
	if errors.Is(err, ErrUnauthorized) || hopeless(err) {
		return err
	}
	return nil
}

// plain is an error's text for the log. The texts of the websocket library
// and of the net package may quote what the other side sent.
func (c *Client) plain(err error) string {
	if err == nil {
		return ""
	}
	return shorten(c.secrets.clean(err.Error()), 300)
}
