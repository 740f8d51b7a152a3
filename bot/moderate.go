package bot

import (
	"context"
	"errors"

	"github.com/bwmarrin/discordgo"

	"rowbot/match"
)

// notPlaying answers somebody who wants to give up a match that they do not
// play: a moderator of its server may end it instead.
func (b *Bot) notPlaying(r *request, m *match.Match, why error) (answer, error) {
	if !errors.Is(why, match.NotYours) || m.Status.Over() || !r.moderates(m) {
		return b.refuse(r, m, why, "")
	}
	return b.askEnd(r, m), nil
}

// askEnd asks a moderator whether a match is to be ended.
func (b *Bot) askEnd(r *request, m *match.Match) answer {
	one, other := m.Seats[0], m.Seats[1]
	if m.Status == match.Challenged {
		one, other = m.Challenger, m.Invited
	}
	question := r.mine.T("end_sure", "Match", titleText(r.mine, m), "Player", playerText(r.mine, one), "Opponent", playerText(r.mine, other))
	return b.privately(r, question, row(b.matchButton(m, styleDanger, r.mine.T("end_match"), verbEnd, "")))
}

// endMatch ends a match because a moderator wants it.
func (b *Bot) endMatch(ctx context.Context, r *request, id match.ID) (answer, error) {
	m, err := b.load(ctx, id)
	if err != nil {
		return answer{}, err
	}
	if !r.moderates(&m) {
		return b.privately(r, r.mine.T("moderators_only")), nil
	}
	m, err = b.matches.Act(ctx, match.Deed{Match: id, Action: match.Halt{}, Event: r.ID, Apart: true})
	if err != nil {
		return b.refuse(r, &m, err, "")
	}
	a := b.privately(r, r.mine.T("ended"))
	a.redraw, a.repost = id, true
	return a, nil
}

// endNamed asks about the match that an option names.
func (b *Bot) endNamed(ctx context.Context, r *request, id string) (answer, error) {
	if !validID(id) {
		return say(r.mine.T("no_match_of_server")), nil
	}
	m, err := b.load(ctx, match.ID(id))
	switch {
	case errors.Is(err, match.ErrNotFound) || err == nil && !r.moderates(&m):
		return say(r.mine.T("no_match_of_server")), nil
	case err != nil:
		return answer{}, err
	case m.Status.Over():
		return b.refuse(r, &m, match.Over, "")
	}
	return b.askEnd(r, &m), nil
}

// maxRunning is how many of a server's newest matches are searched for a moderator's
// suggestions.
const maxRunning = 110

// completeRunning suggests to a moderator the matches that are being played in
// the server.
func (b *Bot) completeRunning(ctx context.Context, r *request, typed string) (answer, error) {
	if !r.may(mayManageServer) {
		return suggest(nil), nil
	}
	var running []match.Match
	err := b.store.View(ctx, func(tx match.Tx) (err error) {
		running, err = tx.Running(ctx, r.GuildID, maxRunning)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	var list []choice
	for i := range running {
		m := &running[i]
		c := choice{Name: clip(b.bothText(r, m), 100), Value: string(m.ID)}
		if c.fits(typed) && len(list) < maxOptions {
			list = append(list, c)
		}
	}
	return suggest(list), nil
}

// bothText names a match in plain text by both its players.
func (b *Bot) bothText(r *request, m *match.Match) string {
	return titleText(r.mine, m) + dot + b.nameOf(r.mine, m.Seats[0]) + " – " + b.nameOf(r.mine, m.Seats[1]) + dot + b.standing(r, m)
}

// fromMenu challenges the user whose context menu was used.
func (b *Bot) fromMenu(ctx context.Context, r *request, d discordgo.ApplicationCommandInteractionData) (answer, error) {
	args := arguments{"opponent": {Name: "opponent", Type: discordgo.ApplicationCommandOptionUser, Value: d.TargetID}}
	switch p := b.texts.For(""); d.Name {
	case p.T("menu_ttt"):
		return b.challenge(ctx, r, match.TicTacToe, args, d.Resolved)
	case p.T("menu_gomoku"):
		return b.challenge(ctx, r, match.Gomoku, args, d.Resolved)
	}
	return say(r.mine.T("unknown_command")), nil
}
