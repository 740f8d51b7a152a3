package webhook

import (
	"encoding/json"
	"testing"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"
)

const (
	around = `"id":"9","application_id":"1","token":"secret","version":1,"guild_id":"3","channel_id":"4","locale":"de","guild_locale":"en-US","context":0,
		"app_permissions":"2147483647","authorizing_integration_owners":{"0":"3"},"entitlements":[],
		"member":{"user":{"id":"5","username":"ada","global_name":"Ada"},"roles":["6"],"permissions":"8","joined_at":"2026-01-01T00:00:00Z"}`
	private = `"id":"9","application_id":"1","token":"secret","version":1,"channel_id":"4","locale":"ja","context":1,"user":{"id":"5","username":"ada"}`
	board   = `"message":{"id":"7","channel_id":"4","flags":32832,"type":0,"content":"","author":{"id":"1","username":"Rowbot","bot":true},
		"timestamp":"2026-01-01T00:00:00Z","components":[{"type":17,"components":[{"type":10,"content":"text"},{"type":1,"components":[{"type":2,"style":2,"custom_id":"c","label":"b2"}]}]}]}`
)

// TestParse: what is read is what discordgo reads, but for the message.
func TestParse(t *testing.T) {
	for name, body := range map[string]string{
		"ping": `{"id":"9","application_id":"1","type":1,"token":"secret","version":1}`,
		"command": `{` + around + `,"type":2,"data":{"id":"2","name":"ttt","type":1,"options":[{"name":"challenge","type":1,"options":[{"name":"opponent","type":6,"value":"8"}]}],
			"resolved":{"users":{"8":{"id":"8","username":"bob"}},"members":{"8":{"permissions":"1","roles":[]}}}}}`,
		"user's menu":         `{` + around + `,"type":2,"data":{"id":"2","name":"Challenge to gomoku","type":2,"target_id":"8","resolved":{"users":{"8":{"id":"8","username":"bob"}}}}}`,
		"autocompletion":      `{` + private + `,"type":4,"data":{"id":"2","name":"gomoku","type":1,"options":[{"name":"move","type":1,"options":[{"name":"cell","type":3,"value":"h","focused":true}]}]}}`,
		"click":               `{` + around + `,"type":3,` + board + `,"data":{"custom_id":"c","component_type":2,"id":7}}`,
		"choice":              `{` + private + `,"type":3,` + board + `,"data":{"custom_id":"c","component_type":3,"values":["h8"]}}`,
		"form":                `{` + around + `,"type":5,"data":{"custom_id":"c","components":[{"type":1,"components":[{"type":4,"custom_id":"cell","value":"h8"}]}]}}`,
		"form from a message": `{` + private + `,"type":5,` + board + `,"data":{"custom_id":"c","components":[]}}`,
	} {
		var want discordgo.Interaction
		if err := json.Unmarshal([]byte(body), &want); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if m := want.Message; m != nil {
			want.Message = &discordgo.Message{ID: "7", ChannelID: "4", Flags: 32832}
		}
		got, err := parse([]byte(body))
		if diff := cmp.Diff(&want, got); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
}

// TestParseUnknownParts: a message of a kind that discordgo cannot read does no harm,
// and of a form it cannot read the rest is there.
func TestParseUnknownParts(t *testing.T) {
	click := `{` + around + `,"type":3,"message":{"id":"7","flags":64,"components":[{"type":99,"components":"?"}]},"data":{"custom_id":"c","component_type":2}}`
	got, err := parse([]byte(click))
	if err != nil || got.Message.ID != "7" || got.Message.Flags != 64 || got.MessageComponentData().CustomID != "c" {
		t.Errorf("click: %v, %+v", err, got)
	}
	form := `{` + around + `,"type":5,"data":{"custom_id":"c","components":[{"type":99}]}}`
	got, err = parse([]byte(form))
	if err == nil || got.ID != "9" || got.Token != "secret" || got.Data != nil {
		t.Errorf("form: %v, %+v", err, got)
	}
}

// BenchmarkParse reads a click on a board of 15x15, and BenchmarkLibrary has
// discordgo do it.
func BenchmarkParse(b *testing.B) {
	body := clickOnBoard()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := parse(body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLibrary(b *testing.B) {
	body := clickOnBoard()
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if err := json.Unmarshal(body, new(discordgo.Interaction)); err != nil {
			b.Fatal(err)
		}
	}
}

// clickOnBoard is a click on a message with five rows of five buttons.
func clickOnBoard() []byte {
	type part map[string]any
	var rows []part
	for range 5 {
		var buttons []part
		for range 5 {
			buttons = append(buttons, part{"type": 2, "style": 2, "custom_id": "m0123456789abc.12.cell.h8", "label": "h8", "disabled": false})
		}
		rows = append(rows, part{"type": 1, "components": buttons})
	}
	message, err := json.Marshal(part{"id": "7", "flags": 32768, "components": []part{{"type": 17, "components": rows}}})
	if err != nil {
		panic(err)
	}
	return []byte(`{` + around + `,"type":3,"data":{"custom_id":"c","component_type":2},"message":` + string(message) + `}`)
}
