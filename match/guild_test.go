package match_test

import (
	"context"
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

// presences is a store that knows of nothing but guilds.
type presences struct {
	match.Tx
	known  map[string]time.Time
	broken string // the guild of which nothing can be written
}

func (p *presences) View(_ context.Context, f func(match.Tx) error) error   { return f(p) }
func (p *presences) Update(_ context.Context, f func(match.Tx) error) error { return f(p) }

func (p *presences) Presence(context.Context) (map[string]time.Time, error) {
	return maps.Clone(p.known), nil
}

func (p *presences) SetPresence(_ context.Context, guild string, gone time.Time) error {
	if guild == p.broken {
		return errBroken
	}
	p.known[guild] = gone
	return nil
}

func (p *presences) ForgetGuild(_ context.Context, guild string) error {
	if guild == p.broken {
		return errBroken
	}
	delete(p.known, guild)
	return nil
}

// One guild that fails keeps none of the others from being noted and forgotten, and is
// itself among the forgotten ones only when it is.
func TestAttendGoesOn(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	long, lately := now.Add(-match.GuildKept), now.Add(-match.GuildKept+time.Second)
	for broken, forgotten := range map[string][]string{
		"":          {"long gone", "long gone too"},
		"new":       {"long gone", "long gone too"},
		"back":      {"long gone", "long gone too"},
		"gone now":  {"long gone", "long gone too"},
		"long gone": {"long gone too"},
	} {
		t.Run(broken, func(t *testing.T) {
			store := &presences{broken: broken, known: map[string]time.Time{
				"here": {}, "back": lately, "gone now": {}, "gone lately": lately, "long gone": long, "long gone too": long,
			}}
			want := map[string]time.Time{"here": {}, "back": {}, "new": {}, "gone now": now, "gone lately": lately}
			if before, known := store.known[broken]; known {
				want[broken] = before
			} else {
				delete(want, broken)
			}
			s := &match.Service{Store: store, Now: func() time.Time { return now }}
			got, err := s.Attend(t.Context(), []string{"new", "here", "back"})
			if (err != nil) != (broken != "") || err != nil && !errors.Is(err, errBroken) {
				t.Errorf("error %v", err)
			}
			if diff := cmp.Diff(forgotten, got); diff != "" {
				t.Errorf("forgotten (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(want, store.known); diff != "" {
				t.Errorf("known (-want +got):\n%s", diff)
			}
		})
	}
}
