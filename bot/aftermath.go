package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/match"
)

const (
	// behindAtOnce is how many answers may have work left behind them. In webhook
	// mode that is every answer for as long as Discord needs to take it (settling),
	// some 700 in the busiest process; while Discord takes no edits, those that wait
	// for one add up.
	behindAtOnce = 2048
	// behindLimit bounds the work behind one answer.
	behindLimit = 30 * time.Second
	// behindClose is how long Close waits for that work.
	behindClose = 5 * time.Second
)

// behind does what follows from an answer that has been handed over, on a goroutine
// of its own, so that the caller is free for the next interaction. While all places
// are taken, the caller does the work itself: interactions are then dropped only when
// all those callers are busy, too.
func (b *Bot) behind(do func(ctx context.Context)) {
	work := func() {
		ctx, cancel := context.WithTimeout(b.boards.ctx, behindLimit)
		defer cancel()
		do(ctx)
	}
	select {
	case b.following <- struct{}{}:
		b.work.Go(func() {
			defer func() { <-b.following }()
			work()
		})
	default:
		work()
	}
}

// awaitBehind returns when no answer has work left behind it, or after behindClose.
func (b *Bot) awaitBehind() {
	limit := time.NewTimer(behindClose)
	defer limit.Stop()
	for range cap(b.following) { // whoever has all places knows that nobody has one
		select {
		case b.following <- struct{}{}:
			defer func() { <-b.following }()
		case <-limit.C:
			return
		}
	}
}

// finish delivers an answer and starts what follows from it. Whatever fails here
// changes nothing in any match: at worst a board is drawn again.
func (s *service) finish(ctx context.Context, a answer, hand delivery) {
	arrived := func() {}
	if a.shows != nil {
		id, v := a.shows.ID, a.shows.Version
		s.boards.begin(id, v, seen(s.i))
		arrived = sync.OnceFunc(func() { s.boards.end(id, v) })
	}
	posted, err := handOver(context.WithoutCancel(ctx), a, hand)                  // the handler may have used up its time; delivering has limits of its own
	a.data = nil                                                                  // may be a large board, and many answers may wait
	s.behind(func(ctx context.Context) { s.after(ctx, a, posted, err, arrived) }) //nolint:contextcheck // it outlives the handler
}

// handOver makes a delivery. A panic in it is an error.
func handOver(ctx context.Context, a answer, hand delivery) (posted made, err error) {
	defer caught(&err)
	return hand(ctx, a)
}

// after does what follows from an answer. posted and err are the result of delivering
// it; arrived tells the boards that it is no longer on its way.
func (s *service) after(ctx context.Context, a answer, posted made, err error, arrived func()) {
	log := s.log.With("interaction", s.i.ID, "guild", s.i.GuildID, "asked", asked(s.i), "outcome", a.outcome)
	defer func() {
		if p := recover(); p != nil {
			log.ErrorContext(ctx, "panic behind an answer", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	defer arrived() // also where something below panics
	if err == nil && a.kept() && posted.ID == "" {
		s.settle(ctx)
		posted, err = messageOf(s.call(ctx, http.MethodGet, s.original(s.i), nil))
	}
	s.conclude(ctx, log, &a, posted, err)
	arrived()
	s.catchUpAfter(ctx, a, err)
	if a.also != "" && err == nil {
		if _, err := s.followUp(ctx, s.i, note(a.also), true); err != nil {
			log.WarnContext(ctx, "note not delivered", "error", err)
		}
	}
	if a.redraw != "" {
		if v, shown := s.follow(ctx, s.i, a.redraw, a.repost); shown && a.repost {
			a.drawn, a.version = a.redraw, v
		}
	}
	if a.drawn != "" && (err == nil || !a.posts) {
		s.drawn(ctx, a.drawn, a.version)
	}
	if a.starts && err == nil && !posted.private() {
		on := posted.ID
		if on == "" && s.i.Message != nil {
			on = s.i.Message.ID
		}
		s.openThread(ctx, s.i, a.shows, on)
	}
}

// catchUpAfter brings the board that an answer shows, or was to show, up to what has
// happened in its match meanwhile.
func (s *service) catchUpAfter(ctx context.Context, a answer, err error) {
	if a.shows == nil {
		return
	}
	if a.shows.Owed() {
		s.catchUp(ctx, a.shows)
	}
	s.notices.follow(a.shows)
	if err != nil && !a.posts {
		s.boards.redraw(a.shows.ID)
	}
}

// seen is the version of the board that a button was on, 0 where it was not on one.
func seen(i *discordgo.Interaction) match.Version {
	if d, ok := i.Data.(discordgo.MessageComponentInteractionData); ok {
		p, _ := parsePress(d.CustomID)
		return p.version
	}
	return 0
}

// conclude reports what became of an answer, and notes what is to be remembered of one
// that was delivered. Where another process was faster, posting is left to that one.
func (s *service) conclude(ctx context.Context, log *slog.Logger, a *answer, posted made, err error) {
	elsewhere := errors.Is(err, errElsewhere)
	if elsewhere {
		a.outcome, a.repost = "elsewhere", false
	}
	s.report(*a, err == nil || elsewhere)
	switch {
	case elsewhere:
		log.InfoContext(ctx, "interaction answered by another process")
	case err != nil:
		log.WarnContext(ctx, "answer not delivered", "error", err)
	default:
		log.InfoContext(ctx, "interaction answered", "took", s.matches.Now().Sub(s.began))
		s.remember(ctx, *a, posted)
		if a.shows != nil || a.also != "" || a.redraw != "" {
			s.settle(ctx)
		}
	}
}

// remember notes which message shows a match after an answer.
func (s *service) remember(ctx context.Context, a answer, posted made) {
	i := s.i
	switch {
	case a.kind == callbackUpdate && a.shows != nil && i.Message != nil:
		s.reaches(i, i.Message.ID)
	case a.posts && posted.private() && !a.shows.AgainstEngine():
		if err := s.unseen(ctx, *a.shows); err != nil {
			s.log.WarnContext(ctx, "message that nobody else sees not closed", "interaction", i.ID, "match", string(a.shows.ID), "error", err)
		}
	case a.offers != nil && posted.ID != "" && !posted.private():
		s.offered(ctx, a.offers, posted.ID)
	case a.posts && posted.ID != "":
		s.reaches(i, posted.ID)
		s.moved(ctx, a.shows.ID, match.Where{
			Guild: i.GuildID, Channel: i.ChannelID, Message: posted.ID, Locale: a.shows.Where.Locale,
		})
	}
}

// follow redraws a board on another message. Where that message cannot be
// edited, the board may be posted anew in answer to the interaction, and the
// match goes on there. It reports whether the board is there, and which version of
// the match it shows.
func (b *Bot) follow(ctx context.Context, i *discordgo.Interaction, id match.ID, repost bool) (shows match.Version, shown bool) {
	shows, err := b.boards.wait(ctx, id, true)
	if !lasting(err) || !repost {
		return shows, err == nil
	}
	m, err := b.load(ctx, id)
	if err != nil {
		b.log.WarnContext(ctx, "board not posted again", "interaction", i.ID, "match", string(id), "error", err)
		return 0, false
	}
	posted, err := b.followUp(ctx, i, b.board(b.boardIn(ctx, &m), &m, nil), false)
	if err != nil {
		b.log.WarnContext(ctx, "board not posted again", "interaction", i.ID, "match", string(id), "error", err)
		return 0, false
	}
	if posted.private() && !m.AgainstEngine() {
		return 0, false
	}
	b.moved(ctx, id, match.Where{Guild: i.GuildID, Channel: i.ChannelID, Message: posted.ID, Locale: m.Where.Locale})
	b.notices.follow(&m)
	return m.Version, true
}

// drawn notes that a board shows a version of its match.
func (b *Bot) drawn(ctx context.Context, id match.ID, v match.Version) {
	if err := b.shown(ctx, id, v); err != nil {
		b.log.WarnContext(ctx, "board not noted as drawn; it is drawn again", "match", string(id), "error", err)
	}
}

// moved notes the message that shows a match from now on, and takes the old one
// out of use.
func (b *Bot) moved(ctx context.Context, id match.ID, to match.Where) {
	old, err := b.matches.Moved(ctx, id, to)
	if err != nil {
		b.log.WarnContext(ctx, "board's place not noted", "match", string(id), "error", err)
		return
	}
	if old != (match.Where{}) {
		b.boards.retire(id, old)
	}
}
