package bot

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/bot/gateway"
	"rowbot/match"
)

// An export too large for Discord is packed.
func TestLargeExport(t *testing.T) {
	m := match.Match{ID: "m1", Rules: match.TicTacToeRules(), Status: match.Won}
	many := make([]match.Match, 40_000)
	for i := range many {
		many[i] = m
	}
	small, large := exportOf("1", many[:1], nil, match.Preferences{}), exportOf("1", many, nil, match.Preferences{})
	f, err := small.file()
	if err != nil || f.name != "rowbot-1.json" || f.mime != "application/json" || !json.Valid(f.data) {
		t.Errorf("%s, %s, %v:\n%s", f.name, f.mime, err, f.data)
	}
	f, err = large.file()
	if err != nil || f.name != "rowbot-1.json.gz" || f.mime != "application/gzip" || len(f.data) > 10<<20 {
		t.Fatalf("%s, %s, %d bytes, %v", f.name, f.mime, len(f.data), err)
	}
	r, err := gzip.NewReader(bytes.NewReader(f.data))
	if err != nil {
		t.Fatal(err)
	}
	var back exported
	raw, err := io.ReadAll(r)
	if err != nil || json.Unmarshal(raw, &back) != nil || len(back.Matches) != len(many) {
		t.Errorf("unpacked: %d matches, %v", len(back.Matches), err)
	}
}

// Every status, reason and audience has a word in the export.
func TestExportedWords(t *testing.T) {
	for _, s := range []match.Status{
		match.Challenged, match.Active, match.Won, match.Drawn, match.Declined, match.Withdrawn, match.Lapsed, match.Closed,
	} {
		if statusNames[s] == "" {
			t.Errorf("the status %d has none", s)
		}
	}
	for _, r := range []match.Reason{
		match.ByLine, match.ByResignation, match.ByTime, match.ByFullBoard, match.ByAgreement, match.ByPasses, match.ByModerator, match.ByLeaving,
	} {
		if reasonNames[r] == "" {
			t.Errorf("the reason %d has none", r)
		}
	}
	for _, a := range []match.Audience{match.FromEveryone, match.FromServer, match.FromNobody} {
		if audienceNames[a] == "" {
			t.Errorf("the audience %d has none", a)
		}
	}
}

// Files go beside what they belong to, which names them; a message without any
// goes as it is.
func TestUpload(t *testing.T) {
	m := note("x")
	if _, plain := upload(m).(message); !plain {
		t.Errorf("%#v", upload(m))
	}
	m.files = []file{{name: "a.png", mime: "image/png", alt: "a board", data: []byte("A")}, {name: "b.sgf", mime: "text/plain", data: []byte("B")}}
	want := []gateway.File{{Name: "a.png", Type: "image/png", Data: []byte("A")}, {Name: "b.sgf", Type: "text/plain", Data: []byte("B")}}
	named := `"attachments":[{"id":"0","filename":"a.png","description":"a board"},{"id":"1","filename":"b.sgf"}]`
	for _, body := range []any{m, callback{Type: callbackReply, Data: m}} {
		form, ok := upload(body).(gateway.Form)
		if diff := cmp.Diff(want, form.Files); !ok || diff != "" {
			t.Errorf("files (-want +got)\n%s", diff)
		}
		raw, err := json.Marshal(form.Payload)
		if err != nil || !bytes.Contains(raw, []byte(named)) {
			t.Errorf("%s, %v", raw, err)
		}
	}
	m.files, m.Attachments = nil, []attachment{}
	if raw, err := json.Marshal(upload(m)); err != nil || !bytes.Contains(raw, []byte(`"attachments":[]`)) {
		t.Errorf("taking all files off: %s, %v", raw, err)
	}
}
