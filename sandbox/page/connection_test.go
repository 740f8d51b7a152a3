package page_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/goleak"

	"rowbot/sandbox"
	"rowbot/sandbox/page"
)

// A reader who falls too far behind gets the present state anew, and misses nothing that still stands.
func TestOverflowReloads(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{KeepMessages: 5})
	p := page.New(srv, nil)
	p.SetBuffer(4)
	t.Cleanup(srv.Close)
	t.Cleanup(p.Close)
	b := visit(t, listen(t, p), "alice")
	b.kind("view")
	seat := srv.Bob.In(srv.General)
	filler := strings.Repeat("x", 128<<10)
	for range 200 { // more than what sockets hold
		seat.Say(filler)
	}
	seat.Say("the last one")
	views := 0
	b.until(func(e event) bool {
		if e.T == "view" {
			views++
			b.kept = nil
		}
		return strings.Contains(string(e.raw), "the last one")
	})
	if views == 0 {
		t.Error("the page was to fall behind and did not")
	}
	seat.Say("and on it goes")
	b.message("and on it goes")
}

func TestDrawingsAreBounded(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	p := page.New(srv, nil)
	t.Cleanup(srv.Close)
	t.Cleanup(p.Close)
	base := listen(t, p)
	alice, other := visit(t, base, "alice"), visit(t, base, "alice")
	seat := srv.Bob.In(srv.General)
	for range 300 {
		seat.Say("hello")
	}
	seat.Say("the last one")
	alice.message("the last one")
	other.message("the last one")
	if n := p.Drawings(); n < 100 || n > 256 {
		t.Errorf("%d drawings are kept", n)
	}
}

func TestOriginRefused(t *testing.T) {
	t.Parallel()
	base := serve(t, sandbox.New(sandbox.Options{}))
	address := "ws" + strings.TrimPrefix(base, "http") + "/page/ws"
	_, res, err := websocket.Dial(t.Context(), address, //nolint:bodyclose // Dial wants it left alone
		&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {"http://elsewhere.example"}}})
	if err == nil || res == nil || res.StatusCode != http.StatusForbidden {
		t.Errorf("a page from elsewhere got %v, %v", res, err)
	}
}

func TestUnknownPerson(t *testing.T) {
	t.Parallel()
	base := serve(t, sandbox.New(sandbox.Options{}))
	for _, user := range []string{"nobody", "otherbot", sandbox.ApplicationID} {
		_, _, err := dial(t, base, user).Read(t.Context())
		if websocket.CloseStatus(err) != 4004 {
			t.Errorf("%s: %v, want close code 4004", user, err)
		}
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*page.Page, *sandbox.Server){
		"page":     func(p *page.Page, _ *sandbox.Server) { p.Close() },
		"stand-in": func(_ *page.Page, s *sandbox.Server) { s.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv := sandbox.New(sandbox.Options{})
			p := page.Handler(srv, nil)
			base := listen(t, p)
			b := visit(t, base, "alice")
			b.kind("view")
			end(p, srv)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			var err error
			for err == nil {
				_, _, err = b.ws.Read(ctx)
			}
			if errors.Is(err, context.DeadlineExceeded) {
				t.Error("the connection stayed open")
			}
			p.Close() // also after the stand-in, and twice
			srv.Close()
		})
	}
}

// A flood of requests that the bot leaves waiting is refused, and the connection lives on.
func TestTooMuchAtOnce(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{AnswerWithin: 300 * time.Millisecond})
	base := serve(t, srv)
	bot := startBot(t, srv, base, silence)
	bot.register()
	b := visit(t, base, "alice")
	const n = 200
	for i := range n {
		b.write(object{"id": i + 1, "do": "slash", "channel": srv.General.ID(), "command": "help"})
	}
	refused, failed := 0, 0
	for range n {
		e := b.kind("result")
		var r result
		if err := json.Unmarshal(e.raw, &r); err != nil {
			t.Fatal(err)
		}
		switch {
		case r.Failed:
			failed++
		case strings.HasPrefix(r.Error, "Too much"):
			refused++
		}
	}
	if refused == 0 || failed == 0 || refused+failed != n {
		t.Errorf("%d refused, %d unanswered of %d", refused, failed, n)
	}
	b.next = n
	if r := b.ask(object{"do": "say", "channel": srv.General.ID(), "text": "still here"}); r.Error != "" {
		t.Errorf("afterwards: %+v", r)
	}
}

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
