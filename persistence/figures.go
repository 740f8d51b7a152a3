package persistence

import (
	"context"
	"fmt"
)

// CountOpen counts the challenges and matches that are not over. It goes through
// the index of deadlines, which holds just those, and looks at each: some tenths of
// a second for 100,000, so it is not to be asked at every occasion.
func (db *DB) CountOpen(ctx context.Context) (int, error) {
	var n int
	if err := db.readers.QueryRowContext(ctx, countOpen).Scan(&n); err != nil {
		return 0, fmt.Errorf("count open matches: %w", err)
	}
	return n, nil
}

const countOpen = "SELECT count(*) FROM matches WHERE status < 30"
