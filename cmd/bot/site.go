package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"rowbot/bot/webhook"
)

// site is an HTTP server at work.
type site struct {
	at     string // the address that it listens at
	server *http.Server
	done   chan struct{} // closed when it no longer answers
	err    error         // why, if it was not told to stop; set before done is closed
}

// serve answers HTTP until close or drain is called.
func serve(ctx context.Context, listener net.Listener, log *slog.Logger, server *http.Server) *site {
	server.ReadHeaderTimeout = 5 * time.Second
	server.ErrorLog = slog.NewLogLogger(log.Handler(), slog.LevelDebug)
	s := &site{at: listener.Addr().String(), server: server, done: make(chan struct{})}
	go func() {
		defer close(s.done)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.err = fmt.Errorf("serve HTTP at %s: %w", s.at, err)
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
	out := serve(ctx, listener, log, &http.Server{
		Handler: mux, ReadTimeout: 10 * time.Second, WriteTimeout: 30 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
	})
	log.InfoContext(ctx, "http server listening", "address", out.at)
	return out, nil
}

// door is where interactions come in. It is shut once the program begins to end. What
// comes before there is a handler waits for it: a balancer, or a socket that systemd
// holds, sends interactions as soon as somebody listens, and none is to be refused
// because of a restart.
type door struct {
	handler atomic.Pointer[webhook.Handler]
	opened  chan struct{} // closed when there is a handler for the first time
}

// entryWait is how long an interaction waits for the door to open. Discord waits for
// three seconds in all.
const entryWait = 2 * time.Second

func newDoor() *door { return &door{opened: make(chan struct{})} }

// take opens the door.
func (d *door) take(h *webhook.Handler) {
	d.handler.Store(h)
	close(d.opened)
}

var errDoorShut = errors.New("not taking interactions")

func (d *door) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.wait(r.Context())
	if h := d.handler.Load(); h != nil {
		h.ServeHTTP(w, r)
		return
	}
	http.Error(w, errDoorShut.Error(), http.StatusServiceUnavailable)
}

// wait returns when the door has been opened, or after entryWait.
func (d *door) wait(ctx context.Context) {
	select {
	case <-d.opened:
		return
	default:
	}
	ctx, cancel := context.WithTimeout(ctx, entryWait)
	defer cancel()
	select {
	case <-d.opened:
	case <-ctx.Done():
	}
}

// open is the check that interactions are taken.
func (d *door) open(context.Context) error {
	if d.handler.Load() == nil {
		return errDoorShut
	}
	return nil
}
