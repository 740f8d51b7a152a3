package persistence

import (
	"context"
	"fmt"
)

// CountOpen counts the challenges and matches that are not over. It goes through
// an index that holds just those, entry by entry: some milliseconds for 100,000, so
// it is not to be asked at every occasion.
func (db *DB) CountOpen(ctx context.Context) (int, error) {
	var n int
	if err := db.readers.QueryRowContext(ctx, countOpen).Scan(&n); err != nil {
		return 0, fmt.Errorf("count open matches: %w", err)
	}
	return n, nil
}

const countOpen = "SELECT count(*) FROM matches WHERE status < 30"
