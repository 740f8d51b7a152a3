package gateway_test

import (
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/bot/gateway"
)

// part is one part of a multipart body as it arrives.
type part struct{ Field, File, Type, Data string }

func TestCallWithFiles(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil)
	arrived := make(chan []part, 1)
	f.answer("POST /api/v10/interactions/1/tok/callback", func(w http.ResponseWriter, r *http.Request) {
		var parts []part
		kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil || kind != "multipart/form-data" {
			t.Errorf("content type %q: %v", r.Header.Get("Content-Type"), err)
		}
		for body := multipart.NewReader(r.Body, params["boundary"]); ; {
			p, err := body.NextPart()
			if err != nil {
				break
			}
			data, _ := io.ReadAll(p)
			parts = append(parts, part{p.FormName(), p.FileName(), p.Header.Get("Content-Type"), string(data)})
		}
		arrived <- parts
		w.WriteHeader(http.StatusNoContent)
	})
	c, _ := newClient(t, f, nil)
	form := gateway.Form{
		Payload: map[string]any{"type": 4},
		Files: []gateway.File{
			{Name: "board.png", Type: "image/png", Data: []byte("\x89PNG\r\n\x00")},
			{Name: "a \"b\"\r\n.json", Type: "application/json", Data: []byte("{}")},
		},
	}
	if _, err := c.Call(t.Context(), "POST", "interactions/1/tok/callback", form); err != nil {
		t.Fatal(err)
	}
	want := []part{
		{"payload_json", "", "application/json", `{"type":4}`},
		{"files[0]", "board.png", "image/png", "\x89PNG\r\n\x00"},
		{"files[1]", `a "b".json`, "application/json", "{}"},
	}
	if d := cmp.Diff(want, <-arrived); d != "" {
		t.Error(d)
	}
}

func TestCallWithFormWithoutFiles(t *testing.T) {
	t.Parallel()
	f := newFake(t, nil)
	body := make(chan string, 1)
	f.answer("POST /api/v10/channels/1/messages", func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		body <- r.Header.Get("Content-Type") + " " + string(b)
		io.WriteString(w, `{}`)
	})
	c, _ := newClient(t, f, nil)
	form := gateway.Form{Payload: map[string]any{"content": "x"}}
	if _, err := c.Call(t.Context(), "POST", "channels/1/messages", form); err != nil {
		t.Fatal(err)
	}
	if got := <-body; got != `application/json {"content":"x"}` {
		t.Errorf("%s", got)
	}
	bad := gateway.Form{Payload: make(chan int), Files: []gateway.File{{Name: "x"}}}
	if _, err := c.Call(t.Context(), "POST", "channels/1/messages", bad); err == nil {
		t.Error("a payload that is no JSON was sent")
	}
}
