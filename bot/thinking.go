package bot

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"time"

	"rowbot/match"
)

// quickReply is how long an answer waits for Rowbot's reply, so that it can show both
// moves. It does not wait for a level that thinks as long as it may.
const quickReply = 200 * time.Millisecond

// thinkers makes the moves that Rowbot owes, in the order in which they were asked for.
// It makes few enough at once to leave a core for the answers to people's clicks, where
// there is more than one. The store knows which moves are owed: what is forgotten here
// when the program ends, the next one's sweep asks for again.
type thinkers struct {
	bot  *Bot
	ctx  context.Context //nolint:containedctx // the life of the background work, ended by Close
	most int

	mu     sync.Mutex
	asked  map[match.ID]*thought
	queue  []match.ID
	atWork int
}

// thought is a move that has been asked for.
type thought struct {
	// waiter gets the match with the move, and then draws it; with nobody waiting
	// the board is drawn again. It is closed where no move was made.
	waiter chan match.Match
	// version is the latest one of the match for which the move was asked for; 0 where
	// nobody knew it.
	version match.Version
}

func newThinkers(ctx context.Context, b *Bot) *thinkers {
	return &thinkers{
		bot: b, ctx: ctx, asked: map[match.ID]*thought{},
		most: max(1, runtime.GOMAXPROCS(0)-1),
	}
}

// ask has Rowbot's move in a version of a match made, unless that is on its way already.
// A waiter may be nil; the first one gets the match.
func (t *thinkers) ask(id match.ID, v match.Version, waiter chan match.Match) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if th, known := t.asked[id]; known {
		if th.waiter == nil {
			th.waiter = waiter
		}
		th.version = max(th.version, v)
		return
	}
	if t.ctx.Err() != nil {
		return
	}
	t.asked[id] = &thought{waiter: waiter, version: v}
	t.queue = append(t.queue, id)
	if t.atWork < t.most {
		t.atWork++
		t.bot.work.Go(t.work)
	}
}

// Thinking counts the moves that Rowbot is thinking about at present, and those
// that wait until there is a processor for them.
func (b *Bot) Thinking() (now, waiting int) {
	b.thinking.mu.Lock()
	defer b.thinking.mu.Unlock()
	return len(b.thinking.asked) - len(b.thinking.queue), len(b.thinking.queue)
}

// busy adds the matches in which a move is being made to a set.
func (t *thinkers) busy(set map[match.ID]bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for id := range t.asked {
		set[id] = true
	}
}

// leave says that a waiter waits no longer. It returns the match if that had
// come just then.
func (t *thinkers) leave(id match.ID, waiter chan match.Match) (m match.Match, ok bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if th := t.asked[id]; th != nil && th.waiter == waiter {
		th.waiter = nil
	}
	select {
	case m, ok = <-waiter:
	default:
	}
	return m, ok
}

// work makes one move after the other until none is asked for.
func (t *thinkers) work() {
	for {
		t.mu.Lock()
		if len(t.queue) == 0 || t.ctx.Err() != nil {
			t.atWork--
			t.mu.Unlock()
			return
		}
		id := t.queue[0]
		t.queue = t.queue[1:]
		t.mu.Unlock()
		m, err := t.reply(id)
		if err != nil && t.ctx.Err() == nil {
			t.bot.log.Error("move still owed", "match", string(id), "error", err)
		}
		t.made(id, m, err == nil)
	}
}

// made hands over a match in which the move has been made, or was not owed. If somebody
// has moved again since and asked for the next reply, that reply is made first.
func (t *thinkers) made(id match.ID, m match.Match, ok bool) {
	t.mu.Lock()
	if ok && t.asked[id].version > m.Version {
		t.queue = append(t.queue, id)
		t.mu.Unlock()
		return
	}
	waiter := t.asked[id].waiter
	if ok && waiter == nil {
		t.bot.show(id) // before it is forgotten here, so that somebody is working on it all the time
	}
	delete(t.asked, id)
	if waiter != nil {
		if ok {
			waiter <- m
		}
		close(waiter)
	}
	t.mu.Unlock()
	if !ok || waiter == nil {
		return
	}
	if err := t.bot.shown(t.ctx, id, m.Version); err != nil && t.ctx.Err() == nil {
		t.bot.log.Warn("board not noted as shown", "match", string(id), "error", err)
	}
}

func (t *thinkers) reply(id match.ID) (m match.Match, err error) {
	defer caught(&err)
	return t.bot.matches.Reply(t.ctx, id)
}

// replied has Rowbot's move in a match made, if it owes one. It returns the
// match with it if it comes at once; else the board will be drawn again.
func (b *Bot) replied(ctx context.Context, m match.Match) match.Match {
	if !m.Owed() {
		return m
	}
	if m.ToMove().Level == match.Master {
		b.thinking.ask(m.ID, m.Version, nil)
		return m
	}
	waiter := make(chan match.Match, 1)
	b.thinking.ask(m.ID, m.Version, waiter)
	timer := time.NewTimer(quickReply)
	defer timer.Stop()
	select {
	case then, ok := <-waiter:
		if ok {
			return then
		}
		return m
	case <-timer.C:
	case <-ctx.Done():
	}
	if then, ok := b.thinking.leave(m.ID, waiter); ok {
		return then
	}
	return m
}

// owes has Rowbot's move in a match made, with nobody waiting for it.
func (b *Bot) owes(id match.ID) { b.thinking.ask(id, 0, nil) }

// catchUp has a board drawn again if Rowbot replied before the answer arrived that still
// shows it thinking.
func (b *Bot) catchUp(ctx context.Context, shown *match.Match) {
	if b.boards.follows(shown.ID) {
		return
	}
	m, err := b.load(ctx, shown.ID)
	if err == nil && m.Version != shown.Version {
		b.show(m.ID)
	}
}

// act carries out a deed, and has Rowbot reply to it.
func (b *Bot) act(ctx context.Context, d match.Deed) (match.Match, error) {
	m, err := b.matches.Act(ctx, d)
	if err != nil {
		return m, err
	}
	return b.replied(ctx, m), nil
}

// Safe is an engine whose panics are errors, so that a fault in it cannot take
// the process down or hold up a match.
type Safe struct{ match.Chooser }

// Choose is that of the engine; its panic is the error.
func (s Safe) Choose(ctx context.Context, p *match.Position, level match.Level, seed uint64) (at match.Point, err error) {
	defer caught(&err)
	if at, err = s.Chooser.Choose(ctx, p, level, seed); err != nil {
		return at, fmt.Errorf("choose a move: %w", err)
	}
	return at, nil
}
