package bot

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"rowbot/match"
)

// stuck reports whether a match's message cannot be edited although its channel may be
// within reach: it is gone, too old (Discord limits edits after an hour), or not known.
func stuck(err error) bool {
	c := code(err)
	return c == codeOldMessage || c == codeUnknownMessage || errors.Is(err, errNoMessage)
}

// errNotYet: a match has only just begun, and its message may be on its way.
var errNotYet = errors.New("the message that shows the match is not known yet")

// errKnownNow: there was no message that shows a match, and now there is.
var errKnownNow = errors.New("the message that shows the match has just become known")

// boardMessage is the body of a new message with a board.
type boardMessage struct {
	message

	Nonce   string `json:"nonce"`
	Enforce bool   `json:"enforce_nonce"`
}

// postAnew posts the board of a match whose message cannot be edited, and the
// match goes on there; it returns the version that it shows. The error is still why
// where there is nothing to go on with: a challenge that has expired, a match that had
// hardly begun.
func (b *Bot) postAnew(ctx context.Context, id match.ID, why error) (shows match.Version, err error) {
	defer caught(&err)
	m, next, err := b.withRematch(ctx, id)
	switch {
	case err != nil:
		return 0, err
	case m.Status != match.Active && !m.Status.Counts(), m.Where.Message == "" && m.Status.Over():
		return m.Version, why
	case m.Where.Message == "" && b.matches.Now().Sub(m.Created) < justNow:
		return 0, errNotYet
	case m.Where.Message != "" && errors.Is(why, errNoMessage):
		return 0, errKnownNow
	}
	b.boards.begin(id, m.Version, 0)
	defer b.boards.end(id, m.Version)
	posted, err := b.postBoard(ctx, &m, boardMessage{
		message: b.current(ctx, &m, next), Enforce: true,
		Nonce: "b." + string(id) + "." + strconv.FormatUint(uint64(m.Version), 36),
	})
	if err != nil {
		b.log.InfoContext(ctx, "board not posted anew", "match", string(id), "error", err)
		return m.Version, err
	}
	b.moved(ctx, id, match.Where{Guild: m.Where.Guild, Channel: m.Where.Channel, Message: posted, Locale: m.Where.Locale})
	b.notices.follow(&m)
	return m.Version, nil
}

// postBoard posts a board to the match's channel. Its nonce keeps a try whose
// answer was lost from becoming a second message.
func (b *Bot) postBoard(ctx context.Context, m *match.Match, body boardMessage) (posted string, err error) {
	for tries := 0; ; tries++ {
		posted, err = messageID(b.call(ctx, http.MethodPost, "channels/"+m.Where.Channel+"/messages", body))
		pause, again := retryIn(err, tries)
		if !again || !sleep(ctx, pause) {
			return posted, err
		}
	}
}
