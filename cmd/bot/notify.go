package main

import (
	"context"
	"log/slog"
	"net"
	"strings"
	"sync"
)

// supervisor is the socket of the service manager that started the program, as
// NOTIFY_SOCKET names it; empty where there is none.
type supervisor string

// supervisorOf finds the socket in the environment.
func supervisorOf(environ []string) supervisor {
	for _, v := range environ {
		if path, ok := strings.CutPrefix(v, "NOTIFY_SOCKET="); ok {
			return supervisor(path)
		}
	}
	return ""
}

// tell sends a state such as READY=1 by systemd's protocol (sd_notify): one
// datagram of lines. That it does not arrive changes nothing here.
func (s supervisor) tell(ctx context.Context, log *slog.Logger, state string) {
	if s == "" {
		return
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "unixgram", string(s)) // "@name" is an abstract socket, in Go as there
	if err == nil {
		_, err = conn.Write([]byte(state))
		conn.Close()
	}
	if err != nil {
		log.WarnContext(ctx, "service manager not told", "state", state, "error", err)
	}
}

// tellEnd tells as soon as ctx ends that the program is stopping, unless done is
// called before.
func (s supervisor) tellEnd(ctx context.Context, log *slog.Logger) (done func()) {
	over := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		select {
		case <-ctx.Done():
			s.tell(context.WithoutCancel(ctx), log, "STOPPING=1")
		case <-over:
		}
	})
	return func() {
		close(over)
		watching.Wait()
	}
}
