package match

import (
	"fmt"
	"testing"
)

// weave returns a 19x19 board with about so many stones, spread evenly and
// without five in a row, and the cells that they lie on.
func weave(stones int) (*Position, []Point) {
	p := GomokuRules(19, Freestyle).Start()
	var on []Point
	for i := range stones {
		n := i * p.rules.Cells() / stones
		at := Point{Col: int8(n % 19), Row: int8(n / 19)}
		p.turn = White
		if (int(at.Col)/2+int(at.Row))%2 == 0 {
			p.turn = Black
		}
		p.put(at)
		on = append(on, at)
	}
	return &p, on
}

// star returns a 19x19 board with the longest lines that can be looked at and
// yet win nothing: four stones on each of the eight sides of the centre, which
// make overlines where exactly five win.
func star() (*Position, []Point) {
	p := GomokuRules(19, Standard).Start()
	for col := range p.rules.Cols {
		for row := range p.rules.Rows {
			at := Point{Col: col, Row: row}
			dc, dr := abs(int(col)-9), abs(int(row)-9)
			p.turn = White
			if max(dc, dr) < 5 && (dc == dr || dc == 0 || dr == 0) {
				p.turn = Black
			}
			p.put(at)
		}
	}
	return &p, []Point{p.rules.Centre()}
}

// BenchmarkWin is the search for a line through the last stone alone, on a
// nearly empty, a half full and a full board, over all their stones. What the
// cost depends on is the stones of the same side next to the last one, so the
// most of them that there can be is measured too: no board costs more.
func BenchmarkWin(b *testing.B) {
	for _, stones := range []int{1, 180, 360} {
		b.Run(fmt.Sprintf("stones=%d", stones), func(b *testing.B) {
			p, on := weave(stones)
			benchmarkWins(b, p, on)
		})
	}
	b.Run("longest", func(b *testing.B) {
		p, on := star()
		benchmarkWins(b, p, on)
	})
}

// benchmarkWins looks for a line through one stone after the other; there is none.
func benchmarkWins(b *testing.B, p *Position, on []Point) {
	for _, at := range on {
		if p.wins(at) {
			b.Fatalf("the stone on %v wins", at)
		}
	}
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		if p.wins(on[i]) {
			b.Fatal("won")
		}
		if i++; i == len(on) {
			i = 0
		}
	}
}

// BenchmarkPlace is one stone put down, with the copy of the board that a value costs.
func BenchmarkPlace(b *testing.B) {
	p, _ := weave(180)
	at := p.Empties()[0]
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := p.Place(at); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReplay rebuilds the position of a match of 200 moves.
func BenchmarkReplay(b *testing.B) {
	m := Match{Rules: GomokuRules(19, Freestyle)}
	for n := range int8(100) {
		m.Moves = append(m.Moves, Point{Col: n % 19, Row: n / 19}, Point{Col: n % 19, Row: 18 - n/19})
	}
	b.ReportAllocs()
	for b.Loop() {
		if p := m.Position(); p.Placed() != 200 {
			b.Fatalf("%d stones", p.Placed())
		}
	}
}

// BenchmarkHeat weighs all cells of a half full 19x19 board.
func BenchmarkHeat(b *testing.B) {
	p, _ := weave(180)
	b.ReportAllocs()
	for b.Loop() {
		if h := p.Heat(); h == nil {
			b.Fatal("no heat")
		}
	}
}

// BenchmarkRandomMove is Rowbot's choice on a half full 19x19 board.
func BenchmarkRandomMove(b *testing.B) {
	p, _ := weave(180)
	seed := uint64(0)
	b.ReportAllocs()
	for b.Loop() {
		if at := RandomMove(p, seed); p.At(at) != Empty {
			b.Fatalf("%v is taken", at)
		}
		seed++
	}
}
