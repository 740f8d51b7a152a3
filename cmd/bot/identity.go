package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"rowbot/bot/gateway"
)

// identity is who the bot is on Discord.
type identity struct {
	application, user string
	key               string // what its interactions are signed with, 64 hex digits
}

// identify finds out who the bot is: the application's ID, unless it was set,
// and the bot user's own, which differ in old applications; in webhook mode the
// public key too. It waits for Discord to be there.
func identify(ctx context.Context, client *gateway.Client, s Settings, log *slog.Logger) (self identity, err error) {
	self.application, self.key = s.Discord.ApplicationID, s.Discord.PublicKey
	if self.application == "" || self.key == "" && s.Discord.Mode == modeWebhook {
		var id, key string
		err = client.Retry(ctx, "ask for the application", func(ctx context.Context) (err error) {
			id, key, err = client.Application(ctx)
			return err
		})
		if err != nil {
			return self, err
		}
		self.application, self.key = cmp.Or(self.application, id), cmp.Or(self.key, key)
	}
	self.user, err = ownUser(ctx, client, userLimit)
	switch {
	case tokenRefused(err), ctx.Err() != nil:
		return self, err
	case err != nil: // serves as well, but for old applications
		log.WarnContext(ctx, "the bot's own user is not known until the next start; taken to have the application's ID", "error", err)
	}
	return self, nil
}

// userLimit is for how long Rowbot asks for the bot's own user. Hardly any bot needs to
// know it, and none should wait for it while Discord answers everything else.
const userLimit = 30 * time.Second

// ownUser asks for the ID of the bot's own user, repeatedly until the limit.
func ownUser(ctx context.Context, client *gateway.Client, limit time.Duration) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	var raw json.RawMessage
	var last error // tells more than that the time is over
	err := client.Retry(ctx, "ask for the bot's own user", func(ctx context.Context) error {
		var err error
		if raw, err = client.Call(ctx, http.MethodGet, "users/@me", nil); err != nil && ctx.Err() == nil {
			last = err
		}
		return err
	})
	if err != nil {
		return "", cmp.Or(last, err)
	}
	var me struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(raw, &me); err != nil {
		return "", fmt.Errorf("read the bot's own user: %w", err)
	}
	return me.ID, nil
}
