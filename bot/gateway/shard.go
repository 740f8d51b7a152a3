package gateway

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// shard supervises the connections of one shard, one after the other.
type shard struct {
	client     *Client
	id, shards int
	take       func(*discordgo.Interaction)
	stop       <-chan struct{} // closed when open connections are to be closed
	up         func(id int)    // told at each READY
}

// supervise keeps the shard connected until ctx ends; the connection that is
// open then lives on until stop. The error is one that makes trying again
// useless: it matches ErrUnauthorized or is a *CloseError.
func (sh *shard) supervise(ctx context.Context) error {
	pause := sh.client.backoff()
	for ctx.Err() == nil {
		lived, err := sh.connection(ctx)
		if final := finally(err); final != nil && ctx.Err() == nil {
			return fmt.Errorf("shard %d: %w", sh.id, final)
		}
		if lived >= sh.client.opts.Timings.Stable {
			pause.reset()
		}
		sh.rest(ctx, pause.next(), err)
	}
	return nil
}

// rest waits before the next connection.
func (sh *shard) rest(ctx context.Context, wait time.Duration, cause error) {
	if ctx.Err() != nil {
		return
	}
	c := sh.client
	c.log.WarnContext(ctx, "connection lost, connecting again", "shard", sh.id, "error", c.plain(cause), "wait", wait)
	_ = sleep(ctx, wait) // its error is ctx's, which the caller looks at
}

// connection opens one session and stays with it to its end. It tells how long
// the session was READY and why it ended; no error means on purpose.
func (sh *shard) connection(ctx context.Context) (lived time.Duration, err error) {
	c := sh.client
	address, leave, err := c.gate.enter(ctx, sh.id)
	if err != nil {
		return 0, err
	}
	s, err := c.newSession(sh.id, sh.shards, address, sh.take)
	if err != nil {
		leave(false)
		return 0, err
	}
	err = s.open(ctx)
	leave(s.wire.dialled())
	if err != nil {
		return 0, fmt.Errorf("connect: %w", err)
	}
	began := c.opts.Now()
	c.setOpen(sh.id, true)
	defer c.setOpen(sh.id, false)
	c.log.InfoContext(ctx, "connected", "shard", sh.id, "shards", sh.shards)
	sh.up(sh.id)
	select {
	case <-sh.stop:
		s.leave()
		return 0, nil
	case <-s.wire.gone:
	case <-s.ended:
	}
	lived = c.opts.Now().Sub(began)
	c.setOpen(sh.id, false)
	s.drop()
	return lived, errors.New("the connection ended")
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
