package engine

// shape is what a stone on an empty cell would make along one line.
type shape uint8

// The shapes, weakest first. "Open" shapes can grow into an open four, "blocked"
// ones only into a plain four. An openThree has two ways or more to become an
// open four, a narrowThree one; openTwo1 to openTwo3 have that many ways to
// become a three of either kind.
const (
	dead shape = iota
	overline
	blockedOne
	openOne
	blockedTwo
	openTwo1
	openTwo2
	openTwo3
	blockedThree
	narrowThree
	openThree
	four
	openFour
	twinFour // two fours in one line: only apart from openFour where it is forbidden
	five
	shapes
)

// makesFour and makesThree tell the plain fours and the open threes.
func (s shape) makesFour() bool  { return s == four || s == openFour }
func (s shape) makesThree() bool { return s == openThree || s == narrowThree }

// lineRule says which runs win on a line, and what else matters.
type lineRule uint8

const (
	fiveOrMore lineRule = iota
	exactlyFive
	renjuBlack // exactly five; overlines and twin fours are kept apart
)

const (
	mine  uint8 = 1
	other uint8 = 2 // the opponent or the board's edge
)

// shaper classifies the cells around one cell, radius of them to each side,
// remembering what it found.
type shaper struct {
	rule   lineRule
	radius int
	memo   []uint8 // by the neighbours in base 3: shape+1, or 0
	cells  [11]uint8
}

func newShaper(rule lineRule, radius int) *shaper {
	n := 1
	for range 2 * radius {
		n *= 3
	}
	return &shaper{rule: rule, radius: radius, memo: make([]uint8, n)}
}

// classify returns the shape through the middle cell, which must be mine.
func (s *shaper) classify() shape {
	key := 0
	for i := range 2*s.radius + 1 {
		if i != s.radius {
			key = key*3 + int(s.cells[i])
		}
	}
	if s.memo[key] == 0 {
		s.memo[key] = uint8(s.work()) + 1
	}
	return shape(s.memo[key] - 1)
}

func (s *shaper) work() shape {
	switch run := s.run(); {
	case s.wins(run):
		return five
	case run > 5:
		if s.rule == renjuBlack {
			return overline
		}
		return dead
	}
	ways, first, last := s.fives()
	switch {
	case ways >= 2 && (s.rule != renjuBlack || last-first == 5):
		return openFour
	case ways >= 2:
		return twinFour
	case ways == 1:
		return four
	}
	return s.grown()
}

// grown classifies what is no four by what one more stone makes of it.
func (s *shaper) grown() shape {
	var n [shapes]int
	for i := max(0, s.radius-4); i <= min(2*s.radius, s.radius+4); i++ {
		if s.cells[i] == 0 {
			s.cells[i] = mine
			n[s.classify()]++
			s.cells[i] = 0
		}
	}
	threes := n[openThree] + n[narrowThree]
	switch {
	case n[openFour] >= 2:
		return openThree
	case n[openFour] == 1:
		return narrowThree
	case n[four]+n[twinFour] > 0:
		return blockedThree
	case threes > 0:
		return openTwo1 + shape(min(threes, 3)-1)
	case n[blockedThree] > 0:
		return blockedTwo
	case n[openTwo1]+n[openTwo2]+n[openTwo3] > 0:
		return openOne
	case n[blockedTwo] > 0:
		return blockedOne
	}
	return dead
}

// fives counts the empty cells that complete a five through the middle cell,
// and gives the first and last of them.
func (s *shaper) fives() (ways, first, last int) {
	for i := max(0, s.radius-4); i <= min(2*s.radius, s.radius+4); i++ {
		if s.cells[i] != 0 {
			continue
		}
		s.cells[i] = mine
		if s.wins(s.run()) {
			if ways == 0 {
				first = i
			}
			ways, last = ways+1, i
		}
		s.cells[i] = 0
	}
	return ways, first, last
}

func (s *shaper) wins(run int) bool {
	if s.rule == fiveOrMore {
		return run >= 5
	}
	return run == 5
}

// run is the length of the run through the middle cell, as far as it is seen.
func (s *shaper) run() int {
	n := 1
	for i := s.radius + 1; i <= 2*s.radius && s.cells[i] == mine; i++ {
		n++
	}
	for i := s.radius - 1; i >= 0 && s.cells[i] == mine; i-- {
		n++
	}
	return n
}

// shapeTable gives both sides' shapes, black's in the low four bits, for a line
// key: two bits for each of the radius cells on both sides of a cell, the cell
// itself left out; 0 is empty, 1 black, 2 white, 3 beyond the edge.
func shapeTable(radius int, black, white lineRule) []uint8 {
	table := make([]uint8, 1<<(4*radius))
	sides := [2]*shaper{newShaper(black, radius), newShaper(white, radius)}
	for key := range table {
		for side, s := range sides {
			s.read(key, uint8(side)+1)
			table[key] |= uint8(s.classify()) << (4 * side)
		}
	}
	return table
}

// read sets the cells from a line key, as the side with that number sees them.
func (s *shaper) read(key int, side uint8) {
	for i := range 2*s.radius + 1 {
		if i == s.radius {
			s.cells[i] = mine
			continue
		}
		switch uint8(key & 3) {
		case 0:
			s.cells[i] = 0
		case side:
			s.cells[i] = mine
		default:
			s.cells[i] = other
		}
		key >>= 2
	}
}
