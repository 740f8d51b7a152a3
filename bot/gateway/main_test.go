package gateway_test

import (
	"testing"

	"go.uber.org/goleak"
)

// After op 7 or op 9 in place of READY, discordgo waits for a lock that the
// same goroutine holds, for ever. The supervisor leaves that goroutine behind;
// it is the only one.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/bwmarrin/discordgo.(*Session).CloseWithCode"))
}
