package engine

// The weights were found by regression over about 11,500 positions from games
// between engines, none of them decided by continuous fours: those of the
// evaluation by logistic regression on the value that a strong engine gave after
// a short search (200 of its units being even odds times e), those of the order
// of moves by a softmax regression on the move it chose. What stands for moves
// that end the game was set by hand.

// How early a move is tried: by the shapes that a stone there makes for the side
// to move (attack) and would make for the other (defend), and by their classes.
var (
	attackShape = [shapes]int{-56, 0, -49, -42, -36, 0, 0, 29, 8, 43, 97, 63, 150, 150, 300}
	defendShape = [shapes]int{-37, 0, -32, -32, -30, 0, -5, 8, 16, 12, 59, 51, 113, 113, 250}
	attackClass = [classes]int{-43, -55, -15, -44, -14, 13, 34, 156, 50, 56, 60, 3000, 8000, -100}
	defendClass = [classes]int{-47, -54, -47, -69, -49, 7, 11, 49, 0, 19, 113, 100, 6000, -100}
)

// An empty cell's share of the evaluation, for a side that moves next and for
// one that does not: by its shapes there and by their class.
var (
	movingShape = [shapes]int{0, 0, 0, 0, 1, 0, 2, 5, 0, 10, 6, 6, 0, 0, 0}
	stillShape  = [shapes]int{0, 0, 0, 0, 0, 0, 0, 5, -1, 17, -12, 4, 52, 0, 0}
	movingClass = [classes]int{0, 2, 3, 16, 7, 4, 21, -45, 10, 3, 74, 0, 0, 0}
	stillClass  = [classes]int{0, 2, 1, 9, 15, 6, 20, -73, 3, 10, 181, 51, 0, 0}
)

// The share of two shapes that meet in a cell.
var (
	movingPair = [shapes][shapes]int{
		1:  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		2:  {0, 0, 0, 0, -2, 0, -1, 2, 2, 7, 3, 11, 0, 0, 0},
		3:  {0, 0, 0, 0, 1, 0, 0, -3, 3, 10, 8, 22, 0, 0, 0},
		4:  {0, 0, -2, 1, -1, 0, 1, 2, 6, -1, 9, 26, 0, 0, 0},
		5:  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		6:  {0, 0, -1, 0, 1, 0, -9, -1, 8, -14, 4, 45, 0, 0, 0},
		7:  {0, 0, 2, -3, 2, 0, -1, -6, 12, 8, 18, 81, 0, 0, 0},
		8:  {0, 0, 2, 3, 6, 0, 8, 12, 18, -2, 13, 39, 0, 0, 0},
		9:  {0, 0, 7, 10, -1, 0, -14, 8, -2, -28, -19, 41, 0, 0, 0},
		10: {0, 0, 3, 8, 9, 0, 4, 18, 13, -19, 5, 59, 0, 0, 0},
		11: {0, 0, 11, 22, 26, 0, 45, 81, 39, 41, 59, 0, 0, 0, 0},
		12: {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		13: {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	}
	stillPair = [shapes][shapes]int{
		1:  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		2:  {0, 0, 0, 0, -1, 0, 0, 1, 2, 1, -3, 12, -4, 0, 0},
		3:  {0, 0, 0, 0, 0, 0, -1, -2, 2, 4, 12, 23, 23, 0, 0},
		4:  {0, 0, -1, 0, 0, 0, 3, 2, 5, 1, 15, 28, 44, 0, 0},
		5:  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		6:  {0, 0, 0, -1, 3, 0, -4, 1, -3, -7, 7, 67, 82, 0, 0},
		7:  {0, 0, 1, -2, 2, 0, 1, -4, 3, 4, 26, 79, 96, 0, 0},
		8:  {0, 0, 2, 2, 5, 0, -3, 3, 7, 3, 30, 82, 94, 0, 0},
		9:  {0, 0, 1, 4, 1, 0, -7, 4, 3, 38, 53, 162, 62, 0, 0},
		10: {0, 0, -3, 12, 15, 0, 7, 26, 30, 53, 87, 199, 31, 0, 0},
		11: {0, 0, 12, 23, 28, 0, 67, 79, 82, 162, 199, 19, -2, 0, 0},
		12: {0, 0, -4, 23, 44, 0, 82, 96, 94, 62, 31, -2, -219, 0, 0},
		13: {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	}
)

// The worth of having threats of a class at all.
var (
	movingHas = [classes]int{0, 0, 0, 0, 0, 27, 108, 151, -13, 38, 74, 0, 0, 0}
	stillHas  = [classes]int{0, 0, 0, 0, 0, 28, 74, 88, -33, -23, -84, 116, 0, 0}
)

// tempo is the worth of the move.
const tempo = -7

// threats is the part of the evaluation that depends on which threats the side
// to move and its opponent have.
func threats(mine, his *[classes]int16) int {
	v := tempo
	for c := oneThree; c <= unstoppable; c++ {
		if mine[c] > 0 {
			v += movingHas[c]
		}
		if his[c] > 0 {
			v -= stillHas[c]
		}
	}
	return v
}
