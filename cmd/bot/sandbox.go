package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"

	"rowbot/persistence"
	"rowbot/sandbox"
	"rowbot/sandbox/page"
)

// sandboxOptions are the flags of the sandbox command.
type sandboxOptions struct {
	Listen string `help:"Address of the page." default:"127.0.0.1:8080"`
	Store  string `help:"Where matches are kept, as store.url; by default a file that is gone afterwards." placeholder:"sqlite:PATH"`
}

// Validate checks the flags as the settings of the same kind are checked.
func (o sandboxOptions) Validate() error {
	var unused string
	if err := setListen(&unused, o.Listen); err != nil {
		return errors.New("--listen wants host:port, such as 127.0.0.1:8080")
	}
	if o.Store == "" {
		return nil
	}
	if err := setStore(&unused, o.Store); err != nil {
		return errors.New("--store wants " + wantStore)
	}
	return nil
}

// runSandbox runs the stand-in for Discord, its page and the bot in this
// process until ctx ends. It prints the page's address to out.
func runSandbox(ctx context.Context, o sandboxOptions, s Settings, log *slog.Logger, out io.Writer) error {
	db, cleanup, err := sandboxStore(ctx, o)
	if err != nil {
		return stopped(ctx, err)
	}
	defer cleanup()
	discord := sandbox.New(sandbox.Options{Log: log})
	defer discord.Close()
	window := page.Handler(discord, log)
	defer window.Close()
	listener, err := supervisor{}.listen(ctx, o.Listen)
	if err != nil {
		return errors.Join(fmt.Errorf("listen for the page (--listen chooses another address): %w", err), db.Close())
	}
	at := serve(ctx, listener, log, &http.Server{Handler: window})
	defer at.close()
	address := "http://" + at.at
	s.Store.BackupEvery = 0 // of what is not played here
	s.Discord = DiscordSettings{Mode: modeGateway, Token: sandbox.Token, APIURL: sandbox.APIURL(address)}
	tell(out, "Rowbot plays here, without Discord: "+address+"\nEnd it with Ctrl+C.")
	return errors.Join(play(ctx, s, log, db, supervisor{}, newFigures()), db.Close())
}

// sandboxStore opens the store that was asked for, or one that cleanup removes.
func sandboxStore(ctx context.Context, o sandboxOptions) (db *persistence.DB, cleanup func(), err error) {
	if o.Store != "" {
		db, err = persistence.Open(ctx, o.Store)
		return db, func() {}, err
	}
	dir, err := os.MkdirTemp("", "rowbot-sandbox-")
	if err != nil {
		return nil, nil, fmt.Errorf("make a place for the store: %w", err)
	}
	cleanup = func() { _ = os.RemoveAll(dir) } // what stays is in the system's folder for such things
	if db, err = persistence.OpenSQLite(ctx, filepath.Join(dir, "rowbot.db")); err != nil {
		cleanup()
	}
	return db, cleanup, err
}
