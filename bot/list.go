package bot

import (
	"context"
	"strings"

	"rowbot/match"
)

// maxListed is how many matches a page of /matches shows; their lines stay far
// below the 4000 characters of a message.
const maxListed = 15

// list shows a page, from 0, of the caller's running matches and challenges,
// with links to their boards. A page that has emptied meanwhile is the first.
func (b *Bot) list(ctx context.Context, r *request, page int) (answer, error) {
	query := match.OpenQuery{User: r.user.ID, Offset: page * maxListed, Limit: maxListed + 1}
	open, err := b.open(ctx, query)
	if err == nil && b.arrived(ctx, open) {
		open, err = b.open(ctx, query)
	}
	if err != nil {
		return answer{}, err
	}
	if len(open) == 0 && page > 0 {
		return b.list(ctx, r, 0)
	}
	lines := []string{"**" + r.mine.T("your_matches") + "**"}
	for i := range open[:min(len(open), maxListed)] {
		lines = append(lines, b.listLine(r, &open[i]))
	}
	if len(open) == 0 {
		lines = append(lines, r.mine.T("no_matches"))
	}
	var rows []component
	if more := len(open) > maxListed; more || page > 0 {
		rows = []component{listButtons(page, more)}
	}
	a := answer{kind: callbackReply, data: panel(accentRunning, strings.Join(lines, "\n"), rows...), private: true, outcome: "listed"}
	if r.private() {
		a.kind, a.private = callbackUpdate, false
	}
	return a, nil
}

// listButtons lead to the pages beside one. The target of a disabled button must
// differ from the other one.
func listButtons(page int, more bool) component {
	back := button(styleSecondary, "‹", listID((page+maxPages-1)%maxPages))
	back.Disabled = page == 0
	on := button(styleSecondary, "›", listID((page+1)%maxPages))
	on.Disabled = !more || page+1 >= maxPages
	return row(back, on)
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
	return answer{kind: callbackReply, data: panel(accentRunning, r.mine.T("help")), private: true, outcome: "help"}
}
