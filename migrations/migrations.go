// Package migrations holds the steps that build and change the schema of each
// database Rowbot can keep its data in, as files in goose's format. A step that
// has been released is never edited; a change of the schema is a new file with
// the next number, for each database.
//
// Package persistence applies them; nobody else has a reason to import it.
package migrations

import "embed"

// SQLite holds the steps for SQLite, as sqlite/<number>_<name>.sql.
//
//go:embed sqlite/*.sql
var SQLite embed.FS

// Postgres holds the steps for PostgreSQL, as postgres/<number>_<name>.sql. Their
// numbers have nothing to do with SQLite's.
//
//go:embed postgres/*.sql
var Postgres embed.FS
