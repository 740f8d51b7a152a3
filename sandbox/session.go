package sandbox

import (
	"cmp"
	"crypto/rand"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// Gateway opcodes, as in the protocol.
const (
	opDispatch  = 0
	opHeartbeat = 1
	opIdentify  = 2
	opPresence  = 3
	opVoice     = 4
	opResume    = 6
	opReconnect = 7
	opMembers   = 8
	opInvalid   = 9
	opHello     = 10
	opAck       = 11
	opSounds    = 31
	opChannels  = 43
)

// Gateway close codes, as in the protocol.
const (
	closeUnknownOp       = 4001
	closeDecode          = 4002
	closeNotIdentified   = 4003
	closeToken           = 4004
	closeAlready         = 4005
	closeSeq             = 4007
	closeFlood           = 4008
	closeTimeout         = 4009
	closeShard           = 4010
	closeShardingNeeded  = 4011
	closeVersion         = 4012
	closeIntents         = 4013
	closePrivileged      = 4014
	closeNormal          = 1000
	closeGoingAway       = 1001
	closeWithoutGoodbyes = 0 // cut the TCP connection
)

// identification is the body of IDENTIFY and RESUME, as far as it matters here.
type identification struct {
	Token     string `json:"token"`
	Intents   *int   `json:"intents"`
	Shard     []int  `json:"shard"`
	SessionID string `json:"session_id"`
	Seq       int64  `json:"seq"`
	Compress  bool   `json:"compress"`
}

// is tells whether this is the bot's token; libraries send the header's form with "Bot ", and Discord takes it.
func (id identification) is(token string) bool { return strings.TrimPrefix(id.Token, "Bot ") == token }

// identify starts a session on a connection; it returns a close code for a refusal, 0 when the connection stays.
func (g *gateway) identify(c *conn, d json.RawMessage) int {
	var id identification
	if json.Unmarshal(d, &id) != nil {
		return closeDecode
	}
	s := g.server
	s.mu.Lock()
	defer s.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.session != nil {
		return closeAlready
	}
	shard, code := g.check(id)
	if code != 0 {
		return code
	}
	if !g.start(c, shard) {
		return 0
	}
	if g.reset {
		return closeToken
	}
	ses := &session{id: strings.ToLower(rand.Text()), shard: shard, intents: *id.Intents, compress: id.Compress, conn: c}
	c.session = ses
	g.sessions[ses.id] = ses
	g.prune()
	g.identifies++
	g.disturb(c, BeforeReady)
	if c.session == nil {
		return 0
	}
	g.welcome(c, ses)
	g.disturb(c, AfterReady)
	s.wake("bot")
	s.feed.publish(Event{Kind: BotConnected, At: s.opt.Now()})
	return 0
}

// check refuses an IDENTIFY that Discord closes the connection for.
func (g *gateway) check(id identification) (shard [2]int, code int) {
	shard = [2]int{0, 1}
	if id.Shard != nil {
		if len(id.Shard) != 2 || id.Shard[1] < 1 || id.Shard[0] < 0 || id.Shard[0] >= id.Shard[1] {
			return shard, closeShard
		}
		shard = [2]int(id.Shard)
	}
	switch {
	case !id.is(g.server.opt.Token) || g.reset:
		return shard, closeToken
	case id.Intents == nil || *id.Intents&^knownIntents != 0:
		return shard, closeIntents
	case *id.Intents&privilegedIntents&^g.server.opt.PrivilegedIntents != 0:
		return shard, closePrivileged
	case len(g.guilds(shard)) > maxPerShard:
		return shard, closeShardingNeeded
	}
	return shard, 0
}

// start checks pace and budget of IDENTIFYs and the faults; false when the answer was op 9 or 7.
func (g *gateway) start(c *conn, shard [2]int) bool {
	now := g.server.opt.Now()
	bucket := shard[0] % g.server.opt.MaxConcurrency
	last, before := g.last[bucket]
	g.last[bucket] = now
	if before && now.Sub(last) < g.server.opt.IdentifyEvery {
		c.sendOp(opInvalid, false)
		return false
	}
	g.refill()
	g.used++
	switch {
	case g.used > g.server.opt.SessionStarts:
		g.revoke()
	case g.faults.InvalidNow > 0:
		g.faults.InvalidNow--
		c.sendOp(opInvalid, false)
		return false
	case g.faults.LeaveNow > 0:
		g.faults.LeaveNow--
		c.sendOp(opReconnect, nil)
		return false
	}
	return g.reset || !g.disturb(c, InsteadOfReady)
}

// revoke resets the token, which is what spending more IDENTIFYs than allowed leads to: all sessions end.
func (g *gateway) revoke() {
	g.reset = true
	g.server.opt.Log.Error("more IDENTIFYs than the daily limit: the token is reset")
	for _, ses := range g.sessions {
		if ses.conn != nil {
			ses.conn.bye(closeToken)
		}
	}
	clear(g.sessions)
}

// guilds are the bot's guilds of a shard, oldest first; both mutexes are held.
func (g *gateway) guilds(shard [2]int) []*Guild {
	return slices.DeleteFunc(g.server.sortedGuilds(), func(guild *Guild) bool {
		return !guild.hasBot || shardOf(guild.id, shard[1]) != shard[0]
	})
}

// welcome sends READY and the guilds; both mutexes are held.
func (g *gateway) welcome(c *conn, ses *session) {
	var unavailable []any
	guilds := g.guilds(ses.shard)
	for _, guild := range guilds {
		unavailable = append(unavailable, map[string]any{"id": guild.id, "unavailable": true})
	}
	resume := c.address
	if g.faults.ResumeURL != "" {
		resume = g.faults.ResumeURL
	}
	user := g.server.world.bot.user.wire()
	user["verified"], user["mfa_enabled"], user["email"] = true, true, nil
	g.send(ses, "READY", encode(map[string]any{
		"v": json.Number(cmp.Or(c.version, "10")), "user": user, "guilds": orEmpty(unavailable), "session_id": ses.id, "session_type": "normal",
		"resume_gateway_url": resume, "shard": ses.shard, "application": map[string]any{"id": ApplicationID, "flags": 0},
		"private_channels": []any{}, "relationships": []any{},
	}))
	if ses.intents&intentGuilds == 0 {
		return
	}
	for _, guild := range guilds {
		g.send(ses, "GUILD_CREATE", encode(guild.full()))
	}
}

// resume continues a session on a new connection.
func (g *gateway) resume(c *conn, d json.RawMessage) int {
	var id identification
	if json.Unmarshal(d, &id) != nil {
		return closeDecode
	}
	s := g.server
	s.mu.Lock()
	defer s.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.prune()
	ses := g.sessions[id.SessionID]
	switch {
	case c.session != nil:
		return closeAlready
	case !id.is(s.opt.Token) || g.reset:
		return closeToken
	case ses != nil && id.Seq > ses.seq:
		return closeSeq
	case ses == nil || !ses.reaches(id.Seq):
		c.sendOp(opInvalid, false)
		return 0
	}
	if ses.conn != nil {
		ses.conn.session = nil
		ses.conn.bye(closeWithoutGoodbyes)
	}
	ses.conn, c.session = c, ses
	g.resumes++
	g.disturb(c, BeforeReplay)
	g.replay(ses, id.Seq)
	if c.session == nil || g.disturb(c, InsteadOfResumed) {
		return 0
	}
	g.send(ses, "RESUMED", json.RawMessage(`{}`))
	g.disturb(c, AfterResumed)
	s.wake("bot")
	s.feed.publish(Event{Kind: BotConnected, At: s.opt.Now()})
	return 0
}

// replay sends the events after seq once more.
func (g *gateway) replay(ses *session, seq int64) {
	for _, p := range ses.log {
		if p.seq > seq && ses.conn != nil && !g.faults.Silent {
			ses.conn.send(outgoing{raw: p.raw, zip: ses.compress})
		}
	}
}

// reaches tells whether all events after seq are still there.
func (ses *session) reaches(seq int64) bool {
	return seq == ses.seq || len(ses.log) > 0 && ses.log[0].seq <= seq+1
}

// lost detaches a connection; a session that was ended on purpose is forgotten.
func (g *gateway) lost(c *conn, ended bool) {
	s := g.server
	s.mu.Lock()
	defer s.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.conns, c)
	ses := c.session
	if ses == nil {
		return
	}
	ses.conn, c.session, ses.left = nil, nil, s.opt.Now()
	if ended {
		delete(g.sessions, ses.id)
	}
	g.prune()
	s.wake("bot")
	s.feed.publish(Event{Kind: BotDisconnected, At: s.opt.Now()})
}

// prune forgets sessions that nobody came back to.
func (g *gateway) prune() {
	idle := slices.DeleteFunc(slices.Collect(maps.Values(g.sessions)), func(ses *session) bool { return ses.conn != nil })
	slices.SortFunc(idle, func(a, b *session) int { return b.left.Compare(a.left) })
	for i, ses := range idle {
		if i >= keptSessions || g.server.opt.Now().Sub(ses.left) > keptFor {
			delete(g.sessions, ses.id)
		}
	}
}
