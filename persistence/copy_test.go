package persistence_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"rowbot/match"
	"rowbot/persistence"
	"rowbot/persistence/pgtest"
	"rowbot/persistence/storetest"
)

// copied is how many of everything the tests copy: more than one statement takes.
const copied = 250

// copyAll copies and returns how many rows were changed, table by table.
func copyAll(t *testing.T, from, to *persistence.DB) (changed map[string]int64) {
	t.Helper()
	done, err := persistence.Copy(t.Context(), from, to)
	if err != nil {
		t.Fatal(err)
	}
	changed = map[string]int64{}
	for _, table := range done {
		if table.Rows < copied || table.Sum == 0 {
			t.Errorf("%+v: want %d rows or more", table, copied)
		}
		changed[table.Table] = table.Changed
	}
	return changed
}

// filled is a file with something of everything in it, and a match "1a2b3c4d5e6f7".
func filled(t *testing.T) *persistence.DB {
	t.Helper()
	db := openNew(t)
	storetest.Fill(t, db, copied)
	fill(t, db)
	return db
}

func replace(t *testing.T, db *persistence.DB, change func(m *match.Match)) {
	t.Helper()
	must(t, db.Update(t.Context(), func(tx match.Tx) error {
		m, err := tx.Match(t.Context(), benchMatch(7).ID)
		if err != nil {
			return err
		}
		was := m.Version
		m.Version++
		change(&m)
		return tx.Replace(t.Context(), was, m)
	}))
}

// TestCopy: everything arrives, there and back again; a second copy changes
// nothing, and a later one what has changed.
func TestCopy(t *testing.T) {
	file := filled(t)
	server := openServer(t, pgtest.Database(t))
	const all, one = copied, copied + 1
	want := map[string]int64{"matches": one, "records": one, "preferences": all, "guilds": all, "notices": all}
	if diff := cmp.Diff(want, copyAll(t, file, server)); diff != "" {
		t.Errorf("first copy (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(state(t, file), state(t, server), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("in the target (-source +target):\n%s", diff)
	}
	nothing := map[string]int64{"matches": 0, "records": 0, "preferences": 0, "guilds": 0, "notices": 0}
	if diff := cmp.Diff(nothing, copyAll(t, file, server)); diff != "" {
		t.Errorf("second copy (-want +got):\n%s", diff)
	}
	back := openNew(t)
	if diff := cmp.Diff(want, copyAll(t, server, back)); diff != "" {
		t.Errorf("back (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(nothing, copyAll(t, file, back)); diff != "" {
		t.Errorf("from the file to what came back (-want +got):\n%s", diff)
	}

	replace(t, file, func(m *match.Match) { m.Event = "later" })
	must(t, file.Update(t.Context(), func(tx match.Tx) error {
		return errors.Join(
			tx.PutPreferences(t.Context(), match.Preferences{User: "later"}),
			tx.PutNotice(t.Context(), match.Notice{Match: "later", Turn: 1, Kind: match.YourTurn, State: match.Posted, At: time.UnixMilli(1)}),
		)
	}))
	want = map[string]int64{"matches": 1, "records": 0, "preferences": 1, "guilds": 0, "notices": copied + 1}
	if diff := cmp.Diff(want, copyAll(t, file, server)); diff != "" {
		t.Errorf("after changes (-want +got):\n%s", diff)
	}
	if got := state(t, server).Match.Event; got != "later" {
		t.Errorf("in the target the match's event is %q", got)
	}
}

// TestCopyOntoOther: what was played on the target is not lost, and then nothing
// is copied at all.
func TestCopyOntoOther(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, file, server *persistence.DB){
		"another match": func(t *testing.T, _, server *persistence.DB) {
			m := benchMatch(3)
			m.ID = "other"
			must(t, server.Update(t.Context(), func(tx match.Tx) error { return tx.Insert(t.Context(), m) }))
		},
		"a later move": func(t *testing.T, _, server *persistence.DB) { replace(t, server, func(*match.Match) {}) },
		"another move of the same version": func(t *testing.T, file, server *persistence.DB) {
			replace(t, file, func(m *match.Match) { m.Event = "file" })
			replace(t, server, func(m *match.Match) { m.Event = "server" })
			replace(t, server, func(m *match.Match) { m.Event = "server again" })
		},
	} {
		t.Run(name, func(t *testing.T) {
			file, server := openNew(t), openServer(t, pgtest.Database(t))
			fill(t, file)
			if _, err := persistence.Copy(t.Context(), file, server); err != nil {
				t.Fatal(err)
			}
			change(t, file, server)
			before := state(t, server)
			must(t, file.Update(t.Context(), func(tx match.Tx) error {
				return tx.PutRecord(t.Context(), match.Record{RecordKey: match.VersusPeople("g", "u", match.Gomoku), Won: 9})
			}))
			if _, err := persistence.Copy(t.Context(), file, server); !errors.Is(err, persistence.ErrDiffers) {
				t.Errorf("Copy: got %v, want %v", err, persistence.ErrDiffers)
			}
			if diff := cmp.Diff(before, state(t, server)); diff != "" {
				t.Errorf("the target was changed:\n%s", diff)
			}
		})
	}
}
