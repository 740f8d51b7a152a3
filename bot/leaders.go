package bot

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"rowbot/bot/locale"
	"rowbot/match"
	"rowbot/match/rating"
)

const (
	pageSize = 10
	maxPages = 1000
)

// leaderboard answers the command: the first page. Where no game was chosen it
// shows the one that was played last.
func (b *Bot) leaderboard(ctx context.Context, r *request, args arguments) (answer, error) {
	l := leaderPage{game: match.Game(args.text("game")), by: match.Order(args.text("by"))}
	l.everywhere = args.text("scope") == "everywhere" || r.GuildID == ""
	if l.by == "" {
		l.by = match.ByRating
	}
	if l.game == "" {
		game, err := b.lastPlayed(ctx, r.scope(l))
		if err != nil {
			return answer{}, err
		}
		l.game = game
	}
	if _, ok := parseLeaderPage(l.String()); !ok {
		return say(r.mine.T("bad_option")), nil
	}
	return b.leaders(ctx, r, l, callbackReply)
}

// scope is what a leaderboard counts.
func (r *request) scope(l leaderPage) string {
	if l.everywhere || r.GuildID == "" {
		return match.Everywhere
	}
	return r.GuildID
}

func (b *Bot) lastPlayed(ctx context.Context, scope string) (g match.Game, err error) {
	err = b.store.View(ctx, func(tx match.Tx) error {
		g, err = tx.LastPlayed(ctx, scope)
		return err
	})
	if errors.Is(err, match.ErrNotFound) {
		return match.TicTacToe, nil
	}
	return g, err
}

// leaders draws a page of a leaderboard.
func (b *Bot) leaders(ctx context.Context, r *request, l leaderPage, kind callbackKind) (answer, error) {
	on, err := b.leadersOn(ctx, l, r.scope(l), r.user.ID)
	if err != nil {
		return answer{}, err
	}
	buttons := leaderButtons(r.ours.Printer, l, on.more)
	return answer{kind: kind, data: panel(accentRunning, leadersText(r, l, on), buttons), outcome: "leaders"}, nil
}

// leading is what a page of a leaderboard shows.
type leading struct {
	all   []match.Record
	more  bool // there is another page
	own   match.Record
	place int // of the own record, where it is on another page; 0: it is not
}

// leadersOn reads a page for somebody.
func (b *Bot) leadersOn(ctx context.Context, l leaderPage, scope, user string) (on leading, err error) {
	q := match.LeadersQuery{Scope: scope, Game: l.game, By: l.by, Offset: l.page * pageSize, Limit: pageSize + 1}
	return on, b.store.View(ctx, func(tx match.Tx) (err error) {
		on = leading{}
		if on.all, err = tx.Leaders(ctx, q); err != nil {
			return err
		}
		on.more = len(on.all) > pageSize
		on.all = on.all[:min(len(on.all), pageSize)]
		if slices.ContainsFunc(on.all, func(rec match.Record) bool { return rec.User == user }) {
			return nil
		}
		on.own, err = tx.Record(ctx, match.VersusPeople(scope, user, l.game))
		if err != nil || on.own.Played() == 0 {
			return err
		}
		on.place, err = tx.Place(ctx, on.own, l.by)
		return err
	})
}

// turnLeaders shows another page in place of the one that was used. A board, which
// has no buttons that lead to it, stays, and so does a message
// without buttons: the caller alone gets the page.
func (b *Bot) turnLeaders(ctx context.Context, r *request, l leaderPage) (answer, error) {
	if !r.onBoard() && !r.bare() {
		return b.leaders(ctx, r, l, callbackUpdate)
	}
	a, err := b.leaders(ctx, r, l, callbackReply)
	a.private = true
	return a, err
}

// leadersText is a page of a leaderboard, and below it the reader's own line where that
// is on another page.
func leadersText(r *request, l leaderPage, on leading) string {
	scope := "scope_server"
	if r.scope(l) == match.Everywhere {
		scope = "scope_everywhere"
	}
	p := r.ours.Printer
	lines := []string{"**" + p.T("leaderboard") + "** · " + p.T("game_"+string(l.game)) + dot + p.T(scope) + dot + p.T("by_"+string(l.by))}
	if len(on.all) == 0 {
		lines = append(lines, p.T("no_leaders"))
	}
	for i, rec := range on.all {
		lines = append(lines, leaderLine(p, l.page*pageSize+i+1, rec))
	}
	if on.place > 0 {
		lines = append(lines, "…", leaderLine(p, on.place, on.own))
	}
	return strings.Join(lines, "\n")
}

func leaderLine(p locale.Printer, place int, rec match.Record) string {
	return strconv.Itoa(place) + ". " + mention(rec.User) + dot + ratingText(rec.Rating) + dot +
		p.T("tally_short", "Won", rec.Won, "Drawn", rec.Drawn, "Lost", rec.Lost)
}

// ratingText is the rating, with "?" while it says little.
func ratingText(r rating.Rating) string {
	s := strconv.Itoa(int(math.Round(r.Points)))
	if r.Provisional() {
		s += "?"
	}
	return s
}

func leaderButtons(p locale.Printer, l leaderPage, more bool) component {
	to := func(label string, change func(*leaderPage), enabled bool) component {
		target := l
		change(&target)
		c := button(styleSecondary, label, target.String())
		c.Disabled = !enabled
		return c
	}
	other := match.Gomoku
	if l.game == match.Gomoku {
		other = match.TicTacToe
	}
	order := match.ByWins
	if l.by == match.ByWins {
		order = match.ByRating
	}
	// The target of a disabled button must differ from every other custom ID.
	return row(
		to("‹", func(t *leaderPage) { t.page = (l.page + maxPages - 1) % maxPages }, l.page > 0),
		to("›", func(t *leaderPage) { t.page = (l.page + 1) % maxPages }, more && l.page+1 < maxPages),
		to(p.T("game_"+string(other)), func(t *leaderPage) { t.game, t.page = other, 0 }, true),
		to(p.T("by_"+string(order)), func(t *leaderPage) { t.by, t.page = order, 0 }, true),
	)
}
