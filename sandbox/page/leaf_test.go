package page_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

// numbers are the contents "n 7" of messages without the "n ".
func numbers(list []info) []string {
	out := []string{}
	for _, m := range list {
		out = append(out, strings.TrimPrefix(m.Message.Content, "n "))
	}
	return out
}

func ends(list []info) string {
	n := numbers(list)
	if len(n) == 0 {
		return "nothing"
	}
	return fmt.Sprintf("%s to %s, %d", n[0], n[len(n)-1], len(n))
}

func TestLongChannelComesInStretches(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	seat := srv.Bob.In(srv.General)
	var ids []string
	for i := range 170 {
		ids = append(ids, seat.Say(fmt.Sprintf("n %d", i)).ID)
	}
	alice := visit(t, base, "alice")
	if v := alice.kind("view"); !v.Older || ends(v.Messages) != "120 to 169, 50" {
		t.Fatalf("first view: %s, older %v", ends(v.Messages), v.Older)
	}
	turn := func(where, id string) result {
		return alice.ask(object{"do": "page", "channel": srv.General.ID(), "where": where, "message": id})
	}
	for name, c := range map[string]struct {
		where, id    string
		want         string
		older, newer bool
	}{
		"before":            {"before", ids[120], "90 to 119, 30", true, true},
		"all but the first": {"before", ids[31], "1 to 30, 30", true, true},
		"before the first":  {"before", ids[20], "0 to 19, 20", false, true},
		"after":             {"after", ids[20], "21 to 50, 30", true, true},
		"after the last":    {"after", ids[150], "151 to 169, 19", true, false},
		"around":            {"around", ids[60], "35 to 84, 50", true, true},
		"around the first":  {"around", ids[0], "0 to 49, 50", false, true},
		"newest":            {"", "", "120 to 169, 50", true, false},
	} {
		r := turn(c.where, c.id)
		if r.Leaf == nil {
			t.Errorf("%s: %+v", name, r)
			continue
		}
		if diff := cmp.Diff(
			[]any{c.want, c.older, c.newer}, []any{ends(r.Leaf.Messages), r.Leaf.Older, r.Leaf.Newer},
		); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	if r := turn("around", "17"); r.Error == "" {
		t.Errorf("around a message that is not there: %+v", r)
	}
	r := alice.ask(object{"do": "page", "channel": srv.Games.ID(), "where": "before", "message": ids[3]})
	if r.Error == "" {
		t.Errorf("a stretch of a channel that is not open: %+v", r)
	}
}

func TestReply(t *testing.T) {
	t.Parallel()
	srv := sandbox.New(sandbox.Options{})
	base := serve(t, srv)
	alice, bob := visit(t, base, "alice"), visit(t, base, "bob")
	alice.ask(object{"do": "say", "channel": srv.General.ID(), "text": "who plays?"})
	asked := bob.message("who plays?")
	r := bob.ask(object{"do": "say", "channel": srv.General.ID(), "text": "I do", "message": asked.Message.ID})
	if r.Error != "" {
		t.Fatalf("reply: %+v", r)
	}
	got := alice.message("I do")
	if got.Reply == nil || got.Reply.ID != asked.Message.ID || got.Reply.Author != srv.Alice.ID() || got.Reply.Text != "who plays?" {
		t.Errorf("reply %+v", got.Reply)
	}
	if diff := cmp.Diff([]string{srv.Alice.ID()}, got.Pings); diff != "" {
		t.Errorf("pings (-want +got):\n%s", diff)
	}
	// Taken away, it is gone for everybody, and what answered it says so.
	if r := bob.ask(object{"do": "delete", "channel": srv.General.ID(), "message": asked.Message.ID}); r.Error != "" {
		t.Errorf("delete: %+v", r)
	}
	alice.kind("deleted")
	for _, do := range []string{"delete", "say"} {
		r := bob.ask(object{"do": do, "channel": srv.General.ID(), "text": "x", "message": asked.Message.ID})
		if r.Error == "" {
			t.Errorf("%s with a message that is gone: %+v", do, r)
		}
	}
	v := alice.open(srv.General.ID())
	if len(v.Messages) != 1 || v.Messages[0].Reply == nil || v.Messages[0].Reply.Author != "" {
		t.Errorf("afterwards: %s", v.raw)
	}
}
