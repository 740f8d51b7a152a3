package sandbox_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

func v2(components ...any) obj { return obj{"flags": 32768, "components": components} }

func rows(n int) list {
	var out list
	for i := range n {
		out = append(out, row(button("x", fmt.Sprint("id", i))))
	}
	return out
}

func menu(more obj) obj {
	m := obj{"type": 3, "custom_id": "m", "options": list{obj{"label": "a", "value": "a"}, obj{"label": "b", "value": "b"}}}
	maps.Copy(m, more)
	return m
}

func buttonOf(more obj) obj {
	m := obj{"type": 2, "style": 1, "label": "x", "custom_id": "x"}
	for k, v := range more {
		if v == nil {
			delete(m, k)
			continue
		}
		m[k] = v
	}
	return m
}

func boards(n int) list {
	out := list{text("x")}
	for i := range n {
		var kids list
		for j := range 5 {
			kids = append(kids, button("x", fmt.Sprint(i, "/", j)))
		}
		out = append(out, row(kids...))
	}
	return out
}

// refusedMessages are bodies that Discord answers with 50035, and a word that the answer contains.
var refusedMessages = map[string]struct {
	body obj
	word string
}{
	"content too long":          {obj{"content": strings.Repeat("я", 2001)}, "BASE_TYPE_MAX_LENGTH"},
	"content no string":         {obj{"content": obj{}}, "STRING_TYPE_CONVERT"},
	"six rows":                  {obj{"components": rows(6)}, "BASE_TYPE_MAX_LENGTH"},
	"six buttons":               {obj{"components": list{row(slices.Repeat(list{button("x", "y")}, 6)...)}}, "BASE_TYPE_MAX_LENGTH"},
	"empty row":                 {obj{"components": list{row()}}, "BASE_TYPE_BAD_LENGTH"},
	"button at the top":         {obj{"components": list{button("x", "y")}}, "UNION_TYPE_CHOICES"},
	"text without the flag":     {obj{"components": list{text("x")}}, "UNION_TYPE_CHOICES"},
	"v2 with content":           {obj{"flags": 32768, "content": "x", "components": list{text("x")}}, "MESSAGE_CANNOT_USE_LEGACY_FIELDS"},
	"v2 with embeds":            {obj{"flags": 32768, "embeds": list{obj{"title": "x"}}, "components": list{text("x")}}, "MESSAGE_CANNOT_USE_LEGACY_FIELDS"},
	"v2 with poll":              {obj{"flags": 32768, "poll": obj{}, "components": list{text("x")}}, "MESSAGE_CANNOT_USE_LEGACY_FIELDS"},
	"41 components":             {v2(append(boards(6), text("a"), text("b"), text("c"), text("d"))...), "COMPONENT_MAX_TOTAL"},
	"4001 characters":           {v2(text(strings.Repeat("x", 4000)), text("y")), "COMPONENT_DISPLAYABLE_TEXT_SIZE"},
	"empty text":                {v2(text("")), "BASE_TYPE_BAD_LENGTH"},
	"container in container":    {v2(obj{"type": 17, "components": list{obj{"type": 17, "components": list{text("x")}}}}), "UNION_TYPE_CHOICES"},
	"empty container":           {v2(obj{"type": 17, "components": list{}}), "BASE_TYPE_BAD_LENGTH"},
	"accent colour":             {v2(obj{"type": 17, "accent_color": 0x1000000, "components": list{text("x")}}), "NUMBER_TYPE_MAX"},
	"section without accessory": {v2(obj{"type": 9, "components": list{text("x")}}), "BASE_TYPE_REQUIRED"},
	"gallery without item":      {v2(obj{"type": 12, "items": list{}}), "BASE_TYPE_BAD_LENGTH"},
	"attachment not there":      {v2(obj{"type": 12, "items": list{obj{"media": obj{"url": "attachment://a.png"}}}}), "ATTACHMENT_NOT_FOUND"},
	"file by https":             {v2(obj{"type": 13, "file": obj{"url": "https://example.org/a"}}), "URL_TYPE_INVALID_SCHEME"},
	"custom ids doubled":        {obj{"components": list{row(button("x", "y"), button("z", "y"))}}, "COMPONENT_CUSTOM_ID_DUPLICATED"},
	"ids doubled":               {v2(obj{"type": 10, "id": 3, "content": "x"}, obj{"type": 10, "id": 3, "content": "y"}), "COMPONENT_ID_DUPLICATED"},
	"custom id too long":        {obj{"components": list{row(button("x", strings.Repeat("x", 101)))}}, "BASE_TYPE_BAD_LENGTH"},
	"custom id empty":           {obj{"components": list{row(button("x", ""))}}, "BASE_TYPE_BAD_LENGTH"},
	"custom id missing":         {obj{"components": list{row(buttonOf(obj{"custom_id": nil}))}}, "BASE_TYPE_REQUIRED"},
	"label too long":            {obj{"components": list{row(button(strings.Repeat("x", 81), "y"))}}, "BASE_TYPE_MAX_LENGTH"},
	"neither label nor emoji":   {obj{"components": list{row(buttonOf(obj{"label": nil}))}}, "LABEL_OR_EMOJI"},
	"emoji in letters":          {obj{"components": list{row(buttonOf(obj{"emoji": obj{"name": "x"}}))}}, "INVALID_EMOJI"},
	"style 7":                   {obj{"components": list{row(buttonOf(obj{"style": 7}))}}, "BASE_TYPE_CHOICES"},
	"no style":                  {obj{"components": list{row(buttonOf(obj{"style": nil}))}}, "BASE_TYPE_REQUIRED"},
	"link without url":          {obj{"components": list{row(buttonOf(obj{"style": 5, "custom_id": nil}))}}, "BASE_TYPE_REQUIRED"},
	"link with custom id":       {obj{"components": list{row(buttonOf(obj{"style": 5, "url": "https://example.org"}))}}, "INVALID_FIELD"},
	"button with url":           {obj{"components": list{row(buttonOf(obj{"url": "https://example.org"}))}}, "INVALID_FIELD"},
	"premium without sku":       {obj{"components": list{row(obj{"type": 2, "style": 6})}}, "BASE_TYPE_REQUIRED"},
	"two selects in a row":      {obj{"components": list{row(menu(nil), menu(obj{"custom_id": "n"}))}}, "COMPONENT_LAYOUT_WIDTH"},
	"select and button":         {obj{"components": list{row(menu(nil), button("x", "y"))}}, "COMPONENT_LAYOUT_WIDTH"},
	"select without options":    {obj{"components": list{row(menu(obj{"options": list{}}))}}, "BASE_TYPE_BAD_LENGTH"},
	"too many values":           {obj{"components": list{row(menu(obj{"max_values": 3}))}}, "MAX_VALUES_TOO_LARGE"},
	"min above max":             {obj{"components": list{row(menu(obj{"min_values": 2}))}}, "MIN_VALUES_TOO_LARGE"},
	"option values doubled":     {obj{"components": list{row(menu(obj{"options": list{obj{"label": "a", "value": "a"}, obj{"label": "b", "value": "a"}}}))}}, "VALUE_DUPLICATED"},
	"placeholder":               {obj{"components": list{row(menu(obj{"placeholder": strings.Repeat("x", 151)}))}}, "BASE_TYPE_MAX_LENGTH"},
	"text input":                {obj{"components": list{row(obj{"type": 4, "custom_id": "x", "style": 1, "label": "x"})}}, "UNION_TYPE_CHOICES"},
	"embed title":               {obj{"embeds": list{obj{"title": strings.Repeat("x", 257)}}}, "BASE_TYPE_MAX_LENGTH"},
	"26 fields":                 {obj{"embeds": list{obj{"fields": slices.Repeat(list{obj{"name": "a", "value": "b"}}, 26)}}}, "BASE_TYPE_MAX_LENGTH"},
	"field without value":       {obj{"embeds": list{obj{"fields": list{obj{"name": "a"}}}}}, "BASE_TYPE_REQUIRED"},
	"eleven embeds":             {obj{"embeds": slices.Repeat(list{obj{"title": "x"}}, 11)}, "BASE_TYPE_MAX_LENGTH"},
	"6001 in embeds":            {obj{"embeds": slices.Repeat(list{obj{"description": strings.Repeat("x", 3001)}}, 2)}, "MAX_EMBED_SIZE"},
	"empty embed":               {obj{"embeds": list{obj{}}}, "BASE_TYPE_REQUIRED"},
	"mentions doubly":           {obj{"content": "x", "allowed_mentions": obj{"parse": list{"users"}, "users": list{"1390000000000000012"}}}, "mutually exclusive"},
	"mentions of a kind":        {obj{"content": "x", "allowed_mentions": obj{"parse": list{"people"}}}, "BASE_TYPE_CHOICES"},
	"mention of no id":          {obj{"content": "x", "allowed_mentions": obj{"users": list{"bob"}}}, "NUMBER_TYPE_COERCE"},
	"nonce":                     {obj{"content": "x", "nonce": strings.Repeat("x", 26)}, "BASE_TYPE_MAX_LENGTH"},
	"reply to nothing":          {obj{"content": "x", "message_reference": obj{"message_id": "1390000000000000999"}}, "REPLIES_UNKNOWN_MESSAGE"},
}

func TestRefusedMessages(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	for name, c := range refusedMessages {
		t.Run(name, func(t *testing.T) {
			b.t = t
			b.refused(400, 50035, b.call("POST", "/channels/"+srv.Games.ID()+"/messages", c.body), c.word)
		})
	}
	if n := len(srv.Messages(srv.Games.ID())); n != 0 {
		t.Errorf("%d messages were made", n)
	}
}

func TestAcceptedMessages(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	for name, body := range map[string]obj{
		"five rows":          {"components": rows(5)},
		"reply to whatever":  {"content": "x", "message_reference": obj{"message_id": "1390000000000000999", "fail_if_not_exists": false}},
		"40 components":      v2(append(boards(6), text("a"), text("b"), text("c"))...),
		"4000 characters":    v2(text(strings.Repeat("я", 4000))),
		"discordgo on v2":    {"flags": 32768, "content": "", "embeds": nil, "components": list{text("x")}, "tts": false},
		"a link":             {"content": "x", "components": list{row(obj{"type": 2, "style": 5, "label": "x", "url": "https://example.org"})}},
		"an emoji":           {"components": list{row(obj{"type": 2, "style": 1, "custom_id": "x", "emoji": obj{"name": "❌"}})}},
		"unknown fields":     {"content": "x", "surprise": 1},
		"2000 characters":    {"content": strings.Repeat("я", 2000)},
		"embeds":             {"embeds": list{obj{"title": "x", "color": 255, "image": obj{"url": "https://example.org/a.png"}, "fields": list{obj{"name": "a", "value": "b"}}}}},
		"section, separator": v2(obj{"type": 9, "components": list{text("x")}, "accessory": button("x", "y")}, obj{"type": 14, "spacing": 2}),
		"media":              v2(obj{"type": 12, "items": list{obj{"media": obj{"url": "https://example.org/a.png"}}}}),
		"user select":        {"components": list{row(obj{"type": 5, "custom_id": "who", "max_values": 2})}},
	} {
		got := b.want(200, b.call("POST", "/channels/"+srv.Games.ID()+"/messages", body)).json()
		id, _ := got["id"].(string)
		if m := srv.Message(srv.Games.ID(), id); m == nil {
			t.Errorf("%s: not there", name)
		}
	}
	b.refused(400, 50006, b.call("POST", "/channels/"+srv.Games.ID()+"/messages", obj{"content": " "}))
	b.refused(400, 50006, b.call("POST", "/channels/"+srv.Games.ID()+"/messages", v2()))
	b.refused(400, 50109, must[answer](t)(raw(b, "POST", "/channels/"+srv.Games.ID()+"/messages", "application/json", []byte("{"))))
	b.refused(400, 50035, must[answer](t)(raw(b, "POST", "/channels/"+srv.Games.ID()+"/messages", "text/plain", []byte("{}"))), "Content-Type")
}

func raw(b *rawBot, method, path, contentType string, body []byte) (answer, error) {
	req, err := http.NewRequestWithContext(b.t.Context(), method, b.srv.APIURL()+"/v9"+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	req.Header.Set("User-Agent", "DiscordBot (x, 1)")
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("Authorization", "Bot "+sandbox.Token)
	return do(req)
}

func TestEdits(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	path := "/channels/" + srv.Games.ID() + "/messages"
	id := b.want(200, b.call("POST", path, obj{"content": "one", "components": rows(1)})).json()["id"].(string)
	one := path + "/" + id
	state := func() *sandbox.Message { return srv.Message(srv.Games.ID(), id) }
	b.want(200, b.call("PATCH", one, obj{"content": "two"}))
	if m := state(); m.Content != "two" || len(m.Buttons()) != 1 || m.EditedAt.IsZero() {
		t.Errorf("absent must mean unchanged: %+v", m)
	}
	b.want(200, b.call("PATCH", one, obj{"components": nil}))
	if len(state().Buttons()) != 1 {
		t.Error("null components are ignored")
	}
	b.want(200, b.call("PATCH", one, obj{"components": list{}}))
	if len(state().Buttons()) != 0 {
		t.Error("empty components clear")
	}
	b.refused(400, 50006, b.call("PATCH", one, obj{"content": ""}))
	b.refused(400, 50035, b.call("PATCH", one, v2(text("x"))), "content")
	b.refused(400, 50035, b.call("PATCH", one, obj{"flags": 32768, "content": "", "components": list{text("x")}}), "content")
	b.want(200, b.call("PATCH", one, obj{"flags": 32768, "content": nil, "embeds": list{}, "components": list{text("x")}}))
	if m := state(); !m.V2() || m.Text() != "x" || m.Content != "" {
		t.Errorf("%+v", m)
	}
	b.refused(400, 50035, b.call("PATCH", one, obj{"flags": 0}), "CANNOT_REMOVE")
	b.refused(400, 50035, b.call("PATCH", one, obj{"content": "back"}), "LEGACY")
	b.refused(404, 10008, b.call("PATCH", path+"/1390000000000000999", obj{"content": "x"}))
	b.refused(404, 10003, b.call("PATCH", "/channels/1390000000000000999/messages/"+id, obj{"content": "x"}))
	b.refused(400, 50035, b.call("PATCH", path+"/nonsense", obj{"content": "x"}))
	b.refused(400, 50035, b.call("GET", "/channels/nonsense", nil))
	other := srv.Bob.In(srv.Games).Say("hello")
	b.refused(403, 50005, b.call("PATCH", path+"/"+other.ID, obj{"content": "x"}))
	b.refused(403, 50013, b.call("DELETE", path+"/"+other.ID, nil))
	b.want(204, b.call("DELETE", one, nil))
	b.refused(404, 10008, b.call("DELETE", one, nil))
}

func TestPermissionsAndHistory(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	path := "/channels/" + srv.General.ID() + "/messages"
	for i := range 60 {
		b.want(200, b.call("POST", path, obj{"content": fmt.Sprint("m", i)}))
	}
	var got []struct{ ID, Content string }
	page := func(query string) []string {
		if err := json.Unmarshal(b.want(200, b.call("GET", path+query, nil)).body, &got); err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, m := range got {
			out = append(out, m.Content)
		}
		return out
	}
	if first := page(""); len(first) != 50 || first[0] != "m59" {
		t.Errorf("history %v", first)
	}
	newest := got[0].ID
	if next := page("?limit=3&before=" + got[49].ID); !cmp.Equal(next, []string{"m9", "m8", "m7"}) {
		t.Errorf("history %v", next)
	}
	b.refused(400, 50035, b.call("GET", path+"?limit=101", nil))
	srv.General.SetBotPermissions(sandbox.PermViewChannel | sandbox.PermReadHistory)
	b.refused(403, 50013, b.call("POST", path, obj{"content": "x"}))
	b.want(200, b.call("PATCH", path+"/"+newest, obj{"content": "an edit needs no Send Messages"}))
	srv.General.SetBotPermissions(sandbox.PermViewChannel | sandbox.PermSendMessages)
	b.refused(403, 50013, b.call("POST", path, obj{"embeds": list{obj{"title": "x"}}}))
	if len(page("")) != 0 {
		t.Error("history without Read Message History")
	}
	srv.General.SetBotPermissions(0)
	b.refused(403, 50001, b.call("POST", path, obj{"content": "x"}))
	b.refused(403, 50001, b.call("PATCH", path+"/"+newest, obj{"content": "x"}))
	b.answerWith(obj{"type": 4, "data": obj{"content": "answers need no permission"}})
	must[*sandbox.Reply](t)(srv.Alice.In(srv.General).Slash(t.Context(), "ping"))
}

func TestPings(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	bob, chen := srv.Bob.ID(), srv.Chen.ID()
	all := "<@" + bob + "> <@!" + chen + "> <@&1390000000000000777> @everyone `<@" + srv.Alice.ID() + ">`"
	for name, c := range map[string]struct {
		allowed any
		users   []string
		rest    bool
	}{
		"default":   {nil, []string{bob, chen}, true},
		"none":      {obj{"parse": list{}}, nil, false},
		"empty":     {obj{}, nil, false},
		"one":       {obj{"parse": list{}, "users": list{bob}}, []string{bob}, false},
		"users":     {obj{"parse": list{"users"}}, []string{bob, chen}, false},
		"all kinds": {obj{"parse": list{"users", "roles", "everyone"}}, []string{bob, chen}, true},
	} {
		for kind, body := range map[string]obj{"legacy": {"content": all}, "v2": v2(text(all))} {
			if c.allowed != nil {
				body["allowed_mentions"] = c.allowed
			}
			id := b.want(200, b.call("POST", "/channels/"+srv.Games.ID()+"/messages", body)).json()["id"].(string)
			m := srv.Message(srv.Games.ID(), id)
			if !cmp.Equal(m.Pings, c.users) || m.PingsEveryone != c.rest || (len(m.PingsRoles) > 0) != c.rest {
				t.Errorf("%s, %s: %v %v %v", name, kind, m.Pings, m.PingsEveryone, m.PingsRoles)
			}
		}
	}
	b.answerWith(obj{"type": 4, "data": obj{"content": all}})
	m := must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Slash(t.Context(), "ping")).Message
	if !cmp.Equal(m.Pings, []string{bob, chen}) || m.PingsEveryone || m.PingsRoles != nil {
		t.Errorf("an answer: %v %v %v", m.Pings, m.PingsEveryone, m.PingsRoles)
	}
	b.answerWith(obj{"type": 4, "data": obj{"content": all, "flags": 64}})
	m = must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Slash(t.Context(), "ping")).Message
	if m.Pings != nil {
		t.Errorf("an ephemeral answer pings %v", m.Pings)
	}
}

func TestNonceAndDirectMessages(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	path := "/channels/" + srv.Games.ID() + "/messages"
	body := obj{"content": "once", "nonce": "n1", "enforce_nonce": true}
	first := b.want(200, b.call("POST", path, body)).json()["id"]
	if again := b.want(200, b.call("POST", path, body)).json()["id"]; again != first {
		t.Errorf("an enforced nonce made a second message")
	}
	dm := b.want(200, b.call("POST", "/users/@me/channels", obj{"recipient_id": srv.Bob.ID()})).json()
	b.want(200, b.call("POST", "/channels/"+dm["id"].(string)+"/messages", obj{"content": "psst"}))
	if got := srv.Bob.DM().Messages(); len(got) != 1 || got[0].Text() != "psst" {
		t.Errorf("messages %v", got)
	}
	b.refused(404, 10013, b.call("POST", "/users/@me/channels", obj{"recipient_id": "1390000000000000999"}))
	b.refused(400, 50007, b.call("POST", "/users/@me/channels", obj{"recipient_id": srv.OtherBot.ID()}))
	b.refused(400, 50035, b.call("POST", "/users/@me/channels", obj{}))
}

func TestFiles(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	var buf bytes.Buffer
	w := multipart.NewWriter(&buf)
	field := must[interface{ Write([]byte) (int, error) }](t)
	part := func(header string, kind string, data string) {
		h := textproto.MIMEHeader{"Content-Disposition": {header}, "Content-Type": {kind}}
		p, err := w.CreatePart(h)
		if _, err := field(p, err).Write([]byte(data)); err != nil {
			t.Fatal(err)
		}
	}
	part(`form-data; name="payload_json"`, "application/json",
		`{"flags":32768,"components":[{"type":12,"items":[{"media":{"url":"attachment://board.png"}}]}],"attachments":[{"id":"0","description":"the board"}]}`)
	part(`form-data; name="files[0]"; filename="board.png"`, "image/png", "pixels")
	w.Close()
	got := must[answer](t)(raw(b, "POST", "/channels/"+srv.Games.ID()+"/messages", w.FormDataContentType(), buf.Bytes()))
	b.want(200, got)
	m := srv.Message(srv.Games.ID(), got.json()["id"].(string))
	if len(m.Attachments) != 1 || m.Attachments[0].Description != "the board" {
		t.Fatalf("attachments %+v", m.Attachments)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, m.Attachments[0].URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	if file := must[answer](t)(do(req)); string(file.body) != "pixels" || file.header.Get("Content-Type") != "image/png" {
		t.Errorf("file %q", file.body)
	}
	one := "/channels/" + srv.Games.ID() + "/messages/" + m.ID
	b.refused(400, 50035, b.call("PATCH", one, obj{"attachments": list{}, "components": m.JSON()}))
	b.want(200, b.call("PATCH", one, v2(text("no picture"))))
	b.want(200, b.call("PATCH", one, obj{"attachments": list{}}))
	if m := srv.Message(srv.Games.ID(), m.ID); len(m.Attachments) != 0 {
		t.Error("the attachment stays")
	}
}
