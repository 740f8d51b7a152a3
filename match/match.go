package match

import (
	"cmp"
	"slices"
	"time"
)

// ID names a match: the ID of the interaction that created it, in base 36. An
// interaction that is delivered twice therefore creates one match.
type ID string

// Version counts the changes of a match, from 1.
type Version uint32

// Status is where a match stands in its life. Its numbers are stored; they
// never change, and everything from Won on is over.
type Status uint8

// The statuses.
const (
	Challenged Status = 10 // waits for an opponent
	Active     Status = 20 // being played
	Won        Status = 30
	Drawn      Status = 31
	Declined   Status = 40 // the challenge was turned down
	Withdrawn  Status = 41 // the challenger took it back
	Lapsed     Status = 42 // nobody answered the challenge in time, or nobody could see it
	Closed     Status = 43 // ended without a result: see the reasons for it
)

// Over reports whether nothing can happen in the match any more.
func (s Status) Over() bool { return s >= Won }

// Counts reports whether the match ended with a result for the records.
func (s Status) Counts() bool { return s == Won || s == Drawn }

// Reason is how a match was won, drawn, closed or withdrawn. Its numbers are stored.
type Reason uint8

// The reasons.
const (
	NoReason      Reason = 0
	ByLine        Reason = 1
	ByResignation Reason = 2
	ByTime        Reason = 3
	ByFullBoard   Reason = 10
	ByAgreement   Reason = 11
	ByPasses      Reason = 12
	// Why a match was closed; NoReason: it had hardly begun.
	ByModerator Reason = 20 // a moderator of its server ended it
	ByLeaving   Reason = 21 // one of the players had their data deleted; of a challenge: the challenger is not there any more
)

// Unrated is why a match between people that has a result was not rated. Its
// numbers are stored.
type Unrated uint8

// The reasons for not rating.
const (
	Rated     Unrated = 0
	TooShort  Unrated = 1 // ended before it had as many stones as its game asks for
	TooManyOf Unrated = 2 // the pair had [MaxRatedOfPair] rated matches within [RatedWindow]
)

// Side is which side the challenger asked for. Its numbers are stored.
type Side uint8

// The sides to ask for.
const (
	SideRandom Side = 0
	SideFirst  Side = 1
	SideSecond Side = 2
)

// Where is the message that shows the match: IDs that mean nothing to the
// rules but that a later message has a greater one (they are decimal numbers).
// Guild is empty in direct messages, Message until it is known. Locale is the
// language that the message is written in, which means nothing here either; it
// is empty where the language is not known, or is not to change.
type Where struct{ Guild, Channel, Message, Locale string }

// shows is the message that shows the match once one was used or posted: the
// known one stays, but for its language, unless that other is a newer one.
func (w Where) shows(used Where) Where {
	used.Locale = cmp.Or(used.Locale, w.Locale)
	switch {
	case used.newer(w):
		return used
	case used.Message == w.Message && w.Message != "":
		w.Locale = used.Locale
	}
	return w
}

// same reports whether it is the same message, in whatever language.
func (w Where) same(as Where) bool { return w.Channel == as.Channel && w.Message == as.Message }

// newer reports whether the message was posted after the other; any message is
// newer than none.
func (w Where) newer(than Where) bool {
	if len(w.Message) != len(than.Message) {
		return len(w.Message) > len(than.Message)
	}
	return w.Message > than.Message
}

// Gain is what a match did to a player's rating: the rating after it and the
// change, both rounded. The zero value stands for "not rated".
type Gain struct{ After, Change int }

// Match is one match, from the challenge to the result. It is a value: Apply
// returns a changed copy and leaves the old one alone.
type Match struct {
	ID      ID
	Version Version
	Rules   Rules
	Seed    uint64 // all luck of the match: sides and random moves

	Challenger Player
	Invited    Player // nobody: anyone may accept
	Side       Side
	Seats      [2]Player // black, white; nobody until accepted
	Opening    Opening
	Choices    [2]Choice // in swap2: of who did not open, then of the opener

	Status Status
	Reason Reason
	Winner Stone
	Moves  []Point
	Offer  Stone // the side whose draw offer stands
	// OfferFrom is the number of plies from which each side may offer a draw
	// again, after its last offer was turned down.
	OfferFrom [2]int
	Gains     [2]Gain
	Unrated   Unrated

	Pace      time.Duration // time that one move may take
	Deadline  time.Time     // of the challenge or of the move; zero when over
	Created   time.Time
	Changed   time.Time // last change
	RematchOf ID
	Where     Where
	Event     string  // ID of the interaction that changed the match last
	Since     Version // since when the board stands as it is: draw offers come and go on it
	Told      Told
}

// Turn returns the side that the next stone is of.
func (m *Match) Turn() Stone {
	if len(m.Moves)%2 == 0 {
		return Black
	}
	return White
}

// Owed reports whether Rowbot owes a move in a running match.
func (m *Match) Owed() bool { return m.Status == Active && m.ToMove().IsEngine() }

// Seat returns the player of a side.
func (m *Match) Seat(s Stone) Player { return m.Seats[s-Black] }

// ToMove returns the player whose turn it is: to put down a stone, or to choose
// (see [Match.Choosing]).
func (m *Match) ToMove() Player {
	if m.SidesOpen() && len(m.Moves) == secondStones {
		return m.Opener()
	}
	return m.By(len(m.Moves))
}

// StoneOf returns the side a player has, Empty for everybody else. While the
// sides are open (see [Match.SidesOpen]) it only tells the two apart.
func (m *Match) StoneOf(p Player) Stone {
	switch p {
	case Player{}:
		return Empty
	case m.Seats[0]:
		return Black
	case m.Seats[1]:
		return White
	}
	return Empty
}

// Involves reports whether the player plays the match, proposed it or is invited to it.
func (m *Match) Involves(p Player) bool {
	return !p.IsNobody() && (m.StoneOf(p) != Empty || p == m.Challenger || p == m.Invited)
}

// Opponent returns the other player of the match as p sees it; nobody where
// there is none yet.
func (m *Match) Opponent(p Player) Player {
	switch {
	case m.Status == Challenged && p == m.Challenger:
		return m.Invited
	case m.Status == Challenged:
		return m.Challenger
	case p == m.Seats[0]:
		return m.Seats[1]
	}
	return m.Seats[0]
}

// AgainstEngine reports whether Rowbot plays in the match.
func (m *Match) AgainstEngine() bool { return m.Seats[0].IsEngine() || m.Seats[1].IsEngine() }

// Outdated reports whether a board drawn at a version shows another position, or
// another stage of the match's life, than there is now.
func (m *Match) Outdated(drawn Version) bool { return drawn < m.Since || drawn > m.Version }

// Replaced reports whether a message has been replaced: a newer one shows the match.
func (m *Match) Replaced(shown Where) bool { return shown.Message != "" && m.Where.newer(shown) }

// Last returns the last move, and false before the first one.
func (m *Match) Last() (Point, bool) {
	if len(m.Moves) == 0 {
		return Point{}, false
	}
	return m.Moves[len(m.Moves)-1], true
}

// LastStone returns the cell of the last stone put down, and false where there
// is none; passed turns are skipped.
func (m *Match) LastStone() (Point, bool) {
	for _, at := range slices.Backward(m.Moves) {
		if !at.IsPass() {
			return at, true
		}
	}
	return Point{}, false
}

// AsOf returns the match as it stood after so many plies, for a look back: a
// running one, unless those are all. Who has which side stays as it came to be.
func (m Match) AsOf(plies int) Match {
	if plies < len(m.Moves) {
		m.Moves = slices.Clip(m.Moves[:max(plies, 0)])
		m.Status, m.Reason, m.Winner, m.Offer = Active, NoReason, Empty, Empty
	}
	return m
}

// Position replays the moves. They are taken as they are: whatever is stored
// was legal when it was played.
func (m *Match) Position() Position {
	p := m.Rules.Start()
	for _, at := range m.Moves {
		if at.IsPass() {
			p.skip()
		} else {
			p.put(at)
		}
	}
	return p
}

// Line returns the stones that won the match, nil where no line did.
func (m *Match) Line() []Point {
	last, ok := m.Last()
	if !ok || m.Reason != ByLine {
		return nil
	}
	p := m.Position()
	return p.WinningLine(last)
}
