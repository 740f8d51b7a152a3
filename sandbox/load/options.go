package load

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"
)

// The values of Options.Via, Against and Script.
const (
	Gateway = "gateway" // interactions come over the gateway
	Webhook = "webhook" // interactions are posted to the bot

	People = "people" // matches of two people
	Bot    = "bot"    // matches of a person against the bot

	Matches = "matches" // real matches, every board of which is checked
	Clicks  = "clicks"  // the first button that can be pressed, again and again
)

// maxShards is how many shards there are at most: each takes a connection at both ends.
const maxShards = 1000

// Options say what is played, how fast, and on what.
type Options struct {
	People  int // how many people there are
	Servers int // in how many servers they meet; those beyond half as many stay empty
	// AtOnce is how many interactions are under way at the same moment: a closed loop, in which the next one begins
	// when one is answered.
	AtOnce int
	// Rate is how many interactions a second are begun, answered or not: an open loop, in which an answer's latency
	// counts from when its interaction was due. 0 makes it a closed loop.
	Rate         float64
	For          time.Duration // how long is measured
	Interactions int           // how many are measured; 0: as many as come in the time
	// Think is how long the people at a table do nothing after each answer. The bot cannot know when the answer to a
	// webhook has arrived, so it draws a board once more when another click follows faster than people can.
	Think  time.Duration
	WarmUp time.Duration // how long is played before anything is measured

	Via    string // Gateway or Webhook
	Copies int    // processes of the bot, on one store
	Shards int    // of all copies; 0: as many as the servers ask for, at least one for each copy
	Store  string // the address of the store, as the bot takes it; empty: a file that is gone afterwards

	Games   []string // "ttt", "gomoku"; each new match is one of them
	Against string   // People or Bot
	Script  string   // Matches or Clicks
	Plain   bool     // people click on cells, and do nothing else that they need not do
	Seed    uint64   // of all that is left to chance on this side

	Kill time.Duration // so long after the measuring began one copy is killed; 0: none is

	Program string    // the bot's program
	Args    []string  // its arguments
	Environ []string  // its environment, to which what it has to know is added
	Other   bool      // the program is not Rowbot: one process, one shard, and nothing is known of its store
	Stderr  io.Writer // gets what the bot's processes say
	Dir     string    // an empty folder, in which they run

	Now func() time.Time
}

// serversPerShard is how many servers Discord reckons with for a shard when it recommends how many there should be.
const serversPerShard = 1000

// shards is how many shards the bot has.
func (o Options) shards() int {
	switch {
	case o.Other:
		return 1
	case o.Shards > 0:
		return o.Shards
	}
	return max((o.Servers+serversPerShard-1)/serversPerShard, o.Copies)
}

// alone tells whether a table has one person.
func (o Options) alone() bool { return o.Against == Bot || o.Script == Clicks }

// Validate says what is wrong with the options, in the words of the command line.
func (o Options) Validate() error {
	switch {
	case o.People < 2:
		return errors.New("--people wants 2 or more")
	case o.Servers < 1:
		return errors.New("--servers wants 1 or more")
	case o.AtOnce < 1:
		return errors.New("--at-once wants 1 or more")
	case o.Copies < 1:
		return errors.New("--copies wants 1 or more")
	case !(o.Rate >= 0) || math.IsInf(o.Rate, 0):
		return errors.New("--rate wants a number of interactions a second, or 0 for as fast as they are answered")
	case o.For <= 0 && o.Interactions <= 0:
		return errors.New("--for wants a time above zero such as 30s")
	case o.WarmUp < 0 || o.Think < 0 || o.Kill < 0 || o.Interactions < 0 || o.Shards < 0:
		return errors.New("a time or a number below zero means nothing here")
	case o.Kill > 0 && o.Interactions == 0 && o.Kill >= o.For:
		return errors.New("--kill wants a time before --for is over")
	case o.Shards > maxShards:
		return fmt.Errorf("--shards wants %d at most", maxShards)
	case o.Via == Gateway && o.shards() < o.Copies:
		return fmt.Errorf("--shards wants %d or more: each copy takes one at least", o.Copies)
	case o.Other && o.Copies > 1:
		return errors.New("--copies wants 1 for another program")
	case len(o.Games) == 0 || slices.ContainsFunc(o.Games, func(g string) bool { return g != tictactoe && g != gomoku }):
		return errors.New("--games wants ttt, gomoku or both, as ttt,gomoku")
	}
	return nil
}
