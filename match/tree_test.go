package match_test

import (
	"testing"

	"rowbot/match"
)

// tree walks tic-tac-toe to the end of every game.
type tree struct {
	games, x, o, drawn int
	seen               map[match.Position]bool
}

func (w *tree) walk(t *testing.T, p match.Position) {
	w.seen[p] = true
	played := 0
	for row := range int8(3) {
		for col := range int8(3) {
			at := match.Point{Col: col, Row: row}
			if p.At(at) != match.Empty {
				continue
			}
			next, won, err := p.Place(at)
			if err != nil {
				t.Fatalf("Place(%v): %v", at, err)
			}
			played++
			if !w.seen[next] {
				w.judge(t, next, at, won)
			}
			switch {
			case won && p.Turn() == match.Black:
				w.x++
			case won:
				w.o++
			case next.Full():
				w.drawn++
			default:
				w.walk(t, next)
				continue
			}
			w.games++
			w.seen[next] = true
		}
	}
	if played != 9-p.Placed() {
		t.Fatalf("%d cells could be played, %d are empty", played, 9-p.Placed())
	}
}

// judge compares a new position with the naive scan.
func (w *tree) judge(t *testing.T, p match.Position, at match.Point, won bool) {
	found := scanPosition(p)
	if won != (len(found) > 0) {
		t.Fatalf("%v: won %t, lines %v", at, won, found)
	}
	for _, s := range found {
		if s.stone != p.At(at) {
			t.Fatalf("%v: the line %v is not of the side that moved", at, s)
		}
	}
}

func TestTicTacToeToTheEnd(t *testing.T) {
	w := tree{seen: map[match.Position]bool{}}
	w.walk(t, match.TicTacToeRules().Start())
	for _, figure := range []struct {
		what      string
		got, want int
	}{
		{"games", w.games, 255_168},
		{"won by X", w.x, 131_184},
		{"won by O", w.o, 77_904},
		{"drawn", w.drawn, 46_080},
		{"positions", len(w.seen), 5_478},
	} {
		if figure.got != figure.want {
			t.Errorf("%s: %d, want %d", figure.what, figure.got, figure.want)
		}
	}
}
