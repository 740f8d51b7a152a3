package bot

import (
	"context"
	"net/http"

	"rowbot/bot/locale"
	"rowbot/match"
)

// offer is a draw offer that this process has to do with, by the version of its match.
type offer struct {
	version  match.Version
	answered bool // on its message, which says so
}

// offered notes the message that offers a draw, so that whichever copy of the program
// sees the offer fall closes it. It may have been answered by the time that the message
// is known, or long ago where Discord has sent the interaction once more.
func (s *service) offered(ctx context.Context, m *match.Match, message string) {
	s.reaches(s.i, message)
	answered := func() bool {
		o, _ := s.notices.offers.Get(m.ID)
		return o == offer{m.Version, true}
	}
	if answered() {
		return
	}
	s.notices.offers.Add(m.ID, offer{version: m.Version})
	err := s.matches.OfferPosted(ctx, match.Notice{
		Match: m.ID, Turn: m.Version, Channel: s.i.ChannelID, Message: message, At: s.matches.Now(),
	})
	if err != nil {
		s.log.WarnContext(ctx, "draw offer not noted; its buttons stay", "interaction", s.i.ID, "match", string(m.ID), "error", err)
	}
	if answered() {
		s.answered(ctx, m.ID, m.Version)
	}
	s.notices.see(ctx, m.ID) // also to an earlier one
}

// answered forgets a match's offer, whose message is being changed by an answer.
func (b *Bot) answered(ctx context.Context, id match.ID, version match.Version) {
	b.notices.offers.Add(id, offer{version, true})
	if err := b.matches.NoticeGone(ctx, match.Notice{Match: id, Turn: version, Kind: match.DrawOffer}); err != nil {
		b.log.WarnContext(ctx, "draw offer not forgotten", "match", string(id), "error", err)
	}
}

// mayHaveFallen reports whether a match may have a draw offer that does not stand any
// more. What is not known here, since another copy or a process of before has to do
// with it, the next round of notices sees to.
func (n *notices) mayHaveFallen(m *match.Match) bool {
	if m.Offer != match.Empty {
		return false
	}
	if o, ok := n.offers.Get(m.ID); ok && !o.answered && o.version < m.Version {
		n.offers.Remove(m.ID)
		return true
	}
	return m.OfferFrom != [2]int{} && !m.Status.Over()
}

// closeOffer takes the buttons off the message of an offer that does not stand any
// more. One of a match that is not stored any more is deleted.
func (b *Bot) closeOffer(ctx context.Context, m *match.Match, on match.Notice) error {
	if m.ID == "" {
		_, err := b.call(ctx, http.MethodDelete, "channels/"+on.Channel+"/messages/"+on.Message, nil)
		return err
	}
	ours := b.boardIn(ctx, m)
	closed := offerClosed(ours, m, fallenText(ours.Printer, m))
	return b.boards.edit(ctx, match.Where{Channel: on.Channel, Message: on.Message}, closed, false)
}

// fallenText says what became of a draw offer that does not stand any more.
func fallenText(p locale.Printer, m *match.Match) string {
	if m.Status.Over() && m.Reason == match.ByAgreement {
		return p.T("draw_agreed_before")
	}
	return p.T("draw_gone")
}

// offerClosed is the message of a draw offer that somebody has answered, or that
// does not stand any more.
func offerClosed(l look, m *match.Match, says string) message {
	return panel(accentClosed, "**"+gameText(l.Printer, m.Rules)+"** · "+says)
}
