package sandbox_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

func TestSlashIsAnswered(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	b.handle(func(i obj) {
		got := b.want(200, b.call("POST", callbackPath(i)+"?with_response=true", obj{"type": 4, "data": board("Hello " + srv.Bob.Mention())}))
		resource, _ := got.json()["resource"].(obj)
		if resource["type"] != 4.0 || resource["message"].(obj)["flags"] != 32768.0 {
			t.Errorf("with_response: %s", got.body)
		}
	})
	reply := must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Slash(t.Context(), "play start",
		sandbox.UserOption("opponent", srv.Bob), sandbox.String("side", "Second"), sandbox.Int("size", 15)))
	if reply.Text() != "Hello <@1390000000000000012>" || reply.Kind != 4 || reply.Ephemeral {
		t.Errorf("reply %+v", reply)
	}
	if len(reply.Message.Pings) != 0 {
		t.Errorf("pings %v", reply.Message.Pings)
	}
	seen := b.seenLast()
	sub := seen["data"].(obj)["options"].(list)[0].(obj)
	want := list{
		obj{"name": "opponent", "type": 6.0, "value": srv.Bob.ID()},
		obj{"name": "side", "type": 3.0, "value": "second"},
		obj{"name": "size", "type": 4.0, "value": 15.0},
	}
	if diff := cmp.Diff(want, sub["options"]); diff != "" {
		t.Error(diff)
	}
	if seen["context"] != 0.0 || seen["user"] != nil || seen["member"].(obj)["user"].(obj)["id"] != srv.Alice.ID() {
		t.Errorf("interaction %v", seen)
	}
	if _, there := seen["data"].(obj)["resolved"].(obj)["members"].(obj)[srv.Bob.ID()]; !there {
		t.Error("the opponent is not resolved")
	}
	if got := srv.Message(srv.Games.ID(), reply.Message.ID); got != reply.Message {
		t.Error("the message is not in the channel")
	}
	if st := srv.Stats(); st.Interactions != 1 || st.Answered != 1 {
		t.Errorf("stats %+v", st)
	}
}

func TestClientRefusesWhatTheBotNeverSees(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	b.handle(func(obj) { t.Error("the bot was asked") })
	alice, bob := srv.Alice.In(srv.Games), srv.Bob.In(srv.Games)
	opponent := sandbox.UserOption("opponent", srv.Bob)
	for name, act := range map[string]func() (*sandbox.Reply, error){
		"unknown command":    func() (*sandbox.Reply, error) { return alice.Slash(t.Context(), "nothing") },
		"unknown subcommand": func() (*sandbox.Reply, error) { return alice.Slash(t.Context(), "play nothing") },
		"no subcommand":      func() (*sandbox.Reply, error) { return alice.Slash(t.Context(), "play") },
		"required missing":   func() (*sandbox.Reply, error) { return alice.Slash(t.Context(), "play start") },
		"unknown option":     func() (*sandbox.Reply, error) { return alice.Slash(t.Context(), "ping", sandbox.String("x", "y")) },
		"not a choice": func() (*sandbox.Reply, error) {
			return alice.Slash(t.Context(), "play start", opponent, sandbox.String("side", "third"))
		},
		"wrong kind": func() (*sandbox.Reply, error) {
			return alice.Slash(t.Context(), "play start", sandbox.String("opponent", "Bob"))
		},
		"out of range": func() (*sandbox.Reply, error) {
			return alice.Slash(t.Context(), "play start", opponent, sandbox.Int("size", 20))
		},
		"missing permissions": func() (*sandbox.Reply, error) { return bob.Slash(t.Context(), "admin") },
		"wrong context":       func() (*sandbox.Reply, error) { return srv.Alice.DM().Slash(t.Context(), "admin") },
		"menu, not slash":     func() (*sandbox.Reply, error) { return alice.Slash(t.Context(), "Challenge to a game") },
		"unknown menu":        func() (*sandbox.Reply, error) { return alice.UserCommand(t.Context(), "ping", srv.Bob) },
		"no message":          func() (*sandbox.Reply, error) { return alice.Click(t.Context(), nil, "x") },
	} {
		var client *sandbox.ClientError
		if _, err := act(); !errors.As(err, &client) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLateSecondAndWrongAnswers(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	done := make(chan struct{})
	b.handle(func(i obj) {
		defer close(done)
		b.refused(404, 10015, b.call("POST", hook(i, ""), obj{"content": "early"}))
		b.refused(404, 10015, b.call("PATCH", hook(i, "/messages/@original"), obj{"content": "early"}))
		b.refused(404, 10062, b.call("POST", "/interactions/1390000000000000999/"+i["token"].(string)+"/callback", obj{"type": 4}))
		b.refused(400, 50035, b.reply(i, obj{"type": 7, "data": obj{"content": "x"}}), "INTERACTION_CALLBACK_TYPE_INVALID")
		b.refused(400, 50035, b.reply(i, obj{"type": 8, "data": obj{"choices": list{}}}))
		b.refused(400, 50035, b.reply(i, obj{"data": obj{"content": "x"}}), "BASE_TYPE_REQUIRED")
		b.refused(400, 50035, b.reply(i, obj{"type": 4}), "BASE_TYPE_REQUIRED")
		b.refused(400, 50035, b.reply(i, obj{"type": 5, "data": obj{"flags": 32768}}), "flags")
		b.want(204, b.reply(i, obj{"type": 4, "data": obj{"content": "one"}}))
		b.refused(400, 40060, b.reply(i, obj{"type": 4, "data": obj{"content": "two"}}))
	})
	reply := must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Slash(t.Context(), "ping"))
	if reply.Text() != "one" || reply.Message.Type != 20 {
		t.Errorf("reply %+v", reply.Message)
	}
	<-done
	if st := srv.Stats(); st.Failed != 0 || st.Late != 1 || st.Doubled != 1 || st.Answered != 1 {
		t.Errorf("stats %+v", st)
	}
}

func TestUnansweredInteractionsFail(t *testing.T) {
	srv, b := start(t, sandbox.Options{AnswerWithin: 100 * time.Millisecond})
	reply, err := srv.Alice.In(srv.Games).Slash(t.Context(), "ping")
	if !errors.Is(err, sandbox.ErrFailed) || !reply.Failed {
		t.Fatalf("unanswered: %+v %v", reply, err)
	}
	missed := b.seenLast()
	b.refused(404, 10062, b.reply(missed, obj{"type": 4, "data": obj{"content": "late"}}))
	b.refused(404, 10015, b.call("POST", hook(missed, ""), obj{"content": "late"}))
	if st := srv.Stats(); st.Failed != 1 || st.Late != 1 || st.Answered != 0 {
		t.Errorf("stats %+v", st)
	}
}

// clock is a time that tests push forward.
type clock struct{ ahead atomic.Int64 }

func (c *clock) now() time.Time { return time.Now().Add(time.Duration(c.ahead.Load())) }

func TestTokenDiesAfterFifteenMinutes(t *testing.T) {
	var c clock
	srv, b := start(t, sandbox.Options{Now: c.now})
	b.answerWith(obj{"type": 4, "data": obj{"content": "one"}})
	reply := must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Slash(t.Context(), "ping"))
	i := b.seenLast()
	c.ahead.Store(int64(14*time.Minute + 50*time.Second))
	b.want(200, b.call("PATCH", hook(i, "/messages/@original"), obj{"content": "two"}))
	c.ahead.Store(int64(15*time.Minute + 10*time.Second))
	b.refused(401, 50027, b.call("PATCH", hook(i, "/messages/@original"), obj{"content": "three"}))
	b.refused(401, 50027, b.call("POST", hook(i, ""), obj{"content": "three"}))
	b.want(200, b.call("PATCH", "/channels/"+srv.Games.ID()+"/messages/"+reply.Message.ID, obj{"content": "four"}))
}

func TestAnswersAreLateByTheServersClock(t *testing.T) {
	var c clock
	srv, b := start(t, sandbox.Options{Now: c.now})
	ctx, cancel := context.WithCancel(t.Context())
	b.handle(func(i obj) {
		defer cancel()
		c.ahead.Store(int64(3500 * time.Millisecond))
		b.refused(404, 10062, b.reply(i, obj{"type": 4, "data": obj{"content": "late"}}))
	})
	if _, err := srv.Alice.In(srv.Games).Slash(ctx, "ping"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestDeferredAnswers(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	fill := make(chan obj, 1)
	b.handle(func(i obj) {
		got := b.want(200, b.call("POST", callbackPath(i)+"?with_response=true", obj{"type": 5, "data": obj{"flags": 64}}))
		about := got.json()["interaction"].(obj)
		if about["response_message_loading"] != true || about["response_message_ephemeral"] != true {
			t.Errorf("with_response: %s", got.body)
		}
		fill <- i
	})
	alice := srv.Alice.In(srv.Games)
	reply := must[*sandbox.Reply](t)(alice.Slash(t.Context(), "ping"))
	if !reply.Deferred || !reply.Ephemeral || !reply.Message.Loading() {
		t.Fatalf("reply %+v", reply)
	}
	i := <-fill
	// the first follow-up edits the deferred message, and cannot make it public
	got := b.want(200, b.call("POST", hook(i, ""), obj{"content": "done", "flags": 0}))
	if got.json()["id"] != reply.Message.ID || got.json()["flags"] != 64.0 {
		t.Errorf("follow-up: %s", got.body)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	m := must[*sandbox.Message](t)(reply.Resolve(ctx))
	if m.Text() != "done" || m.Loading() || !m.Ephemeral() || m.Viewer != srv.Alice.ID() {
		t.Errorf("message %+v", m)
	}
	b.refused(404, 10008, b.call("GET", "/channels/"+srv.Games.ID()+"/messages/"+m.ID, nil))
	b.refused(404, 10008, b.call("PATCH", "/channels/"+srv.Games.ID()+"/messages/"+m.ID, obj{"content": "x"}))
	if got := srv.Bob.In(srv.Games).Messages(); len(got) != 0 {
		t.Error("somebody else sees the ephemeral message")
	}
	if got := alice.Messages(); len(got) != 1 || got[0] != m {
		t.Errorf("messages %v", got)
	}
	second := b.want(200, b.call("POST", hook(i, ""), obj{"content": "more"})).json()
	if second["id"] == m.ID || second["interaction_metadata"].(obj)["original_response_message_id"] != m.ID {
		t.Errorf("second follow-up %v", second)
	}
	path := hook(i, "/messages/"+second["id"].(string))
	b.want(200, b.call("GET", path, nil))
	b.want(204, b.call("DELETE", path, nil))
	b.refused(404, 10008, b.call("GET", path, nil))
	b.want(200, b.call("PATCH", hook(i, "/messages/@original"), obj{"content": "better"}))
	b.want(204, b.call("DELETE", hook(i, "/messages/@original"), nil))
	b.refused(404, 10008, b.call("PATCH", hook(i, "/messages/@original"), obj{"content": "gone"}))
}

func TestClicksUpdateTheMessage(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	b.handle(func(i obj) {
		if i["type"] == 2.0 {
			b.want(204, b.reply(i, obj{"type": 4, "data": board("start")}))
			return
		}
		switch i["data"].(obj)["custom_id"] {
		case "move:h8":
			b.want(204, b.reply(i, obj{"type": 7, "data": obj{
				"flags": 32768, "content": "", "embeds": list{}, "components": list{text("moved"), row(button("i9", "move:i9"))},
			}}))
		case "more":
			b.want(204, b.reply(i, obj{"type": 6}))
		default:
			b.want(204, b.reply(i, obj{"type": 4, "data": obj{"content": "private", "flags": 64}}))
		}
	})
	alice := srv.Alice.In(srv.Games)
	first := must[*sandbox.Reply](t)(alice.Slash(t.Context(), "ping")).Message
	deferred := must[*sandbox.Reply](t)(alice.Click(t.Context(), first, "More"))
	if deferred.Kind != 6 || deferred.Updated.ID != first.ID {
		t.Errorf("type 6: %+v", deferred)
	}
	b.want(200, b.call("GET", hook(b.seenLast(), "/messages/@original"), nil))
	moved := must[*sandbox.Reply](t)(alice.Click(t.Context(), first, "h8"))
	if moved.Updated == nil || moved.Updated.ID != first.ID || moved.Text() != "moved" || !moved.Updated.V2() {
		t.Errorf("type 7: %+v", moved)
	}
	if got := b.seenLast()["message"].(obj)["id"]; got != first.ID {
		t.Errorf("the click carries message %v", got)
	}
	if got := b.want(200, b.call("GET", hook(b.seenLast(), "/messages/@original"), nil)).json()["id"]; got != first.ID {
		t.Errorf("@original is %v, want the clicked message", got)
	}
	if first.Text() != "start" {
		t.Error("an old snapshot changed")
	}
	// an old snapshot presses an old button, the interaction carries the new message
	var client *sandbox.ClientError
	if _, err := alice.Click(t.Context(), moved.Updated, "h8"); !errors.As(err, &client) {
		t.Errorf("a button that is not there: %v", err)
	}
	private := must[*sandbox.Reply](t)(alice.Forge(t.Context(), first, "forged"))
	if !private.Ephemeral || private.Text() != "private" {
		t.Errorf("forged: %+v", private)
	}
	if got := b.want(200, b.call("GET", hook(b.seenLast(), "/messages/@original"), nil)).json()["id"]; got != private.Message.ID {
		t.Errorf("@original is %v, want the new message", got)
	}
	if got := b.seenLast()["message"].(obj)["components"].(list)[0].(obj)["content"]; got != "moved" {
		t.Errorf("the click carries %v", got)
	}
	b.want(204, b.call("DELETE", "/channels/"+srv.Games.ID()+"/messages/"+first.ID, nil))
	if _, err := alice.Click(t.Context(), first, "h8"); !errors.As(err, &client) {
		t.Errorf("a click on nothing: %v", err)
	}
}

func TestWhichButton(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	off := button("off", "off")
	off["disabled"] = true
	b.answerWith(obj{"type": 4, "data": obj{"content": "x", "components": list{
		row(button("same", "a"), button("same", "b"), off), row(obj{"type": 2, "style": 5, "label": "away", "url": "https://example.org"}),
	}}})
	alice := srv.Alice.In(srv.Games)
	m := must[*sandbox.Reply](t)(alice.Slash(t.Context(), "ping")).Message
	for _, key := range []string{"same", "off", "away", "nothing"} {
		var client *sandbox.ClientError
		if _, err := alice.Click(t.Context(), m, key); !errors.As(err, &client) {
			t.Errorf("%s: %v", key, err)
		}
	}
	must[*sandbox.Reply](t)(alice.Click(t.Context(), m, "b"))
	if got := b.seenLast()["data"].(obj)["custom_id"]; got != "b" {
		t.Errorf("pressed %v", got)
	}
	must[*sandbox.Reply](t)(alice.ClickAt(t.Context(), m, 0, 0))
	if got := b.seenLast()["data"].(obj)["custom_id"]; got != "a" {
		t.Errorf("pressed %v", got)
	}
	b.answerWith(obj{"type": 4, "data": obj{"content": "secret", "flags": 64, "components": list{row(button("x", "y"))}}})
	private := must[*sandbox.Reply](t)(alice.Slash(t.Context(), "ping")).Message
	if _, err := srv.Bob.In(srv.Games).Click(t.Context(), private, "x"); err == nil {
		t.Error("somebody else pressed a private button")
	}
}

func TestModalsAndAutocomplete(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	b.handle(func(i obj) {
		switch i["type"] {
		case 3.0:
			b.want(204, b.reply(i, obj{"type": 9, "data": obj{"custom_id": "form", "title": "Move", "components": list{
				obj{"type": 18, "label": "Cell", "component": obj{"type": 4, "custom_id": "cell", "style": 1, "max_length": 5}},
				row(obj{"type": 4, "custom_id": "note", "style": 2, "label": "Note", "required": false}),
			}}}))
		case 4.0:
			b.refused(400, 50035, b.reply(i, obj{"type": 4, "data": obj{"content": "x"}}))
			b.refused(400, 50035, b.reply(i, obj{"type": 8, "data": obj{"choices": slices.Repeat(list{obj{"name": "a", "value": "a"}}, 26)}}))
			b.want(204, b.reply(i, obj{"type": 8, "data": obj{"choices": list{obj{"name": "H8", "value": "h8"}}}}))
		case 5.0:
			b.refused(400, 50035, b.reply(i, obj{"type": 9, "data": obj{"custom_id": "again", "title": "x", "components": list{}}}))
			b.want(204, b.reply(i, obj{"type": 7, "data": board("typed")}))
		default:
			b.want(204, b.reply(i, obj{"type": 4, "data": board("start")}))
		}
	})
	alice := srv.Alice.In(srv.Games)
	choices := must[[]sandbox.Choice](t)(alice.Autocomplete(t.Context(), "play move", "cell", "h"))
	if diff := cmp.Diff([]sandbox.Choice{{Name: "H8", Value: "h8"}}, choices); diff != "" {
		t.Error(diff)
	}
	start := must[*sandbox.Reply](t)(alice.Slash(t.Context(), "ping")).Message
	form := must[*sandbox.Reply](t)(alice.Click(t.Context(), start, "more")).Modal
	if form == nil || form.Title != "Move" || len(form.Fields()) != 2 || form.Fields()[0].Label != "Cell" {
		t.Fatalf("modal %+v", form)
	}
	var client *sandbox.ClientError
	for _, values := range []map[string]string{{}, {"Cell": "too long"}, {"cell": "h8", "else": "x"}} {
		if _, err := alice.SubmitModal(t.Context(), form, values); !errors.As(err, &client) {
			t.Errorf("%v: %v", values, err)
		}
	}
	done := must[*sandbox.Reply](t)(alice.SubmitModal(t.Context(), form, map[string]string{"Cell": "h8"}))
	if done.Updated == nil || done.Text() != "typed" {
		t.Errorf("submit: %+v", done)
	}
	label := b.seenLast()["data"].(obj)["components"].(list)[0].(obj)
	if label["type"] != 18.0 || label["component"].(obj)["value"] != "h8" {
		t.Errorf("submitted %v", label)
	}
	if b.seenLast()["message"] == nil {
		t.Error("a modal from a message carries the message")
	}
}
