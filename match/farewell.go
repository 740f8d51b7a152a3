package match

import (
	"context"
	"fmt"
	"strconv"
	"time"
)

type (
	// Halt ends a match without a result because a moderator wants it; who may is
	// for the caller to know. The player is nobody.
	Halt struct{}
	// Leave ends a match without a result because one of the two goes for good: a
	// challenge of theirs is withdrawn, and one to them declined.
	Leave struct{}
	// Desert closes a challenge because the challenger is not there to play it; who
	// knows that is the caller. The player is the challenger. It is withdrawn then,
	// [ByLeaving].
	Desert struct{}
)

func (Halt) apply(m *Match, _ Player, _ time.Time) error {
	if m.Status.Over() {
		return Over
	}
	m.end(Closed, ByModerator, Empty)
	return nil
}

func (Leave) apply(m *Match, by Player, _ time.Time) error {
	switch {
	case !m.Involves(by):
		return NotYours
	case m.Status.Over():
		return Over
	case m.Status == Active:
		m.end(Closed, ByLeaving, Empty)
	case by == m.Challenger:
		m.end(Withdrawn, NoReason, Empty)
	default:
		m.end(Declined, NoReason, Empty)
	}
	return nil
}

func (Desert) apply(m *Match, by Player, now time.Time) error {
	if err := (Withdraw{}).apply(m, by, now); err != nil {
		return err
	}
	m.Reason = ByLeaving
	return nil
}

// Farewell tells what was done when a person's data was deleted.
type Farewell struct {
	Closed    []ID // matches that were running, and challenges that waited
	Played    int  // matches that were played and had ended, in which another name stands now
	Forgotten int  // records that were deleted
}

// leaveBatch is how many open matches are looked for at a time.
const leaveBatch = 100

// Forget deletes what is stored about a person, in one transaction: what is
// open is closed without a result, records and preferences are deleted, and in
// matches, which are the opponents' too, a random name that says nothing takes
// the person's place.
func (s *Service) Forget(ctx context.Context, user string) (Farewell, error) {
	name := gonePrefix + strconv.FormatUint(s.Seed(), 36) + strconv.FormatUint(s.Seed(), 36)
	var done Farewell
	err := s.Store.Update(ctx, func(tx Tx) error {
		done = Farewell{}
		closed, running, err := s.closeAll(ctx, tx, user)
		if err != nil {
			return err
		}
		was, err := tx.Forget(ctx, user, name)
		done = Farewell{Closed: closed, Played: was.Played - running, Forgotten: was.Records}
		return err
	})
	if err != nil {
		return Farewell{}, fmt.Errorf("forget a person: %w", err)
	}
	return done, nil
}

// closeAll ends all that a person has open, and returns how many of those matches were
// running. [Service.Unshown] finds what was closed until its boards have been drawn.
func (s *Service) closeAll(ctx context.Context, tx Tx, user string) (closed []ID, running int, err error) {
	now := s.Now()
	for last := false; ; {
		open, err := tx.Open(ctx, OpenQuery{User: user, Limit: leaveBatch})
		if err != nil {
			return nil, 0, fmt.Errorf("load open matches: %w", err)
		}
		for i := range open {
			next, err := open[i].Apply(Leave{}, Person(user), now)
			if err != nil {
				return nil, 0, fmt.Errorf("close match %s: %w", open[i].ID, err)
			}
			if err := storeUnshown(ctx, tx, &open[i], &next); err != nil {
				return nil, 0, err
			}
			if open[i].Status == Active {
				running++
			}
			closed = append(closed, next.ID)
		}
		switch {
		case len(open) == leaveBatch:
		case last:
			return closed, running, nil
		default: // once nobody can start anything for them any more, look again
			last = true
			if _, err := tx.Standing(ctx, user, now); err != nil {
				return nil, 0, fmt.Errorf("count what is open: %w", err)
			}
		}
	}
}
