package persistence

import (
	"math"
	"os"
	"syscall"
)

// roomAt is how many bytes this process may still write to the file system of a file;
// MaxInt64 where the file system does not say.
func roomAt(path string) int64 {
	var s syscall.Statfs_t
	if err := syscall.Statfs(path, &s); err != nil || s.Blocks == 0 {
		return math.MaxInt64
	}
	blocks := s.Bavail
	if os.Geteuid() == 0 {
		blocks = s.Bfree // with what is kept for root
	}
	if size := uint64(max(s.Bsize, 1)); blocks < math.MaxInt64/size {
		return int64(blocks * size)
	}
	return math.MaxInt64
}
