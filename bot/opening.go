package bot

import (
	"context"

	"rowbot/bot/locale"
	"rowbot/bot/render"
	"rowbot/match"
)

// choicesOf is what can be chosen in an opening: the argument of the button, and
// the key of its label.
var choicesOf = map[match.Choice]struct{ arg, label string }{
	match.TakeBlack: {"black", "take_black"},
	match.TakeWhite: {"white", "take_white"},
	match.PlaceTwo:  {"two", "place_two"},
}

// choiceRow is the buttons to choose by.
func (b *Bot) choiceRow(p locale.Printer, m *match.Match) component {
	var buttons []component
	for _, c := range m.Choosing() {
		buttons = append(buttons, b.matchButton(m, stylePrimary, p.T(choicesOf[c].label), verbChoose, choicesOf[c].arg))
	}
	return row(buttons...)
}

// choose carries out a choice.
func (b *Bot) choose(ctx context.Context, r *request, p press) (answer, error) {
	for c, x := range choicesOf {
		if x.arg == p.arg {
			return b.onBoard(ctx, r, p, match.Choose{Choice: c}, "")
		}
	}
	return say(r.mine.T("unknown_button")), nil
}

// hasChosen reports whether a player has chosen that already.
func hasChosen(m *match.Match, who match.Player, c match.Choice) bool {
	switch c {
	case match.TakeBlack:
		return !m.SidesOpen() && m.StoneOf(who) == match.Black
	case match.TakeWhite:
		return !m.SidesOpen() && m.StoneOf(who) == match.White
	case match.PlaceTwo:
		return m.Choices[0] == c && m.Opponent(m.Opener()) == who
	case match.NoChoice:
	}
	return false
}

// openingText says what is to be done now while the sides are open.
func openingText(p locale.Printer, m *match.Match) string {
	who, mark := playerText(p, m.ToMove()), render.Mark(m.Rules.Game(), m.Turn())
	switch {
	case len(m.Choosing()) == len(choicesOf):
		return p.T("chooses", "Player", who)
	case m.Choosing() != nil:
		return p.T("chooses_side", "Player", who)
	case m.Choices[0] == match.PlaceTwo:
		return p.T("puts_two", "Player", who, "Mark", mark)
	}
	return p.T("puts_three", "Player", who, "Mark", mark)
}

// sidedText names the player of a side with its mark, if that is settled.
func sidedText(p locale.Printer, m *match.Match, side match.Stone) string {
	s := playerText(p, m.Seat(side))
	if m.SidesOpen() {
		return s
	}
	return render.Mark(m.Rules.Game(), side) + " " + s
}
