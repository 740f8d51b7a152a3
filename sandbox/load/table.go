package load

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"rowbot/sandbox"
)

// step does one interaction of a table, and gives the next thing to do.
type step func(context.Context) step

// table is where two people, or one and the bot, play one match after the other. One interaction is under way at a
// table at most, so that what has to be on its board is always known.
type table struct {
	room    *room
	session *session
	alone   bool
	luck    *rand.Rand
	next    step
	rested  time.Time // when the people have thought enough
	due     time.Time // of the interaction that is to be begun; zero in a closed loop

	people []*sandbox.Person
	seats  [2]sandbox.Seat // of the first and the second side; the bot's is that of the person, too
	bot    byte            // the bot's sign; empty between people
	game   string
	match  string // its id, as the buttons carry it; empty where none is played
	offer  *sandbox.Message
	board  *sandbox.Message // as it was last answered
	menu   *sandbox.Message // the private menu, question or public offer that is to be answered
	pos    position
	maybe  []position // what the match may be as well, since an answer did not come
	redo   string     // the label of the cell that was clicked then
	seen   bool       // a board was compared since this was set to false
	tired  int        // so many plies, and somebody wants it to end
	ending string     // how
}

// settleWithin is how long a board may take to follow what was not done on it.
const settleWithin = 30 * time.Second

// rest lets the people at the table think before the interaction that is due, and notes when it is. In a closed loop the
// tables come in the order in which they will have rested.
func (t *table) rest(ctx context.Context, due time.Time) {
	if wait := t.rested.Sub(t.session.now()); wait > 0 {
		pause(ctx, wait)
	}
	t.due = due
	if !due.IsZero() && due.Before(t.rested) {
		t.due = t.rested // nobody was waiting for an answer before that
	}
}

// do has somebody do something, and measures how long the first answer takes. Nil means that none came, or that the
// person's client knew better; lost tells the former.
func (t *table) do(ctx context.Context, kind string, act func(context.Context) (*sandbox.Reply, error)) (r *sandbox.Reply, lost bool) {
	s := t.session
	began := s.now()
	due := t.due
	if due.IsZero() {
		due = began
	}
	r, err := act(ctx)
	at := s.now()
	if err == nil {
		s.tally.answered(kind, due, at)
		return t.whole(ctx, kind, r)
	}
	switch refused, ok := errors.AsType[*sandbox.ClientError](err); {
	case ok:
		s.tally.amiss(t.called(kind + ": " + refused.Error()))
		return nil, false
	case errors.Is(err, sandbox.ErrFailed):
		s.tally.lost(t.called(kind), s.crew.excuses(t.room.guild, began, at))
		pause(ctx, 100*time.Millisecond)
	}
	return nil, true
}

// whole waits for the contents of an answer that was put off.
func (t *table) whole(ctx context.Context, kind string, r *sandbox.Reply) (*sandbox.Reply, bool) {
	if !r.Deferred {
		return r, false
	}
	within, cancel := context.WithTimeout(ctx, settleWithin)
	defer cancel()
	began := t.session.now()
	m, err := r.Resolve(within)
	if err != nil && ctx.Err() != nil { // nobody waits for it any more
		return nil, true
	}
	if err != nil {
		t.session.tally.lost(t.called(kind+", put off"), t.session.crew.excuses(t.room.guild, began, t.session.now()))
		return nil, true
	}
	if r.Message != nil {
		r.Message = m
	} else {
		r.Updated = m
	}
	return r, false
}

// called puts the match in front of a sentence about it.
func (t *table) called(what string) string {
	if t.match == "" {
		return what
	}
	return fmt.Sprintf("match %s (%s, ply %d): %s", t.match, t.game, t.pos.plies, what)
}

func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}

// mover is the seat of the side to move.
func (t *table) mover() sandbox.Seat { return t.seats[t.pos.seat()] }

// begin starts a match on the message that shows it.
func (t *table) begin(m *sandbox.Message) step {
	t.board, t.match = m, matchIn(m)
	t.fresh()
	return t.settle(m)
}

// fresh is how a match begins.
func (t *table) fresh() {
	t.pos, t.maybe, t.ending = newPosition(t.game), nil, ""
	t.redo = ""
	t.tired = 45 + t.luck.IntN(20)
}

// matchIn is the match that a message's buttons belong to.
func matchIn(m *sandbox.Message) string {
	for _, b := range m.Buttons() {
		if parts := strings.Split(b.CustomID, ":"); len(parts) > 1 {
			return parts[1]
		}
	}
	return ""
}

// settle compares a board that answers something with what was played, and goes on from there.
func (t *table) settle(m *sandbox.Message) step {
	p, difference := t.fits(m, t.pos)
	if difference != "" && strings.Contains(m.Text(), "thinking…") {
		return t.settleLater
	}
	return t.proceed(m, p, difference)
}

// settleLater waits for the bot to think. It is no interaction of its own: a move follows at once.
func (t *table) settleLater(ctx context.Context) step {
	m, p, difference := t.await(ctx, t.pos)
	if next := t.proceed(m, p, difference); difference != "" {
		return next
	}
	if t.pos.over {
		return t.again(ctx)
	}
	return t.move(ctx)
}

// proceed notes what a board shows, and what it should not, and chooses what is next.
func (t *table) proceed(m *sandbox.Message, p position, difference string) step {
	t.seen = true
	if difference != "" {
		difference = t.called(difference)
	}
	t.session.tally.board(difference)
	if difference != "" {
		return t.leave()
	}
	t.board, t.pos, t.maybe, t.redo = m, p, nil, ""
	if !p.over {
		return t.move
	}
	t.session.tally.ended(t.howEnded(), t.session.now())
	return t.again
}

func (t *table) howEnded() string {
	switch {
	case t.ending != "" && t.pos.winner != empty:
		return "resigned"
	case t.ending != "":
		return t.ending
	case t.pos.winner != empty:
		return "line"
	}
	return "full board"
}

// await waits until the board's message shows one of several positions. Where it does not, the difference is to the
// first.
func (t *table) await(ctx context.Context, candidates ...position) (m *sandbox.Message, p position, difference string) {
	ctx, cancel := context.WithTimeout(ctx, settleWithin)
	defer cancel()
	_, err := t.session.discord.Wait(ctx, t.board.ChannelID, t.board.ID, func(now *sandbox.Message) bool {
		m = now
		p, difference = t.fitsAny(now, candidates)
		return difference == ""
	})
	if err == nil {
		return m, p, ""
	}
	if m == nil {
		return t.board, t.pos, "the board's message is gone"
	}
	return m, p, difference
}

func (t *table) fitsAny(m *sandbox.Message, candidates []position) (p position, difference string) {
	for i, c := range candidates {
		q, d := t.fits(m, c)
		if d == "" {
			return q, ""
		}
		if i == 0 {
			p, difference = q, d
		}
	}
	return p, difference
}

// fits compares a message with a position. Where it is the bot's turn there, one stone of its must have come to it.
func (t *table) fits(m *sandbox.Message, p position) (position, string) {
	text := m.Text()
	shown, err := p.read(text)
	if err != nil {
		return p, err.Error()
	}
	if t.bot != empty && !p.over && p.toMove() == t.bot {
		fresh := p.added(shown)
		if fresh < 0 {
			return p, "the bot's stone is missing, or not the only one that came: " + p.differs(shown)
		}
		p = p.clone()
		p.place(fresh)
	} else if d := p.differs(shown); d != "" {
		return p, d
	}
	return p, t.says(text, p)
}

// added finds the one cell on which a shown board has a stone of the side to move that is not there; -1 where that is
// not just what has changed.
func (p *position) added(shown []byte) int {
	fresh := -1
	for i, want := range p.cells {
		switch got := shown[i]; {
		case got == want:
		case fresh < 0 && want == empty && got == p.toMove():
			fresh = i
		default:
			return -1
		}
	}
	return fresh
}

// says looks for the sentence about the turn or the end.
func (t *table) says(text string, p position) string {
	switch {
	case p.over && p.winner == empty:
		return lacks(text, "A draw")
	case p.over:
		return lacks(text, t.player(p.winner)+" **won**")
	}
	want := t.player(p.toMove()) + " to move · move " + strconv.Itoa(p.plies+1)
	if strings.Contains(text, want+"\n") {
		return ""
	}
	return lacks(text, want+" ")
}

// lacks says that a text has no such words; empty where it has.
func lacks(text, words string) string {
	if strings.Contains(text, words) {
		return ""
	}
	return "the board does not say " + strconv.Quote(words)
}

// player is how a side is called on the board.
func (t *table) player(sign byte) string {
	switch sign {
	case t.bot:
		return "Rowbot (random)"
	case first:
		return t.seats[0].Person().Mention()
	}
	return t.seats[1].Person().Mention()
}

// leave lets the people go, and others come.
func (t *table) leave() step {
	t.room.rise(t.people...)
	t.people, t.match, t.maybe = nil, "", nil
	return t.invite
}
