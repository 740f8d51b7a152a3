package bot

import (
	"context"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/locale"
	"rowbot/match"
)

const (
	// maxOffers is how many messages with draw offers are remembered.
	maxOffers = 10_000
	// offerKnown is after what time is asked which message a draw offer that still
	// stands is on: while the interaction that made it can be used.
	offerKnown = tokenLife - time.Minute
)

// offer is a message with a draw offer that stands, as far as this process knows. It
// is forgotten at a restart; its buttons then say that the offer is gone, too.
type offer struct {
	version match.Version // of the match with the offer
	path    string        // by which the message can be edited until then
	until   time.Time
	where   match.Where // the message, empty until it is asked for
}

// offered remembers the message that an interaction is answered with, which offers a
// draw. What was offered in the match before does not stand any more.
func (s *boards) offered(i *discordgo.Interaction, m *match.Match) {
	o := &offer{
		version: m.Version, path: s.bot.original(i), until: s.bot.matches.Now().Add(tokenLife),
		where: match.Where{Guild: i.GuildID, Channel: i.ChannelID},
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.offers[m.ID]; old != nil {
		s.closeLater(old, *m)
	}
	for id := range s.offers {
		if len(s.offers) < maxOffers {
			break
		}
		delete(s.offers, id)
	}
	s.offers[m.ID] = o
	if s.ctx.Err() == nil {
		id := m.ID
		s.bot.work.Go(func() {
			if err := s.find(id, o); err != nil {
				s.bot.log.DebugContext(s.ctx, "message of a draw offer not found", "match", string(id), "error", err)
			}
		})
	}
}

// answered forgets a match's offer, whose message is being changed by an answer.
func (s *boards) answered(id match.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.offers, id)
}

// followOffer takes the buttons off the message of an offer that does not stand any
// more, in the background.
func (s *boards) followOffer(m *match.Match) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.offers[m.ID]
	if o == nil || m.Version < o.version || m.Offer != match.Empty {
		return
	}
	delete(s.offers, m.ID)
	s.closeLater(o, *m)
}

// find asks for the ID of the message of an offer that stands for long.
func (s *boards) find(id match.ID, o *offer) (err error) {
	defer caught(&err)
	if !sleep(s.ctx, offerKnown) || !s.stands(id, o, "") {
		return nil
	}
	message, err := messageID(s.bot.call(s.ctx, http.MethodGet, o.path, nil))
	if err == nil {
		s.stands(id, o, message)
	}
	return err
}

// stands reports whether an offer is remembered still, and notes its message.
func (s *boards) stands(id match.ID, o *offer, message string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	o.where.Message = message
	return s.offers[id] == o
}

// closeLater is closeOffer in the background; the lock is held.
func (s *boards) closeLater(o *offer, m match.Match) {
	if last := *o; s.ctx.Err() == nil {
		s.bot.work.Go(func() {
			if err := s.closeOffer(s.ctx, &last, &m); err != nil {
				s.bot.log.DebugContext(s.ctx, "draw offer not taken out of use", "match", string(m.ID), "error", err)
			}
		})
	}
}

// closeOffer edits the message of an offer once, if it can be reached.
func (s *boards) closeOffer(ctx context.Context, o *offer, m *match.Match) (err error) {
	defer caught(&err)
	ours := s.bot.boardIn(ctx, m)
	says := fallenText(ours.Printer, m)
	path := o.path
	if !s.bot.matches.Now().Before(o.until) {
		if o.where.Message == "" {
			return errNoMessage
		}
		path = "channels/" + o.where.Channel + "/messages/" + o.where.Message
	}
	_, err = s.bot.call(ctx, http.MethodPatch, path, offerClosed(ours, m, says))
	return err
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
