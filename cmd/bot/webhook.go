package main

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"time"

	"rowbot/bot"
	"rowbot/bot/webhook"
)

// drainLimit bounds what an end waits for: answers, and what follows from them.
const drainLimit = 10 * time.Second

// receive takes interactions that Discord posts, and sweeps beside that, until ctx ends,
// which is no error, or the HTTP server does. Interactions that have come by then are
// answered.
func receive(ctx context.Context, s Settings, log *slog.Logger, b *bot.Bot, ready func(), d *door, at *site, digits string, refused func(int)) error {
	key, err := hex.DecodeString(digits)
	if err != nil || len(key) == 0 {
		return errNoKey
	}
	handler, err := webhook.New(webhook.Options{Key: key, Handle: b.Respond, Now: time.Now, Log: log, Refused: refused})
	if err != nil {
		return err
	}
	defer beside(ctx, s, b)()
	d.take(handler)
	ready()
	var deaf error
	select {
	case <-ctx.Done():
	case <-at.done:
		deaf = at.err
	}
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainLimit)
	defer cancel()
	if err := errors.Join(at.drain(ending), handler.Drain(ending)); err != nil {
		log.WarnContext(ctx, "some interactions are left behind", "error", err)
	}
	d.handler.Store(nil)
	return deaf
}

const errNoKey sentence = "Discord told no public key for this application. Set discord.public_key: " +
	"it is on the General Information page of the developer portal"
