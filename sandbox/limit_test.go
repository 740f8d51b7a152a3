package sandbox_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"rowbot/sandbox"
)

var bucketHeaders = []string{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "X-Ratelimit-Reset-After", "X-Ratelimit-Bucket"}

func TestHeadersOnEveryAnswer(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	games := "/channels/" + srv.Games.ID()
	for name, got := range map[string]answer{
		"200": b.want(200, b.call("GET", "/users/@me", nil)),
		"204": b.want(204, b.call("DELETE", games+"/messages/"+b.call("POST", games+"/messages", obj{"content": "x"}).json()["id"].(string), nil)),
		"400": b.want(400, b.call("POST", games+"/messages", obj{"content": list{}})),
		"401": must[answer](t)(b.try("GET", "/users/@me", nil, "")),
		"404": b.want(404, b.call("GET", "/nothing", nil)),
	} {
		for _, h := range bucketHeaders {
			if got.header.Get(h) == "" {
				t.Errorf("%s: no %s", name, h)
			}
		}
	}
	one, other := b.call("GET", games, nil), b.call("GET", "/channels/"+srv.General.ID(), nil)
	if one.header.Get("X-RateLimit-Bucket") != other.header.Get("X-RateLimit-Bucket") {
		t.Error("the bucket's hash depends on the channel")
	}
	if b.call("GET", games+"/messages", nil).header.Get("X-RateLimit-Bucket") == one.header.Get("X-RateLimit-Bucket") {
		t.Error("two routes share a bucket")
	}
}

func TestTinyAndUsualLimits(t *testing.T) {
	var c clock
	srv, b := start(t, sandbox.Options{Now: c.now})
	srv.SetLimit("", "", 1, time.Hour)
	for _, path := range []string{"/users/@me", "/users/" + srv.Bob.ID(), "/channels/" + srv.Games.ID()} {
		b.want(200, b.call("GET", path, nil))
		got := b.want(429, b.call("GET", path, nil))
		if got.header.Get("X-RateLimit-Scope") != "user" || got.header.Get("X-RateLimit-Remaining") != "0" || got.header.Get("Retry-After") == "" {
			t.Errorf("%s: %v", path, got.header)
		}
	}
	srv.Heal()
	srv.SetUsualLimits()
	path := "/channels/" + srv.Games.ID() + "/messages"
	for i := range 6 {
		want := 200
		if i == 5 {
			want = 429
		}
		b.want(want, b.call("POST", path, obj{"content": "x"}))
	}
	statuses := map[int]int{}
	for range 60 {
		statuses[b.call("GET", "/users/@me", nil).status]++
	}
	if statuses[429] == 0 {
		t.Errorf("60 requests at once: %v", statuses)
	}
}

func TestTooManyInvalidRequests(t *testing.T) {
	var c clock
	srv, b := start(t, sandbox.Options{Now: c.now})
	srv.SetInvalidLimit(4, 10*time.Minute)
	bad := func() answer { return must[answer](t)(b.try("GET", "/users/@me", nil, "Bot nonsense")) }
	srv.Fail(3, "", "", sandbox.SharedRateLimited(time.Second))
	for range 3 {
		if got := b.want(429, b.call("GET", "/users/@me", nil)); got.header.Get("X-RateLimit-Scope") != "shared" {
			t.Errorf("%v", got.header)
		}
	}
	b.want(401, bad())
	srv.Fail(1, "", "", sandbox.RateLimited(time.Second))
	b.want(429, b.call("GET", "/users/@me", nil))
	srv.Fail(1, "", "", sandbox.Refusal(403, 50001, "Missing Access"))
	b.want(403, b.call("GET", "/users/@me", nil))
	b.want(404, b.call("GET", "/nothing", nil)) // does not count
	b.want(200, b.call("GET", "/users/@me", nil))
	b.want(401, bad())
	got := b.want(429, b.call("GET", "/users/@me", nil))
	if !strings.Contains(string(got.body), "1015") || got.header.Get("X-RateLimit-Bucket") != "" || got.header.Get("Retry-After") == "" {
		t.Errorf("the ban: %v %s", got.header, got.body)
	}
	b.want(429, must[answer](t)(b.try("POST", "/interactions/1390000000000000999/x/callback", obj{"type": 5}, "")))
	c.ahead.Store(int64(11 * time.Minute))
	b.want(200, b.call("GET", "/users/@me", nil))
	srv.SetInvalidLimit(0, 0)
	for range 6 {
		b.want(401, bad())
	}
	b.want(200, b.call("GET", "/users/@me", nil))
}

func TestEditsOfOldMessages(t *testing.T) {
	var c clock
	srv, b := start(t, sandbox.Options{Now: c.now})
	b.handle(func(i obj) { b.want(204, b.reply(i, obj{"type": 7, "data": obj{"content": "a click is free"}})) })
	path := "/channels/" + srv.Games.ID() + "/messages"
	old := path + "/" + b.call("POST", path, obj{"content": "old", "components": rows(1)}).json()["id"].(string)
	c.ahead.Store(int64(59 * time.Minute))
	for range 5 {
		b.want(200, b.call("PATCH", old, obj{"content": "young"}))
	}
	c.ahead.Store(int64(61 * time.Minute))
	for range 3 {
		b.want(200, b.call("PATCH", old, obj{"content": "old"}))
	}
	got := b.call("PATCH", old, obj{"content": "too much"})
	b.refused(429, 30046, got, "older than 1 hour", "retry_after")
	if got.header.Get("Retry-After") == "" {
		t.Errorf("headers %v", got.header)
	}
	id := old[len(path)+1:]
	if m := srv.Message(srv.Games.ID(), id); m.Content != "old" {
		t.Errorf("the refused edit was made: %q", m.Content)
	}
	must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Click(t.Context(), srv.Message(srv.Games.ID(), id), "id0"))
	fresh := b.call("POST", path, obj{"content": "new"}).json()["id"].(string)
	b.want(200, b.call("PATCH", path+"/"+fresh, obj{"content": "newer"}))
	c.ahead.Add(int64(7 * time.Second))
	b.want(200, b.call("PATCH", old, obj{"content": "again"}))
	srv.SetOldEditLimit(0, 0)
	for range 6 {
		b.want(200, b.call("PATCH", old, obj{"content": "x"}))
	}
}

func TestDailyCommands(t *testing.T) {
	var c clock
	srv, b := start(t, sandbox.Options{Now: c.now, DailyCommands: 10})
	guild := "/applications/" + sandbox.ApplicationID + "/guilds/" + srv.Playground.ID() + "/commands"
	ten := many(10, func(i int) obj { return slash(obj{"name": fmt.Sprint("c", i)}) })
	b.want(200, b.call("PUT", guild, ten))
	b.want(200, b.call("PUT", guild, ten)) // overwriting creates nothing
	b.refused(429, 30034, b.call("POST", guild, slash(obj{"name": "one-more"})), "(10)")
	b.refused(429, 30034, b.call("PUT", guild, list{slash(obj{"name": "one-more"})}))
	if n := len(srv.Commands(srv.Playground.ID())); n != 10+len(commands()) {
		t.Errorf("%d commands after the refusals", n)
	}
	b.want(200, b.call("PUT", guild, ten[:3]))
	b.refused(429, 30034, b.call("PUT", guild, ten)) // what was deleted is created anew
	c.ahead.Store(int64(25 * time.Hour))
	b.want(200, b.call("PUT", guild, ten))
}

func TestWholeRequestsAreBounded(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	path := "/channels/" + srv.Games.ID() + "/messages"
	huge := append([]byte(`{"content":"`), append(make([]byte, 26<<20), []byte(`"}`)...)...)
	b.refused(http.StatusRequestEntityTooLarge, 40005, must[answer](t)(raw(b, "POST", path, "application/json", huge)))
	b.refused(400, 50035, b.call("GET", "/users/nobody", nil), "user_id")
	b.refused(400, 50035, b.call("GET", "/channels/x/messages/y", nil), "channel_id", "message_id")
}
