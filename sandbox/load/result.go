package load

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"rowbot/sandbox"
)

// Result is what came of a run. Times of interactions are in milliseconds, memory in megabytes of 1024*1024 bytes.
type Result struct {
	Options      string  `json:"options"`             // what was played, in words
	CutShort     bool    `json:"cut_short,omitempty"` // it was interrupted
	Interactions int     `json:"interactions"`
	Seconds      float64 `json:"seconds"`
	PerSecond    float64 `json:"per_second"`
	Latency      Latency `json:"latency_ms"` // to the first answer

	Unanswered int `json:"unanswered"`
	Unknown    int `json:"unknown"` // unanswered, while their copy was killed
	Late       int `json:"late"`    // answers that came when the time was over
	Doubled    int `json:"doubled"` // answers to what was answered already
	Refused    int `json:"refused"` // requests of the bot that Discord would refuse as badly formed

	Kinds         map[string]int `json:"kinds"`
	Matches       int            `json:"matches_finished"`
	Ends          map[string]int `json:"ends"`
	BoardsChecked int            `json:"boards_checked"` // those of the warm-up and the end, too
	BoardsWrong   int            `json:"boards_wrong"`
	Errors        int            `json:"errors"` // answers that did not fit what was asked, and other faults
	Differences   []string       `json:"differences,omitempty"`

	Copies        []Copy  `json:"copies"`
	Killed        int     `json:"killed"`
	FailedStarts  int     `json:"failed_starts"` // of the killed copy, before it was back
	BotCPUSeconds float64 `json:"bot_cpu_seconds"`
	PerCPUSecond  float64 `json:"per_bot_cpu_second"`
	OwnCPUSeconds float64 `json:"own_cpu_seconds"` // of the people and the stand-in
	Memory        []Point `json:"memory"`

	before sandbox.Stats
}

// Latency is how long people waited for the first answer.
type Latency struct {
	P50 float64 `json:"p50"`
	P90 float64 `json:"p90"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

// Copy is what one copy of the bot took, also as several processes one after the other.
type Copy struct {
	CPUSeconds float64 `json:"cpu_seconds"`
	PeakMB     float64 `json:"peak_mb"`
	LastMB     float64 `json:"last_mb"`
}

// Point is the memory at one moment.
type Point struct {
	Second int       `json:"second"` // since the measuring began
	Bot    []float64 `json:"bot_mb"` // of each copy
	Own    float64   `json:"own_mb"`
}

// Right tells whether everything was as it should be: no board was wrong, no move lost or doubled, and nothing went
// unanswered but what a killed copy was at work on.
func (r *Result) Right() bool {
	return r.BoardsWrong == 0 && r.Errors == 0 && r.Unanswered == 0 && r.Refused == 0
}

func (r *Result) begin(s sandbox.Stats) { r.before = s }

func (r *Result) finish(s sandbox.Stats) {
	r.Late, r.Doubled, r.Refused = s.Late-r.before.Late, s.Doubled-r.before.Doubled, s.Refused-r.before.Refused
}

// Text is the result for people to read.
func (r *Result) Text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("%s", r.Options)
	if r.CutShort {
		line("cut short     what follows is of the time until then; the matches that had not ended were not looked at again")
	}
	line("interactions  %d in %.1f s, %.1f a second", r.Interactions, r.Seconds, r.PerSecond)
	line("latency       p50 %.1f ms, p90 %.1f ms, p99 %.1f ms, max %.1f ms", r.Latency.P50, r.Latency.P90, r.Latency.P99, r.Latency.Max)
	line("no answer     %d unanswered, %d unknown (a copy was being killed), %d too late, %d twice", r.Unanswered, r.Unknown, r.Late, r.Doubled)
	line("kinds         %s", listed(r.Kinds))
	line("matches       %d finished (%s)", r.Matches, listed(r.Ends))
	line("boards        %d checked, %d wrong", r.BoardsChecked, r.BoardsWrong)
	line("errors        %d", r.Errors)
	for _, d := range r.Differences {
		line("              %s", d)
	}
	if r.Refused > 0 {
		line("refused       %d requests of the bot were badly formed", r.Refused)
	}
	line("processor     bot %.2f s, %.0f interactions a second of it; people and stand-in %.2f s", r.BotCPUSeconds, r.PerCPUSecond, r.OwnCPUSeconds)
	for i, c := range r.Copies {
		line("copy %-2d       %.2f s of processor, memory %.1f MB at last, %.1f MB at most", i+1, c.CPUSeconds, c.LastMB, c.PeakMB)
	}
	if r.FailedStarts > 0 {
		line("starts        %d of the killed copy failed before it was back", r.FailedStarts)
	}
	line("memory        %s (second: MB of each copy, of this process)", course(r.Memory))
	return b.String()
}

func listed(counts map[string]int) string {
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%s %d", key, counts[key]))
	}
	return strings.Join(parts, ", ")
}

func course(points []Point) string {
	var parts []string
	for _, p := range thin(points, 6) {
		var mb []string
		for _, m := range p.Bot {
			mb = append(mb, fmt.Sprintf("%.0f", m))
		}
		parts = append(parts, fmt.Sprintf("%d: %s, %.0f", p.Second, strings.Join(mb, " "), p.Own))
	}
	return strings.Join(parts, "; ")
}
