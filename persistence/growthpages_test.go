package persistence_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/match/rating"
)

// finish ends a match of two people as play does: it moves from the indexes of what
// runs to those of what is over, and their records and ratings change.
func (g *grown) finish(ctx context.Context) error {
	id := g.game()
	g.clock = g.clock.Add(time.Second)
	return g.db.Update(ctx, func(tx match.Tx) error {
		m, err := tx.Match(ctx, id)
		if err != nil {
			return err
		}
		g.ended = m
		next := m
		next.Version++
		next.Since = next.Version
		next.Status, next.Reason, next.Winner = match.Won, match.ByResignation, match.Black
		next.Changed, next.Deadline = g.clock, time.Time{}
		if _, err := tx.RatedBetween(ctx, m.Seats[0].User, m.Seats[1].User, g.clock.Add(-24*time.Hour)); err != nil {
			return err
		}
		for i, player := range m.Seats {
			if err := tally(ctx, tx, m.Where.Guild, player.User, m.Seats[1-i].User); err != nil {
				return err
			}
		}
		for i, player := range m.Seats {
			r := rating.Rating{Points: 1500 + float64((g.step*(2*i-1)*40503)%400), Deviation: 80, Volatility: 0.06}
			if err := tx.PutRating(ctx, player.User, match.Gomoku, r); err != nil {
				return err
			}
		}
		return tx.Replace(ctx, m.Version, next)
	})
}

// resume lets the match go on that finish has ended, so that there are always as many.
func (g *grown) resume(ctx context.Context) error {
	return g.db.Update(ctx, func(tx match.Tx) error {
		m, err := tx.Match(ctx, g.ended.ID)
		if err != nil {
			return err
		}
		next := g.ended
		next.Version = m.Version + 1
		return tx.Replace(ctx, m.Version, next)
	})
}

// tally counts one more match in the three records that it belongs to.
func tally(ctx context.Context, tx match.Tx, guild, user, other string) error {
	for _, k := range []match.RecordKey{
		match.VersusPeople(match.Everywhere, user, match.Gomoku),
		match.VersusUser(user, match.Gomoku, other), match.VersusPeople(guild, user, match.Gomoku),
	} {
		r, err := tx.Record(ctx, k)
		if err != nil {
			return err
		}
		r.Won++
		if err := tx.PutRecord(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// counted is how often something is done to count pages.
const counted = 200

// reportPages reports how many pages of 4096 bytes the process reads from files and
// writes to them each time, the moving of the log into the file included: unlike
// times, these do not depend on the machine. A server's are not seen.
func reportPages(b *testing.B, stores [2]*grown, do, undo doing) {
	b.Helper()
	if stores[0].db.Server() || !exists("/proc/self/io") {
		return
	}
	ctx, cancel := context.WithTimeout(b.Context(), time.Hour)
	defer cancel()
	for i, name := range []string{"small", "large"} {
		var all [2]int64
		for range counted {
			before := transferred(b)
			err := do(stores[i], ctx)
			after := transferred(b)
			if err == nil && undo != nil {
				err = undo(stores[i], ctx)
			}
			if err != nil {
				b.Fatal(err)
			}
			for k := range all {
				all[k] += after[k] - before[k]
			}
		}
		b.ReportMetric(float64(all[0])/counted/4096, name+"-read")
		b.ReportMetric(float64(all[1])/counted/4096, name+"-written")
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// transferred returns how many bytes the process has read and written so far.
func transferred(b *testing.B) (bytes [2]int64) {
	b.Helper()
	file, err := os.Open("/proc/self/io")
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var name string
		var n int64
		if _, err := fmt.Sscan(lines.Text(), &name, &n); err != nil {
			b.Fatal(err)
		}
		switch name {
		case "rchar:":
			bytes[0] = n
		case "wchar:":
			bytes[1] = n
		}
	}
	return bytes
}
