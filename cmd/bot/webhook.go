package main

import (
	"context"
	"encoding/hex"
	"errors"
	"log/slog"
	"sync"
	"time"

	"rowbot/bot"
	"rowbot/bot/webhook"
)

// drainLimit bounds what an end waits for: answers, and what follows from them.
const drainLimit = 10 * time.Second

// receive takes interactions that Discord posts, and sweeps beside that, until
// ctx ends. Those that have come by then are answered.
func receive(ctx context.Context, s Settings, log *slog.Logger, b *bot.Bot, ready func(), d *door, at *site, digits string, refused func(int)) error {
	key, err := hex.DecodeString(digits)
	if err != nil || len(key) == 0 {
		return errNoKey
	}
	handler, err := webhook.New(webhook.Options{Key: key, Handle: b.Respond, Now: time.Now, Log: log, Refused: refused})
	if err != nil {
		return err
	}
	sweeping, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() { b.Sweep(sweeping, s.Play.Sweep) })
	work.Go(func() { b.Attend(sweeping, attendEvery) })
	defer work.Wait()
	defer stop()
	d.take(handler)
	ready()
	<-ctx.Done()
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainLimit)
	defer cancel()
	if err := errors.Join(at.drain(ending), handler.Drain(ending)); err != nil {
		log.WarnContext(ctx, "some interactions are left behind", "error", err)
	}
	d.handler.Store(nil)
	return nil
}

const errNoKey sentence = "Discord told no public key for this application. Set discord.public_key: " +
	"it is on the General Information page of the developer portal"
