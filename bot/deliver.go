package bot

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/gateway"
)

const (
	// answerLimit bounds one call that changes a message.
	answerLimit = 2500 * time.Millisecond
	// lateLimit bounds the edit that gives a postponed answer: a film may have to go
	// over a slow line, and nobody's three seconds run any more.
	lateLimit = 6 * time.Second
	// lateTries is how often that edit is made where nobody knows what came of it.
	lateTries = 2
)

// made is a message that Discord has made of an answer.
type made struct {
	ID    string `json:"id"`
	Flags int    `json:"flags"`
}

// private reports whether Discord shows the message to the caller alone. It does so
// with all that an app says which is no member of the server, where the caller may
// not use external apps.
func (m made) private() bool { return m.Flags&flagEphemeral != 0 }

// deliver gives the first answer. Where that is a response over HTTP, nobody knows
// yet which message it makes.
func (s *service) deliver(ctx context.Context, a answer) (made, error) {
	raw, err := s.reply(ctx, callback{Type: a.kind, Data: a.body()}, a.kept())
	if err != nil || len(raw) == 0 {
		return made{}, err
	}
	var response struct {
		Resource struct {
			Message made `json:"message"`
		} `json:"resource"`
	}
	if err := json.Unmarshal(raw, &response); err != nil {
		return made{}, nil //nolint:nilerr // it has been delivered; which message it is can be asked
	}
	return response.Resource.Message, nil
}

// kept reports whether it has to be known which message an answer makes.
func (a answer) kept() bool { return a.posts || a.offers != nil }

// body is the data of an answer, with the flag of a private message.
func (a answer) body() any {
	m, ok := a.data.(message)
	if ok && a.private {
		m.Flags |= flagEphemeral
		return m
	}
	return a.data
}

// postpone tells Discord that the answer takes longer, and returns the way to give
// it then. There is none where another process has answered.
func (s *service) postpone(ctx context.Context) (later delivery) {
	var failure error
	defer func() {
		if failure != nil {
			s.log.WarnContext(ctx, "deferral not delivered", "interaction", s.i.ID, "error", failure)
		}
	}()
	defer caught(&failure)
	later = s.deliverLate
	c := callback{Type: callbackDeferredUpdate}
	switch s.i.Type { //nolint:exhaustive // the others cannot be put off
	case discordgo.InteractionApplicationCommand:
		c = callback{Type: callbackDeferredReply}
		if !answersInPublic(s.i) {
			c.Data = map[string]int{"flags": flagEphemeral}
		}
	case discordgo.InteractionApplicationCommandAutocomplete:
		c = callback{Type: callbackChoices, Data: choices{Choices: []choice{}}}
	case discordgo.InteractionModalSubmit:
		if s.i.Message == nil {
			c = callback{Type: callbackDeferredReply, Data: map[string]int{"flags": flagEphemeral}}
		}
	}
	s.deferred = true
	_, err := s.reply(ctx, c, false)
	if errors.Is(err, errElsewhere) {
		return func(context.Context, answer) (made, error) { return made{}, err }
	}
	failure = err
	return later
}

// deliverLate gives an answer after a deferral: an update edits the message of
// the component, and what fits the "thinking" message takes its place. What
// does not fit, a private word after a public "thinking" or the reverse, is a
// message of its own; the "thinking" goes first, since Discord would otherwise
// put the new message in its place.
func (s *service) deliverLate(ctx context.Context, a answer) (made, error) {
	i := s.i
	reply := i.Type == discordgo.InteractionApplicationCommand ||
		i.Type == discordgo.InteractionModalSubmit && i.Message == nil
	public := reply && answersInPublic(i)
	if i.Type == discordgo.InteractionApplicationCommandAutocomplete {
		return made{}, nil
	}
	s.settle(ctx)
	switch {
	case a.kind == callbackModal: // can only be a first answer
		return s.followUp(ctx, i, note(s.texts.For(string(i.Locale)).T("slow_modal")), true)
	case a.kind == callbackUpdate, reply && a.private != public:
		return s.editOriginal(ctx, a.data)
	case reply:
		if _, err := s.call(ctx, http.MethodDelete, s.original(i), nil); err != nil {
			s.log.DebugContext(ctx, "thinking not taken away", "interaction", i.ID, "error", err)
		}
	}
	return s.followUp(ctx, i, a.data, a.private)
}

// editOriginal puts a postponed answer in its place. To do it twice does no harm.
func (s *service) editOriginal(ctx context.Context, data any) (m made, err error) {
	for range lateTries {
		m, err = messageOf(s.callWithin(ctx, lateLimit, http.MethodPatch, s.original(s.i), data))
		if err == nil || !unknownOutcome(err) || !sleep(ctx, tryPause) {
			return m, err
		}
	}
	return m, err
}

// followUp posts a further message in answer to an interaction.
func (b *Bot) followUp(ctx context.Context, i *discordgo.Interaction, m any, private bool) (made, error) {
	body := answer{data: m, private: private}.body()
	return messageOf(b.call(ctx, http.MethodPost, b.webhook(i), body))
}

// original is the path of the message that an interaction was first answered
// with; of a component, the message that carries it.
func (b *Bot) original(i *discordgo.Interaction) string {
	return b.webhook(i) + "/messages/@original"
}

func (b *Bot) webhook(i *discordgo.Interaction) string {
	return "webhooks/" + cmp.Or(i.AppID, b.appID) + "/" + i.Token
}

// messageOf reads the message that a call returned.
func messageOf(raw json.RawMessage, err error) (m made, _ error) {
	if err != nil {
		return made{}, err
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return made{}, fmt.Errorf("read message: %w", err)
	}
	return m, nil
}

// messageID is messageOf for its ID alone.
func messageID(raw json.RawMessage, err error) (string, error) {
	m, err := messageOf(raw, err)
	return m.ID, err
}

// call is one REST call within the time an answer may take. One that comes
// before Discord has taken the first answer of its interaction, which happens
// where that went back as an HTTP response, is made again.
func (b *Bot) call(ctx context.Context, method, path string, body any) (json.RawMessage, error) {
	return b.callWithin(ctx, answerLimit, method, path, body)
}

func (b *Bot) callWithin(ctx context.Context, limit time.Duration, method, path string, body any) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	encoded := upload(body)
	for pause := tryPause; ; pause *= 2 {
		raw, err := b.rest.Call(ctx, method, path, encoded)
		if code(err) != codeUnknownWebhook || !sleep(ctx, pause) {
			return raw, err
		}
	}
}

// Discord's codes that are acted on (reference, "JSON Error Codes").
const (
	codeAcknowledged   = 40060
	codeUnknownWebhook = 10015
	codeOldMessage     = 30046
	codeUnknownMessage = 10008
	codeNoPermission   = 50013
	codeNoAccess       = 50001
)

// code returns Discord's code of an error, 0 where it has none.
func code(err error) int {
	if e, ok := errors.AsType[*gateway.APIError](err); ok {
		return e.Code
	}
	return 0
}

// unknownOutcome reports whether a call may or may not have been carried out:
// the connection broke, or a server between answered.
func unknownOutcome(err error) bool {
	e, ok := errors.AsType[*gateway.APIError](err)
	return !ok || e.Status >= http.StatusInternalServerError
}

// lasting reports whether an edit failed for a reason that will not pass: the
// message is gone, out of reach, or too old to be edited now.
func lasting(err error) bool {
	if errors.Is(err, errNoMessage) {
		return true
	}
	e, ok := errors.AsType[*gateway.APIError](err)
	if !ok {
		return false
	}
	return e.Code == codeOldMessage || e.Status >= 400 && e.Status < 500 && e.Status != http.StatusTooManyRequests
}
