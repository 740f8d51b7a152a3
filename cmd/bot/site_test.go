package main

import (
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"

	"rowbot/bot/webhook"
)

// TestConnectionsWait: where the service manager holds the address, what comes before
// interactions are taken is answered when they are, and an end before that ends.
func TestConnectionsWait(t *testing.T) {
	for _, opens := range []bool{true, false} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		d := newDoor()
		at := serve(t.Context(), &queue{Listener: listener, door: d, closed: make(chan struct{})}, slog.New(slog.DiscardHandler), &http.Server{
			Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if d.handler.Load() == nil {
					t.Error("answered before there was a handler")
				}
				_, _ = io.WriteString(w, "ok")
			}),
		})
		conn, err := net.Dial("tcp", at.at)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(conn, "GET / HTTP/1.0\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if opens {
			d.take(&webhook.Handler{})
			if said, err := io.ReadAll(conn); err != nil || len(said) < 2 || string(said[len(said)-2:]) != "ok" {
				t.Errorf("answer %q, %v", said, err)
			}
		}
		at.close()
		conn.Close()
	}
}
