package load

import (
	"context"

	"rowbot/sandbox"
)

// call has a person start a match against the bot, whatever that does, for the script Clicks.
func (t *table) call(ctx context.Context) step {
	if t.people == nil {
		t.people = t.room.sit(1)
		t.seats[0] = t.people[0].In(t.room.channel)
		t.game = t.session.games[0]
	}
	r, _ := t.do(ctx, "bot", func(ctx context.Context) (*sandbox.Reply, error) {
		return t.seats[0].Slash(ctx, t.game+" bot")
	})
	if r == nil || r.Message == nil {
		return t.call
	}
	t.board = r.Message
	return t.press
}

// press clicks the first button that can be pressed.
func (t *table) press(ctx context.Context) step {
	for _, b := range t.board.Buttons() {
		if b.Disabled || b.CustomID == "" {
			continue
		}
		r, _ := t.do(ctx, "click", func(ctx context.Context) (*sandbox.Reply, error) {
			return t.seats[0].Click(ctx, t.board, b.CustomID)
		})
		if r != nil && r.Shown() != nil && !r.Ephemeral {
			t.board = r.Shown()
		}
		return t.press
	}
	return t.call(ctx)
}
