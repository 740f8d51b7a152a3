package persistence

import "rowbot/match"

// openParts are the queries for the parts of a person's open matches, in SQLite and
// in PostgreSQL.
var openParts = map[match.Part]struct{ file, server string }{
	match.AllOpen: {selectOpen, selectOpenOnServer},
	match.Playing: {selectPlaying, selectPlayingOnServer},
	match.Sent:    {selectSent, selectSent},
}

// A match has players from when it is accepted: the open ones that have are those
// being played.
const (
	selectPlaying = `SELECT ` + matchColumns + ` FROM (
		SELECT created AS at, id AS found, rowid AS number FROM matches
			WHERE black_user = ?1 AND black_user <> '' AND status < 30 AND (?2 = '' OR channel = ?2)
		UNION SELECT created, id, rowid FROM matches
			WHERE white_user = ?1 AND white_user <> '' AND status < 30 AND (?2 = '' OR channel = ?2)
		ORDER BY 1 DESC, 2 DESC, 3 LIMIT ?3 OFFSET ?4)
	CROSS JOIN matches ON matches.rowid = number
	ORDER BY at DESC, found DESC`
	selectPlayingOnServer = `SELECT ` + matchColumns + ` FROM (
		(SELECT created AS at, id AS found FROM matches
			WHERE black_user = ?1 AND black_user <> '' AND status < 30 AND (?2 = '' OR channel = ?2)
			ORDER BY created DESC, id DESC LIMIT CAST(?3 AS BIGINT) + CAST(?4 AS BIGINT))
		UNION (SELECT created, id FROM matches
			WHERE white_user = ?1 AND white_user <> '' AND status < 30 AND (?2 = '' OR channel = ?2)
			ORDER BY created DESC, id DESC LIMIT CAST(?3 AS BIGINT) + CAST(?4 AS BIGINT))
		ORDER BY 1 DESC, 2 DESC LIMIT ?3 OFFSET ?4) AS those
	JOIN matches ON id = found
	WHERE status < 30
	ORDER BY at DESC, found DESC`
	selectSent = `SELECT ` + matchColumns + ` FROM matches
		WHERE challenger_user = ?1 AND challenger_user <> '' AND status = 10 AND (?2 = '' OR channel = ?2)
		ORDER BY created DESC, id DESC LIMIT ?3 OFFSET ?4`
)
