// Command bot is Rowbot: a Discord bot for tic-tac-toe and gomoku that people
// host themselves, and the tools around it.
//
// The package reads the settings and the command line, and wires everything
// together: clock, randomness, store, bot, gateway. Nothing imports it.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"
)

// The exit statuses.
const (
	statusOK    = 0
	statusError = 1 // it could not start, or could not go on
	statusUsage = 2 // the command line is wrong

	statusInterrupted = 130 // load was interrupted before it was done; the usual status in shells
)

func main() {
	// The first signal ends the context; the next one ends the process.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(execute(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr))
}

// commandLine is what may stand behind the program's name.
type commandLine struct {
	PrintVersion kong.VersionFlag `name:"version" help:"Print the version, as the command does."`
	Config       string           `help:"Settings file. Without it, config.toml is read where it exists." placeholder:"FILE"`

	Run      struct{}         `cmd:"" default:"1" help:"Run the bot (what happens without a command)."`
	Sandbox  sandboxOptions   `cmd:"" help:"Play in the browser, against a stand-in for Discord on this machine. Needs no token."`
	Register struct{}         `cmd:"" help:"Register the bot's commands with Discord, and end. The bot does so by itself when it starts."`
	Migrate  migrateOptions   `cmd:"" help:"Bring the store up to this version, and end. The bot does so by itself when it starts. With --from: copy another store into it."`
	Backup   backupOptions    `cmd:"" help:"Copy the store to a file, also while the bot runs, and end."`
	Health   healthOptions    `cmd:"" help:"Ask the bot that runs here, at http.listen, whether it is ready: status 0 if so."`
	Engine   engineOptions    `cmd:"" help:"Play gomoku on standard input and output, by the Gomocup (piskvork) protocol."`
	Load     generatorOptions `cmd:"" help:"Play many matches at once against the bot in a stand-in for Discord, check every board, and measure."`
	Version  struct{}         `cmd:"" help:"Print the version."`
}

// withoutSettings are the commands that read no settings; those of load's bots are its own.
var withoutSettings = []string{"engine", "load"}

// execute is the whole program but for the process around it: it gives the
// exit status.
func execute(ctx context.Context, args, environ []string, stdout, stderr io.Writer) int {
	var line commandLine
	command, status, done := parse(&line, args, stdout, stderr)
	if done {
		return status
	}
	if slices.Contains(withoutSettings, command) && line.Config != "" {
		tell(stderr, "rowbot: "+command+" takes no --config: it reads no settings\nTry: rowbot "+command+" --help")
		return statusUsage
	}
	switch command {
	case "version":
		tell(stdout, version())
		return statusOK
	case "engine":
		signal.Reset(os.Interrupt, syscall.SIGTERM) // nothing to save: a signal ends it, also while it reads
		return statusOf(runEngine(ctx, line.Engine, os.Stdin, stdout), stderr, "")
	case "load":
		return statusOfLoad(runGenerator(ctx, line.Load, environ, stdout, stderr), stderr)
	}
	settings, err := load(line.Config, environ)
	if err != nil {
		tell(stderr, err.Error()) // one line a fault, each beginning with its place
		return statusError
	}
	err = carryOut(ctx, command, &line, settings, newLog(stderr, settings), environ, stdout)
	return statusOf(err, stderr, settings.Discord.Token)
}

// carryOut carries out a command that reads the settings.
func carryOut(ctx context.Context, command string, line *commandLine, s Settings, log *slog.Logger, environ []string, stdout io.Writer) error {
	switch command {
	case "run":
		return run(ctx, s, log, supervisorOf(environ, os.Getpid()))
	case "sandbox":
		return runSandbox(ctx, line.Sandbox, s, log, stdout)
	case "register":
		return register(ctx, s, log)
	case "health":
		return askHealth(ctx, line.Health, s)
	case "backup", "backup <file>":
		return backup(ctx, line.Backup, s, log)
	case "migrate":
		return migrate(ctx, line.Migrate, s, log)
	}
	return fmt.Errorf("no command %q", command)
}

// statusOf prints the error that a command ended with, without the token, and returns
// the exit status.
func statusOf(err error, stderr io.Writer, token string) int {
	if err == nil {
		return statusOK
	}
	tell(stderr, "rowbot: "+withoutToken(explain(err), token))
	return statusError
}

// statusOfLoad is statusOf for load.
func statusOfLoad(err error, stderr io.Writer) int {
	status := statusOf(err, stderr, "")
	if errors.Is(err, errCutShort) {
		return statusInterrupted
	}
	return status
}

// tell writes a line to the terminal. When that is gone, there is nobody left
// to tell.
func tell(w io.Writer, line string) { _, _ = io.WriteString(w, line+"\n") }

// exited carries the status of an exit that kong asks for, such as after
// --help, up to parse.
type exited int

// parse reads the command line. done means that there is nothing left to do:
// help was printed, or the line is wrong.
func parse(line *commandLine, args []string, stdout, stderr io.Writer) (command string, status int, done bool) {
	defer func() {
		if p := recover(); p != nil {
			code, ok := p.(exited)
			if !ok {
				panic(p)
			}
			status, done = int(code), true
		}
	}()
	parser, err := kong.New(line,
		kong.Name("rowbot"),
		kong.Description("Rowbot plays tic-tac-toe and gomoku on Discord. Settings come from a TOML file and from ROWBOT_ variables; config.example.toml lists them."),
		kong.Writers(stdout, stderr),
		kong.Vars{"version": version()},
		kong.Exit(func(code int) { panic(exited(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		tell(stderr, "rowbot: "+err.Error())
		return "", statusError, true
	}
	parsed, err := parser.Parse(args)
	if err != nil {
		tell(stderr, "rowbot: "+err.Error()+"\nTry: rowbot --help")
		return "", statusUsage, true
	}
	return parsed.Command(), statusOK, false
}

// withoutToken is the last guard of the token: no error is expected to hold it.
func withoutToken(text, token string) string {
	if token == "" {
		return text
	}
	return strings.ReplaceAll(text, token, "[token]")
}

// sentence is an error that is told to the person at the terminal as it is.
type sentence string

func (s sentence) Error() string { return string(s) }

const (
	errNoToken sentence = "no bot token. Get one in the Discord developer portal (https://discord.com/developers/applications): " +
		"Applications, your application, Bot, Reset Token; then set ROWBOT_DISCORD_TOKEN, or token under [discord] in config.toml. " +
		"The command sandbox needs none: it plays on this machine, without Discord"
	errTokenRefused sentence = "Discord refused the bot token. Check ROWBOT_DISCORD_TOKEN, or token under [discord] in config.toml: " +
		"it is the token of the Bot page of the developer portal, and an old one ends when a new one is made there (Reset Token)"
)

// explain gives the text of an error for the terminal.
func explain(err error) string {
	if s, ok := errors.AsType[sentence](err); ok {
		return s.Error()
	}
	if tokenRefused(err) {
		return errTokenRefused.Error()
	}
	return err.Error()
}
