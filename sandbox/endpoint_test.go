package sandbox_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

// webBot is a bot behind an Interactions Endpoint URL.
type webBot struct {
	t     *testing.T
	url   string
	close func() // takes no more connections

	mu       sync.Mutex
	answer   func(w http.ResponseWriter, i obj) // to interactions
	pong     func(w http.ResponseWriter)        // to PING; nil: as it should be
	trusts   bool                               // takes any signature
	refused  int
	pings    int
	received []obj
}

func serveWeb(t *testing.T) *webBot {
	t.Helper()
	b := &webBot{t: t}
	srv := httptest.NewServer(b)
	t.Cleanup(srv.Close)
	b.url, b.close = srv.URL+"/interactions", srv.Close
	return b
}

func (b *webBot) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	b.mu.Lock()
	answer, pong, trusts := b.answer, b.pong, b.trusts
	b.mu.Unlock()
	if !trusts && !signed(r.Header, body) {
		b.mu.Lock()
		b.refused++
		b.mu.Unlock()
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var i obj
	if err := json.Unmarshal(body, &i); err != nil || r.Header.Get("Content-Type") != "application/json" {
		b.t.Errorf("body %s: %v", body, err)
	}
	b.mu.Lock()
	if i["type"] == 1.0 {
		b.pings++
	} else {
		b.received = append(b.received, i)
	}
	b.mu.Unlock()
	switch {
	case i["type"] != 1.0:
		answer(w, i)
	case pong != nil:
		pong(w)
	default:
		say(w, obj{"type": 1})
	}
}

// signed checks a request as the documentation tells bots to.
func signed(h http.Header, body []byte) bool {
	key, err1 := hex.DecodeString(sandbox.VerifyKey)
	sig, err2 := hex.DecodeString(h.Get("X-Signature-Ed25519"))
	if err1 != nil || err2 != nil || len(sig) != ed25519.SignatureSize {
		return false
	}
	return ed25519.Verify(key, append([]byte(h.Get("X-Signature-Timestamp")), body...), sig)
}

func say(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// set changes what the bot does.
func (b *webBot) set(f func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f()
}

// answers sets what the bot does with interactions.
func (b *webBot) answers(f func(w http.ResponseWriter, i obj)) { b.set(func() { b.answer = f }) }

func (b *webBot) counts() (refused, pings, received int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.refused, b.pings, len(b.received)
}

func TestEndpointInsteadOfTheGateway(t *testing.T) {
	srv, gate := start(t, sandbox.Options{})
	gate.handle(func(obj) { t.Error("the gateway got an interaction too") })
	web := serveWeb(t)
	web.answers(func(w http.ResponseWriter, i obj) { say(w, obj{"type": 4, "data": board("by HTTP")}) })
	if err := srv.SetEndpoint(t.Context(), web.url); err != nil {
		t.Fatal(err)
	}
	if refused, pings, _ := web.counts(); refused != 1 || pings != 1 {
		t.Errorf("on saving: %d wrong signatures, %d PINGs", refused, pings)
	}
	if got := gate.call("GET", "/applications/@me", nil).json(); got["interactions_endpoint_url"] != web.url || got["verify_key"] != sandbox.VerifyKey {
		t.Errorf("application %v", got)
	}
	alice := srv.Alice.In(srv.Games)
	reply := must[*sandbox.Reply](t)(alice.Slash(t.Context(), "ping"))
	if reply.Text() != "by HTTP" || reply.Kind != 4 {
		t.Errorf("%+v", reply)
	}
	// a click is answered by the callback route, and the request by 202
	web.answers(func(w http.ResponseWriter, i obj) {
		gate.want(204, gate.reply(i, obj{"type": 7, "data": board("by callback")}))
		w.WriteHeader(http.StatusAccepted)
	})
	if got := must[*sandbox.Reply](t)(alice.Click(t.Context(), reply.Message, "h8")); got.Text() != "by callback" {
		t.Errorf("%+v", got)
	}
	for range 18 {
		must[*sandbox.Reply](t)(alice.Click(t.Context(), reply.Message, "h8"))
	}
	if refused, _, received := web.counts(); refused != 3 || received != 20 {
		t.Errorf("of 20 interactions %d came, with %d wrong signatures, want 1 and 2 more", received, refused)
	}
	if err := srv.SetEndpoint(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	gate.answerWith(obj{"type": 4, "data": obj{"content": "by gateway"}})
	if got := must[*sandbox.Reply](t)(alice.Slash(t.Context(), "ping")); got.Text() != "by gateway" {
		t.Errorf("%+v", got)
	}
}

func TestEndpointsThatAreRefused(t *testing.T) {
	srv, gate := start(t, sandbox.Options{AnswerWithin: 300 * time.Millisecond})
	for name, c := range map[string]struct {
		pong   func(w http.ResponseWriter)
		trusts bool
		word   string
	}{
		"no PONG":            {func(w http.ResponseWriter) { say(w, obj{"type": 4}) }, false, `{"type":1}`},
		"202":                {func(w http.ResponseWriter) { w.WriteHeader(202) }, false, "202"},
		"text":               {func(w http.ResponseWriter) { io.WriteString(w, `{"type":1}`) }, false, "content type"},
		"any signature":      {nil, true, "wrong signature"},
		"too late":           {func(w http.ResponseWriter) { time.Sleep(600 * time.Millisecond) }, false, "deadline"},
		"redirected":         {func(w http.ResponseWriter) { w.Header().Set("Location", "/"); w.WriteHeader(307) }, false, "307"},
		"nobody is there":    {nil, false, "refused"},
		"not a web address":  {nil, false, "not a web address"},
		"anything but a 401": {nil, true, "401"},
	} {
		web := serveWeb(t)
		web.set(func() { web.pong, web.trusts = c.pong, c.trusts })
		url := web.url
		switch name {
		case "nobody is there":
			url = "http://127.0.0.1:1/"
		case "not a web address":
			url = "interactions"
		}
		err := srv.SetEndpoint(t.Context(), url)
		if err == nil || !strings.Contains(err.Error(), c.word) {
			t.Errorf("%s: %v", name, err)
		}
		if srv.Endpoint() != "" {
			t.Errorf("%s: the endpoint is set", name)
		}
		gate.refused(400, 50035, gate.call("PATCH", "/applications/@me", obj{"interactions_endpoint_url": url}), "could not be verified")
	}
	web := serveWeb(t)
	got := gate.want(200, gate.call("PATCH", "/applications/@me", obj{"interactions_endpoint_url": web.url})).json()
	if got["interactions_endpoint_url"] != web.url {
		t.Errorf("%v", got)
	}
	gate.want(200, gate.call("PATCH", "/applications/@me", obj{"description": "x"}))
	if srv.Endpoint() != web.url {
		t.Error("a PATCH without the URL took it away")
	}
	gate.want(200, gate.call("PATCH", "/applications/@me", obj{"interactions_endpoint_url": nil}))
	if srv.Endpoint() != "" {
		t.Error("null does not take the URL away")
	}
}

func TestAnswersOfAnEndpoint(t *testing.T) {
	srv, gate := start(t, sandbox.Options{AnswerWithin: 400 * time.Millisecond})
	gate.handle(func(obj) { t.Error("the gateway got an interaction too") })
	web := serveWeb(t)
	if err := srv.SetEndpoint(t.Context(), web.url); err != nil {
		t.Fatal(err)
	}
	srv.SetBadSignatures(0)
	for name, c := range map[string]func(w http.ResponseWriter, i obj){
		"slow": func(w http.ResponseWriter, i obj) {
			time.Sleep(800 * time.Millisecond)
			say(w, obj{"type": 4, "data": obj{"content": "late"}})
		},
		"500":             func(w http.ResponseWriter, _ obj) { w.WriteHeader(500) },
		"204":             func(w http.ResponseWriter, _ obj) { w.WriteHeader(204) },
		"401":             func(w http.ResponseWriter, _ obj) { w.WriteHeader(401) },
		"202 with a body": func(w http.ResponseWriter, _ obj) { w.WriteHeader(202); io.WriteString(w, "{}") },
		"202 and no more": func(w http.ResponseWriter, _ obj) { w.WriteHeader(202) },
		"not JSON":        func(w http.ResponseWriter, _ obj) { io.WriteString(w, "hello") },
		"a wrong type":    func(w http.ResponseWriter, _ obj) { say(w, obj{"type": 7}) },
		"a wrong message": func(w http.ResponseWriter, _ obj) { say(w, obj{"type": 4, "data": obj{"components": rows(6)}}) },
		"nothing at all":  func(http.ResponseWriter, obj) {},
		"PONG to no PING": func(w http.ResponseWriter, _ obj) { say(w, obj{"type": 1}) },
		"a wrong encoding": func(w http.ResponseWriter, _ obj) {
			w.Header().Set("Content-Type", "text/html")
			io.WriteString(w, "{}")
		},
	} {
		web.answers(c)
		if _, err := srv.Alice.In(srv.Games).Slash(t.Context(), "ping"); !errors.Is(err, sandbox.ErrFailed) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(srv.Messages(srv.Games.ID())); n != 0 {
		t.Errorf("%d messages were made", n)
	}
	web.answers(func(w http.ResponseWriter, _ obj) {
		form := multipart.NewWriter(w)
		w.Header().Set("Content-Type", form.FormDataContentType())
		payload, _ := form.CreateFormField("payload_json")
		io.WriteString(payload, `{"type":4,"data":{"content":"with a file","attachments":[{"id":0,"description":"d"}]}}`)
		file, _ := form.CreateFormFile("files[0]", "a.txt")
		io.WriteString(file, "bytes")
		form.Close()
	})
	got := must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Slash(t.Context(), "ping"))
	if got.Text() != "with a file" || len(got.Message.Attachments) != 1 || got.Message.Attachments[0].Description != "d" {
		t.Errorf("multipart: %+v", got.Message)
	}
}

// TestRefusedAnswersFailAtOnce: nobody waits for the rest of the time when the endpoint's answer is none.
func TestRefusedAnswersFailAtOnce(t *testing.T) {
	srv, _ := start(t, sandbox.Options{AnswerWithin: time.Hour})
	web := serveWeb(t)
	if err := srv.SetEndpoint(t.Context(), web.url); err != nil {
		t.Fatal(err)
	}
	for _, status := range []int{202, 200, 500, 401} {
		web.answers(func(w http.ResponseWriter, _ obj) { w.WriteHeader(status); io.WriteString(w, "{}") })
		if _, err := srv.Alice.In(srv.Games).Slash(t.Context(), "ping"); !errors.Is(err, sandbox.ErrFailed) {
			t.Errorf("%d: %v", status, err)
		}
	}
}

// TestACarelessBotLosesItsEndpoint: it takes the first wrong signature for a right one.
func TestACarelessBotLosesItsEndpoint(t *testing.T) {
	srv, gate := start(t, sandbox.Options{})
	gate.answerWith(obj{"type": 4, "data": obj{"content": "by gateway"}})
	web := serveWeb(t)
	web.answers(func(w http.ResponseWriter, _ obj) { say(w, obj{"type": 4, "data": obj{"content": "by HTTP"}}) })
	if err := srv.SetEndpoint(t.Context(), web.url); err != nil {
		t.Fatal(err)
	}
	srv.SetBadSignatures(1)
	alice := srv.Alice.In(srv.Games)
	for range 8 { // each wrong in another way
		if got := must[*sandbox.Reply](t)(alice.Slash(t.Context(), "ping")); got.Text() != "by HTTP" {
			t.Fatalf("%+v", got)
		}
	}
	if refused, _, _ := web.counts(); refused != 9 {
		t.Errorf("%d wrong signatures, want 9", refused)
	}
	if err := srv.ProbeEndpoint(t.Context()); err != nil {
		t.Error(err)
	}
	sub := srv.Subscribe(10)
	web.set(func() { web.trusts = true })
	if got := must[*sandbox.Reply](t)(alice.Slash(t.Context(), "ping")); got.Text() != "by gateway" {
		t.Errorf("%+v", got)
	}
	if e := <-sub.C; e.Kind != sandbox.EndpointLost {
		t.Errorf("event %+v", e)
	}
	if srv.Endpoint() != "" {
		t.Error("the endpoint is still there")
	}
	if err := srv.ProbeEndpoint(t.Context()); err == nil {
		t.Error("a probe of nothing succeeds")
	}
}

func TestEndpointDeliveriesTwice(t *testing.T) {
	srv, _ := start(t, sandbox.Options{})
	web := serveWeb(t)
	var n atomic.Int32
	web.answers(func(w http.ResponseWriter, _ obj) {
		n.Add(1)
		say(w, obj{"type": 4, "data": obj{"content": "once"}})
	})
	if err := srv.SetEndpoint(t.Context(), web.url); err != nil {
		t.Fatal(err)
	}
	r := must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Twice().Slash(t.Context(), "ping"))
	r.Redeliver()
	waitFor(t, func() bool { return srv.Stats().Doubled == 2 })
	if n.Load() != 3 || len(srv.Messages(srv.Games.ID())) != 1 {
		t.Errorf("%d deliveries, %d messages", n.Load(), len(srv.Messages(srv.Games.ID())))
	}
}

// TestClosingWithADeliveryUnderWay: Close waits for nothing that the bot holds back.
func TestClosingWithADeliveryUnderWay(t *testing.T) {
	srv := sandbox.New(sandbox.Options{AnswerWithin: time.Hour})
	if _, err := srv.Listen(t.Context(), "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	b := &rawBot{t: t, srv: srv}
	b.want(200, b.call("PUT", globalCommands, commands()))
	web := serveWeb(t)
	stuck, free := make(chan struct{}), make(chan struct{})
	defer close(free)
	web.answers(func(http.ResponseWriter, obj) { close(stuck); <-free })
	if err := srv.SetEndpoint(t.Context(), web.url); err != nil {
		t.Fatal(err)
	}
	var waiting sync.WaitGroup
	traffic := srv.Traffic(10)
	waiting.Go(func() { _, _ = srv.Alice.In(srv.Games).Slash(t.Context(), "ping") })
	<-stuck
	srv.Close()
	var seen []string
	for x := range traffic.C {
		seen = append(seen, x.Method+" "+strings.TrimPrefix(x.Path, web.url))
		if !bytes.Contains(x.Request, []byte(`"token"`)) {
			t.Errorf("no interaction: %s", x.Request)
		}
	}
	if diff := cmp.Diff([]string{"POST "}, seen); diff != "" {
		t.Error(diff)
	}
}
