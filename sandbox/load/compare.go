package load

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// rounds is how often each of the two is measured.
const rounds = 3

// Comparison is Rowbot against a bot that answers all it is asked with one message, both in turn, so that a machine whose
// speed varies serves both alike. The ratios are the medians of those of neighbours.
type Comparison struct {
	Other     []*Result `json:"other"`
	Rowbot    []*Result `json:"rowbot"`
	PerSecond float64   `json:"per_second_ratio"`         // Rowbot's interactions a second by the other's
	Median    float64   `json:"median_latency_ratio"`     // Rowbot's median latency by the other's
	PerCPU    float64   `json:"per_bot_cpu_second_ratio"` // Rowbot's interactions in a second of its processor time by the other's
}

// Compare measures the program other, on whose first buttons people click, and Rowbot, with which they play gomoku by
// clicks on cells and nothing else. All else is as the options say.
func Compare(ctx context.Context, o Options, other string) (*Comparison, error) {
	o.Games, o.Against, o.Plain, o.Copies, o.Shards, o.Kill = []string{gomoku}, People, true, 1, 1, 0
	fixed := o
	fixed.Program, fixed.Args, fixed.Other, fixed.Script = other, nil, true, Clicks
	o.Script = Matches
	c := &Comparison{}
	for i := range rounds {
		for n, run := range []Options{fixed, o} {
			run.Dir = filepath.Join(o.Dir, strconv.Itoa(2*i+n))
			if err := os.Mkdir(run.Dir, 0o700); err != nil {
				return nil, fmt.Errorf("make a place for a run: %w", err)
			}
			r, err := Run(ctx, run)
			if err != nil {
				return nil, err
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if n == 0 {
				c.Other = append(c.Other, r)
			} else {
				c.Rowbot = append(c.Rowbot, r)
			}
		}
	}
	c.PerSecond = c.ratio(func(r *Result) float64 { return r.PerSecond })
	c.Median = c.ratio(func(r *Result) float64 { return r.Latency.P50 })
	c.PerCPU = c.ratio(func(r *Result) float64 { return r.PerCPUSecond })
	return c, nil
}

// ratio is the median of Rowbot's figure by the other's before it.
func (c *Comparison) ratio(figure func(*Result) float64) float64 {
	var all []float64
	for i, r := range c.Rowbot {
		if other := figure(c.Other[i]); other > 0 {
			all = append(all, figure(r)/other)
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// Right tells whether everything was as it should be in all runs.
func (c *Comparison) Right() bool {
	return !slices.ContainsFunc(slices.Concat(c.Other, c.Rowbot), func(r *Result) bool { return !r.Right() })
}

// Text is the comparison for people to read.
func (c *Comparison) Text() string {
	var b strings.Builder
	line := func(who string, r *Result) {
		fmt.Fprintf(&b, "%-8s %8.1f a second, p50 %.1f ms, p99 %.1f ms, %.0f a second of the bot's processor\n",
			who, r.PerSecond, r.Latency.P50, r.Latency.P99, r.PerCPUSecond)
		for _, d := range r.Differences {
			fmt.Fprintf(&b, "         %s\n", d)
		}
	}
	for i := range c.Rowbot {
		line("other", c.Other[i])
		line("Rowbot", c.Rowbot[i])
	}
	fmt.Fprintf(&b, "Rowbot by the other: %.2f times the interactions a second, %.2f times the median latency, %.2f times the interactions a second of processor\n",
		c.PerSecond, c.Median, c.PerCPU)
	return b.String()
}
