package main

import (
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// write makes a settings file in a directory of its own and goes there, so
// that messages name it without a path.
func write(t *testing.T, name, text string) {
	t.Helper()
	t.Chdir(t.TempDir())
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestLoad(t *testing.T) {
	with := func(change func(*Settings)) Settings {
		s := defaults()
		change(&s)
		return s
	}
	tests := []struct {
		name    string
		text    string
		environ []string
		want    Settings
	}{
		{"nothing", "", nil, defaults()},
		{"others' variables", "", []string{"PATH=/bin", "ROWBOT=1", "=x", "odd"}, defaults()},
		{"the shortest pause between sweeps", "play.sweep = \"10ms\"", nil, with(func(s *Settings) { s.Play.Sweep = 10 * time.Millisecond })},
		{"empty variables", "log.level = \"warn\"", []string{"ROWBOT_LOG_LEVEL=", "ROWBOT_DISCORD_TOKEN=", "ROWBOT_PLAY_PACE="}, with(func(s *Settings) { s.Log.Level = slog.LevelWarn })},
		{"empty texts", "[discord]\ntoken = \"\"\nguild_id = \"\"\n[http]\nlisten = \"\"", nil, defaults()},
		{
			"a file", `
[discord]
token = "abc.def"
application_id = "123456789012345678"
mode = "gateway"
public_key = "ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789"
api_url = "http://127.0.0.1:9000/api/"
guild_id = 987654321098765432
shard_count = 6
shards = "4,0-2,1"
[http]
listen = ":8081"
[store]
url = "sqlite:/var/lib/rowbot/rowbot.db"
backup_every = "6h"
backup_dir = "/var/backups/rowbot"
backup_keep = 28
[log]
level = "debug"
format = "json"
[play]
challenge_expiry = "1h30m"
pace = "48h"
turn_notice = "5m"
sweep = "1s"
`,
			nil,
			Settings{
				Discord: DiscordSettings{
					Token: "abc.def", ApplicationID: "123456789012345678", Mode: "gateway",
					PublicKey: "abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789", APIURL: "http://127.0.0.1:9000/api",
					GuildID: "987654321098765432", ShardCount: 6, Shards: []int{0, 1, 2, 4},
				},
				HTTP:  HTTPSettings{Listen: ":8081"},
				Store: StoreSettings{URL: "sqlite:/var/lib/rowbot/rowbot.db", BackupEvery: 6 * time.Hour, BackupDir: "/var/backups/rowbot", BackupKeep: 28},
				Log:   LogSettings{Level: slog.LevelDebug, Format: "json"},
				Play:  PlaySettings{ChallengeExpiry: 90 * time.Minute, Pace: 48 * time.Hour, TurnNotice: 5 * time.Minute, Sweep: time.Second},
			},
		},
		{
			"the environment wins", "[log]\nlevel = \"warn\"\nformat = \"json\"",
			[]string{"ROWBOT_LOG_LEVEL=error", "ROWBOT_DISCORD_SHARD_COUNT=3", "ROWBOT_DISCORD_SHARDS=1", "ROWBOT_STORE_URL=sqlite:x=y.db"},
			with(func(s *Settings) {
				s.Log = LogSettings{slog.LevelError, "json"}
				s.Discord.ShardCount, s.Discord.Shards = 3, []int{1}
				s.Store.URL = "sqlite:x=y.db"
			}),
		},
		{
			"other ways to write TOML", "log = {level = \"warn\"}\nplay.pace = '2h'\ndiscord.shards = [2, 0]\ndiscord.shard_count = 3", nil,
			with(func(s *Settings) {
				s.Log.Level, s.Play.Pace = slog.LevelWarn, 2*time.Hour
				s.Discord.Shards, s.Discord.ShardCount = []int{0, 2}, 3
			}),
		},
		{"webhook mode", "[discord]\nmode = \"webhook\"", nil, with(func(s *Settings) { s.Discord.Mode, s.HTTP.Listen = "webhook", "127.0.0.1:8081" })},
		{
			"webhook mode elsewhere", "[discord]\nmode = \"webhook\"\n[http]\nlisten = \":80\"", nil,
			with(func(s *Settings) { s.Discord.Mode, s.HTTP.Listen = "webhook", ":80" }),
		},
		{
			"as far as it goes", "[store]\nbackup_every = \"1m\"\n[discord]\nshards = \"99999\"\nshard_count = 100000", nil,
			with(func(s *Settings) {
				s.Store.BackupEvery = time.Minute
				s.Discord.Shards, s.Discord.ShardCount = []int{99999}, 100000
			}),
		},
		{"no backups", "[store]\nbackup_every = 0", nil, with(func(*Settings) {})},
		{"no notices", "[play]\nturn_notice = 0", nil, with(func(s *Settings) { s.Play.TurnNotice = 0 })},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			write(t, "config.toml", tt.text)
			got, err := load("", tt.environ)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("settings (-want +got):\n%s", diff)
			}
		})
	}
}

func TestLoadWithoutFile(t *testing.T) {
	t.Chdir(t.TempDir())
	if got, err := load("", nil); err != nil || !cmp.Equal(got, defaults()) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestStorePath(t *testing.T) {
	if got := defaults().Store.URL; got != "sqlite:rowbot.db" {
		t.Errorf("path %q", got)
	}
}

func TestLoadRefuses(t *testing.T) {
	const durations = `right is a time above zero such as "30s", "10m" or "72h"`
	const id = `right is the id as Discord shows it, digits only, in quotes`
	const count = "right is a whole number from 1 to 100000"
	const sweeps = `right is a time of 10ms or more such as "1s" or "30s"`
	const backups = `right is a time of a minute or more such as "30m" or "6h", or "0s" for no backups`
	const beyond = " goes beyond 99999, the last shard that there can be; "
	const shards = `right is shard numbers below discord.shard_count, such as "0-3" or "0,2,5"`
	const discordKeys = "The keys of [discord] are token, application_id, mode, public_key, api_url, guild_id, shard_count, shards"
	const tables = "The tables are discord, http, store, log, play"
	tests := []struct {
		name    string
		text    string
		environ []string
		want    string
	}{
		{"wrong key", "[discord]\n# a comment\ntokn = \"x\"", nil, "config.toml:3: discord.tokn: there is no such key; did you mean discord.token? " + discordKeys},
		{"wrong key, dotted", "\n\ndiscord.aplication_id = 5", nil, "config.toml:3: discord.aplication_id: there is no such key; did you mean discord.application_id? " + discordKeys},
		{"wrong key, inline", "play = {pace = \"1h\", swep = \"1h\"}", nil, "config.toml:1: play.swep: there is no such key; did you mean play.sweep? The keys of [play] are challenge_expiry, pace, turn_notice, sweep"},
		{"wrong case", "[log]\nLevel = \"info\"", nil, "config.toml:2: log.Level: there is no such key; did you mean log.level? The keys of [log] are level, format"},
		{"wrong table", "[log]\nlevel = \"info\"\n\n[discrod]\ntoken = \"x\"\nmode = \"gateway\"", nil, "config.toml:4: discrod: there is no such table or key; did you mean [discord]? " + tables},
		{"wrong table, dotted", "discrod.token = \"x\"", nil, "config.toml:1: discrod.token: there is no such key; did you mean discord.token? " + tables},
		{"key outside its table", "token = \"x\"\n[log]", nil, "config.toml:1: token: there is no such key outside a table; did you mean discord.token?"},
		{"no table", "log = \"debug\"", nil, "config.toml:1: log: must be a table, written [log]; its keys are level, format"},
		{"list of tables", "[[log]]\nlevel = \"debug\"", nil, "config.toml:1: log: must be a table, written [log]; its keys are level, format"},
		{"table for a value", "[discord.token]\nvalue = \"x\"", nil, "config.toml:1: discord.token: is a table; right is the token from the Bot page of the Discord developer portal, without the word Bot"},
		{"truth for a text", "[log]\n\nformat = true", nil, "config.toml:3: log.format: is a truth value; right is text or json"},
		{"date", "[play]\npace = 2026-01-01", nil, "config.toml:2: play.pace: is a date; " + durations},
		{"fraction", "[discord]\nshard_count = 1.5", nil, "config.toml:2: discord.shard_count: is a number with a fraction; " + count},
		{"list", "[log]\nlevel = [\"info\"]", nil, "config.toml:2: log.level: is a list; right is debug, info, warn or error"},
		{"list of lists", "[log]\nlevel = [{a = 1}]", nil, "config.toml:2: log.level: is a list; right is debug, info, warn or error"},
		{"empty list", "[discord]\nshards = []", nil, "config.toml:2: discord.shards: is an empty list; " + shards},
		{"empty text", "[log]\nlevel = \"\"", nil, `config.toml:2: log.level: "" is wrong; right is debug, info, warn or error`},

		{"level", "[log]\nlevel = \"loud\"", nil, `config.toml:2: log.level: "loud" is wrong; right is debug, info, warn or error`},
		{"format", "[log]\nformat = \"xml\"", nil, `config.toml:2: log.format: "xml" is wrong; right is text or json`},
		{"mode", "[discord]\nmode = \"polling\"", nil, `config.toml:2: discord.mode: "polling" is wrong; right is gateway or webhook`},
		{"postgres without a server", "[store]\nurl = \"postgres://me:password@/db\"", nil, `config.toml:2: store.url: the value is no address of a PostgreSQL database; right is sqlite:PATH, such as "sqlite:rowbot.db", or postgres://USER:PASSWORD@HOST/DATABASE`},
		{"postgres with a wrong port", "[store]\nurl = \"postgres://me:password@host:port/db\"", nil, `config.toml:2: store.url: the value is no address of a PostgreSQL database; right is sqlite:PATH, such as "sqlite:rowbot.db", or postgres://USER:PASSWORD@HOST/DATABASE`},
		{"postgres with one connection", "[store]\nurl = \"postgresql://me:password@host/db?pool_max_conns=1\"", nil, `config.toml:2: store.url: the value has a pool_max_conns that is no number from 2 to 1000; right is sqlite:PATH, such as "sqlite:rowbot.db", or postgres://USER:PASSWORD@HOST/DATABASE`},
		{"store without a scheme", "[store]\nurl = \"rowbot.db\"", nil, `config.toml:2: store.url: the value is wrong; right is sqlite:PATH, such as "sqlite:rowbot.db", or postgres://USER:PASSWORD@HOST/DATABASE`},
		{"store without a path", "[store]\nurl = \"sqlite: \"", nil, `config.toml:2: store.url: the value is wrong; right is sqlite:PATH, such as "sqlite:rowbot.db", or postgres://USER:PASSWORD@HOST/DATABASE`},
		{"store with options", "[store]\nurl = \"sqlite:a.db?mode=ro\"", nil, `config.toml:2: store.url: the value holds a character that a database file cannot have in its name here; right is sqlite:PATH, such as "sqlite:rowbot.db", or postgres://USER:PASSWORD@HOST/DATABASE`},
		{"backup never", "[store]\nbackup_every = \"-1h\"", nil, `config.toml:2: store.backup_every: "-1h" is wrong; ` + backups},
		{"backup always", "[store]\nbackup_every = \"1ns\"", nil, `config.toml:2: store.backup_every: "1ns" is too short; ` + backups},
		{"backup just too often", "", []string{"ROWBOT_STORE_BACKUP_EVERY=59.999s"}, `ROWBOT_STORE_BACKUP_EVERY: "59.999s" is too short; ` + backups},
		{"backup of no time", "", []string{"ROWBOT_STORE_BACKUP_EVERY=6"}, `ROWBOT_STORE_BACKUP_EVERY: "6" is wrong; ` + backups},
		{"backups nowhere", "[store]\nbackup_dir = \" \"", nil, `config.toml:2: store.backup_dir: " " is wrong; right is a folder, such as "backups"`},
		{"backups all removed", "[store]\nbackup_keep = 0", nil, `config.toml:2: store.backup_keep: "0" is wrong; right is a whole number above zero`},
		{"id", "[discord]\napplication_id = \"12a\"", nil, `config.toml:2: discord.application_id: "12a" is wrong; ` + id},
		{"id zero", "[discord]\nguild_id = 0", nil, `config.toml:2: discord.guild_id: "0" is wrong; ` + id},
		{"key", "[discord]\npublic_key = \"abc\"", nil, `config.toml:2: discord.public_key: "abc" is wrong; right is the 64 hex digits from the General Information page of the Discord developer portal`},
		{"address", "[discord]\napi_url = \"discord.com\"", nil, `config.toml:2: discord.api_url: "discord.com" is wrong; right is an http or https address without the version, such as "https://discord.com/api"`},
		{"address with version", "[discord]\napi_url = \"https://discord.com/api/v10/\"", nil, `config.toml:2: discord.api_url: "https://discord.com/api/v10/" ends in a version, which is put behind it anyway; right is an http or https address without the version, such as "https://discord.com/api"`},
		{"listen", "[http]\nlisten = 8080", nil, `config.toml:2: http.listen: "8080" is wrong; right is host:port or :port, such as "127.0.0.1:8081"`},
		{"listen at no port", "[http]\nlisten = \"localhost:http\"", nil, `config.toml:2: http.listen: "localhost:http" is wrong; right is host:port or :port, such as "127.0.0.1:8081"`},
		{"duration zero", "[play]\npace = \"0s\"", nil, `config.toml:2: play.pace: "0s" is wrong; ` + durations},
		{"duration negative", "[play]\nsweep = \"-1s\"", nil, `config.toml:2: play.sweep: "-1s" is wrong; ` + sweeps},
		{"duration too long", "", []string{"ROWBOT_PLAY_PACE=2562048h"}, `ROWBOT_PLAY_PACE: "2562048h" is too long; ` + durations},
		{"duration of all digits", "[play]\nturn_notice = \"1h99999999999999999999.5m\"", nil, `config.toml:2: play.turn_notice: "1h99999999999999999999.5m" is too long; ` + durations + `, or "0s" for none`},
		{"duration far below zero", "", []string{"ROWBOT_PLAY_PACE=-2562048h"}, `ROWBOT_PLAY_PACE: "-2562048h" is wrong; ` + durations},
		{"backup too seldom", "", []string{"ROWBOT_STORE_BACKUP_EVERY=9999999h"}, `ROWBOT_STORE_BACKUP_EVERY: "9999999h" is too long; ` + backups},
		{"backups without end", "", []string{"ROWBOT_STORE_BACKUP_KEEP=99999999999999999999"}, `ROWBOT_STORE_BACKUP_KEEP: "99999999999999999999" is too large; right is a whole number above zero`},
		{"sweep without a pause", "[play]\nsweep = \"1ns\"", nil, `config.toml:2: play.sweep: "1ns" is too short; ` + sweeps},
		{"sweep just too often", "", []string{"ROWBOT_PLAY_SWEEP=9.999ms"}, `ROWBOT_PLAY_SWEEP: "9.999ms" is too short; ` + sweeps},
		{"duration without unit", "[play]\nturn_notice = 10", nil, `config.toml:2: play.turn_notice: "10" is wrong; ` + durations + `, or "0s" for none`},
		{"notice negative", "[play]\nturn_notice = \"-1s\"", nil, `config.toml:2: play.turn_notice: "-1s" is wrong; ` + durations + `, or "0s" for none`},
		{"token with word", "[discord]\ntoken = \"Bot secret\"", nil, `config.toml:2: discord.token: the value begins with the word "Bot"; right is the token from the Bot page of the Discord developer portal, without the word Bot`},
		{"token with a line end", "[discord]\ntoken = \"secret\\n\"", nil, `config.toml:2: discord.token: the value holds characters that are in no token; right is the token from the Bot page of the Discord developer portal, without the word Bot`},
		{"shards backwards", "[discord]\nshard_count = 4\nshards = \"3-1\"", nil, `config.toml:3: discord.shards: "3-1" is wrong; ` + shards},
		{"shards empty part", "[discord]\nshard_count = 4\nshards = \"1,\"", nil, `config.toml:3: discord.shards: "1," is wrong; ` + shards},
		{"shards huge", "[discord]\nshard_count = 4\nshards = \"0-999999999\"", nil, `config.toml:3: discord.shards: "0-999999999"` + beyond + shards},
		{"shards too many by one", "", []string{"ROWBOT_DISCORD_SHARD_COUNT=4", "ROWBOT_DISCORD_SHARDS=1,100000"}, `ROWBOT_DISCORD_SHARDS: "1,100000"` + beyond + shards},
		{"shards without end", "", []string{"ROWBOT_DISCORD_SHARDS=99999999999999999999-3"}, `ROWBOT_DISCORD_SHARDS: "99999999999999999999-3"` + beyond + shards},
		{"shards no number", "", []string{"ROWBOT_DISCORD_SHARDS=one"}, `ROWBOT_DISCORD_SHARDS: "one" is wrong; ` + shards},
		{"shards negative", "[discord]\nshard_count = 4\nshards = \"-1\"", nil, `config.toml:3: discord.shards: "-1" is wrong; ` + shards},
		{"shards without count", "[discord]\nshards = \"1\"", nil, "config.toml:2: discord.shards: needs discord.shard_count, the number of shards of all processes, beside it"},
		{"shards above count", "[discord]\nshard_count = 4", []string{"ROWBOT_DISCORD_SHARDS=0-4"}, "ROWBOT_DISCORD_SHARDS: shard 4 is not below discord.shard_count, which is 4; shards are counted from 0"},
		{"count too large", "[discord]\nshard_count = 100001", nil, `config.toml:2: discord.shard_count: "100001" is too large; ` + count},
		{"count without end", "", []string{"ROWBOT_DISCORD_SHARD_COUNT=99999999999999999999"}, `ROWBOT_DISCORD_SHARD_COUNT: "99999999999999999999" is too large; ` + count},
		{"count below zero", "", []string{"ROWBOT_DISCORD_SHARD_COUNT=-99999999999999999999"}, `ROWBOT_DISCORD_SHARD_COUNT: "-99999999999999999999" is wrong; ` + count},
		{"count zero", "[discord]\nshard_count = 0", nil, `config.toml:2: discord.shard_count: "0" is wrong; ` + count},

		{"syntax", "[log]\nlevel = \"info\"\nformat = text\n", nil, "config.toml:3: not valid TOML: "},
		{"twice", "[log]\nlevel = \"info\"\nlevel = \"warn\"\n", nil, "config.toml:3: not valid TOML: "},
		{"not text", "a = \"\xff\"", nil, "config.toml:1: not valid TOML: "},

		{"variable unknown", "", []string{"ROWBOT_DISCORD_TOKN=secret"}, "ROWBOT_DISCORD_TOKN: there is no such setting; did you mean ROWBOT_DISCORD_TOKEN?"},
		{"variable unknown and empty", "", []string{"ROWBOT_TOKEN="}, "ROWBOT_TOKEN: there is no such setting; did you mean ROWBOT_DISCORD_TOKEN?"},
		{"variable wrong", "", []string{"ROWBOT_PLAY_PACE=3d"}, `ROWBOT_PLAY_PACE: "3d" is wrong; ` + durations},
		{"variable secret", "", []string{"ROWBOT_DISCORD_TOKEN=Bot secret"}, `ROWBOT_DISCORD_TOKEN: the value begins with the word "Bot"; right is the token from the Bot page of the Discord developer portal, without the word Bot`},
		{
			"all at once", "[log]\nlevel = \"x\"\nfrmat = \"text\"",
			[]string{"ROWBOT_LOG_FORMAT=y", "ROWBOT_A=1"},
			`config.toml:2: log.level: "x" is wrong; right is debug, info, warn or error
config.toml:3: log.frmat: there is no such key; did you mean log.format? The keys of [log] are level, format
ROWBOT_A: there is no such setting; did you mean ROWBOT_HTTP_LISTEN?
ROWBOT_LOG_FORMAT: "y" is wrong; right is text or json`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			write(t, "config.toml", tt.text)
			_, err := load("", tt.environ)
			if err == nil {
				t.Fatal("no error")
			}
			got := err.Error()
			if strings.HasSuffix(tt.want, "TOML: ") && strings.HasPrefix(got, tt.want) {
				return // the rest is the decoder's own text
			}
			if tt.name == "all at once" { // which name is nearest to A is of no matter
				got = regexp.MustCompile(`(ROWBOT_A: .*mean )\w+`).ReplaceAllString(got, "${1}ROWBOT_HTTP_LISTEN")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("message (-want +got):\n%s", diff)
			}
			if strings.Contains(got, "secret") || strings.Contains(got, "password") {
				t.Error("the message shows a secret")
			}
		})
	}
}

func TestLoadUnreadable(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("dir.toml", 0o700); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		"missing.toml": "missing.toml: cannot be read: no such file or directory",
		"dir.toml":     "dir.toml: cannot be read: is a directory",
	} {
		if _, err := load(file, nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", file, err, want)
		}
	}
}

// The example file says what the defaults are, and names every setting.
func TestExample(t *testing.T) {
	const file = "../../config.example.toml"
	got, err := load(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(defaults(), got); diff != "" {
		t.Errorf("the example differs from the defaults (-default +example):\n%s", diff)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	whole := regexp.MustCompile(`(?m)^# (\w+ = )`).ReplaceAllString(string(text), "$1")
	d, err := parseDocument(strings.ReplaceAll(whole, `"paste it here"`, `"x"`))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(whole, "\n")
	for _, s := range all {
		table, key, _ := strings.Cut(s.key, ".")
		if !d.meta.IsDefined(table, key) {
			t.Errorf("%s is not in the example", s.key)
			continue
		}
		if n := d.line([]string{table, key}); n < 2 || !strings.HasPrefix(lines[n-2], "# ") {
			t.Errorf("%s has no comment above it", s.key)
		}
	}
	path := filepath.Join(t.TempDir(), "whole.toml")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(whole, "paste it here", "x")), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := load(path, nil); err != nil {
		t.Errorf("the example with everything switched on: %v", err)
	}
}

func TestVariables(t *testing.T) {
	var got []string
	for _, s := range all {
		got = append(got, s.variable())
	}
	want := []string{
		"ROWBOT_DISCORD_TOKEN", "ROWBOT_DISCORD_APPLICATION_ID", "ROWBOT_DISCORD_MODE", "ROWBOT_DISCORD_PUBLIC_KEY", "ROWBOT_DISCORD_API_URL",
		"ROWBOT_DISCORD_GUILD_ID", "ROWBOT_DISCORD_SHARD_COUNT", "ROWBOT_DISCORD_SHARDS", "ROWBOT_HTTP_LISTEN", "ROWBOT_STORE_URL",
		"ROWBOT_STORE_BACKUP_EVERY", "ROWBOT_STORE_BACKUP_DIR", "ROWBOT_STORE_BACKUP_KEEP",
		"ROWBOT_LOG_LEVEL", "ROWBOT_LOG_FORMAT", "ROWBOT_PLAY_CHALLENGE_EXPIRY", "ROWBOT_PLAY_PACE", "ROWBOT_PLAY_TURN_NOTICE", "ROWBOT_PLAY_SWEEP",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
}
