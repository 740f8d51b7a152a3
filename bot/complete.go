package bot

import (
	"context"
	"strings"

	"rowbot/match"
)

// suggest answers an autocomplete.
func suggest(list []choice) answer {
	if list == nil {
		list = []choice{}
	}
	return answer{kind: callbackChoices, data: choices{Choices: list}, outcome: "suggested"}
}

// complete suggests values for the option that is being typed.
func (b *Bot) complete(ctx context.Context, r *request, name string, args arguments) (answer, error) {
	if name == "replay" {
		_, typed := args.focused()
		return b.completeReplay(ctx, r, typed)
	}
	game, sub, ok := splitCommand(name)
	if first, sub, _ := strings.Cut(name, " "); first == "settings" && sub == "end" {
		_, typed := args.focused()
		return b.completeRunning(ctx, r, typed)
	}
	if !ok {
		return suggest(nil), nil
	}
	switch option, typed := args.focused(); option {
	case "match":
		return b.completeMatch(ctx, r, game, sub, typed)
	case "cell":
		return b.completeCell(ctx, r, game, args, typed)
	}
	return suggest(nil), nil
}

// completeMatch suggests the caller's running matches of a game, those of this
// channel first, and after them, for the command that posts a board again, the
// challenges that wait.
func (b *Bot) completeMatch(ctx context.Context, r *request, g match.Game, sub, typed string) (answer, error) {
	open, err := b.open(ctx, match.OpenQuery{User: r.user.ID, Part: match.Playing, Limit: match.MaxRunning})
	if err != nil {
		return answer{}, err
	}
	list := b.matchChoices(r, open, g, typed)
	if sub == string(verbBoard) && len(list) < maxOptions {
		waiting, err := b.challenges(ctx, match.OpenQuery{User: r.user.ID})
		if err != nil {
			return answer{}, err
		}
		list = append(list, b.matchChoices(r, waiting, g, typed)...)
	}
	return suggest(list[:min(len(list), maxOptions)]), nil
}

// matchChoices suggests the matches of a game that fit what is typed, those of this
// channel first.
func (b *Bot) matchChoices(r *request, open []match.Match, g match.Game, typed string) []choice {
	var near, far []choice
	for i := range open {
		m := &open[i]
		c := choice{Name: clip(b.summary(r, m)+dot+b.standing(r, m), 100), Value: string(m.ID)}
		switch {
		case m.Rules.Game() != g || !c.fits(typed):
		case m.Where.Channel == r.ChannelID:
			near = append(near, c)
		default:
			far = append(far, c)
		}
	}
	return append(near, far...)
}

// fits reports whether a suggestion is one for what was typed so far.
func (c choice) fits(typed string) bool {
	return strings.Contains(strings.ToLower(c.Name), strings.ToLower(typed)) || c.Value == typed
}

// completeCell suggests the legal cells of the match that would be played in,
// the likely ones first. What is typed comes first if it is a legal cell itself.
func (b *Bot) completeCell(ctx context.Context, r *request, g match.Game, args arguments, typed string) (answer, error) {
	m, err := b.completing(ctx, r, g, args)
	if err != nil || m == nil || m.Choosing() != nil {
		return suggest(nil), err
	}
	p := m.Position()
	var list []choice
	exact, err := m.Rules.ParsePoint(typed)
	if err != nil {
		exact = match.Pass // equals no cell
	} else if p.At(exact) == match.Empty && p.Forbidden(exact) == "" {
		list = append(list, choice{Name: exact.String(), Value: exact.String()})
	}
	prefix := strings.ToLower(strings.TrimSpace(typed))
	for _, at := range p.Likely() {
		if s := at.String(); strings.HasPrefix(s, prefix) && at != exact && len(list) < maxOptions {
			list = append(list, choice{Name: s, Value: s})
		}
	}
	return suggest(list), nil
}

// completing guesses the match that a half-typed move belongs to; nil where
// there is none. A wrong guess costs a suggestion and nothing else.
func (b *Bot) completing(ctx context.Context, r *request, g match.Game, args arguments) (*match.Match, error) {
	if id := args.text("match"); validID(id) {
		m, err := b.load(ctx, match.ID(id))
		if err == nil && m.Status == match.Active && m.Involves(r.me()) {
			return &m, nil
		}
	}
	running, _, err := b.here(ctx, r, g)
	if onTurn := whereToMove(running, r.me()); len(onTurn) > 0 {
		running = onTurn
	}
	if err != nil || len(running) == 0 {
		return nil, err
	}
	return &running[0], nil
}
