package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"rowbot/bot"
	"rowbot/persistence"
)

// TestReceiveEnds: taking interactions over HTTP ends without an error when the
// program is told to, and with one when the HTTP server ends by itself.
func TestReceiveEnds(t *testing.T) {
	for name, c := range map[string]struct {
		end  func(stop func(), listener net.Listener)
		says string
	}{
		"told to":         {func(stop func(), _ net.Listener) { stop() }, ""},
		"the server ends": {func(_ func(), listener net.Listener) { listener.Close() }, "serve HTTP at 127.0.0.1:"},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			s := defaults()
			s.Discord.Token, s.Discord.APIURL = secret, "http://127.0.0.1:1"
			log := newLog(io.Discard, s)
			db, err := persistence.Open(ctx, "sqlite:"+filepath.Join(t.TempDir(), "rowbot.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			client, err := newClient(s, log, nil)
			if err != nil {
				t.Fatal(err)
			}
			b, err := newBot(s, log, newService(s, db, ""), client, identity{application: "1"}, func(bot.Answered) {})
			if err != nil {
				t.Fatal(err)
			}
			defer b.Close()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			d := newDoor()
			at := serve(ctx, listener, log, &http.Server{Handler: d})
			defer at.close()
			ready, ended := make(chan struct{}), make(chan error, 1)
			go func() {
				ended <- receive(ctx, s, log, b, func() { close(ready) }, d, at, strings.Repeat("0", 64), func(int) {})
			}()
			await(t, ready, "interactions to be taken")
			c.end(stop, listener)
			err = await(t, ended, "the end")
			if (err != nil) != (c.says != "") || err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want %q", err, c.says)
			}
			if d.open(ctx) == nil {
				t.Error("the door stands open")
			}
		})
	}
}
