package bot

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/locale"
	"rowbot/match"
)

// request is an interaction as the handlers see it.
type request struct {
	*discordgo.Interaction
	user  *discordgo.User
	mine  locale.Printer // the caller's language: private answers
	ours  look           // the place's language and style: boards and what all see
	start match.ID       // the ID of a match that this interaction starts
}

var errMalformed = errors.New("the interaction lacks what it must have")

// read makes a request of an interaction. The user is in Member in a server and
// in User elsewhere.
func (b *Bot) read(ctx context.Context, i *discordgo.Interaction) (*request, error) {
	r := &request{Interaction: i, user: i.User}
	if i.Member != nil && i.Member.User != nil {
		r.user = i.Member.User
	}
	id, ok := newID(i.ID)
	if r.user == nil || r.user.ID == "" || !ok || i.Data == nil {
		return nil, errMalformed
	}
	r.start = id
	r.mine = b.texts.For(string(i.Locale))
	r.ours = look{Printer: r.mine} // where there is no server
	if i.GuildID != "" {
		r.ours = b.lookOf(ctx, i)
	}
	b.learnName(r.user, i.Member)
	return r, nil
}

func (r *request) me() match.Player { return match.Person(r.user.ID) }

// here is the place of the interaction, for a board that is going to be posted in it.
func (r *request) here() match.Where {
	return match.Where{Guild: r.GuildID, Channel: r.ChannelID, Locale: r.ours.Tag()}
}

// where is the place of the interaction, with the message whose component was
// used. A server's boards follow its language; elsewhere a board stays in the
// language it has, whoever of the two clicks.
func (r *request) where() match.Where {
	w := r.here()
	if r.GuildID == "" {
		w.Locale = ""
	}
	if r.Message != nil && !r.private() {
		w.Message = r.Message.ID
	}
	return w
}

// private reports whether the component used is on a message that only its
// reader sees.
func (r *request) private() bool {
	return r.Message != nil && r.Message.Flags&discordgo.MessageFlagsEphemeral != 0
}

// onBoard reports whether the component used is on the board of a match, going by
// what else there is to press.
func (r *request) onBoard() bool {
	return r.Message != nil && slices.ContainsFunc(customIDs(r.Message.Components), func(id string) bool {
		_, ok := boardOf(id)
		return ok
	})
}

// foreign reports whether the component used cannot be from the message that it is said
// to be on: that message has buttons, and own accepts none of them. Discord never sends
// that. Only one button of each kind may be known of a message.
func (r *request) foreign(own func(customID string) bool) bool {
	if r.Message == nil || r.private() {
		return false
	}
	ids := customIDs(r.Message.Components)
	return len(ids) > 0 && !slices.ContainsFunc(ids, own)
}

// bare reports whether the component used is said to be on a message for everybody that
// has nothing to press any more, or never had.
func (r *request) bare() bool {
	return r.Message != nil && !r.private() && len(customIDs(r.Message.Components)) == 0
}

// isOf reports whether a custom ID is one of a message of the same match.
func (p press) isOf(id string) bool {
	m, ok := boardOf(id)
	return ok && m == p.match
}

// boardOf says which match a custom ID belongs to: that of a button of the match, or of
// the button on its board that opens a replay.
func boardOf(id string) (match.ID, bool) {
	if p, ok := parsePress(id); ok {
		return p.match, true
	}
	s, ok := parseScene(id)
	return s.match, ok && s.verb == replayOpen
}

// customIDs lists those of the buttons among components.
func customIDs(all []discordgo.MessageComponent) (ids []string) {
	for _, c := range all {
		switch c := c.(type) {
		case *discordgo.Container:
			ids = append(ids, customIDs(c.Components)...)
		case *discordgo.ActionsRow:
			ids = append(ids, customIDs(c.Components)...)
		case *discordgo.Button:
			ids = append(ids, c.CustomID)
		}
	}
	return ids
}

// Discord's permissions (reference, "Permissions").
const (
	mayEverything     = 1 << 3
	mayManageServer   = 1 << 5
	mayManageMessages = 1 << 13
)

// may reports whether the caller has one of the given permissions here.
func (r *request) may(some int64) bool {
	return r.GuildID != "" && r.Member != nil && r.Member.Permissions&(some|mayEverything) != 0
}

// moderates reports whether a match is one of those that the caller may end.
func (r *request) moderates(m *match.Match) bool {
	return m.Where.Guild == r.GuildID && r.may(mayManageServer|mayManageMessages)
}

// learnName remembers what a user is called.
func (b *Bot) learnName(u *discordgo.User, m *discordgo.Member) {
	name := u.DisplayName()
	if m != nil && m.Nick != "" {
		name = m.Nick
	}
	if name = plainName(name); name != "" {
		b.names.Add(u.ID, name)
	}
}

// nameOf is what to call a player where a mention cannot stand.
func (b *Bot) nameOf(p locale.Printer, who match.Player) string {
	switch name, ok := b.names.Get(who.User); {
	case who.IsEngine():
		return playerText(p, who)
	case who.IsNobody():
		return p.T("anybody")
	case who.IsGone():
		return p.T("somebody_gone")
	case ok:
		return name
	}
	return p.T("somebody")
}

// arguments are the options of a command, below its subcommand.
type arguments map[string]*discordgo.ApplicationCommandInteractionDataOption

// command splits a slash command into its name with subcommand, such as "ttt
// challenge", and the options.
func command(d discordgo.ApplicationCommandInteractionData) (string, arguments) {
	name, options := d.Name, d.Options
	for len(options) == 1 && options[0] != nil && options[0].Type == discordgo.ApplicationCommandOptionSubCommand {
		name, options = name+" "+options[0].Name, options[0].Options
	}
	args := arguments{}
	for _, o := range options {
		if o != nil {
			args[o.Name] = o
		}
	}
	return name, args
}

// text returns an option's value as text, "" where it was left out.
func (a arguments) text(name string) string {
	o, ok := a[name]
	if !ok {
		return ""
	}
	switch v := o.Value.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// focused returns the option that is being typed.
func (a arguments) focused() (name, typed string) {
	for name, o := range a {
		if o.Focused {
			return name, a.text(name)
		}
	}
	return "", ""
}

// load reads one match.
func (b *Bot) load(ctx context.Context, id match.ID) (m match.Match, err error) {
	err = b.store.View(ctx, func(tx match.Tx) error {
		m, err = tx.Match(ctx, id)
		return err
	})
	return m, err
}
