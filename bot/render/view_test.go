package render_test

import (
	"strings"

	"pgregory.net/rapid"

	"rowbot/bot/render"
	"rowbot/match"
)

// The boards that exist.
var (
	small = match.TicTacToeRules()
	large = []match.Rules{
		match.GomokuRules(15, match.Freestyle), match.GomokuRules(15, match.Standard), match.GomokuRules(15, match.Renju),
		match.GomokuRules(19, match.Freestyle), match.GomokuRules(19, match.Standard), match.GomokuRules(19, match.Renju),
	}
)

func gomoku(side int8) match.Rules { return match.GomokuRules(side, match.Freestyle) }

// played is a running or ended match with these moves, as the store would hold it.
func played(t rapid.TB, r match.Rules, moves string) *match.Match {
	t.Helper()
	list, err := r.ParseMoves(moves)
	if err != nil {
		t.Fatalf("moves %q: %v", moves, err)
	}
	m := &match.Match{Rules: r, Status: match.Active}
	for _, at := range list {
		move(t, m, at)
	}
	return m
}

func move(t rapid.TB, m *match.Match, at match.Point) {
	t.Helper()
	if m.Status.Over() {
		t.Fatalf("%v comes after the end", at)
	}
	if at.IsPass() {
		m.Moves = append(m.Moves, at)
		return
	}
	next, won, err := m.Position().Place(at)
	if err != nil {
		t.Fatalf("%v: %v", at, err)
	}
	if won {
		m.Status, m.Reason, m.Winner = match.Won, match.ByLine, m.Turn()
	} else if next.Full() {
		m.Status, m.Reason = match.Drawn, match.ByFullBoard
	}
	m.Moves = append(m.Moves, at)
}

func view(t rapid.TB, r match.Rules, moves string) render.View {
	t.Helper()
	return render.Of(played(t, r, moves))
}

// fullBoard is a drawn gomoku match: pairs of each colour, each row shifted by
// two, make no line longer than two.
func fullBoard(t rapid.TB, side int8) *match.Match {
	t.Helper()
	m := &match.Match{Rules: gomoku(side), Status: match.Active}
	var of [2][]match.Point
	for row := range side {
		for col := range side {
			colour := (int(col) + 2*int(row)) % 4 / 2
			of[colour] = append(of[colour], match.Point{Col: col, Row: row})
		}
	}
	for i := range m.Rules.Cells() {
		move(t, m, of[i%2][i/2])
	}
	if m.Status != match.Drawn {
		t.Fatalf("the full board ended with status %d", m.Status)
	}
	return m
}

// drawMatch plays random moves, among them passes, until the match ends or is
// long enough.
func drawMatch(t *rapid.T, r match.Rules) *match.Match {
	m := &match.Match{Rules: r, Status: match.Active}
	near := rapid.Bool().Draw(t, "close together")
	for range rapid.IntRange(0, 60).Draw(t, "moves") {
		p := m.Position()
		cells := p.Legal()
		if near { // wins are rare among cells far from each other
			cells = p.Likely()[:min(len(cells), 6)]
		}
		at := rapid.SampledFrom(cells).Draw(t, "cell")
		if r.MayPass() && len(m.Moves) > 0 && !m.Moves[len(m.Moves)-1].IsPass() && rapid.IntRange(0, 19).Draw(t, "pass") == 0 {
			at = match.Pass
		}
		next, won, err := m.Position().Place(at)
		if !at.IsPass() && err != nil {
			t.Fatalf("%v: %v", at, err)
		}
		side := m.Turn()
		m.Moves = append(m.Moves, at)
		switch {
		case at.IsPass():
		case won:
			m.Status, m.Reason, m.Winner = match.Won, match.ByLine, side
			return m
		case next.Full():
			m.Status, m.Reason = match.Drawn, match.ByFullBoard
			return m
		}
	}
	return m
}

// shown is a code block read back: the sign of each cell, and whether a bracket
// stands before or after it.
type shown struct {
	sign, before, after map[match.Point]byte
	brackets            int // pairs, and opening ones that share their closing one
	closing             int
}

// read takes a code block apart as the contract describes it, without help from
// the code that drew it.
func read(t rapid.TB, text string, side int) shown {
	t.Helper()
	lines := strings.Split(text, "\n")
	if len(lines) != side+3 || lines[0] != "```" || lines[len(lines)-1] != "```" {
		t.Fatalf("%d lines, not a fence, letters, %d rows and a fence:\n%s", len(lines), side, text)
	}
	const letters = "   a b c d e f g h i j k l m n o p q r s"
	if header := letters[:2+2*side]; lines[1] != header {
		t.Errorf("letters %q, want %q", lines[1], header)
	}
	s := shown{sign: map[match.Point]byte{}, before: map[match.Point]byte{}, after: map[match.Point]byte{}}
	for i, line := range lines[2 : len(lines)-1] {
		row := side - 1 - i
		s.readRow(t, line, row, side)
	}
	return s
}

func (s *shown) readRow(t rapid.TB, line string, row, side int) {
	t.Helper()
	number := []byte{' ', byte('1' + row)}
	if row >= 9 {
		number = []byte{'1', byte('0' + row - 9)}
	}
	if !strings.HasPrefix(line, string(number)) {
		t.Errorf("row %q does not start with %q", line, number)
	}
	if len(line) < 2+2*side || len(line) > 3+2*side {
		t.Fatalf("row %q has %d columns", line, len(line))
	}
	padded := line + " "
	for col := range side {
		at := match.Point{Col: int8(col), Row: int8(row)}
		s.sign[at], s.before[at], s.after[at] = line[3+2*col], line[2+2*col], padded[4+2*col]
	}
	s.brackets += strings.Count(line, "[")
	s.closing += strings.Count(line, "]")
}

// bracketed lists the cells with an opening bracket before them.
func (s *shown) bracketed() map[match.Point]bool {
	out := map[match.Point]bool{}
	for at, c := range s.before {
		if c == '[' {
			out[at] = true
		}
	}
	return out
}
