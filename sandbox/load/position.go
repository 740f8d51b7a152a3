package load

import (
	"fmt"
	"strconv"
	"strings"
)

// The games that are played, as their commands are called.
const (
	tictactoe = "ttt"
	gomoku    = "gomoku"
)

// The signs of the two sides, and of nobody.
const (
	first  byte = 'X'
	second byte = 'O'
	empty  byte = 0
)

// position is a match by its moves alone: what every board has to show. It knows the rules of its own accord: three in
// a row on 3x3, five or more in a row on 15x15.
type position struct {
	side, need int
	cells      []byte // side*side from the lower left, row by row
	stones     int
	plies      int  // stones and passes
	passed     bool // the last ply was a pass
	winner     byte
	over       bool
}

func newPosition(game string) position {
	side, need := 3, 3
	if game == gomoku {
		side, need = 15, 5
	}
	return position{side: side, need: need, cells: make([]byte, side*side)}
}

// clone is a copy that goes its own way.
func (p *position) clone() position {
	c := *p
	c.cells = append([]byte(nil), p.cells...)
	return c
}

// toMove is the sign of the side whose turn it is.
func (p *position) toMove() byte {
	if p.plies%2 == 0 {
		return first
	}
	return second
}

// seat is the seat of the side whose turn it is: 0 or 1.
func (p *position) seat() int { return p.plies % 2 }

// place puts down the stone of the side to move. The cell must be free and the match not over.
func (p *position) place(cell int) {
	sign := p.toMove()
	p.cells[cell] = sign
	p.stones++
	p.plies++
	p.passed = false
	switch {
	case p.lined(cell):
		p.winner, p.over = sign, true
	case p.stones == len(p.cells):
		p.over = true
	}
}

// pass lets the side to move pass; the second pass in a row is a draw.
func (p *position) pass() {
	p.plies++
	p.over, p.passed = p.passed, true
}

// lined tells whether the stone on a cell stands in a line that wins.
func (p *position) lined(cell int) bool {
	for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		if 1+p.run(cell, d[0], d[1])+p.run(cell, -d[0], -d[1]) >= p.need {
			return true
		}
	}
	return false
}

// run is how many stones of the same side follow a cell in one direction.
func (p *position) run(cell, dx, dy int) int {
	n := 0
	for x, y := cell%p.side+dx, cell/p.side+dy; x >= 0 && x < p.side && y >= 0 && y < p.side; x, y = x+dx, y+dy {
		if p.cells[y*p.side+x] != p.cells[cell] {
			break
		}
		n++
	}
	return n
}

// free lists the empty cells.
func (p *position) free() []int {
	var out []int
	for i, c := range p.cells {
		if c == empty {
			out = append(out, i)
		}
	}
	return out
}

// name writes a cell as people do: a letter for the column, the row's number from below.
func (p *position) name(cell int) string { return cellNames[cell/p.side][cell%p.side] }

// cell reads a name; false where there is no such cell.
func (p *position) cell(name string) (int, bool) {
	if len(name) < 2 {
		return 0, false
	}
	col := int(name[0]) - 'a'
	row, err := strconv.Atoi(name[1:])
	if err != nil || col < 0 || col >= p.side || row < 1 || row > p.side {
		return 0, false
	}
	return (row-1)*p.side + col, true
}

var cellNames = func() (all [15][15]string) {
	for row := range all {
		for col := range all[row] {
			all[row][col] = string(rune('a'+col)) + strconv.Itoa(row+1)
		}
	}
	return all
}()

// read finds the board in a message's text: three lines of emoji, or a block with a line for each row.
func (p *position) read(text string) (cells []byte, err error) {
	cells = make([]byte, len(p.cells))
	rows := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		var row int
		if p.side == 3 {
			row = readEmoji(line, rows, cells)
		} else {
			row = p.readBlock(line, cells)
		}
		if row < 0 {
			continue
		}
		rows++
		if row != p.side-rows {
			return nil, fmt.Errorf("row %d of the board stands where row %d should", row+1, p.side-rows+1)
		}
	}
	if rows != p.side {
		return nil, fmt.Errorf("the message shows %d rows of a board, not %d: %.200q", rows, p.side, text)
	}
	return cells, nil
}

// readEmoji reads a line of a small board, the n-th from above; -1 when it is none.
func readEmoji(line string, n int, cells []byte) int {
	if n > 2 || line == "" {
		return -1
	}
	var signs [3]byte
	col := 0
	for _, r := range line {
		if col == 3 {
			return -1
		}
		switch r {
		case '❌':
			signs[col] = first
		case '⭕':
			signs[col] = second
		case '⬜':
		default:
			return -1
		}
		col++
	}
	if col != 3 {
		return -1
	}
	copy(cells[(2-n)*3:], signs[:])
	return 2 - n
}

// readBlock reads a line of a large board, which begins with its number; -1 when it is none. A cell's sign stands
// every two characters from the fourth on.
func (p *position) readBlock(line string, cells []byte) int {
	if len(line) < 2+2*p.side {
		return -1
	}
	row, err := strconv.Atoi(strings.TrimLeft(line[:2], " "))
	if err != nil || row < 1 || row > p.side {
		return -1
	}
	for col := range p.side {
		switch sign := line[3+2*col]; sign {
		case first, second:
			cells[(row-1)*p.side+col] = sign
		case '.', '+':
		default:
			return -1
		}
	}
	return row - 1
}

// differs says in words what is other on a board that is shown; empty where nothing is.
func (p *position) differs(shown []byte) string {
	var out []string
	for i, want := range p.cells {
		if got := shown[i]; got != want {
			out = append(out, fmt.Sprintf("%s shows %s instead of %s", p.name(i), stone(got), stone(want)))
		}
	}
	if len(out) > 3 {
		out = append(out[:3], fmt.Sprintf("and %d more", len(out)-3))
	}
	return strings.Join(out, ", ")
}

func stone(sign byte) string {
	if sign == empty {
		return "nothing"
	}
	return string(rune(sign))
}
