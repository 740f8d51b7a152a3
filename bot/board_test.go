package bot

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"rowbot/bot/render"
	"rowbot/match"
)

// parts takes a panel apart: its text and its rows of buttons.
func parts(t rapid.TB, m message) (text string, rows [][]component) {
	t.Helper()
	if len(m.Components) != 1 || m.Components[0].Type != typeContainer || m.Components[0].Components[0].Type != typeText {
		t.Fatalf("not a container with a text: %+v", m.Components)
	}
	inner := m.Components[0].Components
	for _, r := range inner[1:] {
		if r.Type != typeRow {
			t.Fatalf("not a row: %+v", r)
		}
		rows = append(rows, r.Components)
	}
	return inner[0].Content, rows
}

func labels(rows [][]component) (all []string) {
	for _, r := range rows {
		for _, c := range r {
			all = append(all, c.Label)
		}
	}
	return all
}

// hue says roughly what colour a container has.
func hue(accent int) string {
	r, g, b := accent>>16, accent>>8&0xFF, accent&0xFF
	switch most, least := max(r, g, b), min(r, g, b); {
	case most-least < 0x30:
		return "grey"
	case b == most:
		return "blue"
	case g == most:
		return "green"
	}
	return "red"
}

// Whatever has happened in a match, its message is one that Discord takes, and
// shows what the contract says.
func TestBoardOfAnyMatch(t *testing.T) {
	b := testBot(t)
	p := look{Printer: b.texts.For("")}
	rapid.Check(t, func(t *rapid.T) {
		m := anyMatch(t)
		w := anyWindow(t, m.Rules)
		msg := b.board(p, &m, w)
		checkLimits(t, msg)
		checkBoard(t, &m, msg, w)

		old := b.retired(p, &m)
		checkLimits(t, old)
		if text, rows := parts(t, old); len(rows) != 0 || !strings.Contains(text, "https://discord.com/channels/1/2/3") {
			t.Errorf("a retired board has %d rows under:\n%s", len(rows), text)
		}
		next := m
		next.Where = match.Where{Channel: "7", Message: "8"}
		after := b.followed(p, &m, &next)
		checkLimits(t, after)
		text, rows := parts(t, after)
		if m.Status.Over() && slices.Contains(labels(rows), "Rematch") || !strings.Contains(text, "https://discord.com/channels/@me/7/8") {
			t.Errorf("after the rematch: %q under\n%s", labels(rows), text)
		}
	})
}

func TestCrowdedBoards(t *testing.T) {
	b := testBot(t)
	p := look{Printer: b.texts.For("")}
	for _, side := range []int8{15, 19} {
		m := crowded(t, side)
		do(t, &m, match.OfferDraw{}, m.ToMove())
		for col := range side - 4 {
			for row := range side - 4 {
				w := render.Window{Col: col, Row: row}
				msg := b.board(p, &m, &w)
				checkLimits(t, msg)
				checkBoard(t, &m, msg, &w)
			}
		}
		p1 := m.Position()
		do(t, &m, match.Place{At: p1.Empties()[0]}, m.ToMove())
		msg := b.board(p, &m, nil)
		checkLimits(t, msg)
		checkBoard(t, &m, msg, nil)
		if text, _ := parts(t, msg); !strings.Contains(text, "A draw · the board is full") || len([]rune(text)) > 2000 {
			t.Errorf("the full board says:\n%s", text)
		}
	}
}

// A forbidden cell is marked for black, and only for black.
func TestForbiddenCellsAreMarked(t *testing.T) {
	b := testBot(t)
	m := started(t, match.GomokuRules(15, match.Renju), match.Person(bob), "i8 a1 j8 a3 h9 a5 h10 a7")
	for _, marked := range []bool{true, false} {
		w := render.Window{Col: 5, Row: 5}
		msg := b.board(look{Printer: b.texts.For("")}, &m, &w)
		checkLimits(t, msg)
		checkBoard(t, &m, msg, &w)
		text, rows := parts(t, msg)
		if shown := strings.Contains(text, " 8 . . . + . . . ! X X "); shown != marked || strings.Contains(text, "`!` black may not play here") != marked {
			t.Errorf("the board says\n%s", text)
		}
		if c := rows[2][2]; c.Label != "h8" || c.Disabled || (c.Style == styleDanger) != marked {
			t.Errorf("the button is %+v", c)
		}
		do(t, &m, match.PassTurn{}, m.ToMove())
	}
}

// checkBoard compares a message with the match it shows.
func checkBoard(t rapid.TB, m *match.Match, msg message, w *render.Window) {
	t.Helper()
	text, rows := parts(t, msg)
	for _, r := range rows {
		for _, c := range r {
			if s, ok := parseScene(c.CustomID); ok {
				if s.match != m.ID || s.ply != len(m.Moves) {
					t.Errorf("button %q belongs to %+v", c.Label, s)
				}
				continue
			}
			if press, ok := parsePress(c.CustomID); !ok || press.match != m.ID || press.version != m.Version {
				t.Errorf("button %q belongs to %+v", c.Label, press)
			}
		}
	}
	want := "grey"
	switch {
	case !m.Status.Over():
		want = "blue"
	case m.Status == match.Won:
		want = "green"
	}
	if got := hue(msg.Components[0].Accent); got != want {
		t.Errorf("status %d is %s, want %s", m.Status, got, want)
	}
	switch {
	case m.Status == match.Challenged:
		checkChallenge(t, m, rows)
	case m.Status == match.Declined || m.Status == match.Withdrawn || m.Status == match.Lapsed:
		if len(rows) != 0 || strings.Contains(text, "```") {
			t.Errorf("a match that never began has %q under\n%s", labels(rows), text)
		}
	case m.Rules.Game() == match.TicTacToe:
		checkSmall(t, m, text, rows)
	case m.Status.Over():
		if diff := cmp.Diff([]string{"Rematch", "Replay"}, labels(rows)); diff != "" {
			t.Errorf("buttons after the end (-want +got):\n%s", diff)
		}
	case m.Choosing() != nil:
		want := []string{"Take black", "Take white", "Place two more", "More"}
		if len(m.Moves) > 3 {
			want = []string{"Take black", "Take white", "More"}
		}
		if diff := cmp.Diff(want, labels(rows)); diff != "" || len(rows) != 2 {
			t.Errorf("buttons to choose by, in %d rows (-want +got):\n%s", len(rows), diff)
		}
	default:
		checkLarge(t, m, rows, w)
	}
	if m.Rules.Game() == match.Gomoku && (m.Status == match.Active || m.Status.Counts()) {
		want := render.Mono(render.Of(m))
		if strings.Contains(want, "!") {
			want += "\n`!` black may not play here"
		}
		if !strings.HasSuffix(text, want) {
			t.Errorf("no board in\n%s", text)
		}
	}
}

func checkChallenge(t rapid.TB, m *match.Match, rows [][]component) {
	t.Helper()
	want := []string{"Accept", "Decline", "Withdraw"}
	if m.Invited.IsNobody() {
		want = []string{"Accept", "Withdraw"}
	}
	if diff := cmp.Diff(want, labels(rows)); diff != "" || len(rows) != 1 {
		t.Errorf("buttons of a challenge, in %d rows (-want +got):\n%s", len(rows), diff)
	}
}

// cellButton checks the custom ID of a button on the board.
func cellButton(t rapid.TB, c component, at match.Point) {
	t.Helper()
	if press, _ := parsePress(c.CustomID); press.verb != verbCell || press.arg != at.String() {
		t.Errorf("the button at %v asks for %+v", at, press)
	}
}

func checkSmall(t rapid.TB, m *match.Match, text string, rows [][]component) {
	t.Helper()
	if len(rows) != 4 || len(rows[0]) != 3 || len(rows[1]) != 3 || len(rows[2]) != 3 {
		t.Fatalf("the buttons are %q", labels(rows))
	}
	lines := strings.Split(text, "\n")
	if got := strings.Join(lines[len(lines)-3:], "\n"); got != render.Emoji(render.Of(m)) {
		t.Errorf("the board in the text is\n%s", got)
	}
	p, line := m.Position(), m.Line()
	for i := range 9 {
		at, c := match.Point{Col: int8(i % 3), Row: int8(2 - i/3)}, rows[i/3][i%3]
		cellButton(t, c, at)
		stone := p.At(at)
		if c.Disabled != (stone != match.Empty || m.Status.Over()) {
			t.Errorf("%v, %d: disabled is %v", at, stone, c.Disabled)
		}
		if (c.Style == styleSuccess) != slices.Contains(line, at) {
			t.Errorf("%v has the style %d, the line is %v", at, c.Style, line)
		}
		mark := ""
		if c.Emoji != nil {
			mark = c.Emoji.Name
		}
		if want := map[match.Stone]string{match.Black: "❌", match.White: "⭕"}[stone]; mark != want {
			t.Errorf("%v shows %q, want %q", at, mark, want)
		}
	}
	want := []string{"Offer draw", "Resign"}
	switch {
	case m.Status.Over():
		want = []string{"Rematch", "Replay"}
	case m.AgainstEngine():
		want = []string{"Resign"}
	}
	if diff := cmp.Diff(want, labels(rows[3:])); diff != "" {
		t.Errorf("buttons below (-want +got):\n%s", diff)
	}
}

func checkLarge(t rapid.TB, m *match.Match, rows [][]component, w *render.Window) {
	t.Helper()
	if w == nil {
		on := render.WindowOn(render.Of(m))
		w = &on
	}
	if len(rows) != 7 {
		t.Fatalf("%d rows: %q", len(rows), labels(rows))
	}
	p := m.Position()
	for i := range 25 {
		if len(rows[i/5]) != 5 {
			t.Fatalf("a row of %d cells", len(rows[i/5]))
		}
		at, c := match.Point{Col: w.Col + int8(i%5), Row: w.Row + 4 - int8(i/5)}, rows[i/5][i%5]
		cellButton(t, c, at)
		if c.Label != at.String() || c.Disabled != (p.At(at) != match.Empty) {
			t.Errorf("%v: label %q, disabled %v", at, c.Label, c.Disabled)
		}
		if (p.Forbidden(at) != "") != (c.Style == styleDanger && !c.Disabled) {
			t.Errorf("%v has the style %d", at, c.Style)
		}
	}
	if diff := cmp.Diff([]string{"←", "↑", "↓", "→", "Type a move", "More"}, labels(rows[5:])); diff != "" {
		t.Errorf("buttons below the cells (-want +got):\n%s", diff)
	}
	edge := []bool{w.Col == 0, w.Row+5 == m.Rules.Rows, w.Row == 0, w.Col+5 == m.Rules.Cols, false}
	shift := [][2]int8{{-5, 0}, {0, 5}, {0, -5}, {5, 0}}
	for i, c := range rows[5] {
		if c.Disabled != edge[i] {
			t.Errorf("%s from %+v: disabled is %v", c.Label, *w, c.Disabled)
		}
		if i == 4 {
			continue
		}
		press, _ := parsePress(c.CustomID)
		to, ok := parseWindow(press.arg, m.Rules)
		if !ok || to != w.Shift(shift[i][0], shift[i][1], m.Rules) {
			t.Errorf("%s from %+v leads to %+v", c.Label, *w, to)
		}
	}
}
