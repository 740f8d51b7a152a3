package bot

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/match"
)

// askLimit is how long an answer waits for Discord to say whether somebody is in the
// server. It is short: where many accept at the same time, the questions wait in one
// line for Discord's limit, and those whose turn would come later are not asked.
const askLimit = 300 * time.Millisecond

// codeUnknownMember is Discord's word for somebody who is not in a server
// (reference, "JSON Error Codes").
const codeUnknownMember = 10007

// deserted reports whether a rematch would be started with somebody who has left
// the server. A button's interaction, unlike a command's, says nothing about
// anybody but the caller, so that Discord is asked. Whatever cannot be found out
// is no obstacle, and neither is a rematch that has been started already.
func (b *Bot) deserted(ctx context.Context, r *request, old match.ID) bool {
	if r.GuildID == "" || !r.botIsHere() {
		return false
	}
	var was match.Match
	err := b.store.View(ctx, func(tx match.Tx) (err error) {
		if was, err = tx.Match(ctx, old); err != nil {
			return err
		}
		_, err = tx.Rematch(ctx, old)
		return err
	})
	playedHere := was.Status.Over() && was.StoneOf(r.me()) != match.Empty
	if !errors.Is(err, match.ErrNotFound) || !playedHere {
		return false
	}
	other := was.Opponent(r.me())
	if other.IsEngine() || other.IsGone() {
		return false
	}
	return b.hasLeft(ctx, r, other)
}

// hasLeft reports whether Discord says that somebody is not in the server any more.
func (b *Bot) hasLeft(ctx context.Context, r *request, who match.Player) bool {
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	_, err := b.rest.Call(ctx, http.MethodGet, "guilds/"+r.GuildID+"/members/"+who.User, nil)
	if err != nil && code(err) != codeUnknownMember {
		b.log.InfoContext(ctx, "membership not known", "interaction", r.ID, "error", err)
	}
	return code(err) == codeUnknownMember
}

// botIsHere reports whether Rowbot is a member of the server of an interaction,
// and not only an app that the caller brought along. Where Discord does not say,
// it may be.
func (r *request) botIsHere() bool {
	owners := r.AuthorizingIntegrationOwners
	return len(owners) == 0 || owners[discordgo.ApplicationIntegrationGuildInstall] == r.GuildID
}
