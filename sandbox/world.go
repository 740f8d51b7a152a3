package sandbox

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// world is everything that exists: guarded by Server.mu.
type world struct {
	bot      *Person
	people   map[string]*Person
	guilds   map[string]*Guild
	channels map[string]*Channel
	dms      map[string]*Channel // by the person's id
	uploads  uploads
}

// Guild is a server of the world.
type Guild struct {
	id, name, owner, locale string
	server                  *Server
	joined                  time.Time
	members                 map[string]*member
	channels                []*Channel
	hasBot                  bool
	installedBy             string // who user-installed the app, when the bot is not here
	everyone                uint64
}

// member is what a guild adds to an account.
type member struct {
	person      *Person
	nick        string
	permissions uint64
	joined      time.Time
}

// PersonOptions describe an account to add.
type PersonOptions struct {
	Username string // empty: made from the name
	Locale   string // empty: en-US
	Bot      bool
}

// GuildOptions describe a guild to add.
type GuildOptions struct {
	ID      string  // a snowflake, which decides on the guild's shard; empty: the next one
	Owner   *Person // has all permissions; nil: Alice
	Locale  string  // the guild's language; empty: en-US
	Members []*Person
	// WithoutBot makes a guild where the app is only installed by a user, InstalledBy (nil: the owner): it sees
	// interactions there and nothing else.
	WithoutBot  bool
	InstalledBy *Person
}

// settle makes the default world. Its ids rise and belong to mid 2025, so that they are the same in each run.
func (s *Server) settle() {
	s.world = world{
		people: map[string]*Person{}, guilds: map[string]*Guild{}, channels: map[string]*Channel{}, dms: map[string]*Channel{},
	}
	person := func(id, username, name, locale string, bot bool) *Person {
		p := &Person{server: s, user: User{ID: id, Username: username, GlobalName: name, Locale: locale, Bot: bot}}
		s.world.people[id] = p
		return p
	}
	s.world.bot = person(ApplicationID, "Rowbot", "", "en-US", true)
	s.Alice = person("1390000000000000011", "alice", "Alice", "en-US", false)
	s.Bob = person("1390000000000000012", "bob", "Bob", "de", false)
	s.Chen = person("1390000000000000013", "chen", "Chen", "zh-CN", false)
	s.Darya = person("1390000000000000014", "darya", "Дарья", "ru", false)
	s.OtherBot = person("1390000000000000015", "otherbot", "Otherbot", "en-US", true)
	g := s.newGuild("1390000000000000101", "Playground", GuildOptions{
		Owner: s.Alice, Members: []*Person{s.Bob, s.Chen, s.Darya, s.OtherBot},
	})
	s.Playground = g
	s.General = s.newChannel("1390000000000000201", ChannelText, "general", g)
	s.Games = s.newChannel("1390000000000000202", ChannelText, "games", g)
}

// BotID is the snowflake of the bot's account.
func (s *Server) BotID() string { return s.world.bot.user.ID }

// Bot is the bot's account, to be mentioned or chosen as an opponent.
func (s *Server) Bot() *Person { return s.world.bot }

// People are all accounts but the bot's own, in the order in which they were made.
func (s *Server) People() []*Person {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []*Person
	for id, p := range s.world.people {
		if id != s.world.bot.user.ID {
			out = append(out, p)
		}
	}
	slices.SortFunc(out, func(a, b *Person) int { return compareIDs(a.user.ID, b.user.ID) })
	return out
}

// PersonByID finds an account, the bot's too; nil when there is none.
func (s *Server) PersonByID(id string) *Person {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.world.people[id]
}

// PersonByName finds an account, the bot's too, by username or display name in any case; nil when there is none.
func (s *Server) PersonByName(name string) *Person {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.personNamed(name)
}

func (s *Server) personNamed(name string) *Person {
	name = strings.TrimPrefix(name, "@")
	for _, p := range s.world.people {
		if strings.EqualFold(p.user.Username, name) || strings.EqualFold(p.user.Name(), name) {
			return p
		}
	}
	return nil
}

// AddPerson makes an account that is in no guild yet.
func (s *Server) AddPerson(name string, o PersonOptions) *Person {
	username := cmp.Or(o.Username, strings.ToLower(strings.Join(strings.Fields(name), "_")))
	p := &Person{server: s, user: User{
		ID: s.flake.next(), Username: username, GlobalName: name, Bot: o.Bot, Locale: cmp.Or(o.Locale, "en-US"),
	}}
	s.mu.Lock()
	s.world.people[p.user.ID] = p
	s.mu.Unlock()
	s.announce(Event{Kind: WorldChanged})
	return p
}

// AddGuild makes a guild without channels. The bot's sessions learn of it (GUILD_CREATE) when it is a member.
func (s *Server) AddGuild(name string, o GuildOptions) *Guild {
	if o.Owner == nil {
		o.Owner = s.Alice
	}
	s.mu.Lock()
	g := s.newGuild(cmp.Or(o.ID, s.flake.next()), name, o)
	s.mu.Unlock()
	if g.hasBot {
		s.gate.guildCreated(g)
	}
	s.announce(Event{Kind: WorldChanged})
	return g
}

func (s *Server) newGuild(id, name string, o GuildOptions) *Guild {
	g := &Guild{
		id: id, name: name, owner: o.Owner.ID(), locale: cmp.Or(o.Locale, "en-US"), server: s, joined: s.opt.Now().UTC(),
		members: map[string]*member{}, hasBot: !o.WithoutBot, everyone: permEveryone,
	}
	if o.WithoutBot {
		g.installedBy = g.owner
		if o.InstalledBy != nil {
			g.installedBy = o.InstalledBy.ID()
		}
	}
	for _, p := range append([]*Person{o.Owner}, o.Members...) {
		g.members[p.ID()] = &member{person: p, permissions: g.everyone, joined: g.joined}
	}
	g.members[g.owner].permissions = permAll
	s.world.guilds[id] = g
	return g
}

// Guilds are all guilds, oldest first.
func (s *Server) Guilds() []*Guild {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sortedGuilds()
}

func (s *Server) sortedGuilds() []*Guild {
	var out []*Guild
	for _, g := range s.world.guilds {
		out = append(out, g)
	}
	slices.SortFunc(out, func(a, b *Guild) int { return compareIDs(a.id, b.id) })
	return out
}

// ID is the snowflake.
func (g *Guild) ID() string { return g.id }

// Name is the name.
func (g *Guild) Name() string { return g.name }

// Channels are the guild's channels in the order in which they were made.
func (g *Guild) Channels() []*Channel {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	return slices.Clone(g.channels)
}

// Members are the people of the guild, oldest account first.
func (g *Guild) Members() []*Person {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	var out []*Person
	for _, m := range g.members {
		out = append(out, m.person)
	}
	slices.SortFunc(out, func(a, b *Person) int { return compareIDs(a.user.ID, b.user.ID) })
	return out
}

// AddChannel makes a text channel.
func (g *Guild) AddChannel(name string) *Channel {
	s := g.server
	s.mu.Lock()
	c := s.newChannel(s.flake.next(), ChannelText, name, g)
	s.mu.Unlock()
	s.announce(Event{Kind: WorldChanged, ChannelID: c.id})
	return c
}

// AddMember lets a person join.
func (g *Guild) AddMember(p *Person) {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	g.members[p.ID()] = &member{person: p, permissions: g.everyone, joined: g.server.opt.Now().UTC()}
}

// RemoveMember lets a person leave.
func (g *Guild) RemoveMember(p *Person) {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	delete(g.members, p.ID())
}

// SetPermissions sets a member's permission bits, for example PermManageGuild.
func (g *Guild) SetPermissions(p *Person, bits uint64) {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	if m := g.members[p.ID()]; m != nil {
		m.permissions = bits
	}
}

// Rename gives a member a nickname in this guild; empty takes it away.
func (g *Guild) Rename(p *Person, nick string) {
	g.server.mu.Lock()
	defer g.server.mu.Unlock()
	if m := g.members[p.ID()]; m != nil {
		m.nick = nick
	}
}

// RemoveBot throws the bot out: GUILD_DELETE, and every request about the guild is refused from then on.
func (g *Guild) RemoveBot() {
	g.server.mu.Lock()
	g.hasBot = false
	g.server.mu.Unlock()
	g.server.gate.guildDeleted(g.id)
	g.server.announce(Event{Kind: WorldChanged})
}

// AddBot invites the bot (again).
func (g *Guild) AddBot() {
	g.server.mu.Lock()
	g.hasBot, g.installedBy = true, ""
	g.server.mu.Unlock()
	g.server.gate.guildCreated(g)
	g.server.announce(Event{Kind: WorldChanged})
}

// announce publishes an event; messages are announced where they are stored.
func (s *Server) announce(e Event) {
	e.At = s.opt.Now()
	s.feed.publish(e)
}
