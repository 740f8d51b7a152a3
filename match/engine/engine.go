package engine

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"rowbot/match"
)

// ErrNoMove is what Choose returns where the side to move has no legal move.
var ErrNoMove = errors.New("no legal move")

// Engine chooses moves. The zero value works; one may be used by many
// goroutines at once, each search then has its own memory (about 50 MB for the
// highest level), which is kept for the next.
type Engine struct {
	// Now tells the time, so that a search can stop short of its context's
	// deadline. Without it a search ends when the context does.
	Now func() time.Time

	// Watch is told what a search came to, where it is set.
	Watch func(Thought)

	searches sync.Pool
	bits     atomic.Int32 // of the table of a new search, 0 for tableBits
	waited   atomic.Int64 // the longest wait of the last search, in nanoseconds
}

// Thought is what a search came to: the plies it looked ahead in full and the
// positions it looked at, and the value of its move. About 200 is a clear
// advantage; a forced five in n plies is 30000-n, against the side to move n-30000.
type Thought struct {
	Depth, Nodes, Value int
}

// A search ends mostMargin before its context's deadline, or two fifths of its
// time where that is less, for the way of the answer and for a busy machine.
const mostMargin = 80 * time.Millisecond

// On a busy machine the search ends so many of its longest waits earlier; waits
// are taken to be no longer than mostWait. The longest wait of one search is still
// expected in the next, less by a quarter.
const (
	busyWaits = 3
	mostWait  = 150 * time.Millisecond
)

// Choose returns a legal move for the side to move at a level. The same
// position, level and seed give the same move, but for levels that think by the
// clock (Master). It always finds a move where there is one, also when the
// context has ended already. The error is [ErrNoMove], or that of an unknown level.
func (e *Engine) Choose(ctx context.Context, p *match.Position, level match.Level, seed uint64) (match.Point, error) {
	if level == match.Random {
		if p.Full() {
			return match.Pass, ErrNoMove
		}
		return match.RandomMove(p, seed), nil
	}
	if p.Rules().Need == 3 {
		return chooseThree(p, level, seed)
	}
	s := e.search()
	defer e.searches.Put(s)
	s.late = e.lateness(ctx)
	c, err := s.choose(p, level, seed)
	if e.Watch != nil && err == nil {
		e.Watch(Thought{Depth: s.depth, Nodes: s.nodes, Value: s.roots[0].value})
	}
	return c, err
}

// Prepare makes the tables for a game's rules, which takes some tenths of a
// second, so that the first move need not.
func (e *Engine) Prepare(rules match.Rules) {
	if rules.Need == 3 {
		threeSkills()
		return
	}
	tablesOf[rules.Variant]()
	networkOf()
	s := e.search()
	s.forget(true)
	e.searches.Put(s)
}

// lateness returns what tells a search that its time is up.
func (e *Engine) lateness(ctx context.Context) func() bool {
	end, ok := ctx.Deadline()
	if !ok || e.Now == nil {
		return func() bool { return ctx.Err() != nil }
	}
	begun := e.Now()
	end = end.Add(-max(0, min(mostMargin, end.Sub(begun)*2/5)))
	last, wait := begun, time.Duration(e.waited.Load())*3/4
	e.waited.Store(int64(wait))
	return func() bool {
		now := e.Now()
		// The search asks every millisecond or so. Where it waits longer, others
		// hold the processor, and may do so again just before the end.
		if now.Sub(last) > wait {
			wait = now.Sub(last)
			e.waited.Store(int64(wait))
		}
		last = now
		return ctx.Err() != nil || !now.Add(busyWaits*min(wait, mostWait)).Before(end)
	}
}

const (
	tableBits = 21
	leastBits = 12
	cacheBits = 16
	entrySize = 16 // bytes
)

// basicMemory is about what a process takes besides the table.
const basicMemory = 48 << 20

// Limit keeps later searches' tables so small that a process with one search at
// a time takes no more memory than that, in bytes, as far as this is possible; 0
// is no limit.
func (e *Engine) Limit(bytes int64) {
	bits := int32(tableBits)
	for bytes > 0 && bits > leastBits && basicMemory+entrySize<<bits > bytes {
		bits--
	}
	e.bits.Store(bits)
}

// search takes a search's memory from the pool, or makes a new one.
func (e *Engine) search() *search {
	bits := int(e.bits.Load())
	if bits == 0 {
		bits = tableBits
	}
	s, _ := e.searches.Get().(*search)
	if s == nil || len(s.table.entries) != 1<<bits {
		s = newSearch(bits)
	}
	return s
}

func newSearch(bits int) *search {
	return &search{table: newTranspositions(bits), fours: newFourCache(cacheBits)}
}

// forget drops what another search left behind: all of it, so that the search
// repeats, or all but the values of positions.
func (s *search) forget(all bool) {
	if all {
		s.table.clear()
		clear(s.fours.entries)
	}
	s.history, s.counter = [2][cells]int32{}, [2][cells]int16{}
	s.killers = [deepest][2]int16{}
}

func (s *search) choose(p *match.Position, level match.Level, seed uint64) (match.Point, error) {
	skill, ok := skills[level]
	if !ok {
		return match.Pass, errNoLevel(level)
	}
	s.forget(!skill.clock)
	s.board.setUp(p)
	s.budget, s.margin = skill.nodes, skill.margin
	if skill.clock && p.Placed() < openingStones {
		s.margin = openingMargin
	}
	luck := rand.New(rand.NewPCG(seed, uint64(p.Placed())+1))
	s.think(skill, luck)
	if len(s.roots) == 0 {
		return match.Pass, ErrNoMove
	}
	c := s.settle(luck)
	return match.Point{Col: int8(c % side), Row: int8(c / side)}, nil
}

// settle picks among the moves that are as good as the best, or nearly so.
func (s *search) settle(luck *rand.Rand) int {
	if s.margin == 0 || s.depth == 0 {
		return s.roots[0].cell
	}
	best, n := s.roots[0], 0
	choice := best.cell
	for _, m := range s.roots {
		if m.depth >= s.depth && m.value >= best.value-s.margin {
			if n++; luck.IntN(n) == 0 {
				choice = m.cell
			}
		}
	}
	return choice
}
