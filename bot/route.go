package bot

import (
	"context"
	"errors"
	"strings"

	"github.com/bwmarrin/discordgo"

	"rowbot/match"
)

// route finds who handles an interaction.
func (b *Bot) route(ctx context.Context, r *request) (answer, error) {
	switch d := r.Data.(type) {
	case discordgo.ApplicationCommandInteractionData:
		name, args := command(d)
		if d.CommandType == discordgo.UserApplicationCommand {
			return b.fromMenu(ctx, r, d)
		}
		if r.Type == discordgo.InteractionApplicationCommandAutocomplete {
			return b.complete(ctx, r, name, args)
		}
		return b.command(ctx, r, name, args, d.Resolved)
	case discordgo.MessageComponentInteractionData:
		return b.component(ctx, r, d)
	case discordgo.ModalSubmitInteractionData:
		return b.submit(ctx, r, d)
	}
	return answer{}, errMalformed
}

type people = *discordgo.ApplicationCommandInteractionDataResolved

// command carries out a slash command.
func (b *Bot) command(ctx context.Context, r *request, name string, args arguments, who people) (answer, error) {
	switch name {
	case "leaderboard":
		return b.leaderboard(ctx, r, args)
	case "stats":
		return b.stats(ctx, r, args, who)
	case "matches":
		return b.list(ctx, r, 0)
	case "replay":
		return b.replay(ctx, r, args)
	case "help":
		return b.help(r), nil
	case "preferences":
		return b.preferences(ctx, r)
	}
	switch first, sub, _ := strings.Cut(name, " "); first {
	case "settings":
		return b.settings(ctx, r, sub, args)
	case "privacy":
		return b.privacy(ctx, r, sub)
	}
	return b.gameCommand(ctx, r, name, args, who)
}

// gameCommand carries out a subcommand of a game.
func (b *Bot) gameCommand(ctx context.Context, r *request, name string, args arguments, who people) (answer, error) {
	game, sub, ok := splitCommand(name)
	if !ok {
		return say(r.mine.T("unknown_command")), nil
	}
	switch sub {
	case "challenge":
		return b.challenge(ctx, r, game, args, who)
	case "bot":
		return b.againstRowbot(ctx, r, game, args)
	case "move":
		return b.inMatch(ctx, r, game, args, pick{verb: verbCell, arg: args.text("cell")})
	case "pass":
		return b.inMatch(ctx, r, game, args, pick{verb: verbPass})
	case "resign":
		return b.inMatch(ctx, r, game, args, pick{verb: verbResign})
	case "draw":
		return b.inMatch(ctx, r, game, args, pick{verb: verbDraw})
	case "board":
		return b.inMatch(ctx, r, game, args, pick{verb: verbBoard})
	}
	return say(r.mine.T("unknown_command")), nil
}

// component carries out the press of a button or a choice in a select.
func (b *Bot) component(ctx context.Context, r *request, d discordgo.MessageComponentInteractionData) (answer, error) {
	if p, ok := parsePress(d.CustomID); ok {
		return b.press(ctx, r, p)
	}
	if p, ok := parsePick(d.CustomID); ok && len(d.Values) == 1 && validID(d.Values[0]) {
		return b.picked(ctx, r, match.ID(d.Values[0]), p)
	}
	if l, ok := parseLeaderPage(d.CustomID); ok {
		return b.turnLeaders(ctx, r, l)
	}
	if page, ok := parseListID(d.CustomID); ok {
		return b.list(ctx, r, page)
	}
	if s, ok := parseScene(d.CustomID); ok {
		return b.replayed(ctx, r, s)
	}
	if field, ok := parseField(kindSettings, d.CustomID); ok {
		return b.settingChosen(ctx, r, field, d.Values)
	}
	if field, ok := parseField(kindPreferences, d.CustomID); ok {
		return b.preferenceChosen(ctx, r, field, d.Values)
	}
	if user, asked, ok := parseFarewellID(d.CustomID); ok {
		return b.forget(ctx, r, user, asked)
	}
	return say(r.mine.T("unknown_button")), nil
}

// submit takes what was typed into a modal.
func (b *Bot) submit(ctx context.Context, r *request, d discordgo.ModalSubmitInteractionData) (answer, error) {
	if s, ok := parseScene(d.CustomID); ok && s.verb == replayJump {
		return b.jump(ctx, r, s, typedText(d.Components))
	}
	p, ok := parsePress(d.CustomID)
	if !ok || p.verb != verbType || r.foreign(p.isOf) {
		return say(r.mine.T("unknown_button")), nil
	}
	if a, off, err := b.takenOff(ctx, r, p); off || err != nil {
		return a, err
	}
	a, err := b.typed(ctx, r, p, typedText(d.Components))
	return b.found(ctx, r, p, a), err
}

// typedText finds the one text input of a modal.
func typedText(components []discordgo.MessageComponent) string {
	for _, c := range components {
		switch c := c.(type) {
		case *discordgo.Label:
			return typedText([]discordgo.MessageComponent{c.Component})
		case *discordgo.ActionsRow:
			return typedText(c.Components)
		case *discordgo.TextInput:
			return c.Value
		}
	}
	return ""
}

// press carries out what a match's button asks for. A match that is not stored, since
// the store is an older copy, is said to be lost: nobody else can be meant by the button.
func (b *Bot) press(ctx context.Context, r *request, p press) (answer, error) {
	if r.foreign(p.isOf) {
		return say(r.mine.T("unknown_button")), nil
	}
	if a, off, err := b.takenOff(ctx, r, p); off || err != nil {
		return a, err
	}
	b.notices.saw(p.match, r.user.ID)
	a, err := b.pressed(ctx, r, p)
	if errors.Is(err, match.ErrNotFound) {
		return say(r.mine.T("lost_match")), nil
	}
	return b.found(ctx, r, p, a), err
}

func (b *Bot) pressed(ctx context.Context, r *request, p press) (answer, error) {
	switch p.verb {
	case verbAccept:
		return b.answerChallenge(ctx, r, p, match.Accept{})
	case verbDecline:
		return b.answerChallenge(ctx, r, p, match.Decline{})
	case verbWithdraw:
		return b.answerChallenge(ctx, r, p, match.Withdraw{})
	case verbCell:
		return b.clicked(ctx, r, p)
	case verbChoose:
		return b.choose(ctx, r, p)
	case verbLeft, verbRight, verbUp, verbDown:
		return b.shift(ctx, r, p)
	case verbType:
		return b.askCell(ctx, r, p)
	case verbMore:
		return b.menu(ctx, r, p)
	case verbPass:
		return b.passFromMenu(ctx, r, p)
	case verbResign:
		return b.askResign(ctx, r, p.match)
	case verbGiveUp:
		return b.giveUp(ctx, r, p)
	case verbDraw:
		return b.offerDraw(ctx, r, p)
	case verbAgree:
		return b.answerDraw(ctx, r, p, match.AgreeDraw{})
	case verbRefuse:
		return b.answerDraw(ctx, r, p, match.RefuseDraw{})
	case verbRematch:
		return b.rematch(ctx, r, p)
	case verbBoard:
		return b.showAgain(ctx, r, p.match)
	case verbEnd:
		return b.endMatch(ctx, r, p.match)
	}
	return answer{}, errMalformed
}

// takenOff answers a match's button that is not on its message any more, or never was:
// nothing happens, and the presser is told privately where to look. The message that is
// known to show the match is taken at its word, whatever Discord says is on it: on that
// one nothing else can be overwritten.
func (b *Bot) takenOff(ctx context.Context, r *request, p press) (a answer, off bool, err error) {
	if !r.bare() {
		return answer{}, false, nil
	}
	m, err := b.load(ctx, p.match)
	switch l := link(m.Where); {
	case err == nil && m.Where.Message == r.Message.ID:
		return answer{}, false, nil
	case errors.Is(err, match.ErrNotFound):
		return say(r.mine.T("lost_match")), true, nil
	case err != nil:
		return answer{}, false, err
	case p.verb == verbAgree || p.verb == verbRefuse:
		return say(fallenText(r.mine, &m)), true, nil
	case l == "" || !m.Involves(r.me()):
		return say(r.mine.T("unknown_button")), true, nil
	default:
		return say(r.mine.T(movedKey(&m), "Link", l)), true, nil
	}
}
