package match

import (
	"cmp"
	"slices"
)

// Heat says of each cell how much of the play it touches: 0 for cells that the
// side to move may not play and for those that no line with a stone in it runs
// through. It is indexed as
// [Heat.At] does.
type Heat [MaxSide * MaxSide]int32

// At returns a cell's heat.
func (h *Heat) At(p Point) int32 { return h[index(p)] }

// lineHeat is what an empty cell gets from a stretch of Need cells that holds so
// many stones of one side and none of the other; a stretch that lacks one stone
// outweighs all else. Longer needs than five do not exist.
var lineHeat = [...]int32{0, 4, 30, 220, 6000}

// shortLineHeat is the same for three in a row.
var shortLineHeat = [...]int32{0, 30, 6000}

// Heat weighs the empty cells by the stretches they could still complete for
// either side. It is a guess of where people will want to play, for choosing
// what to show first, and no judgement of the position.
func (p *Position) Heat() *Heat {
	h := new(Heat)
	weights := lineHeat[:]
	if p.rules.Need == 3 {
		weights = shortLineHeat[:]
	}
	cols, rows := p.rules.Cols, p.rules.Rows
	for i := range rows {
		p.heatLine(h, weights, Point{0, i}, directions[0])
		p.heatLine(h, weights, Point{0, i}, directions[2])
		p.heatLine(h, weights, Point{0, i}, directions[3])
	}
	for i := range cols {
		p.heatLine(h, weights, Point{i, 0}, directions[1])
		if i > 0 {
			p.heatLine(h, weights, Point{i, 0}, directions[2])
			p.heatLine(h, weights, Point{i, rows - 1}, directions[3])
		}
	}
	for at := range p.forbidden {
		h[index(at)] = 0
	}
	return h
}

// heatLine slides a stretch of Need cells along one line of the board.
func (p *Position) heatLine(h *Heat, weights []int32, from, d Point) {
	need := int(p.rules.Need)
	length := 1 + int(min(steps(from.Col, d.Col, p.rules.Cols), steps(from.Row, d.Row, p.rules.Rows)))
	if d.Col == 0 {
		length = int(p.rules.Rows)
	} else if d.Row == 0 {
		length = int(p.rules.Cols)
	}
	step := int(d.Row)*MaxSide + int(d.Col)
	var count [3]int
	for i, at := 0, index(from); i < length; i, at = i+1, at+step {
		count[p.stones[at]]++
		if i >= need {
			count[p.stones[at-need*step]]--
		}
		n := count[Black] + count[White]
		if i < need-1 || n == 0 || n == need || (count[Black] > 0 && count[White] > 0) {
			continue
		}
		for j := range need {
			if cell := at - j*step; p.stones[cell] == Empty {
				h[cell] += weights[n]
			}
		}
	}
}

// Likely returns the cells that the side to move may play, those where a player
// will probably want to play first: the hottest, then the nearest to the centre.
func (p *Position) Likely() []Point {
	heat, cells, centre := p.Heat(), p.Legal(), p.rules.Centre()
	slices.SortStableFunc(cells, func(a, b Point) int {
		return cmp.Or(cmp.Compare(heat.At(b), heat.At(a)), cmp.Compare(distance(a, centre), distance(b, centre)))
	})
	return cells
}

// distance is the number of king's steps between two cells.
func distance(a, b Point) int {
	return max(abs(int(a.Col)-int(b.Col)), abs(int(a.Row)-int(b.Row)))
}

func abs(n int) int { return max(n, -n) }
