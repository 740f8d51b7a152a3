package engine_test

import (
	"context"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/match/engine"
)

// BenchmarkSecond is how far Master comes in the second that it may think about
// the answer to one stone in the centre, each time with nothing learnt before.
func BenchmarkSecond(b *testing.B) {
	p := match.GomokuRules(15, match.Freestyle).Start()
	p, _, _ = p.Place(p.Rules().Centre())
	var depth, nodes int
	for b.Loop() {
		e := &engine.Engine{Now: time.Now, Watch: func(t engine.Thought) { depth, nodes = depth+t.Depth, nodes+t.Nodes }}
		ctx, cancel := context.WithTimeout(b.Context(), match.ThinkingTime)
		if _, err := e.Choose(ctx, &p, match.Master, 1); err != nil {
			b.Fatal(err)
		}
		cancel()
	}
	b.ReportMetric(float64(depth)/float64(b.N), "depth")
	b.ReportMetric(float64(nodes)/float64(b.N), "nodes")
}

// BenchmarkLevels is the time of a move of the levels that do not think by the
// clock, over the positions of testdata/defences.txt: its mean, and the longest.
func BenchmarkLevels(b *testing.B) {
	all := puzzles(b, "defences.txt")
	e := new(engine.Engine)
	e.Prepare(match.GomokuRules(15, match.Freestyle))
	for _, level := range []match.Level{match.Easy, match.Medium, match.Hard} {
		b.Run(level.String(), func(b *testing.B) {
			var longest time.Duration
			n := 0
			for b.Loop() {
				began := time.Now()
				if _, err := e.Choose(b.Context(), &all[n%len(all)].position, level, 1); err != nil {
					b.Fatal(err)
				}
				longest = max(longest, time.Since(began))
				n++
			}
			b.ReportMetric(float64(longest.Milliseconds()), "longest-ms")
		})
	}
}
