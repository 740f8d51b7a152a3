package match

// restricted reports whether there are cells at all that the side to move may
// not play: for black in renju.
func (p *Position) restricted() bool { return p.rules.Variant == Renju && p.turn == Black }

// Forbidden says why the side to move may not play an empty cell: [Overline],
// [DoubleFour] or [DoubleThree]; "" where it may. Only black in renju is ever
// restricted, and never where the stone makes a five. For cells that are taken
// or off the board it is "" too.
func (p *Position) Forbidden(at Point) Refusal {
	if !p.restricted() || !p.rules.Contains(at) || p.stones[index(at)] != Empty || !p.crowded(at) {
		return ""
	}
	board := *p // to try stones on
	switch board.judge(at) {
	case makesOverline:
		return Overline
	case makesTwoFours:
		return DoubleFour
	case makesTwoThrees:
		return DoubleThree
	case allowed, makesFive:
	}
	return ""
}

// ForbiddenPoints returns the cells that [Position.Forbidden] forbids, row by
// row from a1.
func (p *Position) ForbiddenPoints() []Point {
	var out []Point
	for at := range p.forbidden {
		out = append(out, at)
	}
	return out
}

// forbidden yields the ForbiddenPoints.
func (p *Position) forbidden(yield func(Point) bool) {
	if !p.restricted() {
		return
	}
	for row := range p.rules.Rows {
		for col := range p.rules.Cols {
			if at := (Point{Col: col, Row: row}); p.Forbidden(at) != "" && !yield(at) {
				return
			}
		}
	}
}

// verdict is what black's stone on a cell comes to.
type verdict uint8

const (
	allowed verdict = iota
	makesFive
	makesOverline
	makesTwoFours
	makesTwoThrees
)

// judge says what black's stone on an empty cell would come to. It tries stones
// on the position it is called on, and takes them off again.
func (p *Position) judge(at Point) verdict {
	i := index(at)
	p.stones[i] = Black
	v := p.weigh(at)
	p.stones[i] = Empty
	return v
}

// weigh is judge for the stone that lies on the cell already.
func (p *Position) weigh(at Point) verdict {
	var crosses [len(directions)]cross
	long, fours, threes := false, 0, 0
	for i, d := range directions {
		c := p.cross(at, d)
		switch run := c.run(); {
		case run == 5:
			return makesFive
		case run > 5:
			long = true
		}
		fours += c.fours()
		if c.opens(&c.ahead, &c.back) || c.opens(&c.back, &c.ahead) {
			threes++
		}
		crosses[i] = c
	}
	switch {
	case long:
		return makesOverline
	case fours > 1:
		return makesTwoFours
	case threes > 1 && p.manyThrees(at, &crosses, threes):
		return makesTwoThrees
	}
	return allowed
}

// manyThrees reports whether at least two of the lines that look like threes are.
func (p *Position) manyThrees(at Point, crosses *[len(directions)]cross, looking int) bool {
	sure := 0
	for i, d := range directions {
		c := &crosses[i]
		ahead, back := c.opens(&c.ahead, &c.back), c.opens(&c.back, &c.ahead)
		if !ahead && !back {
			continue
		}
		// A three is one only if black may play the stone that makes it a straight
		// four, and if that is not a five at the same time.
		looking--
		if ahead && p.judge(along(at, d, c.ahead.near+1)) == allowed ||
			back && p.judge(along(at, d, -c.back.near-1)) == allowed {
			sure++
		}
		if sure > 1 || sure+looking < 2 {
			break
		}
	}
	return sure > 1
}

func along(at, d Point, n int8) Point { return Point{Col: at.Col + n*d.Col, Row: at.Row + n*d.Row} }

// cross is a line through a black stone as far as it matters to the stone.
type cross struct{ back, ahead arm }

// arm is one side of a cross, seen from the stone outwards: black stones, an
// empty cell, black stones again, and an empty cell again.
type arm struct {
	near, far int8 // the black stones before and behind the first empty cell
	open      bool // there is the first empty cell
	end       bool // there is the second one
	beyond    bool // behind the second one there is black again
}

// run is how many stones stand in a row.
func (c *cross) run() int8 { return c.back.near + 1 + c.ahead.near }

// fours counts the fours: two where one stone more can make a five of the run
// on either side with other stones beyond the gap, but one where both fives
// are of the same four.
func (c *cross) fours() int {
	n, run := 0, c.run()
	if c.ahead.open && run+1+c.ahead.far == 5 {
		n++
	}
	if c.back.open && run+1+c.back.far == 5 {
		n++
	}
	if run == 4 {
		n = min(n, 1)
	}
	return n
}

// opens reports whether a stone on the first empty cell of one arm makes a
// straight four: four in a row that a stone on either end makes a five, and not
// more than five.
func (c *cross) opens(a, other *arm) bool {
	return a.open && c.run()+1+a.far == 4 && a.end && !a.beyond && other.open && other.far == 0
}

func (p *Position) cross(at, d Point) cross {
	ahead := min(steps(at.Col, d.Col, p.rules.Cols), steps(at.Row, d.Row, p.rules.Rows))
	back := min(steps(at.Col, -d.Col, p.rules.Cols), steps(at.Row, -d.Row, p.rules.Rows))
	i, step := index(at), index(d)
	return cross{back: p.arm(i, -step, back), ahead: p.arm(i, step, ahead)}
}

// arm looks from a cell in one direction; room is as in [Position.run].
func (p *Position) arm(i, step int, room int8) (a arm) {
	blacks := func() (n int8) {
		for room > 0 && p.stones[i+step] == Black {
			i, room, n = i+step, room-1, n+1
		}
		return n
	}
	gap := func() bool {
		if room == 0 || p.stones[i+step] != Empty {
			return false
		}
		i, room = i+step, room-1
		return true
	}
	a.near = blacks()
	if a.open = gap(); a.open {
		a.far = blacks()
		if a.end = gap(); a.end {
			a.beyond = blacks() > 0
		}
	}
	return a
}

// crowded reports whether there are black stones enough around a cell for any
// of the forbidden patterns: four on one line, or two on each of two. Most
// cells of most boards are done with by this.
func (p *Position) crowded(at Point) bool {
	west, east := min(5, at.Col), min(5, p.rules.Cols-1-at.Col)
	south, north := min(5, at.Row), min(5, p.rules.Rows-1-at.Row)
	i := index(at)
	lines := p.crowd(i, 1, west, east) +
		p.crowd(i, MaxSide, south, north) +
		p.crowd(i, MaxSide+1, min(south, west), min(north, east)) +
		p.crowd(i, MaxSide-1, min(south, east), min(north, west))
	return lines >= 2
}

// crowd counts for crowded the black stones on one line, so many cells back and
// ahead of a cell: 1 where there are two or three, 2 where there are more.
func (p *Position) crowd(i, step int, back, ahead int8) int {
	n := 0
	i -= int(back) * step
	for range back + 1 + ahead {
		if p.stones[i] == Black {
			n++
		}
		i += step
	}
	return min(n/2, 2)
}
