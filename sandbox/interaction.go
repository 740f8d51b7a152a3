package sandbox

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// Interaction types, as in the protocol.
const (
	kindCommand      = 2
	kindComponent    = 3
	kindAutocomplete = 4
	kindModal        = 5
)

// interaction is one thing a person did, from delivery until its token dies. Guarded by Server.mu; id, token, kind,
// channel and done never change after delivery. data and message are let go with the first answer.
type interaction struct {
	id, token string
	kind      int
	data      map[string]any
	message   *Message     // the message of a component, or of the one that opened the modal
	origin    *interaction // what opened the modal
	user      User
	channel   *Channel
	meta      *metadata
	userOnly  bool // authorised by a user's installation only
	hushed    bool // whatever it makes is ephemeral: the person may not use external apps here

	timer     *time.Timer
	done      chan struct{}
	failed    bool
	callback  int    // type of the first answer, 0 before
	original  string // id of the message that @original names, empty for none
	deferred  string // the message of a type 5 that still waits for its contents
	messages  []string
	followUps int
	reply     Reply
}

// ledger remembers interactions by token; guarded by Server.mu.
type ledger struct {
	limit   int
	byToken map[string]*interaction
	queue   []string // tokens, oldest first
	closed  bool
}

func newLedger(limit int) ledger { return ledger{limit: limit, byToken: map[string]*interaction{}} }

func (l *ledger) add(it *interaction) {
	l.byToken[it.token] = it
	l.queue = append(l.queue, it.token)
	for len(l.queue) > l.limit {
		delete(l.byToken, l.queue[0])
		l.queue = l.queue[1:]
	}
}

// expire forgets interactions whose token is dead.
func (l *ledger) expire(before time.Time) {
	for len(l.queue) > 0 {
		it := l.byToken[l.queue[0]]
		if it != nil && !Time(it.id).Before(before) {
			return
		}
		delete(l.byToken, l.queue[0])
		l.queue = l.queue[1:]
	}
}

func (l *ledger) stop(mu *sync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
	l.closed = true
	for _, it := range l.byToken {
		if it.timer != nil {
			it.timer.Stop()
		}
	}
}

// newToken makes an interaction token; like Discord's it carries the interaction's id.
func newToken(id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte("interaction:" + id + ":" + rand.Text() + rand.Text()))
}

// tokenTime reads from a token when its interaction happened; false when it is no token.
func tokenTime(token string) (time.Time, bool) {
	raw, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return time.Time{}, false
	}
	parts := strings.Split(string(raw), ":")
	if len(parts) != 3 || parts[0] != "interaction" || !isSnowflake(parts[1]) {
		return time.Time{}, false
	}
	return Time(parts[1]), true
}

// interact delivers what the seat's person did and waits for the first answer.
func (p Seat) interact(ctx context.Context, it *interaction) (*Reply, error) {
	s := p.server()
	if err := p.present(); err != nil {
		return nil, err
	}
	payload := s.open(p, it)
	for _, tweak := range p.tweaks {
		tweak(payload)
	}
	raw := encodeAround(payload, "message")
	if len(p.tweaks) == 0 {
		s.inspect("INTERACTION_CREATE", interactionShape, raw)
	}
	s.deliver(ctx, it, raw)
	if p.twice || s.gate.doubling() {
		s.deliver(ctx, it, raw)
	}
	select {
	case <-it.done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.mu.Lock()
	reply := it.reply
	it.reply = Reply{}
	s.mu.Unlock()
	reply.InteractionID, reply.server, reply.payload, reply.source = it.id, s, raw, it
	if reply.Failed {
		return &reply, ErrFailed
	}
	return &reply, nil
}

// present refuses what a client does not offer: acting in a channel that the person cannot see.
func (p Seat) present() error {
	s := p.server()
	s.mu.Lock()
	defer s.mu.Unlock()
	c := p.channel
	if c.guild != nil {
		if c.guild.members[p.person.ID()] == nil {
			return refuse("%s is not in %s", p.person.user.Name(), c.guild.name)
		}
		if !c.guild.hasBot && c.guild.installedBy == "" {
			return refuse("the app is not in %s", c.guild.name)
		}
		return nil
	}
	if slices.Contains(c.recipients, p.person) {
		return nil
	}
	return refuse("%s is not in this conversation", p.person.user.Name())
}

// open registers the interaction, starts its deadline and builds what the bot receives.
func (s *Server) open(p Seat, it *interaction) map[string]any {
	it.id = s.flake.next()
	it.token = newToken(it.id)
	it.channel, it.done = p.channel, make(chan struct{})
	if it.message != nil {
		it.message.JSON() // once, outside the lock
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	it.user = p.person.user
	payload := s.payload(p, it)
	s.interactions.expire(s.opt.Now().Add(-s.opt.TokenLife - time.Minute))
	s.interactions.add(it)
	s.stats.Interactions++
	if !s.interactions.closed {
		it.timer = time.AfterFunc(s.opt.AnswerWithin, func() { s.giveUp(it) })
	}
	return payload
}

// giveUp ends an interaction that got no answer: the client shows "This interaction failed".
func (s *Server) giveUp(it *interaction) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if it.callback != 0 || it.failed {
		return
	}
	it.failed = true
	it.data, it.message, it.origin = nil, nil, nil
	it.reply = Reply{Failed: true}
	s.stats.Failed++
	close(it.done)
	s.feed.publish(Event{
		Kind: InteractionFailed, At: s.opt.Now(), ChannelID: it.channel.id, UserID: it.user.ID, InteractionID: it.id,
	})
}

// payload is the interaction object; Server.mu is held.
func (s *Server) payload(p Seat, it *interaction) map[string]any {
	c := it.channel
	out := map[string]any{
		"id": it.id, "application_id": ApplicationID, "type": it.kind, "token": it.token, "version": 1,
		"data": maps.Clone(it.data), "channel_id": c.id, "channel": c.partial(), "locale": it.user.Locale,
		"entitlements": []any{}, "attachment_size_limit": 10 << 20, "app_permissions": bits(c.botPerms),
	}
	owners := map[string]string{}
	switch {
	case c.guild != nil:
		s.guildPayload(c, it, owners, out)
	case c.kind == ChannelDM:
		owners["0"], out["context"], out["user"] = "0", 1, it.user.wire()
	default:
		owners["1"], out["context"], out["user"] = c.installedBy, 2, it.user.wire()
	}
	_, inGuild := owners["0"]
	it.userOnly = !inGuild
	out["authorizing_integration_owners"] = owners
	it.meta = &metadata{id: it.id, kind: it.kind, user: it.user, owners: owners}
	if it.kind == kindCommand {
		it.meta.command = calledAs(it.data)
		s.aim(it)
	}
	if it.message != nil {
		out["message"] = it.message.JSON()
		it.meta.interacted = it.message.ID
	}
	if it.origin != nil {
		it.meta.interacted, it.meta.trigger = "", it.origin.meta
	}
	return out
}

// aim notes whom or what a context menu command was used on.
func (s *Server) aim(it *interaction) {
	target, _ := it.data["target_id"].(string)
	switch it.data["type"] {
	case commandUser:
		if p := s.world.people[target]; p != nil {
			user := p.user
			it.meta.targetUser = &user
		}
	case commandMessage:
		it.meta.targetMessage = target
	}
}

func (s *Server) guildPayload(c *Channel, it *interaction, owners map[string]string, out map[string]any) {
	g := c.guild
	mb := g.members[it.user.ID]
	who := mb.wire(true)
	who["permissions"] = bits(mb.permissions)
	out["member"], out["guild_id"], out["guild_locale"], out["context"] = who, g.id, g.locale, 0
	out["guild"] = map[string]any{"id": g.id, "locale": g.locale, "features": []any{}}
	if g.hasBot {
		owners["0"] = g.id
		return
	}
	owners["1"] = g.installedBy
	out["app_permissions"] = bits(mb.permissions)
	it.hushed = !may(mb.permissions, PermUseExternalApps)
}

// partial is the channel as interactions carry it.
func (c *Channel) partial() map[string]any {
	out := c.wire()
	delete(out, "permission_overwrites")
	if c.guild != nil {
		out["permissions"] = bits(permEveryone)
	}
	return out
}

// settle ends the wait of the person with the first answer; Server.mu is held.
func (it *interaction) settle(r Reply) {
	it.callback, it.reply = r.Kind, r
	it.data, it.message, it.origin = nil, nil, nil
	if it.timer != nil {
		it.timer.Stop()
	}
	close(it.done)
}
