package sandbox

import (
	"encoding/json"
	"sync"
	"time"
)

// EventKind tells what an Event is about.
type EventKind string

// The kinds of events.
const (
	MessageCreated    EventKind = "message_created"    // Message; for Message.Viewer only when that is set
	MessageUpdated    EventKind = "message_updated"    // Message
	MessageDeleted    EventKind = "message_deleted"    // MessageID, ChannelID
	InteractionFailed EventKind = "interaction_failed" // UserID, ChannelID, InteractionID
	CommandsChanged   EventKind = "commands_changed"   // the registered commands are others now
	BotConnected      EventKind = "bot_connected"      // a gateway session is ready
	BotDisconnected   EventKind = "bot_disconnected"   // a gateway session ended
	EndpointLost      EventKind = "endpoint_lost"      // the bot failed a check: its endpoint is removed
	WorldChanged      EventKind = "world_changed"      // guilds, channels or people were added or removed
)

// Event is something that the page shows. A deferred answer ("thinking") comes as MessageCreated with
// Message.Loading.
type Event struct {
	Kind          EventKind
	At            time.Time
	ChannelID     string
	UserID        string // whom an InteractionFailed concerns
	MessageID     string
	InteractionID string
	Message       *Message
}

// Exchange is one REST exchange.
type Exchange struct {
	Method      string          `json:"method"`
	Path        string          `json:"path"` // with the query, without /api/v10
	ContentType string          `json:"content_type,omitempty"`
	Request     json.RawMessage `json:"request,omitempty"`
	Status      int             `json:"status,omitempty"` // 0 when an injected fault answered
	Response    json.RawMessage `json:"response,omitempty"`

	At    time.Time     `json:"-"`
	Took  time.Duration `json:"-"`
	Fault bool          `json:"-"`
	// Injected is the fault that answered; without a status and not cut, the client gave up before it was served.
	Injected Fault `json:"-"`
}

// Subscription delivers values on C until Close. A subscriber that falls behind by more than its buffer is cut off:
// C is closed, and whoever reads starts over with the present state.
type Subscription[T any] struct {
	C <-chan T

	c   chan T
	hub *hub[T]
}

// Close ends the subscription; C is closed.
func (s *Subscription[T]) Close() { s.hub.drop(s) }

// Subscribe delivers what happens from now on, in order; buffer is how far the reader may fall behind.
func (s *Server) Subscribe(buffer int) *Subscription[Event] { return s.feed.subscribe(buffer) }

// Traffic delivers the REST exchanges from now on.
func (s *Server) Traffic(buffer int) *Subscription[Exchange] { return s.traffic.subscribe(buffer) }

// hub copies values to its subscriptions without ever blocking.
type hub[T any] struct {
	mu       sync.Mutex
	subs     map[*Subscription[T]]bool
	shutDown bool
}

func (h *hub[T]) subscribe(buffer int) *Subscription[T] {
	c := make(chan T, max(buffer, 1))
	sub := &Subscription[T]{C: c, c: c, hub: h}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.shutDown {
		close(c)
		return sub
	}
	if h.subs == nil {
		h.subs = map[*Subscription[T]]bool{}
	}
	h.subs[sub] = true
	return sub
}

func (h *hub[T]) publish(v T) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for sub := range h.subs {
		select {
		case sub.c <- v:
		default:
			h.remove(sub)
		}
	}
}

func (h *hub[T]) listened() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.subs) > 0
}

func (h *hub[T]) drop(sub *Subscription[T]) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.remove(sub)
}

func (h *hub[T]) remove(sub *Subscription[T]) {
	if h.subs[sub] {
		delete(h.subs, sub)
		close(sub.c)
	}
}

func (h *hub[T]) shut() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shutDown = true
	for sub := range h.subs {
		h.remove(sub)
	}
}
