package match_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"rowbot/match"
)

// chosen are the choices as the tests write them among the moves.
var chosen = map[string]match.Choice{"black": match.TakeBlack, "white": match.TakeWhite, "two": match.PlaceTwo}

// opening returns a match by swap2 that alice opens against bob.
func opening(t testing.TB, rules string) match.Match {
	t.Helper()
	m := challenge(rules, bob, match.SideFirst)
	m.Opening = match.Swap2
	return do(t, m, match.Accept{}, bob, noon)
}

// deed is the action that a word of a record stands for.
func deed(word string) match.Action {
	if c, ok := chosen[word]; ok {
		return match.Choose{Choice: c}
	}
	return action(cells(word)[0])
}

// TestSwap2 goes through each branch. Each step says who acts, and the end who
// plays which side.
func TestSwap2(t *testing.T) {
	for _, test := range []struct {
		name, record string // A: alice, who opens; B: bob
		seats        [2]match.Player
		by           string // whose plies they are
	}{
		{"takes white", "A:h8 A:i9 A:j10 B:white B:a1 A:a2 B:a3", [2]match.Player{alice, bob}, "AAABAB"},
		{"takes black", "A:h8 A:i9 A:j10 B:black A:a1 B:a2 A:a3", [2]match.Player{bob, alice}, "AAAABA"},
		{"two more, then black", "A:h8 A:i9 A:j10 B:two B:k3 B:l4 A:black B:a1 A:a2", [2]match.Player{alice, bob}, "AAABBBA"},
		{"two more, then white", "A:h8 A:i9 A:j10 B:two B:k3 B:l4 A:white A:a1 B:a2", [2]match.Player{bob, alice}, "AAABBAB"},
		{"passes after the choice", "A:h8 A:i9 A:j10 B:white B:pass A:a2 B:pass", [2]match.Player{alice, bob}, "AAABAB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := opening(t, "15 freestyle")
			now := noon
			for step := range strings.FieldsSeq(test.record) {
				who, word, _ := strings.Cut(step, ":")
				by, other := alice, bob
				if who == "B" {
					by, other = bob, alice
				}
				now = now.Add(time.Minute)
				if m.ToMove() != by {
					t.Fatalf("before %s %v is to move", step, m.ToMove())
				}
				beforeStep(t, m, by, other, now)
				was := m
				m = do(t, m, deed(word), by, now)
				if !m.Deadline.Equal(now.Add(pace)) || !m.Outdated(was.Version) || m.Opener() != alice {
					t.Errorf("%s: deadline %v, since %d, opener %v", step, m.Deadline, m.Since, m.Opener())
				}
			}
			if m.Seats != test.seats || m.SidesOpen() || m.Choosing() != nil {
				t.Errorf("seats %v, want %v; sides open %t", m.Seats, test.seats, m.SidesOpen())
			}
			var by strings.Builder
			for ply := range m.Moves {
				by.WriteByte(map[match.Player]byte{alice: 'A', bob: 'B'}[m.By(ply)])
			}
			if !strings.HasPrefix(test.by, by.String()) {
				t.Errorf("plies by %s, want %s", by.String(), test.by)
			}
			p := m.Position()
			if p.At(cell("h8")) != match.Black || p.At(cell("i9")) != match.White || p.At(cell("j10")) != match.Black {
				t.Errorf("the first stones are\n%s", written(p))
			}
		})
	}
}

// beforeStep tries what is not allowed at a moment of a match by swap2.
func beforeStep(t *testing.T, m match.Match, by, other match.Player, now time.Time) {
	t.Helper()
	offers := map[int][]match.Choice{3: {match.TakeBlack, match.TakeWhite, match.PlaceTwo}, 5: {match.TakeBlack, match.TakeWhite}}
	for _, a := range []match.Action{match.Place{At: cell("o15")}, match.PassTurn{}, match.Choose{Choice: match.TakeBlack}} {
		refused(t, m, a, other, now, match.NotYourTurn)
		refused(t, m, a, carol, now, match.NotYours)
	}
	choices := m.Choosing()
	if choices != nil && !slices.Equal(choices, offers[len(m.Moves)]) {
		t.Errorf("choices %v after %d stones", choices, len(m.Moves))
	}
	for c := range match.Choice(9) {
		if !slices.Contains(choices, c) {
			refused(t, m, match.Choose{Choice: c}, by, now, match.NothingToChoose)
		}
	}
	switch {
	case choices != nil:
		refused(t, m, match.Place{At: cell("o15")}, by, now, match.ChooseFirst)
		refused(t, m, match.PassTurn{}, by, now, match.ChooseFirst)
	case m.SidesOpen():
		refused(t, m, match.PassTurn{}, by, now, match.NoPassingYet)
	}
}

// TestSwap2Ends lets a match end at each stage of its opening.
func TestSwap2Ends(t *testing.T) {
	lost := func(by match.Stone, why match.Reason) outcome { return outcome{match.Won, why, by.Other()} }
	closed := outcome{Status: match.Closed}
	for _, test := range []struct {
		record         string
		onTime, resign outcome // of whoever is to move; of alice
	}{
		{"", closed, lost(match.Black, match.ByResignation)},
		{"h8 i9", closed, lost(match.Black, match.ByResignation)},
		{"h8 i9 j10", closed, lost(match.Black, match.ByResignation)},
		{"h8 i9 j10 white", lost(match.White, match.ByTime), lost(match.Black, match.ByResignation)},
		{"h8 i9 j10 black", lost(match.White, match.ByTime), lost(match.White, match.ByResignation)},
		{"h8 i9 j10 two", lost(match.White, match.ByTime), lost(match.Black, match.ByResignation)},
		{"h8 i9 j10 two k3", lost(match.White, match.ByTime), lost(match.Black, match.ByResignation)},
		{"h8 i9 j10 two k3 l4", lost(match.Black, match.ByTime), lost(match.Black, match.ByResignation)},
		{"h8 i9 j10 two k3 l4 white", lost(match.White, match.ByTime), lost(match.White, match.ByResignation)},
		{"h8 i9 j10 two k3 l4 black", lost(match.White, match.ByTime), lost(match.Black, match.ByResignation)},
	} {
		t.Run(test.record, func(t *testing.T) {
			m := opening(t, "15 freestyle")
			for word := range strings.FieldsSeq(test.record) {
				m = do(t, m, deed(word), m.ToMove(), noon)
			}
			late := do(t, m, match.Expire{}, nobody, m.Deadline)
			ended(t, late, test.onTime)
			if late.Status == match.Won && late.Seat(late.Winner) == m.ToMove() {
				t.Error("who was to move has won")
			}
			given := do(t, m, match.Resign{}, alice, noon)
			ended(t, given, test.resign)
			if given.Seat(given.Winner) != bob {
				t.Error("who resigned has won")
			}
		})
	}
}

// TestSwap2DrawOffers: an offer goes along when the sides change, and the other
// side's choice declines it.
func TestSwap2DrawOffers(t *testing.T) {
	m := opening(t, "15 freestyle")
	for _, at := range cells("h8 i9 j10") {
		m = do(t, m, match.Place{At: at}, alice, noon)
	}
	mine := do(t, do(t, m, match.OfferDraw{}, bob, noon), match.Choose{Choice: match.TakeBlack}, bob, noon)
	if mine.Seat(mine.Offer) != bob {
		t.Errorf("bob's offer is %v's", mine.Seat(mine.Offer))
	}
	ended(t, do(t, mine, match.AgreeDraw{}, alice, noon), outcome{match.Drawn, match.ByAgreement, match.Empty})
	for _, c := range chosen {
		theirs := do(t, do(t, m, match.OfferDraw{}, alice, noon), match.Choose{Choice: c}, bob, noon)
		if theirs.Offer != match.Empty {
			t.Errorf("alice's offer stands after the choice %d", c)
		}
		// A choice is no ply: who has heard a no waits, whatever their side is now.
		refused(t, theirs, match.OfferDraw{}, alice, noon, match.DrawTooSoon)
		do(t, theirs, match.OfferDraw{}, bob, noon)
	}
	// A stone of either colour declines it too.
	for i, at := range cells("h8 i9 j10") {
		m := opening(t, "15 freestyle")
		for _, before := range cells("h8 i9 j10")[:i] {
			m = do(t, m, match.Place{At: before}, alice, noon)
		}
		kept := do(t, do(t, m, match.OfferDraw{}, alice, noon), match.Place{At: at}, alice, noon)
		gone := do(t, do(t, m, match.OfferDraw{}, bob, noon), match.Place{At: at}, alice, noon)
		if kept.Offer == match.Empty || gone.Offer != match.Empty {
			t.Errorf("stone %d: one's own offer is %v, the other's %v", i, kept.Offer, gone.Offer)
		}
	}
}

// TestSwap2Records: the result counts for who played the side in the end, and
// the rematch is opened by the other.
func TestSwap2Records(t *testing.T) {
	for _, choice := range []string{"black", "white"} {
		b := newBench()
		_, err := b.Challenge(t.Context(), match.Proposal{
			ID: "m1", Rules: allRules["15 renju"], Challenger: alice, Opponent: bob,
			Side: match.SideFirst, Opening: match.Swap2, Pace: pace, Where: where,
		})
		if err != nil {
			t.Fatal(err)
		}
		m := b.act(t, match.Deed{Match: "m1", By: bob, Action: match.Accept{}})
		for word := range strings.FieldsSeq("a1 c3 a2 " + choice + " c5 a3 c7 a4 c9 a5") {
			m = b.act(t, match.Deed{Match: "m1", Seen: m.Version, By: m.ToMove(), Action: deed(word)})
		}
		winner, loser := bob, alice
		if choice == "white" {
			winner, loser = alice, bob
		}
		ended(t, m, outcome{match.Won, match.ByLine, match.Black})
		if m.Seat(match.Black) != winner {
			t.Errorf("%s: black is %v", choice, m.Seat(match.Black))
		}
		for who, want := range map[match.Player][2]int{winner: {1, 0}, loser: {0, 1}} {
			err := b.memory.View(t.Context(), func(tx match.Tx) error {
				r, err := tx.Record(t.Context(), match.VersusPeople(match.Everywhere, who.User, match.Gomoku))
				if got := [2]int{r.Won, r.Lost}; got != want {
					t.Errorf("%s: %v has %v, want %v", choice, who, got, want)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		again, err := b.Rematch(t.Context(), "m1", "m2", alice, where)
		if err != nil || again.Opening != match.Swap2 || again.Opener() != bob || again.ToMove() != bob || !again.SidesOpen() {
			t.Errorf("%s: rematch %+v, error %v", choice, again, err)
		}
	}
}

func TestSwap2IsForPeople(t *testing.T) {
	b := newBench()
	_, err := b.Challenge(t.Context(), match.Proposal{
		ID: "m1", Rules: allRules["15 freestyle"], Challenger: alice, Opponent: rowbot, Opening: match.Swap2, Pace: pace, Where: where,
	})
	if err != match.PeopleOnly || len(b.memory.state.matches) != 0 {
		t.Errorf("error %v, stored %v", err, b.memory.state.matches)
	}
	m := started(t, "15 freestyle")
	for range 7 {
		if m.SidesOpen() || m.Choosing() != nil || m.Opener() != alice {
			t.Fatalf("after %d moves something is open", len(m.Moves))
		}
		refused(t, m, match.Choose{Choice: match.TakeBlack}, m.ToMove(), noon, match.NothingToChoose)
		m = do(t, m, match.PassTurn{}, m.ToMove(), noon)
		if m.Status.Over() {
			break
		}
		m = do(t, m, match.Place{At: match.Point{Col: int8(len(m.Moves))}}, m.ToMove(), noon)
	}
	if match.Swap2.String() != "swap2" || match.FreeOpening.String() != "free" {
		t.Error("what are they called?")
	}
}

// TestSwap2AnyOrder lets anybody try anything: a refusal changes nothing, turns
// follow the stones and the choices, and the seats change once at most.
func TestSwap2AnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := challenge("15 freestyle", bob, match.SideFirst)
		m.Opening = match.Swap2
		m, _ = m.Apply(match.Accept{}, bob, noon)
		choices := 0
		for range rapid.IntRange(1, 60).Draw(t, "deeds") {
			by := []match.Player{alice, bob, m.ToMove(), m.ToMove()}[roll(4).Draw(t, "by")]
			a := []match.Action{
				match.Place{At: match.Point{Col: int8(roll(15).Draw(t, "col")), Row: int8(roll(15).Draw(t, "row"))}},
				match.Choose{Choice: match.Choice(roll(5).Draw(t, "choice"))},
				match.PassTurn{},
			}[roll(3).Draw(t, "action")]
			turn, was := m.ToMove(), m
			next, err := m.Apply(a, by, noon)
			if err == nil && by != turn {
				t.Fatalf("%T by %v at %v's turn", a, by, turn)
			}
			if err != nil && (next.Version != was.Version || next.Seats != was.Seats || len(next.Moves) != len(was.Moves)) {
				t.Fatalf("%T by %v: %v, and the match changed", a, by, err)
			}
			if m = next; next.Choices != was.Choices {
				choices++
			}
			if p := m.Position(); p.Turn() != m.Turn() || m.Opener() != alice || choices > 2 {
				t.Fatalf("%v to move, opener %v, %d choices", m.Turn(), m.Opener(), choices)
			}
			if m.Status.Over() {
				break
			}
			if !m.SidesOpen() && m.ToMove() != m.Seat(m.Turn()) {
				t.Fatalf("%v is to move, not %v", m.ToMove(), m.Seat(m.Turn()))
			}
		}
	})
}
