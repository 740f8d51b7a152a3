package gateway_test

import (
	"flag"
	"testing"

	"go.uber.org/goleak"
)

// No goroutine is left behind, not even by the library. Most of what the tests
// do is to wait for the second that discordgo takes to close a session, so many
// of them may run side by side.
func TestMain(m *testing.M) {
	flag.Set("test.parallel", "8")
	goleak.VerifyTestMain(m)
}
