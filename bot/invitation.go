package bot

import (
	"cmp"
	"context"
	"errors"

	"github.com/bwmarrin/discordgo"

	"rowbot/match"
)

// answerChallenge accepts, declines or withdraws a challenge. Pressed on the challenge's
// own message, the answer is that message. Pressed elsewhere, such as below the private
// answer that there already is a challenge, the answer is a private line, and the
// message is edited if it can be.
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

// accepted answers somebody who has accepted a challenge away from its message: with a
// link to it, or, where it cannot be edited, with the board itself.
func (b *Bot) accepted(ctx context.Context, r *request, m *match.Match) answer {
	wait, cancel := context.WithTimeout(ctx, editWait)
	defer cancel()
	shows, err := b.boards.wait(wait, m.ID, true)
	if lasting(err) {
		a := b.post(r, m)
		a.starts, a.drawn, a.version = m.Event == r.ID, m.ID, m.Version
		return a
	}
	a := b.privately(r, r.mine.T("you_accepted", "Link", cmp.Or(link(m.Where), "/matches")))
	if err == nil {
		a.drawn, a.version = m.ID, shows
	}
	if m.Event == r.ID {
		there := *r.Interaction
		there.ChannelID = m.Where.Channel
		b.work.Go(func() {
			if err := b.threaded(b.boards.ctx, &there, m); err != nil {
				b.log.ErrorContext(b.boards.ctx, "thread not opened", "interaction", r.ID, "match", string(m.ID), "error", err)
			}
		})
	}
	return a
}

// threaded is openThread on the message that shows a match. A panic in it is an error.
func (b *Bot) threaded(ctx context.Context, i *discordgo.Interaction, m *match.Match) (err error) {
	defer caught(&err)
	b.openThread(ctx, i, m, m.Where.Message)
	return nil
}

// challengerGone reports whether a challenge that the caller may accept was made by
// somebody who has left the server. If so, it closes the challenge and returns the
// answer. Whatever cannot be found out is no obstacle.
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

// remedies are the buttons that settle the challenge that stands in the way at once,
// wherever its message may be.
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
