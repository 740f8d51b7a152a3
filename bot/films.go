package bot

import (
	"context"
	"fmt"
	"runtime"

	"rowbot/bot/render/picture"
	"rowbot/match"
)

// films makes animated pictures of matches, few enough at a time to leave cores for the
// answers to people's clicks. Callers take turns.
type films chan struct{}

// filmShare is how many processors there must be for each film made at the same time.
const filmShare = 4

func newFilms() films { return make(films, max(1, runtime.GOMAXPROCS(0)/filmShare)) }

// of makes the film of a match, a GIF.
func (f films) of(ctx context.Context, m *match.Match) ([]byte, error) {
	select {
	case f <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for a film of match %s: %w", m.ID, ctx.Err())
	}
	defer func() { <-f }()
	return picture.GIF(m)
}
