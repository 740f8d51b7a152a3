package persistence_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/persistence/pgtest"
)

// between is a store in which something happens once, behind the first look at what
// somebody has open.
type between struct {
	match.Store

	happens func()
}

func (s between) Update(ctx context.Context, f func(match.Tx) error) error {
	return s.Store.Update(ctx, func(tx match.Tx) error { return f(betweenTx{tx, s.happens}) })
}

type betweenTx struct {
	match.Tx

	happens func()
}

func (tx betweenTx) Open(ctx context.Context, q match.OpenQuery) ([]match.Match, error) {
	open, err := tx.Tx.Open(ctx, q)
	tx.happens()
	return open, err
}

// TestForgottenWhileChallenged: a challenge that comes while somebody's data is being
// deleted is closed with the others, and does not go on without them.
func TestForgottenWhileChallenged(t *testing.T) {
	db := openServer(t, pgtest.Database(t))
	now := time.UnixMilli(1_700_000_000_000).UTC()
	games := &match.Service{Store: db, Now: func() time.Time { return now }, Seed: func() uint64 { return 1 }, Expiry: time.Hour}
	challenge := sync.OnceFunc(func() {
		_, err := games.Challenge(t.Context(), match.Proposal{
			ID: "late", Rules: match.TicTacToeRules(), Challenger: match.Person("bob"), Opponent: match.Person("ann"), Pace: time.Hour,
		})
		must(t, err)
	})
	leaving := *games
	leaving.Store = between{db, challenge}
	done, err := leaving.Forget(t.Context(), "ann")
	must(t, err)
	if !slices.Equal(done.Closed, []match.ID{"late"}) {
		t.Errorf("closed %v", done.Closed)
	}
	must(t, db.View(t.Context(), func(tx match.Tx) error {
		m, err := tx.Match(t.Context(), "late")
		if m.Status != match.Declined || !m.Invited.IsGone() {
			t.Errorf("status %d, invited %+v", m.Status, m.Invited)
		}
		return err
	}))
}
