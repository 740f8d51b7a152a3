package bot

import (
	"context"
	"errors"

	"rowbot/match"
)

// answerChallenge accepts, declines or withdraws a challenge. On its own message the
// answer is that message; elsewhere, such as on the private answer that there is a
// challenge already, the presser is told, and the message follows if it can.
func (b *Bot) answerChallenge(ctx context.Context, r *request, p press, does match.Action) (answer, error) {
	if _, accepts := does.(match.Accept); accepts {
		if a, gone, err := b.challengerGone(ctx, r, p.match); gone || err != nil {
			return a, err
		}
	}
	if !r.private() {
		return b.onBoard(ctx, r, p, does, "")
	}
	m, err := b.act(ctx, match.Deed{Match: p.match, Seen: p.version, By: r.me(), Action: does, Event: r.ID, Apart: true})
	late := errors.Is(err, match.Stale)
	switch {
	case late && !played(&m, r.me(), does):
		return b.refuse(r, &m, match.Gone, "")
	case err != nil && !late:
		return b.refuse(r, &m, err, "")
	case m.Status == match.Active:
		return b.accepted(ctx, r, &m), nil
	}
	if !late {
		b.show(m.ID)
	}
	key := "you_withdrew"
	if m.Status == match.Declined {
		key = "you_declined"
	}
	return b.privately(r, r.mine.T(key)), nil
}

// accepted answers whoever has accepted a challenge away from its message: by where
// the match is played, or, where that message cannot be edited, by the board itself.
func (b *Bot) accepted(ctx context.Context, r *request, m *match.Match) answer {
	wait, cancel := context.WithTimeout(ctx, editWait)
	defer cancel()
	err := b.boards.wait(wait, m.ID, true)
	if lasting(err) {
		a := b.post(r, m)
		a.starts, a.drawn = m.Event == r.ID, m.ID
		return a
	}
	a := b.privately(r, r.mine.T("you_accepted", "Link", link(m.Where)))
	if err == nil {
		a.drawn = m.ID
	}
	if m.Event == r.ID {
		there := *r.Interaction
		there.ChannelID = m.Where.Channel
		b.work.Go(func() {
			b.openThread(b.boards.ctx, &there, m, m.Where.Message)
		})
	}
	return a
}

// challengerGone reports whether a challenge that the caller may accept is one of
// somebody who has left the server, with the answer that then fits: the challenge is
// closed. Whatever cannot be found out is no obstacle.
func (b *Bot) challengerGone(ctx context.Context, r *request, id match.ID) (a answer, gone bool, err error) {
	if r.GuildID == "" || !r.botIsHere() {
		return answer{}, false, nil
	}
	m, err := b.load(ctx, id)
	if err != nil {
		return answer{}, false, err
	}
	if !b.acceptable(&m, r.me()) || m.Replaced(r.where()) || !b.hasLeft(ctx, r, m.Challenger) {
		return answer{}, false, nil
	}
	m, err = b.matches.Act(ctx, match.Deed{
		Match: id, Board: r.where(), By: m.Challenger, Action: match.Desert{}, Event: r.ID, Apart: true,
	})
	if err != nil {
		a, err = b.refuse(r, &m, err, "")
		return a, true, err
	}
	b.show(id)
	return b.privately(r, r.mine.T("challenger_left")), true, nil
}

// acceptable reports whether somebody may accept a challenge now.
func (b *Bot) acceptable(m *match.Match, by match.Player) bool {
	now := b.matches.Now()
	_, no := m.Apply(match.Accept{}, by, now)
	return no == nil && now.Before(m.Deadline)
}

// remedies are the buttons by which the challenge that stands in the way is answered
// at once, wherever its message may be.
func (b *Bot) remedies(r *request, m *match.Match, why match.Refusal) []component {
	switch why { //nolint:exhaustive // the others are about no challenge
	case match.AlreadyAsked, match.AlreadyOpen:
		return []component{row(b.matchButton(m, styleSecondary, r.mine.T("withdraw"), verbWithdraw, ""))}
	case match.AskedByThem:
		return []component{row(
			b.matchButton(m, styleSuccess, r.mine.T("accept"), verbAccept, ""),
			b.matchButton(m, styleDanger, r.mine.T("decline"), verbDecline, ""),
		)}
	}
	return nil
}
