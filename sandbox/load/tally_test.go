package load

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

func at(ms int) time.Time { return noon.Add(time.Duration(ms) * time.Millisecond) }

// Only what begins while measuring counts, and an answer's latency is counted from when it was due.
func TestTally(t *testing.T) {
	c := newTally()
	c.answered("click", at(-5000), at(-4990)) // before the measuring is open
	c.open(at(0))
	c.answered("click", at(-1), at(5)) // begun in the warm-up
	for i := range 98 {
		c.answered("click", at(i), at(i+10))
	}
	c.answered("move", at(500), at(700))
	c.answered("move", at(600), at(1000))
	c.ended("line", at(900))
	c.ended("line", at(-900))
	c.lost("click", true)
	c.board("")
	c.board("a1 shows X")
	c.amiss("a click was answered with: Oh dear")
	c.shut(at(2000))
	c.answered("click", at(2000), at(2001)) // too late
	c.lost("click", false)
	var r Result
	c.fill(&r)
	want := Result{
		Interactions: 100, Seconds: 2, PerSecond: 50, Unanswered: 1, Unknown: 1, BoardsChecked: 2, BoardsWrong: 1, Errors: 1,
		Kinds: map[string]int{"click": 98, "move": 2}, Matches: 1, Ends: map[string]int{"line": 1},
		Differences: []string{"a1 shows X", "a click was answered with: Oh dear", "click: no answer came"}, Latency: r.Latency,
	}
	if diff := cmp.Diff(want, r, cmp.AllowUnexported(Result{})); diff != "" {
		t.Error(diff)
	}
	near := func(got, want float64) bool { return got > want*0.995 && got < want*1.005 }
	if l := r.Latency; !near(l.P50, 10) || !near(l.P90, 10) || !near(l.P99, 200) || !near(l.Max, 400) {
		t.Errorf("latency %+v, want 10, 10, 200, 400", l)
	}
	if r.Right() || !strings.Contains(r.Text(), "100 in 2.0 s, 50.0 a second") {
		t.Error(r.Text())
	}
	for range 50 {
		c.amiss("x")
	}
	if c.fill(&r); len(r.Differences) != keptDifferences || r.Errors != 51 || r.BoardsWrong != 1 {
		t.Errorf("%d of %d are told, and %d wrong boards", len(r.Differences), r.Errors, r.BoardsWrong)
	}
}

// An open loop does not wait for answers: what was due is begun late, and says when it was due.
func TestPace(t *testing.T) {
	now := noon
	p := &pace{start: noon, every: 10 * time.Millisecond, until: at(50), now: func() time.Time { return now }, full: func() bool { return false }}
	now = at(35)
	var got []time.Time
	for {
		due, ok := p.next(t.Context())
		if !ok {
			break
		}
		got = append(got, due)
		if len(got) == 4 {
			now = at(45) // instead of waiting
		}
	}
	if diff := cmp.Diff([]time.Time{at(0), at(10), at(20), at(30), at(40)}, got); diff != "" {
		t.Error(diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p = &pace{start: at(0), every: time.Hour, until: at(1 << 30), now: func() time.Time { return now }, full: func() bool { return false }}
	p.taken.Store(1)
	if _, ok := p.next(ctx); ok {
		t.Error("a turn after the end")
	}
	full := false
	p = &pace{until: at(50), now: func() time.Time { return now }, full: func() bool { return full }}
	if due, ok := p.next(t.Context()); !ok || !due.IsZero() {
		t.Errorf("a closed loop: %v %v", due, ok)
	}
	if full = true; false {
		t.Log()
	}
	if _, ok := p.next(t.Context()); ok {
		t.Error("enough was done, and more is begun")
	}
	full, now = false, at(50)
	if _, ok := p.next(t.Context()); ok {
		t.Error("the time is over, and more is begun")
	}
}

func TestUsage(t *testing.T) {
	stat := "4711 (a (strange) name) S 1 4711 4711 0 -1 4194304 1 2 3 4 123 45 6 7 20 0 9 0 100 200 300"
	if got := parseStat([]byte(stat)); got != 1680*time.Millisecond {
		t.Errorf("processor time %v, want 1.68s", got)
	}
	status := []byte("Name:\tbot\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n")
	if now, peak := parseStatus(status, "VmRSS:"), parseStatus(status, "VmHWM:"); now != 1<<20 || peak != 2<<20 {
		t.Errorf("memory %d, at most %d", now, peak)
	}
	for _, s := range []string{"", "1 (x", "1 (x) S 1"} {
		if got := parseStat([]byte(s)); got != 0 {
			t.Errorf("%q: %v", s, got)
		}
	}
	if now, peak := memory(os.Getpid()); now <= 0 || peak < now {
		t.Errorf("this process has %d, at most %d", now, peak)
	}
}

// Over the gateway only the dead copy's own servers are excused; behind a balancer only what it was at work on.
func TestExcuses(t *testing.T) {
	mine, other := "1191235050012672000", "1191235050016866304" // a millisecond later
	gate := &crew{o: Options{Via: Gateway, Shards: 2}, copies: []*process{{}, {number: 1}}}
	web := &crew{o: Options{Via: Webhook, Shards: 2}, copies: gate.copies}
	alone := &crew{o: Options{Via: Webhook}, copies: gate.copies[:1]}
	if gate.copyOf(mine) != 0 || gate.copyOf(other) != 1 {
		t.Fatalf("the servers are of copies %d and %d", gate.copyOf(mine), gate.copyOf(other))
	}
	for _, c := range []*crew{gate, web, alone} {
		if c.excuses(mine, at(0), at(3000)) {
			t.Error("nobody died")
		}
		c.deaths = []death{{copy: 0, from: at(1000), to: at(5000)}}
	}
	for _, c := range []struct {
		name     string
		crew     *crew
		guild    string
		from, to int
		want     bool
	}{
		{"over before", gate, mine, 0, 999, false},
		{"under way", gate, mine, 900, 3900, true},
		{"while dead", gate, mine, 4900, 7900, true},
		{"back again", gate, mine, 5001, 8000, false},
		{"the other copy's", gate, other, 2000, 5000, false},
		{"under way", web, other, 900, 1001, true},
		{"while dead", web, mine, 1600, 4600, false},
		{"while the only one is dead", alone, mine, 1600, 1601, true},
	} {
		if got := c.crew.excuses(c.guild, at(c.from), at(c.to)); got != c.want {
			t.Errorf("%s by %s: excused %v", c.name, c.crew.o.Via, got)
		}
	}
}

func TestValidate(t *testing.T) {
	for word, change := range map[string]func(*Options){
		"--people": func(o *Options) { o.People = 1 }, "--servers": func(o *Options) { o.Servers = 0 }, "--at-once": func(o *Options) { o.AtOnce = 0 },
		"--copies": func(o *Options) { o.Copies = 0 }, "--rate": func(o *Options) { o.Rate = -1 }, "--for": func(o *Options) { o.For, o.Interactions = 0, 0 },
		"--games": func(o *Options) { o.Games = []string{"chess"} }, "below zero": func(o *Options) { o.Kill = -1 },
		"--shards": func(o *Options) { o.Via, o.Copies, o.Shards = Gateway, 3, 2 }, "another program": func(o *Options) { o.Other, o.Copies = true, 2 },
	} {
		o := plan()
		if err := o.Validate(); err != nil {
			t.Fatal(err)
		}
		change(&o)
		if err := o.Validate(); err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("%s: %v", word, err)
		}
	}
	if got := (Options{Servers: 10_000, Copies: 2}).shards(); got != 10 {
		t.Errorf("%d shards for 10,000 servers", got)
	}
}
