package match

import (
	"context"
	"math"

	"rowbot/match/rating"
)

// rate updates the ratings of two people whose match has ended, each against
// the other's rating before it, and notes the gains in the match. Their records
// of the match are stored already. Matches against Rowbot are not rated.
func rate(ctx context.Context, tx Tx, m *Match) error {
	if m.AgainstEngine() {
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

func gain(before, after rating.Rating) Gain {
	was, is := int(math.Round(before.Points)), int(math.Round(after.Points))
	return Gain{After: is, Change: is - was}
}
