package match

import (
	"slices"
	"time"
)

// Opening is how a match of gomoku between people begins. Its numbers are
// stored; they never change.
type Opening uint8

// The openings.
const (
	// FreeOpening: the sides are fixed from the start.
	FreeOpening Opening = 0
	// Swap2: one player, the opener, puts down black, white and black. The other
	// takes either side, or puts down white and black and leaves the choice of
	// sides to the opener. Until the choice is made the seats say who opens, the
	// opener's first; what they stand for comes out with it.
	Swap2 Opening = 1
)

// String returns the opening's name as players choose it.
func (o Opening) String() string {
	if o == Swap2 {
		return "swap2"
	}
	return "free"
}

// The stones that lie on the board when swap2 asks for a choice.
const (
	firstStones  = 3
	secondStones = 5
)

// Choice is what a player can choose in swap2. Its numbers are stored.
type Choice uint8

// The choices.
const (
	NoChoice  Choice = 0
	TakeBlack Choice = 1
	TakeWhite Choice = 2
	PlaceTwo  Choice = 3 // two more stones; the other then chooses
)

// Choose is the action of choosing in swap2; see [Match.Choosing].
type Choose struct{ Choice Choice }

// SidesOpen reports whether it is still to be chosen who plays which side.
func (m *Match) SidesOpen() bool {
	if m.Opening != Swap2 {
		return false
	}
	return m.Choices[0] == NoChoice || m.Choices[0] == PlaceTwo && m.Choices[1] == NoChoice
}

// Choosing returns what the player whose turn it is may choose from now; nil
// where they put down a stone instead, or where the match is not being played.
func (m *Match) Choosing() []Choice {
	switch n := len(m.Moves); {
	case m.Status != Active || !m.SidesOpen():
		return nil
	case n == firstStones && m.Choices[0] == NoChoice:
		return []Choice{TakeBlack, TakeWhite, PlaceTwo}
	case n == secondStones:
		return []Choice{TakeBlack, TakeWhite}
	}
	return nil
}

// swapped reports whether the choice gave the opener the second seat.
func (m *Match) swapped() bool { return m.Choices[0] == TakeBlack || m.Choices[1] == TakeWhite }

// Opener returns the player who put down, or is to put down, the first stone.
func (m *Match) Opener() Player {
	if m.swapped() {
		return m.Seats[1]
	}
	return m.Seats[0]
}

// By returns the player whose ply it was, or will be, counted from 0. In swap2
// the stones before the choice are not all of their player's colour.
func (m *Match) By(ply int) Player {
	switch {
	case m.Opening == Swap2 && ply < firstStones:
		return m.Opener()
	case m.Opening == Swap2 && ply < secondStones && m.Choices[0] == PlaceTwo:
		return m.Opponent(m.Opener())
	case ply%2 == 0:
		return m.Seats[0]
	}
	return m.Seats[1]
}

func (a Choose) apply(m *Match, by Player, now time.Time) error {
	if err := m.toMove(by); err != nil {
		return err
	}
	if !slices.Contains(m.Choosing(), a.Choice) {
		return NothingToChoose
	}
	m.acted(by, now)
	if m.Choices[0] == NoChoice {
		m.Choices[0] = a.Choice
	} else {
		m.Choices[1] = a.Choice
	}
	if m.swapped() {
		m.Seats[0], m.Seats[1] = m.Seats[1], m.Seats[0]
		m.OfferFrom[0], m.OfferFrom[1] = m.OfferFrom[1], m.OfferFrom[0]
		if m.Offer != Empty {
			m.Offer = m.Offer.Other()
		}
	}
	return nil
}

// Begun reports whether both players have done something: from then on running out
// of time loses the match, and does not just close it.
func (m *Match) Begun() bool {
	if m.Opening == Swap2 {
		return m.Choices[0] != NoChoice
	}
	return len(m.Moves) > 1
}
