package bot

import (
	"context"
	"strings"

	"rowbot/match"
)

// maxListed is how many matches /matches shows; their lines stay far below the
// 4000 characters of a message.
const maxListed = 15

// list shows the caller's running matches and challenges, with links to their
// boards.
func (b *Bot) list(ctx context.Context, r *request) (answer, error) {
	open, err := b.open(ctx, match.OpenQuery{User: r.user.ID, Limit: maxListed + 1})
	if err != nil {
		return answer{}, err
	}
	lines := []string{"**" + r.mine.T("your_matches") + "**"}
	for i := range open[:min(len(open), maxListed)] {
		lines = append(lines, b.listLine(r, &open[i]))
	}
	switch {
	case len(open) == 0:
		lines = append(lines, r.mine.T("no_matches"))
	case len(open) > maxListed:
		lines = append(lines, r.mine.T("more_matches", "N", maxListed))
	}
	a := answer{kind: callbackReply, data: panel(accentRunning, strings.Join(lines, "\n")), private: true, outcome: "listed"}
	return a, nil
}

func (b *Bot) listLine(r *request, m *match.Match) string {
	p, me := r.mine, r.me()
	other := playerText(p, m.Opponent(me))
	s := "**" + titleText(p, m) + "** · "
	switch {
	case m.Status == match.Challenged && me == m.Challenger:
		s += p.T("list_sent", "Player", other, "Time", relative(m.Deadline))
	case m.Status == match.Challenged:
		s += p.T("list_received", "Player", other, "Time", relative(m.Deadline))
	case m.ToMove() == me:
		s += p.T("list_yours", "Player", other, "N", len(m.Moves)+1, "Time", relative(m.Deadline))
	default:
		s += p.T("list_theirs", "Player", other, "N", len(m.Moves)+1)
	}
	if l := link(m.Where); l != "" {
		s += dot + "[" + p.T("to_the_board") + "](" + l + ")"
	}
	return s
}

// help says in a few lines how to play.
func (b *Bot) help(r *request) answer {
	a := answer{kind: callbackReply, data: panel(accentRunning, r.mine.T("help")), private: true, outcome: "help"}
	return a
}
