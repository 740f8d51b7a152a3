package load

import (
	"context"
	"strings"

	"rowbot/sandbox"
)

// doubt is where an answer did not come: the match may be as it was, or what was asked may have been done all the same.
func (t *table) doubt(maybe ...position) step {
	t.maybe = append(t.maybe, maybe...)
	return t.look
}

// doAgain clicks what was clicked before on the same board: where that was played the board shows it and nothing more,
// and where it was not it is played now.
func (t *table) doAgain(ctx context.Context) step {
	r, lost := t.do(ctx, "click again", func(ctx context.Context) (*sandbox.Reply, error) {
		return t.mover().Click(ctx, t.board, t.redo)
	})
	switch {
	case lost:
		return t.look
	case r == nil:
		return t.leave()
	case r.Updated == nil:
		t.session.tally.amiss(t.called("a second click on " + t.redo + " was answered with: " + r.Text()))
		return t.leave()
	}
	t.pos = t.maybe[0]
	return t.settle(r.Updated)
}

// look has the board posted again and compares it with all that it may be: what was asked once, or not at all.
func (t *table) look(ctx context.Context) step {
	if t.redo != "" && !t.session.errand() {
		return t.doAgain(ctx)
	}
	r, _ := t.do(ctx, "board", func(ctx context.Context) (*sandbox.Reply, error) {
		return t.seats[t.luck.IntN(2)].Slash(ctx, t.game+" board", sandbox.String("match", t.match))
	})
	candidates := append([]position{t.pos}, t.maybe...)
	switch {
	case r == nil:
		return t.look
	case r.Message != nil && !r.Ephemeral && r.Message.Button("Accept") != nil: // it is a challenge still
		t.offer, t.board = r.Message, nil
		return t.accept
	case r.Message != nil && !r.Ephemeral:
		t.board = r.Message
		if p, difference := t.fitsAny(r.Message, candidates); !strings.Contains(r.Text(), "thinking…") {
			return t.settled(r.Message, p, difference, candidates)
		}
	case strings.Contains(r.Text(), "hasn't accepted"), strings.Contains(r.Text(), "haven't accepted"):
		return t.accept
	case !strings.Contains(r.Text(), "is over"):
		t.session.tally.amiss(t.called("/" + t.game + " board was answered with: " + r.Text()))
		return t.leave()
	}
	// The board of a match that is over is not posted again: the message follows by itself.
	m, p, difference := t.await(ctx, candidates...)
	if ctx.Err() != nil {
		return t.look
	}
	return t.settled(m, p, difference, candidates)
}

// settled goes on from a board that was looked at.
func (t *table) settled(m *sandbox.Message, p position, difference string, candidates []position) step {
	if !p.over {
		t.ending = ""
	}
	if difference != "" && len(candidates) > 1 {
		difference += " (after an interaction that was not answered)"
	}
	return t.proceed(m, p, difference)
}

// last looks once more at a match that is not over: how its message stands, and how the bot shows it anew.
func (t *table) last(ctx context.Context) {
	if t.match == "" || t.pos.over || t.board == nil || t.board == t.offer {
		return
	}
	t.due = t.session.now()
	if now := t.session.discord.Message(t.board.ChannelID, t.board.ID); now != nil && len(t.maybe) == 0 {
		if _, _, difference := t.await(ctx, t.pos); difference != "" {
			t.session.tally.board(t.called("at the end " + difference))
			return
		}
	}
	t.seen = false
	for range 20 { // a copy that was killed may still be on its way back
		if t.look(ctx); t.seen || t.match == "" || ctx.Err() != nil {
			return
		}
	}
}
