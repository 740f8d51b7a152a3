package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// check is one condition of being ready; its error says what is amiss.
type check func(ctx context.Context) error

// serve answers HTTP at an address until stop is called. It returns the address
// that it listens at.
func serve(ctx context.Context, address string, log *slog.Logger, h http.Handler) (at string, stop func(), err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: 5 * time.Second}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			log.ErrorContext(ctx, "http server ended", "error", err)
		}
	}()
	return listener.Addr().String(), func() {
		// Nothing here is worth waiting for: the answers are short.
		server.Close()
		<-done
	}, nil
}

// serveHealth answers /healthz (the process is alive) and /readyz (every check
// passes; else 503 and the first one that does not) until stop is called.
func serveHealth(ctx context.Context, address string, log *slog.Logger, checks ...check) (stop func(), err error) {
	at, stop, err := serve(ctx, address, log, healthHandler(checks))
	if err != nil {
		return nil, fmt.Errorf("listen at http.listen: %w", err)
	}
	log.InfoContext(ctx, "http server listening", "address", at)
	return stop, nil
}

func healthHandler(checks []check) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { tell(w, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
		defer cancel()
		for _, ready := range checks {
			if err := ready(ctx); err != nil {
				http.Error(w, err.Error(), http.StatusServiceUnavailable)
				return
			}
		}
		tell(w, "ready")
	})
	return mux
}
