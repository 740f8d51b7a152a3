package page_test

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
	"rowbot/sandbox/page"
)

// faults waits until exactly these faults are shown to be on.
func (b *browser) faults(names ...string) event {
	b.t.Helper()
	return b.until(func(e event) bool { return e.T == "faults" && slices.Equal(e.On, names) })
}

// status asks the stand-in something as the bot and returns the status, 0 when the connection was cut.
func (b *scriptedBot) status(method, path, body string) int {
	b.t.Helper()
	req, err := http.NewRequestWithContext(b.t.Context(), method, b.base+"/api/v10"+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bot "+sandbox.Token)
	req.Header.Set("User-Agent", "DiscordBot (https://example.org, 1)")
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0
	}
	res.Body.Close()
	return res.StatusCode
}

func TestFaults(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	bot := startBot(t, srv, base, silence)
	alice, bob := visit(t, base, "alice"), visit(t, base, "bob")
	me := func() int { return bot.status("GET", "/users/@me", "") }
	alice.faults()
	for _, c := range []struct {
		name string
		want int
	}{{"limit", 429}, {"global", 429}, {"proxy", 429}, {"error", 500}, {"lost", 0}} {
		if r := alice.ask(object{"do": "fault", "name": c.name, "on": true}); r.Error != "" {
			t.Fatalf("%s: %+v", c.name, r)
		}
		bob.faults(c.name) // everybody sees it, and it has taken the place of the one before
		if got := me(); got != c.want {
			t.Errorf("%s: status %d, want %d", c.name, got, c.want)
		}
	}
	alice.ask(object{"do": "fault", "name": "silence", "on": true})
	alice.ask(object{"do": "fault", "name": "twice", "on": true})
	alice.ask(object{"do": "fault", "name": "slow", "on": true})
	bob.faults("lost", "silence", "slow", "twice")
	alice.ask(object{"do": "fault", "name": "slow"})
	bob.faults("lost", "silence", "twice")
	if r := bob.ask(object{"do": "heal"}); r.Error != "" {
		t.Errorf("heal: %+v", r)
	}
	alice.until(func(e event) bool { return e.T == "faults" && slices.Contains(e.On, "lost") })
	alice.faults()
	if got := me(); got != http.StatusOK {
		t.Errorf("healed: status %d", got)
	}
	if f := srv.GatewayFaultsNow(); f.Silent || f.Twice {
		t.Errorf("healed: %+v", f)
	}
	for _, bad := range []object{
		{"do": "fault", "name": "flood", "on": true},
		{"do": "fault", "name": "limit", "on": true, "target": "nothing"},
		{"do": "fault", "name": "limit", "on": true, "times": -1},
		{"do": "act", "name": "explode"},
		{"do": "allow", "name": "fly"},
		{"do": "allow", "name": "send", "channel": "1"},
	} {
		if bad["do"] == "allow" && bad["channel"] == nil {
			bad["channel"] = srv.General.ID()
		}
		if r := alice.ask(bad); r.Error != "There is no such thing." {
			t.Errorf("%v: %+v", bad, r)
		}
	}
}

func TestFaultForSomeRequests(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	bot := startBot(t, srv, base, silence)
	alice := visit(t, base, "alice")
	alice.ask(object{"do": "fault", "name": "error", "on": true, "target": "posts", "times": 2})
	alice.faults("error")
	post := func() int { return bot.status("POST", "/channels/"+srv.General.ID()+"/messages", `{"content":"x"}`) }
	if got := bot.status("GET", "/users/@me", ""); got != http.StatusOK {
		t.Errorf("another request: status %d", got)
	}
	got := []int{post(), post(), post()}
	if diff := cmp.Diff([]int{500, 500, 200}, got); diff != "" {
		t.Errorf("posts (-want +got):\n%s", diff)
	}
	alice.faults() // it has switched itself off
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	bot := startBot(t, srv, base, silence)
	alice := visit(t, base, "alice")
	general := srv.General.ID()
	post := func(channel string) int {
		return bot.status("POST", "/channels/"+channel+"/messages", `{"content":"x"}`)
	}
	if r := alice.ask(object{"do": "allow", "channel": general, "name": "send"}); r.Error != "" {
		t.Fatalf("allow: %+v", r)
	}
	alice.until(func(e event) bool { return e.T == "faults" && slices.Equal(e.Denied[general], []string{"send"}) })
	if got := post(general); got != http.StatusForbidden {
		t.Errorf("without permission: status %d", got)
	}
	if got := post(srv.Games.ID()); got != http.StatusOK {
		t.Errorf("another channel: status %d", got)
	}
	alice.ask(object{"do": "allow", "channel": general, "name": "send", "on": true})
	alice.until(func(e event) bool { return e.T == "faults" && len(e.Denied[general]) == 0 })
	alice.ask(object{"do": "allow", "channel": general, "name": "view"})
	alice.ask(object{"do": "heal"})
	if got := srv.General.BotPermissions(); got != sandbox.PermInvite {
		t.Errorf("healed: permissions %d", got)
	}
}

func TestGatewayActs(t *testing.T) {
	t.Parallel()
	for _, act := range []string{"drop", "reconnect", "invalid", "resumable"} {
		t.Run(act, func(t *testing.T) {
			t.Parallel()
			srv := sandbox.New(sandbox.Options{})
			base := serve(t, srv)
			startBot(t, srv, base, silence)
			alice := visit(t, base, "alice")
			alice.write(object{"do": "listen", "on": true})
			alice.entry("READY")
			if r := alice.ask(object{"do": "act", "name": act}); r.Error != "" {
				t.Fatalf("act: %+v", r)
			}
			switch act {
			case "drop":
				if e := alice.until(func(e event) bool { return e.T == "bot" && !e.Connected }); e.T == "" {
					t.Error("the bot is still there")
				}
			case "reconnect":
				alice.entry("Reconnect")
			default:
				alice.entry("Invalid session")
			}
		})
	}
}

// What a bot asks as soon as there is a page is in the traffic, however late the
// recording begins to run.
func TestTrafficFromTheBeginning(t *testing.T) {
	for range 20 {
		srv := sandbox.New(sandbox.Options{})
		p := page.Handler(srv, nil)
		srv.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/v10/gateway", nil))
		alice := visit(t, listen(t, p), "alice")
		alice.write(object{"do": "listen", "on": true})
		alice.entry("GET /gateway")
		p.Close()
		srv.Close()
	}
}

// entry waits for a line of the traffic with a title.
func (b *browser) entry(title string) line {
	b.t.Helper()
	var found line
	b.until(func(e event) bool {
		for _, l := range e.Entries {
			if l.Title == title {
				found = l
				return true
			}
		}
		return false
	})
	return found
}

func TestTraffic(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	bot := startBot(t, srv, base, func(interaction) any { return object{"type": 4, "data": object{"content": "hello"}} })
	bot.register()
	alice, bob := visit(t, base, "alice"), visit(t, base, "bob")
	alice.write(object{"do": "listen", "on": true})
	put := alice.entry("PUT /applications/…0001/commands") // from before she listened
	if put.Kind != "request" || put.Status != http.StatusOK {
		t.Errorf("entry %+v", put)
	}
	bob.ask(object{"do": "slash", "channel": srv.General.ID(), "command": "ttt challenge"})
	create := alice.entry("INTERACTION_CREATE")
	if create.Kind != "interaction" || create.Note != "bob uses ttt challenge" {
		t.Errorf("entry %+v", create)
	}
	d := alice.ask(object{"do": "detail", "entry": create.N}).Detail
	if d == nil || !strings.Contains(string(d.Request), `"INTERACTION_CREATE"`) {
		t.Errorf("details %+v", d)
	}
	if d := alice.ask(object{"do": "detail", "entry": put.N}).Detail; d == nil || !strings.Contains(string(d.Request), "Tic-tac-toe") || len(d.Response) == 0 {
		t.Errorf("details %+v", d)
	}
	if d := alice.ask(object{"do": "detail", "entry": put.N}).Detail; d == nil || d.Path != "/applications/"+sandbox.ApplicationID+"/commands" {
		t.Errorf("details %+v", d)
	}
	for _, n := range []int{0, -1, 1 << 20} {
		if r := alice.ask(object{"do": "detail", "entry": n}); r.Error == "" {
			t.Errorf("details of entry %d: %+v", n, r)
		}
	}
	if got := bot.status("GET", "/channels/1", ""); got != http.StatusNotFound {
		t.Fatalf("status %d", got)
	}
	if e := alice.entry("GET /channels/1"); e.Status != http.StatusNotFound || !strings.HasPrefix(e.Note, "10003 ") {
		t.Errorf("entry %+v", e)
	}
	if slices.ContainsFunc(bob.kept, func(e event) bool { return e.T == "traffic" }) {
		t.Error("Bob gets traffic that he did not ask for")
	}
	// An answer that a fault gave is shown too.
	for name, want := range map[string]line{
		"limit": {Status: 429, Note: "fault"}, "error": {Status: 500, Note: "fault"}, "lost": {Note: "fault: connection cut"}, "proxy": {Status: 429, Note: "fault"},
	} {
		alice.ask(object{"do": "fault", "name": name, "on": true, "times": 1})
		bot.status("GET", "/users/@me", "")
		e := alice.entry("GET /users/@me")
		if !e.Fault || e.Status != want.Status || e.Note != want.Note {
			t.Errorf("%s: entry %+v", name, e)
		}
		if d := alice.ask(object{"do": "detail", "entry": e.N}).Detail; d == nil || want.Status != 0 && len(d.Response) == 0 {
			t.Errorf("%s: details %+v", name, d)
		}
	}
	alice.write(object{"do": "listen"})
	alice.ask(object{"do": "say", "channel": srv.General.ID(), "text": "quiet now"})
	alice.kept = nil
	bot.status("GET", "/users/@me", "")
	alice.ask(object{"do": "say", "channel": srv.General.ID(), "text": "still"})
	if slices.ContainsFunc(alice.kept, func(e event) bool { return e.T == "traffic" }) {
		t.Error("traffic comes after it was switched off")
	}
}

func TestTrafficIsBounded(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	bot := startBot(t, srv, base, silence)
	for range 350 {
		bot.status("GET", "/users/@me", "")
	}
	alice := visit(t, base, "alice")
	var got []line
	for len(got) < 300 {
		alice.write(object{"do": "listen", "on": true})
		got = alice.kind("traffic").Entries
		if len(got) > 300 {
			t.Fatalf("%d entries are kept", len(got))
		}
		time.Sleep(10 * time.Millisecond) // until the last of them is recorded
	}
	if got[0].N < 2 {
		t.Errorf("the first entry is still number %d", got[0].N)
	}
}
