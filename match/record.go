package match

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rowbot/match/rating"
)

// Everywhere is the scope of a record over all guilds and direct messages.
const Everywhere = "*"

// Whom a record is against: all people together, or what follows the prefix.
const (
	versusPeople = ""
	versusLevel  = "level:"
	versusUser   = "user:"
)

// RecordKey names a record: who, in which guild or [Everywhere], at which
// game, and against whom (see [VersusPeople], [VersusLevel], [VersusUser]).
type RecordKey struct {
	Scope, User string
	Game        Game
	Versus      string
}

// VersusPeople is the key of a player's matches against people.
func VersusPeople(scope, user string, g Game) RecordKey {
	return RecordKey{Scope: scope, User: user, Game: g, Versus: versusPeople}
}

// VersusLevel is the key of a player's matches against Rowbot at a level, everywhere.
func VersusLevel(user string, g Game, l Level) RecordKey {
	return RecordKey{Scope: Everywhere, User: user, Game: g, Versus: versusLevel + l.String()}
}

// VersusUser is the key of a player's matches against one other, everywhere.
func VersusUser(user string, g Game, other string) RecordKey {
	return RecordKey{Scope: Everywhere, User: user, Game: g, Versus: versusUser + other}
}

// Record is the tally of a player's ended matches.
type Record struct {
	RecordKey
	Won, Drawn, Lost int
	Streak, Best     int           // wins in a row: now, and the longest
	Rating           rating.Rating // only against people
	Updated          time.Time
}

// Played returns the number of matches.
func (r Record) Played() int { return r.Won + r.Drawn + r.Lost }

// Level returns the name of Rowbot's level that the record is against, "" for people.
func (r Record) Level() string {
	level, against := strings.CutPrefix(r.Versus, versusLevel)
	if !against {
		return ""
	}
	return level
}

// add counts one more match.
func (r *Record) add(s rating.Score, now time.Time) {
	switch s {
	case rating.Win:
		r.Won++
		r.Streak++
		r.Best = max(r.Best, r.Streak)
	case rating.Draw:
		r.Drawn++
		r.Streak = 0
	case rating.Loss:
		r.Lost++
		r.Streak = 0
	}
	r.Updated = now
}

// settle writes what an ended match means for its players: their records and,
// between people, their ratings. It notes the gains in the match. It belongs
// into the transaction of the action that ended the match.
func settle(ctx context.Context, tx Tx, m *Match) error {
	if !m.Status.Counts() {
		return nil
	}
	if err := weigh(ctx, tx, m); err != nil {
		return fmt.Errorf("look for matches like %s: %w", m.ID, err)
	}
	for _, side := range []Stone{Black, White} {
		me, other := m.Seat(side), m.Seat(side.Other())
		if me.IsEngine() {
			continue
		}
		for _, k := range recordKeys(m, me, other) {
			r, err := tx.Record(ctx, k)
			if err != nil {
				return fmt.Errorf("load record of match %s: %w", m.ID, err)
			}
			r.add(m.score(side), m.Changed)
			if err := tx.PutRecord(ctx, r); err != nil {
				return fmt.Errorf("store record of match %s: %w", m.ID, err)
			}
		}
	}
	// Last, because a rating is stored in every record there is.
	if err := rate(ctx, tx, m); err != nil {
		return fmt.Errorf("rate match %s: %w", m.ID, err)
	}
	return nil
}

// recordKeys lists the records that a player's match belongs to.
func recordKeys(m *Match, me, other Player) []RecordKey {
	g := m.Rules.Game()
	if other.IsEngine() {
		return []RecordKey{VersusLevel(me.User, g, other.Level)}
	}
	keys := []RecordKey{VersusPeople(Everywhere, me.User, g), VersusUser(me.User, g, other.User)}
	if m.Where.Guild != "" {
		keys = append(keys, VersusPeople(m.Where.Guild, me.User, g))
	}
	return keys
}

// score is the result as one side sees it.
func (m *Match) score(side Stone) rating.Score {
	if m.Winner == Empty {
		return rating.Draw
	}
	if m.Winner == side {
		return rating.Win
	}
	return rating.Loss
}
