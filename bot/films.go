package bot

import (
	"context"
	"fmt"
	"runtime"

	"rowbot/bot/render/picture"
	"rowbot/match"
)

// films makes the films of matches, so few at a time that cores are left for the
// answers to people's clicks. Who asks for one waits their turn.
type films chan struct{}

// filmShare is how many processors there are for each film that is made at a time.
const filmShare = 4

func newFilms() films { return make(films, max(1, runtime.GOMAXPROCS(0)/filmShare)) }

// of makes the film of a match.
func (f films) of(ctx context.Context, m *match.Match) ([]byte, error) {
	select {
	case f <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("wait for a film of match %s: %w", m.ID, ctx.Err())
	}
	defer func() { <-f }()
	return picture.GIF(m)
}
