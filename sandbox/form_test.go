package sandbox_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

// everyField is a form with each kind of field.
func everyField() obj {
	two := list{obj{"label": "One", "value": "1"}, obj{"label": "Two", "value": "2"}}
	label := func(name string, component obj) obj { return obj{"type": 18, "label": name, "component": component} }
	return obj{"type": 9, "data": obj{"custom_id": "f", "title": "F", "components": list{
		label("Who", obj{"type": 5, "custom_id": "who"}),
		label("Radio", obj{"type": 21, "custom_id": "radio", "options": two}),
		label("Boxes", obj{"type": 22, "custom_id": "boxes", "options": two, "required": false}),
		label("Box", obj{"type": 23, "custom_id": "box", "default": true}),
		label("File", obj{"type": 19, "custom_id": "file", "max_values": 2}),
	}}}
}

func TestEveryFieldOfAForm(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	b.answerWith(everyField())
	alice := srv.Alice.In(srv.Games)
	form := must[*sandbox.Reply](t)(alice.Slash(t.Context(), "ping")).Modal
	b.answerWith(obj{"type": 4, "data": obj{"content": "x"}})
	files := map[string][]sandbox.File{"File": {{Name: "a.txt", Data: []byte("a")}}}
	must[*sandbox.Reply](t)(alice.SubmitModalWith(t.Context(), form, map[string]string{"Who": "Bob", "radio": "Two", "boxes": "One,2"}, files))
	data := b.seenLast()["data"].(obj)
	got := map[string]any{}
	for _, c := range data["components"].(list) {
		field := c.(obj)["component"].(obj)
		got[field["custom_id"].(string)] = field["value"]
		if field["values"] != nil {
			got[field["custom_id"].(string)] = field["values"]
		}
	}
	resolved := data["resolved"].(obj)
	for id, file := range resolved["attachments"].(obj) {
		if file.(obj)["filename"] != "a.txt" || cmp.Diff(list{id}, got["file"]) != "" {
			t.Errorf("file %v, field %v", file, got["file"])
		}
	}
	delete(got, "file")
	want := map[string]any{"who": list{srv.Bob.ID()}, "radio": "2", "boxes": list{"1", "2"}, "box": true}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if resolved["users"].(obj)[srv.Bob.ID()] == nil {
		t.Errorf("resolved %v", resolved)
	}
	for name, values := range map[string]map[string]string{
		"no radio":      {"Who": "Bob"},
		"two radios":    {"Who": "Bob", "Radio": "1,2"},
		"nobody":        {"Radio": "1", "Who": "Nobody"},
		"no such field": {"Who": "Bob", "Radio": "1", "Else": "x"},
		"no such box":   {"Who": "Bob", "Radio": "1", "Boxes": "Three"},
	} {
		var client *sandbox.ClientError
		if _, err := alice.SubmitModalWith(t.Context(), form, values, files); !errors.As(err, &client) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := alice.SubmitModal(t.Context(), form, map[string]string{"Who": "Bob", "Radio": "1"}); err == nil {
		t.Error("a required file is missing")
	}
}
