package record

import (
	"fmt"
	"strings"

	"rowbot/match"
)

// What stands in the line after the names, as Piskvork writes it: how the game
// ended, if it did.
const (
	unfinished = -1
	finished   = 0
	timeout    = 15
)

// PSQ returns a match in Piskvork's format as Gomocup uses it. The lines are:
// the board's size; each ply as column from the left, row from the top, both from
// 1, and milliseconds, which are not known here and are 0; the names of who has
// black and white; 0 where the match ended with a result, 15 where it ended on
// time, and -1 where it has none; and 1 for black, 2 for white or 0 for nobody
// as the winner, with the name of the rules.
//
// The format has no passed turns: they are written as "0,0,0", a cell that is
// none, so that the colours of the stones after them stay right. The names may
// be any text; see [quoted].
func PSQ(m *match.Match, names [2]string) []byte {
	r := m.Rules
	// 11:11 is how Gomocup's games were played, 0 that the first player has black.
	b := fmt.Appendf(nil, "Piskvorky %dx%d, 11:11, 0\n", r.Cols, r.Rows)
	for _, at := range m.Moves {
		x, y := at.Col+1, r.Rows-at.Row
		if at.IsPass() {
			x, y = 0, 0
		}
		b = fmt.Appendf(b, "%d,%d,0\n", x, y)
	}
	code := unfinished
	switch {
	case m.Status.Counts() && m.Reason == match.ByTime:
		code = timeout
	case m.Status.Counts():
		code = finished
	}
	winner := match.Empty
	if m.Status == match.Won {
		winner = m.Winner
	}
	return fmt.Appendf(b, "%s\n%s\n%d\n%d,%s%d\n", quoted(names[0]), quoted(names[1]), code, winner, league(r), r.Cols)
}

// league is the name of the rules, as Gomocup names the leagues that play them.
func league(r match.Rules) string {
	if r.Game() == match.TicTacToe {
		return "TicTacToe"
	}
	name := r.Variant.String()
	return strings.ToUpper(name[:1]) + name[1:]
}

// quoted returns a name as a line of its own. It has quotation marks around it
// where a reader would otherwise take it for something else: where it begins like
// a ply or a mark, and where it is empty or would lose a space at an end.
func quoted(name string) string {
	name = plain(name)
	if name == "" || strings.ContainsRune(`"+-0123456789`, rune(name[0])) || strings.TrimSpace(name) != name {
		return `"` + name + `"`
	}
	return name
}
