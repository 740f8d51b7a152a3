package engine

import (
	"math/bits"
	"math/rand/v2"
)

// rootMove is a move of the position asked about, with its value and the depth
// that this is exact at, 0 where it is only a bound.
type rootMove struct {
	cell, value, depth int
	safe               bool // the solver finds no win for the opponent after it
}

const (
	rootFours = 60
	rootNodes = 15_000  // for the solver before the search
	moreNodes = 200_000 // and once more, where the search has got to moreDepth
	moreDepth = 8
	barNodes  = 5_000
)

// think searches the position on the board as a skill demands and leaves the
// moves, best first, in s.roots. There is always at least one, unless no move
// is legal.
func (s *search) think(k *skill, luck *rand.Rand) {
	s.nodes, s.depth, s.stopped = 0, 0, false
	s.roots = s.roots[:0]
	s.net.reset(&s.board)
	if c := s.plainMove(); c >= 0 && luck.Float64() >= k.blind {
		s.roots = append(s.roots, rootMove{cell: c})
		return
	}
	s.listRoots()
	if len(s.roots) < 2 || s.late() {
		return
	}
	if luck.Float64() < k.slip {
		i := luck.IntN(min(len(s.roots), slipMoves))
		s.roots[0], s.roots[i] = s.roots[i], s.roots[0]
		return
	}
	if k.fours && s.solve(rootNodes) {
		return
	}
	if k.fours {
		s.dropLosing()
	}
	for depth := 1; depth <= k.depth && !s.stopped && len(s.roots) > 1; depth++ {
		s.deepen(depth)
		if v := s.roots[0].value; s.stopped || v > mateEdge || v < -mateEdge && depth > 12 {
			return
		}
		if k.fours && depth == moreDepth && s.solve(moreNodes) {
			return
		}
	}
}

// solve looks for a win by fours and makes its first move the only one.
func (s *search) solve(budget int) bool {
	n, c := s.winByFours(rootFours, &budget)
	if n > 0 {
		s.roots = append(s.roots[:0], rootMove{cell: c, value: mate - n})
	}
	return n > 0
}

// plainMove returns the move where there is nothing to think about: five, the
// stop of a five, an open four; or -1.
func (s *search) plainMove() int {
	b := &s.board
	st := b.top()
	me, foe := b.turn, b.turn^1
	switch {
	case st.count[me][fiveMade] > 0:
		return b.findFive(me)
	case st.count[foe][fiveMade] > 0:
		c := b.findFive(foe)
		if !b.legal(c) {
			c = b.legalCell()
		}
		return c
	case st.count[me][unstoppable] > 0:
		return b.find(me, unstoppable)
	case st.near == bitset{}:
		if c := b.geo.rows/2*side + b.geo.cols/2; b.empty(c) {
			return c
		}
	}
	return -1
}

// listRoots fills s.roots with the legal moves worth a search, likely ones first.
func (s *search) listRoots() {
	b := &s.board
	threatened := b.top().count[b.turn^1][unstoppable] > 0
	list := s.listMoves(s.lists[0][:0], -1, threatened)
	for i := range list {
		pick(list, i)
		if c := int(list[i].cell); b.legal(c) {
			s.roots = append(s.roots, rootMove{cell: c})
		}
	}
	if len(s.roots) > 0 {
		return
	}
	for i, w := range b.top().free {
		for ; w != 0; w &= w - 1 {
			if c := i<<6 | bits.TrailingZeros64(w); b.legal(c) {
				s.roots = append(s.roots, rootMove{cell: c})
			}
		}
	}
}

// dropLosing leaves out the moves after which the opponent wins by fours, if
// there are others.
func (s *search) dropLosing() {
	if s.foeWins(rootNodes) == 0 || s.stopped {
		return
	}
	kept := 0
	for i, m := range s.roots {
		s.board.put(m.cell)
		left := barNodes
		n, _ := s.winByFours(rootFours, &left)
		s.board.takeBack()
		if n == 0 {
			s.roots[kept], s.roots[i] = s.roots[i], s.roots[kept]
			kept++
		}
		if s.stopped {
			return
		}
	}
	if kept > 0 {
		s.roots = s.roots[:kept]
	}
}

// foeWins returns in how many plies the opponent would win by fours, were it
// his turn; 0 if he would not.
func (s *search) foeWins(budget int) int {
	s.board.pass()
	n, _ := s.winByFours(rootFours, &budget)
	s.board.pass()
	return n
}

// deepen searches all root moves to a depth, at first within a window around
// the last value. What an ended search found still counts.
func (s *search) deepen(depth int) {
	alpha, beta := -infinite, infinite
	s.iteration = depth
	if last := s.roots[0].value; depth >= 4 && last > -mateEdge && last < mateEdge && s.margin == 0 {
		alpha, beta = last-40, last+40
	}
	for {
		v := s.rootPass(alpha, beta, depth)
		switch {
		case s.stopped:
			return
		case v <= alpha && alpha > -infinite:
			alpha = -infinite
		case v >= beta && beta < infinite:
			beta = infinite
		case depth >= 3 && v > -mateEdge && s.refuted():
			alpha, beta = -infinite, infinite
		default:
			s.depth = depth
			return
		}
	}
}

// refuted looks whether the opponent wins by fours after the best move, more
// thoroughly than the search does, and drops the move if so.
func (s *search) refuted() bool {
	m := &s.roots[0]
	if m.safe || len(s.roots) < 2 {
		return false
	}
	s.board.put(m.cell)
	left := barNodes
	n, _ := s.winByFours(rootFours, &left)
	s.board.takeBack()
	if m.safe = n == 0; m.safe {
		return false
	}
	s.roots = append(s.roots[:0], s.roots[1:]...)
	return true
}

// rootPass searches the root moves within a window and brings each new best to
// the front.
func (s *search) rootPass(alpha, beta, depth int) int {
	best := -infinite
	for i := range s.roots {
		m := s.roots[i]
		low := max(alpha, best-s.margin)
		s.board.put(m.cell)
		v := s.rootScout(i, low, beta, depth)
		s.board.takeBack()
		if s.stopped {
			break
		}
		m.value, m.depth = v, depth
		if i > 0 && v <= low {
			m.depth = 0
		}
		s.roots[i] = m
		if v > best {
			best = v
			copy(s.roots[1:i+1], s.roots[:i])
			s.roots[0] = m
		}
		if best >= beta {
			break
		}
	}
	return best
}

// rootScout searches the position after the root's move in place i.
func (s *search) rootScout(i, low, beta, depth int) int {
	if i == 0 || s.margin > 0 {
		return -s.alphaBeta(-beta, -low, depth-1, false)
	}
	r := 0
	if depth > 2 {
		r = max(0, int(reduction[min(depth, 63)][min(i+1, 127)])-1)
	}
	v := -s.alphaBeta(-low-1, -low, depth-1-r, true)
	if v > low && r > 0 {
		v = -s.alphaBeta(-low-1, -low, depth-1, true)
	}
	if v > low {
		v = -s.alphaBeta(-beta, -low, depth-1, false)
	}
	return v
}
