package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rowbot/persistence/pgtest"
	generator "rowbot/sandbox/load"
)

// A few people play against the program as a process, either way, and every board is right.
func TestGenerator(t *testing.T) {
	for _, args := range []string{
		"--via gateway --copies 2 --servers 6", "--via webhook --against bot --games ttt", "--via webhook --copies 2 --kill 100ms", "--via webhook --kill 100ms",
		"--script clicks --games gomoku",
	} {
		t.Run(args, func(t *testing.T) {
			t.Parallel()
			if strings.Contains(args, "--copies") {
				args += " --store " + pgtest.Database(t)
			}
			line := "load --json --people 60 --servers 6 --at-once 4 --think 0s --interactions 300 --warm-up 300ms " + args
			status, stdout, stderr := do(t, []string{runsMain + "=1"}, strings.Fields(line)...)
			var r generator.Result
			if err := json.Unmarshal([]byte(stdout), &r); err != nil || status != statusOK {
				t.Fatalf("status %d, %v\n%s", status, err, stderr)
			}
			checked := r.BoardsChecked > 10 || strings.Contains(args, "clicks")
			if r.Interactions < 300 || !checked || r.BoardsWrong > 0 || r.Unanswered > 0 || r.Latency.P50 <= 0 || len(r.Memory) < 2 {
				t.Errorf("%s", stderr)
			}
			if r.BotCPUSeconds <= 0 || r.Copies[0].PeakMB <= 1 || !strings.Contains(stderr, r.Options) {
				t.Errorf("%s", stderr)
			}
		})
	}
}

// What cannot be played is told in a sentence.
func TestGeneratorRefuses(t *testing.T) {
	for _, tt := range []struct {
		args   string
		status int
		stderr string
	}{
		{"--people 1", statusUsage, "--people wants 2 or more"},
		{"--rate NaN", statusUsage, "--rate wants a number of interactions a second"},
		{"--kill 2s --for 1s", statusUsage, "--kill wants a time before --for is over"},
		{"--shards 100000", statusUsage, "--shards wants 1000 at most"},
		{"--games chess", statusUsage, "--games wants ttt, gomoku or both"},
		{"--via pigeon", statusUsage, "--via"},
		{"--store x.db", statusUsage, "--store wants sqlite:PATH"},
		{"--copies 2", statusUsage, "--copies wants --store postgres://… beside it: an SQLite file is for one process"},
		{"--copies 2 --store sqlite:x.db", statusUsage, "--copies wants --store postgres://… beside it"},
		{"--program /bin/false", statusError, "copy 1 of the bot ended before it was ready"},
		{"--program no-such-program", statusError, "start the bot: "},
	} {
		status, _, stderr := do(t, nil, append([]string{"load", "--people", "4"}, strings.Fields(tt.args)...)...)
		if status != tt.status || !strings.Contains(stderr, tt.stderr) {
			t.Errorf("%s: status %d, %s", tt.args, status, stderr)
		}
	}
}

// Against the bot that always answers the same, with ratios of what both have done.
func TestGeneratorCompares(t *testing.T) {
	fixed := filepath.Join(t.TempDir(), "fixed")
	if out, err := exec.Command("go", "build", "-o", fixed, "rowbot/sandbox/load/fixed").CombinedOutput(); err != nil {
		t.Fatalf("build the bot to compare with: %s", out)
	}
	line := "load --json --people 40 --servers 4 --at-once 4 --think 0s --interactions 100 --warm-up 100ms --compare-with " + fixed
	status, stdout, stderr := do(t, []string{runsMain + "=1"}, strings.Fields(line)...)
	var c generator.Comparison
	if err := json.Unmarshal([]byte(stdout), &c); err != nil || status != statusOK {
		t.Fatalf("status %d, %v\n%s", status, err, stderr)
	}
	if len(c.Other) != 3 || len(c.Rowbot) != 3 || c.PerSecond <= 0 || c.Median <= 0 || c.Rowbot[0].BoardsChecked == 0 || c.Other[0].Kinds["click"] == 0 {
		t.Errorf("%s", stdout)
	}
}
