package sandbox_test

import (
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

// TestExternalAppsMayBeHushed: where the app is only installed by a user, and the person may not use external apps,
// whatever it says is for that person alone, without any error.
func TestExternalAppsMayBeHushed(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	away := srv.AddGuild("Elsewhere", sandbox.GuildOptions{Owner: srv.Chen, WithoutBot: true, Members: []*sandbox.Person{srv.Bob}})
	room := away.AddChannel("room")
	for _, body := range []obj{{"type": 4, "data": obj{"content": "x"}}, {"type": 5}} {
		b.answerWith(body)
		away.SetPermissions(srv.Bob, sandbox.PermViewChannel|sandbox.PermSendMessages|sandbox.PermUseExternalApps)
		if r := must[*sandbox.Reply](t)(srv.Bob.In(room).Slash(t.Context(), "anywhere")); r.Ephemeral {
			t.Errorf("%v: ephemeral though external apps are allowed", body)
		}
		away.SetPermissions(srv.Bob, sandbox.PermViewChannel|sandbox.PermSendMessages)
		if r := must[*sandbox.Reply](t)(srv.Bob.In(room).Slash(t.Context(), "anywhere")); !r.Ephemeral || r.Message.Viewer != srv.Bob.ID() {
			t.Errorf("%v: public though external apps are not allowed", body)
		}
		if got := b.seenLast()["app_permissions"]; got != "3072" {
			t.Errorf("app_permissions %v, want the person's own", got)
		}
	}
	b.answerWith(obj{"type": 4, "data": obj{"content": "x"}})
	must[*sandbox.Reply](t)(srv.Bob.In(room).Slash(t.Context(), "anywhere"))
	more := b.want(200, b.call("POST", hook(b.seenLast(), ""), obj{"content": "more"})).json()
	if more["flags"] != 64.0 {
		t.Errorf("a follow-up is public: %v", more)
	}
	for range 4 {
		b.want(200, b.call("POST", hook(b.seenLast(), ""), obj{"content": "more"}))
	}
	b.refused(400, 40094, b.call("POST", hook(b.seenLast(), ""), obj{"content": "sixth"}))
	srv.Playground.SetPermissions(srv.Bob, sandbox.PermViewChannel|sandbox.PermSendMessages)
	if r := must[*sandbox.Reply](t)(srv.Bob.In(srv.Games).Slash(t.Context(), "ping")); r.Ephemeral {
		t.Error("hushed where the bot itself is")
	}
	for range 7 {
		b.want(200, b.call("POST", hook(b.seenLast(), ""), obj{"content": "as many as you like"}))
	}
}

// TestNothingButTokensWhereTheBotIsNot tries every route of the bot's token in a place of a user's installation.
func TestNothingButTokensWhereTheBotIsNot(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	away := srv.AddGuild("Elsewhere", sandbox.GuildOptions{Owner: srv.Chen, WithoutBot: true})
	b.answerWith(obj{"type": 4, "data": obj{"content": "x"}})
	for _, place := range []*sandbox.Channel{away.AddChannel("room"), srv.AddPrivateChannel(srv.Chen, srv.Bob)} {
		m := must[*sandbox.Reply](t)(srv.Chen.In(place).Slash(t.Context(), "anywhere")).Message
		all := "/channels/" + place.ID()
		one := all + "/messages/" + m.ID
		b.refused(403, 50001, b.call("GET", all, nil))
		b.refused(403, 50001, b.call("GET", all+"/messages", nil))
		b.refused(403, 50001, b.call("POST", all+"/messages", obj{"content": "x"}))
		b.refused(403, 50001, b.call("GET", one, nil))
		b.refused(403, 50001, b.call("PATCH", one, obj{"content": "x"}))
		b.refused(403, 50001, b.call("DELETE", one, nil))
		b.want(200, b.call("PATCH", hook(b.seenLast(), "/messages/@original"), obj{"content": "by token"}))
	}
	b.refused(403, 50001, b.call("GET", "/guilds/"+away.ID()+"/members/"+srv.Chen.ID(), nil))
}

func TestOldClientsSendNoContext(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	b.answerWith(obj{"type": 4, "data": obj{"content": "x"}})
	for name, seat := range map[string]sandbox.Seat{"server": srv.Alice.In(srv.Games), "DM": srv.Alice.DM()} {
		must[*sandbox.Reply](t)(seat.OldClient().Slash(t.Context(), "ping"))
		i := b.seenLast()
		if _, there := i["context"]; there || i["authorizing_integration_owners"] != nil {
			t.Errorf("%s: %v", name, i)
		}
		if (i["member"] == nil) == (i["user"] == nil) {
			t.Errorf("%s: member %v, user %v: exactly one has to be there", name, i["member"], i["user"])
		}
	}
}

func TestEphemeralMessagesAfterTheToken(t *testing.T) {
	var c clock
	srv, b := start(t, sandbox.Options{Now: c.now})
	b.answerWith(obj{"type": 4, "data": obj{"content": "secret", "flags": 64, "components": rows(1)}})
	m := must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Slash(t.Context(), "ping")).Message
	i := b.seenLast()
	c.ahead.Store(int64(16 * time.Minute))
	b.refused(401, 50027, b.call("PATCH", hook(i, "/messages/@original"), obj{"content": "x"}))
	b.refused(401, 50027, b.call("GET", hook(i, "/messages/@original"), nil))
	b.refused(404, 10008, b.call("PATCH", "/channels/"+srv.Games.ID()+"/messages/"+m.ID, obj{"content": "x"}))
	b.refused(404, 10008, b.call("DELETE", "/channels/"+srv.Games.ID()+"/messages/"+m.ID, nil))
	b.answerWith(obj{"type": 7, "data": obj{"content": "a click opens it again", "flags": 64}})
	got := must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Click(t.Context(), m, "id0"))
	if got.Text() != "a click opens it again" || !got.Updated.Ephemeral() {
		t.Errorf("%+v", got)
	}
	b.want(200, b.call("PATCH", hook(b.seenLast(), "/messages/@original"), obj{"content": "by the new token"}))
}

// TestWhatOriginalMeans: by the kind of the first answer.
func TestWhatOriginalMeans(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	b.answerWith(obj{"type": 4, "data": obj{"content": "board", "components": rows(1)}})
	alice := srv.Alice.In(srv.Games)
	m := must[*sandbox.Reply](t)(alice.Slash(t.Context(), "ping")).Message
	for _, c := range []struct {
		body obj
		own  bool // the message that carries the component
	}{
		{obj{"type": 6}, true},
		{obj{"type": 7, "data": obj{"content": "moved"}}, true},
		{obj{"type": 4, "data": obj{"content": "new"}}, false},
		{obj{"type": 5}, false},
	} {
		b.answerWith(c.body)
		must[*sandbox.Reply](t)(alice.Click(t.Context(), m, "id0"))
		got := b.want(200, b.call("GET", hook(b.seenLast(), "/messages/@original"), nil)).json()
		if (got["id"] == m.ID) != c.own {
			t.Errorf("%v: @original is %v", c.body, got["content"])
		}
	}
	b.answerWith(obj{"type": 9, "data": obj{"custom_id": "f", "title": "F", "components": list{
		obj{"type": 18, "label": "L", "component": obj{"type": 4, "custom_id": "t", "style": 1}},
	}}})
	must[*sandbox.Reply](t)(alice.Click(t.Context(), m, "id0"))
	b.refused(404, 10008, b.call("GET", hook(b.seenLast(), "/messages/@original"), nil))
}

func TestDirectMessagesMayFail(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	stranger := srv.AddPerson("Stranger", sandbox.PersonOptions{})
	post := func(p *sandbox.Person) answer {
		dm := b.want(200, b.call("POST", "/users/@me/channels", obj{"recipient_id": p.ID()})).json()["id"].(string)
		return b.call("POST", "/channels/"+dm+"/messages", obj{"content": "x"})
	}
	b.refused(403, 50278, post(stranger))
	srv.Playground.AddMember(stranger)
	b.want(200, post(stranger))
	stranger.CloseDMs(true)
	b.refused(403, 50007, post(stranger))
	stranger.CloseDMs(false)
	b.want(200, post(stranger))
}

// TestContextMenus: whom a user command concerns comes along, and the answer's metadata tells it.
func TestContextMenus(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	stranger := srv.AddPerson("Stranger", sandbox.PersonOptions{})
	srv.Playground.Rename(srv.Bob, "Bobby")
	b.answerWith(obj{"type": 4, "data": obj{"content": "x"}})
	alice := srv.Alice.In(srv.Games)
	r := must[*sandbox.Reply](t)(alice.UserCommand(t.Context(), "Challenge to a game", srv.Bob))
	data := b.seenLast()["data"].(obj)
	resolved := data["resolved"].(obj)
	if data["type"] != 2.0 || data["name"] != "Challenge to a game" || data["options"] != nil ||
		resolved["users"].(obj)[srv.Bob.ID()].(obj)["username"] != "bob" || resolved["members"].(obj)[srv.Bob.ID()].(obj)["nick"] != "Bobby" {
		t.Errorf("data %v", data)
	}
	meta := messageJSON(t, r.Message)["interaction_metadata"].(obj)
	if meta["target_user"].(obj)["id"] != srv.Bob.ID() {
		t.Errorf("metadata %v", meta)
	}
	must[*sandbox.Reply](t)(alice.UserCommand(t.Context(), "Challenge to a game", stranger))
	if resolved := b.seenLast()["data"].(obj)["resolved"].(obj); resolved["members"] != nil || resolved["users"] == nil {
		t.Errorf("somebody who is not in the server: %v", resolved)
	}
	must[*sandbox.Reply](t)(srv.Alice.DM().UserCommand(t.Context(), "Challenge to a game", srv.Bot()))
	if got := b.seenLast()["data"].(obj)["target_id"]; got != srv.BotID() {
		t.Errorf("in direct messages: %v", got)
	}
	said := srv.Bob.In(srv.Games).Say("look")
	r = must[*sandbox.Reply](t)(alice.MessageCommand(t.Context(), "Look at it", said))
	if got := messageJSON(t, r.Message)["interaction_metadata"].(obj)["target_message_id"]; got != said.ID {
		t.Errorf("target_message_id %v", got)
	}
	if got := b.seenLast()["data"].(obj)["resolved"].(obj)["messages"].(obj)[said.ID].(obj)["content"]; got != "look" {
		t.Errorf("the message of a message command: %v", got)
	}
	if diff := cmp.Diff("Look at it", r.Message.Command()); diff != "" {
		t.Error(diff)
	}
}

// TestMyGuilds: the bot is told of the guilds that it is in, page by page.
func TestMyGuilds(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	ids := func(query string) (out []string) {
		var page []struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(b.want(200, b.call("GET", "/users/@me/guilds"+query, nil)).body, &page); err != nil {
			t.Fatal(err)
		}
		for _, g := range page {
			out = append(out, g.ID)
		}
		return out
	}
	first := srv.Playground.ID()
	second, third := srv.AddGuild("Second", sandbox.GuildOptions{}), srv.AddGuild("Third", sandbox.GuildOptions{})
	third.RemoveBot()
	all := ids("")
	if len(all) < 2 || all[len(all)-1] != second.ID() || !slices.Contains(all, first) {
		t.Errorf("the bot is in %v", all)
	}
	if got := ids("?limit=1"); !slices.Equal(got, all[:1]) {
		t.Errorf("one: %v", got)
	}
	if got := ids("?limit=200&after=" + all[0]); !slices.Equal(got, all[1:]) {
		t.Errorf("after the first: %v", got)
	}
	third.AddBot()
	if got := ids("?after=" + second.ID()); !slices.Equal(got, []string{third.ID()}) {
		t.Errorf("back in the third: %v", got)
	}
	b.refused(400, 50035, b.call("GET", "/users/@me/guilds?limit=201", nil), "limit")
	b.refused(400, 50035, b.call("GET", "/users/@me/guilds?after=x", nil), "after")
}
