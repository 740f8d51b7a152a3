package gateway

import (
	"errors"
	"time"

	"github.com/gorilla/websocket"
)

// freeDrops is how many sessions in a row may die young before there is a
// pause: a Discord that moves its connections about is not an outage.
const freeDrops = 3

// A session that died young can still be resumed soon: a RESUME uses nothing up, and
// people wait. New sessions are begun more slowly, since their number is limited, but
// not at first.
const (
	resumePause = time.Second
	beginPause  = 5 * time.Second
	easyBegins  = 12 // young sessions in a row until the pauses before new ones grow further
)

// course settles how a shard goes on after a connection: with a RESUME or an
// IDENTIFY, now or after a pause.
//
// A session that worked is replaced at once. Pauses are for attempts that fail, and for
// sessions that die young again and again; both would use up the IDENTIFYs of the day.
// They stay short while a session can be resumed, and become short again after a session
// that got old enough.
type course struct {
	pause  *backoff
	stable time.Duration // from this age on a session did not die young

	kept  *ledger // a session that Discord may still have
	fresh bool    // the next connection does not resume it all the same
	young int     // sessions in a row that died young
}

// resume is the session to go on with; nil calls for an IDENTIFY.
func (n *course) resume() *ledger {
	if n.fresh {
		return nil
	}
	return n.kept
}

// after takes note of how a connection ended and gives the pause before the
// next one.
func (n *course) after(e ending) time.Duration {
	switch {
	case e.worked:
		n.kept, n.fresh = e.ledger, false
		if !resumable(e.err) {
			n.kept = nil
		}
		if e.lived >= n.stable {
			n.young = 0
			n.pause.reset()
			return 0
		}
		n.young++
		return n.afterYoung()
	case e.resumed:
		// Either the session or its address is lost. In the second case it
		// gets another chance when an IDENTIFY does not get through either.
		n.fresh = true
		if refused(e.err) {
			n.kept = nil
		}
		return 0
	default:
		n.fresh = false
		if e.identified {
			n.kept = nil
		}
	}
	return n.pause.next()
}

// afterYoung is the pause after a session that worked, but died young.
func (n *course) afterYoung() time.Duration {
	switch {
	case n.young <= freeDrops:
		return 0
	case n.kept != nil:
		return min(n.pause.next(), resumePause)
	case n.young <= easyBegins:
		return min(n.pause.next(), beginPause)
	}
	return n.pause.next()
}

// refused reports whether Discord itself said no, and not the network.
func refused(err error) bool {
	closed, ok := errors.AsType[*websocket.CloseError](err)
	return errors.Is(err, errInvalid) || ok && closed.Code >= 4000
}

// resumable reports whether a session that worked may be resumed after it ended like
// this. After a panic it may not: Discord would send again what led to it.
func resumable(err error) bool {
	if errors.Is(err, errInvalid) || errors.Is(err, errPanic) {
		return false
	}
	if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
		_, fatal := closeMeanings[closed.Code]
		return !fatal && closed.Code != 4007 && closed.Code != 4009
	}
	return true
}
