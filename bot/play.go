package bot

import (
	"context"
	"errors"
	"slices"

	"rowbot/match"
)

// onBoard carries out an action asked for by a button of the board itself: the
// board as it then stands is the answer, also where the button belonged to an
// older board.
func (b *Bot) onBoard(ctx context.Context, r *request, p press, a match.Action, raw string) (answer, error) {
	m, err := b.act(ctx, match.Deed{
		Match: p.match, Seen: p.version, Board: r.where(), By: r.me(), Action: a, Event: r.ID,
	})
	switch {
	case err == nil:
		up := b.update(ctx, &m)
		_, accepted := a.(match.Accept)
		up.starts = accepted && m.Status == match.Active
		return up, nil
	case errors.Is(err, match.Stale):
		up := b.update(ctx, &m)
		if !played(&m, r.me(), a) {
			up.also = b.staleText(r, &m)
		}
		return up, nil
	case errors.Is(err, match.Replaced):
		return b.replaced(ctx, &m), nil
	}
	return b.refuse(r, &m, err, raw)
}

// played reports whether what a late click asks for has been done: it was the
// same click once more, out of impatience or because the first answer was lost.
func played(m *match.Match, who match.Player, a match.Action) bool {
	switch a := a.(type) {
	case match.Place:
		ply := slices.Index(m.Moves, a.At)
		return ply >= 0 && m.By(ply) == who
	case match.Choose:
		return hasChosen(m, who, a.Choice)
	case match.Accept:
		return m.Status == match.Active
	case match.Decline:
		return m.Status == match.Declined
	case match.Withdraw:
		return m.Status == match.Withdrawn
	}
	return false
}

// staleText says why a click on an old board did nothing.
func (b *Bot) staleText(r *request, m *match.Match) string {
	if m.Seats[0].IsNobody() {
		return b.refusalText(r, m, match.Gone, "")
	}
	return r.mine.T(string(match.Stale))
}

// replaced answers a click on a message that no longer shows the match.
func (b *Bot) replaced(ctx context.Context, m *match.Match) answer {
	return answer{kind: callbackUpdate, data: b.retired(b.boardIn(ctx, m), m), outcome: "replaced"}
}

// anyBoard reads cells of whatever board; which one it is comes out later.
var anyBoard = match.Rules{Cols: match.MaxSide, Rows: match.MaxSide}

// clicked plays the cell of a button.
func (b *Bot) clicked(ctx context.Context, r *request, p press) (answer, error) {
	at, err := anyBoard.ParsePoint(p.arg)
	if err != nil || at.String() != p.arg {
		return say(r.mine.T("unknown_button")), nil //nolint:nilerr // the error is the answer
	}
	return b.onBoard(ctx, r, p, match.Place{At: at}, p.arg)
}

// outdated reports whether a button belongs to a board that has been replaced
// or has moved on, with the answer that then fits.
func (b *Bot) outdated(ctx context.Context, r *request, m *match.Match, p press) (answer, bool) {
	switch {
	case m.Replaced(r.where()):
		return b.replaced(ctx, m), true
	case m.Outdated(p.version):
		return b.update(ctx, m), true
	}
	return answer{}, false
}

// shift moves the window of buttons. It changes nothing in the match.
func (b *Bot) shift(ctx context.Context, r *request, p press) (answer, error) {
	m, err := b.load(ctx, p.match)
	if err != nil {
		return answer{}, err
	}
	if m.StoneOf(r.me()) == match.Empty {
		return b.refuse(r, &m, match.NotYours, "")
	}
	if a, old := b.outdated(ctx, r, &m, p); old {
		return a, nil
	}
	w, ok := parseWindow(p.arg, m.Rules)
	if !ok {
		return say(r.mine.T("unknown_button")), nil
	}
	return answer{kind: callbackUpdate, data: b.board(b.boardIn(ctx, &m), &m, &w), shows: &m, outcome: "shifted"}, nil
}

// mayMove says why a player cannot move now; nil if they can.
func mayMove(m *match.Match, who match.Player) error {
	switch {
	case m.StoneOf(who) == match.Empty:
		return match.NotYours
	case m.Status.Over():
		return match.Over
	case m.ToMove() != who:
		return match.NotYourTurn
	case m.Choosing() != nil:
		return match.ChooseFirst
	}
	return nil
}

// maxTyped is more than any way to write a cell takes.
const maxTyped = 20

// askCell opens the modal to type a move into.
func (b *Bot) askCell(ctx context.Context, r *request, p press) (answer, error) {
	m, err := b.load(ctx, p.match)
	if err != nil {
		return answer{}, err
	}
	if m.StoneOf(r.me()) != match.Empty {
		if a, old := b.outdated(ctx, r, &m, p); old {
			return a, nil
		}
	}
	if err := mayMove(&m, r.me()); err != nil {
		return b.refuse(r, &m, err, "")
	}
	centre := m.Rules.Centre().String()
	input := component{Type: typeTextInput, CustomID: "cell", Style: inputShort, Placeholder: centre, MaxLength: maxTyped}
	return answer{kind: callbackModal, outcome: "asked", data: modal{
		CustomID: p.String(),
		Title:    r.mine.T("type_move"),
		Components: []component{{
			Type: typeLabel, Label: r.mine.T("modal_label"),
			Description: r.mine.T("modal_description", "Example", centre), Component: &input,
		}},
	}}, nil
}

// typed plays the cell that was typed into the modal.
func (b *Bot) typed(ctx context.Context, r *request, p press, raw string) (answer, error) {
	m, err := b.load(ctx, p.match)
	if errors.Is(err, match.ErrNotFound) {
		return say(r.mine.T("lost_match")), nil
	}
	if err != nil {
		return answer{}, err
	}
	at, err := m.Rules.ParsePoint(raw)
	if err != nil {
		return b.refuse(r, &m, err, raw)
	}
	if r.Message == nil || r.private() {
		return b.playCell(ctx, r, &m, raw)
	}
	return b.onBoard(ctx, r, p, match.Place{At: at}, raw)
}

// playCell plays a cell for a command: a private line says so, and the board is edited.
// If it cannot be edited, the answer is the board.
func (b *Bot) playCell(ctx context.Context, r *request, m *match.Match, raw string) (answer, error) {
	at, err := m.Rules.ParsePoint(raw)
	if err != nil {
		return b.refuse(r, m, err, raw)
	}
	return b.playMove(ctx, r, m, match.Place{At: at}, raw, r.mine.T("you_played", "Cell", at.String()))
}

// playMove carries out a move of a command or of the private menu.
func (b *Bot) playMove(ctx context.Context, r *request, m *match.Match, move match.Action, raw, done string) (answer, error) {
	now, err := b.act(ctx, match.Deed{Match: m.ID, By: r.me(), Action: move, Event: r.ID, Apart: true})
	if err != nil {
		return b.refuse(r, &now, err, raw)
	}
	wait, cancel := context.WithTimeout(ctx, editWait)
	defer cancel()
	shows, err := b.boards.wait(wait, now.ID, true)
	a := b.privately(r, done)
	if lasting(err) {
		a, shows = b.post(r, &now), now.Version
	}
	if err == nil || lasting(err) {
		a.drawn, a.version = now.ID, shows
	}
	return a, nil
}

// privately says something that only the caller sees, in place of the private
// message that was used, if it was one.
func (b *Bot) privately(r *request, s string, rows ...component) answer {
	a := say(s, rows...)
	if r.private() {
		a.kind, a.private = callbackUpdate, false
	}
	return a
}
