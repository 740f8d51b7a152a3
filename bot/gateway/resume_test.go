package gateway_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"rowbot/bot/gateway"
)

// Each fault hits a session that works. It is resumed; what came meanwhile is
// delivered, and what had come before is not delivered again.
func TestResumes(t *testing.T) {
	t.Parallel()
	faults := map[string]func(p *peer){
		"op 7":              func(p *peer) { p.send(7, "", "null"); p.deaf() },
		"op 9 true":         func(p *peer) { p.send(9, "", "true"); p.deaf() },
		"network loss":      func(p *peer) { p.ws.CloseNow() },
		"close 1001":        closing(1001),
		"close 1000":        closing(1000),
		"close 4000":        closing(4000),
		"silence":           func(p *peer) { p.deaf() },
		"not a packet":      func(p *peer) { p.ws.Write(p.ctx, websocket.MessageText, []byte("[")); p.deaf() },
		"a beat asked for":  func(p *peer) { p.send(1, "", "null"); p.send(7, "", "null"); p.send(1, "", "null"); p.deaf() },
		"op 7 asked thrice": func(p *peer) { p.send(7, "", "null"); p.send(7, "", "null"); p.send(7, "", "null"); p.deaf() },
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, func(n int, p *peer) {
				if n == 1 {
					p.identify()
					p.readyHere()
					p.interaction("1")
					p.interaction("2")
					fault(p)
					return
				}
				p.resume()
				if n == 2 { // Discord sends again from where it believes the client to be
					p.seq.Store(1)
					p.interaction("1")
					p.interaction("2")
					p.interaction("3")
				}
				p.send(0, "RESUMED", `{}`)
				p.interaction("4")
				p.beats()
			})
			c, _ := newClient(t, f, func(o *gateway.Options) { o.Timings.Silence = time.Second })
			r := start(t, c, nil)
			var got []string
			for range 4 {
				got = append(got, receive(t, r.got, "an interaction").ID)
			}
			if err := r.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
			for len(r.got) > 0 {
				got = append(got, (<-r.got).ID)
			}
			slices.Sort(got)
			if diff := cmp.Diff([]string{"1", "2", "3", "4"}, got); diff != "" {
				t.Errorf("interactions (-want +got):\n%s", diff)
			}
			if n := len(f.identified()); n != 1 {
				t.Errorf("%d IDENTIFYs, want 1", n)
			}
			resumes := f.resumed()
			if len(resumes) != 1 || resumes[0].Token != token || resumes[0].SessionID != "s" || resumes[0].Seq < 1 || resumes[0].Seq > 3 {
				t.Errorf("resumed with %+v", resumes)
			}
			// The server may notice the end of a connection that was cut after that of
			// the last one, so their order says nothing.
			frames := slices.DeleteFunc(f.closedWith(), func(c websocket.StatusCode) bool { return c < 0 })
			if diff := cmp.Diff([]websocket.StatusCode{websocket.StatusNormalClosure}, frames); diff != "" {
				t.Errorf("close frames (-want +got):\n%s", diff)
			}
		})
	}
}

// closing closes with the code. The client must not answer with a close frame
// of its own, which might end the session.
func closing(code websocket.StatusCode) func(p *peer) {
	return func(p *peer) {
		if err := p.ws.Close(code, ""); err == nil {
			p.f.t.Errorf("close %d was answered with a close frame", code)
		}
	}
}

// A session that cannot be resumed is replaced by one new one.
func TestResumeRefused(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		resume func(p *peer) // what the second connection, with the RESUME, goes through
		fault  websocket.StatusCode
		want   int // RESUMEs
	}{
		"op 9":       {func(p *peer) { p.resume(); p.send(9, "", "false"); p.deaf() }, 4000, 1},
		"op 9 true":  {func(p *peer) { p.resume(); p.send(9, "", "true"); p.deaf() }, 4000, 1},
		"op 7":       {func(p *peer) { p.resume(); p.send(7, "", "null"); p.deaf() }, 4000, 1},
		"close 4007": {func(p *peer) { p.resume(); p.ws.Close(4007, "") }, 4000, 1},
		"no answer":  {func(p *peer) { p.resume(); p.deaf() }, 4000, 1},
		"no HELLO":   {func(p *peer) { p.deaf() }, 4000, 0},
		"after 4007": {nil, 4007, 0},
		"after 4009": {nil, 4009, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, func(n int, p *peer) {
				switch {
				case n == 1:
					p.identify()
					p.readyHere()
					p.ws.Close(tt.fault, "")
				case n == 2 && tt.resume != nil:
					tt.resume(p)
				default:
					p.serve("1")
				}
			})
			// A pause would be seen: the test would not end.
			c, _ := newClient(t, f, func(o *gateway.Options) {
				o.Timings.BackoffMin, o.Timings.BackoffMax = time.Hour, time.Hour
				o.Timings.Resume = time.Second
			})
			r := start(t, c, nil)
			receive(t, r.got, "an interaction over the new session")
			if err := r.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
			if n := len(f.identified()); n != 2 {
				t.Errorf("%d IDENTIFYs, want 2", n)
			}
			if n := len(f.resumed()); n != tt.want {
				t.Errorf("%d RESUMEs, want %d", n, tt.want)
			}
		})
	}
}

// Three sessions may die young in a row without any pause, whether they can be
// resumed or not; then there is one. A session that has lasted is no reason
// for a pause however often it happens.
func TestNoPauseAfterReady(t *testing.T) {
	t.Parallel()
	for name, ready := range map[string]func(p *peer){"dead address": (*peer).ready, "resumable": (*peer).readyHere} {
		for _, stable := range []time.Duration{time.Nanosecond, time.Hour} {
			t.Run(fmt.Sprint(name, " ", stable), func(t *testing.T) {
				t.Parallel()
				drops := 3
				if stable == time.Nanosecond {
					drops = 12
				}
				f := newFake(t, func(n int, p *peer) {
					if name == "resumable" && n > 1 {
						p.resume()
						p.send(0, "RESUMED", `{}`)
					} else {
						p.identify()
						ready(p)
					}
					if n <= drops {
						p.ws.CloseNow()
						return
					}
					p.interaction("1")
					p.beats()
				})
				c, log := newClient(t, f, func(o *gateway.Options) {
					o.Timings.BackoffMin, o.Timings.BackoffMax = time.Hour, time.Hour
					o.Timings.Stable = stable
				})
				r := start(t, c, nil)
				receive(t, r.got, "an interaction")
				if err := r.end(); err != nil {
					t.Errorf("Run: %v", err)
				}
				if n := strings.Count(log.String(), "wait=0s"); n < drops || n != strings.Count(log.String(), "wait=") {
					t.Error("there was a pause")
				}
			})
		}
	}
}

// Attempts that come to nothing, and sessions that go on dying young, are made
// with growing pauses.
func TestPausesGrow(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		script func(p *peer)
		free   int
	}{
		"before READY": {func(p *peer) { p.identify(); p.ws.CloseNow() }, 0},
		"after READY":  {func(p *peer) { p.identify(); p.readyAt("ws://\x7f"); p.ws.Close(4009, "") }, 3},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const lowest = 40 * time.Millisecond
			enough := make(chan struct{})
			f := newFake(t, func(n int, p *peer) {
				if n == tt.free+6 {
					close(enough)
				}
				tt.script(p)
			})
			c, _ := newClient(t, f, func(o *gateway.Options) { o.Timings.BackoffMin, o.Timings.BackoffMax = lowest, time.Minute })
			r := start(t, c, nil)
			receive(t, enough, "six attempts")
			if err := r.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
			ids := f.identified()
			for i := range 4 {
				apart := ids[tt.free+i+1].at.Sub(ids[tt.free+i].at)
				if least := lowest << i / 2; apart < least {
					t.Errorf("pause %d lasted %v, want at least %v", i+1, apart, least)
				}
			}
		})
	}
}

// While Discord cannot be reached at all, the session is not given up.
func TestResumesAfterOutage(t *testing.T) {
	t.Parallel()
	lose := make(chan struct{})
	f := newFake(t, func(n int, p *peer) {
		switch n {
		case 1:
			p.identify()
			p.readyHere()
			<-lose
			p.ws.CloseNow()
		case 2, 3, 4, 5: // the dials of the outage
			p.ws.CloseNow()
		default:
			p.resume()
			p.send(0, "RESUMED", `{}`)
			p.interaction("1")
			p.beats()
		}
	})
	c, _ := newClient(t, f, nil)
	r := start(t, c, nil)
	receive(t, r.ready, "READY")
	close(lose)
	receive(t, r.got, "an interaction")
	if err := r.end(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if n := len(f.identified()); n != 1 {
		t.Errorf("%d IDENTIFYs, want 1", n)
	}
}

// A close code that makes going on useless ends the bot at once, also when it
// ends a session that worked.
func TestFatalCloseAfterReady(t *testing.T) {
	t.Parallel()
	for _, resumed := range []bool{false, true} {
		f := newFake(t, func(n int, p *peer) {
			if n == 2 {
				p.resume()
				p.ws.Close(4004, "no")
				return
			}
			p.identify()
			p.readyHere()
			if resumed {
				p.ws.CloseNow()
				return
			}
			p.ws.Close(4004, "no")
		})
		c, _ := newClient(t, f, nil)
		if err := start(t, c, nil).wait(); err == nil || !strings.Contains(err.Error(), "4004") {
			t.Errorf("Run: %v, want a CloseError with 4004", err)
		}
		if n := len(f.identified()); n != 1 {
			t.Errorf("%d IDENTIFYs, want 1", n)
		}
	}
}

// The gateway is dialled at the very address Discord gives.
func TestAddress(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"":                      "/?v=10&encoding=json",
		"/":                     "/?v=10&encoding=json",
		"/gw":                   "/gw?v=10&encoding=json",
		"/gw/":                  "/gw/?v=10&encoding=json",
		"/a%2Fb":                "/a%2Fb?v=10&encoding=json",
		"?v=9&encoding=etf":     "/?v=10&encoding=json",
		"/gw?encoding=json&x=1": "/gw?v=10&encoding=json&x=1",
	}
	for path, want := range tests {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, nil)
			got := make(chan string, 1)
			server := f.dialledAt(func(uri string) { got <- uri })
			f.answer("GET /api/v10/gateway/bot", reply(200, `{"url":"ws`+strings.TrimPrefix(server, "http")+path+`","shards":1}`))
			c, _ := newClient(t, f, nil)
			r := start(t, c, func(context.Context, *discordgo.Interaction) {})
			receive(t, r.ready, "READY")
			if err := r.end(); err != nil {
				t.Errorf("Run: %v", err)
			}
			if uri := receive(t, got, "the dial"); uri != want {
				t.Errorf("dialled %s, want %s", uri, want)
			}
		})
	}
}
