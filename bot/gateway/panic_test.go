package gateway_test

import (
	"context"
	"log/slog"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/gateway"
)

// trap panics once, after it has been set, where it is asked on a goroutine that
// runs the function of that name.
type trap struct {
	in  string
	set atomic.Bool
}

func (p *trap) spring() {
	if p.set.Load() && strings.Contains(string(debug.Stack()), p.in) && p.set.CompareAndSwap(true, false) {
		panic("sprung with " + token)
	}
}

// trappedLog has a trap in it.
type trappedLog struct {
	slog.Handler
	trap *trap
}

func (l trappedLog) Handle(ctx context.Context, r slog.Record) error {
	l.trap.spring()
	return l.Handler.Handle(ctx, r)
}

// On whatever goroutine of a connection something panics, that ends the connection and
// nothing else: the next one begins a new session, in which what led to it does not
// come again.
func TestPanicInConnection(t *testing.T) {
	t.Parallel()
	unreadable := func(p *peer) { p.send(0, "INTERACTION_CREATE", `{"id":5}`) }
	for name, c := range map[string]struct {
		in     string
		early  bool // the trap is set from the beginning, else from the first interaction on
		within func(o *gateway.Options, p *trap)
		then   func(p *peer)
	}{
		"reading from Discord": {in: "(*link).fromDiscord", within: trapClock},
		"writing to Discord":   {in: "(*link).write", within: trapClock},
		"reading from the library": {in: "(*link).fromLibrary", early: true, within: func(o *gateway.Options, p *trap) {
			o.Turn = func(context.Context, int, time.Duration) (bool, error) { p.spring(); return true, nil }
		}},
		"handling an event": {in: "(*session).event", within: func(o *gateway.Options, p *trap) {
			o.Log = slog.New(trappedLog{o.Log.Handler(), p})
		}, then: unreadable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			armed := make(chan struct{})
			f := newFake(t, func(n int, p *peer) {
				if n > 1 {
					p.serve("9")
					return
				}
				if c.early {
					p.send(10, "", `{"heartbeat_interval":100}`)
					p.deaf()
					return
				}
				p.identify()
				p.readyHere()
				p.interaction("1")
				<-armed
				if c.then != nil {
					c.then(p)
				}
				p.beats()
			})
			trap := &trap{in: c.in}
			trap.set.Store(c.early)
			client, log := newClient(t, f, func(o *gateway.Options) { c.within(o, trap) })
			got := make(chan string, 10)
			r := start(t, client, func(_ context.Context, i *discordgo.Interaction) { got <- i.ID })
			if !c.early {
				if id := receive(t, got, "an interaction"); id != "1" {
					t.Errorf("interaction %s first", id)
				}
				trap.set.Store(true)
				close(armed)
			}
			if id := receive(t, got, "an interaction over the next connection"); id != "9" {
				t.Errorf("interaction %s after the panic", id)
			}
			if err := r.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
			if text := log.String(); !strings.Contains(text, "panic in a connection") || !strings.Contains(text, "panic_test.go") {
				t.Errorf("the log tells of no panic:\n%s", text)
			}
		})
	}
}

func trapClock(o *gateway.Options, p *trap) {
	o.Now = func() time.Time { p.spring(); return time.Now() }
}
