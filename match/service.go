package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Service carries out what players ask for: each call is one transaction on
// the store, with the records and the ratings inside it, and with Rowbot's reply
// where that takes no thought; see [Service.Reply] for the others. It holds no
// state of its own.
type Service struct {
	Store  Store
	Engine Chooser // may be left out where Rowbot only plays at random
	Now    func() time.Time
	Seed   func() uint64 // a new match's luck
	Expiry time.Duration // how long a challenge stands
	// Copy tells this copy of the program from the others on the same store; empty
	// where there are none. See [Service.Take].
	Copy string
}

// Proposal is a match to be.
type Proposal struct {
	ID         ID // from the interaction that asks for it
	Rules      Rules
	Challenger Player
	Opponent   Player // nobody: anyone may accept; Rowbot: starts at once
	Side       Side
	Opening    Opening
	Pace       time.Duration
	Where      Where
}

// Challenge stores a new challenge, or starts the match at once against
// Rowbot, which makes its first move if it has the first side. A proposal whose
// ID is known already changes nothing and returns the match that it made. What
// courtesy forbids is a [Refusal], with the match that stands in the way where
// it is one ([AlreadyAsked], [AskedByThem], [AlreadyOpen], [CoolingDown]), and else the one
// that would have been made. Rules that are not [Rules.Valid] are an error.
func (s *Service) Challenge(ctx context.Context, p Proposal) (Match, error) {
	if !p.Rules.Valid() {
		return Match{}, fmt.Errorf("challenge %s: no match is played by the rules %+v", p.ID, p.Rules)
	}
	now := s.Now()
	m := Match{
		ID: p.ID, Version: 1, Since: 1, Rules: p.Rules, Seed: s.Seed(),
		Challenger: p.Challenger, Invited: p.Opponent, Side: p.Side, Opening: p.Opening,
		Status: Challenged, Pace: p.Pace, Deadline: now.Add(s.Expiry),
		Created: now, Changed: now, Where: p.Where, Event: string(p.ID),
	}
	if p.Challenger == p.Opponent {
		return Match{}, Yourself
	}
	if p.Opening != FreeOpening && p.Opponent.IsEngine() {
		return Match{}, PeopleOnly
	}
	if p.Opponent.IsEngine() {
		var err error
		if m, err = m.Apply(Accept{}, p.Opponent, now); err != nil {
			return Match{}, err
		}
		if m, err = s.replyAtOnce(ctx, m, now); err != nil {
			return Match{}, err
		}
	}
	var made Match
	err := s.surely(ctx, func(tx Tx) error {
		var err error
		made, err = propose(ctx, tx, m, now)
		return err
	})
	return made, err
}

// surely is Update for an f that acts once however often it runs, since it stores the
// interaction's ID: if the store cannot say whether f was committed, f is run again.
func (s *Service) surely(ctx context.Context, f func(Tx) error) error {
	err := s.Store.Update(ctx, f)
	if errors.Is(err, ErrUnsure) {
		err = s.Store.Update(ctx, f)
	}
	return err
}

// insert stores a new match if may allows it, or loads the match that has its ID. A
// refusal comes with the match that it is about.
func insert(ctx context.Context, tx Tx, m Match, may func() (about Match, err error)) (Match, error) {
	old, err := tx.Match(ctx, m.ID)
	if err == nil {
		return old, nil
	}
	if !errors.Is(err, ErrNotFound) {
		return m, fmt.Errorf("look for match %s: %w", m.ID, err)
	}
	if about, err := may(); err != nil {
		return about, err
	}
	if err := tx.Insert(ctx, m); err != nil {
		return m, fmt.Errorf("store match %s: %w", m.ID, err)
	}
	return m, nil
}

// Deed is an action that somebody takes in a match.
type Deed struct {
	Match  ID
	Seen   Version // the version the player saw; 0 where it does not matter
	Board  Where   // the board message the player used; zero where it was none
	By     Player
	Action Action
	Event  string // the interaction's ID: the same event twice acts once
	// Apart: the answer is not the board, which is drawn separately. Until
	// [Service.Shown] is called, [Service.Unshown] finds the match, so that its board
	// is drawn even if the process ends in between.
	Apart bool
}

// Act lets a deed happen, with Rowbot's answer to it and, if it ends the
// match, the records and ratings, all in one transaction. It returns the match
// as it then stands. With a [Refusal] the deed has changed nothing and the match
// is as stored (but if its time was up, the clock has ended it first); [Stale]
// means that the board has changed since the version seen, [Replaced] that a newer
// message shows it. A board message newer than the one known becomes the known one,
// and the language that the known one is said to be in is noted. Another error is
// ErrNotFound or the store's.
func (s *Service) Act(ctx context.Context, d Deed) (Match, error) {
	var m Match
	var refused error
	err := s.surely(ctx, func(tx Tx) error {
		var err error
		m, err = s.act(ctx, tx, d)
		why, ok := errors.AsType[Refusal](err)
		if refused = nil; ok {
			// Committed all the same: the clock may have ended the match.
			refused, err = why, nil
		}
		return err
	})
	if err != nil {
		return m, err
	}
	return m, refused
}

// act is Act inside the transaction. It writes only after every check that
// can refuse.
func (s *Service) act(ctx context.Context, tx Tx, d Deed) (Match, error) {
	now := s.Now()
	m, err := due(ctx, tx, d.Match, now)
	if err != nil || d.Event != "" && d.Event == m.Event {
		return m, err
	}
	if m.Involves(d.By) {
		if m.Replaced(d.Board) {
			return m, Replaced
		}
		if d.Seen != 0 && m.Outdated(d.Seen) || d.Seen == 0 && overtaken(d, m.Event) {
			return m, Stale
		}
	}
	next, err := m.Apply(d.Action, d.By, now)
	if err != nil {
		return m, err
	}
	if _, accepting := d.Action.(Accept); accepting {
		if err := seat(ctx, tx, &m, d.By, now); err != nil {
			return m, err
		}
	}
	if next, err = s.replyAtOnce(ctx, next, now); err != nil {
		return m, err
	}
	next.Event = d.Event
	if next.Where = m.Where.shows(d.Board); next.Where != m.Where {
		if err := tx.SetWhere(ctx, m.ID, next.Where); err != nil {
			return m, fmt.Errorf("note board of match %s: %w", m.ID, err)
		}
	}
	if d.Apart {
		return next, storeUnshown(ctx, tx, &m, &next)
	}
	return next, store(ctx, tx, &m, &next)
}

// overtaken reports whether something that can be done again and again comes
// from before the latest event: it is delivered a second time after the other
// player has moved, or was asked for before that move. The IDs of interactions are
// in the order of time; what is none of Discord's is not compared.
func overtaken(d Deed, latest string) bool {
	switch d.Action.(type) {
	case PassTurn, OfferDraw:
	default:
		return false
	}
	asked, err := strconv.ParseUint(d.Event, 10, 64)
	last, err2 := strconv.ParseUint(latest, 10, 64)
	return err == nil && err2 == nil && asked < last
}

// due loads a match, and ends it first if its deadline has passed: the clock
// does not wait for the sweep to notice.
func due(ctx context.Context, tx Tx, id ID, now time.Time) (Match, error) {
	m, err := tx.Match(ctx, id)
	if err != nil {
		return m, fmt.Errorf("load match %s: %w", id, err)
	}
	ended, err := m.Apply(Expire{}, Player{}, now)
	if err != nil {
		return m, nil //nolint:nilerr // it is not due
	}
	return ended, storeUnshown(ctx, tx, &m, &ended)
}

// store writes a changed match, and its result if that is what the change was.
// Where the turn is over, so are the notices of it, and with a draw offer the message
// that it stands on.
func store(ctx context.Context, tx Tx, was, m *Match) error {
	if err := settle(ctx, tx, m); err != nil {
		return err
	}
	if err := tx.Replace(ctx, was.Version, *m); err != nil {
		return fmt.Errorf("store match %s: %w", m.ID, err)
	}
	if was.Offer != Empty && m.Offer == Empty {
		if err := tx.RetireOffers(ctx, m.ID); err != nil {
			return fmt.Errorf("retire draw offers of match %s: %w", m.ID, err)
		}
	}
	if m.Told != (Told{}) && m.Since > was.Version {
		if err := tx.RetireNotices(ctx, m.ID); err != nil {
			return fmt.Errorf("retire notices of match %s: %w", m.ID, err)
		}
	}
	return nil
}

// Rematch starts the match again with sides swapped. The first call makes the
// match, under the given ID; every later one returns that same match, so two
// clicks make one. [NotOver], [NotYours] and those of courtesy are the refusals;
// the match then returned is the old one.
func (s *Service) Rematch(ctx context.Context, old, id ID, by Player, w Where) (Match, error) {
	var m Match
	err := s.surely(ctx, func(tx Tx) error {
		var err error
		m, err = s.rematch(ctx, tx, old, id, by, w)
		return err
	})
	return m, err
}

func (s *Service) rematch(ctx context.Context, tx Tx, old, id ID, by Player, w Where) (Match, error) {
	was, err := tx.Match(ctx, old)
	switch {
	case err != nil:
		return was, fmt.Errorf("load match %s: %w", old, err)
	case was.StoneOf(by) == Empty:
		return was, NotYours
	case !was.Status.Over():
		return was, NotOver
	}
	switch next, err := tx.Rematch(ctx, old); {
	case err == nil:
		return next, nil
	case !errors.Is(err, ErrNotFound):
		return was, fmt.Errorf("look for the rematch of %s: %w", old, err)
	}
	now := s.Now()
	opener := was.Opener()
	m := Match{
		ID: id, Version: 1, Since: 1, Rules: was.Rules, Seed: s.Seed(),
		Challenger: by, Invited: was.Opponent(by), Side: SideSecond,
		Seats: [2]Player{was.Opponent(opener), opener}, Opening: was.Opening,
		Status: Active, Pace: was.Pace,
		Created: now, Changed: now, RematchOf: old, Where: w, Event: string(id),
	}
	m.startClock(now)
	if m.Seats[0] == by {
		m.Side = SideFirst
	}
	if m, err = s.replyAtOnce(ctx, m, now); err != nil {
		return was, err
	}
	return insert(ctx, tx, m, func() (Match, error) { return was, again(ctx, tx, &was, by, w, now) })
}

// Moved notes that a newly posted message shows the match. It returns the
// message that has no say any more, to be taken out of use: the one known so
// far, or the posted one itself where an even newer one is known; it is zero
// where there is none.
func (s *Service) Moved(ctx context.Context, id ID, posted Where) (old Where, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		old = Where{}
		m, err := tx.Match(ctx, id)
		if err != nil {
			return fmt.Errorf("load match %s: %w", id, err)
		}
		switch known := m.Where; {
		case known.newer(posted):
			old = posted
			return nil
		case known.Message != posted.Message:
			old = known
			if err := tx.RetireNotices(ctx, id); err != nil { // they lead to the old one
				return fmt.Errorf("retire notices of match %s: %w", id, err)
			}
		}
		now := posted
		now.Locale = cmp.Or(posted.Locale, m.Where.Locale)
		return tx.SetWhere(ctx, id, now)
	})
	if old.Message == "" {
		old = Where{}
	}
	return old, err
}

// sweepBatch is how many matches one query of the sweep looks for.
const sweepBatch = 100

// Due returns challenges and matches whose deadline has passed, to be given to
// [Service.Expire]: in the order of their deadlines, those after the given one, as many
// as one query should read. So a match that cannot be ended holds up no others.
func (s *Service) Due(ctx context.Context, after Alarm) ([]Alarm, error) {
	return s.heard(ctx, "due matches", after, func(tx Tx, after Alarm) ([]Alarm, error) {
		return tx.Due(ctx, s.Now(), after, sweepBatch)
	})
}

// Expire ends a match if its deadline has passed, and reports whether it is over. It is
// not if somebody moved just in time.
func (s *Service) Expire(ctx context.Context, id ID) (m Match, over bool, err error) {
	err = s.Store.Update(ctx, func(tx Tx) error {
		m, err = due(ctx, tx, id, s.Now())
		return err
	})
	return m, err == nil && m.Status.Over(), err
}
