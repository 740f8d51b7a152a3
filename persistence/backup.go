package persistence

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNotSound means that a copy of a database was made, but is damaged. The copy
// is not kept.
var ErrNotSound = errors.New("the copy is damaged")

// BackupSQLite copies the SQLite database in a file to another, which must not be
// there yet, while anybody may go on using it: the copy is its state at one
// moment. It is looked through and on the disk before it gets its name, so that
// what has that name is whole. A copy is a database like any other. Every error is
// a sentence that names the paths, fit for the operator.
func BackupSQLite(ctx context.Context, path, to string) error {
	if err := backup(ctx, path, to); err != nil {
		return fmt.Errorf("copy store %s to %s: %w", path, to, explain(err))
	}
	return nil
}

func backup(ctx context.Context, path, to string) (err error) {
	from, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	if to, err = filepath.Abs(to); err != nil {
		return err
	}
	if _, err := os.Stat(from); err != nil {
		return err // and no empty database is made of it
	}
	if err := probe(ctx, from); err != nil {
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, fs.ErrExist)
	}
	part := to + ".part"
	if isOf(from, to) || isOf(from, part) {
		return errOfStore
	}
	if err := os.Remove(part); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err // of a copy that was broken off
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part) // the next copy would remove it too
		}
	}()
	if err := vacuum(ctx, from, part); err != nil {
		return err
	}
	if err := inspect(ctx, part); err != nil {
		return err
	}
	if err := onDisk(part); err != nil {
		return err
	}
	if err := os.Rename(part, to); err != nil {
		return err
	}
	return onDisk(filepath.Dir(to))
}

var errOfStore = errors.New("this name belongs to the store itself; choose another one")

// isOf reports whether a name is that of a database, or of what SQLite keeps beside it.
func isOf(database, name string) bool {
	folder, err := filepath.EvalSymlinks(filepath.Dir(name))
	if err != nil {
		return false // nothing can be made there
	}
	name = filepath.Join(folder, filepath.Base(name))
	if inner, err := filepath.EvalSymlinks(database); err == nil {
		database = inner // beside which SQLite keeps it
	}
	for _, suffix := range []string{"", "-wal", "-shm", "-journal"} {
		if name == database+suffix {
			return true
		}
	}
	return false
}

// vacuum has SQLite write a copy. It reads in one transaction, beside which the
// log lets others write.
func vacuum(ctx context.Context, from, to string) error {
	pool, err := connect(from, probeQuery, 1)
	if err != nil {
		return err
	}
	defer pool.Close()
	_, err = pool.ExecContext(ctx, "VACUUM INTO ?1", to)
	return err
}

// inspect has SQLite look through a copy. On a connection that is read-only it
// would leave the constraints out.
func inspect(ctx context.Context, file string) error {
	absolute, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	pool, err := connect(absolute, probeQuery, 1)
	if err != nil {
		return err
	}
	defer pool.Close()
	var verdict string
	var id int64
	if err := pool.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if err := pool.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if verdict != "ok" || id != applicationID {
		return fmt.Errorf("%w: %s", ErrNotSound, verdict)
	}
	return nil
}

// onDisk returns when a file, or the names in a folder, are on the disk.
func onDisk(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
