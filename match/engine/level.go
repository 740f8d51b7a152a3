package engine

import (
	"fmt"
	"math"

	"rowbot/match"
)

// skill is how a level plays gomoku.
type skill struct {
	depth  int     // at most so many plies
	nodes  int     // at most so many positions
	margin int     // how much worse than the best a move may be
	fours  bool    // solves continuous fours before it searches
	slip   float64 // chance of a move by feel instead of thought
	blind  float64 // chance not to see a five or the need to stop one
	clock  bool    // thinks as long as it may; what it learnt is kept for the next move
}

// slipMoves is out of how many moves, the likeliest, one by feel is drawn.
const slipMoves = 8

var skills = map[match.Level]*skill{
	match.Easy:   {depth: 0, nodes: 1_000, slip: 0.3, blind: 0.1},
	match.Medium: {depth: 3, nodes: 1_500, margin: 30, slip: 0.08},
	match.Hard:   {depth: 10, nodes: 8_000, margin: 12, fours: true},
	match.Master: {depth: 60, nodes: math.MaxInt, fours: true, clock: true},
}

// While so few stones lie on the board, Master picks among moves that are
// nearly as good as the best, so that it does not always open alike.
const (
	openingStones = 3
	openingMargin = 12
)

type errNoLevel match.Level

func (e errNoLevel) Error() string { return fmt.Sprintf("no such level: %d", uint8(e)) }
