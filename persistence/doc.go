// Package persistence keeps matches and records in a database: it implements
// [rowbot/match.Store], today on SQLite. It is the only package that imports
// database/sql and a driver, and it never logs.
//
// Only cmd/bot may import it (and tests that need a real store); everybody else
// speaks to the ports of package match. What a second store has to hold is
// written as tests in storetest.
package persistence
