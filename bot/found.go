package bot

import (
	"cmp"
	"context"
	"time"

	"rowbot/match"
)

// found notes that the message whose button was used shows the match, if no message was
// known: the process was killed before it could note that. If the press came too late,
// the answer is that message as it should be.
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
	// arrivalWait is how long a list of matches waits for messages that are on their
	// way to Discord, and arrivalPause how often it checks.
	arrivalWait  = time.Second
	arrivalPause = 20 * time.Millisecond
)

// arrived waits, for matches that had no known message when they were read, until none
// is on its way. It reports whether one may have become known since the reading, also
// if that happened before the call.
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
