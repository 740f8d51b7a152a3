package sandbox

import "slices"

// Stage is a moment in the life of a gateway connection at which something can go wrong.
type Stage int

// The stages. "InsteadOf" replaces what should come there; the others add to it.
const (
	BeforeHello      Stage = iota + 1 // right before HELLO
	InsteadOfHello                    // HELLO does not come
	BeforeReady                       // after IDENTIFY, right before READY
	InsteadOfReady                    // READY does not come, and there is no session
	AfterReady                        // after READY and the guilds
	BeforeReplay                      // after RESUME, before the missed events
	InsteadOfResumed                  // the missed events come, RESUMED does not
	AfterResumed                      // after RESUMED
)

// Disturbance is what happens at a Stage: a packet, the end of the connection, or both in this order. The zero value
// sends nothing, so that at an "InsteadOf" stage the client waits in vain.
type Disturbance struct {
	op        int
	resumable bool
	leave     bool
	code      int
}

// Reconnecting is op 7.
func Reconnecting() Disturbance { return Disturbance{op: opReconnect} }

// InvalidSession is op 9; a session that is not resumable is forgotten.
func InvalidSession(resumable bool) Disturbance {
	return Disturbance{op: opInvalid, resumable: resumable}
}

// ClosedWith ends the connection with a close code; 0 cuts the TCP connection.
func ClosedWith(code int) Disturbance { return Disturbance{leave: true, code: code} }

// disturbance is one that waits for its moment.
type disturbance struct {
	left int
	at   Stage
	what Disturbance
}

// Disturb lets the next n connections that reach a stage meet the disturbance; a negative n means until Heal.
func (s *Server) Disturb(n int, at Stage, d Disturbance) {
	if n == 0 {
		return
	}
	g := s.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	g.disturbances = append(g.disturbances, &disturbance{n, at, d})
}

// disturb does what waits for a stage and tells whether there was something; gateway.mu is held.
func (g *gateway) disturb(c *conn, at Stage) bool {
	i := slices.IndexFunc(g.disturbances, func(d *disturbance) bool { return d.at == at })
	if i < 0 {
		return false
	}
	d := g.disturbances[i]
	if d.left > 0 {
		d.left--
	}
	if d.left == 0 {
		g.disturbances = slices.Delete(g.disturbances, i, i+1)
	}
	g.suffer(c, d.what)
	return true
}

func (g *gateway) suffer(c *conn, d Disturbance) {
	switch d.op {
	case opReconnect:
		c.sendOp(opReconnect, nil)
	case opInvalid:
		g.invalidate(c, d.resumable)
	}
	if d.leave {
		c.bye(d.code)
	}
}

// invalidate sends op 9; a session that is not resumable is forgotten. gateway.mu is held.
func (g *gateway) invalidate(c *conn, resumable bool) {
	c.sendOp(opInvalid, resumable)
	if ses := c.session; ses != nil && !resumable {
		delete(g.sessions, ses.id)
		ses.conn, c.session = nil, nil
	}
}
