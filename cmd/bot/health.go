package main

import (
	"context"
	"net/http"
	"time"
)

// check is one condition of being ready; its error says what is amiss.
type check func(ctx context.Context) error

// health adds /healthz and /readyz to what is served.
func health(mux *http.ServeMux, checks []check) {
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
}
