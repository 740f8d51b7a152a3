package bot

import (
	"cmp"
	"context"
	"time"

	"rowbot/match"
)

// found notes that the message whose button was used shows the match, where none was
// known that does: the process was killed before it could be noted. If the button came
// too late, the answer is that message as it has to be.
func (b *Bot) found(ctx context.Context, r *request, p press, a answer) answer {
	at, m := r.where(), cmp.Or(a.about, a.shows)
	switch {
	case m == nil || m.ID != p.match || m.Where.Message != "" || at.Message == "":
		return a
	case p.verb == verbAgree || p.verb == verbRefuse: // on a draw offer
		return a
	case b.boards.answering(m.ID): // it will be known in a moment
		return a
	}
	b.moved(ctx, m.ID, at)
	if key := match.Refusal(a.outcome); key == match.Over || key == match.Gone {
		up := b.update(ctx, m)
		up.also = b.refusalText(r, m, key, "")
		return up
	}
	return a
}

const (
	// arrivalWait is how long a list of matches waits for the messages that are on
	// their way to Discord just now, and arrivalPause how often it looks.
	arrivalWait  = time.Second
	arrivalPause = 20 * time.Millisecond
)

// arrived waits until no message is on its way that shows one of the matches and was
// not known when they were read. It reports whether one may be known since, be it that
// it arrived before anybody looked here.
func (b *Bot) arrived(ctx context.Context, open []match.Match) (since bool) {
	ctx, cancel := context.WithTimeout(ctx, arrivalWait)
	defer cancel()
	for i := range open {
		if open[i].Where.Message != "" {
			continue
		}
		since = true
		for b.boards.answering(open[i].ID) {
			if !sleep(ctx, arrivalPause) {
				return since
			}
		}
	}
	return since
}

// answering reports whether an answer that shows a match is being delivered.
func (s *boards) answering(id match.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.jobs[id]
	return j != nil && len(j.answers) > 0
}
