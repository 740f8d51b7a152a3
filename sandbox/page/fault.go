package page

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"rowbot/sandbox"
)

// limitedFor is what a 429 of the panel asks to wait.
const limitedFor = 2 * time.Second

// misfortunes are what can happen to the answers of the bot's requests. Of the delays one is in force at a time, and
// of the others too.
var misfortunes = map[string]sandbox.Fault{
	"slow":   sandbox.Slow(2 * time.Second),
	"late":   sandbox.Slow(4 * time.Second), // later than the first answer to an interaction may be
	"limit":  sandbox.RateLimited(limitedFor),
	"global": sandbox.GlobalRateLimited(limitedFor),
	"proxy":  sandbox.HTMLRateLimited(limitedFor),
	"error":  sandbox.Refusal(500, 0, "500: Internal Server Error"),
	"lost":   sandbox.LostAnswer(),
}

// targets are the requests that a misfortune can be aimed at: method and route.
var targets = map[string][2]string{
	"all":     {"", ""},
	"answers": {"POST", sandbox.RouteCallback},
	"edits":   {"PATCH", sandbox.RouteMessage},
	"posts":   {"POST", sandbox.RouteMessages},
}

// permissions are what the bot can be forbidden in a channel.
var permissions = map[string]uint64{
	"view": sandbox.PermViewChannel, "send": sandbox.PermSendMessages, "embed": sandbox.PermEmbedLinks, "attach": sandbox.PermAttachFiles,
	"history": sandbox.PermReadHistory,
}

// faultsEvent is which faults are on.
type faultsEvent struct {
	T      string              `json:"t"` // "faults"
	On     []string            `json:"on"`
	Target string              `json:"target"` // the requests that meet them
	Times  int                 `json:"times"`  // so many of them; 0: all
	Denied map[string][]string `json:"denied"` // permissions that the bot lacks, by channel
}

// board is the switchboard of the faults: one for all windows.
type board struct {
	srv *sandbox.Server

	mu      sync.Mutex
	delay   string // a key of misfortunes, or empty
	answer  string // likewise
	target  string
	times   int
	allowed map[string]uint64 // what the bot might do before it was forbidden something, by channel id
}

// set turns a misfortune, "silence" or "twice" on or off. False: there is no such fault or target.
func (b *board) set(name string, on bool, target string, times int) bool {
	switch name {
	case "silence":
		b.srv.Silence(on)
		return true
	case "twice":
		b.srv.DeliverTwice(on)
		return true
	}
	fault, known := misfortunes[name]
	if target == "" {
		target = "all"
	}
	if _, aimed := targets[target]; !known || !aimed || times < 0 {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	slot := &b.answer
	if fault.Delay > 0 {
		slot = &b.delay
	}
	switch {
	case on:
		*slot, b.target, b.times = name, target, times
	case *slot == name:
		*slot = ""
	}
	b.prepare()
	return true
}

// prepare puts into force what is switched on; b.mu is held.
func (b *board) prepare() {
	b.srv.ClearFaults()
	if b.delay == "" && b.answer == "" {
		return
	}
	fault := misfortunes[b.answer]
	fault.Delay = misfortunes[b.delay].Delay
	n := b.times
	if n == 0 {
		n = -1
	}
	b.srv.Fail(n, targets[b.target][0], targets[b.target][1], fault)
}

// spent switches off what was to happen so many times and has; it tells whether it did.
func (b *board) spent() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.times == 0 || b.delay == "" && b.answer == "" || b.srv.PreparedFaults() != 0 {
		return false
	}
	b.delay, b.answer = "", ""
	return true
}

// act does what happens once; false for something unknown.
func (b *board) act(name string) bool {
	switch name {
	case "drop":
		b.srv.CloseGateways(0)
	case "reconnect":
		b.srv.AskReconnect()
	case "invalid":
		b.srv.InvalidateSessions(false)
	case "resumable":
		b.srv.InvalidateSessions(true)
	default:
		return false
	}
	return true
}

// allow lets the bot do something in a channel, or forbids it; false for an unknown permission.
func (b *board) allow(ch *sandbox.Channel, name string, on bool) bool {
	bit, known := permissions[name]
	if !known {
		return false
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	now := ch.BotPermissions()
	if _, noted := b.allowed[ch.ID()]; !noted {
		b.allowed[ch.ID()] = now
	}
	if now &^= bit; on {
		now |= bit
	}
	ch.SetBotPermissions(now)
	return true
}

// clear ends all faults and gives back what was forbidden.
func (b *board) clear() {
	b.srv.ClearFaults()
	b.srv.Silence(false)
	b.srv.DeliverTwice(false)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.delay, b.answer, b.times = "", "", 0
	for id, bits := range b.allowed {
		if ch := b.srv.ChannelByID(id); ch != nil {
			ch.SetBotPermissions(bits)
		}
	}
	clear(b.allowed)
}

// state is which faults are on. What the bot never had in a channel counts as no fault.
func (b *board) state() faultsEvent {
	gate := b.srv.GatewayFaultsNow()
	b.mu.Lock()
	defer b.mu.Unlock()
	e := faultsEvent{T: "faults", On: []string{}, Target: b.target, Times: b.times, Denied: map[string][]string{}}
	for name, on := range map[string]bool{b.delay: b.delay != "", b.answer: b.answer != "", "silence": gate.Silent, "twice": gate.Twice} {
		if on {
			e.On = append(e.On, name)
		}
	}
	slices.Sort(e.On)
	for id, bits := range b.allowed {
		ch := b.srv.ChannelByID(id)
		if ch == nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(permissions)) {
			if bits&permissions[name] != 0 && ch.BotPermissions()&permissions[name] == 0 {
				e.Denied[id] = append(e.Denied[id], name)
			}
		}
	}
	return e
}

func (c *connection) sendFaults(ctx context.Context) { c.send(ctx, c.page.faults.state()) }
