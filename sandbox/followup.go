package sandbox

import (
	"net/http"
	"slices"
)

// byToken finds the interaction of a webhook route; Server.mu is held. What is refused follows from the token alone
// where the interaction is forgotten.
func (s *Server) byToken(c *call) (*interaction, *apiError) {
	token := c.PathValue("interaction_token")
	at, genuine := tokenTime(token)
	if c.PathValue("application_id") != ApplicationID || !genuine {
		return nil, unknown(codeUnknownWebhook, "Webhook")
	}
	it := s.interactions.byToken[token]
	switch {
	case s.opt.Now().Sub(at) > s.opt.TokenLife:
		return nil, &apiError{status: http.StatusUnauthorized, Code: codeDeadToken, Message: "Invalid Webhook Token"}
	case it == nil || it.callback == 0:
		return nil, unknown(codeUnknownWebhook, "Webhook")
	}
	return it, nil
}

// postFollowUp is POST /webhooks/{app}/{token}: a further message, or the contents of a deferred one.
func (s *Server) postFollowUp(c *call) (answer, *apiError) {
	n, bad := c.object()
	if bad != nil {
		return answer{}, bad
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	it, bad := s.byToken(c)
	if bad != nil {
		return answer{}, bad
	}
	if old := s.find(it.channel.id, it.deferred); it.deferred != "" && old != nil {
		return s.revise(it, old, n, c.uploads)
	}
	if it.userOnly && it.channel.kind != ChannelDM && it.followUps >= maxFollowUps {
		return answer{}, &apiError{
			status: http.StatusBadRequest, Code: codeManyFollowUps, Message: "Maximum number of follow-up messages reached",
		}
	}
	m, bad := s.compose(it, n, c.uploads)
	if bad != nil {
		return answer{}, bad
	}
	it.followUps++
	s.put(m, true)
	return ok(m.JSON())
}

// target finds the message that a webhook route names; Server.mu is held.
func (s *Server) target(c *call) (*interaction, *Message, *apiError) {
	it, bad := s.byToken(c)
	if bad != nil {
		return nil, nil, bad
	}
	id := c.PathValue("message_id")
	switch {
	case id == "@original":
		id = it.original
	case id != it.original && !slices.Contains(it.messages, id):
		id = ""
	}
	m := s.find(it.channel.id, id)
	if m == nil {
		return nil, nil, unknown(codeUnknownMessage, "Message")
	}
	return it, m, nil
}

// getOriginal is GET …/messages/{@original|id}.
func (s *Server) getOriginal(c *call) (answer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, m, bad := s.target(c)
	if bad != nil {
		return answer{}, bad
	}
	return ok(m.JSON())
}

// patchOriginal is PATCH …/messages/{@original|id}.
func (s *Server) patchOriginal(c *call) (answer, *apiError) {
	n, bad := c.object()
	if bad != nil {
		return answer{}, bad
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	it, m, bad := s.target(c)
	if bad != nil {
		return answer{}, bad
	}
	return s.revise(it, m, n, c.uploads)
}

// revise edits a message of an interaction; Server.mu is held.
func (s *Server) revise(it *interaction, old *Message, n node, files []upload) (answer, *apiError) {
	d := readDraft(n, old, files)
	if bad := n.form.err(); bad != nil {
		return answer{}, bad
	}
	m, bad := d.edit(s, old, interactionMentions)
	if bad != nil {
		return answer{}, bad
	}
	if it.deferred == m.ID {
		it.deferred = ""
		m.EditedAt = old.EditedAt // the first contents are no edit
	}
	s.put(m, false)
	return ok(m.JSON())
}

// deleteOriginal is DELETE …/messages/{@original|id}.
func (s *Server) deleteOriginal(c *call) (answer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it, m, bad := s.target(c)
	if bad != nil {
		return answer{}, bad
	}
	if it.deferred == m.ID {
		it.deferred = ""
	}
	s.remove(m)
	return nothing()
}
