package engine

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync"

	"rowbot/match"
)

// three is a position of tic-tac-toe as the side to move sees it: the cells it
// holds and those that the other side holds, one bit each, row by row.
type three struct{ own, other uint16 }

// threeCells is the whole board.
const threeCells = 1<<9 - 1

var threeLines = [8]uint16{0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124}

// base3 turns nine bits into nine digits of base 3.
var base3 = func() (t [512]int16) {
	for b := range t {
		for i, p := 0, int16(1); i < 9; i, p = i+1, p*3 {
			t[b] += p * int16(b>>i&1)
		}
	}
	return t
}()

func (t three) index() int           { return int(base3[t.own] + 2*base3[t.other]) }
func (t three) empty() uint16        { return threeCells &^ (t.own | t.other) }
func (t three) play(c uint16) three  { return three{t.other, t.own | c} }
func (t three) over() (lost, o bool) { lost = lined(t.other); return lost, lost || t.empty() == 0 }

// lined reports whether the cells hold a line.
func lined(held uint16) bool {
	for _, l := range threeLines {
		if held&l == l {
			return true
		}
	}
	return false
}

// completing returns the empty cells that give the holder of the cells a line.
func (t three) completing(held uint16) (out uint16) {
	for left := t.empty(); left != 0; left &= left - 1 {
		if c := left & -left; lined(held | c) {
			out |= c
		}
	}
	return out
}

// threeSkill is how a level plays tic-tac-toe: it takes every line that it can
// close; it sees that it must stop the other's with a chance of sight; else it
// follows its plan with a chance of skill, and plays anywhere otherwise.
type threeSkill struct {
	plan         *threePlan
	sight, skill float64
}

// threePlan gives the cells that are best, by the index of a position.
type threePlan [19683]uint16

// threeSkills returns the levels. Each one's plan is the best answer to the
// level below, so that it wins against it as often as it can; perfect's keeps
// to moves that no player could better, and among those does the same. That
// plans name one cell only is what lets the level above find the traps.
var threeSkills = sync.OnceValue(func() map[match.Level]*threeSkill {
	random := &threeSkill{}
	easy := &threeSkill{sight: 0.1, skill: 1}
	easy.plan = planAgainst(random, three.empty).narrowed()
	medium := &threeSkill{sight: 0.35, skill: 0.9}
	medium.plan = planAgainst(easy, three.empty).narrowed()
	perfect := &threeSkill{skill: 1}
	perfect.plan = planAgainst(medium, flawless())
	return map[match.Level]*threeSkill{match.Easy: easy, match.Medium: medium, match.Perfect: perfect}
})

// odds returns the chances of a level's moves in a position.
func (k *threeSkill) odds(t three) (p [9]float64) {
	spread := func(among uint16, share float64) {
		for left := among; left != 0; left &= left - 1 {
			p[bits.TrailingZeros16(left)] += share / float64(bits.OnesCount16(among))
		}
	}
	rest := 1.0
	if k.plan == nil {
		spread(t.empty(), 1)
		return p
	}
	if w := t.completing(t.own); w != 0 {
		spread(w, 1)
		return p
	}
	if b := t.completing(t.other); b != 0 {
		spread(b, k.sight)
		rest -= k.sight
	}
	spread(k.plan[t.index()], rest*k.skill)
	spread(t.empty(), rest*(1-k.skill))
	return p
}

// narrowed keeps one cell of each position's best ones.
func (p *threePlan) narrowed() *threePlan {
	for i, cells := range p {
		p[i] = cells & -cells
	}
	return p
}

// planAgainst returns the moves, out of those that may returns, that win most
// often against a foe.
func planAgainst(foe *threeSkill, may func(three) uint16) *threePlan {
	plan := new(threePlan)
	var known [19683]float64 // chance to win, plus 1
	var win func(t three) float64
	reply := func(t three) float64 { // the foe to move
		lost, over := t.over()
		if over {
			if lost {
				return 1
			}
			return 0
		}
		sum := 0.0
		for i, p := range foe.odds(t) {
			if p > 0 {
				sum += p * win(t.play(1<<i))
			}
		}
		return sum
	}
	win = func(t three) float64 {
		if _, over := t.over(); over {
			return 0
		}
		i := t.index()
		if known[i] > 0 {
			return known[i] - 1
		}
		best := -1.0
		for left := may(t); left != 0; left &= left - 1 {
			c := left & -left
			switch w := reply(t.play(c)); {
			case w > best+1e-9:
				best, plan[i] = w, c
			case w > best-1e-9:
				plan[i] |= c
			}
		}
		known[i] = best + 1
		return best
	}
	everywhere(three{}, func(t three) { win(t) })
	return plan
}

// everywhere calls f for every position that can come from one, over or not.
func everywhere(from three, f func(three)) {
	var seen [19683]bool
	var visit func(t three)
	visit = func(t three) {
		if seen[t.index()] {
			return
		}
		seen[t.index()] = true
		f(t)
		if _, over := t.over(); over {
			return
		}
		for left := t.empty(); left != 0; left &= left - 1 {
			visit(t.play(left & -left))
		}
	}
	visit(from)
}

// flawless returns what finds a position's best moves: those that win soonest,
// or draw, or lose latest.
func flawless() func(three) uint16 {
	var known [19683]int8 // value, plus 100
	var value func(t three) int8
	best := func(t three) (v int8, cells uint16) {
		v = -100
		for left := t.empty(); left != 0; left &= left - 1 {
			c := left & -left
			switch w := -value(t.play(c)); {
			case w > v:
				v, cells = w, c
			case w == v:
				cells |= c
			}
		}
		return v, cells
	}
	value = func(t three) int8 {
		if lost, over := t.over(); lost {
			return -1 - int8(bits.OnesCount16(t.empty())) // sooner is worse
		} else if over {
			return 0
		}
		i := t.index()
		if known[i] == 0 {
			v, _ := best(t)
			known[i] = v + 100
		}
		return known[i] - 100
	}
	return func(t three) uint16 {
		_, cells := best(t)
		return cells
	}
}

// threeTurns are the ways to turn and mirror the board: which cell each becomes.
// The seed picks one for a match, so that the same plan plays in eight ways.
var threeTurns = func() (t [8][9]int) {
	for i := range 9 {
		x, y := i%3, i/3
		for n, to := range [8][2]int{{x, y}, {2 - x, y}, {x, 2 - y}, {2 - x, 2 - y}, {y, x}, {2 - y, x}, {y, 2 - x}, {2 - y, 2 - x}} {
			t[n][i] = to[0] + 3*to[1]
		}
	}
	return t
}()

// chooseThree is Choose for tic-tac-toe.
func chooseThree(p *match.Position, level match.Level, seed uint64) (match.Point, error) {
	k := threeSkills()[level]
	if k == nil {
		return match.Pass, errNoLevel(level)
	}
	var t three
	turned := &threeTurns[seed%8]
	for i := range 9 {
		s := p.At(match.Point{Col: int8(i % 3), Row: int8(i / 3)})
		switch {
		case s == match.Empty:
		case s == p.Turn():
			t.own |= 1 << turned[i]
		default:
			t.other |= 1 << turned[i]
		}
	}
	if t.empty() == 0 {
		return match.Pass, ErrNoMove
	}
	c := k.choose(t, rand.New(rand.NewPCG(seed, uint64(p.Placed())+1)))
	i := slices.Index(turned[:], c)
	return match.Point{Col: int8(i % 3), Row: int8(i / 3)}, nil
}

// choose returns the number of a cell.
func (k *threeSkill) choose(t three, luck *rand.Rand) int {
	among := t.completing(t.own)
	if among == 0 {
		if b := t.completing(t.other); b != 0 && luck.Float64() < k.sight {
			among = b
		} else if among = k.plan[t.index()]; luck.Float64() >= k.skill {
			among = 0
		}
	}
	if among == 0 {
		among = t.empty()
	}
	for range luck.IntN(bits.OnesCount16(among)) {
		among &= among - 1
	}
	return bits.TrailingZeros16(among)
}
