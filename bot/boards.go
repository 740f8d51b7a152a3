package bot

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"rowbot/match"
)

// errNoMessage: no message is known that shows the match.
var errNoMessage = errors.New("no message shows the match")

// messageTries is how often a job checks, tryPause after tryPause, whether a message
// that is on its way has become known: for longer than an answer can take.
const messageTries = int(time.Minute / tryPause)

// boards keeps the board messages of all matches up to date where no answer to
// a click does: after commands, private buttons and the sweep. A match has at most
// one edit under way, which draws the match as it then stands, so that edits cannot
// overtake each other. No lock is held while an edit is sent.
type boards struct {
	bot *Bot
	ctx context.Context //nolint:containedctx // the life of the background work, ended by Close

	mu   sync.Mutex
	jobs map[match.ID]*job
	// unshown are the matches that Bot.show is working on, and whether it has been
	// asked for them again meanwhile.
	unshown map[match.ID]bool
}

// job is what is under way for one match. It is forgotten when nothing is.
type job struct {
	answers []match.Version // the versions that answers being delivered show
	mixed   bool            // what was under way at the same time did not all show the same
	running bool
	drawing bool          // an edit is being sent
	looks   int           // how often in a row no message was known yet
	again   bool          // asked for since that edit began
	waiting []waiter      // who waits for the next edit
	old     []match.Where // messages that have been replaced, to be taken out of use
	leaving []match.Where // those for which that is being done
}

// waiter waits for an edit.
type waiter struct {
	done chan edited
	// instead: where the edit fails, the answer is the board itself.
	instead bool
}

// edited is what came of an edit, and the version of the match that it was to show.
type edited struct {
	shows match.Version
	err   error
}

func newBoards(ctx context.Context, b *Bot) *boards {
	return &boards{bot: b, ctx: ctx, jobs: map[match.ID]*job{}, unshown: map[match.ID]bool{}}
}

// begin says that an answer which shows a match is being delivered. seen is the
// version on the board that it answers, 0 for none: everything up to that version has
// arrived, even if that is not known here yet.
func (s *boards) begin(id match.ID, v, seen match.Version) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.job(id)
	if j.drawing || slices.ContainsFunc(j.answers, func(other match.Version) bool { return other != v && other > seen }) {
		j.mixed = true
	}
	// The answer may be for a message that is just being taken out of use.
	j.old, j.leaving = append(j.old, j.leaving...), nil
	j.answers = append(j.answers, v)
}

// end says that an answer that shows v was delivered. Discord may have taken what was
// under way at the same time in any order, so an older board may have replaced a newer
// one: once all is quiet, the board is drawn again.
func (s *boards) end(id match.ID, v match.Version) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.job(id)
	if at := slices.Index(j.answers, v); at >= 0 {
		j.answers = slices.Delete(j.answers, at, at+1)
	}
	s.settle(id, j)
	s.forget(id, j)
}

// settle starts what had to wait until no answer was under way: redrawing a board that
// may show an older version, and taking messages out of use.
func (s *boards) settle(id match.ID, j *job) {
	if len(j.answers) > 0 || j.drawing {
		return
	}
	if j.mixed {
		j.mixed, j.again = false, true
	}
	if j.again || len(j.old) > 0 {
		s.start(id, j)
	}
}

// redraw has a board drawn again soon.
func (s *boards) redraw(id match.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.job(id)
	j.again = true
	s.start(id, j)
}

// retire has the buttons taken off a message that a newer one has replaced,
// after the edit and the answers that are still on their way to it.
func (s *boards) retire(id match.ID, old match.Where) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.job(id)
	j.old = append(j.old, old)
	s.settle(id, j)
}

// wait has a board drawn again, waits for it, and returns the version of the match
// that it shows. The error is that of the edit, or the context's; the edit then goes
// on. A board that cannot be edited is to be posted anew, or, without instead, to be
// edited some other way.
func (s *boards) wait(ctx context.Context, id match.ID, instead bool) (match.Version, error) {
	done := make(chan edited, 1)
	s.mu.Lock()
	j := s.job(id)
	j.waiting, j.again = append(j.waiting, waiter{done, instead}), true
	s.start(id, j)
	s.mu.Unlock()
	select {
	case e := <-done:
		return e.shows, e.err
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	}
}

// showing says that Bot.show has been asked for a match. It returns false if Bot.show
// is working on that match already; it will then go on.
func (s *boards) showing(id match.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, known := s.unshown[id]
	s.unshown[id] = known
	return !known
}

// busy adds the matches that Bot.show is working on to a set.
func (s *boards) busy(set map[match.ID]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id := range s.unshown {
		set[id] = true
	}
}

// follows reports whether a board is certain to be drawn after an answer that has just
// been delivered: an edit is due, or one is under way that began after the answer or
// will be repeated because it overlapped with it.
func (s *boards) follows(id match.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.jobs[id]
	return j != nil && (j.again || j.drawing || j.mixed)
}

// shown reports whether Bot.show is done with a match: nobody has asked for it
// again since the last call.
func (s *boards) shown(id match.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unshown[id] {
		s.unshown[id] = false
		return false
	}
	delete(s.unshown, id)
	return true
}

func (s *boards) job(id match.ID) *job {
	j, ok := s.jobs[id]
	if !ok {
		j = &job{}
		s.jobs[id] = j
	}
	return j
}

func (s *boards) forget(id match.ID, j *job) {
	if len(j.answers) == 0 && !j.running {
		delete(s.jobs, id)
	}
}

func (s *boards) start(id match.ID, j *job) {
	if !j.running && s.ctx.Err() == nil {
		j.running = true
		s.bot.work.Go(func() { s.run(id, j) })
	}
}

// run does what is asked for one match until nobody asks for more.
func (s *boards) run(id match.ID, j *job) {
	for draws, retires := 0, 0; ; {
		s.mu.Lock()
		var pause time.Duration
		switch {
		case s.ctx.Err() != nil || !j.again && (len(j.old) == 0 || len(j.answers) > 0):
			j.running = false
			s.forget(id, j)
			s.mu.Unlock()
			return
		case j.again:
			pause = s.drawOnce(id, j, &draws)
		default:
			pause = s.retireOnce(id, j, &retires)
		}
		s.mu.Unlock()
		sleep(s.ctx, pause)
	}
}

// drawOnce edits the board and returns how long to wait before anything else.
// It is called, and returns, with the lock held, but lets go of it meanwhile.
func (s *boards) drawOnce(id match.ID, j *job, tries *int) time.Duration {
	j.again, j.drawing = false, true
	j.mixed = j.mixed || len(j.answers) > 0
	waiting := j.waiting
	j.waiting = nil
	s.mu.Unlock()
	shows, err := s.draw(id, slices.ContainsFunc(waiting, func(w waiter) bool { return w.instead }))
	s.mu.Lock()
	j.drawing = false
	pause, again := retryIn(err, *tries)
	if errors.Is(err, errNoMessage) && len(j.answers) > 0 && j.looks < messageTries {
		pause, again = tryPause, true // the message is on its way to Discord
		j.looks++
	} else {
		j.looks = 0
		*tries++
	}
	if again {
		j.waiting, j.again = append(waiting, j.waiting...), true
	} else {
		*tries = 0
		if err != nil && !errors.Is(err, errNoMessage) {
			s.bot.log.Info("board not drawn", "match", string(id), "error", err)
		}
		for _, w := range waiting {
			w.done <- edited{shows, err}
		}
	}
	s.settle(id, j)
	return pause
}

// retireOnce is drawOnce for the messages that have been replaced.
func (s *boards) retireOnce(id match.ID, j *job, tries *int) time.Duration {
	j.leaving, j.old = j.old, nil
	old := j.leaving[0]
	s.mu.Unlock()
	err := s.drawRetired(id, old)
	s.mu.Lock()
	pause, again := retryIn(err, *tries)
	*tries++
	if !again {
		*tries = 0
		if err != nil {
			s.bot.log.Info("old board not taken out of use", "match", string(id), "error", err)
		}
		j.leaving = j.leaving[min(1, len(j.leaving)):]
	}
	// What is left, or was put back by an answer meanwhile.
	j.old, j.leaving = append(j.leaving, j.old...), nil
	return pause
}
