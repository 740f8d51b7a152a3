package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// healthOptions are the command line of health.
type healthOptions struct {
	Alive bool `help:"Ask only whether the program is there, not whether it is ready."`
}

const errNoListen sentence = "there is nothing to ask: http.listen is not set"

// healthLimit bounds the question.
const healthLimit = 5 * time.Second

// askHealth asks the program that runs with the same settings on this machine
// whether all is well. What is not is the error.
func askHealth(ctx context.Context, o healthOptions, s Settings) error {
	if s.HTTP.Listen == "" {
		return errNoListen
	}
	host, port, err := net.SplitHostPort(s.HTTP.Listen)
	if err != nil {
		return fmt.Errorf("read http.listen: %w", err)
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	path := "/readyz"
	if o.Alive {
		path = "/healthz"
	}
	ctx, cancel := context.WithTimeout(ctx, healthLimit)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+net.JoinHostPort(host, port)+path, nil)
	if err != nil {
		return fmt.Errorf("ask for health: %w", err)
	}
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		return fmt.Errorf("ask for health: %w", err)
	}
	defer resp.Body.Close()
	said, err := io.ReadAll(io.LimitReader(resp.Body, 1000))
	if err != nil {
		return fmt.Errorf("ask for health: %w", err)
	}
	if resp.StatusCode != http.StatusOK {
		return errors.New(strings.TrimSpace(string(said)))
	}
	return nil
}
