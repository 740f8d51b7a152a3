package engine

import "rowbot/match"

func chooseThree(p *match.Position, level match.Level, seed uint64) (match.Point, error) {
	return match.RandomMove(p, seed), nil
}
