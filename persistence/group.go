package persistence

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/mattn/go-sqlite3"

	"rowbot/match"
)

// maxGroup bounds how many Updates share a commit, so that the first of them does
// not wait for long: each takes some 0.1 ms.
const maxGroup = 64

// group lets SQLite's Updates share commits. With synchronous=FULL most of a small
// transaction's time is the wait for the disk. Updates that come during such a wait are
// therefore done together, in the order in which they came: one transaction, one wait.
// Each returns when all of it is in the file. If one of them fails after it has written,
// that transaction is undone, and each Update gets one of its own, as does an Update
// that comes alone.
type group struct {
	db *DB

	mu      sync.Mutex
	led     bool // one of the members is at work for all
	waiting []*member
}

// member is an Update that waits for its turn or is being done.
type member struct {
	ctx context.Context //nolint:containedctx // the Update's own, which lasts as long
	f   func(match.Tx) error
	// told is sent true when the member is to lead, and false when it is done.
	told chan bool
	err  error
	// panicked is set where f panicked; the Update then does so on its own goroutine.
	panicked *panicked
}

// panicked is what is panicked with in place of what f panicked with, since f may
// have run on another goroutine: that value, and where it came from.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) String() string { return fmt.Sprintf("%v\n%s", p.value, p.stack) }

// recovered returns what a deferred call recovered, nil for nothing.
func recovered(value any) *panicked {
	if value == nil {
		return nil
	}
	return &panicked{value, debug.Stack()}
}

// update is DB.Update.
func (g *group) update(ctx context.Context, f func(match.Tx) error) error {
	m := &member{ctx: ctx, f: f, told: make(chan bool, 1)}
	if g.join(m) || g.wait(m) {
		g.lead(ctx, m)
	}
	if m.panicked != nil {
		panic(m.panicked)
	}
	return m.err
}

// join reports whether m is to lead; else it is waiting now.
func (g *group) join(m *member) (leads bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.led {
		g.led = true
		return true
	}
	g.waiting = append(g.waiting, m)
	return false
}

// wait returns when m is done, is to lead, or has waited for as long as its
// context allows.
func (g *group) wait(m *member) (leads bool) {
	select {
	case leads = <-m.told:
		return leads
	case <-m.ctx.Done():
	}
	g.mu.Lock()
	at := slices.Index(g.waiting, m)
	if at >= 0 {
		g.waiting = slices.Delete(g.waiting, at, at+1)
	}
	g.mu.Unlock()
	if at >= 0 {
		m.err = waited(m.ctx)
		return false
	}
	return <-m.told
}

// waited is the error of an Update whose context ended while others were at work.
func waited(ctx context.Context) error {
	return fmt.Errorf("wait for the database: %w", ctx.Err())
}

// lead does m and what waits by now, and hands the lead to what has come since.
func (g *group) lead(ctx context.Context, m *member) {
	defer g.handOn()
	g.mu.Lock()
	n := min(len(g.waiting), maxGroup-1)
	members := append([]*member{m}, g.waiting[:n]...)
	g.waiting = slices.Delete(g.waiting, 0, n)
	g.mu.Unlock()
	if len(members) == 1 || g.db.together(context.WithoutCancel(ctx), members) != nil {
		// What failed together fails with one of them alone, or with none.
		for _, each := range members {
			each.alone(g.db)
		}
	}
	for _, each := range members[1:] {
		each.told <- false
	}
}

// handOn hands the lead to whoever has come first since, if anybody has.
func (g *group) handOn() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.led = len(g.waiting) > 0; g.led {
		g.waiting[0].told <- true
		g.waiting = slices.Delete(g.waiting, 0, 1)
	}
}

// alone does an Update in a transaction of its own.
func (m *member) alone(db *DB) {
	defer func() { m.panicked = recovered(recover()) }()
	if m.ctx.Err() != nil {
		m.err = waited(m.ctx)
		return
	}
	m.err = db.run(m.ctx, db.writer, true, m.f)
}

// together does several Updates in one transaction. Those that refuse to do
// something have their errors noted with them; an error that is returned is one
// after which nothing of any of them is in the file. The context is one that does
// not end.
func (db *DB) together(free context.Context, members []*member) error {
	conn, err := db.writer.Conn(free)
	if err != nil {
		return err
	}
	defer conn.Close() // hands it back; its errors say only that it is gone already
	whole := &tx{conn: conn}
	if err := whole.control(free, whole.begin(true)); err != nil {
		return err
	}
	for _, m := range members {
		own := &tx{conn: conn}
		if err = m.within(own); err != nil {
			break
		}
		whole.ranked = whole.ranked || own.ranked
	}
	if err == nil {
		err = whole.control(free, "COMMIT")
	}
	if err != nil {
		whole.rollback(free)
		return err
	}
	db.ranks(whole)
	return nil
}

// errSpoilt: an Update has written and then failed.
var errSpoilt = errors.New("the transaction is to be undone")

// within does an Update as a part of a transaction. Its error means that this is
// to be undone.
func (m *member) within(own *tx) error {
	m.attempt(own)
	if _, broken := errors.AsType[sqlite3.Error](m.err); broken || own.wrote && (m.err != nil || m.panicked != nil) {
		return errSpoilt
	}
	return nil
}

// attempt runs f and notes what came of it.
func (m *member) attempt(own *tx) {
	m.err, m.panicked = nil, nil
	defer func() {
		own.over = true
		m.panicked = recovered(recover())
	}()
	if m.err = m.f(own); m.err == nil && m.ctx.Err() != nil {
		m.err = fmt.Errorf("commit: %w", m.ctx.Err())
	}
}
