package gateway

import "sync"

// ledger is what has to be known of one of Discord's sessions to go on with it
// over another connection: where, under which name, and up to which event it
// was handled. It is shared by the connections the session goes over, because
// the old one may still be working off its last events when the new one gets
// them again.
type ledger struct {
	id, url string

	mu  sync.Mutex
	seq int64
}

// take claims the event with the number seq for the caller. It gives false
// when that event was claimed before. Events without a number are always new.
func (l *ledger) take(seq int64) bool {
	if seq <= 0 {
		return true
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if seq <= l.seq {
		return false
	}
	l.seq = seq
	return true
}

// last is the number of the newest event claimed.
func (l *ledger) last() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.seq
}
