package engine

import (
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"rowbot/match"
)

// balanced is a position of six stones that no search decides soon.
func balanced(t testing.TB) match.Position {
	rules := match.GomokuRules(15, match.Freestyle)
	m := match.Match{Rules: rules}
	for f := range strings.FieldsSeq("l7 h8 g9 j7 l11 f11") {
		p, err := rules.ParsePoint(f)
		if err != nil {
			t.Fatal(err)
		}
		m.Moves = append(m.Moves, p)
	}
	return m.Position()
}

// ready returns a search of a position that only its nodes end.
func ready(p *match.Position, nodes int) *search {
	s := newSearch(tableBits)
	s.late = func() bool { return false }
	s.board.setUp(p)
	s.budget = nodes
	return s
}

// TestCollisions searches with a table whose entries tell lies about other
// positions: the move must be legal and the board as it was all the same.
func TestCollisions(t *testing.T) {
	p := balanced(t)
	luck := rand.New(rand.NewPCG(3, 4))
	s := ready(&p, 3_000)
	k := skills[match.Master]
	s.think(k, luck)
	for range 20 {
		for i := range s.table.entries {
			s.table.entries[i].move = int16(luck.IntN(2*cells) - cells/2)
		}
		for i := range s.fours.entries {
			s.fours.entries[i].move = int16(luck.IntN(2*cells) - cells/2)
		}
		before := viewOf(&s.board)
		s.think(k, luck)
		if len(s.roots) == 0 || !s.board.empty(s.roots[0].cell) {
			t.Fatalf("plays %v", s.roots)
		}
		if viewOf(&s.board) != before {
			t.Fatal("the board is another one after the search")
		}
	}
}

// TestNoAllocations searches ten times as many nodes and allocates no more.
func TestNoAllocations(t *testing.T) {
	p := balanced(t)
	s := ready(&p, 20_000)
	luck := rand.New(rand.NewPCG(3, 4))
	n := testing.AllocsPerRun(5, func() {
		s.forget(true)
		s.think(skills[match.Master], luck)
	})
	if n > 0 {
		t.Errorf("%v allocations in a search of 20,000 positions", n)
	}
}

// TestBarred compares the board's forbidden points with package match's.
func TestBarred(t *testing.T) {
	data, err := os.ReadFile("../testdata/renju_forbidden.txt")
	if err != nil {
		t.Fatal(err)
	}
	rules := match.GomokuRules(15, match.Renju)
	b, found := new(board), 0
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		f := strings.Fields(line)
		m := match.Match{Rules: rules}
		black, white := cellsOf(t, f[0]), cellsOf(t, f[1])
		for n := range max(len(black), len(white)) {
			for _, of := range [][]match.Point{black, white} {
				if n < len(of) {
					m.Moves = append(m.Moves, of[n])
				} else {
					m.Moves = append(m.Moves, match.Pass)
				}
			}
		}
		p := m.Position()
		b.setUp(&p)
		before := viewOf(b)
		for _, at := range p.Empties() {
			want := p.Forbidden(at) != ""
			if want {
				found++
			}
			if got := !b.legal(index(at)); got != want {
				t.Errorf("position %d: %s is forbidden: %v, want %v (%s)", i+1, at, got, want, p.Forbidden(at))
			}
		}
		if viewOf(b) != before {
			t.Fatalf("position %d: the board is another one after the look", i+1)
		}
	}
	if found == 0 {
		t.Error("no forbidden point in all positions")
	}
}

func cellsOf(t testing.TB, s string) (out []match.Point) {
	for s != "" {
		n := 1
		for n < len(s) && s[n] <= '9' {
			n++
		}
		p, err := match.GomokuRules(15, match.Renju).ParsePoint(s[:n])
		if err != nil {
			t.Fatal(err)
		}
		out, s = append(out, p), s[n:]
	}
	return out
}

// BenchmarkSearch counts the positions searched in a second, from a balanced opening and
// from the board with one stone in its centre.
func BenchmarkSearch(b *testing.B) {
	centre := match.GomokuRules(15, match.Freestyle).Start()
	centre, _, _ = centre.Place(centre.Rules().Centre())
	for name, p := range map[string]match.Position{"balanced": balanced(b), "centre": centre} {
		b.Run(name, func(b *testing.B) {
			s, nodes, depth := ready(&p, 100_000), 0, 0
			luck := rand.New(rand.NewPCG(3, 4))
			for b.Loop() {
				s.forget(true)
				s.think(skills[match.Master], luck)
				nodes, depth = nodes+s.nodes, s.depth
			}
			b.ReportMetric(float64(nodes)/b.Elapsed().Seconds(), "nodes/s")
			b.ReportMetric(float64(depth), "depth")
		})
	}
}

// BenchmarkPut puts and takes back a stone, without search.
func BenchmarkPut(b *testing.B) {
	p := balanced(b)
	s := ready(&p, math.MaxInt)
	for b.Loop() {
		s.board.put(6*side + 8)
		s.board.takeBack()
	}
}
