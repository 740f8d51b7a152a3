package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"rowbot/match"
)

// inMatch carries out a command in the match that it means: the one named, or
// the one of this channel that fits. Where several fit it asks; it never guesses.
func (b *Bot) inMatch(ctx context.Context, r *request, g match.Game, args arguments, p pick) (answer, error) {
	if named := args.text("match"); named != "" {
		m, err := b.named(ctx, r, g, named)
		if err != nil {
			return b.unknownMatch(r, err)
		}
		return b.carryOut(ctx, r, m, p)
	}
	fitting, waiting, err := b.here(ctx, r, g)
	if err != nil {
		return answer{}, err
	}
	if p.verb == verbBoard && len(fitting) == 0 {
		fitting = waiting
	}
	if p.verb == verbCell || p.verb == verbPass {
		if onTurn := whereToMove(fitting, r.me()); len(onTurn) > 0 {
			fitting = onTurn
		} else if len(fitting) > 1 {
			return say(r.mine.T("no_turn_here")), nil
		}
	}
	switch {
	case len(fitting) == 1:
		return b.carryOut(ctx, r, &fitting[0], p)
	case len(fitting) == 0 && len(waiting) > 0:
		return b.refuse(r, &waiting[0], match.NotStarted, "")
	case len(fitting) == 0:
		return say(r.mine.T("no_match_here", "Game", string(g))), nil
	}
	return b.ask(r, fitting, p), nil
}

// named finds the match that an option names; match.ErrNotFound also for other
// people's matches and for those of the other game.
func (b *Bot) named(ctx context.Context, r *request, g match.Game, id string) (*match.Match, error) {
	if !validID(id) {
		return nil, match.ErrNotFound
	}
	m, err := b.load(ctx, match.ID(id))
	if err != nil {
		return nil, err
	}
	if !m.Involves(r.me()) || m.Rules.Game() != g {
		return nil, match.ErrNotFound
	}
	return &m, nil
}

func (b *Bot) unknownMatch(r *request, err error) (answer, error) {
	if errors.Is(err, match.ErrNotFound) {
		return say(r.mine.T("no_such_match")), nil
	}
	return answer{}, err
}

// maxReceived is how many of a person's latest open matches are searched for challenges
// to them, of which there may be any number.
const maxReceived = 200

// here lists the caller's running matches of a game in this channel, the newest first,
// and if there are none, the challenges that still wait. A thread opened on a board has
// the board's ID, so the match belongs there too.
func (b *Bot) here(ctx context.Context, r *request, g match.Game) (running, waiting []match.Match, err error) {
	ofGame := func(m match.Match) bool { return m.Rules.Game() == g }
	playing, err := b.open(ctx, match.OpenQuery{User: r.user.ID, Part: match.Playing, Limit: match.MaxRunning})
	if err != nil {
		return nil, nil, err
	}
	for _, m := range playing {
		if ofGame(m) && (m.Where.Channel == r.ChannelID || m.Where.Message == r.ChannelID) {
			running = append(running, m)
		}
	}
	if len(running) > 0 {
		return running, nil, nil
	}
	waiting, err = b.challenges(ctx, match.OpenQuery{User: r.user.ID, Channel: r.ChannelID})
	return nil, slices.DeleteFunc(waiting, func(m match.Match) bool { return !ofGame(m) }), err
}

// challenges lists challenges that wait for an answer, the newest first: all that a
// person has sent, and the latest of those to them.
func (b *Bot) challenges(ctx context.Context, q match.OpenQuery) ([]match.Match, error) {
	var all []match.Match
	for part, most := range map[match.Part]int{match.Sent: match.MaxPending, match.AllOpen: maxReceived} {
		q.Part, q.Limit = part, most
		found, err := b.open(ctx, q)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	all = slices.DeleteFunc(all, func(m match.Match) bool { return m.Status != match.Challenged })
	slices.SortFunc(all, func(m, n match.Match) int {
		return cmp.Or(n.Created.Compare(m.Created), cmp.Compare(n.ID, m.ID))
	})
	return slices.CompactFunc(all, func(m, n match.Match) bool { return m.ID == n.ID }), nil
}

func (b *Bot) open(ctx context.Context, q match.OpenQuery) (open []match.Match, err error) {
	err = b.store.View(ctx, func(tx match.Tx) error {
		open, err = tx.Open(ctx, q)
		return err
	})
	return open, err
}

func whereToMove(all []match.Match, who match.Player) (some []match.Match) {
	for _, m := range all {
		if m.ToMove() == who {
			some = append(some, m)
		}
	}
	return some
}

// maxOptions is how many entries a select or an autocomplete may have.
const maxOptions = 25

// maxCarried is how many bytes of a typed cell a custom ID takes along.
const maxCarried = 90

// ask asks privately which match is meant.
func (b *Bot) ask(r *request, fitting []match.Match, p pick) answer {
	if p.verb == verbCell {
		// The text goes into the custom ID; only what is a cell somewhere may.
		_, err := anyBoard.ParsePoint(p.arg)
		if err == nil && len(p.arg) > maxCarried {
			err = match.NotACell
		}
		if err != nil {
			a, _ := b.refuse(r, &fitting[0], err, p.arg)
			return a
		}
	}
	menu := component{Type: typeSelect, CustomID: p.String(), Placeholder: r.mine.T("which_match")}
	for i := range fitting[:min(len(fitting), maxOptions)] {
		m := &fitting[i]
		menu.Options = append(menu.Options, option{
			Label: clip(b.summary(r, m), 100), Value: string(m.ID),
			Description: clip(b.standing(r, m), 100),
		})
	}
	return say(r.mine.T("which_match"), row(menu))
}

// summary names a match in plain text, as its player sees it.
func (b *Bot) summary(r *request, m *match.Match) string {
	return r.mine.T("summary", "Match", titleText(r.mine, m), "Player", b.nameOf(r.mine, m.Opponent(r.me())))
}

// standing says in plain text how far a match is.
func (b *Bot) standing(r *request, m *match.Match) string {
	if m.Status == match.Challenged {
		return r.mine.T("unanswered")
	}
	s := r.mine.T("move_number", "N", len(m.Moves)+1)
	if last, ok := m.Last(); ok {
		s += " · " + r.mine.T("last_move", "Move", moveText(r.mine, m, last))
	}
	return s
}

// picked carries out what the select asked about.
func (b *Bot) picked(ctx context.Context, r *request, id match.ID, p pick) (answer, error) {
	m, err := b.load(ctx, id)
	if err == nil && !m.Involves(r.me()) {
		err = match.ErrNotFound
	}
	if err != nil {
		return b.unknownMatch(r, err)
	}
	return b.carryOut(ctx, r, &m, p)
}

func (b *Bot) carryOut(ctx context.Context, r *request, m *match.Match, p pick) (answer, error) {
	switch p.verb { //nolint:exhaustive // parsePick and command let no others through
	case verbCell:
		return b.playCell(ctx, r, m, p.arg)
	case verbPass:
		return b.playMove(ctx, r, m, match.PassTurn{}, "", r.mine.T("you_passed"))
	case verbResign:
		return b.askResign(ctx, r, m.ID)
	case verbDraw:
		return b.offerDraw(ctx, r, press{match: m.ID})
	case verbBoard:
		return b.postAgain(r, m), nil
	}
	return answer{}, errMalformed
}
