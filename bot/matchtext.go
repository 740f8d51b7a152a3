package bot

import (
	"strconv"
	"strings"
	"time"

	"rowbot/bot/locale"
	"rowbot/bot/render"
	"rowbot/match"
)

const dot = " · "

// matchText is what a match's message says above its board.
func (b *Bot) matchText(p locale.Printer, m *match.Match) string {
	head := headText(p, m)
	if m.Status == match.Challenged {
		head += dot + sideText(p, m)
		if m.Pace != b.pace {
			head += dot + p.T("pace", "Pace", paceText(p, m.Pace))
		}
	}
	return head + "\n" + capital(b.stateText(p, m))
}

// headText is which game it is, by which rules, and who plays which mark.
func headText(p locale.Printer, m *match.Match) string {
	s := "**" + gameText(p, m.Rules) + "**" + dot + rulesText(p, m)
	if !m.Seats[0].IsNobody() {
		s += dot + sidedText(p, m, match.Black) + " – " + sidedText(p, m, match.White)
	}
	return s
}

// stateText says how a match stands.
func (b *Bot) stateText(p locale.Printer, m *match.Match) string {
	challenger := playerText(p, m.Challenger)
	switch m.Status {
	case match.Challenged:
		until := p.T("offer_until", "Time", relative(m.Deadline))
		if m.Invited.IsNobody() {
			return p.T("looking", "Player", challenger) + until
		}
		return p.T("challenges", "Player", challenger, "Opponent", playerText(p, m.Invited)) + until
	case match.Active:
		return b.turnText(p, m)
	case match.Won, match.Drawn, match.Closed:
		return resultText(p, m)
	case match.Declined:
		return p.T("declined", "Player", playerText(p, m.Invited))
	case match.Withdrawn:
		if m.Reason == match.ByLeaving && !m.Challenger.IsGone() {
			return p.T("deserted", "Player", challenger)
		}
		return p.T("withdrawn", "Player", challenger)
	case match.Lapsed:
	}
	return p.T("lapsed")
}

// resultText says how a match that was played ended.
func resultText(p locale.Printer, m *match.Match) string {
	switch m.Status { //nolint:exhaustive // the others were not played
	case match.Won:
		return wonText(p, m)
	case match.Drawn:
		return p.T("drawn") + dot + p.T(drawReason[m.Reason]) + dot + p.N("moves", len(m.Moves)) + unratedText(p, m)
	}
	return p.T(closedKey(m))
}

// closedKey says why a match was closed.
func closedKey(m *match.Match) string {
	switch m.Reason { //nolint:exhaustive // the others are results
	case match.ByModerator:
		return "closed_by_moderator"
	case match.ByLeaving:
		return "closed_by_leaving"
	}
	return "closed"
}

// unratedText says that a match did not count for the ratings, and why.
func unratedText(p locale.Printer, m *match.Match) string {
	switch m.Unrated {
	case match.TooShort:
		return dot + p.T("unrated_short")
	case match.TooManyOf:
		return dot + p.T("unrated_pair", "N", match.MaxRatedOfPair)
	case match.Rated:
	}
	return ""
}

func (b *Bot) turnText(p locale.Printer, m *match.Match) string {
	var s string
	if m.SidesOpen() {
		s = openingText(p, m)
	} else {
		s = p.T("to_move", "Player", sidedText(p, m, m.Turn()))
		if m.Owed() {
			s += p.T("thinking")
		}
	}
	s += dot + p.T("move_number", "N", len(m.Moves)+1)
	if last, ok := m.Last(); ok {
		s += dot + p.T("last_move", "Move", moveText(p, m, last))
	}
	if m.Offer != match.Empty {
		s += "\n" + b.offerText(p, m, m.Seat(m.Offer))
	}
	return s
}

func (b *Bot) offerText(p locale.Printer, m *match.Match, by match.Player) string {
	return p.T("offers_draw", "Player", playerText(p, by), "Opponent", playerText(p, m.Opponent(by)))
}

// moveText is the last move with the mark of who made it.
func moveText(p locale.Printer, m *match.Match, at match.Point) string {
	s := at.String()
	if at.IsPass() {
		s = p.T("a_pass")
	}
	return render.Mark(m.Rules.Game(), m.Turn().Other()) + " " + s
}

var drawReason = map[match.Reason]string{
	match.ByFullBoard: "by_full_board",
	match.ByAgreement: "by_agreement",
	match.ByPasses:    "by_passes",
}

func wonText(p locale.Printer, m *match.Match) string {
	loser := m.Seat(m.Winner.Other())
	s := p.T("won", "Player", sidedText(p, m, m.Winner))
	switch m.Reason { //nolint:exhaustive // the others are no wins
	case match.ByLine:
		s += dot + lineText(p, m)
	case match.ByResignation:
		s += dot + p.T("by_resignation", "Player", playerText(p, loser))
	case match.ByTime:
		s += dot + p.T("by_time")
	}
	s += dot + p.N("moves", len(m.Moves))
	if g := m.Gains[m.Winner-match.Black]; g.After != 0 {
		s += dot + strconv.Itoa(g.After) + " (" + signed(g.Change) + ")"
	}
	return s + unratedText(p, m)
}

func signed(n int) string {
	if n < 0 {
		return "−" + strconv.Itoa(-n)
	}
	return "+" + strconv.Itoa(n)
}

// lineText says what the winning line was: "five in a row, d4–h8".
func lineText(p locale.Printer, m *match.Match) string {
	line := m.Line()
	last, _ := m.Last()
	lines := 0
	for _, at := range line {
		if at == last {
			lines++
		}
	}
	if lines > 1 {
		return p.T("lines_at_once", "N", lines)
	}
	key := "in_a_row_more"
	switch len(line) {
	case 3:
		key = "in_a_row_3"
	case 5:
		key = "in_a_row_5"
	}
	return p.T(key, "N", len(line), "From", line[0].String(), "To", line[len(line)-1].String())
}

// playerText names a player so that everybody reads the name they know.
func playerText(p locale.Printer, who match.Player) string {
	switch {
	case who.IsEngine():
		return p.T("rowbot", "Level", p.T("level_"+who.Level.String()))
	case who.IsNobody():
		return p.T("anybody")
	case who.IsGone():
		return p.T("somebody_gone")
	}
	return mention(who.User)
}

func gameText(p locale.Printer, r match.Rules) string { return p.T("game_" + string(r.Game())) }

// rulesText is the size and, where the game has several, the rules.
func rulesText(p locale.Printer, m *match.Match) string {
	s := sizeText(m.Rules)
	if m.Rules.Game() == match.Gomoku {
		s += dot + p.T("rules_"+m.Rules.Variant.String())
	}
	if m.Opening == match.Swap2 {
		s += dot + p.T("opening_swap2")
	}
	return s
}

func sizeText(r match.Rules) string {
	return strconv.Itoa(int(r.Cols)) + "×" + strconv.Itoa(int(r.Rows))
}

// titleText names a match without its players, in plain text.
func titleText(p locale.Printer, m *match.Match) string { return titleOf(p, m.Rules) }

// titleOf is titleText for any match that is played by the rules.
func titleOf(p locale.Printer, r match.Rules) string {
	if r.Game() == match.TicTacToe {
		return gameText(p, r)
	}
	return gameText(p, r) + " " + sizeText(r)
}

// sideText says who will move first.
func sideText(p locale.Printer, m *match.Match) string {
	switch m.Side {
	case match.SideFirst:
		return p.T("side_first", "Player", playerText(p, m.Challenger))
	case match.SideSecond:
		return p.T("side_second", "Player", playerText(p, m.Challenger))
	case match.SideRandom:
	}
	return p.T("side_random")
}

// paceText writes a time per move in its largest whole unit.
func paceText(p locale.Printer, d time.Duration) string {
	switch {
	case d >= 24*time.Hour && d%(24*time.Hour) == 0:
		return p.N("days", int(d/(24*time.Hour)))
	case d >= time.Hour && d%time.Hour == 0:
		return p.N("hours", int(d/time.Hour))
	case d%time.Minute == 0:
		return p.N("minutes", int(d/time.Minute))
	}
	return strings.TrimSuffix(d.Round(time.Second).String(), "0s")
}
