package sandbox

import (
	"net/http"
	"slices"
	"strconv"
	"time"
)

// nonceLife is how long enforce_nonce remembers a nonce.
const nonceLife = 5 * time.Minute

// place finds the channel of a route and checks that the bot may do there what it needs; Server.mu is held.
func (s *Server) place(c *call, need uint64) (*Channel, *apiError) {
	ch := s.world.channels[c.PathValue("channel_id")]
	switch {
	case ch == nil:
		return nil, unknown(codeUnknownChannel, "Channel")
	case !ch.botHere() || !may(ch.botPerms, PermViewChannel):
		return nil, forbidden(codeNoAccess, "Missing Access")
	case !may(ch.botPerms, need):
		return nil, forbidden(codeNoPermission, "Missing Permissions")
	}
	return ch, nil
}

// getChannel is GET /channels/{id}.
func (s *Server) getChannel(c *call) (answer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, bad := s.place(c, 0)
	if bad != nil {
		return answer{}, bad
	}
	return ok(ch.wire())
}

// getMessages is GET /channels/{id}/messages, newest first.
func (s *Server) getMessages(c *call) (answer, *apiError) {
	q := c.URL.Query()
	limit := 50
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > 100 {
			return answer{}, formProblem("NUMBER_TYPE_MAX", "limit: int value should be between 1 and 100.")
		}
		limit = n
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, bad := s.place(c, 0)
	if bad != nil {
		return answer{}, bad
	}
	out := []any{}
	if !may(ch.botPerms, PermReadHistory) {
		return ok(out)
	}
	list := slices.DeleteFunc(ch.public.all(), func(m *Message) bool {
		before, after := q.Get("before"), q.Get("after")
		return before != "" && compareIDs(m.ID, before) >= 0 || after != "" && compareIDs(m.ID, after) <= 0
	})
	slices.Reverse(list)
	for _, m := range list[:min(limit, len(list))] {
		out = append(out, m.JSON())
	}
	return ok(out)
}

// visible finds the public message of a route; ephemeral ones are unknown here. Server.mu is held.
func (s *Server) visible(c *call, need uint64) (*Channel, *Message, *apiError) {
	ch, bad := s.place(c, need)
	if bad != nil {
		return nil, nil, bad
	}
	m := ch.public.get(c.PathValue("message_id"))
	if m == nil {
		return nil, nil, unknown(codeUnknownMessage, "Message")
	}
	return ch, m, nil
}

// getMessage is GET /channels/{id}/messages/{id}.
func (s *Server) getMessage(c *call) (answer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, m, bad := s.visible(c, PermReadHistory)
	if bad != nil {
		return answer{}, bad
	}
	return ok(m.JSON())
}

// postMessage is POST /channels/{id}/messages.
func (s *Server) postMessage(c *call) (answer, *apiError) {
	n, bad := c.object()
	if bad != nil {
		return answer{}, bad
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, bad := s.place(c, PermSendMessages)
	if bad != nil {
		return answer{}, bad
	}
	d := readDraft(n, nil, c.uploads)
	if bad := n.form.err(); bad != nil {
		return answer{}, bad
	}
	if earlier := s.repeated(ch, d); earlier != nil {
		return ok(earlier.JSON())
	}
	if d.replyAnyway && ch.public.get(d.replyTo) == nil {
		d.replyTo = ""
	}
	if bad := s.mayPost(ch, d); bad != nil {
		return answer{}, bad
	}
	m := s.newMessage(ch)
	if d.replyTo != "" {
		m.Type = 19
	}
	if bad := d.fill(s, m, createFlags, channelMentions); bad != nil {
		return answer{}, bad
	}
	s.notifyReplied(ch, m, d.allowed)
	if d.nonce != "" {
		ch.rememberNonce(d.nonce, m.ID)
	}
	s.put(m, true)
	return ok(m.JSON())
}

// mayPost checks what a channel message needs beside SEND_MESSAGES; Server.mu is held.
func (s *Server) mayPost(ch *Channel, d *draft) *apiError {
	if bad := s.reachable(ch); bad != nil {
		return bad
	}
	need := uint64(0)
	if len(d.embeds) > 0 {
		need |= PermEmbedLinks
	}
	if len(d.uploads) > 0 {
		need |= PermAttachFiles
	}
	if d.replyTo != "" {
		need |= PermReadHistory
	}
	if !may(ch.botPerms, need) {
		return forbidden(codeNoPermission, "Missing Permissions")
	}
	if d.replyTo != "" && ch.public.get(d.replyTo) == nil {
		f := newForm()
		f.add([]string{"message_reference"}, "REPLIES_UNKNOWN_MESSAGE", "Unknown message")
		return f.err()
	}
	return nil
}

// reachable refuses direct messages to somebody who takes none, or who shares no guild with the bot.
func (s *Server) reachable(ch *Channel) *apiError {
	if ch.kind != ChannelDM {
		return nil
	}
	p := ch.recipients[0]
	if p.closed {
		return forbidden(codeNoDM, "Cannot send messages to this user")
	}
	for _, g := range s.world.guilds {
		if g.hasBot && g.members[p.user.ID] != nil {
			return nil
		}
	}
	return forbidden(codeNoMutual, "Cannot send messages to this user due to having no mutual guilds")
}

// notifyReplied adds the author of the message that is answered to the pings.
func (s *Server) notifyReplied(ch *Channel, m *Message, a *allowedMentions) {
	if a == nil {
		a = channelMentions
	}
	if m.ReplyTo == "" || !a.replied {
		return
	}
	author := ch.public.get(m.ReplyTo).Author.ID
	if !slices.Contains(m.Pings, author) {
		m.Pings = append(m.Pings, author)
	}
}

// repeated finds the message that an enforced nonce made before; Server.mu is held.
func (s *Server) repeated(ch *Channel, d *draft) *Message {
	if !d.enforce || d.nonce == "" {
		return nil
	}
	m := ch.public.get(ch.nonces[d.nonce])
	if m == nil || s.age(m.ID) > nonceLife {
		return nil
	}
	return m
}

// rememberNonce keeps the last nonces of a channel; Server.mu is held.
func (c *Channel) rememberNonce(nonce, id string) {
	c.nonces[nonce] = id
	c.nonceOrder = append(c.nonceOrder, nonce)
	if len(c.nonceOrder) > 500 {
		delete(c.nonces, c.nonceOrder[0])
		c.nonceOrder = c.nonceOrder[1:]
	}
}

// patchMessage is PATCH /channels/{id}/messages/{id}: own messages only.
func (s *Server) patchMessage(c *call) (answer, *apiError) {
	n, bad := c.object()
	if bad != nil {
		return answer{}, bad
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, old, bad := s.visible(c, 0)
	if bad != nil {
		return answer{}, bad
	}
	if old.Author.ID != s.world.bot.user.ID {
		return answer{}, forbidden(codeNotYours, "Cannot edit a message authored by another user")
	}
	d := readDraft(n, old, c.uploads)
	if bad := n.form.err(); bad != nil {
		return answer{}, bad
	}
	m, bad := d.edit(s, old, channelMentions)
	if bad != nil {
		return answer{}, bad
	}
	if s.age(old.ID) > time.Hour {
		if bad := s.limits.editOld(old.ChannelID); bad != nil {
			return answer{}, bad
		}
	}
	s.put(m, false)
	return ok(m.JSON())
}

// deleteMessage is DELETE /channels/{id}/messages/{id}: own messages, or any with MANAGE_MESSAGES.
func (s *Server) deleteMessage(c *call) (answer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, m, bad := s.visible(c, 0)
	if bad != nil {
		return answer{}, bad
	}
	if m.Author.ID != s.world.bot.user.ID && !may(ch.botPerms, PermManageMessages) {
		return answer{}, forbidden(codeNoPermission, "Missing Permissions")
	}
	s.remove(m)
	return nothing()
}

// postDM is POST /users/@me/channels.
func (s *Server) postDM(c *call) (answer, *apiError) {
	n, bad := c.object()
	if bad != nil {
		return answer{}, bad
	}
	id := n.snowflake("recipient_id")
	if id == "" && !n.form.bad() {
		n.required("recipient_id")
	}
	if bad := n.form.err(); bad != nil {
		return answer{}, bad
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.world.people[id]
	switch {
	case p == nil:
		return answer{}, unknown(codeUnknownUser, "User")
	case p.user.Bot:
		return answer{}, &apiError{status: http.StatusBadRequest, Code: codeNoDM, Message: "Cannot send messages to this user"}
	}
	ch, _ := s.openDM(p)
	return ok(ch.wire())
}
