package sandbox

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
)

// zipFrom is the size from which packets are compressed for a client that asked for it in IDENTIFY.
const zipFrom = 1024

// outgoing is a packet on its way to a client.
type outgoing struct {
	raw []byte
	zip bool // this client gets large packets compressed
}

// squeezer compresses what a client gets, if it wants that: single packets (zip of outgoing), or with stream the
// whole connection as one zlib stream that is flushed after each packet.
type squeezer struct {
	stream *zlib.Writer
	buf    bytes.Buffer
}

// newSqueezer reads the compress parameter of the websocket address.
func newSqueezer(transport string) (*squeezer, error) {
	q := &squeezer{}
	switch transport {
	case "":
		return q, nil
	case "zlib-stream":
		q.stream = zlib.NewWriter(&q.buf)
		return q, nil
	}
	return nil, errors.New("compress: only zlib-stream is spoken here")
}

// frame gives the bytes to write and whether they are binary.
func (q *squeezer) frame(o outgoing) ([]byte, bool, error) {
	q.buf.Reset()
	w := q.stream
	switch {
	case w != nil:
	case o.zip && len(o.raw) > zipFrom:
		w = zlib.NewWriter(&q.buf)
	default:
		return o.raw, false, nil
	}
	if _, err := w.Write(o.raw); err != nil {
		return nil, false, fmt.Errorf("compress: %w", err)
	}
	end := w.Close
	if q.stream != nil {
		end = w.Flush
	}
	if err := end(); err != nil {
		return nil, false, fmt.Errorf("compress: %w", err)
	}
	return q.buf.Bytes(), true, nil
}
