package persistence_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"rowbot/match"
	"rowbot/persistence/pgtest"
)

// TestTurnsInOrder: two people who act towards each other at the same moment never
// wait for each other, whatever is asked of them first.
func TestTurnsInOrder(t *testing.T) {
	db := openServer(t, pgtest.Database(t))
	now := time.UnixMilli(1)
	asks := map[string]func(ctx context.Context, tx match.Tx, user string) error{
		"Standing": func(ctx context.Context, tx match.Tx, user string) error {
			_, err := tx.Standing(ctx, user, now)
			return err
		},
		"Preferences": func(ctx context.Context, tx match.Tx, user string) error {
			_, err := tx.Preferences(ctx, user)
			return err
		},
		"Pending": func(ctx context.Context, tx match.Tx, user string) error {
			_, err := tx.Pending(ctx, match.PendingQuery{Challenger: user, Invited: "9", Now: now})
			if errors.Is(err, match.ErrNotFound) {
				return nil
			}
			return err
		},
	}
	for one, first := range asks {
		for other, second := range asks {
			t.Run(one+" and "+other, func(t *testing.T) {
				var holding sync.WaitGroup
				holding.Add(2)
				both := func(user, friend string) error {
					meet := sync.OnceFunc(func() { holding.Done(); holding.Wait() })
					return db.Update(t.Context(), func(tx match.Tx) error {
						if err := first(t.Context(), tx, user); err != nil {
							return err
						}
						meet()
						err := second(t.Context(), tx, friend)
						if e, ok := errors.AsType[*pgconn.PgError](err); ok {
							t.Errorf("%s behind %s: %v", friend, user, e)
						}
						return err
					})
				}
				done := make(chan error)
				go func() { done <- both("2", "1") }()
				if err := errors.Join(both("1", "2"), <-done); err != nil {
					t.Error(err)
				}
			})
		}
	}
}
