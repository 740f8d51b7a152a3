package match

import "strconv"

// Point is a cell: the column from the left and the row from the bottom, both
// from 0, so that "a1" is the zero value. [Pass] is no cell.
type Point struct{ Col, Row int8 }

// Pass is what a passed turn is written as among the moves of a match.
var Pass = Point{Col: -1, Row: -1}

// IsPass reports whether the move is a passed turn.
func (p Point) IsPass() bool { return p == Pass }

// String returns the cell as letter and number, such as "h8", or "pass".
func (p Point) String() string {
	if p.IsPass() {
		return "pass"
	}
	return string(p.append(nil))
}

func (p Point) append(b []byte) []byte {
	b = append(b, 'a'+byte(p.Col))
	return strconv.AppendInt(b, int64(p.Row)+1, 10)
}
