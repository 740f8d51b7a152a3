package match

// directions are the four ways a line can run; each stands for itself and its
// opposite.
var directions = [4]Point{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// wins reports whether the stone on the cell completes a winning line. Only
// lines through that stone are looked at, at most Need cells to either side, so
// that the cost depends on Need alone and not on the stones on the board.
func (p *Position) wins(at Point) bool {
	need := p.rules.Need
	west, east := min(need, at.Col), min(need, p.rules.Cols-1-at.Col)
	south, north := min(need, at.Row), min(need, p.rules.Rows-1-at.Row)
	i := index(at)
	side := p.stones[i]
	return p.winning(side, 1+p.run(i, 1, east)+p.run(i, -1, west)) ||
		p.winning(side, 1+p.run(i, MaxSide, north)+p.run(i, -MaxSide, south)) ||
		p.winning(side, 1+p.run(i, MaxSide+1, min(north, east))+p.run(i, -MaxSide-1, min(south, west))) ||
		p.winning(side, 1+p.run(i, MaxSide-1, min(north, west))+p.run(i, 1-MaxSide, min(south, east)))
}

// winning reports whether so many stones of a side in a row win.
func (p *Position) winning(side Stone, n int) bool {
	if v := p.rules.Variant; v == Standard || v == Renju && side == Black {
		return n == int(p.rules.Need)
	}
	return n >= int(p.rules.Need)
}

// run counts the stones of the same side next to a cell in one direction, up to
// room: the cells there are before the board ends. The step leads from one cell
// to the next.
func (p *Position) run(i, step int, room int8) int {
	mine := p.stones[i]
	for n := range int(room) {
		i += step
		if p.stones[i] != mine {
			return n
		}
	}
	return int(room)
}

// steps returns how far one can go from x by d before the board ends.
func steps(x, d, size int8) int8 {
	switch d {
	case 1:
		return size - 1 - x
	case -1:
		return x
	}
	return size
}

// WinningLine returns the stones of the winning lines through a cell, in order
// along the line; a stone that closes several lines at once gets all of them,
// one after the other. It is empty where the stone wins nothing.
func (p *Position) WinningLine(at Point) []Point {
	var line []Point
	side := p.At(at)
	if side == Empty {
		return nil
	}
	for _, d := range directions {
		back, ahead := p.whole(at, -d.Col, -d.Row), p.whole(at, d.Col, d.Row)
		if !p.winning(side, back+1+ahead) {
			continue
		}
		for i := -back; i <= ahead; i++ {
			line = append(line, Point{at.Col + int8(i)*d.Col, at.Row + int8(i)*d.Row})
		}
	}
	return line
}

// whole counts the stones of the same side next to a cell, however many.
func (p *Position) whole(at Point, dc, dr int8) int {
	mine, n := p.At(at), 0
	for {
		at = Point{at.Col + dc, at.Row + dr}
		if p.At(at) != mine {
			return n
		}
		n++
	}
}
