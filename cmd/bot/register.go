package main

import (
	"context"
	"fmt"
	"log/slog"

	"rowbot/bot"
	"rowbot/bot/gateway"
)

// register brings the commands that Discord knows up to this version: those of
// the server discord.guild_id, or the global ones. Nothing is written when
// they are the same.
func register(ctx context.Context, s Settings, log *slog.Logger) error {
	if s.Discord.Token == "" {
		return errNoToken
	}
	client, err := newClient(s, log, nil)
	if err != nil {
		return err
	}
	defer client.Close()
	appID := s.Discord.ApplicationID
	if appID == "" {
		if appID, _, err = client.Application(ctx); err != nil {
			return stopped(ctx, err)
		}
	}
	wrote, err := bringUp(ctx, client, appID, s)
	if err != nil {
		return stopped(ctx, fmt.Errorf("register: %w", err))
	}
	log.InfoContext(ctx, "commands registered", "changed", wrote)
	return nil
}

// bringUp makes Discord know the commands of this version, and reports whether anything
// had to be changed for that.
func bringUp(ctx context.Context, client *gateway.Client, appID string, s Settings) (changed bool, err error) {
	definitions, err := bot.Commands(s.Discord.GuildID != "")
	if err != nil {
		return false, err
	}
	return client.Register(ctx, appID, s.Discord.GuildID, definitions)
}
