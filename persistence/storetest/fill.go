package storetest

import (
	"context"
	"testing"

	"pgregory.net/rapid"

	"rowbot/match"
	"rowbot/match/rating"
)

// Fill puts so many matches, and as many of everything else, into a store: of any
// contents that a store may hold, the same each time.
func Fill(t testing.TB, s match.Store, n int) {
	t.Helper()
	ctx := t.Context()
	all := rapid.Custom(something)
	const batch = 50
	for from := 0; from < n; from += batch {
		update(ctx, t, s, func(tx match.Tx) error {
			for i := from; i < min(from+batch, n); i++ {
				if err := all.Example(i)(ctx, tx); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// something draws a match, a record, a person's and a guild's choices and a
// notice, and returns how to store them.
func something(t *rapid.T) func(context.Context, match.Tx) error {
	m := aMatch(t, newID(t))
	user, guild := string(newID(t)), string(newID(t))
	k := match.VersusPeople(texts().Draw(t, "scope"), user, match.Gomoku)
	r := rating.Rating{
		Points: rapid.Float64Range(-1e4, 1e4).Draw(t, "points"), Deviation: rapid.Float64Range(0, 350).Draw(t, "deviation"),
		Volatility: rapid.Float64Range(0, 1).Draw(t, "volatility"),
	}
	notice := match.Notice{
		Match: m.ID, Turn: m.Since, Kind: match.YourTurn, State: match.Posted,
		Channel: texts().Draw(t, "channel"), Message: texts().Draw(t, "message"), At: moments().Draw(t, "at"),
	}
	unshown, gone := rapid.Bool().Draw(t, "unshown"), moments().Draw(t, "gone")
	return func(ctx context.Context, tx match.Tx) error {
		for _, err := range []error{
			tx.Insert(ctx, m), tx.SetUnshown(ctx, m.ID, unshown), tx.PutNotice(ctx, notice),
			tx.PutRecord(ctx, match.Record{RecordKey: k, Won: 3, Streak: 1, Best: 2}), tx.PutRating(ctx, user, match.Gomoku, r),
			tx.PutPreferences(ctx, match.Preferences{User: user, Server: guild, Quiet: unshown, Blocked: []string{"1", "22"}}),
			tx.PutGuild(ctx, match.Guild{ID: guild, Style: "emoji", Threads: unshown}), tx.SetPresence(ctx, guild, gone),
		} {
			if err != nil {
				return err
			}
		}
		return nil
	}
}
