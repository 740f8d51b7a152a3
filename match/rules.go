package match

import "fmt"

// MaxSide is the largest number of columns or rows a board may have.
const MaxSide = 20

// Game names a family of rules as players know it. It is what records and
// ratings are kept by.
type Game string

// The games that exist.
const (
	TicTacToe Game = "ttt"
	Gomoku    Game = "gomoku"
)

// Variant says which lines win.
type Variant uint8

// The variants. Their numbers are stored; they never change.
const (
	// Freestyle: as many stones in a row as needed, or more, win.
	Freestyle Variant = 0
	// Standard: exactly as many as needed win; an overline does not.
	Standard Variant = 1
	// Renju: black needs exactly as many, and may not play what
	// [Position.Forbidden] names; for white as many or more win.
	Renju Variant = 2
)

// String returns the variant's name as players write it.
func (v Variant) String() string {
	switch v {
	case Freestyle:
		return "freestyle"
	case Standard:
		return "standard"
	case Renju:
		return "renju"
	}
	return fmt.Sprintf("variant(%d)", uint8(v))
}

// Rules are the parameters of one m,n,k game: the board's size in cells, the
// stones in a row that win, and which lines count. The zero value is no game.
type Rules struct {
	Cols, Rows, Need int8
	Variant          Variant
}

// TicTacToeRules returns 3x3, three in a row.
func TicTacToeRules() Rules { return Rules{Cols: 3, Rows: 3, Need: 3} }

// GomokuRules returns a square board of the given side, five in a row.
func GomokuRules(side int8, v Variant) Rules {
	return Rules{Cols: side, Rows: side, Need: 5, Variant: v}
}

// Valid reports whether a match may be played by these rules.
func (r Rules) Valid() bool {
	switch r {
	case TicTacToeRules(),
		GomokuRules(15, Freestyle), GomokuRules(15, Standard), GomokuRules(15, Renju),
		GomokuRules(19, Freestyle), GomokuRules(19, Standard), GomokuRules(19, Renju):
		return true
	}
	return false
}

// Game returns the family that the rules belong to.
func (r Rules) Game() Game {
	if r.Need == 3 {
		return TicTacToe
	}
	return Gomoku
}

// MayPass reports whether a player may pass instead of placing a stone.
func (r Rules) MayPass() bool { return r.Game() == Gomoku }

// Cells returns the number of cells of the board.
func (r Rules) Cells() int { return int(r.Cols) * int(r.Rows) }

// Contains reports whether the cell lies on the board.
func (r Rules) Contains(p Point) bool {
	return p.Col >= 0 && p.Col < r.Cols && p.Row >= 0 && p.Row < r.Rows
}

// Centre returns the middle cell (of an even side: the upper right of the middle ones).
func (r Rules) Centre() Point { return Point{Col: r.Cols / 2, Row: r.Rows / 2} }

// Start returns the empty position, black (or X) to move.
func (r Rules) Start() Position { return Position{rules: r, turn: Black} }
