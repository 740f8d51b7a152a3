package gateway

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"

	"rowbot/bot/slim"
)

// writeLimit is how long one write to the gateway may take. Without it a dead
// connection takes bytes for minutes before anybody notices.
const writeLimit = 10 * time.Second

var (
	errOpenLimit   = errors.New("the connection was not ready in time")
	errLibraryLeft = errors.New("the library closed the connection")
	errPanic       = errors.New("a panic in the connection")
)

// link is one websocket connection to Discord with a discordgo session hung on
// behind it. Packets go through in both directions, and what discordgo cannot
// cope with goes no further: the requests to connect again (op 7, op 9, close
// frames) end the link at once, and heartbeats asked for (op 1) are answered
// here. Going out, IDENTIFY becomes RESUME when there is a session to resume.
type link struct {
	client  *Client
	address string
	up      *websocket.Conn // to Discord
	raw     net.Conn        // what up goes over
	pipe    net.Conn        // to discordgo
	resume  *ledger         // the session to go on with; nil begins a new one
	passage *passage        // the leave to do that
	out     chan []byte     // to Discord, written by one goroutine

	ledger     atomic.Pointer[ledger] // of the session that goes over this link
	identified atomic.Bool            // an IDENTIFY was sent
	leaving    atomic.Bool            // a close was sent

	ready  chan struct{} // closed when the session works: events come
	opened sync.Once
	gone   chan struct{} // closed when the link is over
	ended  sync.Once
	err    error // why it is over; written before gone is closed
}

// dial connects to a gateway. The end of ctx ends the dialling, not the link.
func (c *Client) dial(ctx context.Context, address string, resume *ledger, p *passage, pipe net.Conn) (*link, error) {
	target, err := gatewayURL(address)
	if err != nil {
		return nil, err
	}
	l := &link{
		client: c, address: address, pipe: pipe, resume: resume, passage: p,
		out: make(chan []byte, 8), ready: make(chan struct{}), gone: make(chan struct{}),
	}
	l.ledger.Store(resume)
	free := func() bool { return true }
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, NetDialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		raw, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, err
		}
		l.raw = raw
		free = context.AfterFunc(ctx, func() { raw.Close() }) // the handshakes know only deadlines
		return raw, nil
	}}
	up, resp, err := dialer.DialContext(ctx, target, http.Header{"User-Agent": {userAgent}})
	if resp != nil {
		resp.Body.Close()
	}
	if !free() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("dial: %w", err)
	}
	// The usual answer to a close frame is its echo. An echo of 1000 or 1001
	// would end the session for good, and no answer at all never does.
	up.SetCloseHandler(func(int, string) error { return nil })
	l.up = up
	return l, nil
}

// gatewayURL is where to dial: the address as Discord told it, with the
// version and the encoding.
func gatewayURL(address string) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "ws" && u.Scheme != "wss") {
		return "", errors.New("the gateway's address is not a websocket address")
	}
	if u.Path == "" {
		u.Path = "/"
	}
	query := u.Query()
	query.Del("v")
	query.Del("encoding")
	u.RawQuery = "v=" + apiVersion + "&encoding=json"
	if more := query.Encode(); more != "" {
		u.RawQuery += "&" + more
	}
	u.Fragment = ""
	return u.String(), nil
}

// run passes packets on until the link is over. A panic ends it; a new link follows.
func (l *link) run() {
	var down *websocket.Conn
	if err := l.safely(func() (err error) { down, err = accept(l.pipe); return err }); err != nil {
		l.end(err)
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { l.end(l.safely(l.write)) })
	wg.Go(func() { l.end(l.safely(func() error { return l.fromLibrary(down) })) })
	l.end(l.safely(func() error { return l.fromDiscord(down) }))
	wg.Wait()
}

// safely turns a panic into an error and logs it: bytes that others have sent must not
// end the process.
func (l *link) safely(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			clean := l.client.secrets.clean
			l.client.log.Error("panic in a connection", "panic", clean(panicText(p)), "stack", clean(string(debug.Stack())))
			err = errPanic
		}
	}()
	return f()
}

// end makes the link be over, for the first cause given. The TCP connection is
// cut without a close frame: Discord keeps a session that was lost like that.
func (l *link) end(cause error) {
	l.ended.Do(func() {
		l.err = cause
		close(l.gone)
		l.raw.Close()
		l.pipe.Close()
	})
}

// closeKept is a close code after which Discord keeps a session for some minutes.
const closeKept = 4000

// leave closes the connection: after a normal close the session is over, with closeKept
// Discord keeps it. The connection is cut once the answer to the close frame has been
// read, so that the frame is not lost with a connection that was reset over unread
// packets.
func (l *link) leave(code int) {
	l.leaving.Store(true)
	limit := l.client.opts.Timings.Close
	frame := websocket.FormatCloseMessage(code, "")
	if err := l.up.WriteControl(websocket.CloseMessage, frame, l.client.opts.Now().Add(limit)); err == nil {
		waitFor(l.gone, limit)
	}
	l.end(nil)
}

// works tells whether the session has got as far as READY or RESUMED.
func (l *link) works() bool {
	select {
	case <-l.ready:
		return true
	default:
		return false
	}
}

// wait returns when the session works, with the reason why it will not, or
// when ctx ends, with its cause.
func (l *link) wait(ctx context.Context) error {
	select {
	case <-l.ready:
	case <-l.gone:
		if !l.works() {
			return l.err
		}
	case <-ctx.Done():
		if !l.works() {
			return context.Cause(ctx)
		}
	}
	return nil
}

func (l *link) fromDiscord(down *websocket.Conn) error {
	for {
		if err := l.up.SetReadDeadline(l.client.opts.Now().Add(l.client.opts.Timings.Silence)); err != nil {
			return err
		}
		_, message, err := l.up.ReadMessage()
		if err != nil {
			return err
		}
		if l.leaving.Load() {
			continue // to the answer to the close
		}
		p, pass, err := l.receive(message)
		if err != nil {
			return err
		}
		if !pass {
			continue
		}
		if p.Type == "INTERACTION_CREATE" {
			message = slim.Message(message, "d.message")
		}
		if err := down.WriteMessage(websocket.TextMessage, message); err != nil {
			return errLibraryLeft
		}
	}
}

// receive looks at a packet of Discord's and says whether discordgo gets it.
func (l *link) receive(message []byte) (p packet, pass bool, err error) {
	if p, err = readPacket(message); err != nil {
		return p, false, err
	}
	switch p.Op {
	case opHello:
		return p, true, checkHello(p)
	case opHeartbeat:
		return p, false, l.beat()
	case opReconnect:
		return p, false, errAsked
	case opInvalid:
		if string(p.Data) == "true" {
			return p, false, errAsked
		}
		return p, false, errInvalid
	case opDispatch:
		return p, true, l.dispatched(p)
	}
	return p, true, nil
}

// dispatched notes how far the session has got. One that is resumed works with
// its first event: either one that was missed, or RESUMED.
func (l *link) dispatched(p packet) error {
	if p.Type == "READY" {
		begun, err := readLedger(p, l.address)
		if err != nil {
			return err
		}
		l.ledger.Store(begun)
	}
	if p.Type == "READY" || l.resume != nil {
		l.opened.Do(func() { close(l.ready) })
	}
	return nil
}

func (l *link) fromLibrary(down *websocket.Conn) error {
	for {
		_, message, err := down.ReadMessage()
		if err != nil {
			return errLibraryLeft
		}
		p, err := readPacket(message)
		if err != nil {
			return err
		}
		switch {
		case p.Op == opHeartbeat:
			err = l.beat()
		case p.Op == opIdentify && l.resume != nil:
			message, err = writePacket(opResume, map[string]any{"token": l.client.opts.Token, "session_id": l.resume.id, "seq": l.resume.last()})
			l.send(message)
		default:
			if p.Op == opIdentify {
				if err := l.passage.confirm(context.Background()); err != nil {
					return err
				}
				l.identified.Store(true)
			}
			l.send(message)
		}
		if err != nil {
			return err
		}
	}
}

// beat sends a heartbeat. Its number is not discordgo's own, which knows
// nothing of the events before a RESUME.
func (l *link) beat() error {
	var seq any
	if now := l.ledger.Load(); now != nil {
		seq = now.last()
	}
	message, err := writePacket(opHeartbeat, seq)
	l.send(message)
	return err
}

func (l *link) send(message []byte) {
	select {
	case l.out <- message:
	case <-l.gone:
	}
}

func (l *link) write() error {
	for {
		select {
		case <-l.gone:
			return nil
		case message := <-l.out:
			if err := l.up.SetWriteDeadline(l.client.opts.Now().Add(writeLimit)); err != nil {
				return err
			}
			err := l.up.WriteMessage(websocket.TextMessage, message)
			if err != nil && !errors.Is(err, websocket.ErrCloseSent) { // after the close frame only the answer is waited for
				return err
			}
		}
	}
}
