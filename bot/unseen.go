package bot

import (
	"context"
	"fmt"
	"net/http"

	"rowbot/match"
)

// unseen sees to a message of a match between people that was posted for all, and
// that Discord shows to the caller alone (see made.private). A challenge that was
// made with it is withdrawn: nobody could answer it. Nothing stays to be pressed, and
// the message says why, and what to do or where the match is played.
func (s *service) unseen(ctx context.Context, m match.Match) error {
	if id, _ := newID(s.i.ID); m.ID == id && m.Status == match.Challenged {
		var err error
		if m, err = s.matches.Act(ctx, match.Deed{Match: id, By: m.Challenger, Action: match.Withdraw{Unseen: true}}); err != nil {
			return fmt.Errorf("withdraw challenge %s: %w", id, err)
		}
	}
	l := look{Printer: s.texts.For(string(s.i.Locale)), style: s.house(ctx, s.i.GuildID).Style}
	if _, err := s.call(ctx, http.MethodPatch, s.original(s.i), s.unseenMessage(l, &m)); err != nil {
		return fmt.Errorf("edit the message: %w", err)
	}
	return nil
}

func (b *Bot) unseenMessage(l look, m *match.Match) message {
	if m.Where.Message != "" {
		return b.retired(l, m)
	}
	says := l.T("hidden_board", "Game", string(m.Rules.Game()))
	if m.Status == match.Lapsed {
		says = l.T("hidden_challenge", "Permission", l.T("perm_external"))
	}
	return drawing{accent: accentClosed, text: headText(l.Printer, m) + "\n" + says}.in(l)
}
