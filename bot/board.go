package bot

import (
	"slices"

	"rowbot/bot/locale"
	"rowbot/bot/render"
	"rowbot/match"
)

// Accent colours of a match's container.
const (
	accentRunning = 0x5865F2
	accentWon     = 0x3BA55D
	accentClosed  = 0x99AAB5
)

// board is the message of a match, whatever its state: challenge, board or
// result. Everything in it comes from the match, so it can be drawn again at
// any time; a window is given only where an arrow asked for it.
func (b *Bot) board(l look, m *match.Match, w *render.Window) message {
	return b.draw(l.Printer, m, w).in(l)
}

// draw makes all that a match's message shows.
func (b *Bot) draw(p locale.Printer, m *match.Match, w *render.Window) drawing {
	d := drawing{accent: accentRunning, text: b.matchText(p, m)}
	switch {
	case m.Status == match.Challenged:
		d.rows = []component{b.challengeRow(p, m)}
		return d
	case m.Status == match.Won:
		d.accent = accentWon
	case m.Status.Over():
		d.accent = accentClosed
	}
	if m.Seats[0].IsNobody() { // never accepted
		return d
	}
	v := render.Of(m)
	d.view = &v
	if m.Rules.Game() == match.TicTacToe {
		d.rows = b.smallBoard(p, m, v)
		return d
	}
	if len(v.Forbidden) > 0 {
		d.below = p.T("forbidden_cells")
	}
	if m.Status.Over() {
		d.rows = []component{b.endRow(p, m)}
		return d
	}
	more := row(b.matchButton(m, styleSecondary, p.T("more"), verbMore, ""))
	if m.Choosing() != nil {
		d.rows = []component{b.choiceRow(p, m), more}
		return d
	}
	if w == nil {
		on := render.WindowOn(v)
		w = &on
	}
	d.rows = append(b.largeBoard(p, m, v, *w), more)
	return d
}

// retired is the message of a match on a board that another message has
// replaced: how it stands, where it goes on, and nothing to press.
func (b *Bot) retired(l look, m *match.Match) message {
	d := b.draw(l.Printer, m, nil)
	d.rows, d.below = nil, ""
	if !m.Status.Over() {
		d.text = headText(l.Printer, m) // whose turn it is stands on the other one
	}
	d.add(l.T(movedKey(m), "Link", link(m.Where)))
	return d.in(l)
}

// movedKey is the key of where the message of a match is now.
func movedKey(m *match.Match) string {
	if m.Status == match.Challenged {
		return "challenge_moved"
	}
	return "board_moved"
}

func (b *Bot) matchButton(m *match.Match, style int, label string, v verb, arg string) component {
	return button(style, label, press{match: m.ID, version: m.Version, verb: v, arg: arg}.String())
}

// playButton is the button of a cell: its label is the cell, and its custom ID
// is the given beginning with the cell behind it (see cellPress).
func playButton(begin string, at match.Point) component {
	label := at.String()
	return button(styleSecondary, label, begin+label)
}

// cellPress is what the custom IDs of all cells of a board begin with.
func cellPress(m *match.Match) string {
	return press{match: m.ID, version: m.Version, verb: verbCell}.String() + ":"
}

func (b *Bot) challengeRow(p locale.Printer, m *match.Match) component {
	buttons := []component{b.matchButton(m, styleSuccess, p.T("accept"), verbAccept, "")}
	if !m.Invited.IsNobody() {
		buttons = append(buttons, b.matchButton(m, styleDanger, p.T("decline"), verbDecline, ""))
	}
	return row(append(buttons, b.matchButton(m, styleSecondary, p.T("withdraw"), verbWithdraw, ""))...)
}

func (b *Bot) endRow(p locale.Printer, m *match.Match) component {
	if m.Seats[0].IsGone() || m.Seats[1].IsGone() {
		return row(replayButton(p, m)) // there is nobody to play again
	}
	return row(
		b.matchButton(m, stylePrimary, p.T("rematch"), verbRematch, ""),
		replayButton(p, m),
	)
}

func replayButton(p locale.Printer, m *match.Match) component {
	return button(styleSecondary, p.T("replay"), scene{match: m.ID, verb: replayOpen, ply: len(m.Moves)}.String())
}

// smallBoard is the nine buttons of tic-tac-toe, the top row first, and what
// else can be done below them.
func (b *Bot) smallBoard(p locale.Printer, m *match.Match, v render.View) []component {
	won := map[match.Point]bool{}
	for _, at := range v.Line {
		won[at] = true
	}
	rows, begin := make([]component, 0, m.Rules.Rows+1), cellPress(m)
	for r := m.Rules.Rows - 1; r >= 0; r-- {
		cells := make([]component, 0, m.Rules.Cols)
		for c := range m.Rules.Cols {
			at := match.Point{Col: c, Row: r}
			cell := playButton(begin, at)
			if s := v.Position.At(at); s != match.Empty {
				cell.Label, cell.Emoji = "", &emoji{Name: render.Mark(match.TicTacToe, s)}
			}
			if won[at] {
				cell.Style = styleSuccess
			}
			cell.Disabled = m.Status.Over() || v.Position.At(at) != match.Empty
			cells = append(cells, cell)
		}
		rows = append(rows, row(cells...))
	}
	if m.Status.Over() {
		return append(rows, b.endRow(p, m))
	}
	var below []component
	if !m.AgainstEngine() {
		below = append(below, b.matchButton(m, styleSecondary, p.T("offer_draw"), verbDraw, ""))
	}
	return append(rows, row(append(below, b.matchButton(m, styleDanger, p.T("resign"), verbResign, ""))...))
}

// largeBoard is a window of buttons onto a large board, with the arrows that
// shift it. With the text, the container and the row of More it has just the 40
// components that a message may have.
func (b *Bot) largeBoard(p locale.Printer, m *match.Match, v render.View, w render.Window) []component {
	rows, begin := make([]component, 0, render.WindowSide+2), cellPress(m)
	for r := int8(render.WindowSide - 1); r >= 0; r-- {
		cells := make([]component, 0, render.WindowSide)
		for c := range int8(render.WindowSide) {
			at := match.Point{Col: w.Col + c, Row: w.Row + r}
			cell := playButton(begin, at)
			if s := v.Position.At(at); s != match.Empty {
				cell.Disabled, cell.Style = true, stoneStyle(s, v.HasLast && at == v.Last)
			} else if slices.Contains(v.Forbidden, at) {
				cell.Style = styleDanger // a click on it is told why
			}
			cells = append(cells, cell)
		}
		rows = append(rows, row(cells...))
	}
	arrow := func(label string, verb verb, cols, rows int8) component {
		to := w.Shift(cols*render.WindowSide, rows*render.WindowSide, m.Rules)
		a := b.matchButton(m, stylePrimary, label, verb, formatWindow(to))
		a.Disabled = to == w
		return a
	}
	return append(rows, row(
		arrow("←", verbLeft, -1, 0), arrow("↑", verbUp, 0, 1), arrow("↓", verbDown, 0, -1), arrow("→", verbRight, 1, 0),
		b.matchButton(m, styleSuccess, p.T("type_move"), verbType, ""),
	))
}

// stoneStyle is the colour of a taken cell's button: the last stone is green,
// black is blue and white is red.
func stoneStyle(s match.Stone, last bool) int {
	switch {
	case last:
		return styleSuccess
	case s == match.Black:
		return stylePrimary
	}
	return styleDanger
}

// followed is the message of an ended match that has been followed by another.
func (b *Bot) followed(l look, m, next *match.Match) message {
	d := b.draw(l.Printer, m, nil)
	if last := len(d.rows) - 1; last >= 0 {
		d.rows[last] = row(replayButton(l.Printer, m)) // without the rematch's
	}
	if to := link(next.Where); to != "" {
		d.add(l.T("rematch_there", "Link", to))
	}
	return d.in(l)
}
