package gateway

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// writeLimit is how long one write to the gateway may take. Without it a
// heartbeat into a dead connection holds discordgo's locks for minutes.
const writeLimit = 10 * time.Second

// wire is the network side of one session. It gives the supervisor what
// discordgo does not: a limit to silence, the news that the connection is
// gone, and the means to cut it whatever discordgo is doing.
type wire struct {
	now     func() time.Time
	silence time.Duration
	gone    chan struct{} // closed when the connection is of no more use
	once    sync.Once

	reading atomic.Bool   // a Read is waiting for bytes
	reads   atomic.Uint64 // Reads begun
	muted   atomic.Bool   // Reads give no more bytes

	mu    sync.Mutex
	conn  net.Conn
	isCut bool
}

var errCut = errors.New("the connection was cut")

func newWire(now func() time.Time, silence time.Duration) *wire {
	return &wire{now: now, silence: silence, gone: make(chan struct{})}
}

// dial makes the connection; it is for websocket.Dialer.NetDialContext.
func (w *wire) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.isCut {
		conn.Close()
		return nil, errCut
	}
	w.conn = conn
	return &tracked{Conn: conn, wire: w}, nil
}

// dialled reports whether there ever was a connection, so that an IDENTIFY may
// have been sent over it.
func (w *wire) dialled() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.conn != nil
}

// cut ends the connection at once, and keeps a later dial from making one.
func (w *wire) cut() {
	w.mu.Lock()
	conn := w.conn
	w.isCut = true
	w.mu.Unlock()
	if conn != nil {
		conn.Close()
	}
	w.lost()
}

// mute lets nothing more come in. A packet that discordgo answers while it
// closes (op 1) would make it write to a connection it has just forgotten, and
// that panic cannot be caught from here.
func (w *wire) mute() { w.muted.Store(true) }

func (w *wire) lost() { w.once.Do(func() { close(w.gone) }) }

// pulse tells a stuck reader from a waiting one: it gives the number of Reads
// so far and whether one is going on.
func (w *wire) pulse() (reads uint64, reading bool) {
	return w.reads.Load(), w.reading.Load()
}

// tracked is the net.Conn that discordgo gets.
type tracked struct {
	net.Conn
	wire *wire
}

// Read waits for bytes no longer than the limit to silence.
func (t *tracked) Read(b []byte) (int, error) {
	if t.wire.muted.Load() {
		return 0, errCut
	}
	t.wire.reads.Add(1)
	t.wire.reading.Store(true)
	defer t.wire.reading.Store(false)
	if err := t.SetReadDeadline(t.wire.now().Add(t.wire.silence)); err != nil {
		t.wire.lost()
		return 0, err
	}
	n, err := t.Conn.Read(b)
	if t.wire.muted.Load() {
		return 0, errCut
	}
	if err != nil {
		t.wire.lost()
	}
	return n, err
}

// Write gives up on a connection that takes no bytes.
func (t *tracked) Write(b []byte) (int, error) {
	if err := t.SetWriteDeadline(t.wire.now().Add(writeLimit)); err != nil {
		return 0, err
	}
	n, err := t.Conn.Write(b)
	if err != nil {
		t.wire.mute() // discordgo closes the session now
		t.wire.lost()
	}
	return n, err
}
