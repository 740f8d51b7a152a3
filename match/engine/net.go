package engine

import (
	_ "embed"
	"encoding/binary"
	"sync"
)

// The net corrects the evaluation. It looks at every empty cell as the four
// lines through it, four cells to each side, once with black's eyes and once
// with white's. Each such line has a vector of netUnits numbers; the vectors of
// a cell's four lines are added, what is negative is cut off, and the cells are
// added up. A small network with one hidden layer makes a value of the two sums.
//
// The numbers of a vector are 16 bits wide and lie four to a word, so that words
// are added as a whole. To keep lanes from borrowing from each other, all numbers
// are stored with netBias added.
const (
	netUnits    = 16
	netWords    = netUnits / 4
	netHidden   = 16
	netPatterns = 3321 // lines of eight cells in three states, either way round
	netReach    = 4
	netBias     = 1 << 11
	netShift    = 20 // the value's fixed point
)

// laneOnes has a 1 in each lane.
const laneOnes = 0x0001_0001_0001_0001

// netSums are vectors added up, as black sees their lines and as white does.
type netSums [2][netWords]uint64

// network are the weights.
type network struct {
	lines  [netPatterns][netWords]uint64
	first  [netHidden / 2][2 * netUnits]int64 // two units' weights in one number
	start  [netHidden]int64
	second [netHidden]int64
	direct [2 * netUnits]int64
	offset int
	scale  int                // of the evaluation that is corrected, in 1/1024
	index  [1 << 16][2]uint16 // the pattern of a line key, for black and for white
}

// netData is, in little-endian order, what newNetwork reads: 3,321 vectors in
// 1/512, the hidden units' weights in 1/256 with their inputs in 1/8192, and so on
// down to the scale. It was trained by gradient descent on logistic loss, on some
// 183,000 positions of the engine's games against itself, each with the value of a
// search of 2,000 to 4,000 positions and the game's end (4 to 1), and on 9,000 that
// a strong engine judged, counted fourfold. Positions that a win by fours decides
// were left out, and a fifth of the judged ones kept to check it by: on those the
// loss beyond the least possible fell from 0.138 to 0.114.
//
//go:embed net.bin
var netData []byte

var networkOf = sync.OnceValue(newNetwork)

func newNetwork() *network {
	n := new(network)
	at := 0
	next := func() int {
		v := int16(binary.LittleEndian.Uint16(netData[at:]))
		at += 2
		return int(v)
	}
	long := func() int {
		v := int32(binary.LittleEndian.Uint32(netData[at:]))
		at += 4
		return int(v)
	}
	for i := range n.lines {
		for u := range netUnits {
			n.lines[i][u/4] |= uint64(next()+netBias) << (16 * (u % 4))
		}
	}
	for h := range netHidden {
		for i := range 2 * netUnits {
			n.first[h/2][i] += int64(next()) << (32 * (h % 2))
		}
	}
	for h := range netHidden {
		n.start[h], n.second[h] = int64(long()), int64(next())
	}
	for i := range n.direct {
		n.direct[i] = int64(next())
	}
	n.offset, n.scale = long(), long()
	n.indexKeys()
	return n
}

// indexKeys numbers the patterns in the order of their base 3 codes, the cell
// farthest before the middle being the lowest digit, and finds each key's.
func (n *network) indexKeys() {
	var numbers [6561]uint16
	count := uint16(0)
	for code := range numbers {
		back, rest := 0, code
		for range 8 {
			back, rest = back*3+rest%3, rest/3
		}
		if back < code {
			numbers[code] = numbers[back]
			continue
		}
		numbers[code] = count
		count++
	}
	for key := range n.index {
		for view := range 2 {
			code := 0
			for i := 7; i >= 0; i-- {
				code = code*3 + seen(key>>(2*i)&3, view)
			}
			n.index[key][view] = numbers[code]
		}
	}
}

// seen is how a side sees a cell of a line: 0 empty, 1 its own, 2 the other's
// or the edge.
func seen(stone, view int) int {
	switch stone {
	case 0:
		return 0
	case view + 1:
		return 1
	}
	return 2
}

// netState is the net's view of a board. It follows the board when it is asked,
// by the stones that were put and taken back since.
type netState struct {
	net   *network
	done  int // plies of the board that are in here
	lines [4][lines]uint64
	cells [cells]netSums
	plies [deepest]netPly
}

// netPly is the sum over all empty cells after a stone, and what it has changed.
type netPly struct {
	sums  netSums
	move  int16
	count int16
	was   [8 * netReach]netChange
}

// netChange is a cell before a stone.
type netChange struct {
	at   int16
	sums netSums
}

// reset takes over a board's stones at ply 0.
func (n *netState) reset(b *board) {
	n.net = networkOf()
	n.done, n.lines = 0, b.lines
	n.plies[0].sums = netSums{}
	b.low = 0
	for c := range cells {
		if !b.geo.all.has(c) {
			continue
		}
		of := netSums{}
		for d, t := range b.geo.tracks[c] {
			key := netKey(n.lines[d][t.line], uint(t.at))
			for view, i := range n.net.index[key] {
				addWords(&of[view], &n.net.lines[i])
			}
		}
		n.cells[c] = of
		if b.stoneAt(c) == 0 {
			for view := range of {
				for i, w := range of[view] {
					n.plies[0].sums[view][i] += positive(w)
				}
			}
		}
	}
}

func addWords(to, from *[netWords]uint64) {
	for i := range to {
		to[i] += from[i]
	}
}

// positive cuts a word's numbers, four vectors' sums, off at zero and takes the
// bias away.
func positive(w uint64) uint64 {
	m := w >> 13 & laneOnes
	return w & (m<<13 - m)
}

// netKey is the line key of the cells around a place.
func netKey(line uint64, at uint) uint64 {
	x := line >> (2 * (at + edge - netReach))
	return x&0xFF | x>>2&0xFF00
}

// follow brings the net to the board's position.
func (n *netState) follow(b *board) {
	for n.done > b.low {
		n.undo(b)
	}
	for n.done < b.ply {
		n.put(b)
	}
	b.low = b.ply
}

// put enters the board's next stone.
func (n *netState) put(b *board) {
	before := &n.plies[n.done].sums
	n.done++
	p := &n.plies[n.done]
	p.move, p.count, p.sums = b.moves[n.done], 0, *before
	c := int(p.move)
	for view := range p.sums {
		for i, w := range n.cells[c][view] {
			p.sums[view][i] -= positive(w)
		}
	}
	stone := uint64(b.stoneAt(c))
	for d := range 4 {
		n.draw(&b.geo.tracks[c][d], c, d, stone)
	}
}

// draw enters a stone into one of its lines.
func (n *netState) draw(t *track, c, d int, stone uint64) {
	p := &n.plies[n.done]
	at := int(t.at)
	from, to := max(int(t.from), at-netReach), min(int(t.to), at+netReach)
	old := n.lines[d][t.line]
	line := old | stone<<(2*(uint(at)+edge))
	n.lines[d][t.line] = line
	shift := 2 * (uint(from) + edge - netReach)
	x, y := line>>shift, old>>shift
	c -= (at - from) * steps[d]
	for range to - from + 1 {
		if x>>(2*netReach)&3 == 0 {
			was, is := n.net.index[y&0xFF|y>>2&0xFF00], n.net.index[x&0xFF|x>>2&0xFF00]
			cell, log := &n.cells[c], &p.was[p.count]
			log.at, log.sums = int16(c), *cell
			p.count++
			n.net.exchange(&cell[0], &p.sums[0], was[0], is[0])
			n.net.exchange(&cell[1], &p.sums[1], was[1], is[1])
		}
		x, y, c = x>>2, y>>2, c+steps[d]
	}
}

// exchange puts one line's vector in the place of another in a cell and in the sums.
func (n *network) exchange(cell, sums *[netWords]uint64, was, is uint16) {
	if was == is {
		return
	}
	minus, plus := &n.lines[was], &n.lines[is]
	a, b, c, d := cell[0], cell[1], cell[2], cell[3]
	w, x, y, z := a+plus[0]-minus[0], b+plus[1]-minus[1], c+plus[2]-minus[2], d+plus[3]-minus[3]
	cell[0], cell[1], cell[2], cell[3] = w, x, y, z
	sums[0] += positive(w) - positive(a)
	sums[1] += positive(x) - positive(b)
	sums[2] += positive(y) - positive(c)
	sums[3] += positive(z) - positive(d)
}

// undo takes the last stone out again.
func (n *netState) undo(b *board) {
	p := &n.plies[n.done]
	for i := range p.was[:p.count] {
		n.cells[p.was[i].at] = p.was[i].sums
	}
	c := int(p.move)
	for d := range 4 {
		t := &b.geo.tracks[c][d]
		n.lines[d][t.line] &^= 3 << (2 * (uint(t.at) + edge))
	}
	n.done--
}

// value is the net's correction, for the side to move, of an evaluation.
func (n *netState) value(b *board, eval int) int {
	n.follow(b)
	var in [2 * netUnits]int64
	sums := &n.plies[n.done].sums
	for view := range 2 {
		for i, w := range sums[b.turn^view] {
			j := view*netUnits + 4*i
			in[j], in[j+1], in[j+2], in[j+3] = int64(w&0xFFFF), int64(w>>16&0xFFFF), int64(w>>32&0xFFFF), int64(w>>48)
		}
	}
	net := n.net
	out := net.offset
	for i, v := range in {
		out += int(net.direct[i] * v)
	}
	for h := range net.first {
		row := &net.first[h]
		var x, y int64
		for i := 0; i < len(in); i += 4 {
			x += row[i]*in[i] + row[i+1]*in[i+1]
			y += row[i+2]*in[i+2] + row[i+3]*in[i+3]
		}
		x += y
		low := int64(int32(x))
		if v := low + net.start[2*h]; v > 0 {
			out += int(net.second[2*h] * (v >> 10))
		}
		if v := (x-low)>>32 + net.start[2*h+1]; v > 0 {
			out += int(net.second[2*h+1] * (v >> 10))
		}
	}
	return eval*net.scale>>10 + out*200>>netShift
}
