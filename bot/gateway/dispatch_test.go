package gateway_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/coder/websocket"

	"rowbot/bot/gateway"
	"rowbot/bot/slim"
)

func TestPanicInHandler(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(_ int, p *peer) { p.serve("1", "2") })
	c, log := newClient(t, f, nil)
	got := make(chan string, 2)
	r := start(t, c, func(_ context.Context, i *discordgo.Interaction) {
		defer func() { got <- i.ID }()
		if i.ID == "1" {
			panic("broken with " + token + " at https://x/interactions/1/" + i.Token + "/callback")
		}
	})
	receive(t, got, "a handler")
	receive(t, got, "the other handler")
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	for _, want := range []string{"panic in a handler", "interaction=1", "dispatch_test.go", "[redacted]"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log says nothing of %q", want)
		}
	}
}

// What is told of the channel goes with a handler's context.
func TestChannelOfInteraction(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(_ int, p *peer) {
		p.identify()
		p.ready()
		p.interaction("1")
		p.send(0, "INTERACTION_CREATE", `{"id":"2","type":3,"token":"t","channel":{"id":"6","type":11,"parent_id":"4"},"channel_id":"6",`+
			`"message":{"id":"8","components":[]},"user":{"id":"7"},"data":{"custom_id":"c","component_type":2}}`)
		p.beats()
	})
	c, _ := newClient(t, f, nil)
	type told struct {
		of string
		is *slim.Channel
	}
	got := make(chan told, 2)
	r := start(t, c, func(ctx context.Context, i *discordgo.Interaction) { got <- told{i.ID, slim.ChannelFrom(ctx)} })
	for range 2 {
		switch x := receive(t, got, "a handler"); {
		case x.of == "1" && x.is != nil:
			t.Errorf("told %+v of no channel", *x.is)
		case x.of == "2" && (x.is == nil || *x.is != slim.Channel{Type: 11, Parent: "4"}):
			t.Errorf("told %+v of a thread", x.is)
		}
	}
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
}

// A handler in flight when the shutdown begins still answers, over REST, with
// a context that has not ended; one that comes later is not taken.
func TestShutdownAnswersWhatIsInFlight(t *testing.T) {
	t.Parallel()
	stopping, second := make(chan struct{}), make(chan struct{})
	f := newFake(t, func(_ int, p *peer) {
		p.identifyBeating(rarely)
		p.ready()
		p.interaction("1")
		p.await(1)
		<-stopping
		p.interaction("2")
		p.taken()
		close(second)
		p.beats()
	})
	f.answer("POST /api/v10/interactions/1/interaction-token-1/callback", reply(http.StatusNoContent, ""))
	c, _ := newClient(t, f, nil)
	begun, release := make(chan struct{}, 2), make(chan struct{})
	var handled atomic.Int32
	var answered atomic.Bool
	r := start(t, c, func(ctx context.Context, i *discordgo.Interaction) {
		handled.Add(1)
		begun <- struct{}{}
		<-release
		if _, has := ctx.Deadline(); !has || ctx.Err() != nil {
			t.Errorf("context of the handler: deadline %v, error %v", has, ctx.Err())
		}
		_, err := c.Call(ctx, http.MethodPost, "interactions/"+i.ID+"/"+i.Token+"/callback", map[string]int{"type": 4})
		answered.Store(err == nil)
	})
	receive(t, begun, "the handler")
	r.stop()
	close(stopping)
	receive(t, second, "interaction 2 to be read")
	select {
	case err := <-r.result:
		t.Fatalf("Run returned before the handler: %v", err)
	default:
	}
	close(release)
	if err := r.wait(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if !answered.Load() {
		t.Error("the interaction in flight was not answered")
	}
	if n := handled.Load(); n != 1 {
		t.Errorf("%d interactions handled, want 1", n)
	}
	if got := f.closedWith(); len(got) != 1 || got[0] != websocket.StatusNormalClosure {
		t.Errorf("closed with %v, want one normal close", got)
	}
}

// A shutdown that comes before READY still closes normally: READY may be on
// its way, and the session would stay open at Discord's.
func TestShutdownWhileOpening(t *testing.T) {
	t.Parallel()
	identified := make(chan struct{})
	f := newFake(t, func(_ int, p *peer) {
		p.identify()
		close(identified)
		p.deaf()
	})
	c, _ := newClient(t, f, nil)
	r := start(t, c, nil)
	receive(t, identified, "IDENTIFY")
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if got := f.closedWith(); len(got) != 1 || got[0] != websocket.StatusNormalClosure {
		t.Errorf("closed with %v, want one normal close", got)
	}
}

func TestShutdownEndsSlowHandlers(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(_ int, p *peer) { p.serve("1") })
	c, _ := newClient(t, f, func(o *gateway.Options) { o.Timings.Drain = 20 * time.Millisecond })
	begun, ended := make(chan struct{}), make(chan error, 1)
	r := start(t, c, func(ctx context.Context, _ *discordgo.Interaction) {
		close(begun)
		<-ctx.Done()
		ended <- ctx.Err()
	})
	receive(t, begun, "the handler")
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("the handler's context ended with %v", err)
		}
	default:
		t.Error("Run returned with a handler still running")
	}
}

func TestTooManyAtOnce(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(_ int, p *peer) { p.serve("1", "2") })
	c, log := newClient(t, f, func(o *gateway.Options) { o.Handlers = 1; o.Timings.Queue = 10 * time.Millisecond })
	release := make(chan struct{})
	var handled atomic.Int32
	r := start(t, c, func(context.Context, *discordgo.Interaction) {
		handled.Add(1)
		<-release
	})
	for range 10_000 { // the log is the only sign of it
		if strings.Contains(log.String(), "too many at once") {
			break
		}
		time.Sleep(time.Millisecond)
	}
	close(release)
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if n := handled.Load(); n != 1 {
		t.Errorf("%d handled, want 1", n)
	}
}

// What the library cannot decode still reaches the handler with all that an
// answer needs.
func TestUnreadableInteraction(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(_ int, p *peer) {
		p.identify()
		p.ready()
		p.send(0, "INTERACTION_CREATE", `{"id":5}`)
		p.send(0, "INTERACTION_CREATE", `{"id":"1","application_id":"8","type":5,"token":"interaction-token-1","channel_id":"6","locale":"de",`+
			`"user":{"id":"7"},"data":{"custom_id":"x","components":[{"type":99}]}}`)
		p.send(0, "INTERACTION_CREATE", `{"id":"2","application_id":"8","type":3,"token":"interaction-token-2","channel_id":"6",`+
			`"user":{"id":"7"},"message":{"id":"3","components":[{"type":99}]},"data":{"custom_id":"x","component_type":2}}`)
		p.beats()
	})
	c, _ := newClient(t, f, nil)
	r := start(t, c, nil)
	got := map[string]*discordgo.Interaction{}
	for range 2 {
		i := receive(t, r.got, "the interactions")
		got[i.ID] = i
	}
	i := got["1"]
	if i == nil || i.AppID != "8" || i.Token != "interaction-token-1" || i.User == nil || i.User.ID != "7" || i.Locale != discordgo.German || i.Data != nil {
		t.Errorf("interaction %+v", i)
	}
	// Of a message, what is new to it is left out before.
	if i := got["2"]; i == nil || i.Message == nil || i.Message.ID != "3" || i.MessageComponentData().CustomID != "x" {
		t.Errorf("click %+v", i)
	}
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
}
