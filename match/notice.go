package match

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// neverAgain is a turn that does not come: a match whose players cannot be told
// anything counts as told of all turns up to it.
const neverAgain Version = math.MaxUint32

// Told says of which turns, by their Since, a match's players were last told.
type Told struct {
	Turn Version // that it is theirs
	Time Version // that the time for it runs out
}

// NoticeKind is what a notice says. Its numbers are stored.
type NoticeKind uint8

// The kinds of notices.
const (
	NoNotice  NoticeKind = 0
	YourTurn  NoticeKind = 1
	TimeShort NoticeKind = 2 // a third of the time is left
	// DrawOffer is no notice of a turn, but the message on which a draw offer is
	// answered. Retired, it is to be closed, and not to be taken away.
	DrawOffer NoticeKind = 3
)

// NoticeState is how far a notice has come. Its numbers are stored.
type NoticeState uint8

// The states of a notice.
const (
	// Posting: it is to be posted, or was, and nobody knows yet under which ID.
	Posting NoticeState = 1
	// Posted: it stands in the channel.
	Posted NoticeState = 2
	// Retired: it is to be taken away.
	Retired NoticeState = 3
)

// Notice is a message that tells whoever is to move that they are. Match, Turn
// and Kind name it: there is at most one of a kind for a turn.
type Notice struct {
	Match   ID
	Turn    Version // the match's Since of the turn that it is about; of a draw offer, the Version that it made
	Kind    NoticeKind
	State   NoticeState
	Channel string
	Message string    // empty until it is known
	At      time.Time // when it was decided to post it
}

// remindable reports whether a warning means something: somebody waits for the
// move, or a match that both have played in is lost without it.
func (m *Match) remindable() bool { return m.Begun() || !m.AgainstEngine() }

// NoticeDue returns what the player to move is to be told at a time; quiet is
// how long nothing has to have happened before they are told of their turn, 0
// for never. Rowbot's opponents are warned only: Rowbot replies while they look.
func (m *Match) NoticeDue(now time.Time, quiet time.Duration) NoticeKind {
	switch {
	case m.Status != Active || m.Owed() || !now.Before(m.Deadline):
		return NoNotice
	case m.Told.Time < m.Since && !now.Before(m.Deadline.Add(-m.Pace/3)):
		return TimeShort
	case quiet > 0 && m.Told.Turn < m.Since && !m.AgainstEngine() && !now.Before(m.Changed.Add(quiet)):
		return YourTurn
	}
	return NoNotice
}

// Tells reports whether the match's players are told of their turns at all.
func (m *Match) Tells() bool { return !m.AgainstEngine() && m.Told.Turn != neverAgain }

// Tell decides upon the notice that is due in a match, if one is, and notes it as
// told in the same transaction, before anything is posted: whatever happens
// afterwards, nobody is told twice. A notice that is not wanted is noted alike,
// and none is to be posted. What the match's other notices say is covered by the
// new one; they are to be taken away. Turn is the Since of the match for which
// the player was asked; nothing happens where it is another one by now.
func (s *Service) Tell(ctx context.Context, id ID, turn Version, quiet time.Duration, wanted bool) error {
	return s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		m, err := tx.Match(ctx, id)
		if err != nil {
			return fmt.Errorf("load match %s: %w", id, err)
		}
		kind := m.NoticeDue(now, quiet)
		if kind == NoNotice || m.Since != turn {
			return nil
		}
		told := m.Told
		told.Turn = m.Since
		if kind == TimeShort {
			told.Time = m.Since
		}
		if err := tx.SetTold(ctx, id, told); err != nil {
			return fmt.Errorf("note a notice in match %s: %w", id, err)
		}
		if err := tx.RetireNotices(ctx, id); err != nil {
			return fmt.Errorf("retire notices of match %s: %w", id, err)
		}
		if !wanted || m.Where.Message == "" || !m.remindable() {
			return nil
		}
		n := Notice{Match: id, Turn: m.Since, Kind: kind, State: Posting, Channel: m.Where.Channel, At: now}
		if err := tx.PutNotice(ctx, n); err != nil {
			return fmt.Errorf("store a notice of match %s: %w", id, err)
		}
		return nil
	})
}

// Current reports whether a notice still says what is so.
func (m *Match) Current(n Notice) bool { return m.Status == Active && m.Since == n.Turn }

// NoticePosted notes under which ID a notice stands in its channel, and to which
// board it leads. Where the match has gone on meanwhile, it is to be taken away.
func (s *Service) NoticePosted(ctx context.Context, n Notice, message string, leadsTo Where) error {
	n.Message, n.State = message, Posted
	return s.Store.Update(ctx, func(tx Tx) error {
		put := n
		m, err := tx.Match(ctx, n.Match)
		switch {
		case err != nil && !errors.Is(err, ErrNotFound):
			return fmt.Errorf("load match %s: %w", n.Match, err)
		case err != nil || !m.Current(n) || !m.Where.same(leadsTo):
			put.State = Retired
		}
		if err := tx.PutNotice(ctx, put); err != nil {
			return fmt.Errorf("store a notice of match %s: %w", n.Match, err)
		}
		return nil
	})
}

// OfferPosted notes the message of a draw offer, which is to be closed when the offer
// falls: at once where it has fallen already.
func (s *Service) OfferPosted(ctx context.Context, n Notice) error {
	n.Kind, n.State = DrawOffer, Posted
	return s.Store.Update(ctx, func(tx Tx) error {
		put := n
		m, err := tx.Match(ctx, n.Match)
		if err != nil && !errors.Is(err, ErrNotFound) {
			return fmt.Errorf("load match %s: %w", n.Match, err)
		}
		if err != nil || m.Offer == Empty {
			put.State = Retired
		}
		if err := tx.PutNotice(ctx, put); err != nil {
			return fmt.Errorf("store a draw offer of match %s: %w", n.Match, err)
		}
		return nil
	})
}

// NoticeGone forgets a notice that is gone from its channel, or never got there.
func (s *Service) NoticeGone(ctx context.Context, n Notice) error {
	err := s.Store.Update(ctx, func(tx Tx) error { return tx.DropNotice(ctx, n) })
	if err != nil {
		return fmt.Errorf("forget a notice of match %s: %w", n.Match, err)
	}
	return nil
}

// NoticeRefused forgets a notice that Rowbot may not post, and tells the players
// of that match nothing from now on.
func (s *Service) NoticeRefused(ctx context.Context, n Notice) error {
	err := s.Store.Update(ctx, func(tx Tx) error {
		if err := tx.DropNotice(ctx, n); err != nil {
			return err
		}
		err := tx.SetTold(ctx, n.Match, Told{Turn: neverAgain, Time: neverAgain})
		if errors.Is(err, ErrNotFound) {
			return nil
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("end notices of match %s: %w", n.Match, err)
	}
	return nil
}

// Notices returns a match and its notices. A match that is no longer stored is the
// zero value: its notices are still there to be taken away.
func (s *Service) Notices(ctx context.Context, id ID) (m Match, notices []Notice, err error) {
	err = s.Store.View(ctx, func(tx Tx) error {
		if notices, err = tx.Notices(ctx, id); err != nil {
			return fmt.Errorf("load notices of match %s: %w", id, err)
		}
		if m, err = tx.Match(ctx, id); err != nil && !errors.Is(err, ErrNotFound) {
			return fmt.Errorf("load match %s: %w", id, err)
		}
		return nil
	})
	return m, notices, err
}

// Quiet returns matches between people in which nothing has happened for a time
// and nobody has been told whose turn it is, those after the given one. They
// come in the order in which they fell quiet, as many as one query should read.
func (s *Service) Quiet(ctx context.Context, quiet time.Duration, after Alarm) ([]Alarm, error) {
	return s.heard(ctx, "quiet matches", after, func(tx Tx, after Alarm) ([]Alarm, error) {
		return tx.Quiet(ctx, s.Now().Add(-quiet), after, sweepBatch)
	})
}

// ShortOfTime returns, in the same way, the matches with a third of a move's time
// left, or less, where nobody has been warned of it.
func (s *Service) ShortOfTime(ctx context.Context, after Alarm) ([]Alarm, error) {
	return s.heard(ctx, "matches short of time", after, func(tx Tx, after Alarm) ([]Alarm, error) {
		return tx.ShortOfTime(ctx, s.Now(), after, sweepBatch)
	})
}

// Unsettled returns, in the order of their IDs, the matches that have notices to
// be posted or taken away.
func (s *Service) Unsettled(ctx context.Context, after ID) ([]ID, error) {
	return s.list(ctx, "unsettled notices", func(tx Tx) ([]ID, error) { return tx.Unsettled(ctx, after, sweepBatch) })
}
