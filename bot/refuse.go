package bot

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"rowbot/match"
)

// refuse says privately what is wrong and what to do instead. The match is as
// it stands; raw is what the user typed, if it was text. An error that is no
// refusal comes back as it is.
func (b *Bot) refuse(r *request, m *match.Match, why error, raw string) (answer, error) {
	if errors.Is(why, match.ErrNotFound) {
		return say(r.mine.T("lost_match")), nil
	}
	key, ok := errors.AsType[match.Refusal](why)
	if !ok {
		return answer{}, why
	}
	b.notices.saw(m.ID, r.user.ID)
	a := b.privately(r, b.refusalText(r, m, key, raw), b.remedies(r, m, key)...)
	a.outcome, a.about = string(key), m
	if key == match.NotYourTurn {
		a.waits = m
	}
	if key == match.Over || key == match.Gone {
		a.redraw = m.ID // the clock may have ended it just now
	}
	return a, nil
}

// promise adds to "it's not your turn" that the caller will be told when it is,
// where that is so.
func (b *Bot) promise(ctx context.Context, r *request, a answer) answer {
	if a.waits != nil && b.tells(ctx, a.waits, r.user.ID) {
		a.data = note(r.mine.T("not_your_turn_told", "Player", playerText(r.mine, a.waits.ToMove())))
	}
	return a
}

func (b *Bot) refusalText(r *request, m *match.Match, key match.Refusal, raw string) string {
	p, g := r.mine, string(m.Rules.Game())
	switch key {
	case match.NotYourTurn:
		return p.T("not_your_turn", "Player", playerText(p, m.ToMove()))
	case match.Occupied:
		return b.occupiedText(r, m, raw)
	case match.Overline, match.DoubleThree, match.DoubleFour:
		return p.T(string(key), "Cell", cellText(m, raw))
	case match.OffBoard:
		return offBoardText(r, m, raw)
	case match.NotACell:
		return notACellText(r, m, raw)
	case match.NotYours:
		return p.T("not_yours", "Player", playerText(p, m.Seats[0]), "Opponent", playerText(p, m.Seats[1]), "Game", g)
	case match.OwnChallenge, match.NotForYou, match.NotChallenger, match.NotStarted, match.AlreadyAsked, match.AlreadyOpen,
		match.AskedByThem, match.CoolingDown, match.Gone:
		return challengeText(r, m, key)
	case match.Offered, match.DrawTooSoon, match.OpponentBusy, match.Unwelcome:
		return p.T(string(key), "Player", playerText(p, m.Opponent(r.me())))
	case match.TooManyPending:
		return p.T(string(key), "N", match.MaxPending, "Game", g)
	case match.TooManyRunning:
		return p.T(string(key), "N", match.MaxRunning)
	case match.Yourself:
		return p.T(string(key), "Game", g)
	case match.NoPassing, match.NoPassingYet, match.ChooseFirst, match.NothingToChoose, match.PeopleOnly, match.Over, match.Stale, match.Replaced, match.NoOffer,
		match.EnginePlaysOn, match.NotOver, match.Early, match.OpponentGone:
	}
	return p.T(string(key))
}

// challengeText is the text of refusals that are about a challenge.
func challengeText(r *request, m *match.Match, key match.Refusal) string {
	p := r.mine
	switch key { //nolint:exhaustive // the others name whom the challenge is for
	case match.OwnChallenge:
		if m.Invited.IsNobody() {
			return p.T("own_challenge_open")
		}
	case match.NotChallenger:
		return p.T("not_challenger", "Player", playerText(p, m.Challenger))
	case match.NotStarted:
		return notStartedText(r, m)
	case match.AlreadyAsked, match.AlreadyOpen:
		return p.T(string(key), "Player", playerText(p, m.Invited), "Link", cmp.Or(link(m.Where), "/matches"))
	case match.AskedByThem:
		return p.T(string(key), "Player", playerText(p, m.Challenger), "Link", cmp.Or(link(m.Where), "/matches"))
	case match.CoolingDown:
		return p.T(string(key), "Player", playerText(p, m.Invited), "Time", relative(m.Changed.Add(match.CoolDown)))
	case match.Gone:
		return p.T(goneKey(m))
	}
	return p.T(string(key), "Player", playerText(p, m.Invited))
}

// goneKey says what became of a challenge.
func goneKey(m *match.Match) string {
	switch m.Status { //nolint:exhaustive // the rest has one word for all
	case match.Lapsed:
		return "gone_lapsed"
	case match.Withdrawn:
		return "gone_withdrawn"
	case match.Declined:
		return "gone_declined"
	}
	return "gone_accepted"
}

func (b *Bot) occupiedText(r *request, m *match.Match, raw string) string {
	p := m.Position()
	example := m.Rules.Centre()
	if likely := p.Likely(); len(likely) > 0 {
		example = likely[0]
	}
	return r.mine.T("occupied", "Cell", cellText(m, raw), "Example", example.String())
}

// cellText names the cell that a user's text meant.
func cellText(m *match.Match, raw string) string {
	at, err := m.Rules.ParsePoint(raw)
	if err != nil {
		return quote(raw)
	}
	return at.String()
}

// notACellText shows both ways to write a cell by one that the board has.
func notACellText(r *request, m *match.Match, raw string) string {
	c := m.Rules.Centre()
	row, col := strconv.Itoa(int(m.Rules.Rows-c.Row)), strconv.Itoa(int(c.Col)+1)
	return r.mine.T("not_a_cell", "Text", quote(raw), "Example", c.String(), "Row", row, "Col", col)
}

// notStartedText says whose answer a challenge waits for.
func notStartedText(r *request, m *match.Match) string {
	switch m.Invited {
	case match.Player{}:
		return r.mine.T("not_started_open")
	case r.me():
		return r.mine.T("not_started_yours", "Player", playerText(r.mine, m.Challenger))
	}
	return r.mine.T("not_started", "Player", playerText(r.mine, m.Invited))
}

func offBoardText(r *request, m *match.Match, raw string) string {
	last := match.Point{Col: m.Rules.Cols - 1, Row: m.Rules.Rows - 1}.String()
	return r.mine.T("off_board", "Text", quote(raw), "Size", sizeText(m.Rules),
		"Letter", last[:1], "Number", last[1:], "Example", m.Rules.Centre().String())
}
