package main

import (
	"log/slog"
	"strconv"
	"strings"
	"time"

	"rowbot/bot/gateway"
	"rowbot/persistence"
)

// Settings are all that can be set from outside, checked and with defaults
// filled in. The zero value is of no use: defaults or load makes one.
type Settings struct {
	Discord DiscordSettings
	HTTP    HTTPSettings
	Store   StoreSettings
	Log     LogSettings
	Play    PlaySettings
}

// DiscordSettings say which bot this is and how it reaches Discord.
type DiscordSettings struct {
	Token         string // without "Bot "; empty when not set
	ApplicationID string // empty: asked of Discord
	Mode          string // "gateway" or "webhook"
	PublicKey     string // 64 hex digits, or empty: asked of Discord
	APIURL        string // without a slash at the end
	GuildID       string // empty: commands are global
	ShardCount    int    // 0: what Discord recommends
	Shards        []int  // the shards of this process; nil: all
}

// HTTPSettings are about the program's own HTTP server.
type HTTPSettings struct {
	Listen string // host:port; empty for none, which webhook mode does not have
}

// StoreSettings say where matches are kept, and how they are backed up.
type StoreSettings struct {
	URL         string        // "sqlite:PATH" or "postgres://…", which may hold a password
	BackupEvery time.Duration // between two backups; 0: none are made
	BackupDir   string        // the folder of the backups
	BackupKeep  int           // how many backups are kept, above zero
}

// Path is the database file of a sqlite URL.
func (s StoreSettings) Path() string { return strings.TrimPrefix(s.URL, persistence.SQLiteScheme) }

// LogSettings say what is logged and how.
type LogSettings struct {
	Level  slog.Level
	Format string // "text" or "json"
}

// PlaySettings are the times of play; all but TurnNotice are above zero.
type PlaySettings struct {
	ChallengeExpiry time.Duration // a challenge nobody accepts ends after it
	Pace            time.Duration // for one move
	TurnNotice      time.Duration // of doing nothing, until a person is told it is their turn; 0: they are not told
	Sweep           time.Duration // between two looks at what is due
}

const (
	modeGateway   = "gateway"
	modeWebhook   = "webhook"
	defaultListen = "127.0.0.1:8081" // in webhook mode
)

// defaults are the settings of an empty file and environment.
func defaults() Settings {
	return Settings{
		Discord: DiscordSettings{Mode: modeGateway, APIURL: gateway.DefaultAPIURL},
		Store:   StoreSettings{URL: persistence.SQLiteScheme + "rowbot.db", BackupDir: "backups", BackupKeep: 7},
		Log:     LogSettings{Level: slog.LevelInfo, Format: "text"},
		Play: PlaySettings{
			ChallengeExpiry: 24 * time.Hour,
			Pace:            72 * time.Hour,
			TurnNotice:      10 * time.Minute,
			Sweep:           30 * time.Second,
		},
	}
}

// setting is one key of the file, and one variable of the environment.
type setting struct {
	key    string // such as "discord.token"
	want   string // what is right, for whoever wrote something else
	secret bool   // the value may not be shown
	unset  bool   // may be left empty, which is the default
	// set checks a value and puts it in. Its error completes the sentence
	// "the value ...".
	set func(s *Settings, value string) error
}

// variable is the setting's name in the environment.
func (s setting) variable() string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
}

const (
	wantStore    = `sqlite:PATH, such as "sqlite:rowbot.db", or postgres://USER:PASSWORD@HOST/DATABASE`
	wantID       = "the id as Discord shows it, digits only, in quotes"
	wantDuration = `a time above zero such as "30s", "10m" or "72h"`
)

// all lists every setting, in the order of config.example.toml.
var all = []setting{
	{
		key: "discord.token", secret: true, unset: true, want: "the token from the Bot page of the Discord developer portal, without the word Bot",
		set: func(s *Settings, v string) error { return setToken(&s.Discord.Token, v) },
	},
	{
		key: "discord.application_id", unset: true, want: wantID,
		set: func(s *Settings, v string) error { return setID(&s.Discord.ApplicationID, v) },
	},
	{
		key: "discord.mode", want: "gateway or webhook",
		set: func(s *Settings, v string) error { return setChoice(&s.Discord.Mode, v, modeGateway, modeWebhook) },
	},
	{
		key: "discord.public_key", unset: true, want: "the 64 hex digits from the General Information page of the Discord developer portal",
		set: func(s *Settings, v string) error { return setKey(&s.Discord.PublicKey, v) },
	},
	{
		key: "discord.api_url", want: `an http or https address without the version, such as "` + gateway.DefaultAPIURL + `"`,
		set: func(s *Settings, v string) error { return setAPIURL(&s.Discord.APIURL, v) },
	},
	{
		key: "discord.guild_id", unset: true, want: wantID,
		set: func(s *Settings, v string) error { return setID(&s.Discord.GuildID, v) },
	},
	{
		key: "discord.shard_count", want: "a whole number from 1 to " + strconv.Itoa(maxShards),
		set: func(s *Settings, v string) error { return setCount(&s.Discord.ShardCount, v) },
	},
	{
		key: "discord.shards", want: `shard numbers below discord.shard_count, such as "0-3" or "0,2,5"`,
		set: func(s *Settings, v string) error { return setShards(&s.Discord.Shards, v) },
	},
	{
		key: "http.listen", unset: true, want: `host:port or :port, such as "127.0.0.1:8081"`,
		set: func(s *Settings, v string) error { return setListen(&s.HTTP.Listen, v) },
	},
	{
		key: "store.url", secret: true, want: wantStore,
		set: func(s *Settings, v string) error { return setStore(&s.Store.URL, v) },
	},
	{
		key: "store.backup_every", want: `a time of a minute or more such as "30m" or "6h", or "0s" for no backups`,
		set: func(s *Settings, v string) error { return setBackupEvery(&s.Store.BackupEvery, v) },
	},
	{
		key: "store.backup_dir", want: `a folder, such as "backups"`,
		set: func(s *Settings, v string) error { return setFolder(&s.Store.BackupDir, v) },
	},
	{
		key: "store.backup_keep", want: "a whole number above zero",
		set: func(s *Settings, v string) error { return setKeep(&s.Store.BackupKeep, v) },
	},
	{
		key: "log.level", want: "debug, info, warn or error",
		set: func(s *Settings, v string) error { return setLevel(&s.Log.Level, v) },
	},
	{
		key: "log.format", want: "text or json",
		set: func(s *Settings, v string) error { return setChoice(&s.Log.Format, v, "text", "json") },
	},
	{
		key: "play.challenge_expiry", want: wantDuration,
		set: func(s *Settings, v string) error { return setDuration(&s.Play.ChallengeExpiry, v) },
	},
	{
		key: "play.pace", want: wantDuration,
		set: func(s *Settings, v string) error { return setDuration(&s.Play.Pace, v) },
	},
	{
		key: "play.turn_notice", want: wantDuration + `, or "0s" for none`,
		set: func(s *Settings, v string) error { return setDurationOrNone(&s.Play.TurnNotice, v) },
	},
	{
		key: "play.sweep", want: `a time of 10ms or more such as "1s" or "30s"`,
		set: func(s *Settings, v string) error { return setSweep(&s.Play.Sweep, v) },
	},
}

// byKey finds a setting.
func byKey(key string) (setting, bool) {
	for _, s := range all {
		if s.key == key {
			return s, true
		}
	}
	return setting{}, false
}
