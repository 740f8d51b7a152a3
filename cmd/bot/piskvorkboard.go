package main

import (
	"context"
	"fmt"
	"strings"

	"rowbot/match"
)

// board reads a position, BOARD or YXBOARD, up to DONE, and plays in it where
// that is asked for. Nothing changes when a line of it is wrong.
func (k *piskvork) board(ctx context.Context, play bool) error {
	stones, err := k.readBoard(ctx)
	if err != nil {
		return err
	}
	k.moves = arrange(stones)
	k.refresh()
	if !play {
		return nil
	}
	return k.move(ctx)
}

// stone is one line of a board.
type stone struct {
	at  match.Point
	own bool
}

func (k *piskvork) readBoard(ctx context.Context) (stones []stone, err error) {
	seen := map[match.Point]bool{}
	for {
		line, ok := k.in.next(ctx)
		if !ok {
			return nil, errNoDone
		}
		line = strings.TrimSpace(line)
		if strings.EqualFold(line, "DONE") {
			return stones, err
		}
		if line == "" || err != nil {
			continue
		}
		var s stone
		s, err = k.stone(line)
		if err == nil && seen[s.at] {
			err = errTaken
		}
		seen[s.at] = true
		stones = append(stones, s)
	}
}

func (k *piskvork) stone(line string) (stone, error) {
	i := strings.LastIndexByte(line, ',')
	if i < 0 {
		return stone{}, errBoardLine
	}
	at, err := k.point(line[:i])
	if err != nil {
		return stone{}, err
	}
	switch strings.TrimSpace(line[i+1:]) {
	case "1":
		return stone{at, true}, nil
	case "2", "3":
		return stone{at, false}, nil
	}
	return stone{}, errBoardLine
}

// arrange makes moves of a board, the side whose own stones they are to move
// next. That side is black when there is an even number of stones. The order of
// a board need not be that of play, so each colour's stones are taken in turn,
// with passes where one has too few.
func arrange(stones []stone) []match.Point {
	var of [2][]match.Point // own, other
	for _, s := range stones {
		if s.own {
			of[0] = append(of[0], s.at)
		} else {
			of[1] = append(of[1], s.at)
		}
	}
	first := len(stones) % 2 // own is black on an even board
	next := func(who int) match.Point {
		if len(of[who]) == 0 {
			return match.Pass
		}
		p := of[who][0]
		of[who] = of[who][1:]
		return p
	}
	var moves []match.Point
	for len(of[0])+len(of[1]) > 0 || len(moves)%2 != first {
		moves = append(moves, next((first+len(moves))%2))
	}
	return moves
}

// The protocol's rules are a sum of these; continuous play, the 2, is nothing
// that the choice of a move depends on.
const (
	ruleExact = 1
	ruleRenju = 4
	ruleKnown = 7
)

// rule sets the rules that INFO rule names; unknown ones change nothing.
func (k *piskvork) rule(n int) {
	if n < 0 || n > ruleKnown {
		return
	}
	switch {
	case n&ruleRenju != 0:
		k.variant = match.Renju
	case n&ruleExact != 0:
		k.variant = match.Standard
	default:
		k.variant = match.Freestyle
	}
	if k.side > 0 {
		k.refresh()
		k.engine.Prepare(k.position.Rules())
	}
}

// showForbidden lists where black may not play, whoever's turn it is.
func (k *piskvork) showForbidden() error {
	if k.side == 0 {
		return errNotStarted
	}
	p := k.position
	if p.Turn() == match.White {
		p, _ = p.Pass() // gomoku has passing
	}
	var line strings.Builder
	line.WriteString("FORBID ")
	for _, at := range p.ForbiddenPoints() {
		fmt.Fprintf(&line, "%02d%02d", at.Col, at.Row)
	}
	k.say("%s.", line.String())
	return nil
}
