package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"rowbot/persistence"
)

// backupOptions are the command line of backup.
type backupOptions struct {
	File string `arg:"" optional:"" help:"The copy to make, a new file. Without it, one in store.backup_dir, of which store.backup_keep are kept."`
}

const errNotSQLite sentence = "backup copies an SQLite database, and store.url names another kind. " +
	"PostgreSQL has pg_dump for that, and its own ways to archive its log"

// backup makes one copy of the store.
func backup(ctx context.Context, o backupOptions, s Settings, log *slog.Logger) error {
	if !strings.HasPrefix(s.Store.URL, persistence.SQLiteScheme) {
		return errNotSQLite
	}
	if o.File != "" {
		if err := persistence.BackupSQLite(ctx, s.Store.Path(), o.File); err != nil {
			return err
		}
		log.InfoContext(ctx, "backup made", "file", o.File)
		return nil
	}
	file, err := shelfOf(s).add(ctx, time.Now())
	if err != nil {
		return err
	}
	log.InfoContext(ctx, "backup made", "file", file)
	return nil
}

// shelf is a folder of copies of the store, each named by the time when it was
// made.
type shelf struct {
	store string // the database file
	dir   string
	keep  int // so many of the newest copies
}

func shelfOf(s Settings) shelf {
	return shelf{store: s.Store.Path(), dir: s.Store.BackupDir, keep: s.Store.BackupKeep}
}

// backupName is the form of a copy's name, in UTC.
const backupName = "rowbot-20060102T150405Z.db"

// add makes a copy and removes those that are too many. The error may be about
// those alone: the copy is there when its file is named.
func (sh shelf) add(ctx context.Context, now time.Time) (file string, err error) {
	added := missing(sh.dir)
	if err := os.MkdirAll(sh.dir, 0o700); err != nil {
		return "", fmt.Errorf("make the folder for backups: %w", err)
	}
	file = filepath.Join(sh.dir, now.UTC().Format(backupName))
	if err := persistence.BackupSQLite(ctx, sh.store, file); err != nil {
		for _, dir := range added {
			_ = os.Remove(dir) // but where something is in it, which stays
		}
		return "", err
	}
	times, err := sh.times()
	if err != nil {
		return file, err
	}
	var errs []error
	for _, old := range times[min(sh.keep, len(times)):] {
		if err := os.Remove(filepath.Join(sh.dir, old.Format(backupName))); err != nil {
			errs = append(errs, fmt.Errorf("remove an old backup: %w", err))
		}
	}
	return file, errors.Join(errs...)
}

// missing are the folders that have to be made for one to be there, the innermost
// first.
func missing(dir string) (folders []string) {
	for {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			return folders
		}
		folders = append(folders, dir)
		dir = filepath.Dir(dir)
	}
}

// times are those of the copies in the folder, the newest first. Other files do
// not count.
func (sh shelf) times() ([]time.Time, error) {
	entries, err := os.ReadDir(sh.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("look for backups: %w", err)
	}
	var times []time.Time
	for _, e := range entries {
		if at, err := time.Parse(backupName, e.Name()); err == nil && at.Format(backupName) == e.Name() {
			times = append(times, at)
		}
	}
	slices.SortFunc(times, func(a, b time.Time) int { return b.Compare(a) })
	return times, nil
}

// retryBackup is how soon a backup that failed is tried again.
const retryBackup = 10 * time.Minute

// backUp copies the store every so often until ctx ends; the first time as soon as
// the newest copy is old enough, whichever process has made it.
func (sh shelf) backUp(ctx context.Context, every time.Duration, log *slog.Logger, f *figures) {
	pause := sh.untilNext(every, f)
	for {
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return
		case <-timer.C:
		}
		if pause = sh.untilNext(every, f); pause > 0 {
			continue // another process was faster
		}
		file, err := sh.add(ctx, time.Now())
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			log.ErrorContext(ctx, "backup failed", "error", err)
			f.backups.WithLabelValues("failed").Inc()
		default:
			log.InfoContext(ctx, "backup made", "file", file)
			f.backups.WithLabelValues("made").Inc()
		}
		if pause = sh.untilNext(every, f); pause == 0 {
			pause = min(every, retryBackup)
		}
	}
}

// untilNext is how long the newest copy is still new enough; 0 where it is not. It
// shows the time of that copy.
func (sh shelf) untilNext(every time.Duration, f *figures) time.Duration {
	times, err := sh.times()
	if err != nil || len(times) == 0 {
		return 0
	}
	f.lastBackup.Set(float64(times[0].Unix()))
	return max(0, every-time.Since(times[0]))
}

// keepBackups makes backups beside the bot, where the settings ask for them, until
// ctx ends or done is called.
func keepBackups(ctx context.Context, s Settings, log *slog.Logger, f *figures) (done func()) {
	if s.Store.BackupEvery == 0 {
		return func() {}
	}
	if persistence.IsServer(s.Store.URL) {
		log.WarnContext(ctx, "no backups are made: store.backup_every is for an SQLite file; PostgreSQL has pg_dump, or its archive", "every", s.Store.BackupEvery)
		return func() {}
	}
	ctx, stop := context.WithCancel(ctx)
	var work sync.WaitGroup
	work.Go(func() { shelfOf(s).backUp(ctx, s.Store.BackupEvery, log, f) })
	return func() {
		stop()
		work.Wait()
	}
}
