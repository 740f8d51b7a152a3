package match_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

// TestLastStone holds the faults that programs of this family are known for.
// Every board asks about one stone, on the star.
func TestLastStone(t *testing.T) {
	var (
		ttt       = allRules["ttt"]
		freestyle = allRules["15 freestyle"]
		standard  = allRules["15 standard"]
		large     = allRules["19 freestyle"]
	)
	for _, test := range []struct {
		name   string
		rules  match.Rules
		turn   match.Stone
		corner string
		board  string
		won    bool
	}{
		{"ttt across", ttt, match.Black, "a1", "... OO. XX*", true},
		{"ttt down", ttt, match.Black, "a1", ".OX .OX ..*", true},
		{"ttt diagonal", ttt, match.Black, "a1", "..* OX. XO.", true},
		{"ttt other diagonal", ttt, match.Black, "a1", "XO. OX. ..*", true},
		{"ttt other diagonal from the middle", ttt, match.Black, "a1", "XO. O*. ..X", true},
		{"ttt white", ttt, match.White, "a1", "X.X O*O X..", true},
		{"ttt ninth move wins", ttt, match.Black, "a1", "XOX OXO OX*", true},
		{"ttt ninth move draws", ttt, match.Black, "a1", "XOX XOO OX*", false},
		{"ttt the other side between", ttt, match.Black, "a1", "X.. O.. XO*", false},
		{"ttt row end and row start", ttt, match.Black, "a1", "X.O O.. .X*", false},

		{"four", freestyle, match.Black, "c3", "XXX*", false},
		{"five across", freestyle, match.Black, "c3", "XXXX*", true},
		{"five across, the middle last", freestyle, match.Black, "c3", "XX*XX", true},
		{"five down", freestyle, match.White, "c3", "O * O O O", true},
		{"five up right", freestyle, match.Black, "c3", "....X ...X. ..*.. .X... X....", true},
		{"five down right", freestyle, match.Black, "c3", "*.... .X... ..X.. ...X. ....X", true},
		{"a gap", freestyle, match.Black, "c3", "XX.XX*", false},
		{"the other side between", freestyle, match.Black, "c3", "XXOXX*", false},
		{"five of the other side", freestyle, match.Black, "c3", "OOOO*", false},
		{"blocked on both ends", freestyle, match.Black, "c3", "OXXXX*O", true},

		{"freestyle six", freestyle, match.Black, "c3", "XXX*XX", true},
		{"freestyle six, the end last", freestyle, match.White, "c3", "OOOOO*", true},
		{"freestyle seven of three, one, three", freestyle, match.Black, "c3", "XXX*XXX", true},
		{"freestyle nine of four, one, four", freestyle, match.Black, "c3", "XXXX*XXXX", true},
		{"standard five", standard, match.Black, "c3", "XX*XX", true},
		{"standard five beside a stone after a gap", standard, match.Black, "c3", "X.XX*XX.X", true},
		{"standard six", standard, match.Black, "c3", "XXX*XX", false},
		{"standard six, the end last", standard, match.White, "c3", "OOOOO*", false},
		{"standard seven of three, one, three", standard, match.Black, "c3", "XXX*XXX", false},
		{"standard nine of four, one, four", standard, match.Black, "c3", "XXXX*XXXX", false},
		{"standard ten of five, one, four", standard, match.Black, "c3", "XXXXX*XXXX", false},
		{"standard six down", standard, match.Black, "c3", "X X * X X X", false},
		{"standard six up right", standard, match.Black, "c3", ".....X ....X. ...X.. ..*... .X.... X.....", false},
		{"standard six down right", standard, match.Black, "c3", "X..... .X.... ..X... ...X.. ....*. .....X", false},
		{"standard six across and five down", standard, match.Black, "c3", ".X.... .X.... X*XXXX .X.... .X....", true},
		{"standard six across and four down", standard, match.Black, "c3", ".X.... .X.... X*XXXX .X....", false},

		{"five in the lower left corner", freestyle, match.Black, "a1", "*XXXX", true},
		{"five in the upper left corner", freestyle, match.Black, "a11", "* X X X X", true},
		{"five in the lower right corner", freestyle, match.Black, "k1", "X.... .X... ..X.. ...X. ....*", true},
		{"five in the upper right corner", freestyle, match.Black, "k11", "....* ...X. ..X.. .X... X....", true},
		{"standard five at the edge", standard, match.Black, "k1", "XXXX*", true},
		{"19: five in the upper right corner", large, match.Black, "o15", "....* ...X. ..X.. .X... X....", true},
		{"19: five in the lower right corner", large, match.White, "o1", "O.... .O... ..O.. ...O. ....*", true},

		{"four and the next row", freestyle, match.Black, "a1", "X.............. ...........XXX*", false},
		{"19: four and the next row", large, match.Black, "a1", "X.................. ...............XXX*", false},
		{"five cells round the corner", freestyle, match.Black, "a1", "..*............ XX...........XX", false},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := draw(t, test.corner, test.board)
			p := d.set(t, test.rules, test.turn)
			at := d.asked[0]
			next, won, err := p.Place(at)
			if err != nil || won != test.won {
				t.Fatalf("Place(%v): won %t, error %v; want %t", at, won, err, test.won)
			}
			if got := len(next.WinningLine(at)) > 0; got != test.won {
				t.Errorf("WinningLine(%v) has stones: %t, want %t", at, got, test.won)
			}
			if got := len(through(scanPosition(next), at)) > 0; got != test.won {
				t.Errorf("the naive scan finds a line: %t, want %t", got, test.won)
			}
		})
	}
}

// widest is a board that nobody plays on, but whose rows follow each other in
// memory without a gap.
var widest = match.Rules{Cols: match.MaxSide, Rows: match.MaxSide, Need: 5}

// ways are the four directions as the tests write them.
var ways = map[string][2]int{"across": {1, 0}, "up": {0, 1}, "up right": {1, 1}, "down right": {1, -1}}

// lines lists every stretch of Need cells on a board.
func lines(r match.Rules) [][]match.Point {
	var out [][]match.Point
	for _, way := range ways {
		for row := range int(r.Rows) {
			for col := range int(r.Cols) {
				var line []match.Point
				for i := range int(r.Need) {
					c, w := col+i*way[0], row+i*way[1]
					if c < int(r.Cols) && w >= 0 && w < int(r.Rows) {
						line = append(line, match.Point{Col: int8(c), Row: int8(w)})
					}
				}
				if len(line) == int(r.Need) {
					out = append(out, line)
				}
			}
		}
	}
	return out
}

// alone puts stones of one side on an empty board, the given one last, with
// the other side passing, and returns whether one of them won, and the board.
// Only the last one may win.
func alone(t *testing.T, r match.Rules, side match.Stone, stones []match.Point, last int) (bool, match.Position) {
	t.Helper()
	p, won := r.Start(), false
	order := append(slices.Delete(slices.Clone(stones), last, last+1), stones[last])
	for i, at := range order {
		if p.Turn() != side {
			p = pass(t, p)
		}
		var err error
		if p, won, err = p.Place(at); err != nil {
			t.Fatalf("place %v: %v", at, err)
		}
		if won && i < len(order)-1 {
			t.Fatalf("%v wins at stone %d already", order, i+1)
		}
	}
	return won, p
}

// TestEveryLineWins closes every five of every board, with each of its stones
// as the last one.
func TestEveryLineWins(t *testing.T) {
	// Along one side of n cells there are n-4 fives, so 2n(n-4) + 2(n-4)² in all.
	for r, count := range map[match.Rules]int{
		allRules["15 freestyle"]: 572, allRules["15 standard"]: 572,
		allRules["19 freestyle"]: 1020, allRules["19 standard"]: 1020,
		widest: 1152,
	} {
		t.Run(fmt.Sprint(r), func(t *testing.T) {
			all := lines(r)
			if len(all) != count {
				t.Fatalf("%d lines, want %d", len(all), count)
			}
			for n, line := range all {
				side := match.Black + match.Stone(n%2)
				for last := range line {
					won, p := alone(t, r, side, line, last)
					if got := p.WinningLine(line[last]); !won || !slices.Equal(got, line) {
						t.Fatalf("%v of %v: won %t, winning line %v", line[last], line, won, got)
					}
				}
			}
		})
	}
}

// TestNoLineAcrossTheEdge plays all sets of five cells that follow each other in
// memory, at any step and for any length of a row, without being a line.
func TestNoLineAcrossTheEdge(t *testing.T) {
	for _, r := range append(slices.Collect(maps.Values(allRules)), widest) {
		if r.Need != 5 {
			continue
		}
		t.Run(fmt.Sprint(r), func(t *testing.T) {
			tried := 0
			for _, width := range []int{int(r.Cols), match.MaxSide} {
				for _, step := range []int{1, width - 1, width, width + 1} {
					for from := range width * int(r.Rows) {
						five, straight := stride(r, width, from, step)
						if len(five) < 5 || straight {
							continue
						}
						tried++
						for last := range five {
							if won, _ := alone(t, r, match.Black, five, last); won {
								t.Fatalf("%v wins", five)
							}
						}
					}
				}
			}
			if tried < 100 {
				t.Errorf("only %d sets tried", tried)
			}
		})
	}
}

// stride returns five cells on the board at a step in memory, and whether they
// are a line on the board as well.
func stride(r match.Rules, width, from, step int) (five []match.Point, straight bool) {
	straight = true
	for i := range 5 {
		n := from + i*step
		at := match.Point{Col: int8(n % width), Row: int8(n / width)}
		if !r.Contains(at) {
			return nil, false
		}
		five = append(five, at)
		if i > 0 && (at.Row-five[i-1].Row != five[1].Row-five[0].Row || at.Col-five[i-1].Col != five[1].Col-five[0].Col) {
			straight = false
		}
	}
	return five, straight
}

func TestWinningLine(t *testing.T) {
	for _, test := range []struct {
		name, rules, board string
		want               string
	}{
		{"across, from the left", "15 freestyle", "XXX*X", "c3 d3 e3 f3 g3"},
		{"up", "15 freestyle", "X * X X X", "c3 c4 c5 c6 c7"},
		{"all stones of an overline", "15 freestyle", "XXX*XXX", "c3 d3 e3 f3 g3 h3 i3"},
		{"all nine", "15 freestyle", "XXXX*XXXX", "c3 d3 e3 f3 g3 h3 i3 j3 k3"},
		{"two at once", "15 freestyle", "*XXXX X.... X.... X.... X....", "c7 d7 e7 f7 g7 c3 c4 c5 c6 c7"},
		{"both diagonals at once", "15 freestyle", "X...X .X.X. ..*.. .X.X. X...X", "c3 d4 e5 f6 g7 c7 d6 e5 f4 g3"},
		{"no overline", "15 standard", "XXX*XX", ""},
		{"the five beside the overline", "15 standard", "X..... X..... *XXXXX X..... X.....", "c3 c4 c5 c6 c7"},
		{"an overline and a five", "15 freestyle", "X..... X..... *XXXXX X..... X.....", "c5 d5 e5 f5 g5 h5 c3 c4 c5 c6 c7"},
		{"nothing", "15 freestyle", "XXX*", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := draw(t, "c3", test.board)
			p := d.set(t, allRules[test.rules], match.Black)
			at := d.asked[0]
			if got := p.WinningLine(at); got != nil {
				t.Errorf("before: %v", got)
			}
			p, _, err := p.Place(at)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(cells(test.want), p.WinningLine(at)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			for _, off := range []match.Point{match.Pass, {Col: 15}, {Row: 19}, {Col: 100, Row: -100}} {
				if got := p.WinningLine(off); got != nil {
					t.Errorf("WinningLine(%d, %d) = %v", off.Col, off.Row, got)
				}
			}
		})
	}
}

// TestPlaceRefuses checks that what cannot be played leaves all as it was.
func TestPlaceRefuses(t *testing.T) {
	for name, r := range allRules {
		t.Run(name, func(t *testing.T) {
			p, _, err := r.Start().Place(match.Point{Col: 1, Row: 1})
			if err != nil {
				t.Fatal(err)
			}
			want := map[match.Point]match.Refusal{{Col: 1, Row: 1}: match.Occupied, match.Pass: match.OffBoard}
			for _, n := range []int8{-128, -20, -1, r.Cols, r.Cols + 1, match.MaxSide, 100, 127} {
				want[match.Point{Col: n}] = match.OffBoard
				want[match.Point{Row: n}] = match.OffBoard
				want[match.Point{Col: n, Row: n}] = match.OffBoard
				want[match.Point{Col: n, Row: -n}] = match.OffBoard
			}
			for at, refusal := range want {
				where := fmt.Sprintf("(%d, %d)", at.Col, at.Row)
				if next, won, err := p.Place(at); err != refusal || won || next != p {
					t.Errorf("%s: won %t, error %v, changed %t; want %v", where, won, err, next != p, refusal)
				}
				if refusal == match.OffBoard && p.At(at) != match.Empty {
					t.Errorf("%s: %v lies off the board", where, p.At(at))
				}
			}
			if p.At(match.Point{Col: 1, Row: 1}) != match.Black || p.Placed() != 1 || p.Turn() != match.White {
				t.Error("the one stone put down is gone")
			}
		})
	}
}
