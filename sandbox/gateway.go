package sandbox

import (
	"encoding/json"
	"strconv"
	"sync"
	"time"
)

// Intents that matter here.
const (
	intentGuilds         = 1 << 0
	intentMembers        = 1 << 1
	intentPresences      = 1 << 8
	intentGuildMessages  = 1 << 9
	intentDirectMessages = 1 << 12
	intentContent        = 1 << 15

	privilegedIntents = intentMembers | intentPresences | intentContent
	knownIntents      = 1<<17 - 1 | 1<<20 | 1<<21 | 1<<24 | 1<<25
)

// Bounds of what is kept for RESUME.
const (
	keptPackets  = 250
	keptSessions = 8
	keptFor      = 2 * time.Minute
	budgetWindow = 24 * time.Hour
	maxPerShard  = 2500
)

// gateway keeps the sessions. Its mutex may be taken while Server.mu is held, never the other way round.
type gateway struct {
	server *Server

	mu       sync.Mutex
	sessions map[string]*session
	conns    map[*conn]bool
	last     map[int]time.Time // last IDENTIFY of each max_concurrency bucket
	window   time.Time         // when the IDENTIFY budget was last full
	used     int
	reset    bool // the token was reset: nothing is accepted any more
	shutDown bool
	faults   GatewayFaults
	held     *heldEvent // kept back to come out of order

	disturbances []*disturbance

	identifies, resumes int
	running             sync.WaitGroup
}

// session is one identified shard; it outlives its connection for a while.
type session struct {
	id      string
	shard   [2]int
	intents int
	seq     int64
	log     []packet
	conn    *conn     // nil while nobody is connected
	left    time.Time // when the connection was lost

	compress bool // large packets are sent as zlib
}

// packet is a dispatched event, ready to be sent (again).
type packet struct {
	seq int64
	raw []byte
}

// GatewayFaults are misfortunes of the gateway, in force until they are set anew.
type GatewayFaults struct {
	Silent     bool          // accepts everything, sends nothing: no acks, no events
	NoAcks     bool          // heartbeats stay unanswered
	NoHello    bool          // connections are never greeted
	HelloDelay time.Duration // before HELLO
	Twice      bool          // each interaction is delivered twice
	InvalidNow int           // so many IDENTIFYs are answered with op 9
	LeaveNow   int           // so many IDENTIFYs are answered with op 7
	ResumeURL  string        // resume_gateway_url of READY, for example a dead port; empty: the right one
	OutOfOrder bool          // an interaction comes after the next one, or a second late when there is none
	LoseNow    int           // so many interactions never arrive
}

// SetGatewayFaults puts faults in force; the zero value is a healthy gateway.
func (s *Server) SetGatewayFaults(f GatewayFaults) {
	s.gate.alter(func(old *GatewayFaults) { *old = f })
}

// Silence turns the zombie on or off: connections stay open and nothing comes any more.
func (s *Server) Silence(on bool) { s.gate.alter(func(f *GatewayFaults) { f.Silent = on }) }

// DeliverTwice lets each interaction come twice.
func (s *Server) DeliverTwice(on bool) { s.gate.alter(func(f *GatewayFaults) { f.Twice = on }) }

func newGateway(s *Server) *gateway {
	return &gateway{
		server: s, sessions: map[string]*session{}, conns: map[*conn]bool{}, last: map[int]time.Time{}, window: s.opt.Now(),
	}
}

func (g *gateway) alter(f func(*GatewayFaults)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	f(&g.faults)
}

func (g *gateway) doubling() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.faults.Twice
}

func (g *gateway) counts() (identifies, resumes, connected int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.identifies, g.resumes, g.connected()
}

func (g *gateway) connected() int {
	n := 0
	for _, ses := range g.sessions {
		if ses.conn != nil {
			n++
		}
	}
	return n
}

// revoked tells whether the token was reset.
func (g *gateway) revoked() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.reset
}

// budget is the state of session_start_limit.
func (g *gateway) budget() (total, remaining int, reset time.Duration) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.refill()
	total = g.server.opt.SessionStarts
	return total, max(total-g.used, 0), g.window.Add(budgetWindow).Sub(g.server.opt.Now())
}

func (g *gateway) refill() {
	if now := g.server.opt.Now(); now.Sub(g.window) >= budgetWindow {
		g.window, g.used = now, 0
	}
}

// shardOf is the shard that gets the events of a guild; those without a guild go to the first.
func shardOf(guildID string, shards int) int {
	n, err := strconv.ParseUint(guildID, 10, 64)
	if err != nil {
		return 0
	}
	return int((n >> 22) % uint64(max(shards, 1)))
}

// send puts an event into a session's log and onto its connection.
func (g *gateway) send(ses *session, event string, data json.RawMessage) {
	g.inspectEvent(event, data)
	ses.seq++
	raw := make([]byte, 0, len(data)+len(event)+48)
	raw = append(raw, `{"op":0,"t":"`...)
	raw = append(raw, event...)
	raw = append(raw, `","s":`...)
	raw = strconv.AppendInt(raw, ses.seq, 10)
	raw = append(raw, `,"d":`...)
	raw = append(raw, data...)
	raw = append(raw, '}')
	if len(ses.log) >= keptPackets {
		ses.log = append(ses.log[:0], ses.log[keptPackets/2:]...)
	}
	ses.log = append(ses.log, packet{ses.seq, raw})
	if ses.conn != nil && !g.faults.Silent {
		ses.conn.send(outgoing{raw: raw, zip: ses.compress})
	}
}

// message sends MESSAGE_CREATE or MESSAGE_UPDATE to those who asked for it; Server.mu is held.
func (g *gateway) message(c *Channel, m *Message, isNew bool) {
	event := "MESSAGE_UPDATE"
	if isNew {
		event = "MESSAGE_CREATE"
	}
	g.aboutMessage(c, func(ses *session) {
		hide := c.kind == ChannelText && ses.intents&intentContent == 0 && m.Author.ID != g.server.world.bot.user.ID
		for _, id := range m.Pings {
			hide = hide && id != g.server.world.bot.user.ID
		}
		fields := m.fields()
		if m.GuildID != "" {
			fields["guild_id"] = m.GuildID
		}
		if hide {
			fields["content"], fields["embeds"], fields["components"], fields["attachments"] = "", []any{}, []any{}, []any{}
		}
		g.send(ses, event, encode(fields))
	})
}

// messageDeleted sends MESSAGE_DELETE to those who asked for it; Server.mu is held.
func (g *gateway) messageDeleted(c *Channel, m *Message) {
	g.aboutMessage(c, func(ses *session) {
		fields := map[string]any{"id": m.ID, "channel_id": m.ChannelID}
		if m.GuildID != "" {
			fields["guild_id"] = m.GuildID
		}
		g.send(ses, "MESSAGE_DELETE", encode(fields))
	})
}

// aboutMessage visits the sessions that hear of messages in a channel.
func (g *gateway) aboutMessage(c *Channel, f func(*session)) {
	want := intentGuildMessages
	if c.kind == ChannelDM {
		want = intentDirectMessages
	}
	if !c.botHere() {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, ses := range g.sessions {
		if ses.intents&want != 0 && shardOf(c.GuildID(), ses.shard[1]) == ses.shard[0] {
			f(ses)
		}
	}
}

// guildCreated tells the bot that it is in a guild now.
func (g *gateway) guildCreated(guild *Guild) {
	g.server.mu.Lock()
	data := encode(guild.full())
	g.server.mu.Unlock()
	g.guildEvent(guild.id, "GUILD_CREATE", data)
}

// guildDeleted tells the bot that it was removed from a guild.
func (g *gateway) guildDeleted(id string) {
	g.guildEvent(id, "GUILD_DELETE", encode(map[string]any{"id": id}))
}

func (g *gateway) guildEvent(id, event string, data json.RawMessage) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, ses := range g.sessions {
		if ses.intents&intentGuilds != 0 && shardOf(id, ses.shard[1]) == ses.shard[0] {
			g.send(ses, event, data)
		}
	}
}

// full is the guild as GUILD_CREATE and GET /guilds/{id} show it; Server.mu is held.
func (g *Guild) full() map[string]any {
	channels := []any{}
	for _, c := range g.channels {
		if c.parent != nil {
			continue
		}
		channels = append(channels, c.wire())
	}
	members := []any{}
	for _, mb := range g.members {
		members = append(members, mb.wire(true))
	}
	everyone := map[string]any{
		"id": g.id, "name": "@everyone", "description": nil, "permissions": bits(g.everyone), "position": 0, "color": 0,
		"colors": map[string]any{"primary_color": 0, "secondary_color": nil, "tertiary_color": nil}, "hoist": false,
		"managed": false, "mentionable": false, "icon": nil, "unicode_emoji": nil, "flags": 0,
	}
	out := map[string]any{
		"id": g.id, "name": g.name, "owner_id": g.owner, "preferred_locale": g.locale, "channels": channels, "members": members,
		"member_count": len(g.members) + 1, "joined_at": stamp(g.joined), "large": false, "unavailable": false,
		"roles": []any{everyone}, "features": []any{}, "emojis": []any{}, "stickers": []any{}, "region": "deprecated",
		"afk_timeout": 300, "system_channel_flags": 0, "widget_enabled": false, "verification_level": 0,
		"default_message_notifications": 0, "mfa_level": 0, "explicit_content_filter": 0, "max_members": 500000,
		"max_stage_video_channel_users": 50, "max_video_channel_users": 25, "premium_tier": 0, "premium_subscription_count": 0,
		"premium_progress_bar_enabled": false, "nsfw": false, "nsfw_level": 0, "max_presences": nil,
	}
	for _, key := range []string{
		"icon", "description", "home_header", "splash", "discovery_splash", "banner", "application_id", "afk_channel_id",
		"system_channel_id", "widget_channel_id", "vanity_url_code", "rules_channel_id", "safety_alerts_channel_id",
		"public_updates_channel_id", "incidents_data",
	} {
		out[key] = nil
	}
	return out
}
