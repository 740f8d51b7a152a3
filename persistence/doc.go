// Package persistence keeps matches and records in a database: it implements
// [rowbot/match.Store] on SQLite, for one process and its file, and on
// PostgreSQL, for any number of them. It is the only package that imports
// database/sql and a driver, and it never logs.
//
// The queries are the same for both, written as SQLite takes them; the few that
// differ stand next to each other. What PostgreSQL needs on top, because writers
// do not take turns there, is in locks.go.
//
// Only cmd/bot may import it (and tests that need a real store); everybody else
// speaks to the ports of package match. What a store has to hold is written as
// tests in storetest.
package persistence
