package load

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// tick is the unit of the times in /proc: a hundredth of a second, on every Linux.
const tick = 10 * time.Millisecond

// processorTime is what a process has taken so far, in user and system mode; 0 where the system does not tell.
func processorTime(pid int) time.Duration {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	return parseStat(raw)
}

// parseStat reads fields 14 and 15 of /proc/PID/stat. The second, the program's name, may hold anything.
func parseStat(raw []byte) time.Duration {
	_, rest, _ := bytes.Cut(raw[max(bytes.LastIndexByte(raw, ')'), 0):], []byte(" "))
	fields := bytes.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	user, err1 := strconv.ParseInt(string(fields[11]), 10, 64)
	system, err2 := strconv.ParseInt(string(fields[12]), 10, 64)
	if err1 != nil || err2 != nil {
		return 0
	}
	return time.Duration(user+system) * tick
}

// memory is what of a process is in memory, now and at most so far, in bytes; 0 where the system does not tell.
func memory(pid int) (now, peak int64) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0
	}
	return parseStatus(raw, "VmRSS:"), parseStatus(raw, "VmHWM:")
}

// parseStatus reads a line of /proc/PID/status such as "VmRSS:	   1234 kB".
func parseStatus(raw []byte, key string) int64 {
	_, rest, found := bytes.Cut(raw, []byte(key))
	if !found {
		return 0
	}
	fields := bytes.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kilobytes, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil {
		return 0
	}
	return kilobytes << 10
}

// ownTime is the processor time of this process.
func ownTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
