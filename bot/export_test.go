package bot

import (
	"context"

	"rowbot/match"
)

// What the tests from outside see of the queue of boards.

// Redraw has a match's board drawn again soon.
func (b *Bot) Redraw(id match.ID) { b.boards.redraw(id) }

// AwaitBoard has a match's board drawn again and waits for it.
func (b *Bot) AwaitBoard(ctx context.Context, id match.ID) error {
	_, err := b.boards.wait(ctx, id, true)
	return err
}

// BeginAnswer says that an answer with a match's board is on its way, which
// version it shows, and which it answers.
func (b *Bot) BeginAnswer(id match.ID, v, seen match.Version) { b.boards.begin(id, v, seen) }

// EndAnswer says that one that shows v has arrived.
func (b *Bot) EndAnswer(id match.ID, v match.Version) { b.boards.end(id, v) }

// Pending is the number of matches with something under way.
func (b *Bot) Pending() int {
	b.boards.mu.Lock()
	defer b.boards.mu.Unlock()
	return len(b.boards.jobs)
}

// TakeFilms takes every turn at making films until the function that it returns is called.
func (b *Bot) TakeFilms() (giveBack func()) {
	for range cap(b.films) {
		b.films <- struct{}{}
	}
	return func() {
		for range cap(b.films) {
			<-b.films
		}
	}
}

// Retire has the buttons taken off a message that was replaced.
func (b *Bot) Retire(id match.ID, old match.Where) { b.boards.retire(id, old) }

// Behind is the number of answers from which something still follows.
func (b *Bot) Behind() int { return len(b.following) }

// AwaitBehind returns when nothing follows any more from any answer.
func (b *Bot) AwaitBehind() {
	for b.Behind() > 0 {
		b.awaitBehind()
	}
}
