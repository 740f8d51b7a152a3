package sandbox

import (
	"context"
	"errors"
	"fmt"
)

// ErrFailed means that the bot did not answer in time: the client shows "This interaction failed".
var ErrFailed = errors.New("this interaction failed")

// ClientError is a refusal by the person's own client: nothing was sent to the bot. Examples: no such command, a
// required option is missing, a value is not among the choices, the button is disabled or not there.
type ClientError struct{ Reason string }

func (e *ClientError) Error() string { return "client: " + e.Reason }

func refuse(format string, args ...any) error { return &ClientError{fmt.Sprintf(format, args...)} }

// Reply is what a person sees as the first answer to what they did. Exactly one of the fields Message, Updated,
// Modal, Choices (for autocomplete) or Failed tells the kind.
type Reply struct {
	// InteractionID is the snowflake of the interaction.
	InteractionID string
	// Kind is the type of the callback (4 message, 5 deferred message, 6 deferred update, 7 update, 8 choices,
	// 9 modal), 0 when it failed.
	Kind int
	// Message is the new message (kinds 4 and 5), public or ephemeral.
	Message *Message
	// Updated is the message that carries the component, as it stands after the answer (kinds 6 and 7).
	Updated *Message
	// Ephemeral tells that Message is for this person only.
	Ephemeral bool
	// Deferred tells that the contents are still to come (kinds 5 and 6): see Resolve.
	Deferred bool
	// Modal is the form that opened (kind 9): see [Seat.SubmitModal].
	Modal *Modal
	// Choices are the suggestions (kind 8).
	Choices []Choice
	// Failed tells that no answer came in time; the error is then ErrFailed.
	Failed bool

	server  *Server
	payload []byte
	source  *interaction
}

// Text is the text of the message that came or was updated; empty for other kinds.
func (r *Reply) Text() string {
	if m := r.Shown(); m != nil {
		return m.Text()
	}
	return ""
}

// Shown is Message or Updated, whichever there is.
func (r *Reply) Shown() *Message {
	if r.Message != nil {
		return r.Message
	}
	return r.Updated
}

// Resolve waits until a deferred message has its contents and returns it; for kind 6 until the message differs from
// what it was; at once for answers that were not deferred.
func (r *Reply) Resolve(ctx context.Context) (*Message, error) {
	m := r.Shown()
	if m == nil || !r.Deferred {
		return m, nil
	}
	return r.server.Wait(ctx, m.ChannelID, m.ID, func(now *Message) bool {
		return !now.Loading() && now != m
	})
}

// Redeliver sends the same interaction once more, as Discord may do.
func (r *Reply) Redeliver() { r.server.deliver(context.Background(), r.source, r.payload) }

// Choice is one suggestion of an autocomplete answer. Value is a string, an int64 or a float64.
type Choice struct {
	Name  string
	Value any
}

// Modal is an open form.
type Modal struct {
	CustomID   string
	Title      string
	Components []*Component

	source *interaction
}

// Fields are the inputs of the form in order, without the labels around them; Label and Description are filled in
// from there.
func (m *Modal) Fields() []*Component {
	var out []*Component
	for _, top := range m.Components {
		switch {
		case top.Type == TypeLabel && top.Child != nil:
			field := *top.Child
			field.Label, field.Description = top.Label, top.Description
			out = append(out, &field)
		case top.Type == TypeActionRow:
			out = append(out, top.Components...)
		}
	}
	return out
}
