package sandbox

import (
	"strconv"
	"sync/atomic"
	"time"
)

// epoch is the first millisecond of 2015, from which snowflakes count.
const epoch = 1420070400000

// snowflakes hands out ids: strictly rising, carrying the time of now.
type snowflakes struct {
	now  func() time.Time
	last atomic.Int64
}

func (s *snowflakes) next() string {
	want := (s.now().UnixMilli() - epoch) << 22
	for {
		last := s.last.Load()
		id := max(want, last+1)
		if s.last.CompareAndSwap(last, id) {
			return strconv.FormatInt(id, 10)
		}
	}
}

// Time reads the moment at which a snowflake was made; the zero time when id is not a snowflake.
func Time(id string) time.Time {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return time.Time{}
	}
	return time.UnixMilli(n>>22 + epoch).UTC()
}

// isSnowflake tells whether id can name something: decimal digits that fit 64 bits.
func isSnowflake(id string) bool {
	n, err := strconv.ParseUint(id, 10, 64)
	return err == nil && n > 0 && id[0] != '+'
}

// compareIDs orders snowflakes by age, oldest first.
func compareIDs(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}
