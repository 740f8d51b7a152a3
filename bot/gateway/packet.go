package gateway

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// The operations of the gateway that the link has to know.
const (
	opDispatch  = 0
	opHeartbeat = 1
	opIdentify  = 2
	opResume    = 6
	opReconnect = 7
	opInvalid   = 9
	opHello     = 10
)

var (
	errAsked     = errors.New("discord asked to connect again")
	errInvalid   = errors.New("discord holds the session for invalid")
	errNotPacket = errors.New("what discord sent is not a packet")
)

// packet is one message of the gateway, in either direction.
type packet struct {
	Op   int             `json:"op"`
	Data json.RawMessage `json:"d"`
	Seq  int64           `json:"s"`
	Type string          `json:"t"`
}

// readPacket decodes a packet. Of an event other than READY it need not decode the
// data: discordgo does that, and all that is to be known here stands before it.
func readPacket(message []byte) (p packet, err error) {
	if p, ok := readHead(message); ok {
		return p, nil
	}
	if err := json.Unmarshal(message, &p); err != nil {
		return packet{}, fmt.Errorf("%w: %w", errNotPacket, err)
	}
	return p, nil
}

// readHead reads an event up to its data. It fails where the data comes first, and
// for what is no such event.
func readHead(message []byte) (p packet, ok bool) {
	d := json.NewDecoder(bytes.NewReader(message))
	if begin, err := d.Token(); err != nil || begin != json.Delim('{') {
		return p, false
	}
	p.Op = -1
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return p, false
		}
		switch key {
		case "op":
			err = d.Decode(&p.Op)
		case "s":
			err = d.Decode(&p.Seq)
		case "t":
			err = d.Decode(&p.Type)
		default:
			return p, key == "d" && p.Op == opDispatch && p.Seq > 0 && p.Type != "" && p.Type != "READY"
		}
		if err != nil {
			return p, false
		}
	}
	return p, false
}

// writePacket encodes a packet of the client's.
func writePacket(op int, data any) ([]byte, error) {
	message, err := json.Marshal(map[string]any{"op": op, "d": data})
	if err != nil {
		return nil, fmt.Errorf("encode a packet: %w", err)
	}
	return message, nil
}

// readLedger makes the ledger of the session that READY begins. A session that
// tells no address of its own goes on where it began.
func readLedger(ready packet, address string) (*ledger, error) {
	var d struct {
		SessionID string `json:"session_id"`
		ResumeURL string `json:"resume_gateway_url"`
	}
	if err := json.Unmarshal(ready.Data, &d); err != nil {
		return nil, fmt.Errorf("%w: READY: %w", errNotPacket, err)
	}
	if d.ResumeURL == "" {
		d.ResumeURL = address
	}
	return &ledger{id: d.SessionID, url: d.ResumeURL, seq: ready.Seq}, nil
}

// checkHello refuses an interval that no clock can keep: discordgo would hand
// it to a ticker, which panics.
func checkHello(hello packet) error {
	var d struct {
		Interval int64 `json:"heartbeat_interval"` // milliseconds
	}
	if err := json.Unmarshal(hello.Data, &d); err != nil {
		return fmt.Errorf("%w: HELLO: %w", errNotPacket, err)
	}
	if d.Interval <= 0 || d.Interval > time.Hour.Milliseconds() {
		return fmt.Errorf("%w: a heartbeat interval of %d ms", errNotPacket, d.Interval)
	}
	return nil
}
