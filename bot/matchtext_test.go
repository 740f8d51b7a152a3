package bot

import (
	"strings"
	"testing"
	"time"

	"rowbot/match"
)

const (
	a = "<@" + alice + ">"
	o = "<@" + bob + ">"
)

var (
	ttt      = match.TicTacToeRules()
	fifteen  = match.GomokuRules(15, match.Freestyle)
	nineteen = match.GomokuRules(19, match.Standard)
)

// ofAll are 27 moves that end with five in a row, d4 to h8.
const ofAll = "h8 a1 d4 c1 e5 e1 f6 g1 a15 i1 c15 k1 e15 m1 g15 o1 i15 a3 k15 c3 m15 e3 o15 i3 a13 k3 g7"

// opened is a match by swap2 that Alice opens, after moves and choices.
func opened(t *testing.T, words string) match.Match {
	t.Helper()
	m := challenged(match.GomokuRules(15, match.Renju), match.Person(bob), match.SideFirst)
	m.Opening = match.Swap2
	if words == "" {
		return m
	}
	do(t, &m, match.Accept{}, match.Person(bob))
	for word := range strings.FieldsSeq(words) {
		switch word {
		case "accepted":
		case "black":
			do(t, &m, match.Choose{Choice: match.TakeBlack}, m.ToMove())
		case "white":
			do(t, &m, match.Choose{Choice: match.TakeWhite}, m.ToMove())
		case "two":
			do(t, &m, match.Choose{Choice: match.PlaceTwo}, m.ToMove())
		default:
			at, err := m.Rules.ParsePoint(word)
			if err != nil {
				t.Fatal(err)
			}
			do(t, &m, match.Place{At: at}, m.ToMove())
		}
	}
	return m
}

func TestMatchText(t *testing.T) {
	b := testBot(t)
	friend, rowbot := match.Person(bob), match.Engine(match.Random)
	ended := func(m match.Match, a match.Action, by match.Player, now time.Time) match.Match {
		next, err := m.Apply(a, by, now)
		if err != nil {
			t.Fatalf("%T: %v", a, err)
		}
		return next
	}
	late := noon.Add(96 * time.Hour)
	offered := started(t, ttt, friend, "b3 b2")
	do(t, &offered, match.OfferDraw{}, friend)
	rated := started(t, fifteen, friend, ofAll)
	rated.Gains = [2]match.Gain{{After: 1523, Change: 11}, {After: 1477, Change: -11}}
	behind := started(t, fifteen, friend, "h8 h9 a1")
	behind = ended(behind, match.Resign{}, match.Person(alice), noon)
	behind.Gains = [2]match.Gain{{After: 1477, Change: -11}, {After: 1523, Change: -2}}
	quick := challenged(nineteen, match.Player{}, match.SideSecond)
	quick.Pace = time.Hour

	for _, c := range []struct {
		name string
		m    match.Match
		want string
	}{
		{
			"challenge", challenged(fifteen, friend, match.SideRandom),
			"**Gomoku** · 15×15 · freestyle · sides at random\n" + a + " challenges " + o + ". The offer stands until <t:1796126400:R>.",
		},
		{
			"open challenge", challenged(ttt, match.Player{}, match.SideFirst),
			"**Tic-tac-toe** · 3×3 · " + a + " moves first\n" + a + " is looking for an opponent. First come, first served. The offer stands until <t:1796126400:R>.",
		},
		{
			"challenge with a pace", quick,
			"**Gomoku** · 19×19 · standard · " + a + " moves second · 1 hour a move\n" + a + " is looking for an opponent. First come, first served. The offer stands until <t:1796126400:R>.",
		},
		{
			"declined", ended(challenged(ttt, friend, 0), match.Decline{}, friend, noon),
			"**Tic-tac-toe** · 3×3\n" + o + " declined.",
		},
		{
			"withdrawn", ended(challenged(ttt, friend, 0), match.Withdraw{}, match.Person(alice), noon),
			"**Tic-tac-toe** · 3×3\n" + a + " withdrew the challenge.",
		},
		{
			"expired", ended(challenged(ttt, friend, 0), match.Expire{}, match.Player{}, late),
			"**Tic-tac-toe** · 3×3\nThis challenge has expired.",
		},
		{
			"first move", started(t, ttt, friend, ""),
			"**Tic-tac-toe** · 3×3 · ❌ " + a + " – ⭕ " + o + "\n❌ " + a + " to move · move 1",
		},
		{
			"third move", started(t, ttt, friend, "b3 b2"),
			"**Tic-tac-toe** · 3×3 · ❌ " + a + " – ⭕ " + o + "\n❌ " + a + " to move · move 3 · last ⭕ b2",
		},
		{
			"draw offered", offered,
			"**Tic-tac-toe** · 3×3 · ❌ " + a + " – ⭕ " + o + "\n❌ " + a + " to move · move 3 · last ⭕ b2\n" + o + " offers " + a + " a draw.",
		},
		{
			"against Rowbot", started(t, fifteen, rowbot, "h8 i9 g7 f6 h9"),
			"**Gomoku** · 15×15 · freestyle · ⚫ " + a + " – ⚪ Rowbot (random)\n⚪ Rowbot (random) to move, thinking… · move 6 · last ⚫ h9",
		},
		{
			"passed", started(t, nineteen, friend, "j10 pass"),
			"**Gomoku** · 19×19 · standard · ⚫ " + a + " – ⚪ " + o + "\n⚫ " + a + " to move · move 3 · last ⚪ passed",
		},
		{
			"five", rated,
			"**Gomoku** · 15×15 · freestyle · ⚫ " + a + " – ⚪ " + o + "\n⚫ " + a + " **won** · five in a row, d4–h8 · 27 moves · 1523 (+11)",
		},
		{
			"six", started(t, fifteen, friend, "c8 a1 d8 c1 e8 e1 g8 g1 h8 i1 f8"),
			"**Gomoku** · 15×15 · freestyle · ⚫ " + a + " – ⚪ " + o + "\n⚫ " + a + " **won** · 6 in a row, c8–h8 · 11 moves",
		},
		{
			"two lines", started(t, fifteen, friend, "d8 a1 e8 c1 f8 e1 g8 g1 h4 i1 h5 k1 h6 m1 h7 o1 h8"),
			"**Gomoku** · 15×15 · freestyle · ⚫ " + a + " – ⚪ " + o + "\n⚫ " + a + " **won** · 2 lines at once · 17 moves",
		},
		{
			"three", started(t, ttt, rowbot, "a1 b1 b2 c1 c3"),
			"**Tic-tac-toe** · 3×3 · ❌ " + a + " – ⭕ Rowbot (random)\n❌ " + a + " **won** · three in a row, a1–c3 · 5 moves",
		},
		{
			"resigned", ended(started(t, fifteen, friend, "h8"), match.Resign{}, match.Person(alice), noon),
			"**Gomoku** · 15×15 · freestyle · ⚫ " + a + " – ⚪ " + o + "\n⚪ " + o + " **won** · " + a + " resigned · 1 move",
		},
		{
			"won and lower all the same", behind,
			"**Gomoku** · 15×15 · freestyle · ⚫ " + a + " – ⚪ " + o + "\n⚪ " + o + " **won** · " + a + " resigned · 3 moves · 1523 (−2)",
		},
		{
			"on time", ended(started(t, ttt, friend, "b2 a1"), match.Expire{}, match.Player{}, late),
			"**Tic-tac-toe** · 3×3 · ❌ " + a + " – ⭕ " + o + "\n⭕ " + o + " **won** · on time · 2 moves",
		},
		{
			"full board", started(t, ttt, friend, "a1 b1 c1 b2 a2 c2 b3 a3 c3"),
			"**Tic-tac-toe** · 3×3 · ❌ " + a + " – ⭕ " + o + "\nA draw · the board is full · 9 moves",
		},
		{
			"agreed", ended(offered, match.AgreeDraw{}, match.Person(alice), noon),
			"**Tic-tac-toe** · 3×3 · ❌ " + a + " – ⭕ " + o + "\nA draw · agreed · 2 moves",
		},
		{
			"both passed", started(t, fifteen, friend, "h8 pass pass"),
			"**Gomoku** · 15×15 · freestyle · ⚫ " + a + " – ⚪ " + o + "\nA draw · both passed · 3 moves",
		},
		{
			"renju, challenged by swap2", opened(t, ""),
			"**Gomoku** · 15×15 · renju · swap2 · " + a + " moves first\n" + a + " challenges " + o + ". The offer stands until <t:1796126400:R>.",
		},
		{
			"swap2, first stone", opened(t, "accepted"),
			"**Gomoku** · 15×15 · renju · swap2 · " + a + " – " + o + "\n" + a + " to move: the first three stones, now ⚫ · move 1",
		},
		{
			"swap2, second stone", opened(t, "h8"),
			"**Gomoku** · 15×15 · renju · swap2 · " + a + " – " + o + "\n" + a + " to move: the first three stones, now ⚪ · move 2 · last ⚫ h8",
		},
		{
			"swap2, choice", opened(t, "h8 i9 j10"),
			"**Gomoku** · 15×15 · renju · swap2 · " + a + " – " + o + "\n" + o + " to choose: take black, take white, or place two more stones · move 4 · last ⚫ j10",
		},
		{
			"swap2, two more", opened(t, "h8 i9 j10 two"),
			"**Gomoku** · 15×15 · renju · swap2 · " + a + " – " + o + "\n" + o + " to move: two more stones, now ⚪ · move 4 · last ⚫ j10",
		},
		{
			"swap2, last choice", opened(t, "h8 i9 j10 two a1 a3"),
			"**Gomoku** · 15×15 · renju · swap2 · " + a + " – " + o + "\n" + a + " to choose: take black or take white · move 6 · last ⚫ a3",
		},
		{
			"swap2, sides swapped", opened(t, "h8 i9 j10 black"),
			"**Gomoku** · 15×15 · renju · swap2 · ⚫ " + o + " – ⚪ " + a + "\n⚪ " + a + " to move · move 4 · last ⚫ j10",
		},
		{
			"swap2, sides kept", opened(t, "h8 i9 j10 white"),
			"**Gomoku** · 15×15 · renju · swap2 · ⚫ " + a + " – ⚪ " + o + "\n⚪ " + o + " to move · move 4 · last ⚫ j10",
		},
		{
			"swap2, resigned before the choice", ended(opened(t, "h8"), match.Resign{}, match.Person(alice), noon),
			"**Gomoku** · 15×15 · renju · swap2 · " + a + " – " + o + "\n" + o + " **won** · " + a + " resigned · 1 move",
		},
		{
			"closed", ended(started(t, ttt, friend, "b2"), match.Expire{}, match.Player{}, late),
			"**Tic-tac-toe** · 3×3 · ❌ " + a + " – ⭕ " + o + "\nClosed · it had hardly begun",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			msg := b.board(look{Printer: b.texts.For("")}, &c.m, nil)
			checkLimits(t, msg)
			checkBoard(t, &c.m, msg, nil)
			got, _ := parts(t, msg)
			switch c.m.Rules.Game() {
			case match.TicTacToe: // the board is below
				if lines := strings.Split(got, "\n"); c.m.Status == match.Active || len(c.m.Moves) > 0 {
					got = strings.Join(lines[:len(lines)-3], "\n")
				}
			case match.Gomoku:
				got, _, _ = strings.Cut(got, "\n```\n")
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
