package engine

import (
	"fmt"
	"math"

	"rowbot/match"
)

// skill is how a level of gomoku plays.
type skill struct {
	depth  int // at most so many plies
	nodes  int // at most so many positions
	margin int // how much worse than the best a move may be
}

var skills = map[match.Level]skill{
	match.Easy:   {1, 200, 120},
	match.Medium: {2, 2_000, 30},
	match.Hard:   {6, 20_000, 10},
	match.Master: {60, math.MaxInt, 0},
}

type errNoLevel match.Level

func (e errNoLevel) Error() string { return fmt.Sprintf("no such level: %d", uint8(e)) }
