package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"rowbot/match"
	"rowbot/match/engine"
)

// engineOptions are the command line of the engine on its own.
type engineOptions struct {
	Level string `help:"How well it plays: ${enum}." enum:"random,easy,medium,hard,master" default:"master"`
	Seed  uint64 `help:"Seed of its choices among equal moves; 0 takes one by the clock."`
}

var engineLevels = map[string]match.Level{}

func init() {
	for _, l := range []match.Level{match.Random, match.Easy, match.Medium, match.Hard, match.Master} {
		engineLevels[l.String()] = l
	}
}

// runEngine plays by the Gomocup protocol on the given streams.
func runEngine(ctx context.Context, o engineOptions, in io.Reader, out io.Writer) error {
	if o.Seed == 0 {
		o.Seed = uint64(time.Now().UnixNano())
	}
	level, ok := engineLevels[o.Level]
	if !ok {
		return fmt.Errorf("no level %q", o.Level)
	}
	k := &piskvork{level: level, seed: o.Seed, now: time.Now}
	k.engine = &engine.Engine{Now: time.Now, Watch: func(t engine.Thought) {
		k.say("MESSAGE depth %d nodes %d value %d", t.Depth, t.Nodes, t.Value)
	}}
	return k.speak(ctx, in, out)
}
