package sandbox_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
	"mime/multipart"
	"net/http"
	"testing"

	"rowbot/sandbox"
)

// withFiles makes a multipart body of a payload and files named f0.txt, f1.txt and so on.
func withFiles(t *testing.T, payload string, files ...[]byte) (contentType string, body []byte) {
	t.Helper()
	var buf bytes.Buffer
	w := multipart.NewWriter(&buf)
	field := must[interface{ Write([]byte) (int, error) }](t)
	p, err := w.CreateFormField("payload_json")
	must[int](t)(field(p, err).Write([]byte(payload)))
	for i, data := range files {
		p, err := w.CreateFormFile(fmt.Sprintf("files[%d]", i), fmt.Sprintf("f%d.txt", i))
		must[int](t)(field(p, err).Write(data))
	}
	w.Close()
	return w.FormDataContentType(), buf.Bytes()
}

func (b *rawBot) upload(method, path, payload string, files ...[]byte) answer {
	b.t.Helper()
	t, _ := b.t.(*testing.T)
	kind, body := withFiles(t, payload, files...)
	return must[answer](t)(raw(b, method, path, kind, body))
}

func fetch(t *testing.T, url string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	return must[answer](t)(do(req))
}

// TestFilesEverywhere uploads with each kind of request that may carry files.
func TestFilesEverywhere(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	data := []byte("data")
	b.handle(func(i obj) {
		b.want(204, b.upload("POST", callbackPath(i), `{"type":4,"data":{"content":"callback"}}`, data))
	})
	m := must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Slash(t.Context(), "ping")).Message
	i := b.seenLast()
	follow := b.want(200, b.upload("POST", hook(i, ""), `{"content":"follow-up"}`, data, data)).json()
	posted := b.want(200, b.upload("POST", "/channels/"+srv.Games.ID()+"/messages", `{"content":"message"}`, data)).json()
	for id, n := range map[any]int{m.ID: 1, follow["id"]: 2, posted["id"]: 1} {
		now := srv.Message(srv.Games.ID(), id.(string))
		if len(now.Attachments) != n {
			t.Fatalf("%s: %d attachments, want %d", now.Content, len(now.Attachments), n)
		}
		got := fetch(t, now.Attachments[0].URL)
		if string(got.body) != "data" || got.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %d %q %v", now.Content, got.status, got.body, got.header)
		}
	}
	first := follow["attachments"].(list)[0].(obj)["id"].(string)
	one := hook(i, "/messages/"+follow["id"].(string))
	edited := b.want(200, b.upload("PATCH", one, `{"attachments":[{"id":"`+first+`"},{"id":"0","filename":"new.txt"}]}`, data)).json()
	names := []any{}
	for _, a := range edited["attachments"].(list) {
		names = append(names, a.(obj)["filename"])
	}
	if fmt.Sprint(names) != "[f0.txt new.txt]" {
		t.Errorf("after the edit: %v", names)
	}
	b.want(200, b.upload("PATCH", "/channels/"+srv.Games.ID()+"/messages/"+posted["id"].(string), `{"content":"more"}`, data))
	if n := len(srv.Message(srv.Games.ID(), posted["id"].(string)).Attachments); n != 2 {
		t.Errorf("%d attachments after an edit that lists none, want 2", n)
	}
	if got := fetch(t, srv.URL()+"/attachments/1/2/3/x"); got.status != 404 {
		t.Errorf("a file that is not there: %d", got.status)
	}
}

func TestHowManyAndHowLargeFiles(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	path := "/channels/" + srv.Games.ID() + "/messages"
	small := make([][]byte, 11)
	for i := range small {
		small[i] = []byte("x")
	}
	b.refused(400, 50035, b.upload("POST", path, `{"content":"x"}`, small...), "attachments")
	id := b.want(200, b.upload("POST", path, `{"content":"x"}`, small[:10]...)).json()["id"].(string)
	b.refused(400, 50035, b.upload("PATCH", path+"/"+id, `{}`, small[0]), "attachments")
	b.want(200, b.upload("PATCH", path+"/"+id, `{"attachments":[]}`, small[0]))
	b.want(200, b.upload("POST", path, `{}`, make([]byte, 10<<20)))
	b.refused(413, 40005, b.upload("POST", path, `{}`, make([]byte, 10<<20+1)))
	b.refused(413, 40005, b.upload("POST", path, `{}`, make([]byte, 9<<20), make([]byte, 9<<20), make([]byte, 9<<20)))
	srv.Games.SetBotPermissions(sandbox.PermViewChannel | sandbox.PermSendMessages)
	b.refused(403, 50013, b.upload("POST", path, `{"content":"x"}`, small[0]))
}

// TestMediaComponents: what shows a file names one of the message's own.
func TestMediaComponents(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	path := "/channels/" + srv.Games.ID() + "/messages"
	payload := `{"flags":32768,"attachments":[],"components":[
		{"type":12,"items":[{"media":{"url":"attachment://f0.txt"},"description":"the board"},{"media":{"url":"https://example.org/a.png"},"spoiler":true}]},
		{"type":9,"components":[{"type":10,"content":"x"}],"accessory":{"type":11,"media":{"url":"attachment://f0.txt"}}},
		{"type":17,"components":[{"type":13,"file":{"url":"attachment://f0.txt"}}]}]}`
	got := b.want(200, b.upload("POST", path, payload, picture.Bytes())).json()
	parts := got["components"].(list)
	gallery := parts[0].(obj)["items"].(list)[0].(obj)["media"].(obj)
	thumbnail := parts[1].(obj)["accessory"].(obj)["media"].(obj)
	file := parts[2].(obj)["components"].(list)[0].(obj)
	att := got["attachments"].(list)[0].(obj)
	if gallery["url"] != att["url"] || gallery["width"] != 30.0 || gallery["height"] != 20.0 || thumbnail["url"] != att["url"] || file["name"] != "f0.txt" {
		t.Errorf("gallery %v, thumbnail %v, file %v", gallery, thumbnail, file)
	}
	if att["width"] != 30.0 || att["height"] != 20.0 {
		t.Errorf("attachment %v", att)
	}
	b.refused(400, 50035, b.upload("POST", path, payload), "ATTACHMENT_NOT_FOUND")
	b.refused(400, 50035, b.upload("PATCH", path+"/"+got["id"].(string), payload), "ATTACHMENT_NOT_FOUND")
}

func TestAttachmentOptions(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	b.want(201, b.call("POST", globalCommands, obj{"name": "load", "description": "Load", "options": list{
		obj{"type": 11, "name": "game", "description": "A game", "required": true, "file_types": list{".sgf", "image/*"}},
	}}))
	b.answerWith(obj{"type": 4, "data": obj{"content": "x"}})
	alice := srv.Alice.In(srv.Games)
	must[*sandbox.Reply](t)(alice.Slash(t.Context(), "load", sandbox.AttachmentOption("game", sandbox.File{Name: "my game.sgf", Data: []byte("(;)")})))
	data := b.seenLast()["data"].(obj)
	id := data["options"].(list)[0].(obj)["value"].(string)
	file := data["resolved"].(obj)["attachments"].(obj)[id].(obj)
	if file["filename"] != "my game.sgf" || file["size"] != 3.0 || file["ephemeral"] != true {
		t.Errorf("%v", file)
	}
	if got := fetch(t, file["url"].(string)); string(got.body) != "(;)" {
		t.Errorf("%d %q", got.status, got.body)
	}
	var client *sandbox.ClientError
	for name, o := range map[string]sandbox.Option{
		"another kind": sandbox.AttachmentOption("game", sandbox.File{Name: "a.exe"}),
		"too large":    sandbox.AttachmentOption("game", sandbox.File{Name: "a.png", Data: make([]byte, 10<<20+1)}),
		"no file":      sandbox.String("game", "x"),
		"typed":        sandbox.Typed("game", "x"),
	} {
		if _, err := alice.Slash(t.Context(), "load", o); !errors.As(err, &client) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must[*sandbox.Reply](t)(alice.Slash(t.Context(), "load", sandbox.AttachmentOption("game", sandbox.File{Name: "a.png", ContentType: "image/png"})))
}
