package sandbox_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"

	"rowbot/sandbox"
)

// greeted opens a connection and reads HELLO.
func (b *rawBot) greeted() *websocket.Conn {
	b.t.Helper()
	ws := b.dial()
	if p, err := receive(b.t.Context(), ws); err != nil || p["op"] != 10.0 {
		b.t.Fatalf("no HELLO: %v %v", p, err)
	}
	return ws
}

func (b *rawBot) next(ws *websocket.Conn) obj {
	b.t.Helper()
	p, err := receive(b.t.Context(), ws)
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

func bare(t *testing.T, opt sandbox.Options) (*sandbox.Server, *rawBot) {
	t.Helper()
	opt.Record = record()
	srv := sandbox.Start(t, opt)
	return srv, &rawBot{t: t, srv: srv, got: make(chan obj, 4096)}
}

func TestGatewayRefusals(t *testing.T) {
	_, b := bare(t, sandbox.Options{IdentifyEvery: -1})
	identify := func(more obj) list { return list{obj{"op": 2, "d": identifyData(more)}} }
	for name, c := range map[string]struct {
		packets list
		code    int
	}{
		"wrong token":        {identify(obj{"token": "no"}), 4004},
		"shard out of range": {identify(obj{"shard": list{2, 2}}), 4010},
		"no intents":         {identify(obj{"intents": nil}), 4013},
		"unknown intents":    {identify(obj{"intents": 1 << 30}), 4013},
		"privileged intents": {identify(obj{"intents": 1 << 15}), 4014},
		"unknown op":         {list{obj{"op": 99}}, 4001},
		"no op":              {list{obj{"x": 1}}, 4002},
		"too large":          {identify(obj{"x": strings.Repeat("x", 4096)}), 4002},
		"too early":          {list{obj{"op": 3, "d": obj{}}}, 4003},
		"twice":              {append(identify(nil), identify(nil)...), 4005},
		"resume, no token":   {list{obj{"op": 6, "d": obj{"token": "no", "session_id": "x", "seq": 1}}}, 4004},
		"flood":              {slices.Repeat(list{obj{"op": 1, "d": nil}}, 121), 4008},
	} {
		t.Run(name, func(t *testing.T) {
			b.t = t
			ws := b.greeted()
			for _, p := range c.packets {
				sendPacket(t, ws, p)
			}
			if code := closedWith(t, ws); code != c.code {
				t.Errorf("closed with %d, want %d", code, c.code)
			}
		})
	}
}

func TestHeartbeatsAndSilence(t *testing.T) {
	srv, b := bare(t, sandbox.Options{IdentifyEvery: -1})
	ws := b.greeted()
	sendPacket(t, ws, obj{"op": 1, "d": nil})
	if p := b.next(ws); p["op"] != 11.0 {
		t.Errorf("no ack: %v", p)
	}
	srv.AskHeartbeat()
	if p := b.next(ws); p["op"] != 1.0 {
		t.Errorf("no op 1: %v", p)
	}
	srv.SetGatewayFaults(sandbox.GatewayFaults{NoAcks: true})
	sendPacket(t, ws, obj{"op": 1, "d": nil})
	sendPacket(t, ws, obj{"op": 2, "d": identifyData(nil)})
	if p := b.next(ws); p["t"] != "READY" {
		t.Errorf("an ack came: %v", p)
	}
	srv.SetGatewayFaults(sandbox.GatewayFaults{InvalidNow: 1})
	ws = b.greeted()
	sendPacket(t, ws, obj{"op": 2, "d": identifyData(nil)})
	if p := b.next(ws); p["op"] != 9.0 || p["d"] != false {
		t.Errorf("no op 9: %v", p)
	}
	srv.SetGatewayFaults(sandbox.GatewayFaults{LeaveNow: 1, ResumeURL: "ws://127.0.0.1:1"})
	sendPacket(t, ws, obj{"op": 2, "d": identifyData(nil)})
	if p := b.next(ws); p["op"] != 7.0 {
		t.Errorf("no op 7: %v", p)
	}
	sendPacket(t, ws, obj{"op": 2, "d": identifyData(nil)})
	if p := b.next(ws); p["d"].(obj)["resume_gateway_url"] != "ws://127.0.0.1:1" {
		t.Errorf("READY: %v", p)
	}
}

func TestDeadClientsAreClosed(t *testing.T) {
	_, b := bare(t, sandbox.Options{HeartbeatInterval: 20 * time.Millisecond})
	if code := closedWith(t, b.greeted()); code != 4009 {
		t.Errorf("closed with %d", code)
	}
}

func TestResume(t *testing.T) {
	srv, b := bare(t, sandbox.Options{IdentifyEvery: -1})
	ws := b.greeted()
	sendPacket(t, ws, obj{"op": 2, "d": identifyData(obj{"intents": 1 | 1<<9})})
	ready := b.next(ws)
	data := ready["d"].(obj)
	if p := b.next(ws); p["t"] != "GUILD_CREATE" || p["d"].(obj)["id"] != srv.Playground.ID() {
		t.Errorf("no guild: %v", p)
	}
	srv.CloseGateways(0)
	if code := closedWith(t, ws); code != -1 {
		t.Errorf("closed with %d, want a cut", code)
	}
	srv.Alice.In(srv.Games).Say("missed")
	resume := func(seq float64) obj {
		return obj{"op": 6, "d": obj{"token": sandbox.Token, "session_id": data["session_id"], "seq": seq}}
	}
	ws = b.greeted()
	sendPacket(t, ws, resume(2))
	missed := b.next(ws)
	if missed["t"] != "MESSAGE_CREATE" || missed["d"].(obj)["content"] != "" {
		t.Errorf("replay: %v", missed)
	}
	if p := b.next(ws); p["t"] != "RESUMED" {
		t.Errorf("no RESUMED: %v", p)
	}
	srv.CloseGateways(4000)
	if code := closedWith(t, ws); code != 4000 {
		t.Errorf("closed with %d", code)
	}
	ws = b.greeted()
	sendPacket(t, ws, resume(99))
	if code := closedWith(t, ws); code != 4007 {
		t.Errorf("closed with %d, want 4007", code)
	}
	ws = b.greeted()
	sendPacket(t, ws, resume(4))
	if p := b.next(ws); p["t"] != "RESUMED" {
		t.Errorf("no RESUMED: %v", p)
	}
	srv.InvalidateSessions(false)
	if p := b.next(ws); p["op"] != 9.0 || p["d"] != false {
		t.Errorf("no op 9: %v", p)
	}
	sendPacket(t, ws, resume(4))
	if p := b.next(ws); p["op"] != 9.0 {
		t.Errorf("a dead session was resumed: %v", p)
	}
	if st := srv.Stats(); st.Identifies != 1 || st.Resumes != 2 {
		t.Errorf("stats %+v", st)
	}
}

func TestIdentifyPaceAndBudget(t *testing.T) {
	var c clock
	srv, b := bare(t, sandbox.Options{Now: c.now, SessionStarts: 2, MaxConcurrency: 2})
	var all []*websocket.Conn
	identify := func(shard int) obj {
		ws := b.greeted()
		all = append(all, ws)
		sendPacket(t, ws, obj{"op": 2, "d": identifyData(obj{"shard": list{shard, 2}})})
		p, err := receive(t.Context(), ws)
		if err != nil {
			return obj{"closed": int(websocket.CloseStatus(err))}
		}
		return p
	}
	if p := identify(0); p["t"] != "READY" {
		t.Errorf("%v", p)
	}
	if p := identify(1); p["t"] != "READY" {
		t.Errorf("another bucket: %v", p)
	}
	if p := identify(0); p["op"] != 9.0 {
		t.Errorf("too fast: %v", p)
	}
	limit := b.want(200, b.call("GET", "/gateway/bot", nil)).json()["session_start_limit"].(obj)
	if limit["remaining"] != 0.0 || limit["total"] != 2.0 || limit["max_concurrency"] != 2.0 {
		t.Errorf("limit %v", limit)
	}
	c.ahead.Store(int64(6 * time.Second))
	ws := b.greeted()
	sendPacket(t, ws, obj{"op": 2, "d": identifyData(obj{"shard": list{0, 2}})})
	for _, one := range []*websocket.Conn{ws, all[0], all[1]} {
		if code := closedWith(t, one); code != 4004 {
			t.Errorf("beyond the budget: a connection is closed with %d, want 4004 for all", code)
		}
	}
	if a := b.call("GET", "/users/@me", nil); a.status != 401 {
		t.Errorf("the token still works: %d", a.status)
	}
	c.ahead.Store(int64(30 * time.Hour))
	if a := b.call("GET", "/users/@me", nil); a.status != 401 {
		t.Errorf("the token works again after a day: %d", a.status)
	}
	if n := srv.Stats().Sessions; n != 0 {
		t.Errorf("%d sessions are left", n)
	}
}

func TestShardsAndIntents(t *testing.T) {
	srv, b := start(t, sandbox.Options{IdentifyEvery: -1, Shards: 2})
	second := &rawBot{t: t, srv: srv, got: make(chan obj, 4096)}
	second.connect(obj{"shard": list{1, 2}, "intents": 1})
	first := &rawBot{t: t, srv: srv, got: make(chan obj, 4096)}
	first.connect(obj{"shard": list{0, 2}, "intents": 1 | 1<<12})
	// guild ids are made in time order, so that two neighbouring milliseconds give both shards
	seen := map[string]bool{}
	for len(seen) < 2 {
		g := srv.AddGuild("g", sandbox.GuildOptions{})
		bot, name := first, "first"
		if sandboxShard(g.ID()) == 1 {
			bot, name = second, "second"
		}
		if !seen[name] && bot.awaitEvent("GUILD_CREATE")["id"] != nil {
			seen[name] = true
		}
	}
	b.answerWith(obj{"type": 4, "data": obj{"content": "x"}})
	must[*sandbox.Reply](t)(srv.Alice.DM().Slash(t.Context(), "ping"))
	first.awaitEvent("INTERACTION_CREATE")
	srv.Alice.DM().Say("hello")
	for first.awaitEvent("MESSAGE_CREATE")["content"] != "hello" {
	}
	second.mu.Lock()
	defer second.mu.Unlock()
	if slices.Contains(second.log, "INTERACTION_CREATE") || slices.Contains(second.log, "MESSAGE_CREATE") {
		t.Errorf("the second shard got %v", second.log)
	}
}

func sandboxShard(id string) int64 { return sandbox.Time(id).UnixMilli() % 2 }

func TestLeavingAGuild(t *testing.T) {
	srv, b := bare(t, sandbox.Options{})
	b.connect(obj{"intents": 1})
	srv.Playground.RemoveBot()
	if got := b.awaitEvent("GUILD_DELETE"); got["id"] != srv.Playground.ID() || got["unavailable"] != nil {
		t.Errorf("%v", got)
	}
	b.refused(403, 50001, b.call("GET", "/channels/"+srv.Games.ID(), nil))
	b.refused(403, 50001, b.call("GET", "/guilds/"+srv.Playground.ID(), nil))
	srv.Playground.AddBot()
	b.awaitEvent("GUILD_CREATE")
	b.want(200, b.call("GET", "/channels/"+srv.Games.ID(), nil))
	b.want(200, b.call("GET", "/guilds/"+srv.Playground.ID(), nil))
	b.want(200, b.call("GET", "/guilds/"+srv.Playground.ID()+"/members/"+srv.Bob.ID(), nil))
	b.refused(404, 10007, b.call("GET", "/guilds/"+srv.Playground.ID()+"/members/1390000000000000999", nil))
}
