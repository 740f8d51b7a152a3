package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"rowbot/match"
)

// chooser is what plays: the engine.
type chooser interface {
	Prepare(rules match.Rules)
	Limit(bytes int64)
	Choose(ctx context.Context, p *match.Position, level match.Level, seed uint64) (match.Point, error)
}

// piskvork speaks the Gomocup protocol: one line in, mostly one line out.
// Points are written x,y from 0; y is the row of the board.
type piskvork struct {
	engine chooser
	level  match.Level
	seed   uint64
	now    func() time.Time
	in     *lineReader
	out    *bufio.Writer

	side     int8
	variant  match.Variant
	moves    []match.Point  // with passes where one side has more stones
	position match.Position // what they make
	turn     time.Duration  // INFO timeout_turn
	whole    time.Duration  // INFO timeout_match, 0 without a limit
	left     time.Duration  // INFO time_left, counted down where nobody tells it
}

const (
	defaultTurn = time.Second
	leastTurn   = 50 * time.Millisecond
	moveShares  = 12 // a move may take so many-th of the time that is left
)

// speak answers commands until END, the end of the input or of the context.
func (k *piskvork) speak(ctx context.Context, in io.Reader, out io.Writer) error {
	k.in, k.out = readLines(in), bufio.NewWriter(out)
	k.turn, k.left = defaultTurn, -1
	for ctx.Err() == nil {
		line, ok := k.in.next(ctx)
		name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if !ok || isEnd(line) {
			break
		}
		if name == "" {
			continue
		}
		k.answer(ctx, strings.ToUpper(name), strings.TrimSpace(rest))
		if err := k.out.Flush(); err != nil {
			return fmt.Errorf("answer %s: %w", name, err)
		}
	}
	if err := k.in.stop(ctx); err != nil {
		return fmt.Errorf("read a command: %w", err)
	}
	return nil
}

// say answers a line. What goes wrong with it, the flush after the command tells.
func (k *piskvork) say(format string, args ...any) { _, _ = fmt.Fprintf(k.out, format+"\n", args...) }

// answer does one command.
func (k *piskvork) answer(ctx context.Context, name, rest string) {
	var err error
	switch name {
	case "START":
		err = k.start(rest)
	case "RECTSTART":
		err = k.rectStart(rest)
	case "RESTART":
		err = k.restart()
	case "BEGIN":
		err = k.begin(ctx)
	case "TURN":
		err = k.theirTurn(ctx, rest)
	case "BOARD":
		err = k.board(ctx, true)
	case "YXBOARD":
		err = k.board(ctx, false)
	case "YXSHOWFORBID":
		err = k.showForbidden()
	case "TAKEBACK":
		err = k.takeBack(rest)
	case "INFO":
		k.info(rest)
	case "ABOUT":
		k.say(`name="Rowbot", version=%q, author="the Rowbot authors", country="-"`, version())
	default:
		k.say("UNKNOWN %s", name)
	}
	if err != nil {
		k.say("ERROR %s", err)
	}
}

var (
	errNotStarted = errors.New("no board: send START first")
	errTaken      = errors.New("that cell is taken or not on the board")
	errPoint      = errors.New("a point is two numbers: x,y")
	errSize       = errors.New("the board must be square, from 5 to 20")
	errBoardLine  = errors.New("a stone of a board is x,y,who with who 1 (own), 2 (other) or 3 (neither)")
	errNoDone     = errors.New("a board without DONE")
)

func (k *piskvork) start(rest string) error {
	n, err := strconv.Atoi(rest)
	if err != nil || n < 5 || n > match.MaxSide {
		return errSize
	}
	k.side = int8(n)
	return k.restart()
}

func (k *piskvork) rectStart(rest string) error {
	x, y, err := coordinates(rest)
	if err != nil || x != y {
		return errSize
	}
	return k.start(strconv.Itoa(x))
}

func (k *piskvork) restart() error {
	if k.side == 0 {
		return errNotStarted
	}
	k.reset()
	k.engine.Prepare(k.position.Rules())
	k.say("OK")
	return nil
}

func (k *piskvork) reset() {
	k.moves = k.moves[:0]
	k.refresh()
}

// refresh makes the position anew from the moves. Nothing is judged here: what
// the other side tells is taken as it comes.
func (k *piskvork) refresh() {
	m := match.Match{Rules: match.GomokuRules(k.side, k.variant), Moves: k.moves}
	k.position = m.Position()
}

func (k *piskvork) begin(ctx context.Context) error {
	if k.side == 0 {
		return errNotStarted
	}
	k.reset()
	return k.move(ctx)
}

func (k *piskvork) theirTurn(ctx context.Context, rest string) error {
	p, err := k.point(rest)
	if err != nil {
		return err
	}
	if err := k.place(p); err != nil {
		return err
	}
	return k.move(ctx)
}

// place puts a stone of the side to move.
func (k *piskvork) place(p match.Point) error {
	if k.position.At(p) != match.Empty {
		return errTaken
	}
	k.moves = append(k.moves, p)
	k.refresh()
	return nil
}

// move lets the engine play for the side to move.
func (k *piskvork) move(ctx context.Context) error {
	if k.position.Full() {
		return errors.New("the board is full")
	}
	begun := k.now()
	ctx, cancel := context.WithDeadline(ctx, begun.Add(k.limit()))
	defer cancel()
	defer k.in.onEnd(cancel)()
	p, err := k.engine.Choose(ctx, &k.position, k.level, k.seed)
	if k.left >= 0 {
		k.left = max(0, k.left-k.now().Sub(begun))
	}
	if err != nil {
		return fmt.Errorf("choose a move: %w", err)
	}
	if err := k.place(p); err != nil {
		return fmt.Errorf("play %s: %w", p, err)
	}
	k.say("%d,%d", p.Col, p.Row)
	return nil
}

// limit is how long the next move may take.
func (k *piskvork) limit() time.Duration {
	limit := k.turn
	if k.whole > 0 && k.left >= 0 {
		limit = min(limit, k.left/moveShares)
	}
	return max(limit, leastTurn)
}

func (k *piskvork) takeBack(rest string) error {
	p, err := k.point(rest)
	if err != nil {
		return err
	}
	n := len(k.moves)
	if n == 0 || k.moves[n-1] != p {
		return errors.New("only the last stone can be taken back")
	}
	k.moves = k.moves[:n-1]
	k.refresh()
	k.say("OK")
	return nil
}

// info takes a setting; the ones that are not known are none of the engine's
// business.
func (k *piskvork) info(rest string) {
	key, value, _ := strings.Cut(rest, " ")
	n, err := strconv.Atoi(strings.TrimSpace(value))
	if err != nil {
		return
	}
	switch strings.ToLower(key) {
	case "timeout_turn":
		k.turn = time.Duration(n) * time.Millisecond
	case "timeout_match":
		k.whole = time.Duration(n) * time.Millisecond
		k.left = k.whole
	case "time_left":
		k.left = time.Duration(n) * time.Millisecond
	case "max_memory":
		k.engine.Limit(int64(n))
	case "rule":
		k.rule(n)
	}
}

func (k *piskvork) point(text string) (match.Point, error) {
	if k.side == 0 {
		return match.Pass, errNotStarted
	}
	x, y, err := coordinates(text)
	if err != nil {
		return match.Pass, err
	}
	if x < 0 || y < 0 || x >= int(k.side) || y >= int(k.side) {
		return match.Pass, errTaken
	}
	return match.Point{Col: int8(x), Row: int8(y)}, nil
}

// coordinates reads "x,y".
func coordinates(text string) (x, y int, err error) {
	a, b, _ := strings.Cut(text, ",")
	x, errX := strconv.Atoi(strings.TrimSpace(a))
	y, errY := strconv.Atoi(strings.TrimSpace(b))
	if errX != nil || errY != nil {
		return 0, 0, errPoint
	}
	return x, y, nil
}
