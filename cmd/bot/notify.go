package main

import (
	"context"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
)

// supervisor is the service manager that started the program; the zero value is
// none.
type supervisor struct {
	notify string // the socket that takes its states; empty: it wants none
	opened bool   // it has opened the address to listen at, as file 3
}

// supervisorOf finds it in the environment of the process, as systemd describes it
// (sd_notify, sd_listen_fds).
func supervisorOf(environ []string, process int) (s supervisor) {
	var id, files int
	for _, v := range environ {
		name, value, _ := strings.Cut(v, "=")
		switch name {
		case "NOTIFY_SOCKET":
			s.notify = value
		case "LISTEN_PID":
			id, _ = strconv.Atoi(value) // what is no number is for no process
		case "LISTEN_FDS":
			files, _ = strconv.Atoi(value)
		}
	}
	s.opened = id == process && files > 0
	return s
}

// serves reports whether the program answers HTTP: at an address of the settings, or
// at one that the service manager has opened.
func (s supervisor) serves(settings Settings) bool { return s.opened || settings.HTTP.Listen != "" }

// firstFile is the number of the first file that a service manager hands over.
const firstFile = 3

// listen is where to take connections: what the service manager has opened, which
// stays open while the program is replaced by another, or else the address.
func (s supervisor) listen(ctx context.Context, address string) (net.Listener, error) {
	if !s.opened {
		return (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	}
	file := os.NewFile(firstFile, "http.listen")
	defer file.Close()
	return net.FileListener(file)
}

// tell sends a state such as READY=1 by systemd's protocol (sd_notify): one
// datagram of lines. That it does not arrive changes nothing here.
func (s supervisor) tell(ctx context.Context, log *slog.Logger, state string) {
	if s.notify == "" {
		return
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "unixgram", s.notify) // "@name" is an abstract socket, in Go as there
	if err == nil {
		_, err = conn.Write([]byte(state))
		conn.Close()
	}
	if err != nil {
		log.WarnContext(ctx, "service manager not told", "state", state, "error", err)
	}
}

// tellReady tells, in the log too, that the program takes interactions.
func (s supervisor) tellReady(ctx context.Context, log *slog.Logger) {
	log.InfoContext(ctx, "ready")
	s.tell(ctx, log, "READY=1")
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
