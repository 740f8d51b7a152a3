package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"rowbot/match"
)

// raceTests are what has to come out as if one had come after the other, where
// many come at once: through one connection or many, from one process or many.
var raceTests = []test{
	{"OneChallengeOfAPair", testOneChallengeOfAPair},
	{"SameChallenge", testSameChallenge},
	{"PendingLimit", testPendingLimit},
	{"RatedLimit", testRatedLimit},
	{"PreferencesOfOne", testPreferencesOfOne},
	{"SettingsOfOne", testSettingsOfOne},
	{"NoticeAndMove", testNoticeAndMove},
	{"ForgottenWhilePlaying", testForgottenWhilePlaying},
	{"OneTakesADuty", testOneTakesADuty},
}

// testOneChallengeOfAPair: of many challenges to the same person one stands.
func testOneChallengeOfAPair(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	oneWins(t, race(func(i int) error {
		_, err := sv.Challenge(ctx, match.Proposal{
			ID: match.ID(fmt.Sprint("m", i)), Rules: match.TicTacToeRules(), Challenger: ann, Opponent: bob, Where: home,
		})
		return err
	}), match.AlreadyAsked)
	equal(t, "open", len(openIDs(t, s, match.OpenQuery{User: "ann", Limit: 99})), 1)
}

// testSameChallenge: one interaction that comes many times makes one match, and
// each time the answer is that match.
func testSameChallenge(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	for id, opponent := range map[match.ID]match.Player{"friend": bob, "engine": match.Engine(match.Random)} {
		var made [racers]match.Match
		errs := race(func(i int) (err error) {
			made[i], err = sv.Challenge(ctx, match.Proposal{
				ID: id, Rules: match.TicTacToeRules(), Challenger: ann, Opponent: opponent, Side: match.SideFirst, Where: home,
			})
			return err
		})
		if err := errors.Join(errs[:]...); err != nil {
			t.Fatal(err)
		}
		for _, m := range made {
			equal(t, "match", m, load(ctx, t, s, id))
		}
	}
}

// testPendingLimit: nobody gets past the limit by being quick.
func testPendingLimit(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	errs := race(func(i int) error {
		_, err := sv.Challenge(ctx, match.Proposal{
			ID: match.ID(fmt.Sprint("m", i)), Rules: match.TicTacToeRules(), Challenger: ann,
			Opponent: match.Person(fmt.Sprint("friend", i)), Where: home,
		})
		return err
	})
	got := map[error]int{}
	for _, err := range errs {
		got[err]++
	}
	equal(t, "answers", got, map[error]int{nil: match.MaxPending, match.TooManyPending: racers - match.MaxPending})
}

// testRatedLimit: matches of the same two that end at once are rated up to the
// limit, and each is in the records.
func testRatedLimit(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	for i := range racers {
		m := playing(match.ID(fmt.Sprint("m", i)), "ann", "bob")
		m.Moves = []match.Point{{Col: 0, Row: 0}, {Col: 1, Row: 1}, {Col: 2, Row: 2}}
		insert(ctx, t, s, m)
	}
	errs := race(func(i int) error {
		_, err := sv.Act(ctx, match.Deed{Match: match.ID(fmt.Sprint("m", i)), By: ann, Action: match.Resign{}, Event: "resign"})
		return err
	})
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	rated := 0
	for i := range racers {
		if load(ctx, t, s, match.ID(fmt.Sprint("m", i))).Unrated == match.Rated {
			rated++
		}
	}
	equal(t, "rated", rated, match.MaxRatedOfPair)
	for _, scope := range []string{match.Everywhere, "guild"} {
		equal(t, "lost", record(ctx, t, s, match.VersusPeople(scope, "ann", match.TicTacToe)).Lost, racers)
		equal(t, "won", record(ctx, t, s, match.VersusPeople(scope, "bob", match.TicTacToe)).Won, racers)
	}
}

// testPreferencesOfOne: changes by the same person at once are all kept.
func testPreferencesOfOne(t *testing.T, s match.Store) {
	ctx := t.Context()
	errs := race(func(i int) error {
		return s.Update(ctx, func(tx match.Tx) error {
			p, err := tx.Preferences(ctx, "me")
			if err != nil {
				return err
			}
			p.Blocked = append(p.Blocked, strconv.Itoa(i))
			return tx.PutPreferences(ctx, p)
		})
	})
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	equal(t, "blocked", sorted(preferences(t, s, "me").Blocked), numbers())
}

// testSettingsOfOne: the same for a server's settings.
func testSettingsOfOne(t *testing.T, s match.Store) {
	ctx := t.Context()
	errs := race(func(i int) error {
		return s.Update(ctx, func(tx match.Tx) error {
			g, err := tx.Guild(ctx, "g")
			if err != nil {
				return err
			}
			g.Channels = append(g.Channels, strconv.Itoa(i))
			return tx.PutGuild(ctx, g)
		})
	})
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	equal(t, "channels", sorted(guild(t, s, "g").Channels), numbers())
}

func sorted(texts []string) []string {
	slices.Sort(texts)
	return texts
}

// numbers are those of all racers, sorted as texts.
func numbers() (all []string) {
	for i := range racers {
		all = append(all, strconv.Itoa(i))
	}
	return sorted(all)
}

// testNoticeAndMove: a notice that is noted as posted at the moment in which its
// turn ends does not stay.
func testNoticeAndMove(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	for i := range 20 {
		m := playing(match.ID(fmt.Sprint("m", i)), "ann", "bob")
		m.Since = 1
		insert(ctx, t, s, m)
		n := match.Notice{Match: m.ID, Turn: 1, Kind: match.YourTurn, State: match.Posting, Channel: "channel", At: at(0)}
		update(ctx, t, s, func(tx match.Tx) error {
			return errors.Join(tx.SetTold(ctx, m.ID, match.Told{Turn: 1}), tx.PutNotice(ctx, n))
		})
		errs := race(func(who int) error {
			if who > 0 {
				return sv.NoticePosted(ctx, n, "7", m.Where)
			}
			_, err := sv.Act(ctx, match.Deed{Match: m.ID, By: ann, Action: match.Place{At: match.Point{Col: 1, Row: 1}}, Event: "move"})
			return err
		})
		if err := errors.Join(errs[:]...); err != nil {
			t.Fatal(err)
		}
		_, left, err := sv.Notices(ctx, m.ID)
		if err != nil || len(left) != 1 || left[0].State != match.Retired {
			t.Fatalf("notices %+v, %v; want one to be taken away", left, err)
		}
	}
}

// testForgottenWhilePlaying: who has everything deleted while they and others
// play on leaves nothing behind, and nobody gets an error.
func testForgottenWhilePlaying(t *testing.T, s match.Store) {
	ctx, sv := t.Context(), service(s)
	for i := range racers {
		insert(ctx, t, s, playing(match.ID(fmt.Sprint("m", i)), "ann", fmt.Sprint("friend", i)))
	}
	errs := race(func(i int) error {
		if i == 0 {
			_, err := sv.Forget(ctx, "ann")
			return err
		}
		_, err := sv.Act(ctx, match.Deed{
			Match: match.ID(fmt.Sprint("m", i)), By: match.Person(fmt.Sprint("friend", i)), Action: match.Resign{}, Event: "resign",
		})
		if errors.Is(err, match.Over) {
			return nil
		}
		return err
	})
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	equal(t, "records", allRecords(t, s, "ann"), []match.Record(nil))
	equal(t, "history", history(t, s, "ann"), []match.Match(nil))
	equal(t, "open", openIDs(t, s, match.OpenQuery{User: "ann", Limit: 99}), []match.ID(nil))
	for i := range racers {
		user := fmt.Sprint("friend", i)
		equal(t, "a friend's against ann", record(ctx, t, s, match.VersusUser(user, match.TicTacToe, "ann")).Played(), 0)
	}
}

// testOneTakesADuty: at any moment one copy at most has a duty; it can go on with
// it, give it back, and loses it when its time is over.
func testOneTakesADuty(t *testing.T, s match.Store) {
	ctx := t.Context()
	take := func(copy string, seconds int) (mine bool) {
		sv := service(s)
		sv.Copy, sv.Now = copy, func() time.Time { return at(seconds) }
		mine, err := sv.Take(ctx, "sweep", 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		return mine
	}
	winners := make(chan string, racers)
	errs := race(func(i int) error {
		sv := service(s)
		sv.Copy = strconv.Itoa(i)
		mine, err := sv.Take(ctx, "sweep", 10*time.Second)
		if mine {
			winners <- sv.Copy
		}
		return err
	})
	if err := errors.Join(errs[:]...); err != nil || len(winners) != 1 {
		t.Fatalf("%d have it, want 1; %v", len(winners), err)
	}
	first := <-winners
	for _, step := range []struct {
		copy    string
		seconds int
		want    bool
	}{
		{"other", 9, false},
		{first, 9, true},
		{"other", 18, false},
		{"other", 19, true},
		{first, 20, false},
		{"", 20, true}, // the only copy there is does not ask
	} {
		equal(t, fmt.Sprintf("%q after %d s", step.copy, step.seconds), take(step.copy, step.seconds), step.want)
	}
	yield(ctx, t, s, first) // it has it no more
	equal(t, "while the other has it", take(first, 21), false)
	yield(ctx, t, s, "other")
	equal(t, "given back", take(first, 21), true)
}

func yield(ctx context.Context, t failer, s match.Store, copy string) {
	sv := service(s)
	sv.Copy = copy
	if err := sv.Yield(ctx, "sweep"); err != nil {
		t.Fatalf("Yield: %v", err)
	}
}
