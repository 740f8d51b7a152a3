package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"
)

// Bounds of a connection.
const (
	maxPacket   = 4096      // of what the client sends
	readLimit   = 256 << 10 // what is read at all, so that a larger packet can be refused properly
	sendQueue   = 4096      // packets waiting for a slow client before it is cut off
	sendTimeout = 10 * time.Second
	floodCount  = 120
	floodWindow = time.Minute
)

// conn is one websocket connection. session is guarded by gateway.mu, the rest belongs to the connection's goroutines.
type conn struct {
	gate    *gateway
	ws      *websocket.Conn
	out     chan outgoing
	leave   chan int // a close code; capacity 1, the first counts
	address string   // ws://… as the client reaches it
	version string
	session *session

	beats chan struct{} // a heartbeat came; capacity 1
	sent  []time.Time   // when the client's last packets came

	hello  *time.Timer // set while HELLO is held back
	pack   *squeezer
	parted bool // the client's goodbye ended the session
	hungUp bool // the server said goodbye first
	ended  bool // the server's goodbye ended the session
}

// serve runs a gateway connection until it ends.
func (g *gateway) serve(w http.ResponseWriter, r *http.Request) {
	pack, err := newSqueezer(r.URL.Query().Get("compress"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // Accept has answered
	}
	c := &conn{
		gate: g, ws: ws, out: make(chan outgoing, sendQueue), leave: make(chan int, 1), beats: make(chan struct{}, 1),
		address: gatewayURL(r), version: r.URL.Query().Get("v"), pack: pack, hello: time.NewTimer(0),
	}
	ws.SetReadLimit(readLimit)
	if !g.admit(c) {
		ws.CloseNow()
		return
	}
	defer g.running.Done()
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	var writing sync.WaitGroup
	c.greet()
	writing.Go(func() { c.write(ctx) })
	c.read(ctx)
	cancel()
	writing.Wait()
	ws.CloseNow()
	g.lost(c, c.ended || c.parted && !c.hungUp)
}

// admit counts a connection in; false when the server is closing.
func (g *gateway) admit(c *conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shutDown {
		return false
	}
	g.conns[c] = true
	g.running.Add(1)
	return true
}

// shut ends all connections and waits for them.
func (g *gateway) shut() {
	g.mu.Lock()
	g.shutDown = true
	for c := range g.conns {
		c.bye(closeGoingAway)
	}
	g.mu.Unlock()
	g.running.Wait()
}

// greet refuses a wrong version, and decides when HELLO comes.
func (c *conn) greet() {
	c.hello.Stop()
	if c.version != "" && c.version != "9" && c.version != "10" {
		c.bye(closeVersion)
		return
	}
	c.gate.mu.Lock()
	f := c.gate.faults
	c.gate.mu.Unlock()
	switch {
	case f.NoHello:
	case f.HelloDelay > 0:
		c.hello.Reset(f.HelloDelay)
	default:
		c.sayHello()
	}
}

func (c *conn) sayHello() {
	g := c.gate
	g.mu.Lock()
	defer g.mu.Unlock()
	g.disturb(c, BeforeHello)
	if !g.disturb(c, InsteadOfHello) {
		c.sendOp(opHello, map[string]any{"heartbeat_interval": g.server.opt.HeartbeatInterval.Milliseconds()})
	}
}

// send queues a packet; a client that does not read is cut off.
func (c *conn) send(o outgoing) {
	c.gate.server.tap(false, o.raw)
	select {
	case c.out <- o:
	default:
		c.bye(closeWithoutGoodbyes)
	}
}

// sendOp queues a packet that is not an event.
func (c *conn) sendOp(op int, d any) {
	c.send(outgoing{raw: encode(map[string]any{"op": op, "d": d, "s": nil, "t": nil})})
}

// bye asks for the connection to be closed with a code.
func (c *conn) bye(code int) {
	select {
	case c.leave <- code:
	default:
	}
}

// write sends what is queued, closes when asked to, and misses heartbeats.
func (c *conn) write(ctx context.Context) {
	missing := time.NewTicker(2 * c.gate.server.opt.HeartbeatInterval)
	defer missing.Stop()
	defer c.hello.Stop()
	for {
		select {
		case o := <-c.out:
			if c.put(ctx, o) != nil {
				c.ws.CloseNow()
				return
			}
		case <-c.hello.C:
			c.sayHello()
		case code := <-c.leave:
			c.flush(ctx)
			c.hangUp(code)
			return
		case <-missing.C:
			select {
			case <-c.beats:
			default:
				c.bye(closeTimeout)
			}
		case <-ctx.Done():
			return
		}
	}
}

// put writes one packet, compressed if the client wants that.
func (c *conn) put(ctx context.Context, o outgoing) error {
	kind := websocket.MessageText
	raw, binary, err := c.pack.frame(o)
	if err != nil {
		return err
	}
	if binary {
		kind = websocket.MessageBinary
	}
	limit, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	return c.ws.Write(limit, kind, raw)
}

// flush sends what was queued before the goodbye.
func (c *conn) flush(ctx context.Context) {
	for {
		select {
		case o := <-c.out:
			if c.put(ctx, o) != nil {
				return
			}
		default:
			return
		}
	}
}

func (c *conn) hangUp(code int) {
	c.hungUp, c.ended = true, slices.Contains(endingCodes, code)
	if code == closeWithoutGoodbyes {
		c.ws.CloseNow()
		return
	}
	// Errors mean that the client is gone already.
	_ = c.ws.Close(websocket.StatusCode(code), closeReasons[code])
}

// closeReasons are short; clients print them.
var closeReasons = map[int]string{
	closeUnknownOp: "Unknown opcode.", closeDecode: "Error while decoding payload.", closeNotIdentified: "Not authenticated.",
	closeToken: "Authentication failed.", closeAlready: "Already authenticated.", closeSeq: "Invalid seq.",
	closeFlood: "Rate limited.", closeTimeout: "Session timed out.", closeShard: "Invalid shard.",
	closeShardingNeeded: "Sharding required.", closeVersion: "Invalid API version.", closeIntents: "Invalid intent(s).",
	closePrivileged: "Disallowed intent(s).",
}

// endingCodes are the server's close codes after which a session cannot be resumed.
var endingCodes = []int{
	closeToken, closeSeq, closeTimeout, closeShard, closeShardingNeeded, closeVersion, closeIntents, closePrivileged,
}

// read handles packets until the connection ends.
func (c *conn) read(ctx context.Context) {
	for {
		_, raw, err := c.ws.Read(ctx)
		if err != nil {
			if closed, ok := errors.AsType[websocket.CloseError](err); ok {
				c.parted = closed.Code == closeNormal || closed.Code == closeGoingAway
			}
			return
		}
		c.gate.server.tap(true, raw)
		if code := c.handle(raw); code != 0 {
			c.bye(code)
		}
	}
}

// handle does what a packet asks for; it returns a close code for a refusal, else 0.
func (c *conn) handle(raw []byte) int {
	if c.flooded() {
		return closeFlood
	}
	var p struct {
		Op *int            `json:"op"`
		D  json.RawMessage `json:"d"`
	}
	if len(raw) > maxPacket || json.Unmarshal(raw, &p) != nil || p.Op == nil {
		return closeDecode
	}
	switch *p.Op {
	case opHeartbeat:
		c.beat()
		return 0
	case opIdentify:
		return c.gate.identify(c, p.D)
	case opResume:
		return c.gate.resume(c, p.D)
	case opPresence, opVoice, opMembers, opSounds, opChannels:
		return c.known()
	}
	return closeUnknownOp
}

// known refuses what needs a session first.
func (c *conn) known() int {
	c.gate.mu.Lock()
	defer c.gate.mu.Unlock()
	if c.session == nil {
		return closeNotIdentified
	}
	return 0
}

// beat acknowledges a heartbeat.
func (c *conn) beat() {
	select {
	case c.beats <- struct{}{}:
	default:
	}
	c.gate.mu.Lock()
	quiet := c.gate.faults.Silent || c.gate.faults.NoAcks
	c.gate.mu.Unlock()
	if !quiet {
		c.sendOp(opAck, nil)
	}
}

// flooded counts the client's packets.
func (c *conn) flooded() bool {
	now := c.gate.server.opt.Now()
	c.sent = append(c.sent, now)
	for len(c.sent) > 0 && now.Sub(c.sent[0]) >= floodWindow {
		c.sent = c.sent[1:]
	}
	return len(c.sent) > floodCount
}
