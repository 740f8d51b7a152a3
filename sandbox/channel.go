package sandbox

import (
	"container/list"
	"slices"
)

// Channel kinds, as in the protocol.
const (
	ChannelText   = 0
	ChannelDM     = 1
	ChannelGroup  = 3
	ChannelThread = 11
)

// Channel is a text channel of a guild, the direct messages of a person with the bot, or a private channel of people.
type Channel struct {
	id, name string
	kind     int
	guild    *Guild   // nil outside guilds
	parent   *Channel // of a thread
	server   *Server

	// Guarded by Server.mu.
	recipients  []*Person // of DMs and groups
	installedBy string    // who user-installed the app, in groups
	botPerms    uint64
	public      shelf
	private     shelf // ephemeral messages
	last        string
	nonces      map[string]string // nonce to message id
	nonceOrder  []string
}

// ID is the snowflake.
func (c *Channel) ID() string { return c.id }

// Name is the name without the hash; empty for direct messages.
func (c *Channel) Name() string { return c.name }

// Kind is the channel type: ChannelText, ChannelDM, ChannelGroup or ChannelThread.
func (c *Channel) Kind() int { return c.kind }

// Mention is the text that links to the channel.
func (c *Channel) Mention() string { return "<#" + c.id + ">" }

// GuildID is the guild's snowflake, empty outside guilds.
func (c *Channel) GuildID() string {
	if c.guild == nil {
		return ""
	}
	return c.guild.id
}

// Recipients are the people of a DM or private channel.
func (c *Channel) Recipients() []*Person {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	return slices.Clone(c.recipients)
}

// BotPermissions are the bits the bot has here.
func (c *Channel) BotPermissions() uint64 {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	return c.botPerms
}

// SetBotPermissions changes what the bot may do here; see PermInvite for the default.
func (c *Channel) SetBotPermissions(bits uint64) {
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	c.botPerms = bits
}

// Channels are the channels of all guilds and the private ones, oldest first.
func (s *Server) Channels() []*Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*Channel
	for _, c := range s.world.channels {
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b *Channel) int { return compareIDs(a.id, b.id) })
	return out
}

// ChannelByID finds a channel; nil when there is none.
func (s *Server) ChannelByID(id string) *Channel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.world.channels[id]
}

// AddPrivateChannel makes a group of people where the bot is not: only interactions of the app that installedBy
// brought along reach it (context 2).
func (s *Server) AddPrivateChannel(installedBy *Person, people ...*Person) *Channel {
	s.mu.Lock()
	c := s.newChannel(s.flake.next(), ChannelGroup, "", nil)
	c.recipients, c.installedBy, c.botPerms = append([]*Person{installedBy}, people...), installedBy.ID(), permPrivate
	s.mu.Unlock()
	s.announce(Event{Kind: WorldChanged, ChannelID: c.id})
	return c
}

// newChannel adds a channel; Server.mu is held, or the server is still being made.
func (s *Server) newChannel(id string, kind int, name string, g *Guild) *Channel {
	c := &Channel{id: id, name: name, kind: kind, guild: g, server: s, botPerms: PermInvite, nonces: map[string]string{}}
	c.public, c.private = newShelf(s.opt.KeepMessages), newShelf(max(s.opt.KeepMessages/2, 1))
	s.world.channels[id] = c
	if g != nil {
		g.channels = append(g.channels, c)
	}
	return c
}

// dm is the channel of a person with the bot.
func (s *Server) dm(p *Person) *Channel {
	s.mu.Lock()
	c, made := s.openDM(p)
	s.mu.Unlock()
	if made {
		s.announce(Event{Kind: WorldChanged, ChannelID: c.id})
	}
	return c
}

func (s *Server) openDM(p *Person) (*Channel, bool) {
	if c := s.world.dms[p.user.ID]; c != nil {
		return c, false
	}
	c := s.newChannel(s.flake.next(), ChannelDM, "", nil)
	c.recipients, c.botPerms = []*Person{p}, permPrivate|PermUseExternalEmojis|PermViewChannel|PermSendMessages|PermReadHistory
	s.world.dms[p.user.ID] = c
	return c, true
}

// botHere tells whether the bot itself is in the channel's place, so that its token opens it.
func (c *Channel) botHere() bool {
	switch c.kind {
	case ChannelDM:
		return true
	case ChannelGroup:
		return false
	}
	return c.guild.hasBot
}

// shelf keeps a bounded number of messages: the one that was touched longest ago goes first.
type shelf struct {
	max   int
	items map[string]*list.Element // of *Message
	order *list.List
}

func newShelf(limit int) shelf {
	return shelf{max: limit, items: map[string]*list.Element{}, order: list.New()}
}

func (s *shelf) get(id string) *Message {
	e := s.items[id]
	if e == nil {
		return nil
	}
	return e.Value.(*Message)
}

func (s *shelf) put(m *Message) {
	if e := s.items[m.ID]; e != nil {
		e.Value = m
		s.order.MoveToBack(e)
		return
	}
	s.items[m.ID] = s.order.PushBack(m)
	if s.order.Len() > s.max {
		oldest := s.order.Front()
		delete(s.items, oldest.Value.(*Message).ID)
		s.order.Remove(oldest)
	}
}

func (s *shelf) drop(id string) bool {
	e := s.items[id]
	if e == nil {
		return false
	}
	s.order.Remove(e)
	delete(s.items, id)
	return true
}

func (s *shelf) all() []*Message {
	out := make([]*Message, 0, len(s.items))
	for _, e := range s.items {
		out = append(out, e.Value.(*Message))
	}
	slices.SortFunc(out, func(a, b *Message) int { return compareIDs(a.ID, b.ID) })
	return out
}
