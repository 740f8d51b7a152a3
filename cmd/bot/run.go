package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"strconv"
	"sync"
	"time"

	"rowbot/bot"
	"rowbot/bot/gateway"
	"rowbot/match"
	"rowbot/match/engine"
	"rowbot/persistence"
)

// run is the bot: it connects to Discord and plays until ctx ends, which is
// no error. It does not start without a token.
func run(ctx context.Context, s Settings, log *slog.Logger) error {
	if s.Discord.Token == "" {
		return errNoToken
	}
	db, err := persistence.Open(ctx, s.Store.URL)
	if err != nil {
		return stopped(ctx, err)
	}
	return errors.Join(play(ctx, s, log, db), db.Close())
}

// play plays on an open store until ctx ends.
func play(ctx context.Context, s Settings, log *slog.Logger, db *persistence.DB) error {
	client, err := newClient(s, log)
	if err != nil {
		return err
	}
	defer client.Close()
	if s.HTTP.Listen != "" {
		stop, err := serveHealth(ctx, s.HTTP.Listen, log, db.Ping, connected(client))
		if err != nil {
			return err
		}
		defer stop()
	}
	self, err := identify(ctx, client, s)
	if err != nil {
		return stopped(ctx, err)
	}
	log.InfoContext(ctx, "starting", "application", self.application)
	if err := publish(ctx, client, self.application, s, log); err != nil {
		return stopped(ctx, err)
	}
	b, err := newBot(s, log, db, client, self) //nolint:contextcheck // it lives until Close, not until ctx ends
	if err != nil {
		return err
	}
	defer b.Close()
	return connect(ctx, s, log, client, b)
}

// connect takes interactions, and sweeps beside that, until ctx ends.
func connect(ctx context.Context, s Settings, log *slog.Logger, client *gateway.Client, b *bot.Bot) error {
	sweeping, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() { b.Sweep(sweeping, s.Play.Sweep) })
	work.Go(func() { b.Attend(sweeping, attendEvery) })
	defer work.Wait()
	defer stop()
	return client.Run(ctx, func() { log.InfoContext(ctx, "ready") }, b.Serve)
}

// attendEvery is how often the bot looks which servers have removed it.
const attendEvery = 24 * time.Hour

// now is the time of everything that is stored, as exact as the store keeps it.
func now() time.Time { return time.Now().Truncate(time.Millisecond) }

func newBot(s Settings, log *slog.Logger, db *persistence.DB, client *gateway.Client, self identity) (*bot.Bot, error) {
	return bot.New(bot.Options{
		Matches: &match.Service{
			Store: db, Engine: bot.Safe{Chooser: thinker()}, Now: now, Seed: rand.Uint64, Expiry: s.Play.ChallengeExpiry,
			Copy: copyOf(db),
		},
		REST:   client,
		Log:    log,
		AppID:  self.application,
		UserID: self.user,
		Pace:   s.Play.Pace,

		TurnNotice: s.Play.TurnNotice,
	})
}

// copyOf names this process among those on the same store. A file has one
// process, which has every duty: one that was killed must not keep the next one
// from it.
func copyOf(db *persistence.DB) string {
	if !db.Server() {
		return ""
	}
	return strconv.FormatUint(rand.Uint64(), 36)
}

// thinker is the engine that Rowbot plays with. Tic-tac-toe's moves are found
// inside of transactions, so its tables are made beforehand.
func thinker() *engine.Engine {
	e := &engine.Engine{Now: time.Now}
	e.Prepare(match.TicTacToeRules())
	return e
}

// publish brings the commands that Discord knows up to date. That it cannot be
// done is no reason not to play, unless the token is refused.
func publish(ctx context.Context, client *gateway.Client, appID string, s Settings, log *slog.Logger) error {
	definitions, err := bot.Commands(s.Discord.GuildID != "")
	if err != nil {
		return err
	}
	changed, err := client.Register(ctx, appID, s.Discord.GuildID, definitions)
	switch {
	case tokenRefused(err):
		return err
	case err != nil:
		log.ErrorContext(ctx, "commands not registered; trying again at the next start", "error", err)
	case changed:
		log.InfoContext(ctx, "commands registered")
	}
	return nil
}

// newClient makes the connection's client out of the settings.
func newClient(s Settings, log *slog.Logger) (*gateway.Client, error) {
	client, err := gateway.New(gateway.Options{
		Token:      s.Discord.Token,
		APIURL:     s.Discord.APIURL,
		ShardCount: s.Discord.ShardCount,
		Shards:     s.Discord.Shards,
		Intents:    0, // interactions come without any
		Now:        time.Now,
		Log:        log,
	})
	if err != nil {
		return nil, fmt.Errorf("set up the connection: %w", err)
	}
	return client, nil
}

// identity is who the bot is on Discord.
type identity struct{ application, user string }

// identify finds out who the bot is: the application's ID, unless it was set,
// and the bot user's own, which differ in old applications. It waits for
// Discord to be there.
func identify(ctx context.Context, client *gateway.Client, s Settings) (self identity, err error) {
	self.application = s.Discord.ApplicationID
	if self.application == "" {
		err = client.Retry(ctx, "ask for the application", func(ctx context.Context) (err error) {
			self.application, _, err = client.Application(ctx)
			return err
		})
		if err != nil {
			return self, err
		}
	}
	raw, err := client.Call(ctx, http.MethodGet, "users/@me", nil)
	if err != nil {
		if tokenRefused(err) {
			return self, err
		}
		return self, nil // the application's ID serves as well, but for old applications
	}
	var me struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal(raw, &me); err != nil {
		return self, fmt.Errorf("read the bot's own user: %w", err)
	}
	self.user = me.ID
	return self, nil
}

// connected is the check that every shard has a connection.
func connected(client *gateway.Client) check {
	return func(context.Context) error {
		if !client.Connected() {
			return errors.New("not connected to Discord")
		}
		return nil
	}
}

// stopped turns an error into none when it comes from being told to stop.
func stopped(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil //nolint:nilerr // the end that was asked for
	}
	return err
}

// tokenRefused tells an error that means that Discord knows no such token.
func tokenRefused(err error) bool { return errors.Is(err, gateway.ErrUnauthorized) }
