package webhook_test

import (
	"context"
	"log/slog"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/webhook"
)

// Whatever is signed gets a response: what cannot be answered is refused.
func FuzzBody(f *testing.F) {
	h, err := webhook.New(webhook.Options{
		Key: public, Now: func() time.Time { return time.Unix(now, 0) }, Log: slog.New(slog.DiscardHandler),
		Handle: func(_ context.Context, i *discordgo.Interaction, first firstAnswer) {
			if i.ID == "" || i.Type < discordgo.InteractionApplicationCommand || i.Type > discordgo.InteractionModalSubmit {
				panic("not to be handled")
			}
			if err := first([]byte(`{"type":6}`), "application/json"); err != nil {
				panic(err)
			}
		},
	})
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{
		ping, click, "", "null", `{"type":2,"id":"1","token":"t","data":{"options":[null]}}`, `{"type":5,"id":"1","token":"t","data":{"components":[{"type":18}]}}`,
		`{"type":3,"id":"1","token":"t","message":{"components":[{"type":99}]},"data":{}}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		w := httptest.NewRecorder()
		r := request(t, "/", body, now)
		h.ServeHTTP(w, r)
		if !slices.Contains([]int{200, 400, 413}, w.Code) {
			t.Errorf("status %d for %q", w.Code, body)
		}
	})
}
