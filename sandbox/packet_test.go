package sandbox_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"rowbot/sandbox"
)

func TestPayloadCompression(t *testing.T) {
	_, b := bare(t, sandbox.Options{IdentifyEvery: -1})
	for _, asked := range []bool{true, false} {
		ws := b.greeted()
		sendPacket(t, ws, obj{"op": 2, "d": identifyData(obj{"intents": 1, "compress": asked})})
		names := map[string]bool{} // is it binary
		for range 2 {
			kind, raw, err := ws.Read(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if kind == websocket.MessageBinary {
				r, err := zlib.NewReader(bytes.NewReader(raw))
				if err != nil {
					t.Fatal(err)
				}
				if raw, err = io.ReadAll(r); err != nil {
					t.Fatal(err)
				}
			}
			var p struct{ T string }
			if err := json.Unmarshal(raw, &p); err != nil {
				t.Fatal(err)
			}
			names[p.T] = kind == websocket.MessageBinary
		}
		if diff := cmp.Diff(map[string]bool{"READY": false, "GUILD_CREATE": asked}, names); diff != "" {
			t.Errorf("compress %v: %s", asked, diff)
		}
	}
}

func TestTransportCompression(t *testing.T) {
	_, b := bare(t, sandbox.Options{})
	url, _ := b.call("GET", "/gateway", nil).json()["url"].(string)
	ws := dialAt(t, url+"/?v=10&encoding=json&compress=zlib-stream")
	pipe, feed := io.Pipe()
	defer pipe.Close()
	var feeding sync.WaitGroup
	defer feeding.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	feeding.Go(func() {
		for {
			kind, raw, err := ws.Read(ctx)
			if err != nil {
				feed.CloseWithError(err)
				return
			}
			if kind != websocket.MessageBinary || !bytes.HasSuffix(raw, []byte{0, 0, 255, 255}) {
				t.Errorf("%v, ends with %x", kind, raw[max(len(raw)-4, 0):])
			}
			if _, err := feed.Write(raw); err != nil {
				return
			}
		}
	})
	sendPacket(t, ws, obj{"op": 2, "d": identifyData(obj{"intents": 1})})
	r, err := zlib.NewReader(pipe)
	if err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(r)
	for _, want := range []any{nil, "READY", "GUILD_CREATE"} {
		var p obj
		if err := d.Decode(&p); err != nil || p["t"] != want {
			t.Errorf("%v %v, want %v", p["t"], err, want)
		}
	}
	cancel()
	pipe.Close()
}

func TestDisorder(t *testing.T) {
	srv, b := start(t, sandbox.Options{AnswerWithin: time.Minute})
	var mu sync.Mutex
	var order []string
	b.handle(func(i obj) {
		mu.Lock()
		order = append(order, i["data"].(obj)["name"].(string))
		mu.Unlock()
		b.want(204, b.reply(i, obj{"type": 4, "data": obj{"content": "x"}}))
	})
	srv.SetGatewayFaults(sandbox.GatewayFaults{OutOfOrder: true})
	alice := srv.Alice.In(srv.Games)
	overtaken := false
	for tries := 0; tries < 10 && !overtaken; tries++ { // an event is held for a moment only, which a busy machine may miss
		var first sync.WaitGroup
		first.Go(func() { must[*sandbox.Reply](t)(alice.Slash(t.Context(), "ping")) })
		waitFor(t, func() bool { return srv.Stats().Interactions == 2*tries+1 })
		must[*sandbox.Reply](t)(alice.Slash(t.Context(), "anywhere"))
		first.Wait()
		mu.Lock()
		overtaken = slices.Equal(order, []string{"anywhere", "ping"})
		order = nil
		mu.Unlock()
	}
	if !overtaken {
		t.Error("no event overtook another")
	}
	srv.SetGatewayFaults(sandbox.GatewayFaults{LoseNow: 1})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := alice.Slash(ctx, "ping"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a lost interaction: %v", err)
	}
	must[*sandbox.Reply](t)(alice.Slash(t.Context(), "ping"))
}

// TestHeldEventsComeAlone: an event that nobody overtakes comes all the same.
func TestHeldEventsComeAlone(t *testing.T) {
	srv, b := start(t, sandbox.Options{})
	b.answerWith(obj{"type": 4, "data": obj{"content": "x"}})
	srv.SetGatewayFaults(sandbox.GatewayFaults{OutOfOrder: true})
	must[*sandbox.Reply](t)(srv.Alice.In(srv.Games).Slash(t.Context(), "ping"))
}
