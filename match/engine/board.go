package engine

import (
	"math/bits"
	"sync"

	"rowbot/match"
)

const (
	black   = 0
	white   = 1
	deepest = cells + 16 // stones, and some room for tries
)

// cell is the state of an empty cell: each side's four shapes and class.
type cell struct {
	shapes [2]uint16
	class  [2]class
}

// state is what a stone changes as a whole: it is copied with every stone and
// dropped when the stone is taken back.
type state struct {
	hash  uint64
	sum   [2][2]int32 // by side: the evaluation's shares when still, when moving
	count [2][classes]int16
	hot   [2]bitset // cells where the side makes a three or more
	near  bitset
	free  bitset
	log   [41]change
	logs  int
}

// change is a cell's state before a stone.
type change struct {
	at   int16
	cell cell
}

// tables are the shapes and classes by rule.
type tables struct {
	rule   match.Variant
	radius int
	shapes []uint8
	merge  [2]*mergeTable
}

var tablesOf = [3]func() *tables{
	match.Freestyle: sync.OnceValue(func() *tables {
		m := mergeShapes(false)
		return &tables{radius: 4, shapes: shapeTable(4, fiveOrMore, fiveOrMore), merge: [2]*mergeTable{m, m}}
	}),
	match.Standard: sync.OnceValue(func() *tables {
		m := mergeShapes(false)
		return &tables{rule: match.Standard, radius: 5, shapes: shapeTable(5, exactlyFive, exactlyFive), merge: [2]*mergeTable{m, m}}
	}),
	match.Renju: sync.OnceValue(func() *tables {
		return &tables{
			rule: match.Renju, radius: 5, shapes: shapeTable(5, renjuBlack, fiveOrMore),
			merge: [2]*mergeTable{mergeShapes(true), mergeShapes(false)},
		}
	}),
}

// board is a position in the form that the search works on. Stones are put and
// taken back in turn; the side to move is its own field, so that a side may
// also move twice.
type board struct {
	geo    *geometry
	tab    *tables
	turn   int
	ply    int // stones put since setUp, also the index of the state
	base   int // stones that stood at setUp
	low    int // the fewest plies since the net followed
	lines  [4][lines]uint64
	cells  [cells]cell
	moves  [deepest]int16
	states [deepest]state
}

// clear makes the board empty, black to move.
func (b *board) clear(rules match.Rules) {
	tab := tablesOf[rules.Variant]()
	b.geo = geometryOf(int(rules.Cols), int(rules.Rows), tab.radius)
	b.tab, b.turn, b.ply, b.base = tab, black, 0, 0
	b.lines = b.geo.bare
	st := &b.states[0]
	*st = state{free: b.geo.all}
	for c := range cells {
		if !b.geo.all.has(c) {
			continue
		}
		b.cells[c] = cell{}
		for d, t := range b.geo.tracks[c] {
			v := b.shapesAt(b.lines[d][t.line], uint(t.at))
			b.cells[c].shapes[black] |= uint16(v&15) << (4 * d)
			b.cells[c].shapes[white] |= uint16(v>>4) << (4 * d)
		}
		for s := range 2 {
			m := &b.tab.merge[s][b.cells[c].shapes[s]]
			b.cells[c].class[s] = m.class
			st.enter(s, c, m)
		}
	}
}

// setUp takes over a position.
func (b *board) setUp(p *match.Position) {
	rules := p.Rules()
	b.clear(rules)
	for row := range rules.Rows {
		for col := range rules.Cols {
			if s := p.At(match.Point{Col: col, Row: row}); s != match.Empty {
				b.turn = int(s - match.Black)
				b.put(int(row)*side + int(col))
			}
		}
	}
	b.rebase(int(p.Turn() - match.Black))
}

// rebase makes the stones on the board the ones that the search starts from,
// the given side to move.
func (b *board) rebase(turn int) {
	b.base += b.ply
	b.states[0] = b.states[b.ply]
	b.ply, b.turn = 0, turn
	// What another board's or rule's search found is not for this one.
	hash := (uint64(b.geo.cols)<<16 | uint64(b.geo.rows)<<8 | uint64(b.tab.rule)) * 0x9E3779B97F4A7C15
	if turn == white {
		hash ^= turnKey
	}
	for c := range cells {
		if s := b.stoneAt(c); s == 1 || s == 2 {
			hash ^= stoneKeys[s-1][c]
		}
	}
	b.states[0].hash = hash
}

// stoneAt returns 0 for an empty cell, 1 for black, 2 for white, 3 off the board.
func (b *board) stoneAt(c int) int {
	return int(b.lines[0][c/side] >> (2 * (uint(c%side) + edge)) & 3)
}

// shapesAt looks up both sides' shapes at a place of a line.
func (b *board) shapesAt(line uint64, at uint) uint8 {
	r := uint(b.tab.radius)
	x := line >> (2 * (at + edge - r))
	low := uint64(1)<<(2*r) - 1
	return b.tab.shapes[x&low|x>>2&(low<<(2*r))]
}

// enter and leave keep count of one side's view of an empty cell.
func (st *state) enter(s, c int, m *merged) {
	st.sum[s][0] += int32(m.still)
	st.sum[s][1] += int32(m.moving)
	st.count[s][m.class]++
	if m.class >= oneThree {
		st.hot[s].add(c)
	}
}

func (st *state) leave(s, c int, m *merged) {
	st.sum[s][0] -= int32(m.still)
	st.sum[s][1] -= int32(m.moving)
	st.count[s][m.class]--
	st.hot[s].remove(c)
}

// top is the present state.
func (b *board) top() *state { return &b.states[b.ply] }

// empty reports whether a cell is on the board and empty.
func (b *board) empty(c int) bool { return c >= 0 && c < cells && b.top().free.has(c) }

// put places a stone of the side to move on an empty cell and gives the turn.
func (b *board) put(c int) {
	st := &b.states[b.ply+1]
	copyState(st, &b.states[b.ply])
	b.ply++
	b.moves[b.ply] = int16(c)
	at := &b.cells[c]
	for s := range 2 {
		st.leave(s, c, &b.tab.merge[s][at.shapes[s]])
	}
	st.free.remove(c)
	st.hash ^= stoneKeys[b.turn][c] ^ turnKey
	for i := range st.near {
		st.near[i] |= b.geo.near[c][i]
	}
	for d := range 4 {
		b.draw(st, c, d)
	}
	b.turn ^= 1
}

// draw enters the stone just put into its line of a direction, and into the
// shapes of the cells there.
func (b *board) draw(st *state, c, d int) {
	r := uint(b.tab.radius)
	low := uint64(1)<<(2*r) - 1
	t := &b.geo.tracks[c][d]
	w := b.lines[d][t.line] | uint64(b.turn+1)<<(2*(uint(t.at)+edge))
	b.lines[d][t.line] = w
	x := w >> (2 * (uint(t.from) + edge - r))
	at := int(t.first)
	for range t.to - t.from + 1 {
		if x>>(2*r)&3 == 0 {
			b.refresh(st, at, d, b.tab.shapes[x&low|x>>2&(low<<(2*r))])
		}
		x >>= 2
		at += steps[d]
	}
}

// copyState copies all but the log, which starts empty.
func copyState(to, from *state) {
	to.hash, to.sum, to.count = from.hash, from.sum, from.count
	to.hot, to.near, to.free = from.hot, from.near, from.free
	to.logs = 0
}

// refresh notes a cell's new shapes along one direction.
func (b *board) refresh(st *state, at, d int, v uint8) {
	c := &b.cells[at]
	shift := uint(4*d) & 15
	n0 := c.shapes[0]&^(15<<shift) | uint16(v&15)<<shift
	n1 := c.shapes[1]&^(15<<shift) | uint16(v>>4)<<shift
	if n0 == c.shapes[0] && n1 == c.shapes[1] {
		return
	}
	st.log[st.logs] = change{int16(at), *c}
	st.logs++
	if n0 != c.shapes[0] {
		b.revalue(st, at, 0, n0)
	}
	if n1 != c.shapes[1] {
		b.revalue(st, at, 1, n1)
	}
}

func (b *board) revalue(st *state, at, s int, shapes uint16) {
	c := &b.cells[at]
	table := b.tab.merge[s]
	was, is := &table[c.shapes[s]], &table[shapes]
	c.shapes[s] = shapes
	st.sum[s][0] += int32(is.still - was.still)
	st.sum[s][1] += int32(is.moving - was.moving)
	if was.class == is.class {
		return
	}
	c.class[s] = is.class
	st.count[s][was.class]--
	st.count[s][is.class]++
	if is.class >= oneThree {
		st.hot[s].add(at)
	} else {
		st.hot[s].remove(at)
	}
}

// takeBack undoes the last put.
func (b *board) takeBack() {
	st := &b.states[b.ply]
	c := int(b.moves[b.ply])
	for i := range st.logs {
		b.cells[st.log[i].at] = st.log[i].cell
	}
	b.ply--
	b.low = min(b.low, b.ply)
	b.turn ^= 1
	for d := range 4 {
		t := &b.geo.tracks[c][d]
		b.lines[d][t.line] &^= 3 << (2 * (uint(t.at) + edge))
	}
}

// pass gives the turn to the other side, or takes that back.
func (b *board) pass() {
	b.turn ^= 1
	b.top().hash ^= turnKey
}

// findFive returns a cell where the side makes five. There must be one.
func (b *board) findFive(s int) int {
	st := b.top()
	for i, w := range st.hot[s] {
		for ; w != 0; w &= w - 1 {
			c := i<<6 | bits.TrailingZeros64(w)
			if b.cells[c].class[s] == fiveMade {
				return c
			}
		}
	}
	return -1
}

// find returns a cell of that class for a side, or -1.
func (b *board) find(s int, want class) int {
	st := b.top()
	for i, w := range st.free {
		for ; w != 0; w &= w - 1 {
			c := i<<6 | bits.TrailingZeros64(w)
			if b.cells[c].class[s] == want {
				return c
			}
		}
	}
	return -1
}
