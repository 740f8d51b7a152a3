package page_test

import (
	"strings"
	"testing"

	"rowbot/sandbox"
)

// field is a label with a field of a form.
func field(label string, component object) object {
	return object{"type": sandbox.TypeLabel, "label": label, "component": component}
}

func TestFormWithAllKindsOfFields(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	options := []object{{"label": "One", "value": "1", "default": true}, {"label": "Two", "value": "2", "description": "more"}}
	bot := startBot(t, srv, base, func(it interaction) any {
		if it.Type == 5 {
			return object{"type": 4, "data": object{"content": "got " + string(it.Data.Components)}}
		}
		return object{"type": 9, "data": object{"custom_id": "form", "title": "A form", "components": []object{
			field("Which", object{"type": sandbox.TypeStringSelect, "custom_id": "which", "options": options}),
			field("Who", object{
				"type": sandbox.TypeUserSelect, "custom_id": "who", "max_values": 2, "default_values": []object{{"id": srv.Bob.ID(), "type": "user"}},
			}),
			field("Style", object{"type": sandbox.TypeRadioGroup, "custom_id": "style", "options": options}),
			field("Sure", object{"type": sandbox.TypeCheckbox, "custom_id": "sure", "default": true}),
			field("Record", object{"type": sandbox.TypeFileUpload, "custom_id": "record"}),
		}}}
	})
	bot.register()
	alice := visit(t, base, "alice")
	r := alice.ask(object{"do": "slash", "channel": srv.General.ID(), "command": "help"})
	if r.Modal == nil || len(r.Modal.Parts) != 5 {
		t.Fatalf("form %+v", r)
	}
	which, who, style, sure, record := r.Modal.Parts[0], r.Modal.Parts[1], r.Modal.Parts[2], r.Modal.Parts[3], r.Modal.Parts[4]
	if len(which.Options) != 2 || !which.Options[0].Default || which.Min != 1 || which.Max != 1 {
		t.Errorf("select %+v", which)
	}
	if who.Max != 2 || len(who.Defaults) != 1 || who.Defaults[0].ID != srv.Bob.ID() {
		t.Errorf("user select %+v", who)
	}
	if len(style.Options) != 2 || style.Options[1].Description != "more" {
		t.Errorf("radio group %+v", style)
	}
	if !sure.Checked || record.Type != sandbox.TypeFileUpload || !record.Required {
		t.Errorf("checkbox %+v, file %+v", sure, record)
	}
	submit := object{"do": "submit", "channel": srv.General.ID(), "modal": r.Modal.ID, "fields": object{
		"which": "2", "who": srv.Bob.ID() + "," + srv.Chen.ID(), "style": "1", "sure": "false",
	}}
	if got := alice.ask(submit); got.Error == "" {
		t.Errorf("without the file: %+v", got)
	}
	submit["files"] = object{"record": []object{{"name": "game.txt", "type": "text/plain", "data": []byte("1. h8")}}}
	if got := alice.ask(submit); got.Error != "" {
		t.Fatalf("form: %+v", got)
	}
	sent := alice.message("got [").Message.Content
	for _, want := range []string{`"values":["2"]`, srv.Chen.ID(), `"value":"1"`, `"value":false`} {
		if !strings.Contains(sent, want) {
			t.Errorf("the bot did not get %s: %s", want, sent)
		}
	}
}

func TestAttachmentOption(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	bot := startBot(t, srv, base, func(it interaction) any {
		return object{"type": 4, "data": object{"content": "options " + string(it.Data.Options) + string(it.Data.Resolved)}}
	})
	bot.register()
	alice := visit(t, base, "alice")
	r := alice.ask(object{"do": "slash", "channel": srv.General.ID(), "command": "help", "options": []object{
		{"name": "record", "value": "game.txt", "file": object{"name": "game.txt", "type": "text/plain", "data": []byte("1. h8")}},
	}})
	if r.Error != "" {
		t.Fatalf("help: %+v", r)
	}
	sent := alice.message("options [").Message.Content
	if !strings.Contains(sent, `"filename":"game.txt"`) || !strings.Contains(sent, "/attachments/") {
		t.Errorf("the bot got %s", sent)
	}
}
