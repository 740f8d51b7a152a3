package page

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	"rowbot/sandbox"
)

// Bounds of the recorded traffic.
const (
	maxEntries    = 300
	maxBody       = 64 << 10 // of a body that is kept for its details
	trafficBuffer = 1024
	maxWord       = 40 // characters of a path between two slashes; what is longer is a token
	minID         = 17 // digits of a snowflake
)

// The kinds of traffic.
const (
	kindRequest     = "request"     // of the bot, with its answer
	kindInteraction = "interaction" // to the bot
	kindEvent       = "event"       // any other event to the bot
	kindControl     = "control"     // the gateway's own packets, both ways
)

// entry is a line of the traffic; what lies behind it is asked for when somebody wants to see it.
type entry struct {
	N       int       `json:"n"` // rises by one
	Kind    string    `json:"kind"`
	At      time.Time `json:"at"`
	FromBot bool      `json:"from_bot"`
	Title   string    `json:"title"`
	Note    string    `json:"note,omitempty"`
	Status  int       `json:"status,omitempty"` // of an answer; 0 when there was none
	Millis  float64   `json:"ms,omitempty"`
	Fault   bool      `json:"fault,omitempty"`

	path              string
	request, response json.RawMessage
}

// recorder keeps the latest traffic for the windows that show it. The zero value is ready.
type recorder struct {
	mu      sync.Mutex
	entries []entry // oldest first
	last    int
}

// add numbers an entry and forgets the oldest beyond the bound.
func (r *recorder) add(e entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	e.N = r.last
	if len(r.entries) >= maxEntries {
		r.entries = append(r.entries[:0], r.entries[1:]...)
	}
	r.entries = append(r.entries, e)
}

// since lists the entries behind number n, oldest first.
func (r *recorder) since(n int) []entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	from := max(0, len(r.entries)-(r.last-n))
	return append([]entry{}, r.entries[from:]...)
}

// find is the entry of a number; false when it is forgotten.
func (r *recorder) find(n int) (entry, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	i := n - (r.last - len(r.entries)) - 1
	if i < 0 || i >= len(r.entries) {
		return entry{}, false
	}
	return r.entries[i], true
}

// tap is where the traffic comes from.
type tap struct {
	exchanges *sandbox.Subscription[sandbox.Exchange]
	packets   *sandbox.Subscription[sandbox.Packet]
}

func (p *Page) tap() tap { return tap{p.srv.Traffic(trafficBuffer), p.srv.Packets(trafficBuffer)} }

// record notes the traffic until the page or the stand-in closes. When it falls behind it goes on with what comes.
func (p *Page) record(from tap) {
	for {
		ended := p.recordFrom(from.exchanges.C, from.packets.C)
		from.exchanges.Close()
		from.packets.Close()
		if ended {
			return
		}
		from = p.tap()
	}
}

func (p *Page) recordFrom(exchanges <-chan sandbox.Exchange, packets <-chan sandbox.Packet) (ended bool) {
	heard := 0
	for {
		select {
		case <-p.stop:
			return true
		case x, ok := <-exchanges:
			if !ok {
				return heard == 0
			}
			p.traffic.add(describeExchange(x))
			if p.faults.spent() {
				p.eachStale()
			}
		case x, ok := <-packets:
			if !ok {
				return heard == 0
			}
			p.traffic.add(describePacket(x))
		}
		heard++
		p.each(func(c *connection) { poke(c.heard) })
	}
}

// eachStale lets every window take people and faults anew.
func (p *Page) eachStale() { p.each(func(c *connection) { poke(c.stale) }) }

func describeExchange(x sandbox.Exchange) entry {
	e := entry{
		Kind: kindRequest, At: x.At, FromBot: true, Title: x.Method + " " + abridged(x.Path), Status: x.Status,
		Millis: float64(x.Took.Microseconds()) / 1000, Fault: x.Fault, path: x.Path, request: bounded(x.Request), response: bounded(x.Response),
	}
	if x.Fault {
		return mishap(e, x.Injected)
	}
	var failure struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	if x.Status >= 400 && json.Unmarshal(x.Response, &failure) == nil {
		e.Note = fmt.Sprintf("%d %s", failure.Code, failure.Message)
	}
	return e
}

// mishap completes the entry of an exchange that a fault answered.
func mishap(e entry, f sandbox.Fault) entry {
	e.Status, e.Note = f.Status, "fault"
	var body any
	switch {
	case f.Cut:
		e.Note = "fault: connection cut"
		return e
	case f.Status == 0:
		e.Note = "fault: given up by the bot"
		return e
	case f.Body == "":
		body = map[string]any{"code": f.Code, "message": f.Message}
	case json.Valid([]byte(f.Body)):
		body = json.RawMessage(f.Body)
	default:
		body = f.Body
	}
	if raw, err := json.Marshal(body); err == nil { // of strings and numbers, which cannot fail
		e.response = raw
	}
	return e
}

// abridged shortens the tokens and ids in a path, which say little to a reader.
func abridged(path string) string {
	path, query, _ := strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	for i, p := range parts {
		switch {
		case len(p) > maxWord:
			parts[i] = "…"
		case len(p) >= minID && strings.Trim(p, "0123456789") == "":
			parts[i] = "…" + p[len(p)-4:]
		}
	}
	path = strings.Join(parts, "/")
	if query != "" {
		path += "?" + query
	}
	return path
}

// ops name the packets that are no events.
var ops = map[int]string{
	1: "Heartbeat", 2: "Identify", 3: "Presence", 4: "Voice state", 6: "Resume", 7: "Reconnect", 8: "Request members", 9: "Invalid session",
	10: "Hello", 11: "Heartbeat ACK",
}

func describePacket(x sandbox.Packet) entry {
	e := entry{Kind: kindControl, At: x.At, FromBot: x.FromBot, request: bounded(x.Raw)}
	var p struct {
		Op int             `json:"op"`
		T  string          `json:"t"`
		D  json.RawMessage `json:"d"`
	}
	if json.Unmarshal(x.Raw, &p) != nil {
		e.Title, e.request = "Not a packet", nil
		return e
	}
	switch {
	case p.T == "INTERACTION_CREATE":
		e.Kind, e.Title, e.Note = kindInteraction, p.T, describeInteraction(p.D)
	case p.Op == 0:
		e.Kind, e.Title = kindEvent, p.T
	default:
		e.Title = ops[p.Op]
		e.Note = fmt.Sprintf("op %d", p.Op)
	}
	return e
}

// describeInteraction says in a few words who did what.
func describeInteraction(raw json.RawMessage) string {
	type user struct {
		Username string `json:"username"`
	}
	type option struct {
		Name    string   `json:"name"`
		Type    int      `json:"type"`
		Options []option `json:"options"`
	}
	var it struct {
		Type   int  `json:"type"`
		User   user `json:"user"`
		Member struct {
			User user `json:"user"`
		} `json:"member"`
		Data struct {
			Name     string   `json:"name"`
			CustomID string   `json:"custom_id"`
			Options  []option `json:"options"`
		} `json:"data"`
	}
	if json.Unmarshal(raw, &it) != nil {
		return ""
	}
	words := []string{it.Data.Name}
	for list := it.Data.Options; len(list) == 1 && list[0].Type <= sandbox.OptionGroup; list = list[0].Options {
		words = append(words, list[0].Name)
	}
	name := strings.Join(words, " ")
	what := map[int]string{2: "uses " + name, 3: "clicks " + it.Data.CustomID, 4: "types in " + name, 5: "submits " + it.Data.CustomID}
	return cmp.Or(it.User.Username, it.Member.User.Username, "somebody") + " " + what[it.Type]
}

// bounded lets go of bodies that are too large to keep.
func bounded(raw json.RawMessage) json.RawMessage {
	if len(raw) > maxBody || !json.Valid(raw) {
		return nil
	}
	return raw
}

// trafficEvent brings lines of the traffic, oldest first.
type trafficEvent struct {
	T       string  `json:"t"` // "traffic"
	Entries []entry `json:"entries"`
}

// sendTraffic sends what a listening window has not got yet.
func (c *connection) sendTraffic(ctx context.Context) {
	if !c.listens {
		return
	}
	list := c.page.traffic.since(c.upTo)
	if len(list) == 0 {
		return
	}
	c.upTo = list[len(list)-1].N
	c.send(ctx, trafficEvent{"traffic", list})
}

// detail is what lies behind an entry.
type detail struct {
	Path     string          `json:"path,omitempty"`
	Request  json.RawMessage `json:"request,omitempty"` // or the packet
	Response json.RawMessage `json:"response,omitempty"`
}

func (c *connection) detail(n int) (*detail, error) {
	e, ok := c.page.traffic.find(n)
	if !ok {
		return nil, errGone
	}
	return &detail{e.path, e.request, e.response}, nil
}
