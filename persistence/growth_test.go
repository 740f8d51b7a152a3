package persistence_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/persistence"
)

// growth is how many finished matches the larger store of the benchmarks has.
// docs/performance.md takes 1,000,000; the default is quick to fill.
var growth = flag.Int("growth", 10_000, "finished matches in the larger store of the benchmarks of growth")

const smallGrowth = 1000

// grown is a store in which everybody has the same whatever its size: 10
// finished matches as black and 10 as white, one running match on each side,
// and a server of 100 finished matches and 10 people.
type grown struct {
	db      *persistence.DB
	path    string
	players int
	running int
	guilds  int
	every   int // of so many people, matches and servers one acts
	step    int
	clock   time.Time
	ended   match.Match // by finish, as it was before
}

// grownAt is when the last match of a grown store was changed.
var grownAt = time.UnixMilli(1_700_000_000_000).UTC()

// growthIDs is the order of the matches' IDs. The bot makes them of the interactions'
// IDs, which grow with time; matches that run have IDs near each other then.
var growthIDs = flag.String("growth-ids", "scattered", "IDs of the matches of the benchmarks of growth: scattered or ordered")

// idFactor makes the ID of a match's number. It is odd, so that no two numbers below
// 2^32 share a product: those of a large one are scattered as random ones are.
func idFactor() int64 {
	if *growthIDs == "ordered" {
		return 1
	}
	return 2654435761
}

// The fill. ?1 is how many, ?2 the number of people, ?3 the number of servers, ?4 the
// moves, ?5 the time, ?6 the status, ?7 the first number, ?8 the pace of running
// matches (0 for those that are over), ?9 is idFactor.
const (
	fillMatches = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1),
		p AS (SELECT i, printf('%013x', ((i + ?7) * ?9) % 4294967296) AS id,
			printf('25%016d', i % ?2) AS black, printf('25%016d', (i + i / ?2 + 1) % ?2) AS white,
			?5 - 1000 * ((i * 40503) % ?1) AS at FROM n)
	INSERT INTO matches (id, version, since, told, reminded, board_cols, board_rows, need, variant, seed,
		challenger_user, challenger_level, invited_user, invited_level, side,
		black_user, black_level, white_user, white_level, status, reason, winner, moves, offer,
		black_after, black_change, white_after, white_change, pace, deadline, created, changed,
		guild, channel, message, event, opening, choice, last_choice, unrated, black_offer_from, white_offer_from)
	SELECT id, 41, 41, 41, 41, 15, 15, 5, 0, i, black, 0, white, 0, 1, black, 0, white, 0, ?6, 0, ?6 = 30, ?4, 0,
		1500, 8, 1500, -8, ?8, CASE ?8 WHEN 0 THEN 0 ELSE at + ?8 END, at - 3600000, at,
		printf('35%016d', i % ?3), printf('45%016d', i % ?3), printf('55%016d', i), printf('65%016d', i), 0, 0, 0, 0, 0, 0
	FROM p`
	fillRecords = `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ?1),
		s(versus, guild) AS (VALUES ('', '*'), ('', ''), ('level:easy', '*'), ('user:1', '*'), ('user:2', '*'), ('user:3', '*'),
			('user:4', '*'), ('user:5', '*'), ('user:6', '*'), ('user:7', '*'), ('user:8', '*'), ('user:9', '*'))
	INSERT INTO records (user_id, game, versus, scope, won, drawn, lost, streak, best, points, deviation, volatility, updated)
	SELECT printf('25%016d', i), 'gomoku', versus, CASE guild WHEN '' THEN printf('35%016d', i % ?2) ELSE guild END,
		(i * 40503) % 97, 3, 10, 1, 2, 1500 + ((i * 40503) % ?1) * 800.0 / ?1 - 400, 80, 0.06, ?3
	FROM n CROSS JOIN s`
)

// grow makes a store with so many finished matches.
func grow(b *testing.B, finished int) *grown {
	b.Helper()
	g := &grown{
		path: filepath.Join(b.TempDir(), "rowbot.db"), clock: grownAt, every: 1,
		players: finished / 10, running: finished / 10, guilds: finished / 100,
	}
	if *growthOn == "postgres" {
		g.server(b)
	} else {
		g.file(b)
	}
	return g
}

// next returns another number below n each time, scattered over all of those that act.
func (g *grown) next(n int) int {
	g.step++
	return g.step * 7919 % (n / g.every) * g.every
}

func (g *grown) user() string  { return fmt.Sprintf("25%016d", g.next(g.players)) }
func (g *grown) guild() string { return fmt.Sprintf("35%016d", g.next(g.guilds)) }

// game is the ID of a running match.
func (g *grown) game() match.ID {
	return match.ID(fmt.Sprintf("%013x", uint64(g.next(g.running))*uint64(idFactor())%(1<<32)))
}

// move is a move as click makes one, in another match each time.
func (g *grown) move(ctx context.Context) error {
	id := g.game()
	g.clock = g.clock.Add(time.Second)
	return g.db.Update(ctx, func(tx match.Tx) error {
		m, err := tx.Match(ctx, id)
		if err != nil {
			return err
		}
		next := m
		next.Version++
		next.Since = next.Version
		next.Changed, next.Deadline = g.clock, g.clock.Add(m.Pace)
		next.Event = strconv.Itoa(g.step)
		return tx.Replace(ctx, m.Version, next)
	})
}

// end ends a match of two people as far as records go; it goes on, so that there are
// always as many.
func (g *grown) end(ctx context.Context) error {
	n := g.next(g.players)
	users := [2]string{fmt.Sprintf("25%016d", n), g.user()}
	return ending(ctx, g.db, g.game(), g.step, users, fmt.Sprintf("35%016d", n%g.guilds))
}

// view wraps something that is read, and is to find as many as it should.
func view(want int, read func(context.Context, *grown, match.Tx) (int, error)) doing {
	return func(g *grown, ctx context.Context) error {
		return g.db.View(ctx, func(tx match.Tx) error {
			n, err := read(ctx, g, tx)
			if err == nil && n != want {
				err = fmt.Errorf("found %d, want %d", n, want)
			}
			return err
		})
	}
}

func open10(ctx context.Context, g *grown, tx match.Tx) (int, error) {
	found, err := tx.Open(ctx, match.OpenQuery{User: g.user(), Limit: 10})
	return len(found), err
}

func endedHere(ctx context.Context, g *grown, tx match.Tx) (int, error) {
	found, err := tx.Ended(ctx, match.EndedQuery{Guild: g.guild(), Limit: 20})
	return len(found), err
}

func endedOf(ctx context.Context, g *grown, tx match.Tx) (int, error) {
	found, err := tx.Ended(ctx, match.EndedQuery{User: g.user(), Limit: 25})
	return len(found), err
}

func leaders(everywhere bool) func(context.Context, *grown, match.Tx) (int, error) {
	return func(ctx context.Context, g *grown, tx match.Tx) (int, error) {
		scope := match.Everywhere
		if !everywhere {
			scope = g.guild()
		}
		found, err := tx.Leaders(ctx, match.LeadersQuery{Scope: scope, Game: match.Gomoku, By: match.ByRating, Limit: 10})
		return len(found), err
	}
}

// place looks up the place of anybody: on the average the middle one.
func place(everywhere bool) func(context.Context, *grown, match.Tx) (int, error) {
	return func(ctx context.Context, g *grown, tx match.Tx) (int, error) {
		n := g.next(g.players)
		user, scope := fmt.Sprintf("25%016d", n), match.Everywhere
		if !everywhere {
			scope = fmt.Sprintf("35%016d", n%g.guilds)
		}
		own, err := tx.Record(ctx, match.VersusPeople(scope, user, match.Gomoku))
		if err != nil {
			return 0, err
		}
		at, err := tx.Place(ctx, own, match.ByRating)
		return min(at, 1), err
	}
}

// asking asks what is asked before a challenge is stored.
func asking(ctx context.Context, g *grown, tx match.Tx) (int, error) {
	one, other := g.user(), g.user()
	standing, err := tx.Standing(ctx, one, g.clock)
	if err != nil {
		return 0, err
	}
	if _, err := tx.Pending(ctx, match.PendingQuery{Challenger: one, Invited: other, Now: g.clock}); !isMissing(err) {
		return 0, fmt.Errorf("pending: %w", err)
	}
	if _, err := tx.Rebuffed(ctx, one, other, 1); !isMissing(err) {
		return 0, fmt.Errorf("rebuffed: %w", err)
	}
	if _, err := tx.RatedBetween(ctx, one, other, g.clock.Add(-24*time.Hour)); err != nil {
		return 0, err
	}
	return standing.Running, nil
}

// BenchmarkGrowth does the same in a store of 1,000 finished matches and in one
// of -growth, in turn, and reports how many times as long it takes in the latter:
// where as many people, matches and servers act in both, the others being there,
// and where all of them do, so that in the large store nothing is read twice soon.
func BenchmarkGrowth(b *testing.B) {
	stores := [2]*grown{grow(b, smallGrowth), grow(b, *growth)}
	for _, who := range []struct {
		name  string
		every int
	}{{"as many", *growth / smallGrowth}, {"all", 1}} {
		stores[1].every = who.every
		for _, c := range growing {
			b.Run(c.name+"/"+who.name, func(b *testing.B) { compare(b, stores, c.do, nil) })
		}
		b.Run("ending for good/"+who.name, func(b *testing.B) { compare(b, stores, (*grown).finish, (*grown).resume) })
	}
	b.Run("first sweep", func(b *testing.B) { compare(b, stores, view(0, firstSweep), nil) })
	b.Run("start", func(b *testing.B) { compare(b, stores, start, nil) })
}

var growing = []struct {
	name string
	do   doing
}{
	{"move", (*grown).move},
	{"matches", view(2, open10)},
	{"leaders here", view(10, leaders(false))},
	{"leaders everywhere", view(10, leaders(true))},
	{"place here", view(1, place(false))},
	{"place everywhere", view(1, place(true))},
	{"replays here", view(20, endedHere)},
	{"replays of one", view(20, endedOf)},
	{"challenge", view(2, asking)},
	{"ending", (*grown).end},
}

// doing is something that is done in a grown store.
type doing func(*grown, context.Context) error

// compare takes medians, which a machine that is busy with other things now and
// then does not blur. What undo does after each is not measured.
func compare(b *testing.B, stores [2]*grown, do, undo doing) {
	ctx, cancel := context.WithTimeout(b.Context(), time.Hour)
	defer cancel()
	var took [2][]time.Duration
	for b.Loop() {
		for i, g := range stores {
			start := time.Now()
			err := do(g, ctx)
			took[i] = append(took[i], time.Since(start))
			if err == nil && undo != nil {
				err = undo(g, ctx)
			}
			if err != nil {
				b.Fatal(err)
			}
		}
	}
	reportTwo(b, took, "small", "large")
	reportPages(b, stores, do, undo)
}

// reportTwo reports the medians of two things that were done in turn, how many
// times as long the second took, and the same of the means.
func reportTwo(b *testing.B, took [2][]time.Duration, first, second string) {
	b.Helper()
	var median, mean [2]float64
	for i := range took {
		for _, d := range took[i] {
			mean[i] += float64(d) / float64(len(took[i]))
		}
		slices.Sort(took[i])
		median[i] = float64(took[i][len(took[i])/2])
	}
	b.ReportMetric(0, "ns/op") // it is that of both together
	b.ReportMetric(median[0]/1e3, first+"-µs")
	b.ReportMetric(median[1]/1e3, second+"-µs")
	b.ReportMetric(median[1]/median[0], second+"/"+first)
	b.ReportMetric(mean[1]/mean[0], "means")
}

// firstSweep asks what the first sweep asks where nothing is due: the benchmark's
// moves are the only turns nobody was told of, and they are newer.
func firstSweep(ctx context.Context, g *grown, tx match.Tx) (int, error) {
	before, total := grownAt, 0
	for _, list := range []func() ([]match.ID, error){
		func() ([]match.ID, error) { return tx.Owed(ctx, "", 100) },
		func() ([]match.ID, error) { return tx.Unshown(ctx, "", 100) },
		func() ([]match.ID, error) { return tx.Unsettled(ctx, "", 100) },
	} {
		ids, err := list()
		if err != nil {
			return 0, err
		}
		total += len(ids)
	}
	for _, alarms := range []func(context.Context, time.Time, match.Alarm, int) ([]match.Alarm, error){
		tx.Due, tx.Quiet, tx.ShortOfTime,
	} {
		rung, err := alarms(ctx, before, match.Alarm{}, 100)
		if err != nil {
			return 0, err
		}
		total += len(rung)
	}
	return total, nil
}

// start opens the store once more, as a process does that starts, up to the
// first answer, and closes it.
func start(g *grown, ctx context.Context) error {
	open := persistence.OpenSQLite
	if g.db.Server() {
		open = persistence.OpenPostgres
	}
	db, err := open(ctx, g.path)
	if err != nil {
		return err
	}
	if err := db.Ping(ctx); err != nil {
		return err
	}
	return db.Close()
}

func isMissing(err error) bool { return errors.Is(err, match.ErrNotFound) }
