package match

import (
	"slices"
	"time"
)

// Action is one thing that can happen to a match. The set is closed: Accept,
// Decline, Withdraw, Place, PassTurn, Choose, Resign, OfferDraw, AgreeDraw, RefuseDraw,
// Expire, Halt, Leave and Desert.
type Action interface {
	apply(m *Match, by Player, now time.Time) error
}

type (
	// Accept takes up a challenge and starts the match.
	Accept struct{}
	// Decline turns a challenge down.
	Decline struct{}
	// Withdraw takes one's own challenge back. One that nobody else could see bothers
	// nobody: it ends like one that was not answered, and is no rebuff (see [MaxRebuffs]).
	Withdraw struct{ Unseen bool }
	// Place puts a stone on a cell.
	Place struct{ At Point }
	// PassTurn leaves the turn to the other side; two in a row draw.
	PassTurn struct{}
	// Resign gives the match up, on either side's turn.
	Resign struct{}
	// OfferDraw proposes a draw, or agrees to the other side's proposal. An offer
	// stands until it is answered or the other side moves, which is a no. After a
	// no the same side may offer again only when [drawPause] plies were played.
	OfferDraw struct{}
	// AgreeDraw takes the other side's draw offer.
	AgreeDraw struct{}
	// RefuseDraw turns the other side's draw offer down.
	RefuseDraw struct{}
	// Expire is the clock's action: it ends what has passed its deadline.
	Expire struct{}
)

// Apply lets an action happen: it returns the match after it, one version on,
// or the match as it was and a [Refusal]. It is the only way a match changes.
// The player is nobody for Expire, which no player does.
func (m Match) Apply(a Action, by Player, now time.Time) (Match, error) {
	next := m
	if err := a.apply(&next, by, now); err != nil {
		return m, err
	}
	next.Version++
	next.Changed = now
	if next.Status != m.Status || len(next.Moves) != len(m.Moves) || next.Choices != m.Choices {
		next.Since = next.Version
	}
	return next, nil
}

// pending checks that the match is still a challenge.
func (m *Match) pending() error {
	if m.Status != Challenged {
		return Gone
	}
	return nil
}

func (Accept) apply(m *Match, by Player, now time.Time) error {
	if err := m.pending(); err != nil {
		return err
	}
	if by == m.Challenger {
		return OwnChallenge
	}
	if by.IsNobody() || !m.Invited.IsNobody() && by != m.Invited {
		return NotForYou
	}
	m.Seats = [2]Player{m.Challenger, by}
	if m.Side == SideSecond || m.Side == SideRandom && flip(m.Seed) {
		m.Seats = [2]Player{by, m.Challenger}
	}
	m.Status = Active
	m.startClock(now)
	return nil
}

func (Decline) apply(m *Match, by Player, _ time.Time) error {
	if err := m.pending(); err != nil {
		return err
	}
	if by.IsNobody() || by != m.Invited {
		return NotForYou
	}
	m.end(Declined, NoReason, Empty)
	return nil
}

func (a Withdraw) apply(m *Match, by Player, _ time.Time) error {
	if err := m.pending(); err != nil {
		return err
	}
	if by != m.Challenger {
		return NotChallenger
	}
	as := Withdrawn
	if a.Unseen {
		as = Lapsed
	}
	m.end(as, NoReason, Empty)
	return nil
}

// playing returns the side of a player of a running match.
func (m *Match) playing(by Player) (Stone, error) {
	switch {
	case m.Status == Challenged && !m.Involves(by), m.Status != Challenged && m.StoneOf(by) == Empty:
		return Empty, NotYours
	case m.Status == Challenged:
		return Empty, NotStarted
	case m.Status.Over():
		return Empty, Over
	}
	return m.StoneOf(by), nil
}

// toMove checks that it is the player's turn.
func (m *Match) toMove(by Player) error {
	if _, err := m.playing(by); err != nil {
		return err
	}
	if by != m.ToMove() {
		return NotYourTurn
	}
	return nil
}

// startClock gives who is to move their time. Rowbot's has no end: it does not
// lose on time, it plays the move that it owes.
func (m *Match) startClock(now time.Time) {
	m.Deadline = now.Add(m.Pace)
	if m.ToMove().IsEngine() {
		m.Deadline = time.Time{}
	}
}

func (a Place) apply(m *Match, by Player, now time.Time) error {
	if err := m.toMove(by); err != nil {
		return err
	}
	if m.Choosing() != nil {
		return ChooseFirst
	}
	side := m.Turn()
	p, won, err := m.Position().Place(a.At)
	if err != nil {
		return err
	}
	m.moved(a.At, by, now)
	if won {
		m.end(Won, ByLine, side)
	} else if p.Full() {
		m.end(Drawn, ByFullBoard, Empty)
	}
	return nil
}

func (PassTurn) apply(m *Match, by Player, now time.Time) error {
	if err := m.toMove(by); err != nil {
		return err
	}
	switch {
	case m.Choosing() != nil:
		return ChooseFirst
	case m.SidesOpen():
		return NoPassingYet
	}
	p, err := m.Position().Pass()
	if err != nil {
		return err
	}
	m.moved(Pass, by, now)
	if p.Passes() == 2 {
		m.end(Drawn, ByPasses, Empty)
	}
	return nil
}

// moved notes a ply.
func (m *Match) moved(at Point, by Player, now time.Time) {
	m.Moves = append(slices.Clip(m.Moves), at)
	m.acted(by, now)
}

// acted starts the time for what comes next, and answers the other side's draw
// offer with a no.
func (m *Match) acted(by Player, now time.Time) {
	m.startClock(now)
	if m.Offer == m.StoneOf(by).Other() {
		m.turnDown()
	}
}

// drawPause is how many plies lie between the no to a draw offer and the next
// offer of the same side: one of each side's.
const drawPause = 2

// turnDown answers the draw offer that stands with a no.
func (m *Match) turnDown() {
	m.OfferFrom[m.Offer-Black] = len(m.Moves) + drawPause
	m.Offer = Empty
}

func (Resign) apply(m *Match, by Player, _ time.Time) error {
	side, err := m.playing(by)
	if err != nil {
		return err
	}
	m.end(Won, ByResignation, side.Other())
	return nil
}

func (OfferDraw) apply(m *Match, by Player, _ time.Time) error {
	side, err := m.playing(by)
	switch {
	case err != nil:
		return err
	case m.Seat(side.Other()).IsEngine():
		return EnginePlaysOn
	case m.Offer == side:
		return Offered
	case m.Offer == side.Other():
		m.end(Drawn, ByAgreement, Empty)
	case len(m.Moves) < m.OfferFrom[side-Black]:
		return DrawTooSoon
	default:
		m.Offer = side
	}
	return nil
}

// answering checks that the player has a draw offer to answer.
func (m *Match) answering(by Player) error {
	side, err := m.playing(by)
	if err == nil && m.Offer != side.Other() {
		return NoOffer
	}
	return err
}

func (AgreeDraw) apply(m *Match, by Player, _ time.Time) error {
	if err := m.answering(by); err != nil {
		return err
	}
	m.end(Drawn, ByAgreement, Empty)
	return nil
}

func (RefuseDraw) apply(m *Match, by Player, _ time.Time) error {
	if err := m.answering(by); err != nil {
		return err
	}
	m.turnDown()
	return nil
}

func (Expire) apply(m *Match, _ Player, now time.Time) error {
	switch {
	case m.Status.Over():
		return Over
	case now.Before(m.Deadline), m.Owed():
		return Early
	case m.Status == Challenged:
		m.end(Lapsed, NoReason, Empty)
	case !m.Begun():
		m.end(Closed, NoReason, Empty)
	default:
		m.end(Won, ByTime, m.StoneOf(m.ToMove()).Other())
	}
	return nil
}

func (m *Match) end(s Status, r Reason, winner Stone) {
	m.Status, m.Reason, m.Winner = s, r, winner
	m.Offer, m.Deadline = Empty, time.Time{}
}
