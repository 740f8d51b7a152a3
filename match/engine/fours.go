package engine

import "math/bits"

// fourCache remembers what the solver of continuous fours found.
type fourCache struct {
	entries []fourEntry
	mask    uint64
}

// fourEntry says of a position that the side to move wins in so many plies, or
// (plies 0) that it does not within so many fours.
type fourEntry struct {
	key   uint64
	depth int16
	plies int16
	move  int16
}

func newFourCache(bits int) *fourCache {
	return &fourCache{entries: make([]fourEntry, 1<<bits), mask: 1<<bits - 1}
}

// ranked is a move with how early it should be tried.
type ranked struct {
	cell  int16
	score int32
}

// winByFours looks for a win of the side to move by fours alone, at most depth
// of them and within budget nodes. It returns the plies to the five, 0 where it
// found none, and the first move.
func (s *search) winByFours(depth int, budget *int) (plies, move int) {
	b := &s.board
	st := b.top()
	me, foe := b.turn, b.turn^1
	mine := &st.count[me]
	if mine[fiveMade] > 0 {
		return 1, b.findFive(me)
	}
	forced := -1
	if st.count[foe][fiveMade] > 0 {
		c, ok := b.onlyAnswer()
		if !ok || !makesFour(b.cells[c].class[me]) {
			return 0, -1
		}
		forced = c
	} else if mine[unstoppable] > 0 {
		return 3, b.find(me, unstoppable)
	}
	if mine[oneFour]+mine[fourPlus]+mine[fourThree]+mine[unstoppable]+mine[perhapsBarred] == 0 || depth <= 0 || b.ply > deepest-8 {
		return 0, -1
	}
	slot := &s.fours.entries[st.hash&s.fours.mask]
	if slot.key == st.hash && (slot.plies > 0 || int(slot.depth) >= depth) {
		return int(slot.plies), int(slot.move)
	}
	s.tick()
	if *budget--; *budget <= 0 || s.stopped {
		*budget = 0
		return 0, -1
	}
	plies, move = s.tryFours(forced, depth, budget)
	if plies > 0 || *budget > 0 {
		*slot = fourEntry{key: st.hash, depth: int16(depth), plies: int16(plies), move: int16(move)}
	}
	return plies, move
}

// makesFour reports whether a stone of that class threatens to win at once.
func makesFour(c class) bool { return c >= oneFour && c <= unstoppable }

// tryFours plays the fours one after the other, each with its only answer.
func (s *search) tryFours(forced, depth int, budget *int) (plies, move int) {
	b := &s.board
	var room [64]ranked
	list := s.listFours(room[:0], forced)
	me := b.turn
	for i := range list {
		best := i
		for j := i + 1; j < len(list); j++ {
			if list[j].score > list[best].score {
				best = j
			}
		}
		list[i], list[best] = list[best], list[i]
		c := int(list[i].cell)
		if !b.legal(c) {
			continue
		}
		b.put(c)
		n := 0
		if b.top().count[me][fiveMade] > 0 {
			if answer, ok := b.onlyAnswer(); !ok {
				n = 1
			} else {
				b.put(answer)
				n, _ = s.winByFours(depth-1, budget)
				b.takeBack()
			}
		}
		b.takeBack()
		if n > 0 {
			return n + 2, c
		}
		if *budget <= 0 {
			break
		}
	}
	return 0, -1
}

// listFours appends the cells where the side to move makes a four.
func (s *search) listFours(list []ranked, forced int) []ranked {
	b := &s.board
	me := b.turn
	if forced >= 0 {
		return append(list, ranked{int16(forced), 0})
	}
	for i, w := range b.top().hot[me] {
		for ; w != 0 && len(list) < cap(list); w &= w - 1 {
			c := i<<6 | bits.TrailingZeros64(w)
			at := &b.cells[c]
			if !makesFour(at.class[me]) && at.class[me] != perhapsBarred {
				continue
			}
			score := int32(b.tab.merge[me][at.shapes[me]].attack) + int32(b.tab.merge[me^1][at.shapes[me^1]].defend)
			if b.ply >= 2 && b.geo.near[b.moves[b.ply-1]].has(c) {
				score += 150
			}
			list = append(list, ranked{int16(c), score})
		}
	}
	return list
}
