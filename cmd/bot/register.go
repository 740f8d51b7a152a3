package main

import (
	"context"
	"fmt"
	"log/slog"

	"rowbot/bot"
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
	definitions, err := bot.Commands(s.Discord.GuildID != "")
	if err != nil {
		return err
	}
	wrote, err := client.Register(ctx, appID, s.Discord.GuildID, definitions)
	if err != nil {
		return stopped(ctx, fmt.Errorf("register: %w", err))
	}
	log.InfoContext(ctx, "commands registered", "changed", wrote)
	return nil
}
