package engine

import "slices"

// class is what a stone on a cell makes over its four lines together: what it
// threatens.
type class uint8

// The classes, weakest first.
const (
	noClass       class = iota
	oneTwo              // one open two
	oneBlocked          // one blocked three
	twoTwos             // two open twos or more
	blockedPlus         // a blocked three and another, or an open two
	oneThree            // an open three
	threePlus           // an open three with an open two or a blocked three
	doubleThree         // two open threes
	oneFour             // a four
	fourPlus            // a four with an open two or a blocked three
	fourThree           // a four and an open three
	unstoppable         // an open four, or two fours
	fiveMade            // five
	perhapsBarred       // renju's black: a pattern that may be forbidden
	classes
)

// merged is what the search needs to know of one side's four shapes at a cell.
type merged struct {
	class          class
	attack, defend int16 // how good a move there is for this side, and for the other
	moving, still  int16 // share of the evaluation when this side moves next, and when not
}

// mergeTable gives merged by the four shapes, four bits each.
type mergeTable [1 << 16]merged

// classOf merges four shapes.
func classOf(of [4]shape, renju bool) class {
	var n [shapes]int
	for _, s := range of {
		n[s]++
	}
	fours, threes := n[four], n[openThree]+n[narrowThree]
	twos := n[openTwo1] + n[openTwo2] + n[openTwo3]
	barred := n[overline] > 0 || n[twinFour] > 0 || fours+n[openFour] > 1 || threes > 1
	switch {
	case n[five] > 0:
		return fiveMade
	case renju && barred:
		return perhapsBarred
	case n[openFour] > 0 || fours > 1:
		return unstoppable
	case fours > 0 && threes > 0:
		return fourThree
	case fours > 0 && (twos > 0 || n[blockedThree] > 0):
		return fourPlus
	case fours > 0:
		return oneFour
	case threes > 1:
		return doubleThree
	case threes > 0 && (twos > 0 || n[blockedThree] > 0):
		return threePlus
	case threes > 0:
		return oneThree
	case n[blockedThree] > 1 || n[blockedThree] > 0 && twos > 0:
		return blockedPlus
	case twos > 1:
		return twoTwos
	case n[blockedThree] > 0:
		return oneBlocked
	case twos > 0:
		return oneTwo
	}
	return noClass
}

// mergeShapes fills the table for one side.
func mergeShapes(renju bool) *mergeTable {
	t := new(mergeTable)
	for key := range t {
		of := [4]shape{shape(key & 15), shape(key >> 4 & 15), shape(key >> 8 & 15), shape(key >> 12)}
		if slices.Max(of[:]) >= shapes {
			continue
		}
		t[key] = weigh(of, classOf(of, renju))
	}
	return t
}

func weigh(of [4]shape, c class) merged {
	m := merged{class: c}
	attack, defend := attackClass[c], defendClass[c]
	moving, still := movingClass[c], stillClass[c]
	for i, s := range of {
		for _, t := range of[:i] {
			moving += movingPair[s][t]
			still += stillPair[s][t]
		}
		attack += attackShape[s]
		defend += defendShape[s]
		moving += movingShape[s]
		still += stillShape[s]
	}
	m.attack, m.defend = int16(attack), int16(defend)
	m.moving, m.still = int16(moving), int16(still)
	return m
}
