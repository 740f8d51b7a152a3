package page

import (
	"context"
	"encoding/json"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/coder/websocket"

	"rowbot/sandbox"
)

const (
	readLimit    = 16 << 20         // of one request; a form with a file of Discord's size fits
	writeTimeout = 10 * time.Second // a browser that takes nothing for so long is gone
	inFlight     = 32               // requests of one page that may wait for the bot at once
	// statusUnknownPerson is the close code for a person that does not exist: the page then picks another.
	statusUnknownPerson = websocket.StatusCode(4004)
)

// connection is one open page: a person who looks at one channel at a time.
type connection struct {
	page   *Page
	ws     *websocket.Conn
	person *sandbox.Person

	out   chan []byte   // to the browser, in order
	look  chan request  // what to look at
	stale chan struct{} // people, faults or languages have changed; capacity 1
	heard chan struct{} // there is traffic; capacity 1
	busy  chan struct{}
	work  sync.WaitGroup // requests that wait for the bot

	modals modals

	// Used by watch only.
	channel *sandbox.Channel
	seen    map[string]bool // ids of the channels this person sees
	listens bool            // the traffic is shown
	upTo    int             // number of the last entry of the traffic that was sent
}

// connect is GET /page/ws?user=ID, where the user may also be named. It serves one open page until it ends.
func (p *Page) connect(w http.ResponseWriter, r *http.Request) {
	ws, err := websocket.Accept(w, r, nil) // refuses other origins
	if err != nil {
		return // Accept has answered
	}
	defer ws.CloseNow()
	ws.SetReadLimit(readLimit)
	person := p.person(r.URL.Query().Get("user"))
	if person == nil {
		_ = ws.Close(statusUnknownPerson, "no such person") // the browser may be gone
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	c := &connection{
		page: p, ws: ws, person: person, out: make(chan []byte, 16), look: make(chan request),
		stale: make(chan struct{}, 1), heard: make(chan struct{}, 1),
		busy: make(chan struct{}, inFlight), modals: newModals(),
	}
	if !p.enter(c, cancel) {
		return
	}
	defer p.leave(c)
	c.run(ctx, cancel)
}

// person finds whom a page wants to be; the first one when it does not say; nil for nobody and for bots.
func (p *Page) person(key string) *sandbox.Person {
	var found *sandbox.Person
	if key == "" {
		found = p.srv.Alice
	} else if found = p.srv.PersonByID(key); found == nil {
		found = p.srv.PersonByName(key)
	}
	if found == nil || found.User().Bot {
		return nil
	}
	return found
}

// enter counts a connection in; false when the page is closing.
func (p *Page) enter(c *connection, cancel context.CancelFunc) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return false
	}
	p.open[c] = cancel
	p.running.Add(1)
	return true
}

func (p *Page) leave(c *connection) {
	p.mu.Lock()
	delete(p.open, c)
	p.mu.Unlock()
	p.running.Done()
}

// run serves the connection and returns when all of it has ended.
func (c *connection) run(ctx context.Context, cancel context.CancelFunc) {
	var parts sync.WaitGroup
	parts.Go(func() { defer cancel(); defer c.rescue(ctx); c.write(ctx) })
	parts.Go(func() { defer cancel(); defer c.rescue(ctx); c.watch(ctx) })
	c.read(ctx)
	cancel()
	c.work.Wait()
	parts.Wait()
}

// rescue keeps a panic of one connection from ending the process.
func (c *connection) rescue(ctx context.Context) {
	if v := recover(); v != nil {
		c.page.log.ErrorContext(ctx, "page connection panicked", "panic", v, "stack", string(debug.Stack()))
	}
}

// write sends what is queued.
func (c *connection) write(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case raw := <-c.out:
			limited, done := context.WithTimeout(ctx, writeTimeout)
			err := c.ws.Write(limited, websocket.MessageText, raw)
			done()
			if err != nil {
				return
			}
		}
	}
}

// send queues something for the browser; it is dropped when the connection ends.
func (c *connection) send(ctx context.Context, v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		c.page.log.ErrorContext(ctx, "page cannot encode what it sends", "error", err)
		return
	}
	c.sendRaw(ctx, raw)
}

// sendRaw queues what is encoded already.
func (c *connection) sendRaw(ctx context.Context, raw []byte) {
	select {
	case c.out <- raw:
	case <-ctx.Done():
	}
}

// poke wakes a connection that waits on a channel of capacity 1.
func poke(wake chan struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

// read takes requests until the browser leaves.
func (c *connection) read(ctx context.Context) {
	for {
		_, raw, err := c.ws.Read(ctx)
		if err != nil {
			return
		}
		var req request
		if json.Unmarshal(raw, &req) != nil {
			_ = c.ws.Close(websocket.StatusUnsupportedData, "not a request") // it ends either way
			return
		}
		if req.looks() {
			select {
			case c.look <- req:
			case <-ctx.Done():
				return
			}
			continue
		}
		select {
		case c.busy <- struct{}{}:
			c.work.Go(func() {
				defer func() { <-c.busy }()
				defer c.rescue(ctx)
				c.send(ctx, c.perform(ctx, req))
			})
		default:
			c.send(ctx, result{T: "result", ID: req.ID, Error: "Too much at once. Wait for the answers."})
		}
	}
}
