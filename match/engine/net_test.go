package engine

import (
	"math/rand/v2"
	"testing"

	"rowbot/match"
)

// TestNetFollows puts and takes back stones at random, asks the net now and then
// only, and compares it with one that looks at the board afresh.
func TestNetFollows(t *testing.T) {
	luck := rand.New(rand.NewPCG(5, 6))
	b, net, fresh := new(board), new(netState), new(netState)
	for _, v := range []match.Variant{match.Freestyle, match.Standard, match.Renju} {
		for _, size := range []int8{6, 15, 20} {
			p := match.GomokuRules(size, v).Start()
			b.setUp(&p)
			net.reset(b)
			for range 400 {
				if free := b.top().free; b.ply > 0 && (luck.IntN(2) == 0 || free == bitset{}) {
					b.takeBack()
				} else {
					c := luck.IntN(cells)
					if !b.empty(c) {
						continue
					}
					b.put(c)
				}
				if luck.IntN(3) == 0 {
					compareNets(t, b, net, fresh)
				}
			}
		}
	}
}

// compareNets looks at the board as it stands, and from the side that moves.
func compareNets(t *testing.T, b *board, net, fresh *netState) {
	t.Helper()
	got := net.value(b, 10)
	ply, low := b.ply, b.low
	b.ply = 0 // as if these stones had always been there
	fresh.reset(b)
	want := fresh.value(b, 10)
	b.ply, b.low = ply, low
	if got != want {
		t.Fatalf("after %d stones the net says %d, afresh %d", ply, got, want)
	}
	for c := range cells {
		if b.top().free.has(c) && net.cells[c] != fresh.cells[c] {
			t.Fatalf("after %d stones cell %d differs", ply, c)
		}
	}
}

// TestNetSides gives the two sides each other's stones: the side to move thinks
// as well of its position as before.
func TestNetSides(t *testing.T) {
	rules := match.GomokuRules(15, match.Freestyle)
	a, b, net := new(board), new(board), new(netState)
	luck := rand.New(rand.NewPCG(7, 8))
	for range 20 {
		one, two := rules.Start(), rules.Start()
		a.setUp(&one)
		b.setUp(&two)
		for n := range 20 {
			if c := luck.IntN(cells); a.empty(c) {
				a.turn, b.turn = n%2, 1-n%2
				a.put(c)
				b.put(c)
			}
		}
		a.rebase(black)
		b.rebase(white)
		net.reset(a)
		x := net.value(a, 0)
		net.reset(b)
		if y := net.value(b, 0); x != y || x == 0 {
			t.Errorf("black to move: %d, white in its place: %d", x, y)
		}
	}
}
