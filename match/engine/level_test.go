package engine_test

import (
	"testing"

	"rowbot/match"
)

// TestGomokuLevels lets each level that thinks by positions play the one below.
// Each wins 75 of 100 games and more; in so few as here it must not lose more than it wins.
func TestGomokuLevels(t *testing.T) {
	games := max(4, 10/share)
	for _, pair := range [][2]match.Level{
		{match.Easy, match.Random}, {match.Medium, match.Easy}, {match.Hard, match.Medium},
	} {
		won, lost := duel(t, match.GomokuRules(15, match.Freestyle), pair[0], pair[1], games)
		t.Logf("%s against %s: %d won, %d lost of %d", pair[0], pair[1], won, lost, games)
		if won < lost || won == 0 {
			t.Errorf("%s beats %s in %d of %d games only, loses %d", pair[0], pair[1], won, games, lost)
		}
	}
}
