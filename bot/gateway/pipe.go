package gateway

import (
	"bufio"
	"fmt"
	"net"
	"net/http"

	"github.com/gorilla/websocket"
)

// libraryAddress is where discordgo believes the gateway to be. Whatever it
// dials is the pipe.
const libraryAddress = "ws://link/"

// accept answers discordgo's websocket handshake at the other end of a pipe.
func accept(pipe net.Conn) (*websocket.Conn, error) {
	rw := bufio.NewReadWriter(bufio.NewReader(pipe), bufio.NewWriter(pipe))
	req, err := http.ReadRequest(rw.Reader)
	if err != nil {
		return nil, fmt.Errorf("read the library's handshake: %w", err)
	}
	conn, err := (&websocket.Upgrader{}).Upgrade(&handshake{pipe: pipe, rw: rw, header: http.Header{}}, req, nil)
	if err != nil {
		return nil, fmt.Errorf("answer the library's handshake: %w", err)
	}
	return conn, nil
}

// handshake is the http.ResponseWriter of a server that has only one request
// to answer: the upgrade of the pipe. Nothing but Hijack is used unless the
// handshake is refused, and then the pipe is closed anyway.
type handshake struct {
	pipe   net.Conn
	rw     *bufio.ReadWriter
	header http.Header
}

// Header belongs to http.ResponseWriter.
func (h *handshake) Header() http.Header { return h.header }

// Write belongs to http.ResponseWriter.
func (h *handshake) Write(b []byte) (int, error) { return len(b), nil }

// WriteHeader belongs to http.ResponseWriter.
func (h *handshake) WriteHeader(int) {}

// Hijack hands the pipe over.
func (h *handshake) Hijack() (net.Conn, *bufio.ReadWriter, error) { return h.pipe, h.rw, nil }
