package engine

import "math/bits"

// legal reports whether the side to move may play on an empty cell: all but
// renju's forbidden points for black.
func (b *board) legal(c int) bool {
	return b.turn == white || b.cells[c].class[black] != perhapsBarred || !b.barred(c)
}

// barred reports whether black may not play on an empty cell, whoever's turn it
// is. Only for renju.
func (b *board) barred(c int) bool {
	at := &b.cells[c]
	if at.class[black] != perhapsBarred {
		return false
	}
	fours, threes := 0, 0
	for d := range uint(4) {
		s := shape(at.shapes[black] >> (4 * d) & 15)
		if s == overline || s == twinFour {
			return true
		}
		if s.makesFour() {
			fours++
		} else if s.makesThree() {
			threes++
		}
	}
	if fours > 1 {
		return true
	}
	return threes > 1 && b.realThrees(c) > 1
}

// realThrees counts the open threes that black would make with a stone on the
// cell and could turn into an open four by an allowed move.
func (b *board) realThrees(c int) int {
	turn := b.turn
	if turn != black {
		b.pass()
	}
	before := b.cells[c].shapes[black]
	b.put(c)
	n := 0
	for d := range uint(4) {
		if s := shape(before >> (4 * d) & 15); s.makesThree() && b.canOpen(c, int(d)) {
			n++
		}
	}
	b.takeBack()
	if turn != black {
		b.pass()
	}
	return n
}

// canOpen reports whether black, with a three through the stone on c, can make
// it an open four along that direction by an allowed move.
func (b *board) canOpen(c, d int) bool {
	t := &b.geo.tracks[c][d]
	free := &b.top().free
	at := int(t.first)
	for n := t.from; n <= t.to; n, at = n+1, at+steps[d] {
		if !free.has(at) || shape(b.cells[at].shapes[black]>>(4*d)&15) != openFour {
			continue
		}
		if b.cells[at].class[black] != fiveMade && !b.barred(at) {
			return true
		}
	}
	return false
}

// onlyAnswer returns the cell where the side to move must stop the other side's
// five. ok is false when it cannot: there are two such cells or it may not.
func (b *board) onlyAnswer() (c int, ok bool) {
	foe := b.turn ^ 1
	c = b.findFive(foe)
	return c, b.top().count[foe][fiveMade] == 1 && b.legal(c)
}

// legalCell returns some legal move, the first that there is, or -1.
func (b *board) legalCell() int {
	for i, w := range b.top().free {
		for ; w != 0; w &= w - 1 {
			if c := i<<6 | bits.TrailingZeros64(w); b.legal(c) {
				return c
			}
		}
	}
	return -1
}
