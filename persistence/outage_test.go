package persistence_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/persistence"
	"rowbot/persistence/pgtest"
)

// road leads to the tests' server, and can be closed.
type road struct {
	net.Listener
	to string

	mu       sync.Mutex
	open     map[net.Conn]struct{}
	refusing int // so many connections more
	refused  int
	// fate is asked about what is sent to the server.
	fate func(sent []byte) fate
}

// fate is what becomes of a message to the server, and of its connection.
type fate int

const (
	arrives    fate = iota
	lost            // the connection ends before the server has it
	unanswered      // the connection ends when the server has answered
)

// roadTo makes a road to a database, and returns the database's address there.
func roadTo(t *testing.T, address string) (*road, string) {
	t.Helper()
	u, err := url.Parse(address)
	must(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	r := &road{Listener: listener, to: u.Query().Get("host") + "/.s.PGSQL.5432", open: map[net.Conn]struct{}{}}
	var work sync.WaitGroup
	work.Go(func() { r.serve(&work) })
	t.Cleanup(func() {
		_ = listener.Close()
		r.close(0)
		work.Wait()
	})
	return r, fmt.Sprintf("postgres://%s@%s%s?sslmode=disable", u.User.Username(), listener.Addr(), u.Path)
}

func (r *road) serve(work *sync.WaitGroup) {
	for {
		near, err := r.Accept()
		if err != nil {
			return
		}
		far, err := net.Dial("unix", r.to)
		if err != nil || !r.let(near, far) {
			_ = near.Close()
			if far != nil {
				_ = far.Close()
			}
			continue
		}
		work.Go(func() { r.carry(work, near, far) })
	}
}

// let takes a connection in, or refuses it.
func (r *road) let(near, far net.Conn) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.refusing > 0 {
		r.refusing--
		r.refused++
		return false
	}
	r.open[near], r.open[far] = struct{}{}, struct{}{}
	return true
}

// close ends every connection, and refuses as many as is said.
func (r *road) close(refusing int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.refusing, r.refused = refusing, 0
	for c := range r.open {
		_ = c.Close()
	}
	clear(r.open)
}

// count is how many connections were refused since the road was closed.
func (r *road) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.refused
}

// judge sets what becomes of the first message that has a word in it.
func (r *road) judge(word string, f fate) {
	var once sync.Once
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fate = func(sent []byte) (is fate) {
		if bytes.Contains(sent, []byte(word)) {
			once.Do(func() { is = f })
		}
		return is
	}
}

func (r *road) carry(work *sync.WaitGroup, near, far net.Conn) {
	defer near.Close()
	defer far.Close()
	var mute sync.Mutex // held while what comes back is to be kept back
	last := false
	work.Go(func() {
		defer near.Close()
		buf := make([]byte, 1<<16)
		for {
			n, err := far.Read(buf)
			mute.Lock()
			over := last
			mute.Unlock()
			if err != nil || over {
				return
			}
			if _, err := near.Write(buf[:n]); err != nil {
				return
			}
		}
	})
	buf := make([]byte, 1<<16)
	for {
		n, err := near.Read(buf)
		if err != nil {
			return
		}
		r.mu.Lock()
		is := arrives
		if r.fate != nil {
			is = r.fate(buf[:n])
		}
		r.mu.Unlock()
		if is == lost {
			return
		}
		if is == unanswered {
			mute.Lock()
			last = true
			mute.Unlock()
		}
		if _, err := far.Write(buf[:n]); err != nil {
			return
		}
	}
}

// rename changes the guild of the tests' match, and calls during in between.
func rename(ctx context.Context, db *persistence.DB, guild string, during func()) error {
	return db.Update(ctx, func(tx match.Tx) error {
		m, err := tx.Match(ctx, benchMatch(7).ID)
		if err != nil {
			return err
		}
		during()
		m.Where.Guild = guild
		return tx.SetWhere(ctx, m.ID, m.Where)
	})
}

// TestServerAway: while the server is away for a moment, transactions wait for it.
func TestServerAway(t *testing.T) {
	r, address := roadTo(t, pgtest.Database(t))
	db := openServer(t, address)
	db.SetOutage(time.Minute) // however slow the machine is
	fill(t, db)
	const refusals = 10 // each in the way of one transaction
	t.Run("reading", func(t *testing.T) {
		r.close(refusals)
		state(t, db)
	})
	t.Run("writing", func(t *testing.T) {
		r.close(refusals)
		must(t, rename(t.Context(), db, "before", func() {}))
	})
	t.Run("in the middle", func(t *testing.T) {
		once := sync.OnceFunc(func() { r.close(refusals) })
		must(t, rename(t.Context(), db, "amid", once))
		if got := state(t, db).Match.Where.Guild; got != "amid" {
			t.Errorf("the guild is %q", got)
		}
	})
	t.Run("in the middle of reading", func(t *testing.T) {
		once := sync.OnceFunc(func() { r.close(refusals) })
		must(t, db.View(t.Context(), func(tx match.Tx) error {
			once()
			_, err := tx.Match(t.Context(), benchMatch(7).ID)
			return err
		}))
	})
	t.Run("many", func(t *testing.T) {
		r.close(refusals)
		var work sync.WaitGroup
		for range 15 { // all of them write the same row, one after the other
			work.Go(func() {
				if err := rename(t.Context(), db, "many", func() {}); err != nil {
					t.Error(err)
				}
			})
		}
		work.Wait()
	})
	if r.count() != refusals {
		t.Errorf("%d connections were refused, want %d", r.count(), refusals)
	}
}

// TestServerStaysAway: what waits for a server ends with the caller's time, and by
// itself; what cannot get better is not waited for.
func TestServerStaysAway(t *testing.T) {
	r, address := roadTo(t, pgtest.Database(t))
	db := openServer(t, address)
	fill(t, db)
	r.close(1 << 30)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if err := rename(ctx, db, "never", func() {}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("with little time: %v", err)
	}
	if err := rename(t.Context(), db, "never", func() {}); err == nil || r.count() < 2 {
		t.Errorf("after %d tries: %v", r.count(), err)
	}
	r.close(0)
	must(t, rename(t.Context(), db, "again", func() {}))

	u, err := url.Parse(address)
	must(t, err)
	_, err = raw(t, pgtest.Database(t)).ExecContext(t.Context(), `DROP DATABASE `+u.Path[1:]+` WITH (FORCE)`)
	must(t, err)
	tries := 0
	r.mu.Lock()
	r.fate = func(sent []byte) fate {
		if bytes.Contains(sent, []byte("user\x00rowbot")) {
			tries++
		}
		return arrives
	}
	r.mu.Unlock()
	if err := rename(t.Context(), db, "gone", func() {}); err == nil {
		t.Error("no error without a database")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if tries == 0 || tries > 3 {
		t.Errorf("a database that is not there was asked for %d times", tries)
	}
}

// TestCommitUnsure: a connection that ends during COMMIT leaves all or nothing, and
// nobody is told that it was nothing.
func TestCommitUnsure(t *testing.T) {
	for _, tt := range []struct {
		name   string
		fate   fate
		stored string
	}{
		{"the server did not get it", lost, benchMatch(7).Where.Guild},
		{"its answer was lost", unanswered, "new"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, address := roadTo(t, pgtest.Database(t))
			folded := make(chan error, 9)
			db, err := persistence.OpenPostgres(t.Context(), address, persistence.WatchFolding(func(err error) { folded <- err }))
			must(t, err)
			defer db.Close()
			fill(t, db)
			must(t, <-folded) // so that no record waits to be, beside what follows
			r.judge("COMMIT\x00", tt.fate)
			runs := 0
			err = rename(t.Context(), db, "new", func() { runs++ })
			if !errors.Is(err, match.ErrUnsure) || runs != 1 {
				t.Errorf("after %d runs: %v, want %v after one", runs, err, match.ErrUnsure)
			}
			if got := state(t, db).Match.Where.Guild; got != tt.stored {
				t.Errorf("the guild is %q, want %q", got, tt.stored)
			}
			r.judge("COMMIT\x00", tt.fate)
			state(t, db) // nothing of what reads is in doubt

			now := time.UnixMilli(1_700_000_000_000).UTC()
			games := &match.Service{Store: db, Now: func() time.Time { return now }, Seed: func() uint64 { return 1 }, Expiry: time.Hour}
			m := benchMatch(7)
			r.judge("COMMIT\x00", tt.fate)
			got, err := games.Act(t.Context(), match.Deed{
				Match: m.ID, Seen: m.Version, By: m.Invited, Action: match.Place{At: match.Point{Col: 14, Row: 14}}, Event: "650000000000000002",
			})
			if err != nil || len(got.Moves) != 8 || got.Version != m.Version+1 {
				t.Errorf("a move: %v; %d moves, version %d", err, len(got.Moves), got.Version)
			}
			if stored := state(t, db).Match; len(stored.Moves) != 8 || stored.Version != m.Version+1 {
				t.Errorf("stored are %d moves, version %d", len(stored.Moves), stored.Version)
			}
		})
	}
}

// TestServerIsRestarted: who plays while the server is restarted does not notice.
func TestServerIsRestarted(t *testing.T) {
	db := openServer(t, pgtest.Database(t))
	db.SetOutage(time.Minute) // however long it takes to start
	fill(t, db)
	var over atomic.Bool
	var work sync.WaitGroup
	for n := range 20 {
		work.Go(func() {
			for !over.Load() {
				err := rename(t.Context(), db, strconv.Itoa(n), func() { time.Sleep(time.Millisecond) })
				if err == nil || errors.Is(err, match.ErrUnsure) {
					err = db.View(t.Context(), func(tx match.Tx) error {
						_, err := tx.Match(t.Context(), benchMatch(7).ID)
						return err
					})
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	pgtest.Restart(t)
	over.Store(true)
	work.Wait()
}
