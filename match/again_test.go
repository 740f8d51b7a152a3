package match_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

// TestRunAgain: what the database has a transaction run again for is whatever
// others have stored meanwhile; nothing of what the first run found is left.
func TestRunAgain(t *testing.T) {
	on := func(message, locale string) match.Where {
		return match.Where{Guild: "g1", Channel: "c1", Message: message, Locale: locale}
	}
	calls := map[string]func(b *bench) (any, error){
		"Challenge": func(b *bench) (any, error) {
			return b.Challenge(t.Context(), match.Proposal{
				ID: "m2", Rules: allRules["ttt"], Challenger: bob, Opponent: alice, Pace: pace, Where: on("1", ""),
			})
		},
		"Act": func(b *bench) (any, error) {
			return b.Act(t.Context(), match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("a1")}, Board: on("1000", "")})
		},
		"Rematch": func(b *bench) (any, error) { return b.Rematch(t.Context(), "m1", "m2", alice, on("1", "")) },
		"Moved":   func(b *bench) (any, error) { return b.Moved(t.Context(), "m1", on("1000", "")) },
		"Expire": func(b *bench) (any, error) {
			m, over, err := b.Expire(t.Context(), "m1")
			return []any{m, over}, err
		},
		"Reply":   func(b *bench) (any, error) { return b.Reply(t.Context(), "m1") },
		"Due":     func(b *bench) (any, error) { return b.Due(t.Context(), match.Alarm{}) },
		"Owed":    func(b *bench) (any, error) { return b.Owed(t.Context(), "") },
		"Unshown": func(b *bench) (any, error) { return b.Unshown(t.Context(), "") },
		"Tell":    func(b *bench) (any, error) { return nil, b.Tell(t.Context(), "m1", 2, pace/2, true) },
		"Notices": func(b *bench) (any, error) {
			m, notices, err := b.Notices(t.Context(), "m1")
			return []any{m, notices}, err
		},
		"NoticePosted": func(b *bench) (any, error) {
			n := match.Notice{Match: "m1", Turn: 2, Kind: match.YourTurn}
			return nil, b.NoticePosted(t.Context(), n, "2000", on("1000", "de"))
		},
	}
	states := map[string]func(b *bench){
		"nothing": func(*bench) {},
		"an older board": func(b *bench) {
			b.start(t, "m1", "ttt", alice, bob, on("999", "fr"))
		},
		"this board": func(b *bench) {
			b.start(t, "m1", "ttt", alice, bob, on("1000", "de"))
		},
		"a newer board": func(b *bench) {
			b.line(t, b.start(t, "m1", "ttt", alice, bob, on("1001", "it")), "b2 c3")
		},
		"over": func(b *bench) {
			b.line(t, b.start(t, "m1", "ttt", alice, bob, on("1000", "")), "a1 a2 b1 b2 c1")
		},
		"a rematch": func(b *bench) {
			b.line(t, b.start(t, "m1", "ttt", alice, bob, on("1000", "")), "a1 a2 b1 b2 c1")
			if _, err := b.Rematch(t.Context(), "m1", "m3", bob, on("2000", "")); err != nil {
				t.Fatal(err)
			}
		},
	}
	prepared := func(state string) *bench {
		b := newBench()
		states[state](b)
		b.now = noon.Add(pace * 3 / 4)
		return b
	}
	for name, call := range calls {
		for now := range states {
			plain := prepared(now)
			want, wantErr := call(plain)
			for first := range states {
				b := prepared(now)
				b.memory.other = &prepared(first).memory.state
				got, err := call(b)
				if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(err) != fmt.Sprint(wantErr) {
					t.Errorf("%s with %q after %q: error %v, want %v (-want +got)\n%s", name, now, first, err, wantErr, diff)
				}
				if diff := cmp.Diff(plain.memory.state.matches, b.memory.state.matches); diff != "" {
					t.Errorf("%s with %q after %q, stored (-want +got)\n%s", name, now, first, diff)
				}
			}
		}
	}
}
