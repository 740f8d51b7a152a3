//go:build race

package bot_test

import "runtime"

// With Go 1.26 the race detector may crash the process (SIGSEGV, or "ThreadSanitizer:
// CHECK failed") where goroutines of one bubble of virtual time use its timers on several
// processors at the same moment: https://go.dev/issue/78156. What it finds does not depend
// on how many there are.
func init() { runtime.GOMAXPROCS(1) }
