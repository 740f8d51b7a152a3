package bot

import (
	"context"
	"net/http"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/locale"
	"rowbot/match"
)

// threadKept is after how many minutes of silence Discord folds a thread away.
const threadKept = 1440

// threadBody is the body that opens a thread.
type threadBody struct {
	Name    string `json:"name"`
	Archive int    `json:"auto_archive_duration"`
}

// openThread opens a thread on the board of a match that has just started, for
// its players to talk in, where the server wants that. It is opened once at
// most: a thread that cannot be had is no reason to come back to it later. That
// the bot may not is told to whoever started the match.
func (b *Bot) openThread(ctx context.Context, i *discordgo.Interaction, m *match.Match, board string) {
	if i.GuildID == "" || board == "" || !b.house(ctx, i.GuildID).Threads {
		return
	}
	body := threadBody{Name: b.threadName(b.texts.For(m.Where.Locale), m), Archive: threadKept}
	_, err := b.call(ctx, http.MethodPost, "channels/"+i.ChannelID+"/messages/"+board+"/threads", body)
	if err == nil {
		return
	}
	b.log.InfoContext(ctx, "thread not opened", "interaction", i.ID, "match", string(m.ID), "error", err)
	if c := code(err); c != codeNoPermission && c != codeNoAccess {
		return
	}
	mine := b.texts.For(string(i.Locale))
	if _, err := b.followUp(ctx, i, note(mine.T("no_thread", "Permission", mine.T("perm_threads"))), true); err != nil {
		b.log.WarnContext(ctx, "note not delivered", "interaction", i.ID, "error", err)
	}
}

// maxThreadName is how long a thread's name may be.
const maxThreadName = 100

// threadName is the game and who plays it, in plain text.
func (b *Bot) threadName(p locale.Printer, m *match.Match) string {
	return clip(titleText(p, m)+dot+b.nameOf(p, m.Seats[0])+" – "+b.nameOf(p, m.Seats[1]), maxThreadName)
}
