package main

import (
	"context"
	"crypto/ed25519"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/webhook"
)

// idle is a handler to which nothing signed comes.
func idle(t *testing.T) *webhook.Handler {
	t.Helper()
	h, err := webhook.New(webhook.Options{
		Key: make(ed25519.PublicKey, ed25519.PublicKeySize), Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Handle: func(context.Context, *discordgo.Interaction, func([]byte, string) error) {},
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestEarlyInteractionsWait: what is posted before interactions are taken waits for
// that, for two seconds at most, and is refused neither by the socket nor by the door.
func TestEarlyInteractionsWait(t *testing.T) {
	post := func(d *door) (entered, left chan struct{}, status *int) {
		entered, left, status = make(chan struct{}), make(chan struct{}), new(int)
		go func() {
			defer close(left)
			w := httptest.NewRecorder()
			close(entered)
			d.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/interactions", nil))
			*status = w.Code
		}()
		return entered, left, status
	}
	for name, c := range map[string]struct {
		opens bool
		want  int
	}{
		"opened in time": {true, http.StatusUnauthorized}, // by the handler, since nothing is signed
		"not opened":     {false, http.StatusServiceUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDoor()
				entered, left, status := post(d)
				<-entered
				synctest.Wait()
				select {
				case <-left:
					t.Fatalf("status %d at once", *status)
				default:
				}
				if c.opens {
					d.take(idle(t))
				}
				if <-left; *status != c.want {
					t.Errorf("status %d, want %d", *status, c.want)
				}
			})
		})
	}
}

// TestShutDoor: at the end of the program interactions are refused at once.
func TestShutDoor(t *testing.T) {
	d := newDoor()
	d.take(idle(t))
	d.handler.Store(nil)
	w := httptest.NewRecorder()
	if d.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/interactions", nil)); w.Code != http.StatusServiceUnavailable {
		t.Errorf("status %d", w.Code)
	}
}
