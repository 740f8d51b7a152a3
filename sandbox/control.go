package sandbox

import "context"

// WaitForBot waits until n gateway sessions are connected and ready.
func (s *Server) WaitForBot(ctx context.Context, n int) error {
	for {
		changed := s.watch("bot")
		if _, _, connected := s.gate.counts(); connected >= n {
			s.unwatch("bot", changed)
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			s.unwatch("bot", changed)
			return ctx.Err()
		}
	}
}

// CloseGateways ends all gateway connections with a close code; 0 cuts the TCP connections. Sessions can be resumed
// afterwards, unless the code says otherwise: 4004, 4007, 4009 and 4010 to 4014 end them.
func (s *Server) CloseGateways(code int) {
	s.gate.each(func(c *conn) { c.bye(code) })
}

// AskReconnect sends op 7 on all connections.
func (s *Server) AskReconnect() {
	s.gate.each(func(c *conn) { c.sendOp(opReconnect, nil) })
}

// AskHeartbeat sends op 1 on all connections.
func (s *Server) AskHeartbeat() {
	s.gate.each(func(c *conn) { c.sendOp(opHeartbeat, nil) })
}

// InvalidateSessions sends op 9 on all connections; sessions that are not resumable are forgotten.
func (s *Server) InvalidateSessions(resumable bool) {
	s.gate.each(func(c *conn) { s.gate.invalidate(c, resumable) })
}

// each visits the connections with gateway.mu held.
func (g *gateway) each(f func(*conn)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for c := range g.conns {
		f(c)
	}
}

// Heal ends all faults that were switched on, of REST and gateway, and puts the rate limits back as they were at the
// start. What the bot may do in channels, and who is where, stays.
func (s *Server) Heal() {
	s.ClearFaults()
	s.SetGatewayFaults(GatewayFaults{})
	s.limits.reset()
	s.gate.mu.Lock()
	defer s.gate.mu.Unlock()
	s.gate.disturbances = nil
}
