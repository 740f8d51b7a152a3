package match_test

import (
	"os"
	"strings"
	"testing"

	"rowbot/match"
)

// benchPositions are the positions that others agree on: stones close together,
// and forbidden cells in most of them.
func benchPositions(b *testing.B) (list []match.Position) {
	b.Helper()
	data, err := os.ReadFile("testdata/renju_forbidden.txt")
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		list = append(list, setRenju(packed(f[0]), packed(f[1])))
	}
	return list
}

// BenchmarkForbidden is the look at one cell: over all cells of those boards,
// as a search does it, and over the forbidden ones alone, which cost most.
func BenchmarkForbidden(b *testing.B) {
	list := benchPositions(b)
	b.Run("all", func(b *testing.B) {
		cells := every(list[0].Rules())
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			list[i/len(cells)%len(list)].Forbidden(cells[i%len(cells)])
		}
	})
	b.Run("forbidden", func(b *testing.B) {
		var hard []match.Position
		var at []match.Point
		for _, p := range list {
			for _, c := range p.ForbiddenPoints() {
				hard, at = append(hard, p), append(at, c)
			}
		}
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			hard[i%len(hard)].Forbidden(at[i%len(at)])
		}
	})
}

// BenchmarkForbiddenPoints is the look at a whole board, as it is drawn.
func BenchmarkForbiddenPoints(b *testing.B) {
	list := benchPositions(b)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		list[i%len(list)].ForbiddenPoints()
	}
}
