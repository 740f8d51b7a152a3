package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"strings"

	"rowbot/persistence"
)

// migrateOptions are the flags of the migrate command.
type migrateOptions struct {
	From string `help:"A store to copy everything from, such as sqlite:rowbot.db. Stop the bot that plays on it first." placeholder:"URL"`
	To   string `help:"The store to copy to; by default the one of the settings (store.url), so that a password need not stand here." placeholder:"URL"`
}

// Validate checks the flags as store.url is checked.
func (o migrateOptions) Validate() error {
	if o.From == "" && o.To != "" {
		return errors.New("--to wants --from beside it, the store to copy from")
	}
	var unused string
	for _, flag := range []struct{ name, value string }{{"--from", o.From}, {"--to", o.To}} {
		if flag.value != "" && setStore(&unused, flag.value) != nil {
			return fmt.Errorf("%s wants %s", flag.name, wantStore)
		}
	}
	return nil
}

// migrate brings the store at store.url up to this version, or copies another
// one into it.
func migrate(ctx context.Context, o migrateOptions, s Settings, log *slog.Logger) error {
	if o.From != "" {
		if o.To == "" {
			o.To = s.Store.URL
		}
		return copyStore(ctx, o, log)
	}
	db, err := persistence.Open(ctx, s.Store.URL, persistence.KeepSchema())
	if err != nil {
		return err
	}
	was, err := db.Migrate(ctx)
	if err == nil {
		log.InfoContext(ctx, "store up to date", "store", db.Name(), "schema_before", was.Have, "schema", was.Want)
	}
	return errors.Join(err, db.Close())
}

const errSameStore sentence = "--from and the store to copy to are the same"

// sameFile reports whether two addresses lead to one database file, be it by other
// paths or by links.
func sameFile(one, other string) bool {
	first, isFile := strings.CutPrefix(one, persistence.SQLiteScheme)
	second, isFile2 := strings.CutPrefix(other, persistence.SQLiteScheme)
	if !isFile || !isFile2 {
		return false
	}
	a, err := os.Stat(first)
	b, err2 := os.Stat(second)
	return err == nil && err2 == nil && os.SameFile(a, b)
}

// copyStore copies one store to another. It can be repeated.
func copyStore(ctx context.Context, o migrateOptions, log *slog.Logger) error {
	if o.From == o.To || sameFile(o.From, o.To) {
		return errSameStore
	}
	if path, ok := strings.CutPrefix(o.From, persistence.SQLiteScheme); ok {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("there is no file %s to copy from", path)
		}
	}
	from, err := persistence.Open(ctx, o.From)
	if err != nil {
		return err
	}
	to, err := persistence.Open(ctx, o.To)
	if err != nil {
		return errors.Join(err, from.Close())
	}
	done, err := persistence.Copy(ctx, from, to)
	if errors.Is(err, persistence.ErrSame) {
		err = errSameStore
	}
	for _, table := range done {
		log.InfoContext(ctx, "table copied", "table", table.Table, "rows", table.Rows, "changed", table.Changed,
			"checksum", fmt.Sprintf("%016x", table.Sum))
	}
	if err == nil {
		log.InfoContext(ctx, "everything copied and checked", "from", from.Name(), "to", to.Name())
	}
	return errors.Join(err, to.Close(), from.Close())
}
