package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rowbot/persistence/pgtest"
)

// A run that is ended before its time says so, and leaves no bots behind: not even
// one that is killed.
func TestGeneratorCutShort(t *testing.T) {
	for _, tt := range []struct {
		signal syscall.Signal
		status int // -1: it is none
	}{{syscall.SIGINT, statusInterrupted}, {syscall.SIGTERM, statusInterrupted}, {syscall.SIGKILL, -1}} {
		t.Run(tt.signal.String(), func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			program := exec.CommandContext(ctx, os.Args[0], "load", "--people", "20", "--servers", "4", "--for", "1h",
				"--copies", "2", "--store", pgtest.Database(t))
			program.Env = []string{runsMain + "=1", "TMPDIR=" + t.TempDir()}
			var stdout, stderr bytes.Buffer
			program.Stdout, program.Stderr = &stdout, &stderr
			if err := program.Start(); err != nil {
				t.Fatal(err)
			}
			var bots []string
			for len(bots) < 2 && ctx.Err() == nil {
				bots = children(t, program.Process.Pid)
				time.Sleep(10 * time.Millisecond)
			}
			if err := program.Process.Signal(tt.signal); err != nil {
				t.Fatal(err)
			}
			err := program.Wait()
			exit, ok := errors.AsType[*exec.ExitError](err)
			if !ok || exit.ExitCode() != tt.status {
				t.Errorf("it ended with %v, want status %d\n%s", err, tt.status, &stderr)
			}
			if said := stderr.String(); tt.status >= 0 && !strings.Contains(said, "rowbot: "+errCutShort.Error()) {
				t.Errorf("said: %s", said)
			}
			for _, bot := range bots {
				for alive(bot) && ctx.Err() == nil {
					time.Sleep(10 * time.Millisecond)
				}
			}
			if ctx.Err() != nil {
				t.Errorf("of the bots %v not all ended, or were there", bots)
			}
		})
	}
}

// children are the processes that a process has started.
func children(t *testing.T, pid int) (all []string) {
	t.Helper()
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range threads {
		list, _ := os.ReadFile(file) // a thread may have ended
		all = append(all, strings.Fields(string(list))...)
	}
	return all
}

// alive tells whether a process is there, and has not ended.
func alive(pid string) bool {
	stat, err := os.ReadFile("/proc/" + pid + "/stat")
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && !strings.HasPrefix(state, "Z") && !strings.HasPrefix(state, "X")
}
