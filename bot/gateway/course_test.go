package gateway

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// Sessions that die young one after the other, as on a network that breaks off every
// few seconds: those that can be resumed are, within a second, and new ones are begun
// within five until there have been many.
func TestPausesAfterYoungSessions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want []int // seconds
	}{
		"lost":    {errors.New("reset by peer"), []int{0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		"expired": {&websocket.CloseError{Code: 4009}, []int{0, 0, 0, 1, 2, 4, 5, 5, 5, 5, 5, 5, 60, 60, 60}},
	} {
		n := course{
			pause:  &backoff{min: time.Second, max: time.Minute, jitter: func() float64 { return 0.5 }},
			stable: 10 * time.Second,
		}
		young := ending{worked: true, lived: 3 * time.Second, ledger: &ledger{id: "s"}, err: c.err}
		var got []int
		for range c.want {
			got = append(got, int(n.after(young)/time.Second))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: pauses of %v s, want %v", name, got, c.want)
		}
		old := young
		old.lived = time.Minute
		if n.after(old) != 0 || n.after(young) != 0 {
			t.Errorf("%s: a pause after a session that lasted", name)
		}
	}
}
