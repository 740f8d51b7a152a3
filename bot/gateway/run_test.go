package gateway_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"rowbot/bot/gateway"
)

func TestRun(t *testing.T) {
	t.Parallel()
	f := newFake(t, func(_ int, p *peer) { p.serve("100") })
	c, _ := newClient(t, f, func(o *gateway.Options) { o.Intents = discordgo.IntentsGuilds })
	if c.Connected() {
		t.Error("connected before Run")
	}
	r := start(t, c, nil)
	receive(t, r.ready, "READY")
	i := receive(t, r.got, "the interaction")
	if i.ID != "100" || i.Token != "interaction-token-100" || i.ApplicationCommandData().Name != "ttt" {
		t.Errorf("interaction %+v", i)
	}
	if !c.Connected() || !maps.Equal(c.Shards(), map[int]bool{0: true}) {
		t.Errorf("not connected after READY: %v", c.Shards())
	}
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if c.Connected() || len(c.Shards()) != 0 {
		t.Errorf("connected after Run: %v", c.Shards())
	}
	ids := f.identified()
	if len(ids) != 1 || ids[0].Token != token && ids[0].Token != "Bot "+token || ids[0].Intents != 1 || ids[0].Shard != nil {
		t.Errorf("identified with %+v", ids)
	}
	if got := f.closedWith(); !slices.Equal(got, []websocket.StatusCode{websocket.StatusNormalClosure}) {
		t.Errorf("closed with %v, want a normal close", got)
	}
	if n := f.asked("GET /api/v10/gateway"); n != f.asked("GET /api/v10/gateway/bot") {
		t.Error("GET /gateway was asked")
	}
}

// Each fault hits the first connection; the second one is healthy and must
// deliver. One fault costs one IDENTIFY.
func TestRecovers(t *testing.T) {
	t.Parallel()
	silent := func(o *gateway.Options) { o.Timings.Silence = time.Second }
	tests := []struct {
		name       string
		fault      func(p *peer)
		change     func(*gateway.Options)
		identifies int // also those of the healthy connection
	}{
		{"the network drops", func(p *peer) { p.identify(); p.ready(); p.ws.CloseNow() }, nil, 2},
		{"the network drops before READY", func(p *peer) { p.identify(); p.ws.CloseNow() }, nil, 2},
		{"the network drops before HELLO", func(p *peer) { p.ws.CloseNow() }, nil, 1},
		{"close 4009", func(p *peer) { p.identify(); p.ready(); p.ws.Close(4009, "session timed out") }, nil, 2},
		{"close 4000 before READY", func(p *peer) { p.identify(); p.ws.Close(4000, "") }, nil, 2},
		{"op 7", func(p *peer) { p.identify(); p.ready(); p.send(7, "", "null"); p.deaf() }, nil, 2},
		{"op 9", func(p *peer) { p.identify(); p.ready(); p.send(9, "", "false"); p.deaf() }, nil, 2},
		{"op 9 for IDENTIFY", func(p *peer) { p.identify(); p.send(9, "", "false"); p.deaf() }, nil, 2},
		{"op 7 for READY", func(p *peer) { p.identify(); p.send(7, "", "null"); p.deaf() }, nil, 2},
		{"op 7 for HELLO", func(p *peer) { p.send(7, "", "null"); p.deaf() }, nil, 1},
		{"no HELLO", func(p *peer) { p.deaf() }, silent, 1},
		{"no READY", func(p *peer) { p.identify(); p.deaf() }, func(o *gateway.Options) { o.Timings.Open = 3 * time.Second }, 2},
		{"silence", func(p *peer) { p.identify(); p.ready(); p.deaf() }, silent, 2},
		{"not a packet", func(p *peer) { p.ws.Write(p.ctx, websocket.MessageText, []byte("{")); p.deaf() }, nil, 1},
		{"an interval of nothing", func(p *peer) { p.send(10, "", `{"heartbeat_interval":0}`); p.deaf() }, nil, 1},
		{"op 1 for READY", func(p *peer) { p.identify(); p.send(1, "", "null"); p.ws.Close(4000, "") }, nil, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, func(n int, p *peer) {
				if n == 1 {
					tt.fault(p)
					return
				}
				p.serve("200")
			})
			c, _ := newClient(t, f, tt.change)
			r := start(t, c, nil)
			receive(t, r.got, "an interaction over the second connection")
			if err := r.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
			if got := len(f.identified()); got != tt.identifies {
				t.Errorf("%d IDENTIFYs, want %d", got, tt.identifies)
			}
		})
	}
}

func TestFatalClose(t *testing.T) {
	t.Parallel()
	for code, unauthorized := range map[int]bool{4004: true, 4010: false, 4011: false, 4012: false, 4013: false, 4014: false} {
		t.Run(strconv.Itoa(code), func(t *testing.T) {
			t.Parallel()
			f := newFake(t, func(_ int, p *peer) { p.identify(); p.ws.Close(websocket.StatusCode(code), "no") })
			c, _ := newClient(t, f, nil)
			err := start(t, c, nil).wait()
			var closed *gateway.CloseError
			if !errors.As(err, &closed) || closed.Code != code || closed.Text != "no" {
				t.Errorf("Run: %v, want a CloseError with %d", err, code)
			}
			if got := errors.Is(err, gateway.ErrUnauthorized); got != unauthorized {
				t.Errorf("unauthorized: %v, want %v", got, unauthorized)
			}
			if n := len(f.identified()); n != 1 {
				t.Errorf("%d IDENTIFYs, want 1", n)
			}
		})
	}
}

// A token that was valid once is refused when a shard connects again: then
// all shards end.
func TestFatalCloseEndsAllShards(t *testing.T) {
	t.Parallel()
	second := make(chan struct{})
	f := newFake(t, func(n int, p *peer) {
		switch n {
		case 1:
			p.serve()
		case 2:
			p.identify()
			p.ready()
			<-second
		default:
			p.identify()
			p.ws.Close(4004, "Authentication failed.")
		}
	})
	f.answer("GET /api/v10/gateway/bot", f.gatewayBot(2, 1, 1000, 0))
	c, _ := newClient(t, f, nil)
	r := start(t, c, nil)
	receive(t, r.ready, "both shards")
	close(second)
	if err := r.wait(); !errors.Is(err, gateway.ErrUnauthorized) {
		t.Errorf("Run: %v, want ErrUnauthorized", err)
	}
	if n := len(f.identified()); n != 3 {
		t.Errorf("%d IDENTIFYs, want 3", n)
	}
}

func TestStartRefused(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil)
	f.answer("GET /api/v10/gateway/bot", reply(401, `{"message":"401: Unauthorized","code":0}`))
	c, _ := newClient(t, f, nil)
	if err := start(t, c, nil).wait(); !errors.Is(err, gateway.ErrUnauthorized) {
		t.Errorf("Run: %v, want ErrUnauthorized", err)
	}
	if n := f.asked(""); n != 1 {
		t.Errorf("%d requests, want 1", n)
	}

	f.answer("GET /api/v10/gateway/bot", reply(404, `<html>not here</html>`))
	var api *gateway.APIError
	if err := start(t, c, nil).wait(); !errors.As(err, &api) || api.Status != 404 || errors.Is(err, gateway.ErrUnauthorized) {
		t.Errorf("Run: %v, want an APIError with 404", err)
	}
	if n := f.asked(""); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}

func TestStartWaitsForDiscord(t *testing.T) {
	t.Parallel()
	cut := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	f := newFake(t, func(_ int, p *peer) { p.serve() })
	f.answer("GET /api/v10/gateway/bot",
		reply(503, `<html>busy</html>`), reply(500, `{"message":"oops","code":0}`), reply(200, `<html>sign in</html>`), reply(200, `{"url":"ftp://x"}`),
		cut, cut, // net/http repeats a GET by itself when a kept connection turns out to be closed
		f.gatewayBot(1, 1, 1000, 0))
	c, log := newClient(t, f, nil)
	r := start(t, c, nil)
	receive(t, r.ready, "READY")
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if n := strings.Count(log.String(), "no success, trying again"); n < 5 {
		t.Errorf("told of %d attempts, want 5", n)
	}
}

func TestStopBeforeReady(t *testing.T) {
	t.Parallel()
	tests := map[string]func(f *fake){
		"Discord away": func(f *fake) { f.answer("GET /api/v10/gateway/bot", reply(503, "")) },
		"no HELLO":     func(f *fake) { f.script = func(_ int, p *peer) { p.deaf() } },
		"no READY":     func(f *fake) { f.script = func(_ int, p *peer) { p.identify(); p.deaf() } },
		"a shard in the queue": func(f *fake) {
			f.answer("GET /api/v10/gateway/bot", f.gatewayBot(3, 1, 1000, 0))
			f.script = func(_ int, p *peer) { p.deaf() }
		},
		"budget gone": func(f *fake) { f.answer("GET /api/v10/gateway/bot", f.gatewayBot(1, 1, 0, time.Hour)) },
	}
	for name, prepare := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, nil)
			prepare(f)
			c, _ := newClient(t, f, nil)
			r := start(t, c, nil)
			time.Sleep(50 * time.Millisecond)
			if err := r.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
		})
	}
}

func TestShards(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(*gateway.Options)
		want   [][]int
	}{
		{"recommended", nil, [][]int{{0, 4}, {1, 4}, {2, 4}, {3, 4}}},
		{"fixed", func(o *gateway.Options) { o.ShardCount = 2 }, [][]int{{0, 2}, {1, 2}}},
		{"some", func(o *gateway.Options) { o.ShardCount = 9; o.Shards = []int{7, 2, 7} }, [][]int{{2, 9}, {7, 9}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, nil)
			f.answer("GET /api/v10/gateway/bot", f.gatewayBot(4, 1, 1000, 0))
			c, _ := newClient(t, f, tt.change)
			r := start(t, c, nil)
			receive(t, r.ready, "all shards")
			if err := r.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
			var got [][]int
			for _, i := range f.identified() {
				got = append(got, i.Shard)
			}
			slices.SortFunc(got, slices.Compare)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("shards (-want +got):\n%s", diff)
			}
		})
	}
}

func TestRunTwice(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil)
	c, _ := newClient(t, f, nil)
	r := start(t, c, nil)
	receive(t, r.ready, "READY")
	if err := c.Run(t.Context(), nil, func(context.Context, *discordgo.Interaction) {}); err == nil {
		t.Error("a second Run at the same time was let through")
	}
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
}
