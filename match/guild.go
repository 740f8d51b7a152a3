package match

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Guild is what the moderators of a server have chosen for it. The zero value,
// with the guild's ID, is the default.
type Guild struct {
	ID       string
	Style    string        // how boards are drawn; empty: as text
	Language string        // of boards; empty: the server's own
	Channels []string      // where matches may be started; none: everywhere
	Pace     time.Duration // of matches where nobody chose; 0: the program's
	Side     int8          // of gomoku's board where nobody chose; 0: 15
	Variant  Variant       // of gomoku where nobody chose
	Threads  bool          // a thread is opened for each match
}

// Allows reports whether matches may be started in a channel.
func (g Guild) Allows(channel string) bool {
	return len(g.Channels) == 0 || slices.Contains(g.Channels, channel)
}

// GuildKept is how long the data of a guild is kept after Rowbot was removed
// from it, so that one who was removed by mistake comes back to it.
const GuildKept = 30 * 24 * time.Hour

// Attend takes all the guilds that Rowbot is a member of now. It notes which of the
// others it has left since, and forgets those that it left [GuildKept] ago, which it
// returns. It goes on past a guild that fails and returns the failures joined.
func (s *Service) Attend(ctx context.Context, guilds []string) (forgotten []string, err error) {
	known, err := s.presence(ctx)
	if err != nil {
		return nil, err
	}
	now := s.Now()
	here := make(map[string]bool, len(guilds))
	for _, id := range guilds {
		here[id] = true
	}
	var errs []error
	for id := range here {
		if ctx.Err() != nil {
			break
		}
		if gone, ok := known[id]; ok && gone.IsZero() {
			continue
		}
		errs = append(errs, s.notePresence(ctx, id, time.Time{}))
	}
	for id, gone := range known {
		switch {
		case here[id] || ctx.Err() != nil:
		case gone.IsZero():
			errs = append(errs, s.notePresence(ctx, id, now))
		case !now.Before(gone.Add(GuildKept)):
			if err := s.forgetGuild(ctx, id); err != nil {
				errs = append(errs, err)
				continue
			}
			forgotten = append(forgotten, id)
		}
	}
	slices.Sort(forgotten)
	return forgotten, errors.Join(append(errs, ctx.Err())...)
}

// presence returns the known guilds, and since when those are gone that are.
func (s *Service) presence(ctx context.Context) (known map[string]time.Time, err error) {
	err = s.Store.View(ctx, func(tx Tx) (err error) {
		known, err = tx.Presence(ctx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("load the known guilds: %w", err)
	}
	return known, nil
}

func (s *Service) forgetGuild(ctx context.Context, guild string) error {
	err := s.Store.Update(ctx, func(tx Tx) error { return tx.ForgetGuild(ctx, guild) })
	if err != nil {
		return fmt.Errorf("forget guild %s: %w", guild, err)
	}
	return nil
}

func (s *Service) notePresence(ctx context.Context, guild string, gone time.Time) error {
	err := s.Store.Update(ctx, func(tx Tx) error { return tx.SetPresence(ctx, guild, gone) })
	if err != nil {
		return fmt.Errorf("note presence in guild %s: %w", guild, err)
	}
	return nil
}
