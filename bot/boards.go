package bot

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"rowbot/bot/gateway"
	"rowbot/match"
)

// errNoMessage: no message is known that shows the match.
var errNoMessage = errors.New("no message shows the match")

// boards keeps the board messages of all matches up to date where no answer to
// a click does it: after commands, private buttons and the sweep. Each match
// has at most one edit under way, which draws the match as it then stands, so
// that edits cannot overtake each other. No lock is held while one is sent.
type boards struct {
	bot *Bot
	ctx context.Context //nolint:containedctx // the life of the background work, ended by Close

	mu   sync.Mutex
	jobs map[match.ID]*job
}

// job is what is under way for one match. It is forgotten when nothing is.
type job struct {
	answers int           // answers to clicks that are being delivered
	shown   match.Version // what the latest of them shows
	mixed   bool          // what was under way at once did not all show the same
	running bool
	drawing bool         // an edit is being sent
	again   bool         // asked for since that edit began
	waiting []chan error // who waits for the next edit
}

func newBoards(ctx context.Context, b *Bot) *boards {
	return &boards{bot: b, ctx: ctx, jobs: map[match.ID]*job{}}
}

// begin says that an answer which shows a match is being delivered.
func (s *boards) begin(id match.ID, v match.Version) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.job(id)
	if j.drawing || j.answers > 0 && v != j.shown {
		j.mixed = true
	}
	j.answers++
	j.shown = v
}

// end says that it was delivered. What was under way at the same time Discord
// may have taken in any order, so an older board may have come to lie on top
// of a newer one: once all is quiet, the board is drawn again.
func (s *boards) end(id match.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.job(id)
	j.answers--
	s.settle(id, j)
	s.forget(id, j)
}

// settle has a board drawn once more after a mixture, when nothing is under way.
func (s *boards) settle(id match.ID, j *job) {
	if j.mixed && j.answers == 0 && !j.drawing {
		j.mixed = false
		s.start(id, j)
	}
}

// redraw has a board drawn again soon.
func (s *boards) redraw(id match.ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.start(id, s.job(id))
}

// wait has a board drawn again and waits for it. The error is that of the edit,
// or the context's; the edit then goes on.
func (s *boards) wait(ctx context.Context, id match.ID) error {
	done := make(chan error, 1)
	s.mu.Lock()
	j := s.job(id)
	j.waiting = append(j.waiting, done)
	s.start(id, j)
	s.mu.Unlock()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
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
	if j.answers == 0 && !j.running {
		delete(s.jobs, id)
	}
}

func (s *boards) start(id match.ID, j *job) {
	j.again = true
	if !j.running && s.ctx.Err() == nil {
		j.running = true
		s.bot.work.Go(func() { s.run(id, j) })
	}
}

// run edits the board of one match until nobody asks for more.
func (s *boards) run(id match.ID, j *job) {
	var tries int
	for {
		s.mu.Lock()
		if !j.again || s.ctx.Err() != nil {
			j.running = false
			s.forget(id, j)
			s.mu.Unlock()
			return
		}
		j.again, j.drawing = false, true
		j.mixed = j.mixed || j.answers > 0
		waiting := j.waiting
		j.waiting = nil
		s.mu.Unlock()

		err := s.draw(id)
		pause, again := retryIn(err, tries)
		tries++
		s.mu.Lock()
		j.drawing = false
		if errors.Is(err, errNoMessage) && j.answers > 0 {
			pause, again = tryPause, true // the message is on its way to Discord
		}
		if again {
			j.waiting, j.again = append(waiting, j.waiting...), true
		} else {
			tries = 0
			for _, w := range waiting {
				w <- err
			}
		}
		s.settle(id, j)
		s.mu.Unlock()
		if err != nil && !again {
			s.bot.log.Debug("board not drawn", "match", string(id), "error", err)
		}
		sleep(s.ctx, pause)
	}
}

// maxTries is how often an edit is tried while Discord cannot be reached; the
// pauses between them grow to some minutes in all. A board that is not drawn
// even then is right again at the next click on it.
const maxTries = 8

// retryIn says after what pause a failed edit is worth another try.
func retryIn(err error, tries int) (time.Duration, bool) {
	if err == nil || lasting(err) || errors.Is(err, match.ErrNotFound) || tries >= maxTries {
		return 0, false
	}
	if e, ok := errors.AsType[*gateway.APIError](err); ok && e.Status == http.StatusTooManyRequests {
		return e.RetryAfter, true
	}
	return 250 * time.Millisecond << tries, true
}

// draw edits a match's message to how the match stands now.
func (s *boards) draw(id match.ID) (err error) {
	defer caught(&err)
	m, next, err := s.bot.withRematch(s.ctx, id)
	if err != nil {
		return err
	}
	if m.Where.Message == "" {
		return errNoMessage
	}
	p := s.bot.texts.For("")
	body := s.bot.board(p, &m, nil)
	if next != nil {
		body = s.bot.replayed(p, &m, next)
	}
	return s.edit(s.ctx, m.Where, body)
}

func (s *boards) edit(ctx context.Context, w match.Where, body message) error {
	_, err := s.bot.call(ctx, http.MethodPatch, "channels/"+w.Channel+"/messages/"+w.Message, body)
	return err
}

// retire takes the buttons off a message that a newer one has replaced. It is
// tried once: a click on it is recognised anyway.
func (s *boards) retire(ctx context.Context, id match.ID, old match.Where) {
	m, err := s.bot.load(ctx, id)
	if err == nil {
		err = s.edit(ctx, old, s.bot.retired(s.bot.texts.For(""), &m))
	}
	if err != nil {
		s.bot.log.DebugContext(ctx, "old board not retired", "match", string(id), "error", err)
	}
}

// withRematch loads a match and, if it is over, the match that followed it.
func (b *Bot) withRematch(ctx context.Context, id match.ID) (m match.Match, next *match.Match, err error) {
	err = b.store.View(ctx, func(tx match.Tx) error {
		if m, err = tx.Match(ctx, id); err != nil || !m.Status.Over() {
			return err
		}
		again, err := tx.Rematch(ctx, id)
		if errors.Is(err, match.ErrNotFound) {
			return nil
		}
		next = &again
		return err
	})
	return m, next, err
}
