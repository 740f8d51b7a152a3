package match

import (
	"context"
	"fmt"
	"slices"
)

// heard returns, of the alarms that ring, a batch of those behind which there is
// something to be done, and sets the others anew.
func (s *Service) heard(
	ctx context.Context, what string, after Alarm, ringing func(tx Tx, after Alarm) ([]Alarm, error),
) ([]Alarm, error) {
	for {
		var rung []Alarm
		err := s.Store.View(ctx, func(tx Tx) (err error) {
			rung, err = ringing(tx, after)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("look for %s: %w", what, err)
		}
		if len(rung) == 0 {
			return nil, nil
		}
		after = rung[len(rung)-1]
		if err := s.setAnew(ctx, rung); err != nil {
			return nil, err
		}
		rung = slices.DeleteFunc(rung, func(a Alarm) bool { return a.Early })
		if len(rung) > 0 {
			return rung, nil
		}
	}
}

// setAnew sets those alarms anew that ring too early.
func (s *Service) setAnew(ctx context.Context, rung []Alarm) error {
	if !slices.ContainsFunc(rung, func(a Alarm) bool { return a.Early }) {
		return nil
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		for _, a := range rung {
			if !a.Early {
				continue
			}
			if err := tx.SetAlarms(ctx, a.Match); err != nil {
				return fmt.Errorf("set the alarms of match %s: %w", a.Match, err)
			}
		}
		return nil
	})
}
