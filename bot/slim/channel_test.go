package slim_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/bot/slim"
)

// The channel of an interaction is read, and not one of those within it, and goes
// with a context.
func TestChannel(t *testing.T) {
	for raw, want := range map[string]*slim.Channel{
		`{"channel":{"id":"9","type":11,"parent_id":"5","name":"\"type\":0"},"channel_id":"9"}`:  {Type: 11, Parent: "5"},
		`{"data":{"channel":{"type":11,"parent_id":"5"}},"channel":{"type":0,"parent_id":null}}`: {},
		`{"message":{"channel":{"type":11}},"channel" : { "parent_id" : "6" , "type" : 12 } }`:   {Type: 12, Parent: "6"},
		`{"channel":{"type":1}}`:                           {Type: 1},
		`{"channel":{"id":"9"}}`:                           nil,
		`{"channel":{"type":"11","parent_id":"5"}}`:        nil,
		`{"channel":"9"}`:                                  nil,
		`{"channel":null}`:                                 nil,
		`{"data":{"channel":{"type":11,"parent_id":"5"}}}`: nil,
		`{}`: nil,
		``:   nil,
	} {
		got := slim.ChannelOf([]byte(raw), "channel")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", raw, diff)
		}
		if inside := slim.ChannelFrom(slim.WithChannel(t.Context(), got)); inside != got {
			t.Errorf("%s: in a context it is %v", raw, inside)
		}
	}
	if got := slim.ChannelOf([]byte(`{"d":{"channel":{"type":10,"parent_id":"7"}}}`), "d.channel"); got == nil || *got != (slim.Channel{Type: 10, Parent: "7"}) {
		t.Errorf("in an event: %v", got)
	}
}
