package e2e_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

// grid is what a reader sees of a board: stones by cell (0 black, 1 white) and
// the cells in brackets.
type grid struct {
	side   int
	stones map[string]int
	marked []string
	barred []string // forbidden to black
}

// cellName writes a cell as letter and number, both counted from 0.
func cellName(col, row int) string { return cellNames[row][col] }

var cellNames = func() (all [19][19]string) {
	for row := range all {
		for col := range all[row] {
			all[row][col] = string(rune('a'+col)) + strconv.Itoa(row+1)
		}
	}
	return all
}()

func cellAt(name string) (col, row int) {
	n, err := strconv.Atoi(name[1:])
	if err != nil {
		panic("no cell: " + name)
	}
	return int(name[0] - 'a'), n - 1
}

// boardOf reads the board in a message by the contract's words: three lines of
// emoji, or a code block.
func boardOf(t testing.TB, m *sandbox.Message) grid {
	t.Helper()
	before, block, fenced := strings.Cut(m.Text(), "\n```\n")
	if !fenced {
		return emojiBoard(t, strings.Split(m.Text(), "\n"))
	}
	block, _, ok := strings.Cut(block, "\n```")
	if !ok || strings.Contains(before, "```") {
		t.Fatalf("no code block that stands on its own lines:\n%s", m.Text())
	}
	return monoBoard(t, strings.Split(block, "\n"))
}

func emojiBoard(t testing.TB, lines []string) grid {
	t.Helper()
	g := grid{side: 3, stones: map[string]int{}}
	var rows []string
	for _, line := range lines {
		if line != "" && strings.Trim(line, "❌⭕⬜") == "" {
			rows = append(rows, line)
		}
	}
	if len(rows) != 3 {
		t.Fatalf("%d lines of emoji, want 3:\n%s", len(rows), strings.Join(lines, "\n"))
	}
	for i, line := range rows {
		cells := []rune(line)
		if len(cells) != 3 {
			t.Fatalf("line %q has not three cells", line)
		}
		for col, c := range cells {
			switch c {
			case '❌':
				g.stones[cellName(col, 2-i)] = 0
			case '⭕':
				g.stones[cellName(col, 2-i)] = 1
			}
		}
	}
	return g
}

// stars are the star points, by the board's side.
var stars = map[int]string{
	15: " d4 d8 d12 h4 h8 h12 l4 l8 l12 ",
	19: " d4 d10 d16 j4 j10 j16 p4 p10 p16 ",
}

func monoBoard(t testing.TB, lines []string) grid {
	t.Helper()
	g := grid{side: len(lines) - 1, stones: map[string]int{}}
	if letters := "   " + strings.Join(strings.Split("abcdefghijklmnopqrs"[:g.side], ""), " "); lines[0] != letters {
		t.Fatalf("the letters are %q, want %q", lines[0], letters)
	}
	for i, line := range lines[1:] {
		row := g.side - 1 - i
		if number := fmt.Sprintf("%2d", row+1); !strings.HasPrefix(line, number) || len(line) > 3+2*g.side {
			t.Fatalf("row %q, want %s and %d cells", line, number, g.side)
		}
		g.monoRow(t, line+" ", row)
	}
	return g
}

func (g *grid) monoRow(t testing.TB, line string, row int) {
	t.Helper()
	for col := range g.side {
		name, before, sign, after := cellName(col, row), line[2+2*col], line[3+2*col], line[4+2*col]
		switch star := strings.Contains(stars[g.side], " "+name+" "); {
		case sign == 'X':
			g.stones[name] = 0
		case sign == 'O':
			g.stones[name] = 1
		case sign == '!':
			g.barred = append(g.barred, name)
		case sign == '+' && star, sign == '.' && !star:
		default:
			t.Fatalf("%s shows %q in %q", name, sign, line)
		}
		if before == '[' {
			g.marked = append(g.marked, name)
		}
		was := col > 0 && slices.Contains(g.marked, cellName(col-1, row))
		if before != '[' && (before == ']') != was || before != '[' && before != ']' && before != ' ' || before == '[' && after == ' ' {
			t.Fatalf("brackets around %s in %q", name, line)
		}
	}
}

// line finds a winning line by looking at every stretch of the board: need in a
// row or more, or, by exact rules, need and no more. It says how many there are.
func (g *grid) line(need int, exact bool) (won []string, who, lines int) {
	var at [21][21]int // with an empty edge around
	for name, stone := range g.stones {
		col, row := cellAt(name)
		at[row+1][col+1] = stone + 1
	}
	for _, d := range [][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		for col := 1; col <= g.side; col++ {
			for row := 1; row <= g.side; row++ {
				s, n := at[row][col], 1
				if s == 0 || at[row-d[1]][col-d[0]] == s {
					continue // nothing here, or not the first of its run
				}
				for at[row+n*d[1]][col+n*d[0]] == s {
					n++
				}
				if n < need || exact && n != need {
					continue
				}
				who, lines = s-1, lines+1
				for i := range n {
					if c := cellName(col-1+i*d[0], row-1+i*d[1]); !slices.Contains(won, c) {
						won = append(won, c)
					}
				}
			}
		}
	}
	return won, who, lines
}

// labels are what stands on the buttons of a row, with a mark's emoji for those
// without a label.
func labels(row []*sandbox.Component) (out []string) {
	for _, c := range row {
		if c.Label == "" && c.Emoji != nil {
			out = append(out, c.Emoji.Name)
			continue
		}
		out = append(out, c.Label)
	}
	return out
}

// face is all that a person can see and press of a message.
func face(m *sandbox.Message) string {
	lines := []string{m.Text()}
	for _, b := range m.Buttons() {
		lines = append(lines, fmt.Sprint(b.Label, b.Emoji, b.CustomID, b.Style, b.Disabled))
	}
	return strings.Join(lines, "\n")
}

// sameStones compares what is shown with what was played.
func sameStones(t testing.TB, want, got map[string]int) {
	t.Helper()
	if !maps.Equal(want, got) {
		t.Fatalf("stones on the board (-want +got):\n%s", cmp.Diff(want, got))
	}
}

// watch checks every message of the world, whoever sees it, until the test ends.
func (w *world) watch() {
	sub := w.Subscribe(1 << 14)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range sub.C {
			if e.Message != nil && e.Message.Author.ID == w.BotID() {
				for _, problem := range problems(e) {
					w.t.Errorf("%s in a message (%s):\n%s", problem, e.Kind, e.Message.Text())
				}
			}
		}
	}()
	w.t.Cleanup(func() {
		sub.Close()
		<-done
	})
}

var (
	unfilled = regexp.MustCompile(`<no value>|\{\{|%!|\b[a-z]+_[a-z_]+\b`)
	calls    = regexp.MustCompile(`challenges <@\d+>\.|offers <@\d+> a draw\.|^<@\d+>, (?:it's your turn|you have until)|Отвечает <@\d+>\.|` +
		`fordert <@\d+> heraus\.|bietet <@\d+> ein Remis an|から <@\d+> さんへの挑戦です|が <@\d+> さんに引き分けを提案`)
)

// problems are the promises that a message breaks: Discord's limits, and that
// nobody is pinged but who is challenged, offered a draw or away, and not by an edit.
func problems(e sandbox.Event) (found []string) {
	m := e.Message
	ids := map[string]bool{}
	n := count(m.Components, func(c *sandbox.Component) {
		if c.CustomID != "" && ids[c.CustomID] || len(c.CustomID) > 100 {
			found = append(found, "a bad custom ID "+c.CustomID)
		}
		ids[c.CustomID] = true
		if c.Type == sandbox.TypeButton && (c.Label == "" && c.Emoji == nil || len([]rune(c.Label)) > 38) {
			found = append(found, "a bad label "+c.Label)
		}
		if unfilled.MatchString(c.Label) {
			found = append(found, "a label without its text: "+c.Label)
		}
	})
	if n > 40 || len([]rune(m.Text())) > 4000 {
		found = append(found, fmt.Sprintf("%d components and %d characters", n, len([]rune(m.Text()))))
	}
	if unfilled.MatchString(m.Text()) {
		found = append(found, "text that is not filled in")
	}
	called := calls.FindString(m.Text())
	for _, id := range m.Pings {
		// The contents of an answer that was put off come as an update, too.
		if !m.EditedAt.IsZero() || !strings.Contains(called, id) {
			found = append(found, "a ping of "+id)
		}
	}
	if m.PingsEveryone || len(m.PingsRoles) > 0 {
		found = append(found, "a ping of many")
	}
	return found
}

// count calls f for each component, nested ones too, and says how many there are.
func count(list []*sandbox.Component, f func(*sandbox.Component)) (n int) {
	for _, c := range list {
		if c != nil {
			f(c)
			n += 1 + count(c.Components, f) + count([]*sandbox.Component{c.Accessory, c.Child}, f)
		}
	}
	return n
}

// smallButtons checks the nine buttons of a running tic-tac-toe match.
func (tb *table) smallButtons() {
	tb.t.Helper()
	rows, stones := tb.board.Rows(), tb.grid().stones
	below := []string{"Offer draw", "Resign"}
	if tb.rowbot >= 0 {
		below = []string{"Resign"}
	}
	if len(rows) != 4 || !slices.Equal(labels(rows[3]), below) {
		tb.t.Fatalf("%d rows of buttons, want 3 and %v below", len(rows), below)
	}
	for i, row := range rows[:3] {
		if len(row) != 3 {
			tb.t.Fatalf("row %d has %d buttons", i, len(row))
		}
		for col, b := range row {
			who, taken := stones[cellName(col, 2-i)]
			if b.Disabled != taken || b.Style == sandbox.StyleSuccess || taken && labels(row)[col] != marks["ttt"][who] {
				tb.t.Errorf("the button of %s is %+v", cellName(col, 2-i), b)
			}
		}
	}
}

// largeButtons checks the window of a running gomoku match: 5x5 cells that lie
// together, the arrows, and what stands below.
func (tb *table) largeButtons() {
	tb.t.Helper()
	rows, stones := tb.board.Rows(), tb.grid().stones
	if len(rows) != 7 || !slices.Equal(labels(rows[6]), []string{"More"}) ||
		!slices.Equal(labels(rows[5]), []string{"←", "↑", "↓", "→", "Type a move"}) {
		tb.t.Fatalf("%d rows of buttons: %v", len(rows), labels(tb.board.Buttons()))
	}
	first, _ := window(tb.board)
	col, row := cellAt(first)
	for i, cells := range rows[:5] {
		for j, b := range cells {
			name := cellName(col+j, row+4-i)
			_, taken := stones[name]
			if len(cells) != 5 || b.Label != name || b.Disabled != taken {
				tb.t.Fatalf("the button of %s is %+v", name, b)
			}
		}
	}
	edge := []bool{col == 0, row+5 == tb.side, row == 0, col+5 == tb.side, false}
	for i, b := range rows[5] {
		if b.Disabled != edge[i] {
			tb.t.Errorf("%s from %s: disabled is %v", b.Label, first, b.Disabled)
		}
	}
}

// ended checks the board of a finished match: what it says, the winning stones
// marked, and nothing to press but Rematch.
func (tb *table) ended(says string, line ...string) {
	tb.t.Helper()
	lines := strings.SplitN(tb.board.Text(), "\n", 3)
	if lines[0] != tb.head() || lines[1] != says && !strings.HasPrefix(lines[1], says+" · ") {
		tb.t.Fatalf("the end says\n%s\n%s\nwant\n%s\n%s", lines[0], lines[1], tb.head(), says)
	}
	won := strings.Contains(says, "**won**")
	unrated := strings.Contains(lines[1], " · unrated, ")
	if rated := won && tb.rowbot < 0 && !unrated; rated != ratedEnd.MatchString(lines[1]) {
		tb.t.Errorf("the end says %q about ratings", lines[1])
	}
	g := boardOf(tb.t, tb.board)
	sameStones(tb.t, tb.grid().stones, g.stones)
	rows := tb.board.Rows()
	if last := rows[len(rows)-1]; !slices.Equal(labels(last), []string{"Rematch", "Replay"}) || last[0].Disabled {
		tb.t.Errorf("the last row is %v", labels(last))
	}
	if accent := tb.board.Components[0].AccentColor; accent == nil || (*accent>>8&0xff > *accent&0xff) != won {
		tb.t.Errorf("the colour of %q is %x", says, accent)
	}
	if tb.game == "gomoku" {
		if len(line) == 0 {
			line = tb.lastStone()
		}
		marked := slices.Sorted(slices.Values(g.marked))
		if want := slices.Sorted(slices.Values(line)); len(rows) != 1 || !slices.Equal(want, marked) {
			tb.t.Fatalf("%d rows, in brackets: %v, want %v\n%s", len(rows), marked, want, tb.board.Text())
		}
		return
	}
	for i, row := range rows[:3] {
		for col, b := range row {
			name := cellName(col, 2-i)
			if len(row) != 3 || !b.Disabled || (b.Style == sandbox.StyleSuccess) != slices.Contains(line, name) {
				tb.t.Errorf("the button of %s at the end is %+v", name, b)
			}
		}
	}
}

var ratedEnd = regexp.MustCompile(` · \d+ \([+−]\d+\)$`)
