package sandbox

import (
	"context"
	"slices"
	"time"
)

// Message is the present state of a message, public or ephemeral; nil when it is gone.
func (s *Server) Message(channelID, id string) *Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(channelID, id)
}

// Messages are the public messages of a channel, oldest first.
func (s *Server) Messages(channelID string) []*Message {
	return slices.DeleteFunc(s.allMessages(channelID), (*Message).Ephemeral)
}

// allMessages are all messages of a channel, ephemeral ones of everybody too.
func (s *Server) allMessages(channelID string) []*Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.world.channels[channelID]
	if c == nil {
		return nil
	}
	out := append(c.public.all(), c.private.all()...)
	slices.SortFunc(out, func(a, b *Message) int { return compareIDs(a.ID, b.ID) })
	return out
}

// Wait returns the first message that satisfies ok, now or later: the message id, or any message of the channel (of
// any viewer) for an empty id. A deleted message satisfies nothing.
func (s *Server) Wait(ctx context.Context, channelID, id string, ok func(*Message) bool) (*Message, error) {
	key := channelID + "/" + id
	for {
		changed := s.watch(key)
		var candidates []*Message
		if id != "" {
			candidates = append(candidates, s.Message(channelID, id))
		} else {
			candidates = s.allMessages(channelID)
		}
		for _, m := range candidates {
			if m != nil && ok(m) {
				s.unwatch(key, changed)
				return m, nil
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			s.unwatch(key, changed)
			return nil, ctx.Err()
		}
	}
}

// watch returns a channel that is closed at the next change under key.
func (s *Server) watch(key string) chan struct{} {
	c := make(chan struct{})
	s.mu.Lock()
	s.waiters[key] = append(s.waiters[key], c)
	s.mu.Unlock()
	return c
}

func (s *Server) unwatch(key string, c chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := slices.DeleteFunc(s.waiters[key], func(o chan struct{}) bool { return o == c })
	if len(left) == 0 {
		delete(s.waiters, key)
		return
	}
	s.waiters[key] = left
}

// wake tells those who wait for key; Server.mu is held.
func (s *Server) wake(key string) {
	for _, c := range s.waiters[key] {
		close(c)
	}
	delete(s.waiters, key)
}

// find looks a message up; Server.mu is held.
func (s *Server) find(channelID, id string) *Message {
	c := s.world.channels[channelID]
	if c == nil {
		return nil
	}
	if m := c.public.get(id); m != nil {
		return m
	}
	return c.private.get(id)
}

// put stores a new message or a new state of one, and tells everybody; Server.mu is held.
func (s *Server) put(m *Message, isNew bool) {
	c := s.world.channels[m.ChannelID]
	m.mentions = nil
	for _, id := range m.Pings {
		if p := s.world.people[id]; p != nil {
			m.mentions = append(m.mentions, p.user)
		}
	}
	e := Event{Kind: MessageUpdated, At: s.opt.Now(), ChannelID: m.ChannelID, MessageID: m.ID, InteractionID: m.InteractionID, Message: m}
	if isNew {
		e.Kind = MessageCreated
	}
	if m.Ephemeral() {
		c.private.put(m)
	} else {
		c.public.put(m)
		if isNew {
			c.last = m.ID
		}
		s.gate.message(c, m, isNew)
	}
	s.changed(m)
	s.feed.publish(e)
}

// remove deletes a message and tells everybody; Server.mu is held.
func (s *Server) remove(m *Message) {
	c := s.world.channels[m.ChannelID]
	if !c.private.drop(m.ID) && c.public.drop(m.ID) {
		s.gate.messageDeleted(c, m)
	}
	s.changed(m)
	s.feed.publish(Event{Kind: MessageDeleted, At: s.opt.Now(), ChannelID: m.ChannelID, MessageID: m.ID, UserID: m.Viewer})
}

func (s *Server) changed(m *Message) {
	s.wake(m.ChannelID + "/" + m.ID)
	s.wake(m.ChannelID + "/")
}

// say posts what a person typed.
func (s *Server) say(p Seat, text string) *Message {
	m := &Message{
		ID: s.flake.next(), ChannelID: p.channel.id, GuildID: p.channel.GuildID(), Content: text, CreatedAt: s.opt.Now().UTC(),
	}
	m.ping(nil, interactionMentions)
	s.mu.Lock()
	defer s.mu.Unlock()
	m.Author = p.person.user
	s.put(m, true)
	return m
}

// newMessage starts a message of the bot; Server.mu is held.
func (s *Server) newMessage(c *Channel) *Message {
	return &Message{
		ID: s.flake.next(), ChannelID: c.id, GuildID: c.GuildID(), Author: s.world.bot.user, CreatedAt: s.opt.Now().UTC(),
		applicationID: ApplicationID,
	}
}

// age is how long ago an id was made.
func (s *Server) age(id string) time.Duration { return s.opt.Now().Sub(Time(id)) }
