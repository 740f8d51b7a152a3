package bot

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/gateway"
	"rowbot/match"
)

// deferAfter is how long a handler may take before Discord is told to wait;
// Discord itself gives up after three seconds.
const deferAfter = 2 * time.Second

// answer is what an interaction gets back, and what to do once that has been
// delivered.
type answer struct {
	kind callbackKind
	data any
	// private: only the caller sees the message.
	private bool
	// shows is the match that the message shows as its board. posts says that the
	// message is a new one, which the match moves to.
	shows *match.Match
	posts bool
	// offers is the match in which the message offers a draw.
	offers *match.Match
	// starts: the match has just started.
	starts bool
	// redraw is a match whose board, on another message, has to follow; with
	// repost, the board is posted anew where that message cannot be edited.
	redraw match.ID
	repost bool
	// drawn is a match whose board was noted as still to be drawn; now, or with this
	// answer, the board shows that version.
	drawn   match.ID
	version match.Version
	// waits is the match in which the caller was told that it is not their turn.
	waits *match.Match
	// about is the match in which something was refused.
	about *match.Match
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
// happens. It returns when the answer has been handed over, or cannot be. What follows,
// such as the edit of a board elsewhere, runs behind it (see behind); Close waits for
// that.
func (b *Bot) Serve(ctx context.Context, i *discordgo.Interaction) {
	b.serve(ctx, &service{Bot: b, i: i, first: b.callback})
}

// Respond is Serve for an interaction that came as an HTTP request. It gives the first
// answer, a body and its media type, to first, which writes it into the response; an
// error of first means that nobody got it. first is called at most once, and not at all
// for an interaction that is known already.
func (b *Bot) Respond(ctx context.Context, i *discordgo.Interaction, first func(body []byte, contentType string) error) {
	hand := func(_ context.Context, _ *discordgo.Interaction, c callback, _ bool) (json.RawMessage, error) {
		body, contentType, err := gateway.Encode(upload(c))
		if err != nil {
			return nil, err
		}
		return nil, first(body, contentType)
	}
	b.serve(ctx, &service{Bot: b, i: i, first: hand, unconfirmed: true})
}

// service is the answering of one interaction.
type service struct {
	*Bot
	i     *discordgo.Interaction
	began time.Time
	// first makes the callback. If tell is set it returns Discord's answer, where that
	// can be known.
	first func(ctx context.Context, i *discordgo.Interaction, c callback, tell bool) (json.RawMessage, error)
	// unconfirmed: nothing tells when Discord has taken the first answer.
	unconfirmed bool
	heard       time.Duration // until the first answer was handed over
	deferred    bool          // that answer was that there will be one
}

// settling is how long what follows an unconfirmed answer waits for Discord to take that
// answer, which would otherwise overwrite an edit.
const settling = 250 * time.Millisecond

// reply makes the callback and notes how long it took until then.
func (s *service) reply(ctx context.Context, c callback, tell bool) (json.RawMessage, error) {
	raw, err := s.first(ctx, s.i, c, tell)
	s.heard = s.matches.Now().Sub(s.began)
	return raw, err
}

// settle waits until Discord has most likely taken the answer.
func (s *service) settle(ctx context.Context) {
	if s.unconfirmed {
		s.unconfirmed = false
		sleep(ctx, settling)
	}
}

func (b *Bot) serve(ctx context.Context, s *service) {
	if known, _ := b.seen.ContainsOrAdd(s.i.ID, struct{}{}); known {
		b.log.DebugContext(ctx, "interaction delivered again", "interaction", s.i.ID)
		return
	}
	s.began = b.matches.Now()
	if missed(ctx, s.i, s.began) {
		b.log.InfoContext(ctx, "command came too late", "interaction", s.i.ID, "asked", asked(s.i))
		return
	}
	b.work.Add(1)
	defer b.work.Done()
	var later delivery
	late := make(chan struct{})
	timer := time.AfterFunc(deferAfter, func() {
		defer close(late)
		later = s.postpone(ctx)
	})
	a, hand := b.handle(ctx, s.i), delivery(s.deliver)
	if !timer.Stop() {
		<-late
		hand = later
	}
	s.finish(ctx, a, hand)
}

// answerable is how old an interaction may be at the latest for its answer to reach
// Discord within the three seconds.
const answerable = 2500 * time.Millisecond

// missed reports whether Discord held a command back for too long while no process was
// connected. Whoever gave it was told that it failed; carried out now, it might make a
// challenge that nobody sees. A click, or a move typed at a board, still acts if the
// board is as they saw it, since the board then shows the result.
func missed(ctx context.Context, i *discordgo.Interaction, now time.Time) bool {
	if !gateway.Replayed(ctx) ||
		i.Type != discordgo.InteractionApplicationCommand && i.Type != discordgo.InteractionApplicationCommandAutocomplete {
		return false
	}
	at, err := discordgo.SnowflakeTimestamp(i.ID)
	return err == nil && now.Sub(at) > answerable
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

// delivery is a way to hand over an answer. It returns the message that the answer
// made, where it made one and that is known.
type delivery func(ctx context.Context, a answer) (made, error)

// Answered is what there is to count of an interaction that was answered.
type Answered struct {
	Asked     string        // a command, such as "ttt move", or a button's verb
	Outcome   string        // one of a fixed number of words, such as "updated" or "not_your_turn"
	Took      time.Duration // until the first answer was handed over
	Deferred  bool          // that first answer was that there will be one
	Delivered bool          // the answer itself reached Discord, or another process's did
}

// report tells the observer of an answer.
func (s *service) report(a answer, delivered bool) {
	if s.observe != nil {
		s.observe(Answered{Asked: asked(s.i), Outcome: a.outcome, Took: s.heard, Deferred: s.deferred, Delivered: delivered})
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
