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

// bookkeeper folds behind what changes records, on a goroutine of its own. Nobody
// waits for it but Close; that it does not work is no news for whoever has stored
// something meanwhile: the changes stay noted, places stay right, and it tries again.
type bookkeeper struct {
	db     *DB
	told   func(error)   // what comes of each folding; nil: nobody wants to know
	due    chan struct{} // holds one element while it is time to fold
	owing  atomic.Bool   // somebody was deleted, whose ID the changes may still have
	ending chan struct{}
	ended  chan struct{}
	cancel context.CancelFunc
	left   sync.Once
}

// WatchFolding has somebody told what comes of each folding of the leaderboards'
// changes: nil where it worked. Until it works again nothing is wrong with any
// place, but each takes longer to find. told may be called on several goroutines
// at once, and is not called after Close.
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
			case <-b.due: // such as after a copy, which is all that its process does
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

// foldDue folds if that has not been done since it became due.
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

// erased folds at once, behind an Update that has deleted somebody: nothing may be
// left of them when it returns. If that fails, it is done with the next folding.
func (b *bookkeeper) erased(ctx context.Context) {
	if b.fold(ctx, true) != nil {
		b.wake()
	}
}

// fold folds, and tells what came of it. While another copy of the program does, it
// waits for the end of that, or leaves it to that. A panic in it is an error.
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
// takes no longer than foldGrace; else the next process does.
func (b *bookkeeper) leave() {
	b.left.Do(func() { close(b.ending) })
	grace := time.AfterFunc(foldGrace, b.cancel)
	<-b.ended
	grace.Stop()
	b.cancel()
}
