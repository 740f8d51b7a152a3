package persistence

import "context"

// Schema tells which schema the database has.
func (db *DB) Schema(ctx context.Context) (Schema, error) { return db.schema(ctx) }
