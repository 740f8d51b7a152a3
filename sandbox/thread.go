package sandbox

import "net/http"

// postThread is POST /channels/{id}/messages/{id}/threads: a public thread of a message, which has the message's ID.
func (s *Server) postThread(c *call) (answer, *apiError) {
	n, bad := c.object()
	if bad != nil {
		return answer{}, bad
	}
	t, bad := s.openThread(c, n)
	if bad != nil {
		return answer{}, bad
	}
	s.announce(Event{Kind: WorldChanged, ChannelID: t.id})
	return answer{http.StatusCreated, t.wire()}, nil
}

func (s *Server) openThread(c *call, n node) (*Channel, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch, bad := s.place(c, PermCreateThreads)
	if bad != nil {
		return nil, bad
	}
	name := n.mustText("name", 1, 100)
	if n.has("auto_archive_duration") {
		n.choice("auto_archive_duration", 60, 1440, 4320, 10080)
	}
	if bad := n.form.err(); bad != nil {
		return nil, bad
	}
	id := c.PathValue("message_id")
	switch {
	case ch.kind != ChannelText:
		return nil, &apiError{status: http.StatusBadRequest, Code: codeWrongChannel, Message: "Cannot execute action on this channel type"}
	case ch.public.get(id) == nil:
		return nil, unknown(codeUnknownMessage, "Message")
	case s.world.channels[id] != nil:
		return nil, &apiError{status: http.StatusBadRequest, Code: codeThreadExists, Message: "A thread has already been created for this message"}
	}
	t := s.newChannel(id, ChannelThread, name, ch.guild)
	t.parent, t.botPerms = ch, ch.botPerms
	return t, nil
}

// thread is what a thread's object has beside a channel's.
func (c *Channel) thread(out map[string]any) {
	out["parent_id"], out["owner_id"] = c.parent.id, ApplicationID
	out["message_count"], out["member_count"], out["total_message_sent"] = 0, 0, 0
	out["thread_metadata"] = map[string]any{
		"archived": false, "auto_archive_duration": 1440, "archive_timestamp": stamp(c.server.opt.Now()), "locked": false,
	}
}
