package bot

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/locale"
	"rowbot/bot/render"
	"rowbot/bot/render/picture"
	"rowbot/match"
)

// The styles of boards, as they are stored with a server's settings.
const (
	styleText    = "text"
	styleColour  = "colour"
	styleEmoji   = "emoji"
	stylePicture = "picture"
)

// look is how messages for all to see look in a place.
type look struct {
	locale.Printer
	style string // one of styles; empty is text
}

// lookOf is how boards look in the server of an interaction: in the language that
// was chosen for it, or in Discord's for the server.
func (b *Bot) lookOf(ctx context.Context, i *discordgo.Interaction) look {
	house := b.house(ctx, i.GuildID)
	tag := house.Language
	if tag == "" && i.GuildLocale != nil {
		tag = string(*i.GuildLocale)
	}
	return look{Printer: b.texts.For(tag), style: house.Style}
}

// boardIn is how the message of a match looks: in the language that it was
// posted in, whoever or whatever has it drawn, and in the server's style.
func (b *Bot) boardIn(ctx context.Context, m *match.Match) look { return b.lookAt(ctx, m.Where) }

func (b *Bot) lookAt(ctx context.Context, w match.Where) look {
	return look{Printer: b.texts.For(w.Locale), style: b.house(ctx, w.Guild).Style}
}

// houseKept is how long a server's settings are taken for what they were when
// they were read last.
const houseKept = 10 * time.Second

// house is what was chosen for a server, as it was a moment ago; a change made
// in this process counts at once. What cannot be read is as if nothing had been
// chosen: looks are no reason not to play.
func (b *Bot) house(ctx context.Context, guild string) match.Guild {
	now := b.matches.Now()
	if h, ok := b.houses.Get(guild); ok && now.Before(h.until) {
		return h.Guild
	}
	before := b.chosen.Load()
	g, err := b.guild(ctx, guild)
	if err != nil {
		b.log.WarnContext(ctx, "settings not read", "guild", guild, "error", err)
		return match.Guild{ID: guild}
	}
	b.houses.Add(guild, house{g, now.Add(houseKept)})
	if b.chosen.Load() != before { // it may have been read before the change
		b.houses.Remove(guild)
	}
	return g
}

// house is what was read of a server.
type house struct {
	match.Guild
	until time.Time
}

const (
	maxComponents = 40   // of a message, nested ones counted
	maxText       = 4000 // characters of a message, all its texts together
)

// drawing is what a match's message shows, before it is known in which style.
type drawing struct {
	accent int
	text   string       // above the board
	view   *render.View // nil where there is no board
	below  string       // under the board
	rows   []component
}

// add puts a line under the board, or under the text where there is no board.
func (d *drawing) add(line string) { d.below = strings.TrimPrefix(d.below+"\n"+line, "\n") }

// in is the message in a style.
func (d drawing) in(l look) message {
	msg, ok := message{}, false
	if l.style == stylePicture && d.view != nil {
		msg, ok = d.pictured(l.Printer)
	}
	if !ok {
		msg = panel(d.accent, d.lettered(l.style), d.rows...)
	}
	if l.style != "" && msg.files == nil {
		msg.Attachments = []attachment{} // a picture of before goes
	}
	return msg
}

// lettered is the whole text with the board as a part of it.
func (d drawing) lettered(style string) string {
	parts := []string{d.text}
	if d.view != nil {
		room := maxText - utf8.RuneCountInString(d.text) - utf8.RuneCountInString(d.below) - 2
		parts = append(parts, boardText(*d.view, style, room))
	}
	if d.below != "" {
		parts = append(parts, d.below)
	}
	return strings.Join(parts, "\n")
}

// pictured is the message with the board as a picture. It is false where none
// could be drawn.
func (d drawing) pictured(p locale.Printer) (message, bool) {
	png, err := picture.PNG(*d.view)
	if err != nil {
		return message{}, false
	}
	const name = "board.png"
	parts := []component{text(d.text), {
		Type:  typeGallery,
		Items: []galleryItem{{Media: media{URL: "attachment://" + name}, Description: clip(altText(p, *d.view), maxAlt)}},
	}}
	below := d.below
	if len(d.view.Forbidden) > 0 { // the picture marks them with its own sign
		below = strings.Replace(below, p.T("forbidden_cells"), p.T("forbidden_cells_picture"), 1)
	}
	if below != "" {
		parts[0].Content += "\n" + below
	}
	parts = append(parts, d.rows...)
	msg := panel(d.accent, "")
	msg.Components[0].Components = parts
	if count(msg.Components) > maxComponents {
		msg.Components = parts // the frame around it would be one too many
	}
	msg.files = []file{{name: name, mime: "image/png", data: png}}
	return msg, true
}

// count is how many components there are, nested ones counted.
func count(all []component) int {
	n := len(all)
	for _, c := range all {
		n += count(c.Components)
	}
	return n
}

// mostEmoji is how many emoji Discord shows in one message as such.
const mostEmoji = 198

// boardText draws a board as text in a style, in so many characters. A style
// that does not fit is drawn as plain text.
func boardText(v render.View, style string, room int) string {
	r := v.Position.Rules()
	switch {
	case r.Game() == match.TicTacToe, style == styleEmoji && r.Cells() <= mostEmoji:
		return render.Emoji(v)
	case style == styleColour:
		return render.ANSI(v, room)
	}
	return render.Mono(v)
}

// altText says a position to those who cannot see the picture of it: the cells
// of each side, and the last one.
func altText(p locale.Printer, v render.View) string {
	r := v.Position.Rules()
	var parts []string
	for _, side := range []match.Stone{match.Black, match.White} {
		var cells []string
		for row := range r.Rows {
			for col := range r.Cols {
				if at := (match.Point{Col: col, Row: row}); v.Position.At(at) == side {
					cells = append(cells, at.String())
				}
			}
		}
		if len(cells) == 0 {
			cells = []string{"–"}
		}
		parts = append(parts, render.Mark(r.Game(), side)+" "+strings.Join(cells, " "))
	}
	if len(v.Forbidden) > 0 {
		parts = slices.Insert(parts, 0, "✕ "+cellsText(v.Forbidden))
	}
	if len(v.Line) > 0 {
		parts = slices.Insert(parts, 0, p.T("alt_line", "Cells", cellsText(v.Line)))
	}
	if v.HasLast {
		parts = slices.Insert(parts, 0, p.T("alt_last", "Cell", v.Last.String()))
	}
	if v.Position.Placed() == 0 {
		parts = []string{p.T("alt_empty")}
	}
	return sizeText(r) + dot + strings.Join(parts, dot)
}

// cellsText lists cells.
func cellsText(cells []match.Point) string {
	names := make([]string, len(cells))
	for i, at := range cells {
		names[i] = at.String()
	}
	return strings.Join(names, " ")
}
