package match_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

const quiet = 10 * time.Minute

// tell decides upon what is due in a match now, and returns its notices.
func (b *bench) tell(t *testing.T, id match.ID, wanted bool) []match.Notice {
	t.Helper()
	if err := b.Tell(t.Context(), id, b.stored(t, id).Since, quiet, wanted); err != nil {
		t.Fatalf("tell: %v", err)
	}
	return b.notices(t, id)
}

func (b *bench) notices(t *testing.T, id match.ID) []match.Notice {
	t.Helper()
	_, notices, err := b.Notices(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return notices
}

// notice is one as it is stored of a match in #c1.
func notice(turn match.Version, kind match.NoticeKind, state match.NoticeState, message string, at time.Time) match.Notice {
	return match.Notice{Match: "m1", Turn: turn, Kind: kind, State: state, Channel: "c1", Message: message, At: at}
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got)\n%s", what, diff)
	}
}

// TestNoticeDue: what is due at which moment, in the turn that begins at noon.
func TestNoticeDue(t *testing.T) {
	const (
		none = match.NoNotice
		turn = match.YourTurn
		time = match.TimeShort
	)
	type moment struct {
		minutes int
		want    match.NoticeKind
	}
	for _, c := range []struct {
		name    string
		pace    int // minutes
		against match.Player
		change  func(m *match.Match)
		moments []moment
	}{
		{"an hour", 60, bob, nil, []moment{{0, none}, {9, none}, {10, turn}, {39, turn}, {40, time}, {59, time}, {60, none}, {99, none}}},
		{"told", 60, bob, func(m *match.Match) { m.Told.Turn = m.Since }, []moment{{10, none}, {39, none}, {40, time}}},
		{"warned", 60, bob, func(m *match.Match) { m.Told = match.Told{Turn: m.Since, Time: m.Since} }, []moment{{10, none}, {40, none}}},
		{"told before", 60, bob, func(m *match.Match) { m.Told.Turn = m.Since - 1 }, []moment{{9, none}, {10, turn}}},
		{"a quarter of an hour", 15, bob, nil, []moment{{9, none}, {10, time}, {14, time}, {15, none}}},
		{"five minutes", 5, bob, nil, []moment{{3, none}, {4, time}, {5, none}, {10, none}}},
		{"three minutes", 3, bob, nil, []moment{{1, none}, {2, time}, {3, none}}},
		{"against Rowbot", 60, rowbot, nil, []moment{{10, none}, {39, none}, {40, time}, {59, time}, {60, none}}},
		{"over", 60, bob, func(m *match.Match) { m.Status = match.Won }, []moment{{10, none}, {40, none}}},
		{"not accepted", 60, bob, func(m *match.Match) { m.Status = match.Challenged }, []moment{{10, none}, {40, none}}},
		{"something was done since", 60, bob, func(m *match.Match) { m.Changed = m.Changed.Add(quiet) }, []moment{{19, none}, {20, turn}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := match.Match{
				Status: match.Active, Version: 7, Since: 6, Rules: allRules["ttt"], Seats: [2]match.Player{alice, c.against},
				Pace: minutes(c.pace), Changed: noon, Deadline: noon.Add(minutes(c.pace)), Moves: cells("a1 b2"),
			}
			if c.change != nil {
				c.change(&m)
			}
			for _, at := range c.moments {
				if got := m.NoticeDue(noon.Add(minutes(at.minutes)), quiet); got != at.want {
					t.Errorf("after %d minutes: %d, want %d", at.minutes, got, at.want)
				}
			}
			if got := m.NoticeDue(noon.Add(minutes(11)), 0); got == match.YourTurn {
				t.Error("told although it is switched off")
			}
		})
	}
	owed := match.Match{Status: match.Active, Since: 1, Rules: allRules["ttt"], Seats: [2]match.Player{rowbot, alice}, Pace: pace, Changed: noon}
	if got := owed.NoticeDue(noon.Add(1000*pace), quiet); got != none {
		t.Errorf("Rowbot is told: %d", got)
	}
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

// TestTellOnce follows a turn's notices to their end.
func TestTellOnce(t *testing.T) {
	b := newBench()
	m := b.line(t, b.start(t, "m1", "ttt", alice, bob, where), "a1 b2") // Alice's turn, since version 4
	same(t, "too early", b.tell(t, "m1", true), []match.Notice(nil))
	b.now = noon.Add(quiet)
	first := notice(4, match.YourTurn, match.Posting, "", b.now)
	for range 2 {
		same(t, "told", b.tell(t, "m1", true), []match.Notice{first})
		b.now = b.now.Add(time.Hour)
	}
	if now := b.stored(t, "m1"); now.Told != (match.Told{Turn: 4}) || now.Version != m.Version {
		t.Errorf("told %+v, version %d", now.Told, now.Version)
	}
	if err := b.NoticePosted(t.Context(), first, "2000", where); err != nil {
		t.Fatal(err)
	}
	posted := notice(4, match.YourTurn, match.Posted, "2000", first.At)
	same(t, "posted", b.notices(t, "m1"), []match.Notice{posted})

	b.now = noon.Add(48 * time.Hour)
	warning := notice(4, match.TimeShort, match.Posting, "", b.now)
	posted.State = match.Retired // the warning says it as well
	for range 2 {
		same(t, "warned", b.tell(t, "m1", true), []match.Notice{posted, warning})
	}
	if err := errors.Join(b.NoticeGone(t.Context(), posted), b.NoticePosted(t.Context(), warning, "2001", where)); err != nil {
		t.Fatal(err)
	}
	warning.State, warning.Message = match.Posted, "2001"
	b.act(t, match.Deed{Match: "m1", By: bob, Action: match.OfferDraw{}})
	same(t, "after a draw offer", b.notices(t, "m1"), []match.Notice{warning})
	b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("c3")}})
	warning.State = match.Retired
	same(t, "after the move", b.notices(t, "m1"), []match.Notice{warning})

	b.now = b.now.Add(quiet) // Bob's turn is another one
	same(t, "told", b.tell(t, "m1", true), []match.Notice{warning, notice(6, match.YourTurn, match.Posting, "", b.now)})
}

// TestTellNothing: what is not to be posted is noted as told.
func TestTellNothing(t *testing.T) {
	nowhere := where
	nowhere.Message = ""
	for _, c := range []struct {
		name   string
		by     match.Player
		where  match.Where
		wanted bool
		moves  string
		after  time.Duration
		told   match.Told
	}{
		{"not wanted", bob, where, false, "a1 b2", quiet, match.Told{Turn: 4}},
		{"no message is known", bob, nowhere, true, "a1 b2", quiet, match.Told{Turn: 4}},
		{"nobody waits", rowbot, where, true, "", 48 * time.Hour, match.Told{Turn: 2, Time: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench()
			b.line(t, b.start(t, "m1", "ttt", alice, c.by, c.where), c.moves)
			b.now = noon.Add(c.after)
			same(t, "notices", b.tell(t, "m1", c.wanted), []match.Notice(nil))
			same(t, "told", b.stored(t, "m1").Told, c.told)
		})
	}
	b := newBench()
	m := b.start(t, "m1", "ttt", alice, bob, where)
	b.now = noon.Add(quiet)
	if err := b.Tell(t.Context(), "m1", m.Since-1, quiet, true); err != nil || b.stored(t, "m1").Told != (match.Told{}) {
		t.Errorf("told of a turn that is over: error %v", err)
	}
	if err := b.Tell(t.Context(), "m2", 1, quiet, true); !errors.Is(err, match.ErrNotFound) {
		t.Errorf("no such match: error %v", err)
	}
	b.memory.broken = func(call string, _ match.ID) bool { return call == "PutNotice" }
	if err := b.Tell(t.Context(), "m1", m.Since, quiet, true); !errors.Is(err, errBroken) || b.stored(t, "m1").Told != (match.Told{}) {
		t.Errorf("told without a notice: error %v", err)
	}
}

// TestNoticeComesTooLate: the match has gone on while the notice was on its way.
func TestNoticeComesTooLate(t *testing.T) {
	moved := where
	moved.Message = "1001"
	for name, meanwhile := range map[string]func(t *testing.T, b *bench){
		"a move": func(t *testing.T, b *bench) {
			b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("a1")}})
		},
		"resignation": func(t *testing.T, b *bench) { b.act(t, match.Deed{Match: "m1", By: bob, Action: match.Resign{}}) },
		"another board": func(t *testing.T, b *bench) {
			if _, err := b.Moved(t.Context(), "m1", moved); err != nil {
				t.Fatal(err)
			}
		},
		"no match any more": func(_ *testing.T, b *bench) { delete(b.memory.state.matches, "m1") },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench()
			b.start(t, "m1", "ttt", alice, bob, where)
			b.now = noon.Add(quiet)
			n := b.tell(t, "m1", true)[0]
			meanwhile(t, b)
			if err := b.NoticePosted(t.Context(), n, "2000", where); err != nil {
				t.Fatal(err)
			}
			n.Message, n.State = "2000", match.Retired
			same(t, "notices", b.notices(t, "m1"), []match.Notice{n})
		})
	}
}

// TestNoticeInAnotherLanguage: the language of a board may change while a notice is
// being posted, and the notice stays. It goes where it leads to another channel.
func TestNoticeInAnotherLanguage(t *testing.T) {
	for changed, want := range map[match.Where]match.NoticeState{
		{Guild: where.Guild, Channel: where.Channel, Message: where.Message, Locale: "ja"}: match.Posted,
		{Guild: where.Guild, Channel: "c9", Message: where.Message}:                        match.Retired,
	} {
		b := newBench()
		b.start(t, "m1", "ttt", alice, bob, where)
		b.now = noon.Add(quiet)
		n := b.tell(t, "m1", true)[0]
		if err := b.memory.Update(t.Context(), func(tx match.Tx) error { return tx.SetWhere(t.Context(), "m1", changed) }); err != nil {
			t.Fatal(err)
		}
		if err := b.NoticePosted(t.Context(), n, "2000", where); err != nil {
			t.Fatal(err)
		}
		n.Message, n.State = "2000", want
		same(t, changed.Channel+" "+changed.Locale, b.notices(t, "m1"), []match.Notice{n})
	}
}

// TestNoticesEnd: whatever ends the turn, or moves the board, retires what stands.
func TestNoticesEnd(t *testing.T) {
	for name, end := range map[string]func(b *bench) error{
		"a move": func(b *bench) error {
			_, err := b.Act(t.Context(), match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("a1")}})
			return err
		},
		"the other side resigns": func(b *bench) error {
			_, err := b.Act(t.Context(), match.Deed{Match: "m1", By: bob, Action: match.Resign{}})
			return err
		},
		"the clock": func(b *bench) error {
			b.now = noon.Add(pace)
			_, err := b.expireDue(t.Context())
			return err
		},
		"another board": func(b *bench) error {
			_, err := b.Moved(t.Context(), "m1", match.Where{Guild: "g1", Channel: "c1", Message: "1001"})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench()
			b.start(t, "m1", "ttt", alice, bob, where)
			b.now = noon.Add(quiet)
			n := b.tell(t, "m1", true)[0]
			if err := b.NoticePosted(t.Context(), n, "2000", where); err != nil {
				t.Fatal(err)
			}
			b.memory.broken = func(call string, _ match.ID) bool { return call == "RetireNotices" }
			if err := end(b); !errors.Is(err, errBroken) {
				t.Errorf("goes on without retiring the notice: error %v", err)
			}
			b.memory.broken, b.now = nil, n.At
			if err := end(b); err != nil {
				t.Fatal(err)
			}
			n.Message, n.State = "2000", match.Retired
			same(t, "notices", b.notices(t, "m1"), []match.Notice{n})
		})
	}
}

// TestNoticeRefused: where Rowbot may not post, it does not try again in that match.
func TestNoticeRefused(t *testing.T) {
	b := newBench()
	m := b.start(t, "m1", "ttt", alice, bob, where)
	if !m.Tells() {
		t.Error("tells nobody")
	}
	b.now = noon.Add(quiet)
	n := b.tell(t, "m1", true)[0]
	if err := b.NoticeRefused(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	same(t, "notices", b.notices(t, "m1"), []match.Notice(nil))
	m = b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("a1")}})
	if got := m.NoticeDue(b.now.Add(pace-time.Second), quiet); got != match.NoNotice || m.Tells() {
		t.Errorf("due %d, tells %t", got, m.Tells())
	}
	if err := b.NoticeRefused(t.Context(), match.Notice{Match: "m2"}); err != nil {
		t.Errorf("no such match: error %v", err)
	}
}

// TestOfferIsClosed: the message of a draw offer stands for as long as the offer does,
// whatever becomes of the notices of the turn, and is to be closed when it falls.
func TestOfferIsClosed(t *testing.T) {
	offered := func(t *testing.T) (b *bench, n match.Notice) {
		b = newBench()
		b.start(t, "m1", "ttt", alice, bob, where)
		b.act(t, match.Deed{Match: "m1", By: alice, Action: match.Place{At: cell("a1")}})
		m := b.act(t, match.Deed{Match: "m1", By: alice, Action: match.OfferDraw{}})
		n = match.Notice{Match: "m1", Turn: m.Version, Channel: "c1", Message: "2000", At: noon}
		if err := b.OfferPosted(t.Context(), n); err != nil {
			t.Fatal(err)
		}
		n.Kind, n.State = match.DrawOffer, match.Posted
		same(t, "the offer", b.notices(t, "m1"), []match.Notice{n})
		return b, n
	}
	act := func(by match.Player, a match.Action) func(b *bench) error {
		return func(b *bench) error {
			_, err := b.Act(t.Context(), match.Deed{Match: "m1", By: by, Action: a})
			return err
		}
	}
	for name, end := range map[string]func(b *bench) error{
		"a move": act(bob, match.Place{At: cell("b2")}), "a no": act(bob, match.RefuseDraw{}), "a yes": act(bob, match.AgreeDraw{}),
		"an offer back": act(bob, match.OfferDraw{}), "resigned": act(alice, match.Resign{}), "a moderator": act(match.Player{}, match.Halt{}),
		"the clock": func(b *bench) error {
			b.now = noon.Add(pace)
			_, err := b.expireDue(t.Context())
			return err
		},
		"a farewell": act(bob, match.Leave{}),
	} {
		t.Run(name, func(t *testing.T) {
			b, n := offered(t)
			b.memory.broken = func(call string, _ match.ID) bool { return call == "RetireOffers" }
			if err := end(b); !errors.Is(err, errBroken) {
				t.Errorf("goes on without closing the offer: error %v", err)
			}
			b.memory.broken, b.now = nil, noon
			if err := end(b); err != nil {
				t.Fatal(err)
			}
			n.State = match.Retired
			same(t, "notices", b.notices(t, "m1"), []match.Notice{n})
		})
	}

	b, n := offered(t)
	b.now = noon.Add(quiet)
	told := b.tell(t, "m1", true)
	if _, err := b.Moved(t.Context(), "m1", match.Where{Guild: "g1", Channel: "c1", Message: "3000"}); err != nil {
		t.Fatal(err)
	}
	if len(told) != 2 || told[1] != n && told[0] != n {
		t.Errorf("with a notice of the turn there are %+v", told)
	}
	b.act(t, match.Deed{Match: "m1", By: bob, Action: match.RefuseDraw{}})
	late := n
	late.Turn++
	if err := b.OfferPosted(t.Context(), late); err != nil {
		t.Fatal(err)
	}
	var offers []match.Notice
	for _, is := range b.notices(t, "m1") {
		if is.Kind == match.DrawOffer {
			offers = append(offers, is)
		}
	}
	n.State, late.State = match.Retired, match.Retired
	same(t, "offers", offers, []match.Notice{n, late})
}
