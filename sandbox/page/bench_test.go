package page_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/coder/websocket"

	"rowbot/sandbox"
	"rowbot/sandbox/page"
)

// BenchmarkWindows measures what an edit of a board costs with 50 windows open, from the write until the last window
// has got it, in a channel of 1,000 messages that all of them look at, and in one that none of them does. Reported:
// ns/op, and the bytes that all windows together got for one edit.
func BenchmarkWindows(b *testing.B) {
	const windows = 50
	for name, elsewhere := range map[string]bool{"looking": false, "elsewhere": true} {
		b.Run(name, func(b *testing.B) {
			srv := sandbox.New(sandbox.Options{})
			p := page.New(srv, nil)
			base := listenFor(b, p)
			b.Cleanup(srv.Close)
			b.Cleanup(p.Close)
			seat := srv.Bob.In(srv.General)
			for i := range 1000 {
				seat.Say(fmt.Sprintf("message %d", i))
			}
			busy := srv.General
			if elsewhere {
				busy = srv.Games
			}
			got := newTally(windows)
			for range windows {
				watchAs(b, base, srv.Alice.ID(), got)
			}
			got.wait(b, 0) // all have their first view
			other := srv.Bob.In(busy)
			got.bytes.Store(0)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n++
				other.Say(strings.Repeat("x", 3000))
				got.wait(b, n)
			}
			b.ReportMetric(float64(got.bytes.Load())/float64(n), "wire-B/op")
		})
	}
}

// BenchmarkFanOut is the part of it that holds up the stand-in itself: storing a message with 50 windows open.
func BenchmarkFanOut(b *testing.B) {
	for _, windows := range []int{0, 50} {
		b.Run(fmt.Sprintf("windows=%d", windows), func(b *testing.B) {
			srv := sandbox.New(sandbox.Options{})
			p := page.New(srv, nil)
			base := listenFor(b, p)
			b.Cleanup(srv.Close)
			b.Cleanup(p.Close)
			got := newTally(windows)
			for range windows {
				watchAs(b, base, srv.Alice.ID(), got)
			}
			got.wait(b, 0)
			seat := srv.Bob.In(srv.General)
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				n++
				seat.Say("hello")
				b.StopTimer()
				got.wait(b, n)
				b.StartTimer()
			}
		})
	}
}

// tally counts what the windows of a benchmark get.
type tally struct {
	windows int
	bytes   atomic.Int64

	mu    sync.Mutex
	heard []int // how many messages each window has got; -1 before its first view
	woken *sync.Cond
}

func newTally(windows int) *tally {
	t := &tally{windows: windows}
	t.woken = sync.NewCond(&t.mu)
	return t
}

// wait returns when every window has got n messages.
func (t *tally) wait(b *testing.B, n int) {
	b.Helper()
	t.mu.Lock()
	defer t.mu.Unlock()
	for {
		ready := 0
		for _, h := range t.heard {
			if h >= n {
				ready++
			}
		}
		if ready == t.windows {
			return
		}
		t.woken.Wait()
	}
}

// watchAs opens a window that only counts.
func watchAs(b *testing.B, base, user string, t *tally) {
	b.Helper()
	ws, _, err := websocket.Dial(b.Context(), "ws"+strings.TrimPrefix(base, "http")+"/page/ws?user="+user, nil) //nolint:bodyclose // Dial wants it left alone
	if err != nil {
		b.Fatalf("dial: %v", err)
	}
	ws.SetReadLimit(8 << 20)
	t.mu.Lock()
	i := len(t.heard)
	t.heard = append(t.heard, -1)
	t.mu.Unlock()
	var reading sync.WaitGroup
	reading.Go(func() {
		for {
			_, raw, err := ws.Read(context.Background())
			if err != nil {
				return
			}
			t.bytes.Add(int64(len(raw)))
			if bytes.HasPrefix(raw, []byte(`{"t":"message"`)) || bytes.HasPrefix(raw, []byte(`{"t":"news"`)) || bytes.HasPrefix(raw, []byte(`{"t":"view"`)) {
				t.mu.Lock()
				t.heard[i]++
				t.mu.Unlock()
				t.woken.Broadcast()
			}
		}
	})
	b.Cleanup(func() {
		ws.CloseNow()
		reading.Wait()
	})
}
