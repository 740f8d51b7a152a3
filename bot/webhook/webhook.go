// Package webhook takes the interactions that Discord posts to an address of the
// bot's: it checks the signature, answers PING, and puts the first answer to
// an interaction into the HTTP response. It keeps nothing between two requests,
// so that any number of processes may stand behind one address.
//
// The package imports discordgo's types and bot/slim, and nothing else of this
// module. It may be imported by cmd/bot and tests.
package webhook

import (
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"rowbot/bot/slim"
)

// Handle answers one interaction. It gives the body of the first answer and the
// media type of that to first, at most once; without, Discord is told that the
// answer comes another way. What it does after that does not hold up the
// response, but counts for [Options.AtOnce]. The context has a deadline, but does not
// end with the request.
type Handle func(ctx context.Context, i *discordgo.Interaction, first func(body []byte, contentType string) error)

// Options is what a [Handler] is made of. Key, Handle, Now and Log are needed.
type Options struct {
	Key    ed25519.PublicKey // of the application
	Handle Handle
	Now    func() time.Time // the wall clock that timestamps are held against
	Log    *slog.Logger
	// AtOnce is how many interactions are handled at the same time; 0 means 1024. An
	// interaction counts until Handle returns, even if its response was written long
	// before. More than that are refused with 503. What Handle leaves to other
	// goroutines is not bounded here.
	AtOnce int
	// Life is how long an interaction may be worked on in all; 0 means 30 s.
	Life time.Duration
	// Refused is told of each request that was refused, with its status; nil:
	// nobody is.
	Refused func(status int)
}

// Handler is the Interactions Endpoint of a bot, for POST at any path.
type Handler struct {
	o     Options
	slots chan struct{}

	mu      sync.Mutex
	closing bool
	running sync.WaitGroup // what Drain waits for
}

var errGone = errors.New("webhook: the request is over")

// New checks the options and makes a handler.
func New(o Options) (*Handler, error) {
	switch {
	case len(o.Key) != ed25519.PublicKeySize:
		return nil, fmt.Errorf("webhook: the public key has %d bytes instead of %d", len(o.Key), ed25519.PublicKeySize)
	case o.Handle == nil || o.Now == nil || o.Log == nil:
		return nil, errors.New("webhook: an option is missing")
	}
	if o.AtOnce <= 0 {
		o.AtOnce = 1024
	}
	if o.Life <= 0 {
		o.Life = 30 * time.Second
	}
	return &Handler{o: o, slots: make(chan struct{}, o.AtOnce)}, nil
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	i, body, fault := h.read(w, r)
	if fault != nil {
		h.refuse(w, r, fault)
		return
	}
	if i.Type == discordgo.InteractionPing {
		if err := write(w, []byte(`{"type":1}`), jsonType); err != nil {
			h.o.Log.DebugContext(r.Context(), "request left before the answer", "error", err)
		}
		return
	}
	if reason := h.begin(); reason != "" {
		h.refuse(w, r, &refusal{http.StatusServiceUnavailable, reason})
		return
	}
	h.answer(w, r.WithContext(slim.WithChannel(r.Context(), slim.ChannelOf(body, "channel"))), i)
}

// Drain takes no more interactions and waits until nothing is left to do for
// those that were taken, or until the context ends, whose error it then returns.
func (h *Handler) Drain(ctx context.Context) error {
	h.mu.Lock()
	h.closing = true
	h.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		h.running.Wait()
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("finish interactions: %w", ctx.Err())
	}
}

// begin counts an interaction as running, or returns why it is not accepted.
func (h *Handler) begin() (no string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closing {
		return "shutting down"
	}
	select {
	case h.slots <- struct{}{}:
		h.running.Add(1)
		return ""
	default:
		return "too many interactions at once"
	}
}

// end counts an interaction as handled.
func (h *Handler) end() {
	<-h.slots
	h.running.Done()
}

// handed is a first answer on its way from the work to the response.
type handed struct {
	body        []byte
	contentType string
	written     chan error
}

// answer has an interaction handled on a goroutine of its own, because the work
// goes on after the response, and a connection that waited for that would hold up
// the next request on it.
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, i *discordgo.Interaction) {
	answers, over := make(chan handed), make(chan struct{})
	defer close(over)
	first := func(body []byte, contentType string) error {
		a := handed{body, contentType, make(chan error, 1)}
		select {
		case answers <- a:
			return <-a.written
		case <-over:
			return errGone
		}
	}
	ended := make(chan int, 1)
	ctx := context.WithoutCancel(r.Context()) // the work outlives the request
	go func() {
		defer h.end()
		ended <- h.work(ctx, i, first)
	}()
	select {
	case a := <-answers:
		a.written <- write(w, a.body, a.contentType)
	case status := <-ended:
		w.WriteHeader(status)
	case <-r.Context().Done():
		h.o.Log.WarnContext(r.Context(), "request left before the answer", "interaction", i.ID)
	}
}

// work handles an interaction and returns the status of a response for which
// there is no answer. 202 means that the answer comes another way, as that to a
// request that was delivered twice; a panic is our fault.
func (h *Handler) work(ctx context.Context, i *discordgo.Interaction, first func([]byte, string) error) (status int) {
	ctx, cancel := context.WithTimeout(ctx, h.o.Life)
	defer cancel()
	defer func() {
		if p := recover(); p != nil {
			h.o.Log.ErrorContext(ctx, "panic in a handler", "interaction", i.ID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			status = http.StatusInternalServerError
		}
	}()
	h.o.Handle(ctx, i, first)
	return http.StatusAccepted
}

const jsonType = "application/json"

// write sends a whole response at once, so that its end does not wait for the
// handler's.
func write(w http.ResponseWriter, body []byte, contentType string) error {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if _, err := w.Write(body); err != nil {
		return fmt.Errorf("write the response: %w", err)
	}
	if err := http.NewResponseController(w).Flush(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return fmt.Errorf("write the response: %w", err)
	}
	return nil
}

func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, f *refusal) {
	h.o.Log.DebugContext(r.Context(), "request refused", "status", f.status, "reason", f.reason)
	if h.o.Refused != nil {
		h.o.Refused(f.status)
	}
	if f.status == http.StatusMethodNotAllowed {
		w.Header().Set("Allow", http.MethodPost)
	}
	http.Error(w, f.reason, f.status)
}
