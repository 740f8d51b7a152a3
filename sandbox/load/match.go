package load

import (
	"context"
	"slices"
	"strings"

	"rowbot/sandbox"
)

// script is the first step of what a table does.
func (t *table) script(name string) step {
	if name == Clicks {
		return t.call
	}
	return t.invite
}

// gather seats people who are free, and chooses the game.
func (t *table) gather() {
	n := 2
	if t.alone {
		n = 1
	}
	t.people = t.room.sit(n)
	t.game = t.session.games[t.luck.IntN(len(t.session.games))]
	t.bot, t.match, t.board = empty, "", nil
	t.fresh()
	one, two := t.people[0], t.people[n-1]
	t.seats = [2]sandbox.Seat{one.In(t.room.channel), two.In(t.room.channel)}
	if t.solo() {
		t.bot = second
		t.seats[1] = t.seats[0]
	}
}

// solo tells whether the people at the table cannot play each other.
func (t *table) solo() bool { return len(t.people) == 1 || t.room.haunted(t.people[0], t.people[1]) }

// invite has one challenge the other, or starts a match against the bot.
func (t *table) invite(ctx context.Context) step {
	t.gather()
	side := sandbox.String("side", "first")
	if t.bot != empty {
		r, _ := t.do(ctx, "bot", func(ctx context.Context) (*sandbox.Reply, error) {
			return t.seats[0].Slash(ctx, t.game+" bot", sandbox.String("level", "random"), side)
		})
		if !t.posted(r, "a match against the bot") {
			return t.leave()
		}
		return t.begin(r.Message)
	}
	r, lost := t.do(ctx, "challenge", func(ctx context.Context) (*sandbox.Reply, error) {
		return t.seats[0].Slash(ctx, t.game+" challenge", sandbox.UserOption("opponent", t.people[1]), side)
	})
	if lost {
		t.room.haunt(t.people[0], t.people[1])
	}
	if !t.posted(r, "a challenge") {
		return t.leave()
	}
	t.offer, t.match = r.Message, matchIn(r.Message)
	return t.accept
}

// posted tells whether an answer is a public message, and notes where it is another one.
func (t *table) posted(r *sandbox.Reply, what string) bool {
	switch {
	case r == nil:
		return false
	case r.Message == nil || r.Ephemeral:
		t.session.tally.amiss(t.called(what + " was answered with: " + r.Text()))
		return false
	}
	return true
}

// accept has the other take the challenge up.
func (t *table) accept(ctx context.Context) step {
	r, lost := t.do(ctx, "accept", func(ctx context.Context) (*sandbox.Reply, error) {
		return t.seats[1].Click(ctx, t.offer, "Accept")
	})
	switch {
	case lost:
		t.board = t.offer
		return t.look
	case r == nil:
		return t.leave()
	case r.Updated == nil:
		t.session.tally.amiss(t.called("Accept was answered with: " + r.Text()))
		return t.leave()
	}
	return t.begin(r.Updated)
}

// move does what whoever is to move, or somebody else, may do now.
func (t *table) move(ctx context.Context) step {
	n := t.luck.IntN(100)
	switch {
	case t.session.plain:
		return t.click(ctx)
	case (t.game == gomoku && t.pos.plies >= t.tired || t.game == tictactoe && n < 2 && t.pos.plies > 1) && t.session.errand():
		return t.conclude(ctx)
	case n < 6 && n >= 3 && t.bot == empty:
		return t.meddle(ctx)
	case n < 9 && n >= 6 && t.game == gomoku:
		return t.shift(ctx)
	case n < 13 && n >= 9 && t.session.errand():
		return t.write(ctx)
	}
	return t.click(ctx)
}

// open lists the labels of the cells that can be pressed.
func (t *table) open() []string {
	var out []string
	for _, row := range t.board.Rows() {
		for _, b := range row {
			if _, ok := t.pos.cell(b.Label); ok && !b.Disabled {
				out = append(out, b.Label)
			}
		}
	}
	return out
}

// click plays one of the cells that have a button.
func (t *table) click(ctx context.Context) step {
	open := t.open()
	if len(open) == 0 {
		if t.game == tictactoe {
			t.session.tally.board(t.called("no cell can be pressed"))
			return t.leave()
		}
		return t.elsewhere(ctx)
	}
	label := open[t.luck.IntN(len(open))]
	cell, _ := t.pos.cell(label)
	if t.pos.cells[cell] != empty {
		t.session.tally.board(t.called("the button of " + label + ", which is taken, can be pressed"))
		return t.leave()
	}
	r, lost := t.do(ctx, "click", func(ctx context.Context) (*sandbox.Reply, error) {
		return t.mover().Click(ctx, t.board, label)
	})
	after := t.pos.clone()
	after.place(cell)
	switch {
	case lost:
		t.redo = label
		return t.doubt(after)
	case r == nil:
		return t.leave()
	case r.Updated == nil:
		t.session.tally.amiss(t.called("the click on " + label + " was answered with: " + r.Text()))
		return t.leave()
	}
	t.pos = after
	return t.settle(r.Updated)
}

// elsewhere moves on from a window without a free cell.
func (t *table) elsewhere(ctx context.Context) step {
	if t.session.plain {
		return t.shift(ctx)
	}
	return t.write(ctx)
}

// write plays a free cell near the centre by a command, and waits for the board to follow.
func (t *table) write(ctx context.Context) step {
	free := t.pos.free()
	cell := free[t.luck.IntN(len(free))]
	for range 10 { // rather one near the centre
		if x, y := cell%t.pos.side-t.pos.side/2, cell/t.pos.side-t.pos.side/2; max(x, -x, y, -y) <= 4 {
			break
		}
		cell = free[t.luck.IntN(len(free))]
	}
	r, lost := t.do(ctx, "move", func(ctx context.Context) (*sandbox.Reply, error) {
		return t.mover().Slash(ctx, t.game+" move", sandbox.String("cell", t.pos.name(cell)), sandbox.String("match", t.match))
	})
	after := t.pos.clone()
	after.place(cell)
	switch {
	case lost:
		return t.doubt(after)
	case r == nil:
		return t.leave()
	case r.Message != nil && !r.Ephemeral: // the message could not be edited: the match goes on at a new one
		t.pos = after
		return t.settle(r.Message)
	case !strings.HasPrefix(r.Text(), "You played "+t.pos.name(cell)):
		t.session.tally.amiss(t.called("/" + t.game + " move " + t.pos.name(cell) + " was answered with: " + r.Text()))
		return t.leave()
	}
	t.pos = after
	return t.follow(ctx)
}

// follow waits for the board to show what was not done on it.
func (t *table) follow(ctx context.Context) step {
	m, p, difference := t.await(ctx, t.pos)
	if ctx.Err() != nil {
		return t.look
	}
	return t.proceed(m, p, difference)
}

// meddle has somebody click whose turn it is not, and be told so.
func (t *table) meddle(ctx context.Context) step {
	open := t.open()
	if len(open) == 0 {
		return t.click(ctx)
	}
	r, lost := t.do(ctx, "not your turn", func(ctx context.Context) (*sandbox.Reply, error) {
		return t.seats[1-t.pos.seat()].Click(ctx, t.board, open[t.luck.IntN(len(open))])
	})
	switch {
	case lost:
		return t.doubt()
	case r == nil:
		return t.leave()
	case r.Message == nil || !r.Ephemeral || !strings.Contains(r.Text(), t.mover().Person().Mention()+"'s turn"):
		t.session.tally.amiss(t.called("a click out of turn was answered with: " + r.Text()))
		return t.leave()
	}
	return t.follow(ctx)
}

var arrows = []string{"←", "↑", "↓", "→"}

// shift moves the window of buttons, which changes nothing else.
func (t *table) shift(ctx context.Context) step {
	var open []string
	for _, b := range t.board.Buttons() {
		if !b.Disabled && slices.Contains(arrows, b.Label) {
			open = append(open, b.Label)
		}
	}
	if len(open) == 0 {
		return t.click(ctx)
	}
	return t.unchanged(ctx, "arrow", open[t.luck.IntN(len(open))])
}

// unchanged clicks a button that changes only how the board is shown.
func (t *table) unchanged(ctx context.Context, kind, label string) step {
	r, lost := t.do(ctx, kind, func(ctx context.Context) (*sandbox.Reply, error) {
		return t.mover().Click(ctx, t.board, label)
	})
	switch {
	case lost:
		return t.doubt()
	case r == nil:
		return t.leave()
	case r.Updated == nil:
		t.session.tally.amiss(t.called("the click on " + label + " was answered with: " + r.Text()))
		return t.leave()
	}
	return t.settle(r.Updated)
}

// again has one of the players ask for a rematch, or both go.
func (t *table) again(ctx context.Context) step {
	if t.luck.IntN(3) > 0 || t.session.plain || !t.session.errand() {
		t.leave()
		return t.invite(ctx)
	}
	by := t.seats[t.luck.IntN(2)]
	r, lost := t.do(ctx, "rematch", func(ctx context.Context) (*sandbox.Reply, error) {
		return by.Click(ctx, t.board, "Rematch")
	})
	if lost || r == nil {
		return t.leave()
	}
	if !t.posted(r, "Rematch") {
		return t.leave()
	}
	t.seats[0], t.seats[1] = t.seats[1], t.seats[0]
	switch t.bot {
	case first:
		t.bot = second
	case second:
		t.bot = first
	}
	return t.begin(r.Message)
}
