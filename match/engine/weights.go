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
	attackShape = [shapes]int{-54, 0, -46, -40, -35, 0, -1, 28, 8, 40, 95, 61, 150, 150, 300}
	defendShape = [shapes]int{-34, 0, -28, -31, -28, 0, -7, 6, 12, 14, 58, 53, 103, 103, 250}
	attackClass = [classes]int{-45, -52, -18, -42, -13, 12, 35, 117, 49, 55, 60, 3000, 8000, -100}
	defendClass = [classes]int{-48, -52, -45, -66, -37, 7, 14, 53, -7, 18, 103, 98, 6000, -100}
)

// An empty cell's share of the evaluation, for a side that moves next and for
// one that does not: by its shapes there and by their class.
var (
	movingShape = [shapes]int{0, 0, 0, 0, 0, 0, 1, 3, 0, 9, 8, 6, 0, 0, 0}
	stillShape  = [shapes]int{0, 0, 0, 0, 0, 0, 0, 3, 0, 17, -9, 4, 67, 0, 0}
	movingClass = [classes]int{0, 2, -2, 9, 7, 4, 24, -62, 11, 0, 72, 0, 0, 0}
	stillClass  = [classes]int{0, 1, -2, 9, 11, 7, 26, -64, -1, 20, 175, 63, 0, 0}
)

// The share of two shapes that meet in a cell.
var (
	movingPair = [shapes][shapes]int{
		1:  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		2:  {0, 0, 0, 0, -2, 0, -1, 2, 3, 10, 8, 5, 0, 0, 0},
		3:  {0, 0, 0, 0, 0, 0, -1, -2, 2, 7, 6, 16, 0, 0, 0},
		4:  {0, 0, -2, 0, 2, 0, 2, 5, 8, 3, 7, 24, 0, 0, 0},
		5:  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		6:  {0, 0, -1, -1, 2, 0, -7, 1, 5, -15, -1, 53, 0, 0, 0},
		7:  {0, 0, 2, -2, 5, 0, 1, 0, 12, 1, 5, 83, 0, 0, 0},
		8:  {0, 0, 3, 2, 8, 0, 5, 12, 21, -6, -7, 37, 0, 0, 0},
		9:  {0, 0, 10, 7, 3, 0, -15, 1, -6, -60, 1, 249, 0, 0, 0},
		10: {0, 0, 8, 6, 7, 0, -1, 5, -7, 1, -55, 7, 0, 0, 0},
		11: {0, 0, 5, 16, 24, 0, 53, 83, 37, 249, 7, 0, 0, 0, 0},
		12: {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		13: {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	}
	stillPair = [shapes][shapes]int{
		1:  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		2:  {0, 0, 0, 0, -1, 0, -3, 3, 3, 1, 9, 10, -11, 0, 0},
		3:  {0, 0, 0, 0, 0, 0, -1, -2, 1, 0, 6, 18, 9, 0, 0},
		4:  {0, 0, -1, 0, 1, 0, 3, 3, 7, 6, 18, 27, 39, 0, 0},
		5:  {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
		6:  {0, 0, -3, -1, 3, 0, -1, 1, -1, -17, -4, 61, 81, 0, 0},
		7:  {0, 0, 3, -2, 3, 0, 1, -6, 5, -4, 2, 58, 66, 0, 0},
		8:  {0, 0, 3, 1, 7, 0, -1, 5, 9, -4, 16, 75, 86, 0, 0},
		9:  {0, 0, 1, 0, 6, 0, -17, -4, -4, 56, 77, 111, 46, 0, 0},
		10: {0, 0, 9, 6, 18, 0, -4, 2, 16, 77, 70, 195, -57, 0, 0},
		11: {0, 0, 10, 18, 27, 0, 61, 58, 75, 111, 195, 46, -22, 0, 0},
		12: {0, 0, -11, 9, 39, 0, 81, 66, 86, 46, -57, -22, -486, 0, 0},
		13: {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
	}
)

// The worth of having threats of a class at all.
var (
	movingHas = [classes]int{0, 0, 0, 0, 0, 9, 81, 187, -33, 46, 72, 0, 0, 0}
	stillHas  = [classes]int{0, 0, 0, 0, 0, 4, 46, 50, -41, -32, -63, 89, 0, 0}
)

// tempo is the worth of the move.
const tempo = -3

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
