package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
)

// peer is the server's end of one gateway connection.
type peer struct {
	f   *fake
	n   int // from 1
	ws  *websocket.Conn
	ctx context.Context
	seq *atomic.Int64 // of the last event sent
}

func (p *peer) send(op int, event, data string) {
	name := "null"
	seq := "null"
	if event != "" {
		name, seq = `"`+event+`"`, strconv.FormatInt(p.seq.Add(1), 10)
	}
	p.ws.Write(p.ctx, websocket.MessageText, fmt.Appendf(nil, `{"op":%d,"t":%s,"s":%s,"d":%s}`, op, name, seq, data))
}

// read gives the next packet, and false when the connection is over.
func (p *peer) read() (op int, data json.RawMessage, ok bool) {
	_, b, err := p.ws.Read(p.ctx)
	if err != nil {
		p.f.mu.Lock()
		p.f.closes[p.n] = websocket.CloseStatus(err)
		p.f.mu.Unlock()
		return 0, nil, false
	}
	var packet struct {
		Op int             `json:"op"`
		D  json.RawMessage `json:"d"`
	}
	if err := json.Unmarshal(b, &packet); err != nil {
		p.f.t.Errorf("packet: %v", err)
	}
	return packet.Op, packet.D, true
}

// identify says HELLO and waits for IDENTIFY.
func (p *peer) identify() { p.identifyBeating(100) }

// identifyBeating is identify with a time between heartbeats, in milliseconds.
func (p *peer) identifyBeating(interval int) {
	p.send(10, "", fmt.Sprintf(`{"heartbeat_interval":%d}`, interval))
	data := p.await(2)
	if data == nil {
		return
	}
	var i identify
	if err := json.Unmarshal(data, &i); err != nil {
		p.f.t.Errorf("identify: %v", err)
	}
	i.at = time.Now()
	p.f.mu.Lock()
	defer p.f.mu.Unlock()
	p.f.identifies = append(p.f.identifies, i)
}

// resume says HELLO and waits for RESUME, after which the events are numbered
// on from the one the client names.
func (p *peer) resume() {
	p.send(10, "", `{"heartbeat_interval":100}`)
	data := p.await(6)
	if data == nil {
		return
	}
	var r resume
	if err := json.Unmarshal(data, &r); err != nil {
		p.f.t.Errorf("resume: %v", err)
	}
	p.seq.Store(r.Seq)
	p.f.mu.Lock()
	defer p.f.mu.Unlock()
	p.f.resumes = append(p.f.resumes, r)
}

// await reads until a packet of the kind comes, and gives nil when the
// connection is over before. A packet that begins another kind of session is
// a fault.
func (p *peer) await(want int) json.RawMessage {
	for {
		op, data, ok := p.read()
		switch {
		case !ok:
			return nil
		case op == want:
			return data
		case op == 2 || op == 6:
			p.f.t.Errorf("packet with op %d, want %d", op, want)
		}
	}
}

// ready begins a session that cannot be resumed, because nobody listens at the
// address for it.
func (p *peer) ready() { p.readyAt("ws://127.0.0.1:1") }

func (p *peer) readyAt(resume string) {
	p.send(0, "READY", `{"v":10,"user":{"id":"2","username":"Rowbot","discriminator":"0"},"guilds":[],"session_id":"s",`+
		`"resume_gateway_url":"`+resume+`","application":{"id":"1","flags":0}}`)
}

// readyHere begins a session that can be resumed at this gateway.
func (p *peer) readyHere() { p.readyAt("ws" + strings.TrimPrefix(p.f.URL, "http") + "/ws") }

// beats answers heartbeats until the connection is over.
func (p *peer) beats() {
	for {
		op, _, ok := p.read()
		if !ok {
			return
		}
		if op == 1 {
			p.send(11, "", "null")
		}
	}
}

// deaf reads on and answers nothing, until the connection is over.
func (p *peer) deaf() {
	for {
		if _, _, ok := p.read(); !ok {
			return
		}
	}
}

// rarely is a time between heartbeats, in milliseconds, that no test lasts.
const rarely = 3_600_000

// taken returns when the client has dealt with all that was sent. It is for a peer
// whose client beats rarely, after its first heartbeat: the next one is the answer
// to the packet that asks for it, which goes out when the library reads on after
// the last event.
func (p *peer) taken() {
	p.send(11, "", "null") // goes through to the library, which takes one packet at a time
	p.send(1, "", "null")
	p.await(1)
}

func (p *peer) interaction(id string) {
	p.send(0, "INTERACTION_CREATE", `{"id":"`+id+`","application_id":"1","type":2,"token":"interaction-token-`+id+`","version":1,`+
		`"guild_id":"5","channel_id":"6","member":{"user":{"id":"7","username":"Alice"}},"data":{"id":"9","name":"ttt","type":1}}`)
}

// serve is a connection without faults, with the given interactions.
func (p *peer) serve(interactions ...string) {
	p.identify()
	p.ready()
	for _, id := range interactions {
		p.interaction(id)
	}
	p.beats()
}
