package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rowbot/persistence"
	generator "rowbot/sandbox/load"
)

// generatorOptions are the flags of the load command.
type generatorOptions struct {
	People       int           `help:"How many people play." default:"2000"`
	Servers      int           `help:"In how many servers." default:"100"`
	AtOnce       int           `help:"How many interactions are under way at the same moment." default:"32"`
	Rate         float64       `help:"Interactions a second, whether those before were answered or not; 0: as fast as they are answered."`
	For          time.Duration `help:"How long is measured." default:"30s"`
	Interactions int           `help:"How many interactions are measured, instead of a time."`
	Think        time.Duration `help:"How long the two of a match do nothing after each answer." default:"300ms"`
	WarmUp       time.Duration `help:"How long is played before that." default:"3s"`
	Via          string        `help:"How interactions reach the bot: gateway or webhook." enum:"gateway,webhook" default:"gateway"`
	Copies       int           `help:"How many processes of the bot, on one store; more than one need --store postgres://…." default:"1"`
	Shards       int           `help:"Shards of all copies together; 0: as many as the servers ask for."`
	Store        string        `help:"Where matches are kept, as store.url; by default a file that is gone afterwards." placeholder:"URL"`
	Games        string        `help:"Games that are played." default:"ttt,gomoku"`
	Against      string        `help:"Whom people play: people or bot." enum:"people,bot" default:"people"`
	Kill         time.Duration `help:"Kill a copy so long after the measuring began; it is started again 2s later."`
	Program      string        `help:"Another program that is the bot." placeholder:"FILE"`
	Script       string        `help:"What people do: matches (each board is checked) or clicks (on the first button, for a bot that is no Rowbot)." enum:"matches,clicks" default:"matches"`
	CompareWith  string        `help:"Measure Rowbot against this program, which answers all with one message: both three times, in turn, each for --for." placeholder:"FILE"`
	JSON         bool          `help:"Print the result as a JSON object, and the text to standard error."`
	Seed         uint64        `help:"Of what people choose." default:"1"`
}

// Validate checks the flags.
func (o generatorOptions) Validate() error {
	if o.Store != "" {
		var unused string
		if err := setStore(&unused, o.Store); err != nil {
			return errors.New("--store wants " + wantStore)
		}
	}
	isRowbot := o.Program == "" || o.Script != generator.Clicks
	if o.Copies > 1 && isRowbot && !persistence.IsServer(o.Store) {
		return errors.New("--copies wants --store postgres://… beside it: an SQLite file is for one process")
	}
	return o.plan().Validate()
}

// plan is what the flags ask for.
func (o generatorOptions) plan() generator.Options {
	return generator.Options{
		People: o.People, Servers: o.Servers, AtOnce: o.AtOnce, Rate: o.Rate, For: o.For, Interactions: o.Interactions,
		Think: o.Think, WarmUp: o.WarmUp, Via: o.Via, Copies: o.Copies, Shards: o.Shards, Store: o.Store, Games: strings.Split(o.Games, ","),
		Against: o.Against, Script: o.Script, Seed: o.Seed, Kill: o.Kill, Program: o.Program, Other: o.Script == generator.Clicks,
		Args: []string{"run"}, Now: time.Now,
	}
}

// errCutShort is the end of a run that was interrupted; its results until then have been printed.
const errCutShort sentence = "the run was cut short"

// errNotRight is the end of a run in which not all was right; what was wrong has been told.
const errNotRight sentence = "not everything was right: see above"

// runGenerator plays against processes of this very program, or another one, and prints what came of it.
func runGenerator(ctx context.Context, o generatorOptions, environ []string, stdout, stderr io.Writer) error {
	plan := o.plan()
	plan.Environ, plan.Stderr = environ, stderr
	var err error
	if plan.Store, err = whole(plan.Store); err != nil {
		return err
	}
	if plan.Program, err = programFor(o.Program); err != nil {
		return err
	}
	if o.Program != "" && plan.Other {
		plan.Args = nil
	}
	if plan.Dir, err = os.MkdirTemp("", "rowbot-load-"); err != nil {
		return fmt.Errorf("make a place for the store: %w", err)
	}
	defer func() { _ = os.RemoveAll(plan.Dir) }() // what stays is in the system's folder for such things
	if o.CompareWith != "" {
		other, err := filepath.Abs(o.CompareWith)
		if err != nil {
			return fmt.Errorf("find the program to compare with: %w", err)
		}
		c, err := generator.Compare(ctx, plan, other)
		return conclude(ctx, o, c, err, stdout, stderr)
	}
	r, err := generator.Run(ctx, plan)
	return conclude(ctx, o, r, err, stdout, stderr)
}

// conclude prints the outcome of a run, or a comparison, if there is one, and returns
// what was wrong with it.
func conclude(ctx context.Context, o generatorOptions, r outcome, err error, stdout, stderr io.Writer) error {
	if err == nil {
		err = report(o, r, stdout, stderr)
	}
	if ctx.Err() != nil {
		return errCutShort
	}
	return err
}

// outcome is what a run or a comparison led to.
type outcome interface {
	Text() string
	Right() bool
}

// report prints an outcome. It is an error that something in it was not right.
func report(o generatorOptions, r outcome, stdout, stderr io.Writer) error {
	if o.JSON {
		tell(stderr, r.Text())
		if err := json.NewEncoder(stdout).Encode(r); err != nil {
			return fmt.Errorf("print the result: %w", err)
		}
	} else {
		tell(stdout, r.Text())
	}
	if !r.Right() {
		return errNotRight
	}
	return nil
}

// programFor is the bot's program: this one, where no other is named.
func programFor(named string) (path string, err error) {
	if named == "" {
		path, err = os.Executable()
	} else {
		path, err = filepath.Abs(named)
	}
	if err != nil {
		return "", fmt.Errorf("find the bot's program: %w", err)
	}
	return path, nil
}

// whole makes the path of a store independent of the folder in which the bot runs.
func whole(store string) (string, error) {
	path, is := strings.CutPrefix(store, persistence.SQLiteScheme)
	if !is {
		return store, nil
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return "", fmt.Errorf("find the store: %w", err)
	}
	return persistence.SQLiteScheme + path, nil
}
