package match

import "math/rand/v2"

// RandomMove picks uniformly among the cells that the side to move may play; it
// returns Pass where all empty cells are forbidden. The same position and seed
// give the same cell; the number of stones is mixed in, so that one seed serves
// a whole match. The board must not be full.
func RandomMove(p *Position, seed uint64) Point {
	luck := rand.New(rand.NewPCG(seed, uint64(p.placed)+1))
	if p.restricted() {
		legal := p.Legal()
		if len(legal) == 0 {
			return Pass
		}
		return legal[luck.IntN(len(legal))]
	}
	return p.empty(luck.IntN(p.rules.Cells() - int(p.placed)))
}

// flip decides who moves first where the challenger left it to chance.
func flip(seed uint64) bool { return rand.New(rand.NewPCG(seed, 0)).IntN(2) == 0 }
