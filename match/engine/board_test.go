package engine

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

// view is what a board knows of its position, in comparable form.
type view struct {
	Hash   uint64
	Sum    [2][2]int32
	Count  [2][classes]int16
	Hot    [2]bitset
	Near   bitset
	Free   bitset
	Lines  [4][lines]uint64
	Shapes [cells][2]uint16
}

func viewOf(b *board) view {
	st := b.top()
	v := view{Hash: st.hash, Sum: st.sum, Count: st.count, Hot: st.hot, Near: st.near, Free: st.free, Lines: b.lines}
	for c := range cells {
		if st.free.has(c) {
			v.Shapes[c] = b.cells[c].shapes
		}
	}
	return v
}

// TestBoardUpdates plays random games and compares what the board keeps with
// every stone against a board made afresh, and what it is after taking back
// with what it was.
func TestBoardUpdates(t *testing.T) {
	luck := rand.New(rand.NewPCG(1, 2))
	b, fresh := new(board), new(board)
	for _, v := range []match.Variant{match.Freestyle, match.Standard, match.Renju} {
		for _, side := range []int8{6, 15, 19, 20} {
			p := match.GomokuRules(side, v).Start()
			b.setUp(&p)
			var before []view
			var moves []match.Point
			for !p.Full() && len(before) < 50 {
				before = append(before, viewOf(b))
				cells := p.Empties()
				at := cells[luck.IntN(len(cells))]
				moves = append(moves, at)
				b.put(index(at))
				m := match.Match{Rules: match.GomokuRules(side, v), Moves: moves}
				p = m.Position()
				fresh.setUp(&p)
				if diff := cmp.Diff(viewOf(fresh), viewOf(b)); diff != "" {
					t.Fatalf("%v %d after %v: %s", v, side, moves, diff)
				}
			}
			for i, was := range slices.Backward(before) {
				b.takeBack()
				if viewOf(b) != was {
					t.Fatalf("%v %d: taking back move %d leaves something", v, side, i)
				}
			}
		}
	}
}

func index(p match.Point) int { return int(p.Row)*side + int(p.Col) }
