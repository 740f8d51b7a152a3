package bot

import (
	"bytes"
	"image/png"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"rowbot/bot/render"
	"rowbot/match"
)

// rowsOf are a message's rows, wherever they stand.
func rowsOf(all []component) (rows []component) {
	for _, c := range all {
		switch c.Type {
		case typeRow:
			rows = append(rows, c)
		case typeContainer:
			rows = append(rows, rowsOf(c.Components)...)
		}
	}
	return rows
}

func textOf(all []component) string {
	var b strings.Builder
	for _, c := range all {
		if c.Type == typeText {
			b.WriteString(c.Content)
		}
		b.WriteString(textOf(c.Components))
	}
	return b.String()
}

// TestStylesOfAnyMatch: whatever the style, the message is one that Discord
// takes, with the same buttons and the same words.
func TestStylesOfAnyMatch(t *testing.T) {
	b := testBot(t)
	p := b.texts.For("")
	rapid.Check(t, func(t *rapid.T) {
		m := anyMatch(t)
		w := anyWindow(t, m.Rules)
		plain := b.board(look{Printer: p}, &m, w)
		style := rapid.SampledFrom(styles).Draw(t, "style")
		msg := b.board(look{p, style}, &m, w)
		checkLimits(t, msg)
		checkLimits(t, b.retired(look{p, style}, &m))
		if diff := cmp.Diff(rowsOf(plain.Components), rowsOf(msg.Components)); diff != "" {
			t.Errorf("%s: the buttons differ (-text +%s)\n%s", style, style, diff)
		}
		if !strings.HasPrefix(textOf(msg.Components), b.matchText(p, &m)) {
			t.Errorf("%s says\n%s", style, textOf(msg.Components))
		}
		pictured := style == stylePicture && m.Status != match.Challenged && !m.Seats[0].IsNobody()
		checkFiles(t, style, msg, pictured)
	})
}

// checkFiles wants a picture as the only file, or that one of before is taken off.
func checkFiles(t rapid.TB, style string, msg message, pictured bool) {
	t.Helper()
	if !pictured {
		if len(msg.files) != 0 || msg.Attachments == nil || len(msg.Attachments) != 0 {
			t.Errorf("%s: files %d, attachments %v", style, len(msg.files), msg.Attachments)
		}
		return
	}
	if len(msg.files) != 1 || msg.files[0].mime != "image/png" {
		t.Fatalf("%s: files %v", style, msg.files)
	}
	if _, err := png.Decode(bytes.NewReader(msg.files[0].data)); err != nil {
		t.Errorf("%s: %v", style, err)
	}
	parts := msg.Components
	if parts[0].Type == typeContainer {
		parts = parts[0].Components
	}
	if i := slices.IndexFunc(parts, func(c component) bool { return c.Type == typeGallery }); i < 0 || parts[i].Items[0].Media.URL != "attachment://"+msg.files[0].name {
		t.Errorf("%s: the picture is not shown", style)
	}
}

// TestDefaultStyleTouchesNoFiles: a board of a server that chose nothing is
// sent as ever.
func TestDefaultStyleTouchesNoFiles(t *testing.T) {
	b := testBot(t)
	m := started(t, match.GomokuRules(15, match.Freestyle), match.Person(bob), "h8")
	if msg := b.board(look{Printer: b.texts.For("")}, &m, nil); msg.Attachments != nil || msg.files != nil {
		t.Errorf("attachments %v", msg.Attachments)
	}
}

func TestAltText(t *testing.T) {
	b := testBot(t)
	for _, c := range []struct {
		rules match.Rules
		moves string
		want  string
	}{
		{match.GomokuRules(15, match.Freestyle), "h8 i9 g7", "15×15 · last: g7 · ⚫ g7 h8 · ⚪ i9"},
		{match.TicTacToeRules(), "b2", "3×3 · last: b2 · ❌ b2 · ⭕ –"},
	} {
		m := started(t, c.rules, match.Person(bob), c.moves)
		if got := altText(b.texts.For(""), render.Of(&m)); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestColourFallsBack: a board whose colours do not fit into a message is plain.
func TestColourFallsBack(t *testing.T) {
	b := testBot(t)
	few := started(t, match.GomokuRules(19, match.Freestyle), match.Person(bob), "h8")
	many := few
	many.Moves = nil
	for n := range int8(18) {
		for col := range int8(19) { // black and white by turns, which takes the most colours
			many.Moves = append(many.Moves, match.Point{Col: col, Row: n})
		}
	}
	for _, c := range []struct {
		m    *match.Match
		want string
	}{{&few, "```ansi\n"}, {&many, "```\n"}} {
		msg := b.board(look{b.texts.For(""), styleColour}, c.m, nil)
		checkLimits(t, msg)
		if !strings.Contains(textOf(msg.Components), c.want) {
			t.Errorf("no %q in\n%s", c.want, textOf(msg.Components))
		}
	}
}
