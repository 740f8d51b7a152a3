package match

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Chooser finds Rowbot's moves.
type Chooser interface {
	// Choose returns a legal move for the side to move, Pass where there is none.
	// The seed is the match's luck. It returns in good time before the context's
	// deadline, with the best move found till then; a level that thinks as long as
	// it may needs one.
	Choose(ctx context.Context, p *Position, level Level, seed uint64) (Point, error)
}

// ThinkingTime is how long Rowbot may think about a move. Only [Master] uses it up.
const ThinkingTime = time.Second

// thinks reports whether a player is Rowbot at a level whose moves take so long
// to find that a transaction must not wait for them.
func (r Rules) thinks(p Player) bool {
	return p.IsEngine() && p.Level != Random && r.Game() != TicTacToe
}

// replyAtOnce makes the move that Rowbot owes, if it owes one that needs no thought.
func (s *Service) replyAtOnce(ctx context.Context, m Match, now time.Time) (Match, error) {
	if !m.Owed() || m.Rules.thinks(m.ToMove()) {
		return m, nil
	}
	return m.Apply(s.choose(ctx, &m), m.ToMove(), now)
}

// choose finds Rowbot's move in a match where it owes one. An engine that finds
// none must not hold up the match: a random move takes its place.
func (s *Service) choose(ctx context.Context, m *Match) Action {
	p := m.Position()
	if level := m.ToMove().Level; level != Random && s.Engine != nil {
		at, err := s.Engine.Choose(ctx, &p, level, m.Seed)
		if _, _, illegal := p.Place(at); err == nil && illegal == nil {
			return Place{At: at}
		}
	}
	if at := RandomMove(&p, m.Seed); !at.IsPass() {
		return Place{At: at}
	}
	return PassTurn{}
}

// Reply makes the move that Rowbot owes in a match, if it owes one: it thinks
// outside any transaction, for at most [ThinkingTime], and plays only where the
// match still stands as it did. It returns the match as it then stands. Where
// the context ends first nothing is played, and the move is still owed.
func (s *Service) Reply(ctx context.Context, id ID) (Match, error) {
	var m Match
	err := s.Store.View(ctx, func(tx Tx) error {
		var err error
		m, err = tx.Match(ctx, id)
		return err
	})
	if err != nil {
		return m, fmt.Errorf("load match %s: %w", id, err)
	}
	if !m.Owed() {
		return m, nil
	}
	thinking, cancel := context.WithTimeout(ctx, ThinkingTime)
	move := s.choose(thinking, &m)
	cancel()
	if ctx.Err() != nil {
		return m, ctx.Err()
	}
	seen := m.Since
	err = s.Store.Update(ctx, func(tx Tx) error {
		if m, err = tx.Match(ctx, id); err != nil {
			return fmt.Errorf("load match %s: %w", id, err)
		}
		if !m.Owed() || m.Since != seen {
			return nil
		}
		next, err := m.Apply(move, m.ToMove(), s.Now())
		if err != nil {
			return fmt.Errorf("reply in match %s: %w", id, err)
		}
		was := m
		m = next
		return storeUnshown(ctx, tx, &was, &m)
	})
	return m, err
}

// storeUnshown is store for a change that no answer to a person shows: until
// the board has been drawn, [Service.Unshown] finds the match.
func storeUnshown(ctx context.Context, tx Tx, was, m *Match) error {
	if err := store(ctx, tx, was, m); err != nil {
		return err
	}
	if err := tx.SetUnshown(ctx, m.ID, true); err != nil {
		return fmt.Errorf("note match %s as not shown: %w", m.ID, err)
	}
	return nil
}

// Shown notes that the board shows a version of a match. If that is not the present
// one, nothing is noted: what has changed since may still be to be drawn.
func (s *Service) Shown(ctx context.Context, id ID, v Version) error {
	err := s.Store.Update(ctx, func(tx Tx) error {
		m, err := tx.Match(ctx, id)
		if err != nil || m.Version != v {
			return err
		}
		return tx.SetUnshown(ctx, id, false)
	})
	if err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("note match %s as shown: %w", id, err)
	}
	return nil
}

// Owed returns matches in which Rowbot owes a move. They come in the order of
// their IDs, those after the given one, as many as one query should read.
func (s *Service) Owed(ctx context.Context, after ID) ([]ID, error) {
	return s.list(ctx, "owed moves", func(tx Tx) ([]ID, error) { return tx.Owed(ctx, after, sweepBatch) })
}

// Unshown returns, in the same way, the matches whose boards may not show what
// Rowbot or the clock has done: after a crash they are to be drawn again.
func (s *Service) Unshown(ctx context.Context, after ID) ([]ID, error) {
	return s.list(ctx, "boards to be drawn", func(tx Tx) ([]ID, error) { return tx.Unshown(ctx, after, sweepBatch) })
}

func (s *Service) list(ctx context.Context, what string, read func(Tx) ([]ID, error)) ([]ID, error) {
	var ids []ID
	err := s.Store.View(ctx, func(tx Tx) error {
		var err error
		ids, err = read(tx)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look for %s: %w", what, err)
	}
	return ids, nil
}
