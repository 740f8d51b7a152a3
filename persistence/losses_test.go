package persistence

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/mattn/go-sqlite3"

	"rowbot/match"
)

// TestLossesAreCounted: a transaction may lose its connection so many times, however
// often it had to be run again for other reasons.
func TestLossesAreCounted(t *testing.T) {
	db, err := OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "rowbot.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer closed(t, db)
	busy := sqlite3.Error{Code: sqlite3.ErrBusy}
	for _, c := range []struct {
		comes []error
		want  error
	}{
		{[]error{busy, busy, busy, busy, errLost, errLost, nil}, nil},
		{[]error{errLost, busy, errLost, busy, busy, errLost}, errLost},
		{[]error{busy, match.ErrNotFound}, match.ErrNotFound},
	} {
		runs := 0
		err := db.run(t.Context(), db.writer, true, func(match.Tx) error { runs++; return c.comes[runs-1] })
		if !errors.Is(err, c.want) || runs != len(c.comes) {
			t.Errorf("%v: %v after %d runs", c.comes, err, runs)
		}
	}
}
