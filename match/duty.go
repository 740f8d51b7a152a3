package match

import (
	"context"
	"fmt"
	"time"
)

// Take makes a duty, such as looking for what is due, this copy's for a time
// from now on, and reports whether it is: at any moment one copy of the program
// at most has it, among all on one store. A copy takes it again before the time
// is over; where it was killed, another one gets it afterwards. Where there is
// only one copy, it has every duty.
func (s *Service) Take(ctx context.Context, duty string, lasts time.Duration) (mine bool, err error) {
	if s.Copy == "" {
		return true, nil
	}
	err = s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		mine, err = tx.Take(ctx, duty, s.Copy, now, now.Add(lasts))
		return err
	})
	if err != nil {
		return false, fmt.Errorf("take the duty %s: %w", duty, err)
	}
	return mine, nil
}

// Yield gives a duty back, so that another copy need not wait for its end.
func (s *Service) Yield(ctx context.Context, duty string) error {
	if s.Copy == "" {
		return nil
	}
	if err := s.Store.Update(ctx, func(tx Tx) error { return tx.Yield(ctx, duty, s.Copy) }); err != nil {
		return fmt.Errorf("give the duty %s back: %w", duty, err)
	}
	return nil
}
