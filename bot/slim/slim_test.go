package slim_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"rowbot/bot/slim"
)

// TestSlim: what discordgo reads of a slim event is what it reads of the whole one,
// but for the message, of which it reads the ID and the flags.
func TestSlim(t *testing.T) {
	row := `{"type":1,"components":[{"type":2,"style":2,"custom_id":"c","label":"\"components\":[{\\"}]}`
	for name, c := range map[string]struct {
		event string
		cut   bool
	}{
		"click": {`{"id":"9","type":3,"token":"t","message":{"id":"7","content":"\"components\":[1]","components":[{"type":17,"components":[` + row + `]}],"flags":32768},
			"data":{"custom_id":"c","component_type":2},"member":{"user":{"id":"5"},"permissions":"8"}}`, true},
		"spaced":  {`{"id":"9","type":3,"token":"t","message" : { "components" : [ ` + row + ` ] , "author" : { "id" : "1" , "flags" : 3 } , "id" : "7" },"data":{"custom_id":"c","component_type":2}}`, true},
		"command": {`{"id":"9","type":2,"token":"t","data":{"id":"2","name":"ttt","type":1,"options":[{"name":"message","type":3,"value":"components"}]}}`, false},
		"form":    {`{"id":"9","type":5,"token":"t","data":{"custom_id":"c","components":[{"type":1,"components":[{"type":4,"custom_id":"cell","value":"h8"}]}]}}`, false},
	} {
		event := `{"t":"INTERACTION_CREATE","s":7,"op":0,"d":` + c.event + `}`
		got := slim.Message([]byte(event), "d.message")
		if cut := string(got) != event; cut != c.cut {
			t.Errorf("%s: became %s", name, got)
		}
		whole, less := decoded(t, event), decoded(t, string(got))
		if whole.Message != nil {
			whole.Message = &discordgo.Message{ID: whole.Message.ID, Flags: whole.Message.Flags}
			less.Message.Components = nil
		}
		if diff := cmp.Diff(whole, less); diff != "" {
			t.Errorf("%s (-whole +slim):\n%s", name, diff)
		}
	}
}

func decoded(t testing.TB, event string) *discordgo.Interaction {
	t.Helper()
	var e struct {
		Data *discordgo.Interaction `json:"d"`
	}
	if err := json.Unmarshal([]byte(event), &e); err != nil {
		t.Fatalf("%s: %v", event, err)
	}
	return e.Data
}

// TestSlimOddities: what has no message stays as it is, and a message without what is
// kept of one is none the less one.
func TestSlimOddities(t *testing.T) {
	for _, event := range []string{
		``, `{}`, `[]`, `{"d":null}`, `{"d":{"message":null}}`, `{"d":{"message":[{"components":[1]}]}}`, `{"d":{"message":"id"}}`,
		`{"message":{"components":[1]}}`, `{"d":{"message":{"id":nothing}}}`,
	} {
		if got := string(slim.Message([]byte(event), "d.message")); got != event {
			t.Errorf("%s became %s", event, got)
		}
	}
	for _, m := range []string{`{}`, `{"components":null}`, `{"components":{"a":[1]}}`} {
		want := `{"d":{"message":{"components":[]}}}`
		if got := string(slim.Message([]byte(`{"d":{"message":`+m+`}}`), "d.message")); got != want {
			t.Errorf("%s became %s", m, got)
		}
	}
}

// TestKinds: of the components there stays one button of each kind, in their order.
func TestKinds(t *testing.T) {
	for components, want := range map[string]string{
		`[{"type":17,"components":[{"type":10,"content":"\"custom_id\":\"9:no\""},{"type":1,"components":[{"type":2,"style":2,"custom_id":"1:abc:3:cell:a1","label":"custom_id"},` +
			`{"type":2,"custom_id":"1:abc:3:cell:a2"},{"type":2,"custom_id" : "4:abc:open:9"}]}]}]`: `"1:abc:3:cell:a1" "4:abc:open:9"`,
		`[{"type":1,"components":[{"type":3,"custom_id":"plain","options":[{"label":"a","value":"custom_id"}]}]}]`: `"plain"`,
		`[{"type":99,"custom_id":{"a":1}},{"type":98,"custom_id":null}]`:                                           ``,
		`[{"type":1,"components":[{"type":2,"custom_id":"\u0031:x"}]}]`:                                            `"1:x"`,
		`[]`: ``,
	} {
		got := decoded(t, string(slim.Message([]byte(`{"d":{"id":"1","type":1,"message":{"id":"7","components":`+components+`}}}`), "d.message")))
		var ids []string
		for _, c := range got.Message.Components {
			for _, b := range c.(*discordgo.ActionsRow).Components {
				ids = append(ids, strconv.Quote(b.(*discordgo.Button).CustomID))
			}
		}
		if got := strings.Join(ids, " "); got != want {
			t.Errorf("%s: %s, want %s", components, got, want)
		}
	}
}

// BenchmarkSlim has discordgo read a click on a message with five rows of five buttons
// that was made slim, and BenchmarkWhole as it is.
func BenchmarkSlim(b *testing.B) {
	event := clickOnBoard()
	b.SetBytes(int64(len(event)))
	for b.Loop() {
		decoded(b, string(slim.Message([]byte(event), "d.message")))
	}
}

func BenchmarkWhole(b *testing.B) {
	event := clickOnBoard()
	b.SetBytes(int64(len(event)))
	for b.Loop() {
		decoded(b, event)
	}
}

func clickOnBoard() string {
	buttons := strings.Repeat(`{"type":2,"style":2,"custom_id":"1:m0123456789abc:12:cell:h8","label":"h8","disabled":false},`, 5)
	rows := strings.Repeat(`{"type":1,"components":[`+strings.TrimSuffix(buttons, ",")+`]},`, 5)
	return `{"t":"INTERACTION_CREATE","s":7,"op":0,"d":{"id":"9","type":3,"token":"t","data":{"custom_id":"c","component_type":2},` +
		`"message":{"id":"7","flags":32768,"components":[{"type":17,"components":[` + strings.TrimSuffix(rows, ",") + `]}]}}}`
}
