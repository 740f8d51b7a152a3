package persistence

import (
	"context"
	"time"
)

// Schema tells which schema the database has.
func (db *DB) Schema(ctx context.Context) (Schema, error) { return db.schema(ctx) }

// SetOutage changes for how long transactions are tried while the server is away.
func (db *DB) SetOutage(limit time.Duration) { db.outage = limit }
