package persistence_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"rowbot/persistence"
)

// residentOf names the file on which a process that is started for
// [BenchmarkResident] is to work, and how large it is.
const residentOf = "ROWBOT_BENCHMARK_RESIDENT"

// BenchmarkResident reports what a process has in memory that does nothing but use
// a store of -growth finished matches: five at once, everybody in turn, as often as
// the benchmark's time says; and then again when it has had nothing to do for a while.
func BenchmarkResident(b *testing.B) {
	for _, size := range []int{smallGrowth, *growth} {
		g := grow(b, size)
		if err := g.db.Close(); err != nil {
			b.Fatal(err)
		}
		b.Run(strconv.Itoa(size), func(b *testing.B) {
			child := exec.CommandContext(b.Context(), os.Args[0]) //nolint:gosec // it is this program
			child.Env = append(os.Environ(), fmt.Sprintf("%s=%d %d %s", residentOf, size, b.N, g.path))
			child.Stderr = os.Stderr
			out, err := child.Output()
			if err != nil {
				b.Fatal(err)
			}
			var start, used, idle float64
			if _, err := fmt.Sscan(string(out), &start, &used, &idle); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(start/1024, "MB-start")
			b.ReportMetric(used/1024, "MB-used")
			b.ReportMetric(idle/1024, "MB-idle")
		})
	}
}

// resident is the process that [BenchmarkResident] starts, if this is it.
func resident() (ran bool, err error) {
	var size, times int
	var path string
	if n, _ := fmt.Sscan(os.Getenv(residentOf), &size, &times, &path); n != 3 {
		return false, nil
	}
	ctx := context.Background()
	db, err := persistence.OpenSQLite(ctx, path)
	if err != nil {
		return true, err
	}
	start := residentSize()
	var work sync.WaitGroup
	var errs [5]error
	for worker := range errs {
		g := &grown{db: db, path: path, clock: grownAt, every: 1, players: size / 10, running: size / 10, guilds: size / 100, step: worker * 7}
		work.Go(func() {
			for i := range times {
				// Each has matches of its own to move in.
				if errs[worker] = growing[(i+worker)%len(growing)].do(g, ctx); errs[worker] != nil {
					return
				}
			}
		})
	}
	work.Wait()
	used := residentSize()
	time.Sleep(idleWait)
	debug.FreeOSMemory() // as the runtime does by itself, in some minutes
	fmt.Println(start, used, residentSize())
	return true, errors.Join(errors.Join(errs[:]...), db.Close())
}

// idleWait is how long the process has nothing to do before it is looked at again.
const idleWait = 5 * time.Second

// residentSize is the process's memory in kilobytes, as the system counts it.
func residentSize() int {
	file, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), "VmRSS:"); ok {
			n, _ := strconv.Atoi(strings.Fields(rest)[0])
			return n
		}
	}
	return 0
}
