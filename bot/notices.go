package bot

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"rowbot/match"
)

const (
	// noticesAtOnce is how many matches' notices a round sees to at the same time.
	noticesAtOnce = 4
	// nonceLife is how long Discord surely remembers the nonce of a message, so that
	// a second try cannot make a second one. It says only "the past few minutes".
	nonceLife = 2 * time.Minute
)

// notices tells those who are to move and are away, by a short message with a
// link, and takes the messages away when they are settled. What is to be posted
// and what stands is in the store; here is only who is at work on which match.
type notices struct {
	bot   *Bot
	quiet time.Duration // nothing happens in a match for so long: tell; 0: never

	mu sync.Mutex
	// busy are the matches that are being seen to, and whether that was asked for
	// again meanwhile.
	busy map[match.ID]bool

	// offers are the latest draw offers that this process has posted or has had
	// answered: a match with one is looked at once more when it has gone on.
	offers *lru.Cache[match.ID, offer]
}

// sight is somebody at a match; when they were last seen there is kept under it.
type sight struct {
	match match.ID
	user  string
}

// round sees to all matches with something due.
func (n *notices) round(ctx context.Context, d duty) {
	var work sync.WaitGroup
	defer work.Wait()
	slots := make(chan struct{}, noticesAtOnce)
	see := func(id match.ID) {
		slots <- struct{}{}
		work.Go(func() {
			defer func() { <-slots }()
			n.see(ctx, id)
		})
	}
	hear := func(a match.Alarm) { see(a.Match) }
	err := errors.Join(
		each(ctx, d, n.bot.matches.Unsettled, see),
		each(ctx, d, n.bot.matches.ShortOfTime, hear))
	if n.quiet > 0 {
		err = errors.Join(err, each(ctx, d, func(ctx context.Context, after match.Alarm) ([]match.Alarm, error) {
			return n.bot.matches.Quiet(ctx, n.quiet, after)
		}, hear))
	}
	if err != nil && ctx.Err() == nil {
		n.bot.log.ErrorContext(ctx, "notices not looked for", "error", err)
	}
}

// follow sees to the notices of a match that has just changed, and to its draw offer,
// in the background.
func (n *notices) follow(m *match.Match) {
	if m.Told != (match.Told{}) || n.mayHaveFallen(m) {
		n.bot.work.Go(func() { n.see(n.bot.boards.ctx, m.ID) })
	}
}

// see does what is to be done about the notices of one match. While somebody is
// at it already, they do it once more.
func (n *notices) see(ctx context.Context, id match.ID) {
	if !n.enter(id) {
		return
	}
	for done := false; !done; done = n.leave(ctx, id) {
		if err := n.attend(ctx, id); err != nil && ctx.Err() == nil {
			n.bot.log.WarnContext(ctx, "notices not settled yet", "match", string(id), "error", err)
		}
	}
}

// enter reports whether nobody is at work on a match's notices; now somebody is.
func (n *notices) enter(id match.ID) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	_, busy := n.busy[id]
	n.busy[id] = busy
	return !busy
}

// leave reports whether that work is done: nobody has asked for it again.
func (n *notices) leave(ctx context.Context, id match.ID) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.busy[id] && ctx.Err() == nil {
		n.busy[id] = false
		return false
	}
	delete(n.busy, id)
	return true
}

// attend decides upon what is due in a match, posts what is to be posted, and
// takes away what is over.
func (n *notices) attend(ctx context.Context, id match.ID) (err error) {
	defer caught(&err)
	m, all, err := n.bot.matches.Notices(ctx, id)
	if err != nil {
		return err
	}
	if n.due(&m) {
		if err := n.bot.matches.Tell(ctx, id, m.Since, n.quiet, n.bot.wantsNotices(ctx, m.ToMove().User)); err != nil {
			return err
		}
		if m, all, err = n.bot.matches.Notices(ctx, id); err != nil {
			return err
		}
	}
	for _, notice := range all {
		switch notice.State {
		case match.Retired:
			err = errors.Join(err, n.takeAway(ctx, &m, notice))
		case match.Posting:
			err = errors.Join(err, n.post(ctx, &m, notice))
		case match.Posted:
		}
	}
	return err
}

// due reports whether somebody is to be told something now. Who was there within
// the time, such as to shift the board, is not away.
func (n *notices) due(m *match.Match) bool {
	now := n.bot.matches.Now()
	kind := m.NoticeDue(now, n.quiet)
	if kind == match.YourTurn {
		at, ok := n.bot.sights.Get(sight{m.ID, m.ToMove().User})
		return !ok || now.Sub(at) >= n.quiet
	}
	return kind != match.NoNotice
}

// saw notes that somebody has just done something about a match, even if it
// changed nothing there: they are not away.
func (n *notices) saw(id match.ID, user string) {
	n.bot.sights.Add(sight{id, user}, n.bot.matches.Now())
}

// wantsNotices reports whether a person wants to be told when it is their turn,
// and when the time for it runs out, as most do.
func (b *Bot) wantsNotices(ctx context.Context, user string) bool {
	var p match.Preferences
	err := b.store.View(ctx, func(tx match.Tx) (err error) {
		p, err = tx.Preferences(ctx, user)
		return err
	})
	if err != nil {
		b.log.WarnContext(ctx, "preferences not read", "error", err)
	}
	return err == nil && !p.Quiet
}

// tells reports whether a player of a match will be told when it is their turn.
func (b *Bot) tells(ctx context.Context, m *match.Match, user string) bool {
	return b.notices.quiet > 0 && m.Tells() && b.wantsNotices(ctx, user)
}

// post brings a notice to its channel. One whose fate is not known is posted once
// more for as long as its nonce is sure to be remembered, and then given up: it
// may stand there, and nobody is told twice. Nor is anybody told to move when the
// time for it is over.
func (n *notices) post(ctx context.Context, m *match.Match, notice match.Notice) error {
	b := n.bot
	now := b.matches.Now()
	if !m.Current(notice) || !now.Before(m.Deadline) || notice.Channel != m.Where.Channel || now.Sub(notice.At) >= nonceLife {
		return b.matches.NoticeGone(ctx, notice)
	}
	body := b.noticeMessage(m, notice)
	posted, err := n.send(ctx, notice, body)
	if refused(err) && code(err) != codeNoAccess {
		body.Reference = nil // the board may be gone, or the history hidden
		posted, err = n.send(ctx, notice, body)
	}
	switch {
	case err == nil:
		return b.matches.NoticePosted(ctx, notice, posted, m.Where)
	case refused(err):
		b.log.InfoContext(ctx, "nobody can be told here", "match", string(m.ID), "channel", notice.Channel, "error", err)
		return b.matches.NoticeRefused(ctx, notice)
	}
	return err
}

func (n *notices) send(ctx context.Context, notice match.Notice, body noticeMessage) (string, error) {
	return messageID(n.bot.call(ctx, http.MethodPost, "channels/"+notice.Channel+"/messages", body))
}

// takeAway deletes a notice, or closes the message of a draw offer. That it is gone
// already is as good.
func (n *notices) takeAway(ctx context.Context, m *match.Match, notice match.Notice) error {
	var err error
	if notice.Kind == match.DrawOffer {
		err = n.bot.closeOffer(ctx, m, notice)
	} else {
		_, err = n.bot.call(ctx, http.MethodDelete, "channels/"+notice.Channel+"/messages/"+notice.Message, nil)
	}
	if err != nil && !lasting(err) {
		return err
	}
	return n.bot.matches.NoticeGone(ctx, notice)
}

// refused reports whether Discord will not take a message, now or later.
func refused(err error) bool { return err != nil && lasting(err) }

// noticeMessage is the body of a notice.
type noticeMessage struct {
	message

	Reference *reference `json:"message_reference,omitempty"`
	Nonce     string     `json:"nonce"`
	Enforce   bool       `json:"enforce_nonce"`
}

// reference makes a message an answer to another one.
type reference struct {
	Message string `json:"message_id"`
	Fail    bool   `json:"fail_if_not_exists"`
}

// noticeMessage writes a notice, which pings whoever is to move and nobody else.
func (b *Bot) noticeMessage(m *match.Match, notice match.Notice) noticeMessage {
	p, who := b.texts.For(m.Where.Locale), m.ToMove()
	s := p.T("your_turn", "Player", playerText(p, who), "Link", link(m.Where))
	if notice.Kind == match.TimeShort {
		key := "reminder"
		if !m.Begun() {
			key = "reminder_closes"
		}
		s = p.T(key, "Player", playerText(p, who), "Time", dateAndTime(m.Deadline)+" ("+relative(m.Deadline)+")", "Link", link(m.Where))
	}
	body := note(s)
	body.Mentions.Users = []string{who.User}
	return noticeMessage{
		message: body, Reference: &reference{Message: m.Where.Message}, Enforce: true,
		Nonce: "n" + strconv.Itoa(int(notice.Kind)) + "." + string(m.ID) + "." + strconv.FormatUint(uint64(notice.Turn), 36),
	}
}
