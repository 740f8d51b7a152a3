package main

import (
	"context"
	"errors"
	"log/slog"

	"rowbot/persistence"
)

// migrate brings the store at store.url up to this version.
func migrate(ctx context.Context, s Settings, log *slog.Logger) error {
	db, err := persistence.OpenSQLite(ctx, s.Store.Path(), persistence.KeepSchema())
	if err != nil {
		return err
	}
	was, err := db.Migrate(ctx)
	if err == nil {
		log.InfoContext(ctx, "store up to date", "store", s.Store.URL, "schema_before", was.Have, "schema", was.Want)
	}
	return errors.Join(err, db.Close())
}
