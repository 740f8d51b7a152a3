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

// TestLimit plays with little memory, and with none to speak of.
func TestLimit(t *testing.T) {
	e := new(engine.Engine)
	for _, bytes := range []int64{0, 60 << 20, 1, -1} {
		e.Limit(bytes)
		p := placed(t, freestyle(15), "h8 i9 j8 g7 h10")
		at, err := e.Choose(t.Context(), &p, match.Hard, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := p.Place(at); err != nil {
			t.Errorf("with %d bytes it plays %s: %v", bytes, at, err)
		}
	}
}
