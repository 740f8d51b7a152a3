package persistence

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"rowbot/match"
)

const (
	// foldPause is how long folding is left alone after it has failed.
	foldPause = time.Minute
	// foldLimit bounds one folding, with what it is run again for.
	foldLimit = 2 * longLimit
	// foldGrace is how long Close waits for a folding before it breaks it off.
	foldGrace = 5 * time.Second
)

// bookkeeper folds the changes of records (see brackets.go) on a goroutine of its own.
// Only Close waits for it. When folding fails, Updates do not: the changes stay noted,
// places stay right, and it tries again.
type bookkeeper struct {
	db     *DB
	told   func(error)   // gets the result of each folding; nil: nobody
	due    chan struct{} // holds one element while it is time to fold
	owing  atomic.Bool   // somebody was deleted, whose ID the changes may still have
	ending chan struct{}
	ended  chan struct{}
	cancel context.CancelFunc
	left   sync.Once
}

// WatchFolding has told called with the result of each folding of changes into the
// leaderboards: nil where it worked. While folding fails every place stays right, but
// takes longer to find. told may be called on several goroutines at once, and is not
// called after Close.
func WatchFolding(told func(error)) Option { return func(o *options) { o.folded = told } }

// employ starts the bookkeeper of an open database, which Close ends.
func (db *DB) employ(ctx context.Context, o options) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	db.books = &bookkeeper{
		db: db, told: o.folded, cancel: cancel,
		due: make(chan struct{}, 1), ending: make(chan struct{}), ended: make(chan struct{}),
	}
	go db.books.work(ctx)
}

func (b *bookkeeper) work(ctx context.Context) {
	defer close(b.ended)
	for {
		select {
		case <-b.due:
		case <-b.ending:
			select {
			case <-b.due: // such as in a process that only makes a copy
				_ = b.foldDue(ctx)
			default:
			}
			return
		}
		if b.foldDue(ctx) == nil {
			continue
		}
		select {
		case <-time.After(foldPause):
			b.wake()
		case <-b.ending:
			return
		}
	}
}

// foldDue folds, unless that has been done since it became due.
func (b *bookkeeper) foldDue(ctx context.Context) error {
	if b.db.unfolded.Load() < foldAfter && !b.owing.Load() {
		return nil
	}
	return b.fold(ctx, b.owing.Swap(false))
}

// wake says that it is time to fold.
func (b *bookkeeper) wake() {
	select {
	case b.due <- struct{}{}:
	default:
	}
}

// changed is called behind each Update.
func (b *bookkeeper) changed() {
	if b.db.unfolded.Load() >= foldAfter {
		b.wake()
	}
}

// erased folds at once, after an Update that has deleted somebody: nothing may be left
// of them when it returns. If that fails, the next folding does it.
func (b *bookkeeper) erased(ctx context.Context) {
	if b.fold(ctx, true) != nil {
		b.wake()
	}
}

// fold folds, and reports the result to told. While another copy of the program folds,
// it waits, or else leaves the work to that copy. A panic in it is an error.
func (b *bookkeeper) fold(ctx context.Context, wait bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
		if err != nil {
			b.db.unfolded.Store(foldAfter)
			b.owing.CompareAndSwap(false, wait)
		}
		if b.told != nil && ctx.Err() == nil {
			b.told(err)
		}
	}()
	limited, cancel := context.WithTimeout(ctx, foldLimit)
	defer cancel()
	b.db.unfolded.Store(0)
	err = b.db.run(limited, b.db.writer, true, func(open match.Tx) error { return open.(*tx).fold(limited, wait) })
	if err != nil {
		return fmt.Errorf("fold changes of records: %w", err)
	}
	return nil
}

// leave ends the bookkeeper; it may be called again. What is due is folded if that
// takes no longer than foldGrace; otherwise the next process does it.
func (b *bookkeeper) leave() {
	b.left.Do(func() { close(b.ending) })
	grace := time.AfterFunc(foldGrace, b.cancel)
	<-b.ended
	grace.Stop()
	b.cancel()
}
