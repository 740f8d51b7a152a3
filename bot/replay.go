package bot

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"rowbot/bot/locale"
	"rowbot/bot/render"
	"rowbot/match"
	"rowbot/match/record"
)

// replay answers the command: the match that was named, or the latest of the
// server, from its beginning.
func (b *Bot) replay(ctx context.Context, r *request, args arguments) (answer, error) {
	m, err := b.ended(ctx, r, args.text("match"))
	if errors.Is(err, match.ErrNotFound) {
		return say(r.mine.T("nothing_to_replay")), nil
	}
	if err != nil {
		return answer{}, err
	}
	return answer{kind: callbackReply, data: stage(r.ours, &m, 0), outcome: "replayed"}, nil
}

// ended finds a match to replay: match.ErrNotFound also for one that is not
// over, and for one of another server in which the caller had no part.
func (b *Bot) ended(ctx context.Context, r *request, id string) (m match.Match, err error) {
	if id == "" {
		latest, err := b.latest(ctx, r, 1)
		if err == nil && len(latest) == 0 {
			err = match.ErrNotFound
		}
		if err != nil {
			return m, err
		}
		return b.load(ctx, latest[0].ID)
	}
	if !validID(id) {
		return m, match.ErrNotFound
	}
	if m, err = b.load(ctx, match.ID(id)); err != nil {
		return m, err
	}
	here := r.GuildID != "" && m.Where.Guild == r.GuildID
	if !m.Status.Over() || m.Seats[0].IsNobody() || !here && m.StoneOf(r.me()) == match.Empty {
		return m, match.ErrNotFound
	}
	return m, nil
}

// latest lists the matches that ended last: of the server, elsewhere the caller's.
func (b *Bot) latest(ctx context.Context, r *request, limit int) (found []match.Summary, err error) {
	err = b.store.View(ctx, func(tx match.Tx) error {
		found, err = tx.Ended(ctx, match.EndedQuery{Guild: r.GuildID, User: r.user.ID, Limit: limit})
		return err
	})
	return found, err
}

// maxLookedBack is among how many of the latest matches a name is looked for.
const maxLookedBack = 200

// completeReplay suggests the matches that ended last and fit what is typed.
func (b *Bot) completeReplay(ctx context.Context, r *request, typed string) (answer, error) {
	limit := maxLookedBack
	if typed == "" {
		limit = maxOptions
	}
	found, err := b.latest(ctx, r, limit)
	if err != nil {
		return answer{}, err
	}
	var list []choice
	for _, m := range found {
		c := choice{Name: clip(b.endedText(r.mine, m), 100), Value: string(m.ID)}
		if len(list) < maxOptions && c.fits(typed) {
			list = append(list, c)
		}
	}
	return suggest(list), nil
}

// endedText names an ended match in plain text: the day, the game, who played, who won.
func (b *Bot) endedText(p locale.Printer, m match.Summary) string {
	how := p.T("replay_drawn")
	if m.Status == match.Won {
		how = p.T("replay_won", "Player", b.nameOf(p, m.Seats[m.Winner-match.Black]))
	}
	return m.Changed.UTC().Format("2006-01-02") + dot + titleOf(p, m.Rules) + dot +
		b.nameOf(p, m.Seats[0]) + " – " + b.nameOf(p, m.Seats[1]) + dot + how + dot + p.N("moves", m.Plies)
}

// stage is the message of a replay: the board after so many plies.
func stage(l look, m *match.Match, ply int) message {
	p := l.Printer
	ply = min(ply, len(m.Moves))
	then := m.AsOf(ply)
	v := render.Of(&then)
	d := drawing{accent: accentClosed, text: headText(p, m) + "\n" + sceneText(p, m, &then), view: &v}
	all := len(m.Moves)
	to := func(label string, verb replayVerb, ply int, useful bool) component {
		c := button(styleSecondary, label, scene{match: m.ID, verb: verb, ply: max(0, min(ply, all))}.String())
		c.Disabled = !useful
		return c
	}
	file := func(label string, verb replayVerb) component {
		return button(styleSecondary, label, scene{match: m.ID, verb: verb, ply: ply}.String())
	}
	next := to(p.T("replay_next"), replayNext, ply+1, ply < all)
	next.Style = stylePrimary
	d.rows = []component{
		row(
			to(p.T("replay_first"), replayFirst, 0, ply > 0), to(p.T("replay_back"), replayBack, ply-1, ply > 0),
			next, to(p.T("replay_last"), replayLast, all, ply < all), to(p.T("replay_jump"), replayJump, ply, all > 1),
		),
		row(file("GIF", replayGIF), file("PSQ", replayPSQ), file("SGF", replaySGF)),
	}
	return d.in(l)
}

// sceneText says how far a replay is, and at its end how the match ended.
func sceneText(p locale.Printer, m, then *match.Match) string {
	s := p.T("replay_ply", "N", len(then.Moves), "All", len(m.Moves))
	if last, ok := then.Last(); ok {
		s += dot + moveText(p, then, last)
	}
	if len(then.Moves) == len(m.Moves) {
		s += "\n" + resultText(p, m)
	}
	return s
}

// replayed carries out what a replay's button asks for.
func (b *Bot) replayed(ctx context.Context, r *request, s scene) (answer, error) {
	m, no, err := b.finished(ctx, r, s.match)
	if err != nil || no != "" {
		return say(no), err
	}
	switch s.verb {
	case replayJump:
		return askPly(r, &m, s), nil
	case replayGIF, replayPSQ, replaySGF:
		return b.recorded(ctx, r, &m, s.verb)
	case replayOpen:
		return openStage(r, &m, s.ply), nil
	case replayFirst, replayBack, replayNext, replayLast:
	}
	return nextStage(r, &m, s.ply), nil
}

// finished loads a match that can be replayed, or says why there is none.
func (b *Bot) finished(ctx context.Context, r *request, id match.ID) (m match.Match, no string, err error) {
	m, err = b.load(ctx, id)
	switch {
	case errors.Is(err, match.ErrNotFound):
		return m, r.mine.T("lost_match"), nil
	case err == nil && (!m.Status.Over() || m.Seats[0].IsNobody()):
		return m, r.mine.T("nothing_to_replay"), nil
	}
	return m, "", err
}

// openStage shows a scene to the caller alone.
func openStage(r *request, m *match.Match, ply int) answer {
	return answer{kind: callbackReply, data: stage(look{r.mine, r.ours.style}, m, ply), private: true, outcome: "replayed"}
}

// nextStage shows a scene in place of the one that was used. A board, which has
// no buttons that lead to it, stays.
func nextStage(r *request, m *match.Match, ply int) answer {
	sameReplay := func(id string) bool { s, ok := parseScene(id); return ok && s.match == m.ID }
	if r.onBoard() || r.Message == nil || r.Message.ID == m.Where.Message || r.bare() || r.foreign(sameReplay) {
		return openStage(r, m, ply)
	}
	return answer{kind: callbackUpdate, data: stage(r.theirs(), m, ply), outcome: "replayed"}
}

// theirs is the language of the message whose component was used.
func (r *request) theirs() look {
	if r.private() {
		return look{r.mine, r.ours.style}
	}
	return r.ours
}

// askPly opens the modal to type the number of a move into.
func askPly(r *request, m *match.Match, s scene) answer {
	input := component{Type: typeTextInput, CustomID: "ply", Style: inputShort, Placeholder: strconv.Itoa(len(m.Moves)), MaxLength: 4}
	return answer{kind: callbackModal, outcome: "asked", data: modal{
		CustomID: s.String(),
		Title:    r.mine.T("replay_jump_title"),
		Components: []component{{
			Type: typeLabel, Label: r.mine.T("replay_jump_label"),
			Description: r.mine.T("replay_jump_range", "All", len(m.Moves)), Component: &input,
		}},
	}}
}

// jump shows the move whose number was typed into the modal.
func (b *Bot) jump(ctx context.Context, r *request, s scene, typed string) (answer, error) {
	m, no, err := b.finished(ctx, r, s.match)
	if err != nil || no != "" {
		return say(no), err
	}
	ply, err := strconv.Atoi(asciiDigits(strings.TrimSpace(typed)))
	if err != nil || ply < 0 || ply > len(m.Moves) {
		return say(r.mine.T("replay_no_ply", "Text", quote(typed), "All", len(m.Moves))), nil //nolint:nilerr // the answer says it
	}
	return nextStage(r, &m, ply), nil
}

// recorded hands a match over as a file, to the caller alone.
func (b *Bot) recorded(ctx context.Context, r *request, m *match.Match, verb replayVerb) (answer, error) {
	names := [2]string{b.nameOf(r.mine, m.Seats[0]), b.nameOf(r.mine, m.Seats[1])}
	f := file{name: "rowbot-" + string(m.ID) + "." + string(verb)}
	switch verb { //nolint:exhaustive // the others make no files
	case replayGIF:
		film, err := b.films.of(ctx, m)
		if err != nil {
			return answer{}, err
		}
		f.mime, f.alt, f.data = "image/gif", clip(b.endedText(r.mine, m.Summary()), maxAlt), film
	case replayPSQ:
		f.mime, f.data = "text/plain", record.PSQ(m, names)
	case replaySGF:
		f.mime, f.data = "application/x-go-sgf", record.SGF(m, names)
	}
	msg := note(r.mine.T("replay_file", "Match", titleText(r.mine, m)))
	msg.files = []file{f}
	return answer{kind: callbackReply, data: msg, private: true, outcome: "recorded"}, nil
}

// maxAlt is how long an attachment's description may be.
const maxAlt = 1024
