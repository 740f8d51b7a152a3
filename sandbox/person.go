package sandbox

import (
	"context"
	"slices"
)

// Person is an account of the world: somebody who clicks and types (or another bot, which only gets mentioned).
type Person struct {
	user   User
	server *Server
	closed bool // takes no direct messages from bots; guarded by Server.mu
}

// User is the public face of an account.
type User struct {
	ID         string
	Username   string
	GlobalName string // the display name; may hold any text, markdown too
	Bot        bool
	Locale     string // the client's language, for example "en-US"
}

// Name is the display name: the global name if there is one.
func (u User) Name() string {
	if u.GlobalName != "" {
		return u.GlobalName
	}
	return u.Username
}

// Mention is the text that mentions the user.
func (u User) Mention() string { return "<@" + u.ID + ">" }

// ID is the snowflake.
func (p *Person) ID() string { return p.user.ID }

// User is the account as it is now.
func (p *Person) User() User {
	p.server.mu.Lock()
	defer p.server.mu.Unlock()
	return p.user
}

// Mention is the text that mentions the person.
func (p *Person) Mention() string { return "<@" + p.user.ID + ">" }

// Name is the display name.
func (p *Person) Name() string { return p.User().Name() }

// SetLocale switches the language of the person's client.
func (p *Person) SetLocale(locale string) {
	p.server.mu.Lock()
	defer p.server.mu.Unlock()
	p.user.Locale = locale
}

// Rename changes the display name.
func (p *Person) Rename(name string) {
	p.server.mu.Lock()
	defer p.server.mu.Unlock()
	p.user.GlobalName = name
}

// CloseDMs lets the person take no direct messages from the bot any more (50007), or take them again.
func (p *Person) CloseDMs(closed bool) {
	p.server.mu.Lock()
	defer p.server.mu.Unlock()
	p.closed = closed
}

// In seats the person in a channel, to act there.
func (p *Person) In(c *Channel) Seat { return Seat{person: p, channel: c} }

// DM seats the person in their direct messages with the bot, which are opened when needed.
func (p *Person) DM() Seat { return p.In(p.server.dm(p)) }

// Seat is a person in a channel: what they do there, and what they see. A Seat is a small value; the methods that
// bend it (Twice, Tweak) return a changed copy.
type Seat struct {
	person  *Person
	channel *Channel
	twice   bool
	tweaks  []func(map[string]any)
}

// Person is who sits here.
func (p Seat) Person() *Person { return p.person }

// Channel is where.
func (p Seat) Channel() *Channel { return p.channel }

// Twice returns a seat whose interactions are delivered to the bot twice.
func (p Seat) Twice() Seat { p.twice = true; return p }

// Tweak returns a seat whose interactions pass through f before delivery: to forge a custom id, take the context
// away, or send what no client would.
func (p Seat) Tweak(f func(payload map[string]any)) Seat {
	p.tweaks = append(slices.Clip(p.tweaks), f)
	return p
}

// OldClient returns a seat whose interactions lack context and authorizing_integration_owners.
func (p Seat) OldClient() Seat {
	return p.Tweak(func(payload map[string]any) {
		delete(payload, "context")
		delete(payload, "authorizing_integration_owners")
	})
}

// Messages are the messages this person sees in the channel, oldest first: public ones and their own ephemeral ones.
func (p Seat) Messages() []*Message {
	var out []*Message
	for _, m := range p.server().allMessages(p.channel.id) {
		if m.Viewer == "" || m.Viewer == p.person.ID() {
			out = append(out, m)
		}
	}
	return out
}

// Say posts a plain message, as a person typing.
func (p Seat) Say(text string) *Message { return p.server().say(p, text) }

// Slash runs a slash command, for example Slash(ctx, "ttt challenge", User("opponent", bob)). Name and options are
// checked against the registered commands as a client does (*ClientError); then the bot has three seconds (ErrFailed).
func (p Seat) Slash(ctx context.Context, command string, options ...Option) (*Reply, error) {
	data, err := p.server().slashData(p, command, options)
	if err != nil {
		return nil, err
	}
	return p.interact(ctx, &interaction{kind: kindCommand, data: data})
}

// Autocomplete types partial into the option of a command and returns the bot's suggestions; filled are the options
// that already have values. The option must be registered with autocomplete.
func (p Seat) Autocomplete(ctx context.Context, command, option, partial string, filled ...Option) ([]Choice, error) {
	data, err := p.server().autocompleteData(p, command, option, partial, filled)
	if err != nil {
		return nil, err
	}
	reply, err := p.interact(ctx, &interaction{kind: kindAutocomplete, data: data})
	if err != nil {
		return nil, err
	}
	return reply.Choices, nil
}

// UserCommand runs a command of the context menu on a user, for example "Challenge to gomoku".
func (p Seat) UserCommand(ctx context.Context, command string, target *Person) (*Reply, error) {
	data, err := p.server().menuData(p, command, commandUser, target.ID())
	if err != nil {
		return nil, err
	}
	return p.interact(ctx, &interaction{kind: kindCommand, data: data})
}

// MessageCommand runs a command of the context menu on a message.
func (p Seat) MessageCommand(ctx context.Context, command string, target *Message) (*Reply, error) {
	data, err := p.server().menuData(p, command, commandMessage, target.ID)
	if err != nil {
		return nil, err
	}
	return p.interact(ctx, &interaction{kind: kindCommand, data: data})
}

// Click presses a button of the message as this person sees it: key is the label, the custom id or the emoji. The
// label is looked up in the given snapshot, so an old one presses an old button; the interaction carries the message
// as it is now. A label that several enabled buttons share is a *ClientError: use the custom id or ClickAt.
func (p Seat) Click(ctx context.Context, m *Message, key string) (*Reply, error) {
	button, err := pick(m, key)
	if err != nil {
		return nil, err
	}
	return p.press(ctx, m, button)
}

// ClickAt presses the button in the given row and column, both from 0, counting action rows only.
func (p Seat) ClickAt(ctx context.Context, m *Message, row, column int) (*Reply, error) {
	rows := m.Rows()
	if row >= len(rows) || column >= len(rows[row]) || rows[row][column].Type != TypeButton {
		return nil, refuse("no button at row %d, column %d", row, column)
	}
	return p.press(ctx, m, rows[row][column])
}

// Forge sends a click with a custom id that need not be in the message.
func (p Seat) Forge(ctx context.Context, m *Message, customID string) (*Reply, error) {
	return p.component(ctx, m, map[string]any{"custom_id": customID, "component_type": TypeButton, "id": 1})
}

// Select chooses values in a select menu: key is its custom id or placeholder, empty for the first menu; values are
// option values or labels (string select) or ids.
func (p Seat) Select(ctx context.Context, m *Message, key string, values ...string) (*Reply, error) {
	data, err := p.server().selectData(p, m, key, values)
	if err != nil {
		return nil, err
	}
	return p.component(ctx, m, data)
}

// SubmitModal sends the form; values are keyed by a field's custom id or label. Fields not named keep the value the
// form came with. Lengths and required fields are checked as a client does.
//
// Several values of a menu or of checkboxes are separated by commas, people and channels may be named, and a single
// checkbox takes "true" or "false".
func (p Seat) SubmitModal(ctx context.Context, form *Modal, values map[string]string) (*Reply, error) {
	return p.SubmitModalWith(ctx, form, values, nil)
}

// SubmitModalWith is SubmitModal with files for the form's file uploads, keyed like values.
func (p Seat) SubmitModalWith(
	ctx context.Context, form *Modal, values map[string]string, files map[string][]File,
) (*Reply, error) {
	if form == nil {
		return nil, refuse("no modal is open")
	}
	data, err := p.server().modalData(p, form, values, files)
	if err != nil {
		return nil, err
	}
	it := &interaction{kind: kindModal, data: data, origin: form.source}
	if form.source != nil && form.source.meta.interacted != "" {
		it.message = p.server().Message(p.channel.id, form.source.meta.interacted)
	}
	return p.interact(ctx, it)
}

func (p Seat) server() *Server { return p.person.server }

// pick finds the one enabled button that key names.
func pick(m *Message, key string) (*Component, error) {
	if m == nil {
		return nil, refuse("no message to click on")
	}
	found := m.matching(key)
	enabled := slices.DeleteFunc(slices.Clone(found), func(c *Component) bool { return c.Disabled })
	switch {
	case len(found) == 0:
		return nil, refuse("no button %q in the message", key)
	case len(enabled) == 0:
		return nil, refuse("button %q is disabled", key)
	case len(enabled) > 1:
		return nil, refuse("%d buttons are called %q: use a custom id", len(enabled), key)
	}
	return enabled[0], nil
}

func (p Seat) press(ctx context.Context, m *Message, c *Component) (*Reply, error) {
	switch {
	case c.Disabled:
		return nil, refuse("button %q is disabled", c.Label)
	case c.Style == StyleLink || c.Style == StylePremium:
		return nil, refuse("button %q sends nothing", c.Label)
	}
	return p.component(ctx, m, map[string]any{"custom_id": c.CustomID, "component_type": c.Type, "id": c.ID})
}

func (p Seat) component(ctx context.Context, m *Message, data map[string]any) (*Reply, error) {
	now := p.server().Message(m.ChannelID, m.ID)
	switch {
	case now == nil:
		return nil, refuse("the message is gone")
	case now.Viewer != "" && now.Viewer != p.person.ID():
		return nil, refuse("the message is for somebody else")
	case now.Author.ID != p.server().BotID():
		return nil, refuse("the message is not the bot's")
	}
	return p.interact(ctx, &interaction{kind: kindComponent, data: data, message: now})
}
