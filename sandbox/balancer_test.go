package sandbox_test

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"rowbot/sandbox"
)

// Several copies behind one address: deliveries go to them in turn, and what one does not take goes to the next.
func TestCopiesInTurn(t *testing.T) {
	srv, _ := start(t, sandbox.Options{})
	var bots []*webBot
	var urls []string
	for n := range 3 {
		b := serveWeb(t)
		b.answers(func(w http.ResponseWriter, _ obj) { say(w, obj{"type": 4, "data": obj{"content": strconv.Itoa(n)}}) })
		bots, urls = append(bots, b), append(urls, b.url)
	}
	if err := srv.SetEndpoints(t.Context(), urls[0], "http://127.0.0.1:1/"); err == nil || srv.Endpoint() != "" {
		t.Errorf("a copy that is not there was taken: %v", err)
	}
	if err := srv.SetEndpoints(t.Context(), urls...); err != nil || srv.Endpoint() != urls[0] {
		t.Fatalf("%v; the endpoint is %q", err, srv.Endpoint())
	}
	asked := func(n int) string {
		var got strings.Builder
		for range n {
			got.WriteString(must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Slash(t.Context(), "ping")).Text())
		}
		return got.String()
	}
	if got := asked(5); got != "01201" {
		t.Errorf("in turn %s", got)
	}
	bots[2].answers(func(w http.ResponseWriter, _ obj) { w.WriteHeader(http.StatusServiceUnavailable) })
	if got := asked(3); got != "001" {
		t.Errorf("with one that cannot serve %s, want the next in its place", got)
	}
	bots[0].close()
	srv.SetBadSignatures(1) // those go to the next, too
	if got := asked(3); got != "111" {
		t.Errorf("with one that cannot serve and one that is gone %s", got)
	}
	bots[1].close()
	if _, err := srv.Bob.In(srv.Games).Slash(t.Context(), "ping"); !errors.Is(err, sandbox.ErrFailed) || srv.Endpoint() == "" {
		t.Errorf("with none left: %v, the endpoint is %q", err, srv.Endpoint())
	}
}

// A guild's id can be chosen, and with it its shard.
func TestGuildsOfShards(t *testing.T) {
	srv := sandbox.Start(t, sandbox.Options{Shards: 4})
	for i := range 4 {
		id := strconv.Itoa((284012568000 + i) << 22)
		if g := srv.AddGuild("of a shard", sandbox.GuildOptions{ID: id}); g.ID() != id {
			t.Errorf("the guild is %s, want %s", g.ID(), id)
		}
	}
}
