package persistence

import (
	"context"
	"time"
)

const (
	takeLease = `INSERT INTO leases (duty, holder, until) VALUES (?1, ?2, ?4)
	ON CONFLICT (duty) DO UPDATE SET holder = excluded.holder, until = excluded.until
		WHERE leases.holder = excluded.holder OR leases.until <= ?3`
	dropLease = `DELETE FROM leases WHERE duty = ?1 AND holder = ?2`
)

// Take gives a duty to a holder; see match.Tx.
func (t *tx) Take(ctx context.Context, duty, holder string, now, until time.Time) (bool, error) {
	n, err := t.exec(ctx, takeLease, duty, holder, now.UnixMilli(), until.UnixMilli())
	return n > 0, err
}

// Yield gives a duty back; see match.Tx.
func (t *tx) Yield(ctx context.Context, duty, holder string) error {
	_, err := t.exec(ctx, dropLease, duty, holder)
	return err
}
