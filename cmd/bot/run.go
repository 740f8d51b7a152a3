package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
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
func run(ctx context.Context, s Settings, log *slog.Logger, up supervisor) error {
	if s.Discord.Token == "" {
		return errNoToken
	}
	figures := newFigures()
	db, err := persistence.Open(ctx, s.Store.URL, persistence.WatchFolding(figures.folded(ctx, log)))
	if err != nil {
		return stopped(ctx, err)
	}
	return errors.Join(play(ctx, s, log, db, up, figures), db.Close())
}

// play plays on an open store until ctx ends.
func play(ctx context.Context, s Settings, log *slog.Logger, db *persistence.DB, up supervisor, figures *figures) error {
	defer keepBackups(ctx, s, log, figures)()
	here := newFleet(db)
	matches := newService(s, figures.timed(db, up.serves(s)), here.processName())
	client, err := newClient(s, log, func(o *gateway.Options) {
		o.Observe, o.Turn, o.Sessions = figures.called, here.turn(matches), here
	})
	if err != nil {
		return err
	}
	defer client.Close()
	entrance := newDoor()
	at, err := openSite(ctx, s, log, up, entrance, client, db, figures)
	if err != nil {
		return err
	}
	defer at.close()
	self, err := identify(ctx, client, s, log)
	if err != nil {
		return stopped(ctx, err)
	}
	log.InfoContext(ctx, "starting", "application", self.application)
	if err := publish(ctx, client, self.application, s, log); err != nil {
		return stopped(ctx, err)
	}
	b, err := newBot(s, log, matches, client, self, figures.answered) //nolint:contextcheck // it lives until Close, not until ctx ends
	if err != nil {
		return err
	}
	defer b.Close()
	figures.watchEngine(b.Thinking)
	defer up.tellEnd(ctx, log)()
	ready := func() { up.tellReady(ctx, log) }
	if s.Discord.Mode == modeWebhook {
		return receive(ctx, s, log, b, ready, entrance, at, self.key, figures.refused)
	}
	return connect(ctx, s, client, b, ready)
}

// openSite serves what is asked of the bot over HTTP, where the settings want that;
// else the site is nil.
func openSite(ctx context.Context, s Settings, log *slog.Logger, up supervisor, d *door, client *gateway.Client, db *persistence.DB, f *figures) (*site, error) {
	if !up.serves(s) {
		return nil, nil
	}
	f.watchStore(ctx, db, time.Now)
	f.registry.MustRegister(shards{client})
	reached := connected(client)
	if s.Discord.Mode == modeWebhook {
		reached = d.open
	}
	return serveSite(ctx, s, log, up, d, f.handler(log), db.Ping, reached)
}

// connect takes interactions over the gateway, and sweeps beside that, until ctx ends.
func connect(ctx context.Context, s Settings, client *gateway.Client, b *bot.Bot, ready func()) error {
	defer beside(ctx, s, b)()
	return client.Run(ctx, ready, b.Serve)
}

// beside starts what the bot does without an interaction. It runs until ctx ends or end
// is called, which waits for it.
func beside(ctx context.Context, s Settings, b *bot.Bot) (end func()) {
	ctx, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() { b.Sweep(ctx, s.Play.Sweep) })
	work.Go(func() { b.Attend(ctx, attendEvery) })
	return func() {
		stop()
		work.Wait()
	}
}

// attendEvery is how often the bot looks which servers have removed it.
const attendEvery = 24 * time.Hour

// now is the time of everything that is stored, as exact as the store keeps it.
func now() time.Time { return time.Now().Truncate(time.Millisecond) }

// newService makes the service that plays the matches of a store; processName names this
// process among those that use it.
func newService(s Settings, store match.Store, processName string) *match.Service {
	return &match.Service{
		Store: store, Engine: bot.Safe{Chooser: thinker()}, Now: now, Seed: rand.Uint64, Expiry: s.Play.ChallengeExpiry,
		Copy: processName,
	}
}

func newBot(s Settings, log *slog.Logger, matches *match.Service, client *gateway.Client, self identity, observe func(bot.Answered)) (*bot.Bot, error) {
	return bot.New(bot.Options{
		Matches: matches,
		REST:    client,
		Log:     log,
		AppID:   self.application,
		UserID:  self.user,
		Pace:    s.Play.Pace,

		TurnNotice: s.Play.TurnNotice,
		Observe:    observe,
	})
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
	changed, err := bringUp(ctx, client, appID, s)
	switch {
	case tokenRefused(err), ctx.Err() != nil: // told to end meanwhile
		return err
	case err != nil:
		log.ErrorContext(ctx, "commands not registered; trying again at the next start", "error", err)
	case changed:
		log.InfoContext(ctx, "commands registered")
	}
	return nil
}

// newClient makes the connection's client out of the settings. more may be nil.
func newClient(s Settings, log *slog.Logger, more func(*gateway.Options)) (*gateway.Client, error) {
	o := gateway.Options{
		Token:      s.Discord.Token,
		APIURL:     s.Discord.APIURL,
		ShardCount: s.Discord.ShardCount,
		Shards:     s.Discord.Shards,
		Intents:    0, // interactions come without any
		Now:        time.Now,
		Log:        log,
	}
	if more != nil {
		more(&o)
	}
	client, err := gateway.New(o)
	if err != nil {
		return nil, fmt.Errorf("set up the connection: %w", err)
	}
	return client, nil
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
