package engine

// The keys that positions are hashed with: one for each stone on each cell, one
// for the turn. They are the same in every process, for a search must repeat.
var (
	stoneKeys [2][cells]uint64
	turnKey   uint64
)

func init() {
	x := uint64(0x5EED0FF1CE)
	next := func() uint64 { // splitmix64
		x += 0x9E3779B97F4A7C15
		z := x
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		return z ^ z>>31
	}
	for s := range stoneKeys {
		for c := range stoneKeys[s] {
			stoneKeys[s][c] = next()
		}
	}
	turnKey = next()
}

// bound says how a stored value relates to the true one.
type bound uint8

const (
	noBound bound = iota
	atMost
	atLeast
	exact
)

// entry is one position of the transposition table.
type entry struct {
	key   uint64
	move  int16
	value int16
	depth int8
	bound bound
	eval  int16
}

// transpositions remembers what was searched. Two entries share a bucket: the
// first keeps the deeper search, the second the newer.
type transpositions struct {
	entries []entry
	mask    uint64
}

// newTranspositions makes a table of 2^bits entries.
func newTranspositions(bits int) *transpositions {
	return &transpositions{entries: make([]entry, 1<<bits), mask: 1<<bits - 2}
}

func (t *transpositions) clear() { clear(t.entries) }

// find returns what is known of a position, or nil.
func (t *transpositions) find(hash uint64) *entry {
	i := hash & t.mask
	if e := &t.entries[i]; e.key == hash && e.bound != noBound {
		return e
	}
	if e := &t.entries[i+1]; e.key == hash && e.bound != noBound {
		return e
	}
	return nil
}

func (t *transpositions) store(e entry) {
	i := e.key & t.mask
	first := &t.entries[i]
	if first.key == e.key || first.bound == noBound || e.depth >= first.depth {
		if first.key != e.key {
			t.entries[i+1] = *first
		}
		*first = e
		return
	}
	t.entries[i+1] = e
}
