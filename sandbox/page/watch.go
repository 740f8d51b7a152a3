package page

import (
	"context"
	"slices"

	"rowbot/sandbox"
)

// watch sends the world, the messages of the open channel and what changes in them. When it falls too far behind, it
// starts over with the present state; it ends when the stand-in closes.
func (c *connection) watch(ctx context.Context) {
	for {
		sub := c.page.srv.Subscribe(c.page.buffer)
		ended := c.follow(ctx, sub)
		sub.Close()
		if ended {
			return
		}
		c.page.log.DebugContext(ctx, "page fell behind and starts over", "user_id", c.person.ID())
	}
}

// follow sends the present state and then what sub brings; false when sub was cut off after having brought something.
func (c *connection) follow(ctx context.Context, sub *sandbox.Subscription[sandbox.Event]) (ended bool) {
	events := 0
	c.sendWorld(ctx)
	c.sendFaults(ctx)
	c.sendView(ctx)
	for {
		select {
		case <-ctx.Done():
			return true
		case req := <-c.look:
			c.turn(ctx, req)
		case <-c.stale:
			c.sendWorld(ctx)
			c.sendFaults(ctx)
			c.sendCommands(ctx)
		case <-c.heard:
			c.sendTraffic(ctx)
		case e, ok := <-sub.C:
			if !ok {
				return events == 0
			}
			events++
			c.tell(ctx, e)
		}
	}
}

// turn looks at something else. It happens between two events, so that what it shows and the events after it agree.
func (c *connection) turn(ctx context.Context, req request) {
	switch req.Do {
	case doOpen:
		c.channel = c.visible(req.Channel)
		c.sendView(ctx)
	case doPage:
		c.send(ctx, c.leaf(req))
	case doListen:
		c.listens, c.upTo = req.On, 0
		c.sendTraffic(ctx)
	}
}

// tell passes on an event that concerns the person.
func (c *connection) tell(ctx context.Context, e sandbox.Event) {
	switch e.Kind {
	case sandbox.MessageCreated, sandbox.MessageUpdated:
		c.tellMessage(ctx, e)
	case sandbox.MessageDeleted:
		if c.looksAt(e.ChannelID) && (e.UserID == "" || e.UserID == c.person.ID()) {
			c.send(ctx, deletedEvent{"deleted", e.ChannelID, e.MessageID})
		}
	case sandbox.InteractionFailed:
		if e.UserID == c.person.ID() {
			c.send(ctx, failedEvent{"failed", e.ChannelID, e.InteractionID})
		}
	case sandbox.CommandsChanged:
		c.sendCommands(ctx)
	case sandbox.BotConnected, sandbox.BotDisconnected:
		c.send(ctx, botEvent{"bot", c.page.srv.Stats().Sessions > 0})
	case sandbox.EndpointLost: // nobody in a channel sees that
	case sandbox.WorldChanged:
		before := c.channel
		if c.sendWorld(ctx); c.channel != before {
			c.sendView(ctx)
		}
	}
}

// tellMessage sends a message of the open channel, and of the others that see one only that there is news: the text
// comes when the channel is opened.
func (c *connection) tellMessage(ctx context.Context, e sandbox.Event) {
	m, me := e.Message, c.person.ID()
	if m.Viewer != "" && m.Viewer != me || !c.seen[e.ChannelID] {
		return
	}
	if c.looksAt(e.ChannelID) {
		c.sendRaw(ctx, c.page.drawn.encode(c.page.srv, e))
		return
	}
	if e.Kind == sandbox.MessageCreated && m.Author.ID != me {
		c.send(ctx, newsEvent{"news", e.ChannelID, m.Author.ID, pings(m, me)})
	}
}

func (c *connection) looksAt(channel string) bool {
	return c.channel != nil && c.channel.ID() == channel
}

// pings tells whether a message addresses a person.
func pings(m *sandbox.Message, id string) bool {
	return m.PingsEveryone || slices.Contains(m.Pings, id)
}
