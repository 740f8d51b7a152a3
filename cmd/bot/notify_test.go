package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The command asks the program that runs with the same settings.
func TestAskHealth(t *testing.T) {
	s := defaults()
	s.HTTP.Listen = "127.0.0.1:0"
	var fault error
	at, err := serveSite(t.Context(), s, newLog(io.Discard, s), supervisor{}, &door{}, http.NotFoundHandler(), func(context.Context) error { return fault })
	if err != nil {
		t.Fatal(err)
	}
	defer at.close()
	_, port, _ := strings.Cut(at.at, ":")
	ask := func(listen string, args ...string) (int, string) {
		status, _, stderr := do(t, []string{"ROWBOT_HTTP_LISTEN=" + listen}, append([]string{"health"}, args...)...)
		return status, stderr
	}
	for _, listen := range []string{at.at, ":" + port, "0.0.0.0:" + port, "localhost:" + port} {
		if status, said := ask(listen); status != 0 || said != "" {
			t.Errorf("at %s: status %d: %s", listen, status, said)
		}
	}
	fault = errors.New("not connected to Discord")
	if status, said := ask(at.at); status != 1 || !strings.Contains(said, "not connected to Discord") {
		t.Errorf("status %d: %s", status, said)
	}
	if status, said := ask(at.at, "--alive"); status != 0 {
		t.Errorf("alive: status %d: %s", status, said)
	}
	at.close()
	if status, _ := ask(at.at, "--alive"); status != 1 {
		t.Errorf("where nobody answers: status %d", status)
	}
}

// The service manager is told when the bot is ready and when it stops.
func TestSupervisor(t *testing.T) {
	for name, socket := range map[string]string{"path": filepath.Join(t.TempDir(), "s"), "abstract": "@rowbot-test-" + strconv.Itoa(os.Getpid())} {
		l, err := net.ListenPacket("unixgram", socket)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		environ, _ := discord(t, 0)
		t.Chdir(t.TempDir())
		ctx, stop := context.WithCancel(t.Context())
		status := make(chan int, 1)
		go func() { status <- execute(ctx, nil, append(environ, "NOTIFY_SOCKET="+socket), io.Discard, io.Discard) }()
		hear := func(want string) {
			t.Helper()
			l.SetReadDeadline(time.Now().Add(30 * time.Second))
			said := make([]byte, 100)
			n, _, err := l.ReadFrom(said)
			if err != nil || string(said[:n]) != want {
				t.Errorf("%s: heard %q, %v, want %q", name, said[:n], err, want)
			}
		}
		hear("READY=1")
		stop()
		hear("STOPPING=1")
		if got := <-status; got != 0 {
			t.Errorf("%s: status %d", name, got)
		}
	}
	for _, tt := range []struct {
		environ []string
		want    supervisor
	}{
		{[]string{"A=b", "LISTEN_PID=7"}, supervisor{}},
		{[]string{"NOTIFY_SOCKET=/run/x"}, supervisor{notify: "/run/x"}},
		{[]string{"LISTEN_FDS=1", "LISTEN_PID=7"}, supervisor{opened: true}},
		{[]string{"LISTEN_FDS=1", "LISTEN_PID=8"}, supervisor{}}, // for its parent
		{[]string{"LISTEN_FDS=0", "LISTEN_PID=7"}, supervisor{}},
	} {
		if got := supervisorOf(tt.environ, 7); got != tt.want {
			t.Errorf("%v: %+v", tt.environ, got)
		}
	}
}

// A process answers on a socket that was opened for it.
func TestOpenedSocket(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	file, err := l.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	environ, identified := discord(t, 0)
	program := exec.CommandContext(t.Context(), os.Args[0])
	program.Dir, program.ExtraFiles = t.TempDir(), []*os.File{file}
	program.Env = slices.Concat(environ, []string{runsMain + "=1", "LISTEN_FDS=1"})
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	<-identified
	resp, err := http.Get("http://" + l.Addr().String() + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != 200 {
		t.Errorf("status %d", resp.StatusCode)
	}
	if err := program.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := program.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := net.Dial("tcp", l.Addr().String()); err != nil {
		t.Errorf("the socket is closed with the process: %v", err)
	}
}

// HTTP is answered at an address of the settings, and at one that systemd has opened.
func TestServes(t *testing.T) {
	for _, c := range []struct {
		listen       string
		opened, want bool
	}{{"", false, false}, {"", true, true}, {"127.0.0.1:0", false, true}, {"127.0.0.1:0", true, true}} {
		s := defaults()
		s.HTTP.Listen = c.listen
		if got := (supervisor{opened: c.opened}).serves(s); got != c.want {
			t.Errorf("listen %q, opened %t: %t", c.listen, c.opened, got)
		}
	}
}
