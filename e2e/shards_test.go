package e2e_test

import (
	"context"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/gateway"
	"rowbot/match"
	"rowbot/persistence"
	"rowbot/persistence/pgtest"
	"rowbot/sandbox"
)

// ranger is a process that runs a range of shards and handles nothing.
type ranger struct {
	*gateway.Client
	stop func()
}

func (w *world) ranger(shards ...int) ranger {
	w.t.Helper()
	db, err := persistence.Open(w.t.Context(), w.store)
	if err != nil {
		w.t.Fatal(err)
	}
	o := gateway.Options{
		Token: sandbox.Token, APIURL: w.APIURL(), Now: time.Now, Log: slog.New(slog.DiscardHandler), ShardCount: 6, Shards: shards,
		Timings: gateway.Timings{Identify: apart, BackoffMin: 20 * time.Millisecond},
	}
	w.wire(db, &match.Service{Store: db, Now: time.Now}, &o)
	client, err := gateway.New(o)
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- client.Run(ctx, nil, func(context.Context, *discordgo.Interaction) {}) }()
	return ranger{client, func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Errorf("Run: %v", err)
		}
		client.Close()
		if err := db.Close(); err != nil {
			w.t.Error(err)
		}
	}}
}

// apart is the time that these tests' Discord wants between two IDENTIFYs.
const apart = 250 * time.Millisecond

// Processes with a range of shards each, on one server, together send no IDENTIFY
// that Discord would refuse, and no more than it allows in a day. Started again, they
// need none.
func TestShardsOfSeveralProcesses(t *testing.T) {
	t.Parallel()
	w := standIn(t, func(o *sandbox.Options) {
		o.Shards, o.MaxConcurrency, o.IdentifyEvery = 6, 2, apart
		o.SessionStarts = 7 // one is left alone for the other bucket
	})
	w.store, w.wire = pgtest.Database(t), siblings()
	p := &party{world: w}
	for round, want := range []gateway.Starts{{Identifies: 6}, {Resumes: 6}} {
		all := []ranger{w.ranger(0, 1), w.ranger(2, 3), w.ranger(4, 5)}
		var got gateway.Starts
		for _, r := range all {
			p.poll("all shards to be connected", r.Connected)
			s := r.Starts()
			got.Identifies, got.Resumes, got.Refused = got.Identifies+s.Identifies, got.Resumes+s.Resumes, got.Refused+s.Refused
		}
		if got != want {
			t.Errorf("round %d: began with %+v, want %+v", round, got, want)
		}
		var ends sync.WaitGroup
		for _, r := range all {
			ends.Go(r.stop)
		}
		ends.Wait()
	}
	if got := w.Stats(); got.Identifies != 6 || got.Resumes != 6 {
		t.Errorf("%d IDENTIFYs and %d RESUMEs, want 6 of each", got.Identifies, got.Resumes)
	}
}
