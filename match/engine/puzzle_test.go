package engine_test

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

	"rowbot/match"
	"rowbot/match/engine"
)

// puzzle is a position with what is known of it.
type puzzle struct {
	position match.Position
	answers  []match.Point
}

// puzzles reads a file of positions: moves and answers between bars.
func puzzles(t testing.TB, file string) (out []puzzle) {
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		if n++; n%share != 0 {
			continue
		}
		parts := strings.Split(lines.Text(), " | ")
		m := match.Match{Rules: match.GomokuRules(15, match.Freestyle), Moves: points(t, parts[0])}
		out = append(out, puzzle{m.Position(), points(t, parts[len(parts)-1])})
	}
	return out
}

func points(t testing.TB, text string) (out []match.Point) {
	for f := range strings.FieldsSeq(text) {
		p, err := match.GomokuRules(15, match.Freestyle).ParsePoint(f)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// TestFours asks for the win in positions that are won by continuous fours, and
// plays every win out against all that the other side can do. The engine may
// also win by another way; it is then asked on, within as many nodes.
func TestFours(t *testing.T) {
	all, solved := puzzles(t, "fours.txt"), 0
	e := new(engine.Engine)
	for i, p := range all {
		at, err := e.Choose(t.Context(), &p.position, match.Hard, 1)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(p.answers, at) && wins(t, e, p.position, at, 40) {
			solved++
		} else {
			t.Logf("position %d: %s does not win", i+1, at)
		}
	}
	if solved*100 < len(all)*95 {
		t.Errorf("%d of %d solved", solved, len(all))
	}
}

// wins plays a move and then answers every reply of the other side that does
// not lose at once: those that stop the five.
func wins(t *testing.T, e *engine.Engine, p match.Position, at match.Point, left int) bool {
	p, won, err := p.Place(at)
	if won || err != nil || left == 0 {
		return won
	}
	fives := fivesOf(&p, p.Turn().Other())
	if len(fives) == 0 || len(fivesOf(&p, p.Turn())) > 0 {
		return false
	}
	if len(fives) > 1 {
		return true
	}
	p, _, _ = p.Place(fives[0])
	next, err := e.Choose(t.Context(), &p, match.Hard, 1)
	return err == nil && wins(t, e, p, next, left-1)
}

// fivesOf lists the cells where a side would win.
func fivesOf(p *match.Position, who match.Stone) (out []match.Point) {
	side := *p
	if side.Turn() != who {
		side, _ = side.Pass()
	}
	for _, c := range p.Empties() {
		if _, won, err := side.Place(c); won && err == nil {
			out = append(out, c)
		}
	}
	return out
}

// TestDefences asks for a move where the other side threatens to win by
// continuous fours.
func TestDefences(t *testing.T) {
	all, held := puzzles(t, "defences.txt"), 0
	e := new(engine.Engine)
	for i, p := range all {
		at, err := e.Choose(t.Context(), &p.position, match.Hard, 1)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(p.answers, at) {
			held++
		} else {
			t.Logf("position %d: %s does not hold (%v)", i+1, at, p.answers)
		}
	}
	if held*100 < len(all)*95 {
		t.Errorf("%d of %d held", held, len(all))
	}
}
