package main

import (
	"context"
	"math/rand/v2"
	"strconv"
	"time"

	"rowbot/bot/gateway"
	"rowbot/match"
	"rowbot/persistence"
)

// fleet is this process among those that play on the same store, one beside the
// other or one after the other.
type fleet struct {
	db   *persistence.DB
	name string // of this process alone
}

func newFleet(db *persistence.DB) *fleet {
	return &fleet{db: db, name: strconv.FormatUint(rand.Uint64(), 36)}
}

// processName is the process's name if there may be others at the same time. A file has
// one process, which has every duty: one that was killed must not keep the next one
// from its duties.
func (f *fleet) processName() string {
	if !f.db.Server() {
		return ""
	}
	return f.name
}

// turn asks for the turn to send IDENTIFY in a bucket; nil where there is nobody to
// take turns with. It is a duty like those of the bot, one for each bucket.
func (f *fleet) turn(matches *match.Service) func(context.Context, int, time.Duration) (bool, error) {
	if matches.Copy == "" {
		return nil
	}
	return func(ctx context.Context, bucket int, lasts time.Duration) (bool, error) {
		return matches.Take(ctx, "identify "+strconv.Itoa(bucket), lasts)
	}
}

// Take implements gateway.Sessions.
func (f *fleet) Take(ctx context.Context, shard int) (gateway.Session, bool, error) {
	s, ok, err := f.db.TakeSession(ctx, shard, f.name)
	return gateway.Session(s), ok, err
}

// Leave implements gateway.Sessions.
func (f *fleet) Leave(ctx context.Context, s gateway.Session) (bool, error) {
	return f.db.LeaveSession(ctx, persistence.Session(s), f.name)
}
