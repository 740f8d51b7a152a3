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

// drawish are the cells of a 15x15 board in an order in which nobody gets five:
// the colours alternate along the columns and in pairs along the rows.
func drawish() []match.Point {
	var sides [2][]match.Point
	for row := range int8(15) {
		for col := range int8(15) {
			side := (col/2 + row) % 2
			sides[side] = append(sides[side], match.Point{Col: col, Row: row})
		}
	}
	var all []match.Point
	for i := range min(len(sides[0]), len(sides[1])) {
		all = append(all, sides[0][i], sides[1][i])
	}
	return all
}

// clicker plays gomoku between two people by clicks, match after match.
type clicker struct {
	bot   *Bot
	db    *persistence.DB
	path  string
	cells []match.Point
	m     match.Match
	next  uint64 // the number of the next interaction
}

func newClicker(b *testing.B) *clicker {
	bot, db, path := benchBot(b)
	c := &clicker{bot: bot, db: db, path: path, cells: drawish(), next: 400000000000000000}
	c.begin(b)
	return c
}

var (
	benchGuild  = match.Where{Guild: "300000000000000001", Channel: "300000000000000002", Message: "300000000000000003"}
	benchPeople = [2]match.Player{match.Person("100000000000000001"), match.Person("100000000000000002")}
)

// begin starts a new match.
func (c *clicker) begin(tb testing.TB) {
	c.next++
	id, _ := newID(strconv.FormatUint(c.next, 10))
	m, err := c.bot.matches.Challenge(tb.Context(), match.Proposal{
		ID: id, Rules: match.GomokuRules(15, match.Freestyle), Side: match.SideFirst,
		Challenger: benchPeople[0], Opponent: benchPeople[1], Pace: defaultPace, Where: benchGuild,
	})
	if err != nil {
		tb.Fatal(err)
	}
	c.m, err = c.bot.matches.Act(tb.Context(), match.Deed{Match: m.ID, By: benchPeople[1], Action: match.Accept{}})
	if err != nil {
		tb.Fatal(err)
	}
}

// over reports whether there is no next click in this match.
func (c *clicker) over() bool { return len(c.m.Moves) == len(c.cells) }

// press is the custom ID of the next click.
func (c *clicker) press() string {
	p := press{match: c.m.ID, version: c.m.Version, verb: verbCell, arg: c.cells[len(c.m.Moves)].String()}
	return p.String()
}

// event is the next click as the gateway delivers it.
func (c *clicker) event(tb testing.TB) []byte {
	return event(tb, strconv.FormatUint(c.next, 10), c.m.ToMove().User, c.press(), c.bot.board(look{Printer: c.bot.texts.For("")}, &c.m, nil))
}

// click makes the next click and handles it, up to the encoded answer.
func (c *clicker) click(tb testing.TB) {
	c.next++
	locale := discordgo.EnglishUS
	a := c.bot.handle(tb.Context(), &discordgo.Interaction{
		ID: strconv.FormatUint(c.next, 10), AppID: "1", Type: discordgo.InteractionMessageComponent, Token: "t",
		GuildID: benchGuild.Guild, ChannelID: benchGuild.Channel, Locale: locale, GuildLocale: &locale,
		Member:  &discordgo.Member{User: &discordgo.User{ID: c.m.ToMove().User, Username: "someone"}},
		Message: &discordgo.Message{ID: benchGuild.Message, ChannelID: benchGuild.Channel, Flags: flagComponents},
		Data:    discordgo.MessageComponentInteractionData{CustomID: c.press(), ComponentType: discordgo.ButtonComponent},
	})
	if _, err := json.Marshal(callback{Type: a.kind, Data: a.body()}); err != nil {
		tb.Fatal(err)
	}
	if a.outcome != "updated" || a.shows.Version != c.m.Version+1 {
		tb.Fatalf("not played: %+v", a)
	}
	c.m = *a.shows
}

// BenchmarkClick is all that Rowbot does about one click, but the network: the
// custom ID is decoded, the match loaded, the move applied, committed and
// drawn, and the answer encoded. It goes through whole matches of 224 plies.
// What discordgo spends on reading the event is BenchmarkEvent's.
func BenchmarkClick(b *testing.B) {
	c := newClicker(b)
	b.ReportAllocs()
	for b.Loop() {
		if c.over() {
			b.StopTimer()
			c.begin(b)
			b.StartTimer()
		}
		c.click(b)
	}
}

// BenchmarkEvent is discordgo's reading of a click's event, most of which is
// the board message that Discord sends along.
func BenchmarkEvent(b *testing.B) {
	c := newClicker(b)
	raw := c.event(b)
	b.ReportAllocs()
	for b.Loop() {
		if err := json.Unmarshal(raw, new(discordgo.Interaction)); err != nil {
			b.Fatal(err)
		}
	}
}

// bare is a connection of its own to the same file with the same settings, and
// one transaction that reads the row of a match and writes what a move changes
// of it.
func (c *clicker) bare(b *testing.B) func() {
	for len(c.m.Moves) < len(c.cells)/2 {
		c.click(b) // as long as the average one of BenchmarkClick
	}
	pool, err := sql.Open("sqlite3", "file:"+c.path+"?_journal_mode=WAL&_synchronous=FULL&_foreign_keys=1"+
		"&_busy_timeout=1000&_txlock=immediate&_stmt_cache_size=64")
	if err != nil {
		b.Fatal(err)
	}
	pool.SetMaxOpenConns(1)
	b.Cleanup(func() { pool.Close() })
	id := string(c.m.ID)
	return func() {
		if err := bareCommit(pool, id); err != nil {
			b.Fatal(err)
		}
	}
}

func bareCommit(pool *sql.DB, id string) error {
	tx, err := pool.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var version int
	var moves string
	if err := tx.QueryRow(`SELECT version, moves FROM matches WHERE id = ?`, id).Scan(&version, &moves); err != nil {
		return err
	}
	_, err = tx.Exec(`UPDATE matches SET version = ?, moves = ?, deadline = deadline + 1, changed = changed + 1, event = 'bare'
		WHERE id = ?`, version+1, moves, id)
	if err != nil {
		return err
	}
	return tx.Commit()
}

// BenchmarkBareCommit is a transaction that reads and writes the same row, with
// nothing around it.
func BenchmarkBareCommit(b *testing.B) {
	c := newClicker(b)
	commit := c.bare(b)
	b.ReportAllocs()
	for b.Loop() {
		commit()
	}
}

// BenchmarkClickToBareCommit makes both in turn, so that a disk whose speed
// varies serves both alike, and reports the ratio.
func BenchmarkClickToBareCommit(b *testing.B) {
	c := newClicker(b)
	commit := c.bare(b)
	c.begin(b) // the other match's row is written behind its back
	var clicks, commits time.Duration
	for b.Loop() {
		if c.over() {
			c.begin(b)
		}
		start := time.Now()
		c.click(b)
		middle := time.Now()
		commit()
		clicks += middle.Sub(start)
		commits += time.Since(middle)
	}
	b.ReportMetric(float64(clicks)/float64(commits), "times-bare")
}
