package bot

import (
	"context"
	"strings"

	"rowbot/bot/locale"
	"rowbot/match"
)

// stats shows a player's records, or how two players did against each other.
func (b *Bot) stats(ctx context.Context, r *request, args arguments, who people) (answer, error) {
	player, opponent := args.text("player"), args.text("opponent")
	if player == "" {
		player = r.user.ID
	}
	for _, id := range []string{player, opponent} {
		if b.isBot(id, who) {
			return say(r.mine.T("stats_of_bot")), nil
		}
	}
	if player == opponent {
		return say(r.mine.T("stats_same")), nil
	}
	if opponent != "" {
		return b.headToHead(ctx, r, player, opponent)
	}
	var records []match.Record
	err := b.store.View(ctx, func(tx match.Tx) (err error) {
		records, err = tx.Records(ctx, player)
		return err
	})
	if err != nil {
		return answer{}, err
	}
	return answer{kind: callbackReply, data: panel(accentRunning, statsText(r.ours.Printer, player, records)), outcome: "stats"}, nil
}

func (b *Bot) isBot(id string, who people) bool {
	if id == b.userID || id == b.appID {
		return true
	}
	return who != nil && who.Users[id] != nil && who.Users[id].Bot
}

func statsText(p locale.Printer, player string, records []match.Record) string {
	lines := []string{"**" + p.T("stats") + "** · " + mention(player)}
	rowbot := false
	for _, rec := range records {
		game := "**" + p.T("game_"+string(rec.Game)) + "**"
		if level := rec.Level(); level != "" {
			if !rowbot {
				lines, rowbot = append(lines, p.T("against_rowbot")), true
			}
			lines = append(lines, game+dot+p.T("level_"+level)+dot+tallyText(p, rec))
			continue
		}
		lines = append(lines, game+dot+tallyText(p, rec)+dot+p.T("rating", "Rating", ratingText(rec.Rating))+
			dot+p.T("streak", "Streak", rec.Streak, "Best", rec.Best))
	}
	if len(records) == 0 {
		lines = append(lines, p.T("no_stats"))
	}
	return strings.Join(lines, "\n")
}

// tallyText is wins, draws and losses, each with its word.
func tallyText(p locale.Printer, rec match.Record) string {
	return p.T("tally", "Wins", p.N("wins", rec.Won), "Draws", p.N("draws", rec.Drawn), "Losses", p.N("losses", rec.Lost))
}

func (b *Bot) headToHead(ctx context.Context, r *request, player, opponent string) (answer, error) {
	var lines []string
	err := b.store.View(ctx, func(tx match.Tx) error {
		lines = []string{"**" + r.ours.T("head_to_head") + "** · " + mention(player) + " – " + mention(opponent)}
		for _, g := range []match.Game{match.TicTacToe, match.Gomoku} {
			rec, err := tx.Record(ctx, match.VersusUser(player, g, opponent))
			if err != nil {
				return err
			}
			if rec.Played() > 0 {
				lines = append(lines, "**"+r.ours.T("game_"+string(g))+"** · "+
					r.ours.T("as_seen_by", "Player", mention(player), "Tally", tallyText(r.ours.Printer, rec)))
			}
		}
		return nil
	})
	if err != nil {
		return answer{}, err
	}
	if len(lines) == 1 {
		lines = append(lines, r.ours.T("never_met"))
	}
	return answer{kind: callbackReply, data: panel(accentRunning, strings.Join(lines, "\n")), outcome: "stats"}, nil
}
