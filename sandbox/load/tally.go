package load

import (
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// keptDifferences is how many of the things that were wrong are told in words.
const keptDifferences = 10

// tally counts what comes of the interactions. What began before the measuring is checked as all else is, but does not
// count as one of them.
type tally struct {
	mu    sync.Mutex
	from  time.Time // when the measuring begins; zero: not yet known
	until time.Time // when it ends; zero: not yet known
	last  time.Time // when the last one that counts was answered

	latency    *hdrhistogram.Histogram // in microseconds
	counted    int
	kinds      map[string]int
	ends       map[string]int
	boards     int
	wrong      int
	errors     int
	unanswered int
	unknown    int
	words      []string
}

func newTally() *tally {
	return &tally{
		latency: hdrhistogram.New(1, time.Minute.Microseconds(), 3), kinds: map[string]int{}, ends: map[string]int{},
	}
}

// measures tells whether something that began at a time counts; the lock is held.
func (c *tally) measures(began time.Time) bool {
	return !c.from.IsZero() && !began.Before(c.from) && (c.until.IsZero() || began.Before(c.until))
}

// open begins the measuring, shut ends it.
func (c *tally) open(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.from = at
}

func (c *tally) shut(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.until.IsZero() {
		c.until = at
	}
}

// answered counts an interaction of a kind that was due, or begun, at a time and has got its first answer.
func (c *tally) answered(kind string, due, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.measures(due) {
		return
	}
	c.counted++
	c.kinds[kind]++
	c.last = at
	micros := min(max(at.Sub(due).Microseconds(), 1), c.latency.HighestTrackableValue())
	if err := c.latency.RecordValue(micros); err != nil {
		c.note(fmt.Sprintf("a latency of %d µs cannot be counted", micros))
	}
}

// lost counts an interaction that nobody answered. It is excused where its copy of the bot was being killed.
func (c *tally) lost(kind string, excused bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if excused {
		c.unknown++
		return
	}
	c.unanswered++
	c.note(kind + ": no answer came")
}

// board counts a board that was compared, and what was wrong with it, if anything was.
func (c *tally) board(difference string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.boards++
	if difference != "" {
		c.wrong++
		c.note(difference)
	}
}

// amiss counts another fault, such as an answer that does not fit what was asked.
func (c *tally) amiss(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.errors++
	c.note(what)
}

// note keeps the first few things that were wrong; the lock is held.
func (c *tally) note(what string) {
	if len(c.words) < keptDifferences {
		c.words = append(c.words, what)
	}
}

// ended counts a match that ended in some way while measuring.
func (c *tally) ended(how string, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.measures(at) {
		c.ends[how]++
	}
}

// count is how many interactions counted so far.
func (c *tally) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.counted
}

// fill puts what was counted into the result.
func (c *tally) fill(r *Result) {
	c.mu.Lock()
	defer c.mu.Unlock()
	end := c.until
	if end.IsZero() || c.last.After(end) {
		end = c.last
	}
	r.Interactions = c.counted
	if seconds := end.Sub(c.from).Seconds(); !c.from.IsZero() && seconds > 0 {
		r.Seconds = seconds
		r.PerSecond = float64(c.counted) / seconds
	}
	r.Latency = Latency{
		P50: c.millis(50), P90: c.millis(90), P99: c.millis(99), Max: float64(c.latency.Max()) / 1000,
	}
	r.Unanswered, r.Unknown, r.BoardsChecked, r.BoardsWrong, r.Errors = c.unanswered, c.unknown, c.boards, c.wrong, c.errors
	r.Differences = append([]string(nil), c.words...)
	r.Kinds, r.Ends = maps.Clone(c.kinds), maps.Clone(c.ends)
	for _, n := range c.ends {
		r.Matches += n
	}
}

func (c *tally) millis(percent float64) float64 {
	return float64(c.latency.ValueAtQuantile(percent)) / 1000
}
