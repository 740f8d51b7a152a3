package bot

import (
	"context"
	"errors"
	"time"

	"rowbot/match"
)

// editWait is how long a command waits for the board to be edited before it
// answers anyway; the edit then goes on by itself.
const editWait = 1200 * time.Millisecond

// menu opens the private menu of a gomoku board.
func (b *Bot) menu(ctx context.Context, r *request, p press) (answer, error) {
	m, err := b.load(ctx, p.match)
	if err != nil {
		return answer{}, err
	}
	if _, err := m.Apply(match.Resign{}, r.me(), b.matches.Now()); err != nil {
		return b.notPlaying(r, &m, err)
	}
	pass := b.matchButton(&m, styleSecondary, r.mine.T("pass"), verbPass, "")
	pass.Disabled = m.ToMove() != r.me() || m.SidesOpen()
	buttons := []component{pass}
	if !m.AgainstEngine() {
		buttons = append(buttons, b.matchButton(&m, styleSecondary, r.mine.T("offer_draw"), verbDraw, ""))
	}
	buttons = append(buttons, b.matchButton(&m, styleDanger, r.mine.T("resign"), verbResign, ""))
	return say(r.mine.T("menu"), row(buttons...)), nil
}

// passFromMenu passes, if the board is still the one that the menu belonged to.
func (b *Bot) passFromMenu(ctx context.Context, r *request, p press) (answer, error) {
	m, err := b.load(ctx, p.match)
	if err != nil {
		return answer{}, err
	}
	if m.Event != r.ID && m.Outdated(p.version) && m.StoneOf(r.me()) != match.Empty && !m.Status.Over() {
		return b.privately(r, r.mine.T("menu_old")), nil
	}
	return b.playMove(ctx, r, &m, match.PassTurn{}, "", r.mine.T("you_passed"))
}

// askResign asks whether the player is sure.
func (b *Bot) askResign(ctx context.Context, r *request, id match.ID) (answer, error) {
	m, err := b.load(ctx, id)
	if err != nil {
		return answer{}, err
	}
	if _, err := m.Apply(match.Resign{}, r.me(), b.matches.Now()); err != nil {
		return b.notPlaying(r, &m, err)
	}
	side := "b"
	if r.me() != m.Opener() {
		side = "w"
	}
	question := r.mine.T("resign_sure", "Match", titleText(r.mine, &m), "Player", playerText(r.mine, m.Opponent(r.me())))
	return b.privately(r, question, row(b.matchButton(&m, styleDanger, r.mine.T("resign"), verbGiveUp, side))), nil
}

// giveUp resigns, after the question.
func (b *Bot) giveUp(ctx context.Context, r *request, p press) (answer, error) {
	m, err := b.load(ctx, p.match)
	if err != nil {
		return answer{}, err
	}
	asked := m.Opener()
	if p.arg == "w" {
		asked = m.Opponent(asked)
	}
	if r.me() != asked {
		return say(r.mine.T("question_for", "Player", playerText(r.mine, asked))), nil
	}
	m, err = b.matches.Act(ctx, match.Deed{Match: m.ID, By: r.me(), Action: match.Resign{}, Event: r.ID, Apart: true})
	if err != nil {
		return b.refuse(r, &m, err, "")
	}
	a := b.privately(r, r.mine.T("you_resigned"))
	a.redraw, a.repost = m.ID, true
	return a, nil
}

// offerDraw offers a draw in public, or agrees to the one that the other side
// has offered already. An old board offers nothing: the last move may have
// changed the player's mind.
func (b *Bot) offerDraw(ctx context.Context, r *request, p press) (answer, error) {
	m, err := b.matches.Act(ctx, match.Deed{
		Match: p.match, Seen: p.version, Board: r.where(), By: r.me(), Action: match.OfferDraw{}, Event: r.ID, Apart: true,
	})
	if err != nil {
		return b.notOffered(ctx, r, &m, err)
	}
	if m.Status.Over() {
		a := b.privately(r, r.mine.T("you_agreed"))
		a.redraw, a.repost = m.ID, true
		return a, nil
	}
	other, ours := m.Opponent(r.me()), b.boardIn(ctx, &m)
	offer := panel(accentRunning, b.offerText(ours.Printer, &m, r.me()), row(
		b.matchButton(&m, styleSuccess, ours.T("accept"), verbAgree, ""),
		b.matchButton(&m, styleDanger, ours.T("decline"), verbRefuse, ""),
	))
	offer.Mentions.Users = []string{other.User}
	return answer{kind: callbackReply, data: offer, offers: &m, redraw: m.ID, repost: true, outcome: "offered"}, nil
}

// notOffered says why a draw was not offered.
func (b *Bot) notOffered(ctx context.Context, r *request, m *match.Match, why error) (answer, error) {
	switch {
	case errors.Is(why, match.Replaced):
		return b.replaced(ctx, m), nil
	case errors.Is(why, match.Stale) && m.Status.Over() && r.private():
		return b.refuse(r, m, match.Over, "")
	case errors.Is(why, match.Stale) && r.private():
		return b.privately(r, r.mine.T("menu_old")), nil
	case errors.Is(why, match.Stale):
		up := b.update(ctx, m)
		if m.Offer != m.StoneOf(r.me()) {
			up.also = b.staleText(r, m)
		}
		return up, nil
	}
	return b.refuse(r, m, why, "")
}

// answerDraw accepts or declines the draw offer on whose message the button is.
func (b *Bot) answerDraw(ctx context.Context, r *request, p press, a match.Action) (answer, error) {
	m, err := b.matches.Act(ctx, match.Deed{Match: p.match, By: r.me(), Action: a, Event: r.ID, Apart: true})
	key := "draw_declined"
	switch mine := m.StoneOf(r.me()); {
	case err == nil && m.Status.Over():
		key = "draw_agreed"
	case err == nil:
	case errors.Is(err, match.NoOffer) && m.Offer == mine:
		return say(r.mine.T("question_for", "Player", playerText(r.mine, m.Opponent(r.me())))), nil
	case errors.Is(err, match.Over) && mine != match.Empty && m.Reason == match.ByAgreement:
		key = "draw_agreed_before" // a second click must not take the news back
	case errors.Is(err, match.NoOffer), errors.Is(err, match.Over) && mine != match.Empty:
		key = "draw_gone"
	default:
		return b.refuse(r, &m, err, "")
	}
	ours := b.boardIn(ctx, &m)
	b.answered(ctx, m.ID, p.version)
	says := offerClosed(ours, &m, ours.T(key, "Player", mention(r.user.ID)))
	return answer{kind: callbackUpdate, data: says, redraw: m.ID, repost: err == nil, outcome: key}, nil
}

// showAgain posts the board anew at the bottom of the channel.
func (b *Bot) showAgain(ctx context.Context, r *request, id match.ID) (answer, error) {
	m, err := b.load(ctx, id)
	if err != nil {
		return answer{}, err
	}
	if !m.Involves(r.me()) {
		return b.refuse(r, &m, match.NotYours, "")
	}
	return b.postAgain(r, &m), nil
}

// postAgain posts the board anew, but not where the other player may be unable
// to see it: a match between people stays in its server or conversation.
func (b *Bot) postAgain(r *request, m *match.Match) answer {
	elsewhere := m.Where.Guild != r.GuildID || r.GuildID == "" && m.Where.Channel != r.ChannelID
	if l := link(m.Where); elsewhere && l != "" && !m.AgainstEngine() {
		return say(r.mine.T("board_elsewhere", "Link", l))
	}
	return b.post(r, m)
}
