package bot

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/match"
)

// deferAfter is how long a handler may take before Discord is told to wait;
// Discord itself gives up after three seconds.
const deferAfter = 2 * time.Second

// answer is what an interaction gets back, and what is to be done once it has
// been delivered.
type answer struct {
	kind callbackKind
	data any
	// private: only the caller sees the message.
	private bool
	// shows is the match that the message shows as its board. posts says that the
	// message is a new one, which the match moves to.
	shows *match.Match
	posts bool
	// starts: the match has just started.
	starts bool
	// redraw is a match whose board, on another message, has to follow; with
	// repost, the board is posted anew where that message cannot be edited.
	redraw match.ID
	repost bool
	// waits is the match in which the caller was told to wait for their turn.
	waits *match.Match
	// also is said to the caller alone, after the answer.
	also string
	// outcome is a word for the log.
	outcome string
}

type callbackKind = int

// say answers with a message that only the caller sees.
func say(s string, rows ...component) answer {
	return answer{kind: callbackReply, data: note(s, rows...), private: true, outcome: "said"}
}

// Serve answers one interaction: once, within Discord's three seconds, whatever
// happens. It returns when all that the interaction causes is done.
func (b *Bot) Serve(ctx context.Context, i *discordgo.Interaction) {
	if known, _ := b.seen.ContainsOrAdd(i.ID, struct{}{}); known {
		b.log.DebugContext(ctx, "interaction delivered again", "interaction", i.ID)
		return
	}
	began := b.matches.Now()
	done := make(chan answer, 1)
	b.work.Go(func() { done <- b.handle(ctx, i) })
	timer := time.NewTimer(deferAfter)
	defer timer.Stop()
	select {
	case a := <-done:
		b.finish(ctx, i, began, a, b.deliver)
	case <-timer.C:
		b.postpone(ctx, i)
		b.finish(ctx, i, began, <-done, b.deliverLate)
	}
}

// handle finds the answer. A panic in a handler becomes an answer too.
func (b *Bot) handle(ctx context.Context, i *discordgo.Interaction) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			b.log.ErrorContext(ctx, "handler panicked", "interaction", i.ID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			a = b.broken(i)
		}
	}()
	r, err := b.read(ctx, i)
	if err == nil {
		a, err = b.route(ctx, r)
		if a.shows != nil {
			b.notices.saw(a.shows.ID, r.user.ID)
		}
		a = b.promise(ctx, r, a)
	}
	if err != nil {
		b.log.ErrorContext(ctx, "interaction not handled", "interaction", i.ID, "error", err)
		return b.broken(i)
	}
	return a
}

// caught makes an error of a panic, for work in the background. It is to be
// deferred.
func caught(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
	}
}

// broken is the answer when the fault is ours. Its number leads to the log.
func (b *Bot) broken(i *discordgo.Interaction) answer {
	if i.Type == discordgo.InteractionApplicationCommandAutocomplete {
		return suggest(nil)
	}
	a := say(b.texts.For(string(i.Locale)).T("our_fault", "ID", i.ID))
	a.outcome = "fault"
	return a
}

// delivery is a way to hand over an answer. It returns the ID of the message
// that the answer made, where it made one.
type delivery func(ctx context.Context, i *discordgo.Interaction, a answer) (string, error)

// finish delivers an answer and does what follows from it. Whatever fails here
// changes nothing in any match: at worst a board is drawn again.
func (b *Bot) finish(ctx context.Context, i *discordgo.Interaction, began time.Time, a answer, hand delivery) {
	log := b.log.With("interaction", i.ID, "guild", i.GuildID, "asked", asked(i), "outcome", a.outcome)
	if a.shows != nil {
		b.boards.begin(a.shows.ID, a.shows.Version)
	}
	posted, err := hand(ctx, i, a)
	switch {
	case err != nil:
	case a.kind == callbackUpdate && a.shows != nil && i.Message != nil:
		b.reaches(i, i.Message.ID)
	case a.posts && posted != "":
		b.reaches(i, posted)
		b.moved(ctx, a.shows.ID, match.Where{
			Guild: i.GuildID, Channel: i.ChannelID, Message: posted, Locale: a.shows.Where.Locale,
		})
	}
	if a.shows != nil {
		b.boards.end(a.shows.ID)
		if a.shows.Owed() {
			b.catchUp(ctx, a.shows)
		}
		b.notices.follow(a.shows)
	}
	if err != nil {
		log.WarnContext(ctx, "answer not delivered", "error", err)
		if a.shows != nil && !a.posts {
			b.boards.redraw(a.shows.ID)
		}
	} else {
		log.InfoContext(ctx, "interaction answered", "took", b.matches.Now().Sub(began))
	}
	if a.also != "" && err == nil {
		if _, err := b.followUp(ctx, i, note(a.also), true); err != nil {
			log.WarnContext(ctx, "note not delivered", "error", err)
		}
	}
	if a.redraw != "" {
		b.follow(ctx, i, a.redraw, a.repost)
	}
	if a.starts && err == nil {
		on := posted
		if on == "" && i.Message != nil {
			on = i.Message.ID
		}
		b.openThread(ctx, i, a.shows, on)
	}
}

// asked says for the log what an interaction asked for.
func asked(i *discordgo.Interaction) string {
	switch d := i.Data.(type) {
	case discordgo.ApplicationCommandInteractionData:
		name, _ := command(d)
		return name
	case discordgo.MessageComponentInteractionData:
		if p, ok := parsePress(d.CustomID); ok {
			return string(p.verb)
		}
		return "component"
	case discordgo.ModalSubmitInteractionData:
		return "modal"
	}
	return "unknown"
}

// follow redraws a board on another message. Where that message cannot be
// edited, the board may be posted anew in answer to the interaction, and the
// match goes on there.
func (b *Bot) follow(ctx context.Context, i *discordgo.Interaction, id match.ID, repost bool) {
	err := b.boards.wait(ctx, id, true)
	if !lasting(err) || !repost {
		return
	}
	m, err := b.load(ctx, id)
	if err != nil {
		b.log.WarnContext(ctx, "board not posted again", "interaction", i.ID, "match", string(id), "error", err)
		return
	}
	posted, err := b.followUp(ctx, i, b.board(b.boardIn(ctx, &m), &m, nil), false)
	if err != nil {
		b.log.WarnContext(ctx, "board not posted again", "interaction", i.ID, "match", string(id), "error", err)
		return
	}
	b.moved(ctx, id, match.Where{Guild: i.GuildID, Channel: i.ChannelID, Message: posted, Locale: m.Where.Locale})
	b.notices.follow(&m)
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
