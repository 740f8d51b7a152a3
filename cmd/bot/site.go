package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"rowbot/bot/webhook"
)

// site is an HTTP server at work.
type site struct {
	at     string // the address that it listens at
	server *http.Server
	done   chan struct{}
}

// serve answers HTTP until close or drain is called.
func serve(ctx context.Context, listener net.Listener, log *slog.Logger, server *http.Server) *site {
	server.ReadHeaderTimeout = 5 * time.Second
	server.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelDebug)
	s := &site{at: listener.Addr().String(), server: server, done: make(chan struct{})}
	go func() {
		defer close(s.done)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.ErrorContext(ctx, "http server ended", "error", err)
		}
	}()
	return s
}

// close stops at once. It may be called after drain; of no site there is nothing
// to stop.
func (s *site) close() {
	if s == nil {
		return
	}
	s.server.Close()
	<-s.done
}

// drain takes no more requests and waits for those that are being answered.
func (s *site) drain(ctx context.Context) error {
	if err := s.server.Shutdown(ctx); err != nil {
		return fmt.Errorf("finish requests: %w", err)
	}
	return nil
}

// serveSite answers at http.listen: /healthz (the process is alive), /readyz
// (every check passes; else 503 and the first one that does not), /metrics, and in
// webhook mode /interactions.
func serveSite(ctx context.Context, s Settings, log *slog.Logger, up supervisor, d *door, metrics http.Handler, checks ...check) (*site, error) {
	mux := http.NewServeMux()
	health(mux, checks)
	mux.Handle("GET /metrics", metrics)
	if s.Discord.Mode == modeWebhook {
		mux.Handle("/interactions", d)
	}
	listener, err := up.listen(ctx, s.HTTP.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen at http.listen: %w", err)
	}
	if up.opened && s.Discord.Mode == modeWebhook {
		listener = &queue{Listener: listener, door: d, closed: make(chan struct{})}
	}
	out := serve(ctx, listener, log, &http.Server{
		Handler: mux, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
	})
	log.InfoContext(ctx, "http server listening", "address", out.at)
	return out, nil
}

// door is where interactions come in. It is shut until there is a handler, and
// from the beginning of the program's end.
type door struct {
	handler atomic.Pointer[webhook.Handler]
	opened  chan struct{} // closed when there is a handler for the first time
}

func newDoor() *door { return &door{opened: make(chan struct{})} }

// take opens the door.
func (d *door) take(h *webhook.Handler) {
	d.handler.Store(h)
	close(d.opened)
}

// queue is a listener whose connections wait until the door is open. It is for one
// that systemd holds: what comes during a restart is to wait, and not to be refused.
type queue struct {
	net.Listener
	door   *door
	closed chan struct{}
	once   sync.Once
}

// Accept belongs to net.Listener.
func (q *queue) Accept() (net.Conn, error) {
	select {
	case <-q.door.opened:
		return q.Listener.Accept()
	case <-q.closed:
		return nil, net.ErrClosed
	}
}

// Close belongs to net.Listener.
func (q *queue) Close() error {
	q.once.Do(func() { close(q.closed) })
	return q.Listener.Close()
}

var errDoorShut = errors.New("not taking interactions")

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if h := d.handler.Load(); h != nil {
		h.ServeHTTP(w, r)
		return
	}
	http.Error(w, errDoorShut.Error(), http.StatusServiceUnavailable)
}

// open is the check that interactions are taken.
func (d *door) open(context.Context) error {
	if d.handler.Load() == nil {
		return errDoorShut
	}
	return nil
}
