package browser_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/coder/websocket"

	"rowbot/sandbox"
)

const (
	crowd    = 48 // open windows beside the two real ones
	backlog  = 1000
	arrowCSS = `[data-message] [data-label="%s"]`
)

// BenchmarkPageClick measures a click on a board in a channel of 1,000 messages that 50 windows look at: 48 connections
// that read along and two tabs of Chromium. Rowbot is real: it loads the match, draws the board anew and edits it.
// Reported, all in milliseconds: from the click until the tab that clicked has the new board (click-ms), until the other
// tab has it (other-ms), the longest task and the longest frame of both tabs, and frames over 50 ms for each click.
func BenchmarkPageClick(b *testing.B) {
	w := start(b, unhurried)
	for i := range backlog {
		w.Chen.In(w.Games).Say(fmt.Sprintf("message **%d** of `many`, with <@%s> in it", i, w.Darya.ID()))
	}
	w.challenge(w.Games, "gomoku")
	people := []*sandbox.Person{w.Alice, w.Bob, w.Chen, w.Darya}
	for i := range crowd {
		w.readAlong(b, people[i%len(people)], w.Games)
	}
	alice, bob := w.open(w.Alice, w.Games, desktop), w.open(w.Bob, w.Games, desktop)
	for _, p := range []*tab{alice, bob} {
		p.sees("[data-message]", "@Alice to move")
		ask[bool](p, "person.gauge.begin()")
	}
	var own, other float64
	n := 0
	for b.Loop() {
		label := []string{"→", "←"}[n%2]
		n++
		at := alice.reach(fmt.Sprintf(arrowCSS, label))
		before := ask[int](bob, "person.gauge.changes()")
		alice.do(chromedp.Do(alice.ctx, chromedp.MouseClickXY(at.X, at.Y)), "click")
		alice.until("the new board", "person.gauge.answered()")
		bob.until("the new board", fmt.Sprintf("person.gauge.changes() > %d", before))
		clicked := ask[float64](alice, "person.gauge.clicked()")
		own += ask[float64](alice, "person.gauge.changed()") - clicked
		other += ask[float64](bob, "person.gauge.changed()") - clicked
	}
	b.ReportMetric(own/float64(n), "click-ms")
	b.ReportMetric(other/float64(n), "other-ms")
	b.ReportMetric(max(ask[float64](alice, "person.gauge.longestTask()"), ask[float64](bob, "person.gauge.longestTask()")), "longest-task-ms")
	b.ReportMetric(max(ask[float64](alice, "person.gauge.longestFrame()"), ask[float64](bob, "person.gauge.longestFrame()")), "longest-frame-ms")
	b.ReportMetric((ask[float64](alice, "person.gauge.slowFrames()")+ask[float64](bob, "person.gauge.slowFrames()"))/float64(n), "slow-frames/op")
	b.ReportMetric(0, "ns/op") // mostly the looks at the page between the clicks
}

// BenchmarkPageOpen measures how long the page takes from the navigation until it shows a channel of 1,000 messages, as
// the page's own clock has it, and how many elements it then has.
func BenchmarkPageOpen(b *testing.B) {
	w := start(b, unhurried)
	for i := range backlog {
		w.Chen.In(w.Games).Say(fmt.Sprintf("message **%d** of `many`", i))
	}
	w.challenge(w.Games, "gomoku")
	alice := w.open(w.Alice, w.Games, desktop)
	var shown, nodes float64
	n := 0
	for b.Loop() {
		n++
		alice.do(chromedp.Do(alice.ctx, chromedp.Navigate("about:blank")), "leave")
		alice.visit(w.Games)
		alice.sees("[data-message]", "@Alice to move")
		shown += ask[float64](alice, "person.gauge.firstMessage()")
		nodes += ask[float64](alice, `document.querySelectorAll("*").length`)
	}
	b.ReportMetric(shown/float64(n), "shown-ms")
	b.ReportMetric(nodes/float64(n), "elements")
}

// readAlong opens a window without a browser that reads everything, until the benchmark ends.
func (w *world) readAlong(b *testing.B, who *sandbox.Person, in *sandbox.Channel) {
	b.Helper()
	ctx := b.Context()
	ws, _, err := websocket.Dial(ctx, "ws"+strings.TrimPrefix(w.base, "http")+"/page/ws?user="+who.ID(), //nolint:bodyclose // Dial wants it left alone
		&websocket.DialOptions{HTTPHeader: http.Header{"Origin": {w.base}}})
	if err != nil {
		b.Fatal(err)
	}
	ws.SetReadLimit(64 << 20)
	if err := ws.Write(ctx, websocket.MessageText, []byte(`{"do":"open","channel":"`+in.ID()+`"}`)); err != nil {
		b.Fatal(err)
	}
	var reading sync.WaitGroup
	reading.Go(func() {
		for {
			if _, _, err := ws.Read(ctx); err != nil {
				return
			}
		}
	})
	b.Cleanup(func() {
		ws.CloseNow()
		reading.Wait()
	})
}
