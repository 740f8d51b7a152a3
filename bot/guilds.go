package bot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"rowbot/bot/slim"
	"rowbot/match"
)

// guild returns the settings of a server; the defaults for "", which is a
// conversation outside of any. They are read anew each time: the store answers
// in microseconds, and a change counts at once, in every process.
func (b *Bot) guild(ctx context.Context, id string) (g match.Guild, err error) {
	if id == "" {
		return match.Guild{}, nil
	}
	err = b.store.View(ctx, func(tx match.Tx) error {
		g, err = tx.Guild(ctx, id)
		return err
	})
	return g, err
}

// startingHere returns the settings for a match that is to be started, or a
// sentence that says why none can be started here.
func (b *Bot) startingHere(ctx context.Context, r *request) (house match.Guild, no string, err error) {
	house, err = b.guild(ctx, r.GuildID)
	if err != nil || house.Allows(r.ChannelID) || house.Allows(b.parent(ctx, r.ChannelID)) {
		return house, "", err
	}
	return house, r.mine.T("other_channel", "Channels", channelsText(house.Channels)), nil
}

// maxNamed is how many channels a sentence names.
const maxNamed = 5

func channelsText(ids []string) string {
	var names []string
	for _, id := range ids[:min(len(ids), maxNamed)] {
		names = append(names, "<#"+id+">")
	}
	if len(ids) > maxNamed {
		names = append(names, "…")
	}
	return strings.Join(names, ", ")
}

// parentLimit bounds the question for a thread's channel, so that there is time
// left for the answer.
const parentLimit = time.Second

// parent finds the channel of the thread in which an interaction was made; "" where it
// is no thread. Discord sends it with the interaction. Should it not, it is asked for,
// which is in vain where Rowbot cannot see the thread.
func (b *Bot) parent(ctx context.Context, channel string) string {
	if told := slim.ChannelFrom(ctx); told != nil {
		return parentOf(told.Type, told.Parent)
	}
	ctx, cancel := context.WithTimeout(ctx, parentLimit)
	defer cancel()
	raw, err := b.rest.Call(ctx, http.MethodGet, "channels/"+channel, nil)
	if err != nil {
		return ""
	}
	var c struct {
		Type   int    `json:"type"`
		Parent string `json:"parent_id"`
	}
	if json.Unmarshal(raw, &c) != nil {
		return ""
	}
	return parentOf(c.Type, c.Parent)
}

// parentOf is the channel above a thread. What is above other channels is a category.
func parentOf(kind int, above string) string {
	if slices.Contains(threadTypes, kind) {
		return above
	}
	return ""
}

// threadTypes are the types of channels that are threads; posts of forums too.
var threadTypes = []int{10, 11, 12}

// guildPage is how many guilds Discord tells at a time.
const guildPage = 200

// Attend asks Discord, at once and then every so often until the context ends, which
// servers Rowbot is a member of, and has the data of those deleted that removed it long
// ago. Of all copies of the program one does so. It asks for the list because that
// needs no intent, and because events are missed while nothing runs.
func (b *Bot) Attend(ctx context.Context, every time.Duration) {
	repeat(ctx, every, b.duty("attend", every), b.attendOnce)
}

func (b *Bot) attendOnce(ctx context.Context, d duty) {
	forgotten, err := b.attend(ctx, d)
	if err != nil && ctx.Err() == nil && !errors.Is(err, errDutyLost) {
		b.log.WarnContext(ctx, "servers not looked through", "error", err)
	}
	for _, id := range forgotten {
		b.log.InfoContext(ctx, "data of a server deleted that removed the bot", "guild", id)
	}
}

func (b *Bot) attend(ctx context.Context, d duty) (forgotten []string, err error) {
	defer caught(&err)
	guilds, err := b.memberships(ctx, d)
	if err != nil {
		return nil, err
	}
	return b.matches.Attend(ctx, guilds)
}

// memberships lists the servers that Rowbot is a member of. That may take minutes,
// for which the duty is kept.
func (b *Bot) memberships(ctx context.Context, d duty) ([]string, error) {
	var all []string
	for path := "users/@me/guilds?limit=" + strconv.Itoa(guildPage); ; {
		from := path
		if len(all) > 0 {
			from += "&after=" + all[len(all)-1]
		}
		raw, err := b.rest.Call(ctx, http.MethodGet, from, nil)
		if err != nil {
			return nil, fmt.Errorf("ask for the servers: %w", err)
		}
		var page []struct {
			ID string `json:"id"`
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			return nil, fmt.Errorf("read the servers: %w", err)
		}
		for _, g := range page {
			all = append(all, g.ID)
		}
		if len(page) < guildPage {
			return all, nil
		}
		if !d.mine(ctx) {
			return nil, errDutyLost
		}
	}
}
