package storetest

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"rowbot/match"
)

var guildTests = []test{
	{"Settings", testGuildSettings},
	{"Running", testRunning},
	{"Presence", testPresence},
	{"ForgetGuild", testForgetGuild},
}

func guild(t *testing.T, s match.Store, id string) (g match.Guild) {
	t.Helper()
	view(t.Context(), t, s, func(tx match.Tx) (err error) {
		g, err = tx.Guild(t.Context(), id)
		return err
	})
	return g
}

func testGuildSettings(t *testing.T, s match.Store) {
	equal(t, "by default", guild(t, s, "g"), match.Guild{ID: "g"})
	rapid.Check(t, func(rt *rapid.T) {
		g := match.Guild{
			ID: ids().Draw(rt, "id"), Style: texts().Draw(rt, "style"), Language: texts().Draw(rt, "language"),
			Channels: rapid.SliceOfN(ids(), 0, 25).Draw(rt, "channels"),
			Pace:     time.Duration(rapid.Int64Range(0, 1<<40).Draw(rt, "pace")) * time.Millisecond,
			Side:     rapid.SampledFrom([]int8{0, 15, 19}).Draw(rt, "side"),
			Variant:  rapid.SampledFrom([]match.Variant{match.Freestyle, match.Standard, match.Renju}).Draw(rt, "variant"),
			Threads:  rapid.Bool().Draw(rt, "threads"),
		}
		update(t.Context(), rt, s, func(tx match.Tx) error { return tx.PutGuild(t.Context(), g) })
		equal(rt, "stored", guild(t, s, g.ID), g)
	})
}

func testRunning(t *testing.T, s match.Store) {
	in := func(id match.ID, g string, status match.Status, seconds int) match.Match {
		m := playing(id, "me", "you")
		m.Where.Guild, m.Status, m.Created = g, status, at(seconds)
		return m
	}
	insert(t.Context(), t, s, in("a", "g", match.Active, 1), in("b", "g", match.Active, 3), in("c", "g", match.Active, 2),
		in("d", "g", match.Challenged, 4), in("e", "g", match.Won, 5), in("f", "h", match.Active, 6), in("x", "", match.Active, 7))
	running := func(g string, limit int) (ids []match.ID) {
		view(t.Context(), t, s, func(tx match.Tx) error {
			found, err := tx.Running(t.Context(), g, limit)
			for _, m := range found {
				ids = append(ids, m.ID)
			}
			return err
		})
		return ids
	}
	equal(t, "all", running("g", 9), []match.ID{"b", "c", "a"})
	equal(t, "two", running("g", 2), []match.ID{"b", "c"})
	equal(t, "outside of guilds", running("", 9), []match.ID(nil))
}

func presence(t *testing.T, s match.Store) (known map[string]time.Time) {
	t.Helper()
	view(t.Context(), t, s, func(tx match.Tx) (err error) {
		known, err = tx.Presence(t.Context())
		return err
	})
	return known
}

// testPresence: being there and settings are told apart.
func testPresence(t *testing.T, s match.Store) {
	set := func(id string, gone time.Time) {
		update(t.Context(), t, s, func(tx match.Tx) error { return tx.SetPresence(t.Context(), id, gone) })
	}
	equal(t, "at first", presence(t, s), map[string]time.Time{})
	chosen := match.Guild{ID: "g", Style: "emoji", Threads: true}
	set("h", time.Time{})
	update(t.Context(), t, s, func(tx match.Tx) error { return tx.PutGuild(t.Context(), chosen) })
	set("g", at(5))
	equal(t, "one gone", presence(t, s), map[string]time.Time{"g": at(5), "h": {}})
	equal(t, "its settings", guild(t, s, "g"), chosen)
	update(t.Context(), t, s, func(tx match.Tx) error { return tx.PutGuild(t.Context(), chosen) })
	equal(t, "still gone", presence(t, s), map[string]time.Time{"g": at(5), "h": {}})
	set("g", time.Time{})
	equal(t, "back", presence(t, s), map[string]time.Time{"g": {}, "h": {}})
}

// testForgetGuild: settings, presence, records and places of one guild go; the
// matches, the records everywhere and the other guilds stay.
func testForgetGuild(t *testing.T, s match.Store) {
	ctx := t.Context()
	here, there, over := playing("here", "me", "you"), playing("there", "me", "you"), ended("over", "me", "you", at(1))
	there.Where.Guild = "h"
	insert(ctx, t, s, here, there, over)
	in := func(scope string) match.RecordKey { return match.VersusPeople(scope, "me", match.Gomoku) }
	for _, scope := range []string{"guild", "h", match.Everywhere} {
		putRecords(t, s, match.Record{RecordKey: in(scope), Won: 1})
	}
	update(ctx, t, s, func(tx match.Tx) error {
		for _, id := range []string{"guild", "h"} {
			if err := tx.PutGuild(ctx, match.Guild{ID: id, Style: "emoji"}); err != nil {
				return err
			}
		}
		return tx.ForgetGuild(ctx, "guild")
	})
	equal(t, "presence", presence(t, s), map[string]time.Time{"h": {}})
	equal(t, "settings", guild(t, s, "guild"), match.Guild{ID: "guild"})
	equal(t, "other settings", guild(t, s, "h").Style, "emoji")
	for scope, want := range map[string]int{"guild": 0, "h": 1, match.Everywhere: 1} {
		equal(t, "record of "+scope, record(ctx, t, s, in(scope)).Won, want)
	}
	here.Where, over.Where = match.Where{}, match.Where{}
	for _, m := range []match.Match{here, there, over} {
		equal(t, string(m.ID), load(ctx, t, s, m.ID), m)
	}
	update(ctx, t, s, func(tx match.Tx) error { return tx.ForgetGuild(ctx, match.Everywhere) })
	equal(t, "record everywhere", record(ctx, t, s, in(match.Everywhere)).Won, 1)
}
