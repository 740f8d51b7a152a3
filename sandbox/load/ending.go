package load

import (
	"context"
	"strings"

	"rowbot/sandbox"
)

// How a match ends that nobody wins by a line: Options know no others.
const (
	byResigning = "resigned"
	byAgreeing  = "agreed"
	byPassing   = "both passed"
)

// conclude begins to end a match by other means than a line: the side to move resigns, offers a draw that the other
// takes, or passes, and so does the other.
func (t *table) conclude(ctx context.Context) step {
	t.ending = byResigning
	if t.bot == empty {
		switch n := t.luck.IntN(10); {
		case n < 2:
			t.ending = byAgreeing
		case n < 4 && t.game == gomoku:
			t.ending = byPassing
		}
	}
	if t.game == tictactoe { // its buttons stand under the board
		t.menu = t.board
		return t.propose(ctx)
	}
	return t.askMore(ctx)
}

// askMore opens the private menu.
func (t *table) askMore(ctx context.Context) step {
	r, lost := t.do(ctx, "menu", func(ctx context.Context) (*sandbox.Reply, error) {
		return t.mover().Click(ctx, t.board, "More")
	})
	if !t.shows(r, "More", "Resign") {
		return t.unlessLost(lost)
	}
	t.menu = r.Shown()
	return t.propose
}

// unlessLost looks how a match stands whose last answer did not come, and gives any other up.
func (t *table) unlessLost(lost bool, maybe ...position) step {
	if lost {
		return t.doubt(maybe...)
	}
	return t.leave()
}

// shows tells whether an answer shows a message with a button, and notes where it does not.
func (t *table) shows(r *sandbox.Reply, asked, button string) bool {
	if r == nil {
		return false
	}
	if m := r.Shown(); m == nil || m.Button(button) == nil {
		t.session.tally.amiss(t.called(asked + " was answered with: " + r.Text()))
		return false
	}
	return true
}

// propose presses the button of the menu.
func (t *table) propose(ctx context.Context) step {
	if t.ending == byPassing {
		return t.pass(ctx)
	}
	label, next := "Resign", step(t.resign)
	expected := "Resign"
	if t.ending == byAgreeing {
		label, next, expected = "Offer draw", t.agree, "Accept"
	}
	r, lost := t.do(ctx, strings.ToLower(label), func(ctx context.Context) (*sandbox.Reply, error) {
		return t.mover().Click(ctx, t.menu, label)
	})
	if !t.shows(r, label, expected) {
		return t.unlessLost(lost)
	}
	t.menu = r.Shown()
	return next
}

// resign confirms it.
func (t *table) resign(ctx context.Context) step {
	after := t.pos.clone()
	after.over = true
	after.winner = map[byte]byte{first: second, second: first}[t.pos.toMove()]
	return t.close(ctx, "confirm", t.mover(), "Resign", after)
}

// agree has the other side take the draw.
func (t *table) agree(ctx context.Context) step {
	after := t.pos.clone()
	after.over = true
	return t.close(ctx, "agree", t.seats[1-t.pos.seat()], "Accept", after)
}

// pass passes; the second in a row ends the match.
func (t *table) pass(ctx context.Context) step {
	after := t.pos.clone()
	after.pass()
	next := t.close(ctx, "pass", t.mover(), "Pass", after)
	if t.match != "" && len(t.maybe) == 0 && !t.pos.over {
		return t.askMore
	}
	return next
}

// close presses a button that is not the board's, and waits for the board to follow.
func (t *table) close(ctx context.Context, kind string, by sandbox.Seat, label string, after position) step {
	r, lost := t.do(ctx, kind, func(ctx context.Context) (*sandbox.Reply, error) {
		return by.Click(ctx, t.menu, label)
	})
	switch {
	case lost:
		return t.doubt(after)
	case r == nil:
		return t.leave()
	}
	t.pos = after
	return t.follow(ctx)
}
