package sandbox

import (
	"encoding/json"
	"time"
)

// heldEvent is an event that waits to be overtaken.
type heldEvent struct {
	guildID, event string
	data           json.RawMessage
	timer          *time.Timer
}

// dispatch sends an event to every session whose shard it belongs to, unless the gateway's faults decide otherwise.
func (g *gateway) dispatch(guildID, event string, data json.RawMessage) {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.faults.LoseNow > 0:
		g.faults.LoseNow--
		return
	case g.faults.OutOfOrder && g.held == nil && !g.shutDown:
		g.hold(&heldEvent{guildID: guildID, event: event, data: data})
		return
	}
	g.deliver(guildID, event, data)
	g.letGo()
}

func (g *gateway) deliver(guildID, event string, data json.RawMessage) {
	for _, ses := range g.sessions {
		if shardOf(guildID, ses.shard[1]) == ses.shard[0] {
			g.send(ses, event, data)
		}
	}
}

// hold keeps an event back until another one overtakes it, or a third of the time to answer has passed.
func (g *gateway) hold(h *heldEvent) {
	g.held = h
	g.running.Add(1)
	h.timer = time.AfterFunc(g.server.opt.AnswerWithin/3, func() {
		defer g.running.Done()
		g.mu.Lock()
		defer g.mu.Unlock()
		if g.held == h {
			g.held = nil
			g.deliver(h.guildID, h.event, h.data)
		}
	})
}

// letGo delivers the event that was kept back.
func (g *gateway) letGo() {
	h := g.held
	if h == nil {
		return
	}
	g.held = nil
	if h.timer.Stop() {
		g.running.Done()
	}
	g.deliver(h.guildID, h.event, h.data)
}
