package sandbox

import (
	"net/http"
	"strconv"
)

// getGateway is GET /gateway.
func (s *Server) getGateway(c *call) (answer, *apiError) {
	return ok(map[string]any{"url": gatewayURL(c.Request)})
}

// getGatewayBot is GET /gateway/bot.
func (s *Server) getGatewayBot(c *call) (answer, *apiError) {
	total, remaining, reset := s.gate.budget()
	return ok(map[string]any{
		"url": gatewayURL(c.Request), "shards": s.opt.Shards,
		"session_start_limit": map[string]any{
			"total": total, "remaining": remaining, "reset_after": reset.Milliseconds(), "max_concurrency": s.opt.MaxConcurrency,
		},
	})
}

// gatewayURL is the websocket address as the asking client can reach it.
func gatewayURL(r *http.Request) string { return "ws://" + r.Host + "/gateway" }

// getApplication is GET /applications/@me and /oauth2/applications/@me.
func (s *Server) getApplication(*call) (answer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	guilds := 0
	for _, g := range s.world.guilds {
		if g.hasBot {
			guilds++
		}
	}
	return ok(map[string]any{
		"id": ApplicationID, "name": "Rowbot", "icon": nil, "description": "", "type": nil, "verify_key": VerifyKey,
		"bot": s.world.bot.user.wire(), "owner": s.Alice.user.wire(), "bot_public": true, "bot_require_code_grant": false,
		"flags": 0, "flags_new": "0", "redirect_uris": []any{}, "interactions_endpoint_url": orNull(s.Endpoint()),
		"role_connections_verification_url": nil, "approximate_guild_count": guilds, "approximate_user_install_count": 0,
		"approximate_user_authorization_count": 0, "explicit_content_filter": 0, "team": nil, "eligible_oauth2_scopes": []any{},
		"integration_types_config": map[string]any{"0": map[string]any{}, "1": map[string]any{}},
	})
}

// patchApplication is PATCH /applications/@me; of its fields only the Interactions Endpoint URL has a meaning here.
func (s *Server) patchApplication(c *call) (answer, *apiError) {
	n, bad := c.object()
	if bad != nil {
		return answer{}, bad
	}
	address := n.text("interactions_endpoint_url", 0, 2048)
	if bad := n.form.err(); bad != nil {
		return answer{}, bad
	}
	if n.named("interactions_endpoint_url") {
		if err := s.SetEndpoint(c.Context(), address); err != nil {
			n.fail("interactions_endpoint_url", "APPLICATION_INTERACTIONS_ENDPOINT_URL_INVALID",
				"The specified interactions endpoint URL could not be verified.")
			return answer{}, n.form.err()
		}
	}
	return s.getApplication(c)
}

// getMe is GET /users/@me.
func (s *Server) getMe(*call) (answer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.world.bot.user.wire()
	out["mfa_enabled"], out["locale"], out["verified"], out["email"] = true, "en-US", true, nil
	return ok(out)
}

// maxGuilds is how many guilds the bot is told of at a time.
const maxGuilds = 200

// getMyGuilds is GET /users/@me/guilds: those that the bot is in, oldest first.
func (s *Server) getMyGuilds(c *call) (answer, *apiError) {
	q := c.URL.Query()
	limit := maxGuilds
	if text := q.Get("limit"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxGuilds {
			return answer{}, formProblem("NUMBER_TYPE_MAX", "limit: int value should be between 1 and 200.")
		}
		limit = n
	}
	after := q.Get("after")
	if after != "" && !isSnowflake(after) {
		return answer{}, formProblem("NUMBER_TYPE_COERCE", "after: value is not snowflake.")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []any{}
	for _, g := range s.sortedGuilds() {
		if !g.hasBot || after != "" && compareIDs(g.id, after) <= 0 || len(out) == limit {
			continue
		}
		out = append(out, map[string]any{
			"id": g.id, "name": g.name, "icon": nil, "banner": nil, "owner": false, "permissions": bits(g.everyone), "features": []any{},
		})
	}
	return ok(out)
}

// getUser is GET /users/{id}.
func (s *Server) getUser(c *call) (answer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.world.people[c.PathValue("user_id")]
	if p == nil {
		return answer{}, unknown(codeUnknownUser, "User")
	}
	return ok(p.user.wire())
}

// getGuild is GET /guilds/{id}.
func (s *Server) getGuild(c *call) (answer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, bad := s.ownGuild(c)
	if bad != nil {
		return answer{}, bad
	}
	return ok(g.full())
}

// ownGuild finds the guild of a route, which the bot has to be in; Server.mu is held.
func (s *Server) ownGuild(c *call) (*Guild, *apiError) {
	g := s.world.guilds[c.PathValue("guild_id")]
	if g == nil {
		return nil, unknown(codeUnknownGuild, "Guild")
	}
	if !g.hasBot {
		return nil, forbidden(codeNoAccess, "Missing Access")
	}
	return g, nil
}

// getMember is GET /guilds/{id}/members/{id}.
func (s *Server) getMember(c *call) (answer, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, bad := s.ownGuild(c)
	if bad != nil {
		return answer{}, bad
	}
	mb := g.members[c.PathValue("user_id")]
	if mb == nil {
		return answer{}, unknown(codeUnknownMember, "Member")
	}
	return ok(mb.wire(true))
}
