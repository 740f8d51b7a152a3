package sandbox_test

import (
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"rowbot/sandbox"
)

// TestManyPeopleAtOnce lets 200 messages be clicked at the same time: every click is answered, none twice.
func TestManyPeopleAtOnce(t *testing.T) {
	srv, b := start(t, sandbox.Options{AnswerWithin: time.Minute}) // how fast the machine is today is not the question
	var work sync.WaitGroup
	defer work.Wait()
	b.handle(func(i obj) {
		work.Go(func() {
			body := obj{"type": 4, "data": board("0")}
			if i["type"] == 3.0 {
				body = obj{"type": 7, "data": board(i["data"].(obj)["custom_id"].(string))}
			}
			if a := b.reply(i, body); a.status != 204 {
				t.Errorf("%d %s", a.status, a.body)
			}
		})
	})
	const boards, clicks = 200, 5
	var people sync.WaitGroup
	for n := range boards {
		seat := []*sandbox.Person{srv.Alice, srv.Bob, srv.Chen, srv.Darya}[n%4].In(srv.Games)
		people.Go(func() {
			reply, err := seat.Slash(t.Context(), "ping")
			for range clicks {
				if err != nil {
					t.Error(err)
					return
				}
				reply, err = seat.Click(t.Context(), reply.Shown(), "h8")
			}
			if err != nil || reply.Text() != "move:h8" {
				t.Errorf("%v %v", reply, err)
			}
		})
	}
	people.Wait()
	if st := srv.Stats(); st.Answered != boards*(clicks+1) || st.Failed+st.Late+st.Doubled != 0 {
		t.Errorf("stats %+v", st)
	}
}

// TestMemoryIsBounded goes far beyond what is kept and looks at how many objects stay alive.
func TestMemoryIsBounded(t *testing.T) {
	srv, b := start(t, sandbox.Options{KeepMessages: 50, KeepInteractions: 100})
	b.answerWith(obj{"type": 4, "data": board("x")})
	b.mu.Lock()
	b.got = nil // the bot itself must keep nothing
	b.mu.Unlock()
	seat := srv.Alice.In(srv.Games)
	kept := must[*sandbox.Reply](t)(seat.Slash(t.Context(), "ping")).Message
	round := func(n int) uint64 {
		for i := range n {
			must[*sandbox.Reply](t)(seat.Slash(t.Context(), "ping"))
			if i%20 == 0 {
				b.want(200, b.call("PATCH", "/channels/"+srv.Games.ID()+"/messages/"+kept.ID, board(strconv.Itoa(i))))
			}
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapObjects
	}
	before := round(200)
	after := round(600)
	if after > before*3/2 {
		t.Errorf("%d objects after 200 interactions, %d after 800", before, after)
	}
	if n := len(srv.Messages(srv.Games.ID())); n != 50 {
		t.Errorf("%d messages are kept", n)
	}
	if srv.Message(srv.Games.ID(), kept.ID) == nil {
		t.Error("a message that is edited all the time was dropped")
	}
}

// BenchmarkClick is one whole click through gateway and REST with a bot that does nothing else.
func BenchmarkClick(b *testing.B) {
	srv, bot := start(b, sandbox.Options{})
	bot.handle(func(i obj) {
		body := obj{"type": 4, "data": board("0")}
		if i["type"] == 3.0 {
			body["type"] = 7
		}
		bot.want(204, bot.reply(i, body))
	})
	seat := srv.Alice.In(srv.Games)
	reply, err := seat.Slash(b.Context(), "ping")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := seat.Click(b.Context(), reply.Message, "h8"); err != nil {
			b.Fatal(err)
		}
	}
}
