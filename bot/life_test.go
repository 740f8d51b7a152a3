package bot

import (
	"strings"
	"time"

	"pgregory.net/rapid"

	"rowbot/bot/render"
	"rowbot/match"
)

// People with the longest IDs there are, who play with Rowbot at times.
const (
	alice = "1844674407370955161"
	bob   = "1844674407370955162"
	carol = "1844674407370955163"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

var allRules = []match.Rules{
	match.TicTacToeRules(), match.GomokuRules(15, match.Freestyle), match.GomokuRules(15, match.Standard),
	match.GomokuRules(19, match.Freestyle), match.GomokuRules(19, match.Standard),
	match.GomokuRules(15, match.Renju), match.GomokuRules(19, match.Renju),
}

// challenged is a challenge that waits for an answer.
func challenged(r match.Rules, invited match.Player, side match.Side) match.Match {
	return match.Match{
		ID: longestID, Version: 1, Rules: r, Challenger: match.Person(alice), Invited: invited, Side: side,
		Status: match.Challenged, Pace: defaultPace, Deadline: noon.Add(24 * time.Hour), Created: noon, Changed: noon,
		Where: match.Where{Guild: "1", Channel: "2", Message: "3"},
	}
}

// do applies an action that is allowed.
func do(t rapid.TB, m *match.Match, a match.Action, by match.Player) {
	t.Helper()
	next, err := m.Apply(a, by, noon)
	if err != nil {
		t.Fatalf("%T by %v: %v", a, by, err)
	}
	*m = next
}

// started is a match that Alice, who moves first, plays against somebody.
func started(t rapid.TB, r match.Rules, other match.Player, moves string) match.Match {
	t.Helper()
	m := challenged(r, other, match.SideFirst)
	do(t, &m, match.Accept{}, other)
	list, err := r.ParseMoves(moves)
	if err != nil {
		t.Fatalf("%q: %v", moves, err)
	}
	for _, at := range list {
		if at.IsPass() {
			do(t, &m, match.PassTurn{}, m.ToMove())
			continue
		}
		do(t, &m, match.Place{At: at}, m.ToMove())
	}
	return m
}

// anyMatch is a match of any rules at any moment of its life, after random
// things that were allowed.
func anyMatch(t *rapid.T) match.Match {
	invited := rapid.SampledFrom([]match.Player{{}, match.Person(bob), match.Engine(match.Random)}).Draw(t, "invited")
	m := challenged(rapid.SampledFrom(allRules).Draw(t, "rules"), invited, rapid.SampledFrom([]match.Side{0, 1, 2}).Draw(t, "side"))
	if m.Rules.Game() == match.Gomoku && !invited.IsEngine() && rapid.Bool().Draw(t, "swap2") {
		m.Opening = match.Swap2
	}
	m.Seed = rapid.Uint64().Draw(t, "seed")
	m.Version = match.Version(rapid.IntRange(1, 1<<31).Draw(t, "version"))
	m.Pace = rapid.SampledFrom([]time.Duration{defaultPace, 5 * time.Minute, time.Hour}).Draw(t, "pace")
	quick := rapid.IntRange(0, 9).Draw(t, "end soon") == 0
	for range rapid.IntRange(0, 40).Draw(t, "length") {
		by := rapid.SampledFrom([]match.Player{match.Person(alice), match.Person(bob), match.Engine(match.Random)}).Draw(t, "who")
		a := anyAction(t, &m, quick)
		now := noon
		if _, ok := a.(match.Expire); ok {
			now = m.Deadline
		}
		if next, err := m.Apply(a, by, now); err == nil {
			m = next
		}
		if m.Status == match.Active && m.StoneOf(by) != match.Empty {
			quick = false
		}
	}
	if m.Status.Counts() && !m.AgainstEngine() {
		m.Gains = [2]match.Gain{{After: 1523, Change: 11}, {After: 1477, Change: -11}}
	}
	return m
}

func anyAction(t *rapid.T, m *match.Match, quick bool) match.Action {
	if m.Status == match.Challenged && !quick {
		return match.Accept{}
	}
	switch rapid.IntRange(0, 39).Draw(t, "action") {
	case 0, 1:
		return match.PassTurn{}
	case 2:
		return match.Resign{}
	case 3, 4:
		return match.OfferDraw{}
	case 5:
		return match.AgreeDraw{}
	case 6:
		return match.RefuseDraw{}
	case 7:
		return match.Expire{}
	case 8:
		return match.Decline{}
	case 9:
		return match.Withdraw{}
	}
	if choices := m.Choosing(); choices != nil {
		return match.Choose{Choice: rapid.SampledFrom(choices).Draw(t, "choice")}
	}
	p := m.Position()
	cells := p.Likely()
	if len(cells) == 0 {
		return match.Resign{}
	}
	return match.Place{At: rapid.SampledFrom(cells[:min(len(cells), 8)]).Draw(t, "cell")}
}

// anyWindow is a window anywhere on the board, or none.
func anyWindow(t *rapid.T, r match.Rules) *render.Window {
	if r.Game() == match.TicTacToe || rapid.Bool().Draw(t, "window where the play is") {
		return nil
	}
	return &render.Window{
		Col: int8(rapid.IntRange(0, int(r.Cols)-5).Draw(t, "column")), Row: int8(rapid.IntRange(0, int(r.Rows)-5).Draw(t, "row")),
	}
}

// crowded is a 19x19 match with all cells taken but one.
func crowded(t rapid.TB, side int8) match.Match {
	var of [2][]string
	for row := range side {
		for col := range side {
			at := match.Point{Col: col, Row: row}
			colour := (int(col) + 2*int(row)) % 4 / 2
			of[colour] = append(of[colour], at.String())
		}
	}
	var moves []string
	for i := range int(side)*int(side) - 1 {
		moves = append(moves, of[i%2][i/2])
	}
	return started(t, match.GomokuRules(side, match.Freestyle), match.Person(bob), strings.Join(moves, " "))
}
