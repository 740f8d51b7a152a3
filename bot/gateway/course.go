package gateway

import (
	"errors"
	"time"

	"github.com/gorilla/websocket"
)

// freeDrops is how many sessions in a row may die young before there is a
// pause: a Discord that moves its connections about is not an outage.
const freeDrops = 3

// course settles how a shard goes on after a connection: with a RESUME or an
// IDENTIFY, now or after a pause.
//
// A session that worked is replaced at once. Pauses are for attempts that come
// to nothing, and for sessions that die young again and again; both would use
// up the IDENTIFYs of the day. A session that got old enough makes them short
// again.
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
		if n.young++; n.young <= freeDrops {
			return 0
		}
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

// refused reports whether Discord itself said no, and not the network.
func refused(err error) bool {
	closed, ok := errors.AsType[*websocket.CloseError](err)
	return errors.Is(err, errInvalid) || ok && closed.Code >= 4000
}

// resumable reports whether a session that worked may be resumed after it
// ended like this.
func resumable(err error) bool {
	if errors.Is(err, errInvalid) {
		return false
	}
	if closed, ok := errors.AsType[*websocket.CloseError](err); ok {
		_, fatal := closeMeanings[closed.Code]
		return !fatal && closed.Code != 4007 && closed.Code != 4009
	}
	return true
}
