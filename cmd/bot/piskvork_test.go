package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
	"rowbot/match/engine"
)

// talk gives the program lines and returns its answers, messages left out.
func talk(t *testing.T, e chooser, lines ...string) []string {
	t.Helper()
	var out strings.Builder
	k := &piskvork{engine: e, level: match.Easy, seed: 1, now: time.Now}
	if err := k.speak(t.Context(), strings.NewReader(strings.Join(lines, "\r\n")+"\r\n"), &out); err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// firstFree plays the first free cell and notes what it was asked.
type firstFree struct {
	asked  []match.Position
	limit  []time.Duration
	memory []int64
	now    time.Time
}

func (f *firstFree) Prepare(match.Rules) {}

func (f *firstFree) Limit(bytes int64) { f.memory = append(f.memory, bytes) }

func (f *firstFree) Choose(ctx context.Context, p *match.Position, _ match.Level, _ uint64) (match.Point, error) {
	f.asked = append(f.asked, *p)
	end, _ := ctx.Deadline()
	f.limit = append(f.limit, end.Sub(f.now))
	return p.Empties()[0], nil
}

func TestPiskvork(t *testing.T) {
	for _, test := range []struct {
		name        string
		lines, want []string
	}{
		{"a game", []string{"START 15", "BEGIN", "TURN 7,7", "TURN 1,0", "END", "BEGIN"}, []string{"OK", "0,0", "1,0", "ERROR that cell is taken or not on the board"}},
		{"small letters", []string{"start 15", "begin", "turn 3, 4", "end"}, []string{"OK", "0,0", "1,0"}},
		{"sizes", []string{"START 4", "START 21", "START x", "START 5", "START 20"}, []string{"ERROR " + errSize.Error(), "ERROR " + errSize.Error(), "ERROR " + errSize.Error(), "OK", "OK"}},
		{"rectangles", []string{"RECTSTART 15,16", "RECTSTART 19,19", "RECTSTART 1"}, []string{"ERROR " + errSize.Error(), "OK", "ERROR " + errSize.Error()}},
		{
			"before START",
			[]string{"BEGIN", "TURN 1,1", "BOARD", "1,1,1", "DONE", "RESTART", "YXSHOWFORBID", "TAKEBACK 1,1"},
			[]string{"ERROR " + errNotStarted.Error(), "ERROR " + errNotStarted.Error(), "ERROR " + errNotStarted.Error(), "ERROR " + errNotStarted.Error(), "ERROR " + errNotStarted.Error(), "ERROR " + errNotStarted.Error()},
		},
		{
			"wrong points",
			[]string{"START 15", "TURN", "TURN 1", "TURN 15,0", "TURN -1,0", "TURN 300,0"},
			[]string{"OK", "ERROR " + errPoint.Error(), "ERROR " + errPoint.Error(), "ERROR " + errTaken.Error(), "ERROR " + errTaken.Error(), "ERROR " + errTaken.Error()},
		},
		{"a board", []string{"START 15", "BOARD", "0,0,1", "1,0,2", "", "DONE", "TURN 2,2"}, []string{"OK", "2,0", "3,0"}},
		{"an empty board", []string{"START 15", "BOARD", "DONE"}, []string{"OK", "0,0"}},
		{
			"a wrong board changes nothing",
			[]string{"START 15", "BOARD", "0,0,1", "0,0,2", "DONE", "BOARD", "1,1", "DONE", "BOARD", "1,1,4", "DONE", "TURN 0,0"},
			[]string{"OK", "ERROR " + errTaken.Error(), "ERROR " + errPoint.Error(), "ERROR " + errBoardLine.Error(), "1,0"},
		},
		{
			"taking back",
			[]string{"START 15", "BEGIN", "TURN 5,5", "TAKEBACK 9,9", "TAKEBACK 1,0", "TAKEBACK 5,5", "TURN 6,6"},
			[]string{"OK", "0,0", "1,0", "ERROR only the last stone can be taken back", "OK", "OK", "1,0"},
		},
		{"starting again", []string{"START 15", "BEGIN", "RESTART", "BEGIN", "START 19", "TURN 18,18"}, []string{"OK", "0,0", "OK", "0,0", "OK", "0,0"}},
		{"unknown", []string{"SUGGEST 1,1", "YXHASHCLEAR"}, []string{"UNKNOWN SUGGEST", "UNKNOWN YXHASHCLEAR"}},
		{
			"a position without search",
			[]string{"START 15", "INFO rule 4", "YXBOARD", "7,7,1", "1,1,2", "8,7,1", "1,2,2", "6,6,1", "1,3,2", "6,5,1", "1,4,2", "DONE", "YXSHOWFORBID"},
			[]string{"OK", "FORBID 0607."},
		},
		{
			"forbidden points when white is to move",
			[]string{"START 15", "INFO rule 4", "YXBOARD", "7,7,2", "1,1,1", "8,7,2", "1,2,1", "6,6,2", "1,3,1", "6,5,2", "DONE", "YXSHOWFORBID"},
			[]string{"OK", "FORBID 0607."},
		},
		{
			"freestyle forbids nothing",
			[]string{"START 15", "YXBOARD", "7,7,1", "1,1,2", "8,7,1", "1,2,2", "6,6,1", "1,3,2", "6,5,1", "1,4,2", "DONE", "YXSHOWFORBID"},
			[]string{"OK", "FORBID ."},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, talk(t, &firstFree{}, test.lines...)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPiskvorkSides gives boards with either side to move, and with too few
// stones of one side.
func TestPiskvorkSides(t *testing.T) {
	at := func(x, y int8) match.Point { return match.Point{Col: x, Row: y} }
	for _, test := range []struct {
		name  string
		lines []string
		turn  match.Stone
		own   []match.Point
	}{
		{"black", []string{"0,0,1", "1,0,2"}, match.Black, []match.Point{at(0, 0)}},
		{"white", []string{"0,0,2"}, match.White, nil},
		{"white, its stones first", []string{"5,5,1", "0,0,2", "1,1,2"}, match.White, []match.Point{at(5, 5)}},
		{"black without stones", []string{"5,5,2", "6,6,2"}, match.Black, nil},
		{"white without the others' stones", []string{"5,5,1"}, match.White, []match.Point{at(5, 5)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := &firstFree{}
			talk(t, f, append(append([]string{"START 15", "BOARD"}, test.lines...), "DONE")...)
			p := f.asked[0]
			if p.Turn() != test.turn || p.Placed() != len(test.lines) {
				t.Errorf("%v to move, %d stones", p.Turn(), p.Placed())
			}
			for _, c := range test.own {
				if p.At(c) != test.turn {
					t.Errorf("%s is not the mover's", c)
				}
			}
		})
	}
}

func TestPiskvorkInfo(t *testing.T) {
	now := time.Unix(1000, 0)
	for _, test := range []struct {
		info    []string
		limit   time.Duration
		variant match.Variant
	}{
		{nil, defaultTurn, match.Freestyle},
		{[]string{"INFO timeout_turn 3000", "INFO rule 1"}, 3 * time.Second, match.Standard},
		{[]string{"INFO timeout_turn 0"}, leastTurn, match.Freestyle},
		{[]string{"INFO timeout_turn 5000", "INFO timeout_match 60000", "INFO time_left 12000", "INFO rule 4"}, time.Second, match.Renju},
		{[]string{"INFO timeout_turn 5000", "INFO timeout_match 24000"}, 2 * time.Second, match.Freestyle},
		{[]string{"INFO rule 3"}, defaultTurn, match.Standard},
		{[]string{"INFO rule 2"}, defaultTurn, match.Freestyle},
		{[]string{"INFO rule 5"}, defaultTurn, match.Renju},
		{[]string{"INFO rule 1", "INFO rule -1", "INFO rule 8"}, defaultTurn, match.Standard},
		{[]string{"INFO timeout_turn 500", "INFO timeout_match 0", "INFO time_left 2147483647", "INFO max_memory 1", "INFO folder /", "INFO rule 9", "INFO"}, 500 * time.Millisecond, match.Freestyle},
	} {
		f := &firstFree{now: now}
		k := &piskvork{engine: f, now: func() time.Time { return now }}
		in := strings.Join(append(append([]string{"START 15"}, test.info...), "BEGIN"), "\n")
		if err := k.speak(t.Context(), strings.NewReader(in), &strings.Builder{}); err != nil {
			t.Fatal(err)
		}
		if f.limit[0] != test.limit || f.asked[0].Rules().Variant != test.variant {
			t.Errorf("%v: limit %s, rules %v", test.info, f.limit[0], f.asked[0].Rules())
		}
	}
}

// TestEngineCommand plays some moves with the engine itself, on the largest board.
func TestEngineCommand(t *testing.T) {
	got := talk(t, new(engine.Engine), "START 20", "BEGIN", "TURN 0,0", "TURN 19,19", "ABOUT")
	if len(got) != 5 || !strings.HasPrefix(got[4], `name="Rowbot", version="`) {
		t.Fatal(got)
	}
	var x, y int
	for _, line := range got[1:4] {
		if n, err := fmt.Sscanf(line, "%d,%d", &x, &y); n != 2 || err != nil || x < 0 || y < 0 || x > 19 || y > 19 {
			t.Errorf("the move is %q", line)
		}
	}
}

// TestPiskvorkMemory passes the limit of memory on.
func TestPiskvorkMemory(t *testing.T) {
	f := &firstFree{}
	talk(t, f, "START 15", "INFO max_memory 83886080", "INFO max_memory 0", "INFO max_memory x")
	if diff := cmp.Diff([]int64{80 << 20, 0}, f.memory); diff != "" {
		t.Error(diff)
	}
}

// pondering thinks until it is told to stop.
type pondering struct {
	firstFree
	began chan struct{}
}

func (p *pondering) Choose(ctx context.Context, pos *match.Position, _ match.Level, _ uint64) (match.Point, error) {
	close(p.began)
	<-ctx.Done()
	return pos.Empties()[0], nil
}

// TestPiskvorkEnd sends END in the middle of a long thought: the move and the
// end come long before its time is over.
func TestPiskvorkEnd(t *testing.T) {
	in, input := io.Pipe()
	p := &pondering{began: make(chan struct{})}
	k := &piskvork{engine: p, now: time.Now}
	var out strings.Builder
	ended := make(chan error)
	go func() { ended <- k.speak(t.Context(), in, &out) }()
	for _, line := range []string{"START 15", "INFO timeout_turn 3600000", "BEGIN"} {
		if _, err := fmt.Fprintln(input, line); err != nil {
			t.Fatal(err)
		}
	}
	<-p.began
	if _, err := fmt.Fprintln(input, "END"); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if want := "OK\n0,0\n"; out.String() != want {
		t.Errorf("it says %q, not %q", out.String(), want)
	}
}

// TestPiskvorkStopped ends the context while nothing is being said.
func TestPiskvorkStopped(t *testing.T) {
	in, input := io.Pipe()
	defer input.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	k := &piskvork{engine: &firstFree{}, now: time.Now}
	if err := k.speak(ctx, in, &strings.Builder{}); err != nil {
		t.Error(err)
	}
}

// TestPiskvorkTimeLeft counts the match's time down where the other side does not.
func TestPiskvorkTimeLeft(t *testing.T) {
	now := time.Unix(1000, 0)
	k := &piskvork{now: func() time.Time { return now }}
	f := &thinking{now: &now, takes: 6 * time.Second}
	k.engine = f
	in := strings.NewReader("START 15\nINFO timeout_match 24000\nINFO timeout_turn 5000\nBEGIN\nTURN 9,9\nTURN 9,8\n")
	if err := k.speak(t.Context(), in, &strings.Builder{}); err != nil {
		t.Fatal(err)
	}
	want := []time.Duration{2 * time.Second, 1500 * time.Millisecond, time.Second}
	if diff := cmp.Diff(want, f.limit); diff != "" {
		t.Error(diff)
	}
}

// thinking takes a time for each move, by a clock of its own.
type thinking struct {
	firstFree
	now   *time.Time
	takes time.Duration
}

func (f *thinking) Choose(ctx context.Context, p *match.Position, level match.Level, seed uint64) (match.Point, error) {
	f.firstFree.now = *f.now
	at, err := f.firstFree.Choose(ctx, p, level, seed)
	*f.now = f.now.Add(f.takes)
	return at, err
}
