package match_test

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"rowbot/match"
)

// model is the life of a match as the contract tells it, kept in other terms
// than the code has: people instead of sides, a phase in words, and a map.
type model struct {
	rules               match.Rules
	challenger, invited match.Player
	first, second       match.Player
	next                match.Player // whose turn it is
	offer               match.Player // who has offered a draw
	phase               string       // "asked", "playing", or how it ended
	winner              match.Player
	stones              map[match.Point]match.Player
	record              []match.Point
	passed              bool // the turn before was passed
	deadline            time.Time
	version             int
	hold                map[match.Player]int // how many plies there have to be for another offer
}

// other returns the opponent of one of the two.
func (w *model) other(p match.Player) match.Player {
	if p == w.first {
		return w.second
	}
	return w.first
}

func (w *model) over() bool { return w.phase != "asked" && w.phase != "playing" }

func (w *model) finish(phase string, winner match.Player) {
	w.phase, w.winner, w.offer, w.deadline = phase, winner, nobody, time.Time{}
}

// act tells what an action does: it changes the model, or says why not. The
// seats that luck decides are taken from the match.
func (w *model) act(a match.Action, by match.Player, now time.Time, seats [2]match.Player) match.Refusal {
	var why match.Refusal
	switch a.(type) {
	case match.Accept, match.Decline, match.Withdraw:
		why = w.answer(a, by, now, seats)
	case match.Expire:
		why = w.expire(now)
	case match.Leave:
		why = w.leave(by)
	default:
		why = w.turn(a, by, now)
	}
	if why == "" {
		w.version++
	}
	return why
}

func (w *model) answer(a match.Action, by match.Player, now time.Time, seats [2]match.Player) match.Refusal {
	if w.phase != "asked" {
		return match.Gone
	}
	switch a := a.(type) {
	case match.Withdraw:
		if by != w.challenger {
			return match.NotChallenger
		}
		w.finish(map[bool]string{false: "withdrawn", true: "lapsed"}[a.Unseen], nobody)
	case match.Decline:
		if by != w.invited || by == nobody {
			return match.NotForYou
		}
		w.finish("declined", nobody)
	case match.Accept:
		if by == w.challenger {
			return match.OwnChallenge
		}
		if by == nobody || w.invited != nobody && w.invited != by {
			return match.NotForYou
		}
		w.first, w.second = seats[0], seats[1]
		w.phase, w.next = "playing", w.first
		w.clock(now)
	}
	return ""
}

func (w *model) expire(now time.Time) match.Refusal {
	switch {
	case w.over():
		return match.Over
	case now.Sub(w.deadline) < 0, w.phase == "playing" && w.next == rowbot:
		return match.Early
	case w.phase == "asked":
		w.finish("lapsed", nobody)
	case len(w.record) <= 1:
		w.finish("closed", nobody)
	default:
		w.finish("time", w.other(w.next))
	}
	return ""
}

func (w *model) leave(by match.Player) match.Refusal {
	asked := []match.Player{w.challenger, w.invited}
	switch {
	case by == nobody || !slices.Contains(asked, by) && by != w.first && by != w.second:
		return match.NotYours
	case w.over():
		return match.Over
	case w.phase == "playing":
		w.finish("left", nobody)
	case by == w.challenger:
		w.finish("withdrawn", nobody)
	default:
		w.finish("declined", nobody)
	}
	return ""
}

// turn is what only the two players can do.
func (w *model) turn(a match.Action, by match.Player, now time.Time) match.Refusal {
	people := []match.Player{w.first, w.second}
	if w.phase == "asked" {
		people = []match.Player{w.challenger, w.invited}
	}
	switch {
	case by == nobody || !slices.Contains(people, by):
		return match.NotYours
	case w.phase == "asked":
		return match.NotStarted
	case w.over():
		return match.Over
	}
	switch a := a.(type) {
	case match.Place:
		return w.place(a.At, by, now)
	case match.PassTurn:
		return w.pass(by, now)
	case match.Choose:
		if by != w.next {
			return match.NotYourTurn
		}
		return match.NothingToChoose
	case match.Resign:
		w.finish("resigned", w.other(by))
	default:
		return w.talk(a, by)
	}
	return ""
}

func (w *model) place(at match.Point, by match.Player, now time.Time) match.Refusal {
	switch {
	case by != w.next:
		return match.NotYourTurn
	case at.Col < 0 || at.Row < 0 || at.Col >= w.rules.Cols || at.Row >= w.rules.Rows:
		return match.OffBoard
	case w.stones[at] != nobody:
		return match.Occupied
	}
	if why := w.forbids(at, by); why != "" {
		return why
	}
	w.stones[at] = by
	w.ply(at, by, now)
	w.passed = false
	lines := scan(w.rules, func(c match.Point) match.Stone {
		switch w.stones[c] {
		case nobody:
			return match.Empty
		case w.first:
			return match.Black
		}
		return match.White
	})
	if len(lines) > 0 {
		w.finish("line", by)
	} else if len(w.stones) == w.rules.Cells() {
		w.finish("full", nobody)
	}
	return ""
}

// forbids is what the rules of renju say of a stone of the first player.
func (w *model) forbids(at match.Point, by match.Player) match.Refusal {
	if w.rules.Variant != match.Renju || by != w.first {
		return ""
	}
	r := &referee{side: int(w.rules.Cols), black: map[match.Point]bool{}, taken: map[match.Point]bool{}}
	for c, who := range w.stones {
		if who != nobody {
			r.taken[c], r.black[c] = true, who == w.first
		}
	}
	_, why := r.judge(at)
	return why
}

func (w *model) pass(by match.Player, now time.Time) match.Refusal {
	if by != w.next {
		return match.NotYourTurn
	}
	if w.rules.Need == 3 {
		return match.NoPassing
	}
	again := w.passed
	w.ply(match.Pass, by, now)
	if w.passed = true; again {
		w.finish("passes", nobody)
	}
	return ""
}

func (w *model) ply(at match.Point, by match.Player, now time.Time) {
	w.record = append(w.record, at)
	w.next = w.other(by)
	w.clock(now)
	if w.offer != by {
		w.refuse()
	}
}

// clock is the time of who is to move; Rowbot has all the time there is.
func (w *model) clock(now time.Time) {
	w.deadline = now.Add(pace)
	if w.next == rowbot {
		w.deadline = time.Time{}
	}
}

// refuse answers the offer that stands, if one does.
func (w *model) refuse() {
	if w.offer != nobody {
		w.hold[w.offer] = len(w.record) + 2
	}
	w.offer = nobody
}

// talk is about draws.
func (w *model) talk(a match.Action, by match.Player) match.Refusal {
	theirs := w.offer == w.other(by)
	_, offering := a.(match.OfferDraw)
	_, refusing := a.(match.RefuseDraw)
	switch {
	case offering && w.other(by) == rowbot:
		return match.EnginePlaysOn
	case offering && w.offer == by:
		return match.Offered
	case offering && !theirs && len(w.record) < w.hold[by]:
		return match.DrawTooSoon
	case offering && !theirs:
		w.offer = by
	case !theirs:
		return match.NoOffer
	case refusing:
		w.refuse()
	default:
		w.finish("agreed", nobody)
	}
	return ""
}

// phases are the ends of a match as the code has them.
var phases = map[string]outcome{
	"asked":     {Status: match.Challenged},
	"playing":   {Status: match.Active},
	"declined":  {Status: match.Declined},
	"withdrawn": {Status: match.Withdrawn},
	"lapsed":    {Status: match.Lapsed},
	"closed":    {Status: match.Closed},
	"left":      {Status: match.Closed, Reason: match.ByLeaving},
	"line":      {Status: match.Won, Reason: match.ByLine},
	"resigned":  {Status: match.Won, Reason: match.ByResignation},
	"time":      {Status: match.Won, Reason: match.ByTime},
	"full":      {Status: match.Drawn, Reason: match.ByFullBoard},
	"agreed":    {Status: match.Drawn, Reason: match.ByAgreement},
	"passes":    {Status: match.Drawn, Reason: match.ByPasses},
}

// compare checks that the match is what the model says.
func (w *model) compare(t *rapid.T, m match.Match) {
	side := func(p match.Player) match.Stone {
		switch p {
		case nobody:
			return match.Empty
		case w.first:
			return match.Black
		}
		return match.White
	}
	end := phases[w.phase]
	end.Winner = side(w.winner)
	if got := (outcome{m.Status, m.Reason, m.Winner}); got != end {
		t.Fatalf("%+v, want %q: %+v", got, w.phase, end)
	}
	if m.Offer != side(w.offer) || m.Version != match.Version(w.version) || !m.Deadline.Equal(w.deadline) {
		t.Fatalf("offer %v, version %d, deadline %v; want %v, %d, %v", m.Offer, m.Version, m.Deadline, side(w.offer), w.version, w.deadline)
	}
	if m.Seats != [2]match.Player{w.first, w.second} || !slices.Equal(m.Moves, w.record) {
		t.Fatalf("seats %v, moves %v; want %v %v, %v", m.Seats, m.Moves, w.first, w.second, w.record)
	}
	p := m.Position()
	if w.phase == "playing" && (m.ToMove() != w.next || m.Turn() != p.Turn()) {
		t.Fatalf("%v is to move (%v, %v), want %v", m.ToMove(), m.Turn(), p.Turn(), w.next)
	}
	for _, at := range every(m.Rules) {
		if p.At(at) != side(w.stones[at]) {
			t.Fatalf("%v holds %v, want %v", at, p.At(at), side(w.stones[at]))
		}
	}
	if (m.Line() != nil) != (w.phase == "line") {
		t.Fatalf("line %v at %q", m.Line(), w.phase)
	}
	winners := map[match.Stone]bool{}
	for _, s := range scanPosition(p) {
		winners[s.stone] = true
	}
	if len(winners) > 1 || len(winners) == 1 && !winners[m.Winner] {
		t.Fatalf("lines of %v, winner %v", winners, m.Winner)
	}
}
