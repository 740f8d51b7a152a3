package engine

import (
	"math"
	"math/bits"
)

// The values of positions, for the side to move: a win in n plies is mate-n.
const (
	mate     = 30000
	mateEdge = mate - 1000 // beyond it a value is a forced win
	infinite = 32000
	maxPly   = 160

	extraPlies = 6 // beyond the iteration's depth, where open threes are answered
)

// search is one search's whole memory. Nothing is allocated while it runs.
type search struct {
	board   board
	net     netState
	table   *transpositions
	fours   *fourCache
	history [2][cells]int32
	counter [2][cells]int16
	killers [deepest][2]int16
	evals   [deepest]int16
	lists   [maxPly + 2][cells]ranked

	nodes     int // searched so far
	budget    int // at most so many
	late      func() bool
	stopped   bool
	margin    int // by how much the root lets a move be worse than the best, and still values it
	roots     []rootMove
	depth     int // reached
	iteration int // the depth that is being searched
}

// reduction is by how much a late move's search is shortened, by depth and its
// place in the order.
var reduction [64][128]int8

func init() {
	for d := 1; d < 64; d++ {
		for n := 1; n < 128; n++ {
			reduction[d][n] = int8(0.3 + math.Log(float64(d))*math.Log(float64(n))/1.6)
		}
	}
}

// tick counts a node, and ends the search when its nodes or its time are used up.
func (s *search) tick() {
	if s.nodes++; s.nodes >= s.budget || s.nodes&511 == 0 && s.late() {
		s.stopped = true
	}
}

// evaluate judges the position for the side to move, who has no five and whose
// opponent has none. What is far beyond alpha or beta is judged roughly only.
func (s *search) evaluate(alpha, beta int) int {
	st := s.board.top()
	me, foe := s.board.turn, s.board.turn^1
	v := int(st.sum[me][1]-st.sum[foe][0]) + threats(&st.count[me], &st.count[foe])
	if v > alpha-roughly && v < beta+roughly {
		v = s.net.value(&s.board, v)
	}
	return max(-mateEdge+1, min(mateEdge-1, v))
}

// roughly is more than the net changes the evaluation by, in 93 of 100 positions.
const roughly = 300

// alphaBeta returns the position's value for the side to move, if it lies
// between alpha and beta, else a bound of it.
func (s *search) alphaBeta(alpha, beta, depth int, cut bool) int {
	b := &s.board
	st := b.top()
	if s.tick(); s.stopped {
		return 0
	}
	ply := b.ply
	if v, over := s.decided(); over {
		return v
	}
	if alpha, beta = max(alpha, ply-mate), min(beta, mate-ply-1); alpha >= beta {
		return alpha
	}
	if st.count[b.turn^1][fiveMade] > 0 {
		return s.answerFour(alpha, beta, depth, cut)
	}
	if depth <= 0 && st.count[b.turn^1][unstoppable] > 0 && ply < s.iteration+extraPlies {
		depth = 1 // few moves answer an open three
	}
	if depth <= 0 || ply >= maxPly {
		return s.leaf(alpha, beta)
	}
	return s.inner(alpha, beta, depth, cut)
}

// decided returns the value of a position that needs no search.
func (s *search) decided() (value int, over bool) {
	b := &s.board
	st := b.top()
	me, foe := &st.count[b.turn], &st.count[b.turn^1]
	switch {
	case me[fiveMade] > 0:
		return mate - b.ply - 1, true
	case st.free == bitset{}:
		return 0, true
	case foe[fiveMade] > 1:
		return b.ply + 2 - mate, true
	case foe[fiveMade] == 0 && me[unstoppable] > 0:
		return mate - b.ply - 3, true
	}
	return 0, false
}

// answerFour plays the only answer to a four, at no cost of depth.
func (s *search) answerFour(alpha, beta, depth int, cut bool) int {
	b := &s.board
	c, ok := b.onlyAnswer()
	if !ok {
		return b.ply + 2 - mate
	}
	if b.ply >= maxPly {
		return 0
	}
	s.evals[b.ply] = noEval
	b.put(c)
	v := -s.alphaBeta(-beta, -alpha, depth, cut)
	b.takeBack()
	return v
}

// leaf values a position by its evaluation and by wins through fours.
func (s *search) leaf(alpha, beta int) int {
	v := s.evaluate(alpha, beta)
	if v >= beta {
		return v
	}
	if w := s.fourWin(leafFours, leafNodes); w > 0 {
		return w
	}
	return v
}

const (
	noEval     = math.MinInt16
	leafFours  = 12
	leafNodes  = 60
	innerFours = 20
	innerNodes = 200
)

// fourWin returns the value of a win by fours, or 0.
func (s *search) fourWin(depth, budget int) int {
	left := budget
	n, _ := s.winByFours(depth, &left)
	if n == 0 {
		return 0
	}
	return mate - s.board.ply - n
}

// inner searches a position with depth left.
func (s *search) inner(alpha, beta, depth int, cut bool) int {
	b := &s.board
	st := b.top()
	pv := beta-alpha > 1
	first := -1
	eval := noEval
	if e := s.table.find(st.hash); e != nil {
		if b.empty(int(e.move)) {
			first = int(e.move)
		}
		eval = int(e.eval)
		v := fromTable(int(e.value), b.ply)
		if !pv && int(e.depth) >= depth && (e.bound == exact || e.bound == atLeast && v >= beta || e.bound == atMost && v <= alpha) {
			return v
		}
	} else if w := s.fourWin(innerFours, innerNodes); w > 0 {
		s.table.store(entry{key: st.hash, move: -1, value: int16(toTable(w, b.ply)), depth: 100, bound: exact})
		return w
	}
	if eval == noEval {
		eval = s.evaluate(-infinite, infinite)
	}
	s.evals[b.ply] = int16(eval)
	threatened := st.count[b.turn^1][unstoppable] > 0
	if !pv && !threatened && beta > -mateEdge && beta < mateEdge && depth <= 6 && eval-futility(depth) >= beta {
		return eval
	}
	if !pv && !threatened && depth <= 3 && eval+120+120*depth < alpha {
		return s.leaf(alpha, beta) // only a win by fours could help
	}
	if first < 0 && depth >= 5 {
		depth--
	}
	return s.tryMoves(alpha, beta, depth, cut, first, eval, threatened)
}

func futility(depth int) int { return 60 * depth }

// tryMoves searches the moves of a position in order and stores the result.
func (s *search) tryMoves(alpha, beta, depth int, cut bool, first, eval int, threatened bool) int {
	b := &s.board
	me := b.turn
	list := s.listMoves(s.lists[min(b.ply, maxPly)][:0], first, threatened)
	pv := beta-alpha > 1
	best, bestMove, low, tried := -infinite, -1, alpha, 0
	limit := 4 + depth*depth
	for i := range list {
		if pv || tried < limit {
			pick(list, i)
		}
		c := int(list[i].cell)
		own, his := b.cells[c].class[me], b.cells[c].class[me^1]
		quiet := own < oneThree && his < oneThree && !threatened
		if best > -mateEdge && quiet && !pv && (tried >= limit || depth <= 4 && eval+80+90*depth <= alpha) {
			continue
		}
		if !b.legal(c) {
			continue
		}
		tried++
		b.put(c)
		v := s.scout(alpha, beta, depth-1, tried, cut, quiet)
		b.takeBack()
		if s.stopped {
			return 0
		}
		if v > best {
			best, bestMove = v, c
		}
		if best > alpha {
			alpha = best
		}
		if alpha >= beta {
			s.reward(c, depth, list[:i])
			break
		}
	}
	if tried == 0 {
		best = eval
	}
	s.keep(best, low, beta, entry{move: int16(bestMove), depth: int8(min(depth, 100)), eval: int16(eval)})
	return best
}

// keep completes an entry of the position and stores it.
func (s *search) keep(value, low, high int, e entry) {
	e.key, e.bound = s.board.top().hash, exact
	if value >= high {
		e.bound = atLeast
	} else if value <= low {
		e.bound = atMost
	}
	e.value = int16(toTable(value, s.board.ply))
	s.table.store(e)
}

// scout searches a move just put: the first one fully, later ones first with no
// window and less depth.
func (s *search) scout(alpha, beta, depth, tried int, cut, quiet bool) int {
	pv := beta-alpha > 1
	if tried == 1 {
		return -s.alphaBeta(-beta, -alpha, depth, !pv && !cut)
	}
	r := 0
	if depth >= 2 {
		r = int(reduction[min(depth, 63)][min(tried, 127)])
		if !quiet {
			r--
		}
		if pv {
			r--
		} else if cut {
			r++
		}
		r = max(0, min(r, depth-1))
	}
	v := -s.alphaBeta(-alpha-1, -alpha, depth-r, true)
	if v > alpha && r > 0 {
		v = -s.alphaBeta(-alpha-1, -alpha, depth, !cut)
	}
	if v > alpha && pv {
		v = -s.alphaBeta(-beta, -alpha, depth, false)
	}
	return v
}

// reward notes a move that refuted the one before it, and the moves tried in vain.
func (s *search) reward(c, depth int, vain []ranked) {
	b := &s.board
	if k := &s.killers[b.ply]; k[0] != int16(c) {
		k[1], k[0] = k[0], int16(c)
	}
	if b.ply > 0 {
		s.counter[b.turn][b.moves[b.ply]] = int16(c)
	}
	bonus := int32(min(depth*depth, 400))
	h := &s.history[b.turn]
	h[c] += bonus - h[c]*bonus/4096
	for _, m := range vain {
		h[m.cell] -= bonus/4 + h[m.cell]*bonus/16384
	}
}

// pick moves the best of the list from i on to place i.
func pick(list []ranked, i int) {
	best := i
	for j := i + 1; j < len(list); j++ {
		if list[j].score > list[best].score {
			best = j
		}
	}
	list[i], list[best] = list[best], list[i]
}

// listMoves appends the moves worth a search. When the opponent threatens an
// open four, those are its own fours and the cells where his four would be.
func (s *search) listMoves(list []ranked, first int, threatened bool) []ranked {
	b := &s.board
	st := b.top()
	me, foe := b.turn, b.turn^1
	mine, his := b.tab.merge[me], b.tab.merge[foe]
	killers := s.killers[b.ply]
	counter := int16(-1)
	if b.ply > 0 {
		counter = s.counter[me][b.moves[b.ply]]
	}
	for i := range words {
		w := st.near[i] & st.free[i]
		if threatened {
			w &= st.hot[me][i] | st.hot[foe][i]
		}
		for ; w != 0; w &= w - 1 {
			c := i<<6 | bits.TrailingZeros64(w)
			at := &b.cells[c]
			if threatened && at.class[me] < oneFour && at.class[foe] < oneFour {
				continue
			}
			score := int32(mine[at.shapes[me]].attack) + int32(his[at.shapes[foe]].defend) + s.history[me][c]/64
			switch int16(c) {
			case int16(first):
				score += 1 << 20
			case killers[0]:
				score += 60
			case killers[1]:
				score += 30
			case counter:
				score += 40
			}
			list = append(list, ranked{int16(c), score})
		}
	}
	return list
}

// toTable and fromTable count a forced win from the position instead of from
// the root.
func toTable(v, ply int) int {
	switch {
	case v > mateEdge:
		return v + ply
	case v < -mateEdge:
		return v - ply
	}
	return v
}

func fromTable(v, ply int) int {
	switch {
	case v > mateEdge:
		return v - ply
	case v < -mateEdge:
		return v + ply
	}
	return v
}
