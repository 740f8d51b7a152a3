package persistence

import (
	"strings"

	"rowbot/match"
)

// openParts are the queries for the parts of a person's open matches, in SQLite and
// in PostgreSQL.
var openParts = map[match.Part]struct{ file, server string }{
	match.AllOpen: {selectOpen, selectOpenOnServer},
	match.Playing: {selectPlaying, selectPlayingOnServer},
	match.Sent:    {selectSent, selectSent},
}

// A match has players once it is accepted, so open matches with players are those being
// played. Only waiting challenges are looked up by their challenger and invited.
var (
	selectOpen            = openInFile(waiting("challenger"), waiting("invited"), playing("black"), playing("white"))
	selectOpenOnServer    = openOnServer(waiting("challenger"), waiting("invited"), playing("black"), playing("white"))
	selectPlaying         = openInFile(playing("black"), playing("white"))
	selectPlayingOnServer = openOnServer(playing("black"), playing("white"))
	selectSent            = `SELECT ` + matchColumns + ` FROM matches WHERE ` + waiting("challenger") + `
		ORDER BY created DESC, id DESC LIMIT ?3 OFFSET ?4`
)

// waiting is the condition for waiting challenges of one of their two people, and
// playing that for running matches by who plays a colour; each has an index.
func waiting(party string) string { return openOf(party, "status = 10") }

func playing(colour string) string { return openOf(colour, "status < 30") }

func openOf(role, status string) string {
	return role + `_user = ?1 AND ` + role + `_user <> '' AND ` + status + ` AND (?2 = '' OR channel = ?2)`
}

// openInFile merges indexes of open matches. Each has the order of the result and is
// read only as far as the limit needs. A match that is in several of them comes out
// once.
func openInFile(conditions ...string) string {
	var each []string
	for _, c := range conditions {
		each = append(each, `SELECT created AS at, id AS found, rowid AS number FROM matches WHERE `+c)
	}
	return `SELECT ` + matchColumns + ` FROM (
		` + strings.Join(each, `
		UNION `) + `
		ORDER BY 1 DESC, 2 DESC, 3 LIMIT ?3 OFFSET ?4)
	CROSS JOIN matches ON matches.rowid = number
	ORDER BY at DESC, found DESC`
}

// openOnServer is openInFile for PostgreSQL, which stops reading an index early only if
// each has a limit of its own.
func openOnServer(conditions ...string) string {
	var each []string
	for _, c := range conditions {
		each = append(each, `(SELECT created AS at, id AS found FROM matches WHERE `+c+`
			ORDER BY created DESC, id DESC LIMIT CAST(?3 AS BIGINT) + CAST(?4 AS BIGINT))`)
	}
	return `SELECT ` + matchColumns + ` FROM (
		` + strings.Join(each, `
		UNION `) + `
		ORDER BY 1 DESC, 2 DESC LIMIT ?3 OFFSET ?4) AS those
	JOIN matches ON id = found
	WHERE status < 30
	ORDER BY at DESC, found DESC`
}
