package match

import (
	"context"
	"math"
	"time"

	"rowbot/match/rating"
)

// rate updates the ratings of two people whose match has ended, each against
// the other's rating before it, and notes the gains in the match. Their records
// of the match are stored already. Matches against Rowbot are not rated.
func rate(ctx context.Context, tx Tx, m *Match) error {
	if m.AgainstEngine() || m.Unrated != Rated {
		return nil
	}
	var before, after [2]rating.Rating
	for i, p := range m.Seats {
		r, err := tx.Record(ctx, VersusPeople(Everywhere, p.User, m.Rules.Game()))
		if err != nil {
			return err
		}
		before[i] = r.Rating
	}
	for i, p := range m.Seats {
		side := Black + Stone(i)
		after[i] = before[i].Update(rating.Result{Opponent: before[1-i], Score: m.score(side)})
		m.Gains[i] = gain(before[i], after[i])
		if err := tx.PutRating(ctx, p.User, m.Rules.Game(), after[i]); err != nil {
			return err
		}
	}
	return nil
}

// What keeps ratings from being farmed.
const (
	// MaxRatedOfPair is how many matches of the same two people are rated within
	// RatedWindow; further ones count in the records alone.
	MaxRatedOfPair = 5
	// RatedWindow goes back from the end of a match.
	RatedWindow = 24 * time.Hour
)

// minStones is how many stones a match has to have for a result without a line
// or a full board to be rated; turns that were passed do not make a match longer.
// It counts in the records all the same: there it is what happened.
func (m *Match) minStones() int {
	if m.Rules.Game() == TicTacToe {
		return 2
	}
	return 4
}

// stones counts the plies that were not passed.
func (m *Match) stones() (n int) {
	for _, at := range m.Moves {
		if !at.IsPass() {
			n++
		}
	}
	return n
}

// weigh notes in an ended match whether it is rated.
func weigh(ctx context.Context, tx Tx, m *Match) error {
	if m.AgainstEngine() {
		return nil
	}
	switch m.Reason { //nolint:exhaustive // the others take stones
	case ByResignation, ByTime, ByAgreement, ByPasses:
		if m.stones() < m.minStones() {
			m.Unrated = TooShort
			return nil
		}
	}
	n, err := tx.RatedBetween(ctx, m.Seats[0].User, m.Seats[1].User, m.Changed.Add(-RatedWindow))
	if n >= MaxRatedOfPair {
		m.Unrated = TooManyOf
	}
	return err
}

func gain(before, after rating.Rating) Gain {
	was, is := int(math.Round(before.Points)), int(math.Round(after.Points))
	return Gain{After: is, Change: is - was}
}
