package gateway

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"
)

// TestSlim: what discordgo reads of a slim event is what it reads of the whole one,
// but for the components of the message.
func TestSlim(t *testing.T) {
	row := `{"type":1,"components":[{"type":2,"style":2,"custom_id":"c","label":"\"components\":[{\\"}]}`
	for name, c := range map[string]struct {
		event string
		cut   bool
	}{
		"click": {`{"id":"9","type":3,"token":"t","message":{"id":"7","content":"\"components\":[1]","components":[{"type":17,"components":[` + row + `]}],"flags":32768},
			"data":{"custom_id":"c","component_type":2},"member":{"user":{"id":"5"},"permissions":"8"}}`, true},
		"spaced":        {`{"id":"9","type":3,"token":"t","message" : { "components" : [ ` + row + ` ] , "id" : "7" },"data":{"custom_id":"c","component_type":2}}`, true},
		"no components": {`{"id":"9","type":3,"token":"t","message":{"id":"7","components":[]},"data":{"custom_id":"c","component_type":2}}`, false},
		"command":       {`{"id":"9","type":2,"token":"t","data":{"id":"2","name":"ttt","type":1,"options":[{"name":"message","type":3,"value":"components"}]}}`, false},
		"form":          {`{"id":"9","type":5,"token":"t","data":{"custom_id":"c","components":[{"type":1,"components":[{"type":4,"custom_id":"cell","value":"h8"}]}]}}`, false},
	} {
		event := `{"t":"INTERACTION_CREATE","s":7,"op":0,"d":` + c.event + `}`
		got := slim([]byte(event))
		if cut := len(got) < len(event) && strings.Contains(string(got), `[]`); cut != c.cut {
			t.Errorf("%s: became %s", name, got)
		}
		whole, less := decoded(t, event), decoded(t, string(got))
		if whole.Message != nil {
			whole.Message.Components = []discordgo.MessageComponent{}
		}
		if diff := cmp.Diff(whole, less); diff != "" {
			t.Errorf("%s (-whole +slim):\n%s", name, diff)
		}
	}
}

func decoded(t *testing.T, event string) *discordgo.Interaction {
	t.Helper()
	var e struct {
		Data *discordgo.Interaction `json:"d"`
	}
	if err := json.Unmarshal([]byte(event), &e); err != nil {
		t.Fatalf("%s: %v", event, err)
	}
	return e.Data
}

// TestSlimOddities: what is no such event stays as it is.
func TestSlimOddities(t *testing.T) {
	for _, event := range []string{
		``, `{}`, `[]`, `{"d":null}`, `{"d":{"message":null}}`, `{"d":{"message":{"components":null}}}`, `{"d":{"message":{"components":{"a":[1]}}}}`,
		`{"d":{"message":[{"components":[1]}]}}`, `{"message":{"components":[1]}}`,
	} {
		if got := string(slim([]byte(event))); got != event {
			t.Errorf("%s became %s", event, got)
		}
	}
}
