package engine_test

import (
	"testing"

	"rowbot/match"
	"rowbot/match/engine"
)

// TestPrepare prepares for all rules; a move after it is as without it.
func TestPrepare(t *testing.T) {
	prepared, plain := new(engine.Engine), new(engine.Engine)
	for _, rules := range []match.Rules{match.TicTacToeRules(), freestyle(15), standard(19), renju(15), freestyle(20)} {
		prepared.Prepare(rules)
		p := rules.Start()
		a, errA := prepared.Choose(t.Context(), &p, match.Easy, 4)
		b, errB := plain.Choose(t.Context(), &p, match.Easy, 4)
		if a != b || errA != nil || errB != nil {
			t.Errorf("%v: %s, %v and %s, %v", rules, a, errA, b, errB)
		}
	}
}
