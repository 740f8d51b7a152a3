package bot

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/gateway"
	"rowbot/match"
)

// maxTries is how often an edit is tried while Discord cannot be reached; the
// pauses between them grow to some minutes in all. A board that is not drawn
// even then is right again at the next click on it.
const maxTries = 8

// maxPause is the longest pause between two tries of an edit. Discord may ask for one of
// up to a day; the edit is then left to the sweep.
const maxPause = time.Minute

// retryIn says after what pause a failed edit is worth another try.
func retryIn(err error, tries int) (time.Duration, bool) {
	if err == nil || lasting(err) || errors.Is(err, match.ErrNotFound) || tries >= maxTries {
		return 0, false
	}
	if wait, limited := rateLimited(err); limited {
		if wait > maxPause {
			return 0, false
		}
		return wait, true
	}
	return 250 * time.Millisecond << tries, true
}

// errMovedOn: while an edit waited for its turn, the match went on at another message.
var errMovedOn = errors.New("another message shows the match by now")

// draw edits a match's message to show the match as it is when the edit is sent. It
// returns the version that it shows, or would have shown.
func (s *boards) draw(id match.ID, instead bool) (shows match.Version, err error) {
	defer caught(&err)
	m, err := s.bot.load(s.ctx, id)
	if err != nil {
		return 0, err
	}
	shows = m.Version
	if m.Where.Message == "" {
		return shows, errNoMessage
	}
	at := m.Where
	err = s.edit(s.ctx, at, gateway.Late(func() (any, error) {
		m, next, err := s.bot.withRematch(s.ctx, id)
		if err != nil {
			return nil, err
		}
		if m.Where.Message != at.Message {
			return nil, errMovedOn
		}
		shows = m.Version
		s.bot.notices.follow(&m)
		return upload(s.bot.current(s.ctx, &m, next)), nil
	}), instead)
	return shows, err
}

// current is the message of a match as it stands, with the match that followed it
// if there is one.
func (b *Bot) current(ctx context.Context, m, next *match.Match) message {
	l := b.boardIn(ctx, m)
	if next != nil {
		return b.followed(l, m, next)
	}
	return b.board(l, m, nil)
}

// edit changes a message. Where the bot itself may not, and nobody waits to
// answer with the board instead, it is done through an interaction while the
// token of that lasts: it reaches also where the bot is no member.
func (s *boards) edit(ctx context.Context, w match.Where, body any, instead bool) error {
	_, err := s.bot.call(ctx, http.MethodPatch, "channels/"+w.Channel+"/messages/"+w.Message, body)
	if !lasting(err) || instead {
		return err
	}
	if path, ok := s.bot.reached(w.Message); ok {
		_, err = s.bot.call(ctx, http.MethodPatch, path, body)
	}
	return err
}

// tokenLife is how long an interaction's token is used: Discord takes it for
// fifteen minutes.
const tokenLife = 14 * time.Minute

// reach is a path by which a message can be edited for a while.
type reach struct {
	path  string
	until time.Time
}

// reaches notes that a message can be edited through an interaction: the one
// that carries its component, or the one that answered it.
func (b *Bot) reaches(i *discordgo.Interaction, message string) {
	b.reach.Add(message, reach{path: b.original(i), until: b.matches.Now().Add(tokenLife)})
}

// reached returns the path by which a message can be edited, if there is one.
func (b *Bot) reached(message string) (string, bool) {
	r, ok := b.reach.Get(message)
	if ok && !b.matches.Now().Before(r.until) {
		b.reach.Remove(message)
		ok = false
	}
	return r.path, ok
}

// drawRetired edits a message that a newer one has replaced. One that is too old
// for that is deleted: only one message is to have buttons that can be pressed.
func (s *boards) drawRetired(id match.ID, old match.Where) (err error) {
	defer caught(&err)
	m, err := s.bot.load(s.ctx, id)
	if err != nil {
		return err
	}
	err = s.edit(s.ctx, old, s.bot.retired(s.bot.lookAt(s.ctx, old), &m), false)
	if code(err) == codeOldMessage {
		_, err = s.bot.call(s.ctx, http.MethodDelete, "channels/"+old.Channel+"/messages/"+old.Message, nil)
	}
	return err
}

// withRematch loads a match and, if it is over, the match that followed it.
func (b *Bot) withRematch(ctx context.Context, id match.ID) (m match.Match, next *match.Match, err error) {
	err = b.store.View(ctx, func(tx match.Tx) error {
		next = nil
		if m, err = tx.Match(ctx, id); err != nil || !m.Status.Over() {
			return err
		}
		again, err := tx.Rematch(ctx, id)
		if errors.Is(err, match.ErrNotFound) {
			return nil
		}
		next = &again
		return err
	})
	return m, next, err
}
