package engine

// How much a cell is worth, by the shapes on its lines and by its class.
var (
	attackShape = [shapes]int{0, 0, 4, 10, 14, 24, 28, 32, 40, 70, 80, 90, 200, 200, 400}
	defendShape = [shapes]int{0, 0, 3, 8, 10, 18, 22, 25, 30, 60, 70, 70, 150, 150, 300}
	attackClass = [classes]int{0, 4, 10, 40, 40, 30, 80, 250, 60, 120, 800, 3000, 8000, -500}
	defendClass = [classes]int{0, 2, 5, 20, 20, 15, 50, 180, 20, 60, 500, 2000, 6000, -500}

	movingShape = [shapes]int{0, 0, 1, 2, 3, 6, 8, 9, 9, 12, 14, 12, 0, 0, 0}
	stillShape  = [shapes]int{0, 0, 1, 2, 2, 5, 6, 7, 7, 9, 11, 8, 0, 0, 0}
	movingClass = [classes]int{0, 1, 1, 6, 6, 8, 20, 40, 4, 10, 80, 0, 0, 0}
	stillClass  = [classes]int{0, 1, 1, 4, 4, 5, 12, 25, 2, 6, 40, 60, 0, 0}
)

// The worth of having threats of a class at all.
var (
	movingHas = [classes]int{oneThree: 20, threePlus: 40, doubleThree: 120, oneFour: 10, fourPlus: 40, fourThree: 400}
	stillHas  = [classes]int{oneThree: 5, threePlus: 15, doubleThree: 60, oneFour: 5, fourPlus: 20, fourThree: 100, unstoppable: 60}
)

// threats is the part of the evaluation that depends on which threats the side
// to move and its opponent have.
func threats(mine, his *[classes]int16) int {
	v := 0
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
