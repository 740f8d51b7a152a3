package sandbox_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

func TestTwiceTweakedAndRedelivered(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	var count atomic.Int32
	var codes []int
	var context any
	b.handle(func(i obj) {
		count.Add(1)
		_, context = i["context"]
		codes = append(codes, b.reply(i, obj{"type": 4, "data": obj{"content": "x"}}).code())
	})
	sync := func(n int32) {
		t.Helper()
		for deadline := time.Now().Add(10 * time.Second); count.Load() < n; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%d deliveries, want %d", count.Load(), n)
			}
		}
	}
	seat := srv.Alice.In(srv.Games).Tweak(func(p map[string]any) { delete(p, "context") })
	reply := must[*sandbox.Reply](t)(seat.Twice().Slash(t.Context(), "ping"))
	reply.Redeliver()
	sync(3)
	b.handle(nil)
	must[answer](t)(b.try("GET", "/users/@me", nil, "Bot "+sandbox.Token))
	if context != false {
		t.Error("the tweak did not reach the bot")
	}
	if len(srv.Messages(srv.Games.ID())) != 1 {
		t.Error("one interaction made more than one message")
	}
}

func TestContextsOutsideServers(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	b.answerWith(obj{"type": 4, "data": obj{"content": "x"}})
	must[*sandbox.Reply](t)(srv.Alice.DM().Slash(t.Context(), "ping"))
	if b.seenLast()["context"] != 1.0 || b.seenLast()["member"] != nil || b.seenLast()["user"].(obj)["id"] != srv.Alice.ID() || b.seenLast()["guild_id"] != nil {
		t.Errorf("DM: %v", b.seenLast())
	}
	group := srv.AddPrivateChannel(srv.Bob, srv.Chen)
	var client *sandbox.ClientError
	if _, err := srv.Chen.In(group).Slash(t.Context(), "ping"); !errors.As(err, &client) {
		t.Errorf("a guild command in a group: %v", err)
	}
	must[*sandbox.Reply](t)(srv.Chen.In(group).Slash(t.Context(), "anywhere"))
	if diff := cmp.Diff(obj{"1": srv.Bob.ID()}, b.seenLast()["authorizing_integration_owners"]); diff != "" || b.seenLast()["context"] != 2.0 {
		t.Errorf("group: %v %s", b.seenLast(), diff)
	}
	b.refused(403, 50001, b.call("POST", "/channels/"+group.ID()+"/messages", obj{"content": "x"}))
	b.refused(403, 50001, b.call("GET", "/channels/"+group.ID(), nil))
	for range 5 {
		b.want(200, b.call("POST", hook(b.seenLast(), ""), obj{"content": "more"}))
	}
	b.refused(400, 40094, b.call("POST", hook(b.seenLast(), ""), obj{"content": "too much"}))
	away := srv.AddGuild("Elsewhere", sandbox.GuildOptions{Owner: srv.Chen, WithoutBot: true})
	room := away.AddChannel("room")
	must[*sandbox.Reply](t)(srv.Chen.In(room).Slash(t.Context(), "anywhere"))
	if b.seenLast()["guild_id"] != away.ID() || b.seenLast()["authorizing_integration_owners"].(obj)["0"] != nil {
		t.Errorf("elsewhere: %v", b.seenLast())
	}
	b.refused(403, 50001, b.call("GET", "/channels/"+room.ID()+"/messages", nil))
}

func TestMenusAndCommandLines(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	b.handle(func(i obj) {
		b.want(204, b.reply(i, obj{"type": 4, "data": obj{"content": "<@" + srv.Bob.ID() + ">", "components": list{
			row(obj{"type": 3, "custom_id": "which", "options": list{obj{"label": "One", "value": "1"}, obj{"label": "Two", "value": "2"}}}),
		}}}))
	})
	alice := srv.Alice.In(srv.Games)
	reply := must[*sandbox.Reply](t)(alice.UserCommand(t.Context(), "Challenge to a game", srv.Bob))
	if b.seenLast()["data"].(obj)["target_id"] != srv.Bob.ID() || reply.Message.Type != 23 {
		t.Errorf("user command: %v", b.seenLast()["data"].(obj))
	}
	if diff := cmp.Diff([]string{srv.Bob.ID()}, reply.Message.Pings); diff != "" {
		t.Error(diff)
	}
	must[*sandbox.Reply](t)(alice.MessageCommand(t.Context(), "Look at it", reply.Message))
	if b.seenLast()["data"].(obj)["target_id"] != reply.Message.ID {
		t.Errorf("message command: %v", b.seenLast()["data"].(obj))
	}
	must[*sandbox.Reply](t)(alice.Select(t.Context(), reply.Message, "", "Two"))
	if diff := cmp.Diff(list{"2"}, b.seenLast()["data"].(obj)["values"]); diff != "" {
		t.Error(diff)
	}
	must[*sandbox.Reply](t)(srv.Bob.In(srv.Games).Type(t.Context(), "/play start opponent:Дарья side:Erster size:9"))
	options := b.seenLast()["data"].(obj)["options"].(list)[0].(obj)["options"].(list)
	if options[0].(obj)["value"] != srv.Darya.ID() || options[1].(obj)["value"] != "first" || options[2].(obj)["value"] != 9.0 {
		t.Errorf("typed: %v", options)
	}
	must[*sandbox.Reply](t)(alice.Type(t.Context(), `/play move cell:H 8 match:"a b"`))
	options = b.seenLast()["data"].(obj)["options"].(list)[0].(obj)["options"].(list)
	if options[0].(obj)["value"] != "H 8" || options[1].(obj)["value"] != "a b" {
		t.Errorf("typed: %v", options)
	}
}
