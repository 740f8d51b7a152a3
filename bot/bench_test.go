package bot

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/match"
	"rowbot/persistence"
)

// silent is a Discord that takes everything.
type silent struct{}

func (silent) Call(context.Context, string, string, any) (json.RawMessage, error) { return nil, nil }

// benchBot is a Bot on a real file, with the settings that it has in service.
func benchBot(b *testing.B) (*Bot, *persistence.DB, string) {
	path := filepath.Join(b.TempDir(), "rowbot.db")
	db, err := persistence.OpenSQLite(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	bot, err := New(Options{
		Matches: &match.Service{Store: db, Now: time.Now, Seed: func() uint64 { return 1 }, Expiry: time.Hour},
		REST:    silent{}, Log: slog.New(slog.DiscardHandler), AppID: "1",
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		bot.Close()
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	return bot, db, path
}

// event is the interaction of a click as the gateway delivers it, with the
// board message that the button is on.
func event(tb testing.TB, id, user, customID string, board message) []byte {
	body, err := json.Marshal(board.Components)
	if err != nil {
		tb.Fatal(err)
	}
	return fmt.Appendf(nil, `{"id":%q,"application_id":"1","type":3,"token":"t","version":1,
		"guild_id":"300000000000000001","channel_id":"300000000000000002","locale":"en-US","guild_locale":"en-US","context":0,
		"app_permissions":"2147483647","entitlements":[],"authorizing_integration_owners":{"0":"300000000000000001"},
		"member":{"user":{"id":%q,"username":"someone","global_name":"Someone","discriminator":"0","avatar":null},
			"roles":[],"joined_at":"2026-01-01T00:00:00.000000+00:00","permissions":"2147483647","deaf":false,"mute":false,"flags":0},
		"data":{"custom_id":%q,"component_type":2,"id":7},
		"message":{"id":"300000000000000003","channel_id":"300000000000000002","type":0,"content":"","flags":32768,
			"timestamp":"2026-01-01T00:00:00.000000+00:00","edited_timestamp":null,"tts":false,"pinned":false,"mention_everyone":false,
			"mentions":[],"mention_roles":[],"attachments":[],"embeds":[],
			"author":{"id":"1","username":"Rowbot","discriminator":"0","bot":true,"avatar":null},"components":%s}}`,
		id, user, customID, body)
}

// midgame is a match of gomoku between two people, forty plies on.
func midgame(b *testing.B, bot *Bot) match.Match {
	m, err := bot.matches.Challenge(b.Context(), match.Proposal{
		ID: "benchmark", Rules: match.GomokuRules(15, match.Freestyle), Side: match.SideFirst,
		Challenger: match.Person("100000000000000001"), Opponent: match.Person("100000000000000002"), Pace: defaultPace,
		Where: match.Where{Guild: "300000000000000001", Channel: "300000000000000002", Message: "300000000000000003"},
	})
	if err != nil {
		b.Fatal(err)
	}
	act := func(a match.Action, by match.Player) {
		if m, err = bot.matches.Act(b.Context(), match.Deed{Match: m.ID, By: by, Action: a}); err != nil {
			b.Fatal(err)
		}
	}
	act(match.Accept{}, match.Person("100000000000000002"))
	for i := range int8(40) {
		// Pairs along the rows, alternating along the columns: nobody gets five.
		row, col := 3+i/8, 2+(i%8/4)*4+i%8/2%2+i%2*2
		if row%2 == 1 {
			col = 2 + (i%8/4)*4 + i%8/2%2 + (1-i%2)*2
		}
		act(match.Place{At: match.Point{Col: col, Row: row}}, m.ToMove())
	}
	return m
}

// clicker plays the same move in the same match over and over.
type clicker struct {
	bot   *Bot
	db    *persistence.DB
	path  string
	m     match.Match
	board message
	n     int
}

func newClicker(b *testing.B) *clicker {
	bot, db, path := benchBot(b)
	c := &clicker{bot: bot, db: db, path: path, m: midgame(b, bot)}
	c.board = bot.board(bot.texts.For(""), &c.m, nil)
	return c
}

// next is the click as it comes from the gateway.
func (c *clicker) next(tb testing.TB) []byte {
	c.n++
	p := press{match: c.m.ID, version: c.m.Version, verb: verbCell, arg: "h9"}
	return event(tb, strconv.Itoa(400000000000000000+c.n), c.m.ToMove().User, p.String(), c.board)
}

func decode(tb testing.TB, raw []byte) *discordgo.Interaction {
	i := new(discordgo.Interaction)
	if err := json.Unmarshal(raw, i); err != nil {
		tb.Fatal(err)
	}
	return i
}

// click handles a click up to the encoded answer.
func (c *clicker) click(tb testing.TB, i *discordgo.Interaction) answer {
	a := c.bot.handle(tb.Context(), i)
	if _, err := json.Marshal(callback{Type: a.kind, Data: a.body()}); err != nil {
		tb.Fatal(err)
	}
	return a
}

// takeBack makes the match as it was before the click.
func (c *clicker) takeBack(tb testing.TB, a answer) {
	if a.outcome != "updated" || a.shows.Version != c.m.Version+1 {
		tb.Fatalf("not played: %+v", a)
	}
	err := c.db.Update(tb.Context(), func(tx match.Tx) error { return tx.Replace(tb.Context(), c.m.Version+1, c.m) })
	if err != nil {
		tb.Fatal(err)
	}
}

// BenchmarkClick is all that Rowbot does about one click, but the network: the
// custom ID is decoded, the match loaded, the move applied, committed and
// drawn, and the answer encoded. What discordgo spends on reading the event is
// BenchmarkEvent's.
func BenchmarkClick(b *testing.B) {
	c := newClicker(b)
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		i := decode(b, c.next(b))
		b.StartTimer()
		a := c.click(b, i)
		b.StopTimer()
		c.takeBack(b, a)
		b.StartTimer()
	}
}

// BenchmarkEvent is discordgo's reading of a click's event, most of which is
// the board message that Discord sends along.
func BenchmarkEvent(b *testing.B) {
	c := newClicker(b)
	raw := c.next(b)
	b.ReportAllocs()
	for b.Loop() {
		decode(b, raw)
	}
}

// bare is a connection of its own to the same kind of file with the same
// settings, and one transaction that reads and writes the row of a match.
func bare(b *testing.B, db *persistence.DB, path string) func() {
	pool, err := sql.Open("sqlite3", "file:"+path+"?_journal_mode=WAL&_synchronous=FULL&_foreign_keys=1"+
		"&_busy_timeout=1000&_txlock=immediate&_stmt_cache_size=64")
	if err != nil {
		b.Fatal(err)
	}
	pool.SetMaxOpenConns(1)
	b.Cleanup(func() { pool.Close() })
	var version int
	return func() {
		tx, err := pool.Begin()
		if err != nil {
			b.Fatal(err)
		}
		defer tx.Rollback()
		var moves string
		if err := tx.QueryRow(`SELECT version, moves FROM matches WHERE id = 'benchmark'`).Scan(&version, &moves); err != nil {
			b.Fatal(err)
		}
		if _, err := tx.Exec(`UPDATE matches SET changed = changed + 1, moves = ? WHERE id = 'benchmark'`, moves); err != nil {
			b.Fatal(err)
		}
		if err := tx.Commit(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkBareCommit is a transaction that reads and writes the same row, with
// nothing around it.
func BenchmarkBareCommit(b *testing.B) {
	c := newClicker(b)
	commit := bare(b, c.db, c.path)
	b.ReportAllocs()
	for b.Loop() {
		commit()
	}
}

// BenchmarkClickToBareCommit measures both in turn, so that a disk whose speed
// varies serves both alike, and reports the ratio.
func BenchmarkClickToBareCommit(b *testing.B) {
	c := newClicker(b)
	commit := bare(b, c.db, c.path)
	var clicks, commits time.Duration
	for b.Loop() {
		i := decode(b, c.next(b))
		start := time.Now()
		a := c.click(b, i)
		clicks += time.Since(start)
		c.takeBack(b, a)
		start = time.Now()
		commit()
		commits += time.Since(start)
	}
	b.ReportMetric(float64(clicks)/float64(commits), "times-bare")
}
