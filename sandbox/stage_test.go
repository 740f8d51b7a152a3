package sandbox_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

// script plays a gateway client and writes down what comes: "HELLO", "op 7", "op 9 false", events by name, and
// "closed 4000" or "cut" at the end. quiet says that nothing else came before an answered heartbeat.
type script struct {
	b   *rawBot
	ws  *websocket.Conn
	got []string
}

func (s *script) read() (obj, bool) {
	p, err := receive(s.b.t.Context(), s.ws)
	if err != nil {
		if closed, ok := errors.AsType[websocket.CloseError](err); ok {
			s.got = append(s.got, "closed "+json.Number(jsonOf(int(closed.Code))).String())
		} else {
			s.got = append(s.got, "cut")
		}
		return nil, false
	}
	switch p["op"] {
	case 10.0:
		s.got = append(s.got, "HELLO")
	case 7.0:
		s.got = append(s.got, "op 7")
	case 9.0:
		s.got = append(s.got, "op 9 "+jsonOf(p["d"]))
	case 0.0:
		s.got = append(s.got, p["t"].(string))
	}
	return p, true
}

// settle sends a heartbeat and reads until its ack, or until the end.
func (s *script) settle() *script {
	if s.ws.Write(s.b.t.Context(), websocket.MessageText, []byte(`{"op":1,"d":null}`)) != nil {
		s.read()
		return s
	}
	for {
		p, ok := s.read()
		if !ok || p["op"] == 11.0 {
			return s
		}
	}
}

func (s *script) send(packet obj) *script {
	_ = s.ws.Write(s.b.t.Context(), websocket.MessageText, []byte(jsonOf(packet))) // the connection may be over
	return s
}

func jsonOf(v any) string {
	raw, _ := json.Marshal(v)
	return string(raw)
}

// session is a bot that identified and lost its connection after two events; resume is how it comes back.
func session(t *testing.T) (srv *sandbox.Server, b *rawBot, resume obj) {
	t.Helper()
	srv, b = bare(t, sandbox.Options{IdentifyEvery: -1})
	ws := b.greeted()
	sendPacket(t, ws, obj{"op": 2, "d": identifyData(obj{"intents": 1})})
	id := b.next(ws)["d"].(obj)["session_id"]
	b.next(ws) // the guild
	srv.CloseGateways(0)
	closedWith(t, ws)
	return srv, b, obj{"op": 6, "d": obj{"token": sandbox.Token, "session_id": id, "seq": 1}}
}

func TestDisturbancesAtEveryStage(t *testing.T) {
	op7, op9, op9true := sandbox.Reconnecting(), sandbox.InvalidSession(false), sandbox.InvalidSession(true)
	hello, ready, resumed := []string{"HELLO"}, []string{"HELLO", "READY", "GUILD_CREATE"}, []string{"HELLO", "GUILD_CREATE", "RESUMED"}
	for name, c := range map[string]struct {
		at     sandbox.Stage
		what   sandbox.Disturbance
		resume bool
		want   []string
		alive  bool // can the old session be resumed afterwards
	}{
		"op 7 before HELLO":        {sandbox.BeforeHello, op7, false, []string{"op 7", "HELLO", "READY", "GUILD_CREATE"}, true},
		"op 9 before HELLO":        {sandbox.BeforeHello, op9, false, []string{"op 9 false", "HELLO", "READY", "GUILD_CREATE"}, true},
		"op 7 in place of HELLO":   {sandbox.InsteadOfHello, op7, false, []string{"op 7", "READY", "GUILD_CREATE"}, true},
		"op 9 in place of HELLO":   {sandbox.InsteadOfHello, op9, false, []string{"op 9 false", "READY", "GUILD_CREATE"}, true},
		"nothing for HELLO":        {sandbox.InsteadOfHello, sandbox.Disturbance{}, false, []string{"READY", "GUILD_CREATE"}, true},
		"op 7 after IDENTIFY":      {sandbox.BeforeReady, op7, false, []string{"HELLO", "op 7", "READY", "GUILD_CREATE"}, true},
		"op 9 after IDENTIFY":      {sandbox.BeforeReady, op9, false, []string{"HELLO", "op 9 false"}, true},
		"op 7 in place of READY":   {sandbox.InsteadOfReady, op7, false, []string{"HELLO", "op 7"}, true},
		"op 9 in place of READY":   {sandbox.InsteadOfReady, op9, false, []string{"HELLO", "op 9 false"}, true},
		"nothing for READY":        {sandbox.InsteadOfReady, sandbox.Disturbance{}, false, hello, true},
		"4000 in place of READY":   {sandbox.InsteadOfReady, sandbox.ClosedWith(4000), false, []string{"HELLO", "closed 4000"}, true},
		"op 7 after READY":         {sandbox.AfterReady, op7, false, append(slices.Clip(ready), "op 7"), true},
		"op 9 after READY":         {sandbox.AfterReady, op9true, false, append(slices.Clip(ready), "op 9 true"), true},
		"cut after READY":          {sandbox.AfterReady, sandbox.ClosedWith(0), false, append(slices.Clip(ready), "cut"), true},
		"op 7 before the replay":   {sandbox.BeforeReplay, op7, true, []string{"HELLO", "op 7", "GUILD_CREATE", "RESUMED"}, true},
		"op 9 before the replay":   {sandbox.BeforeReplay, op9, true, []string{"HELLO", "op 9 false"}, false},
		"op 7 in place of RESUMED": {sandbox.InsteadOfResumed, op7, true, []string{"HELLO", "GUILD_CREATE", "op 7"}, true},
		"op 9 in place of RESUMED": {sandbox.InsteadOfResumed, op9, true, []string{"HELLO", "GUILD_CREATE", "op 9 false"}, false},
		"true in place of RESUMED": {sandbox.InsteadOfResumed, op9true, true, []string{"HELLO", "GUILD_CREATE", "op 9 true"}, true},
		"op 7 after RESUMED":       {sandbox.AfterResumed, op7, true, append(slices.Clip(resumed), "op 7"), true},
		"op 9 after RESUMED":       {sandbox.AfterResumed, op9, true, append(slices.Clip(resumed), "op 9 false"), false},
	} {
		t.Run(name, func(t *testing.T) {
			srv, b, resume := session(t)
			start := obj{"op": 2, "d": identifyData(obj{"intents": 1})}
			if c.resume {
				start = resume
			}
			srv.Disturb(1, c.at, c.what)
			s := &script{b: b, ws: b.dial()}
			s.send(start).settle()
			for over(c.want) && !over(s.got) {
				s.read()
			}
			if diff := cmp.Diff(c.want, s.got); diff != "" {
				t.Error(diff)
			}
			again := &script{b: b, ws: b.dial()}
			again.send(resume).settle()
			last := again.got[len(again.got)-1]
			if (last == "RESUMED") != c.alive {
				t.Errorf("afterwards RESUME brings %v", again.got)
			}
		})
	}
}

// over tells whether what came ends with the connection.
func over(got []string) bool {
	return len(got) > 0 && (got[len(got)-1] == "cut" || strings.HasPrefix(got[len(got)-1], "closed"))
}

func TestHealEndsDisturbances(t *testing.T) {
	srv, b, _ := session(t)
	srv.Disturb(-1, sandbox.InsteadOfHello, sandbox.ClosedWith(4000))
	for range 2 {
		if code := closedWith(t, b.dial()); code != 4000 {
			t.Errorf("closed with %d", code)
		}
	}
	srv.SetGatewayFaults(sandbox.GatewayFaults{NoHello: true})
	srv.Fail(-1, "", sandbox.RouteMe, sandbox.BadGateway(0))
	srv.SetLimit("", "", 1, time.Hour)
	srv.Heal()
	b.greeted()
	b.want(200, b.call("GET", "/users/@me", nil))
	b.want(200, b.call("GET", "/users/@me", nil))
}

// TestCloseCodes closes with every code and tries to resume.
func TestCloseCodes(t *testing.T) {
	for code, resumable := range map[int]bool{
		4000: true, 4001: true, 4002: true, 4003: true, 4005: true, 4008: true, 1001: true, 0: true,
		4004: false, 4007: false, 4009: false, 4010: false, 4011: false, 4012: false, 4013: false, 4014: false,
	} {
		srv, b, resume := session(t)
		ws := b.greeted()
		sendPacket(t, ws, resume)
		for b.next(ws)["t"] != "RESUMED" {
		}
		srv.CloseGateways(code)
		want := code
		if code == 0 {
			want = -1
		}
		if got := closedWith(t, ws); got != want {
			t.Errorf("closed with %d, want %d", got, want)
		}
		waitFor(t, func() bool { return srv.Stats().Sessions == 0 })
		s := &script{b: b, ws: b.dial()}
		if s.send(resume).settle(); slices.Contains(s.got, "RESUMED") != resumable {
			t.Errorf("after %d: %v", code, s.got)
		}
	}
}

// TestClientCloseCodes: 1000 and 1001 of the client end the session, other codes do not.
func TestClientCloseCodes(t *testing.T) {
	for code, resumable := range map[int]bool{1000: false, 1001: false, 4000: true, 4900: true} {
		srv, b, resume := session(t)
		ws := b.greeted()
		sendPacket(t, ws, resume)
		for b.next(ws)["t"] != "RESUMED" {
		}
		ws.Close(websocket.StatusCode(code), "")
		waitFor(t, func() bool { return srv.Stats().Sessions == 0 })
		s := &script{b: b, ws: b.dial()}
		if s.send(resume).settle(); slices.Contains(s.got, "RESUMED") != resumable {
			t.Errorf("after %d: %v", code, s.got)
		}
	}
}

func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it does not come to pass")
		}
	}
}

func TestVersionsAndEncodings(t *testing.T) {
	_, b := bare(t, sandbox.Options{})
	url, _ := b.call("GET", "/gateway", nil).json()["url"].(string)
	ws := dialAt(t, url+"/?v=8&encoding=json")
	if code := closedWith(t, ws); code != 4012 {
		t.Errorf("version 8: closed with %d", code)
	}
	_, res, err := websocket.Dial(t.Context(), url+"/?v=10&encoding=json&compress=zstd-stream", nil) //nolint:bodyclose // Dial has closed it
	if err == nil || res.StatusCode != http.StatusBadRequest {
		t.Errorf("a compression that is not spoken here: %v", err)
	}
}

func dialAt(t *testing.T, url string) *websocket.Conn {
	t.Helper()
	ws, res, err := websocket.Dial(t.Context(), url, nil)
	if err != nil {
		t.Fatalf("dial %s: %v", url, err)
	}
	if res.Body != nil {
		res.Body.Close()
	}
	ws.SetReadLimit(1 << 20)
	t.Cleanup(func() { ws.CloseNow() })
	return ws
}

// TestResumeURLs sends the bot elsewhere: to the bare host, another path, a port where nobody is.
func TestResumeURLs(t *testing.T) {
	srv, b := bare(t, sandbox.Options{IdentifyEvery: -1})
	host := "ws" + strings.TrimPrefix(srv.URL(), "http")
	for _, url := range []string{host, host + "/elsewhere", host + "/gateway"} {
		srv.SetGatewayFaults(sandbox.GatewayFaults{ResumeURL: url})
		ws := b.greeted()
		sendPacket(t, ws, obj{"op": 2, "d": identifyData(nil)})
		ready := b.next(ws)["d"].(obj)
		if ready["resume_gateway_url"] != url {
			t.Errorf("READY says %v", ready["resume_gateway_url"])
		}
		srv.CloseGateways(4000)
		closedWith(t, ws)
		s := &script{b: b, ws: dialAt(t, url+"/?v=10&encoding=json")}
		s.send(obj{"op": 6, "d": obj{"token": "Bot " + sandbox.Token, "session_id": ready["session_id"], "seq": 1}}).settle()
		if diff := cmp.Diff([]string{"HELLO", "RESUMED"}, s.got); diff != "" {
			t.Errorf("%s: %s", url, diff)
		}
	}
	srv.SetGatewayFaults(sandbox.GatewayFaults{ResumeURL: "ws://127.0.0.1:1"})
	if _, _, err := websocket.Dial(t.Context(), "ws://127.0.0.1:1/?v=10", nil); err == nil { //nolint:bodyclose // nobody answers
		t.Error("somebody answers at the dead port")
	}
}

func TestHelloLateOrNever(t *testing.T) {
	srv, b := bare(t, sandbox.Options{})
	srv.SetGatewayFaults(sandbox.GatewayFaults{HelloDelay: 50 * time.Millisecond})
	started := time.Now()
	if b.greeted(); time.Since(started) < 50*time.Millisecond {
		t.Error("HELLO came at once")
	}
	srv.SetGatewayFaults(sandbox.GatewayFaults{NoHello: true})
	s := &script{b: b, ws: b.dial()}
	if s.settle(); len(s.got) != 0 {
		t.Errorf("came: %v", s.got)
	}
}
