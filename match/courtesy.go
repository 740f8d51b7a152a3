package match

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// What keeps challenges from being a nuisance. Rowbot takes part in none of it
// but the running matches of the person who plays it.
const (
	// MaxPending is how many challenges of one person may wait for an answer.
	MaxPending = 10
	// MaxRunning is how many matches a person may be playing.
	MaxRunning = 100
	// MaxRebuffs is how many challenges of one person to another may be declined
	// or withdrawn within CoolDown; after that there is peace until the first of
	// them is so long ago.
	MaxRebuffs = 3
	CoolDown   = 10 * time.Minute
)

// propose stores a new match if courtesy allows it, or loads the one that has
// its ID. With a refusal it returns the match that the refusal is about.
func propose(ctx context.Context, tx Tx, m Match, now time.Time) (Match, error) {
	return insert(ctx, tx, m, func() (about Match, err error) {
		if m.Status == Challenged {
			if about, err := mayAsk(ctx, tx, m, now); err != nil {
				return about, err
			}
		}
		return m, room(ctx, tx, m.Challenger, now, TooManyRunning)
	})
}

// mayAsk says why a challenge may not be made now.
func mayAsk(ctx context.Context, tx Tx, m Match, now time.Time) (about Match, err error) {
	from, to := m.Challenger.User, m.Invited.User
	waiting, err := tx.Pending(ctx, PendingQuery{Challenger: from, Invited: to, Channel: m.Where.Channel, Now: now})
	switch {
	case err == nil && to == "":
		return waiting, AlreadyOpen
	case err == nil:
		return waiting, AlreadyAsked
	case !errors.Is(err, ErrNotFound):
		return m, fmt.Errorf("look for a challenge like %s: %w", m.ID, err)
	}
	if to != "" {
		if about, err := unasked(ctx, tx, m, now); err != nil {
			return about, err
		}
		if about, err := wanted(ctx, tx, m, now); err != nil {
			return about, err
		}
	}
	s, err := tx.Standing(ctx, from, now)
	if err != nil {
		return m, fmt.Errorf("count challenges for %s: %w", m.ID, err)
	}
	if s.Pending >= MaxPending {
		return m, TooManyPending
	}
	return m, nil
}

// unasked refuses a challenge to somebody whose own challenge to the challenger
// waits for an answer: two people need one match at a time to agree upon.
func unasked(ctx context.Context, tx Tx, m Match, now time.Time) (about Match, err error) {
	theirs, err := tx.Pending(ctx, PendingQuery{Challenger: m.Invited.User, Invited: m.Challenger.User, Now: now})
	switch {
	case err == nil:
		return theirs, AskedByThem
	case !errors.Is(err, ErrNotFound):
		return m, fmt.Errorf("look for a challenge against %s: %w", m.ID, err)
	}
	return m, nil
}

// wanted says why a person may not be challenged by another now.
func wanted(ctx context.Context, tx Tx, m Match, now time.Time) (about Match, err error) {
	if err := welcome(ctx, tx, m.Invited, m.Challenger, m.Where); err != nil {
		return m, err
	}
	first, err := tx.Rebuffed(ctx, m.Challenger.User, m.Invited.User, MaxRebuffs)
	switch {
	case errors.Is(err, ErrNotFound):
		return m, nil
	case err != nil:
		return m, fmt.Errorf("look for earlier challenges like %s: %w", m.ID, err)
	case now.Before(first.Changed.Add(CoolDown)):
		return first, CoolingDown
	}
	return m, nil
}

// welcome says whether a person wants to be challenged by another in a place.
func welcome(ctx context.Context, tx Tx, host, guest Player, w Where) error {
	p, err := tx.Preferences(ctx, host.User)
	if err != nil {
		return fmt.Errorf("load preferences: %w", err)
	}
	if !p.Welcomes(guest.User, w.Guild) {
		return Unwelcome
	}
	return nil
}

// room refuses, with a word of the caller's, a person who plays enough matches
// already.
func room(ctx context.Context, tx Tx, who Player, now time.Time, full Refusal) error {
	if who.IsEngine() {
		return nil
	}
	s, err := tx.Standing(ctx, who.User, now)
	if err != nil {
		return fmt.Errorf("count running matches: %w", err)
	}
	if s.Running >= MaxRunning {
		return full
	}
	return nil
}

// seat says why somebody may not take up a challenge that is theirs to take.
func seat(ctx context.Context, tx Tx, m *Match, by Player, now time.Time) error {
	p, err := tx.Preferences(ctx, m.Challenger.User)
	if err != nil {
		return fmt.Errorf("load preferences for match %s: %w", m.ID, err)
	}
	if p.Blocks(by.User) { // also whom they invited before that
		return Unwelcome
	}
	if err := room(ctx, tx, by, now, TooManyRunning); err != nil {
		return err
	}
	return room(ctx, tx, m.Challenger, now, OpponentBusy)
}

// again says why a player may not start a match anew. It starts without being
// asked for, so that it is as good as a challenge to the other.
func again(ctx context.Context, tx Tx, was *Match, by Player, w Where, now time.Time) error {
	other := was.Opponent(by)
	switch {
	case other.IsGone():
		return OpponentGone
	case !other.IsEngine():
		if err := welcome(ctx, tx, other, by, w); err != nil {
			return err
		}
		if err := room(ctx, tx, other, now, OpponentBusy); err != nil {
			return err
		}
	}
	return room(ctx, tx, by, now, TooManyRunning)
}
