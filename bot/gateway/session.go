package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

var (
	errOpenLimit  = errors.New("the connection was not ready in time")
	errOpenStuck  = errors.New("the session got stuck while opening")
	errNotGateway = errors.New("a gateway session makes no REST calls")
)

// session is one discordgo session, good for one connection.
type session struct {
	client *Client
	shard  int
	dg     *discordgo.Session
	wire   *wire
	ready  chan struct{} // closed at READY
	ended  chan struct{} // closed when discordgo has closed the session
}

// newSession prepares a session that will connect to the address.
func (c *Client) newSession(shard, shards int, address string, take func(*discordgo.Interaction)) (*session, error) {
	dg, err := discordgo.New("Bot " + c.opts.Token)
	if err != nil {
		return nil, fmt.Errorf("make a session: %w", err)
	}
	s := &session{
		client: c, shard: shard, dg: dg,
		wire:  newWire(c.opts.Now, c.opts.Timings.Silence),
		ready: make(chan struct{}), ended: make(chan struct{}),
	}
	dg.ShouldReconnectOnError = false
	dg.StateEnabled = false
	dg.Compress = false
	dg.LogLevel = discordgo.LogWarning // one level down, READY is printed; two, the token
	dg.ShardID, dg.ShardCount = shard, shards
	dg.Identify.Intents = c.opts.Intents
	dg.Identify.Presence.Status = string(discordgo.StatusOnline)
	dg.Client = &http.Client{Transport: gatewayAnswer(address)}
	dg.Dialer = &websocket.Dialer{
		NetDialContext:   s.wire.dial,
		Proxy:            http.ProxyFromEnvironment,
		HandshakeTimeout: c.opts.Timings.Open,
	}
	s.listen(take)
	return s, nil
}

// listen hangs the handlers on. discordgo calls each on a goroutine of its
// own, and any of them more than once.
func (s *session) listen(take func(*discordgo.Interaction)) {
	var ready, ended sync.Once
	s.dg.AddHandler(func(*discordgo.Session, *discordgo.Ready) { ready.Do(func() { close(s.ready) }) })
	s.dg.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { ended.Do(func() { close(s.ended) }) })
	s.dg.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		if e.Type != "INTERACTION_CREATE" {
			return
		}
		if i := s.client.interaction(e); i != nil {
			take(i)
		}
	})
}

// interaction takes the interaction out of an event. discordgo drops all of it
// when one part is new to it, such as a component it does not know; then the
// parts that are needed for an answer are read alone, and Data stays nil.
func (c *Client) interaction(e *discordgo.Event) *discordgo.Interaction {
	if created, ok := e.Struct.(*discordgo.InteractionCreate); ok && created.Interaction != nil && created.ID != "" {
		return created.Interaction
	}
	var part struct {
		ID        string                    `json:"id"`
		AppID     string                    `json:"application_id"`
		Type      discordgo.InteractionType `json:"type"`
		GuildID   string                    `json:"guild_id"`
		ChannelID string                    `json:"channel_id"`
		Member    *discordgo.Member         `json:"member"`
		User      *discordgo.User           `json:"user"`
		Token     string                    `json:"token"`
		Locale    discordgo.Locale          `json:"locale"`
	}
	if err := json.Unmarshal(e.RawData, &part); err != nil || part.ID == "" {
		c.log.Error("interaction not readable")
		return nil
	}
	c.log.Warn("interaction only partly readable", "interaction", part.ID)
	return &discordgo.Interaction{
		ID: part.ID, AppID: part.AppID, Type: part.Type, GuildID: part.GuildID, ChannelID: part.ChannelID,
		Member: part.Member, User: part.User, Token: part.Token, Locale: part.Locale,
	}
}

// open connects and waits for READY. It gives up at the limit, when discordgo
// has locked itself up, and when ctx ends; the connection is cut then.
//
// Op 7 and op 9 before READY make discordgo wait for a lock it holds itself:
// nothing frees that goroutine. It no longer reads, and that is how it is told
// from a slow gateway and left behind early.
func (s *session) open(ctx context.Context) error {
	opened := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				s.client.log.ErrorContext(ctx, "panic in the library", "panic", p, "stack", string(debug.Stack()))
				opened <- fmt.Errorf("open the session: panic: %v", p)
			}
		}()
		opened <- s.dg.Open()
	}()
	return s.watch(ctx, opened)
}

// watch waits for Open and READY.
func (s *session) watch(ctx context.Context, opened <-chan error) error {
	t := s.client.opts.Timings
	limit := time.NewTimer(t.Open)
	defer limit.Stop()
	look := time.NewTicker(max(t.Stall/4, time.Millisecond))
	defer look.Stop()
	var still int
	var before uint64
	var ready, ended <-chan struct{} // looked at once Open has come back
	for {
		select {
		case err := <-opened:
			if err != nil {
				s.wire.cut()
				return err
			}
			opened, ready, ended = nil, s.ready, s.ended
		case <-ready:
			return nil
		case <-ended:
			return s.abandon(nil, io.ErrUnexpectedEOF)
		case <-s.wire.gone: // Open's own error may hold the close code
			return s.abandon(opened, io.ErrUnexpectedEOF)
		case <-ctx.Done():
			return s.abandon(opened, ctx.Err())
		case <-limit.C:
			return s.abandon(opened, errOpenLimit)
		case <-look.C:
			reads, reading := s.wire.pulse()
			if opened == nil || reading || reads == 0 || reads != before {
				still, before = 0, reads
			} else if still++; still >= 4 {
				return s.abandon(opened, errOpenStuck)
			}
		}
	}
}

// abandon cuts the connection and waits for Open to notice. The cause is
// what is told, unless Open itself knows better.
func (s *session) abandon(opened <-chan error, cause error) error {
	if opened == nil {
		s.drop()
		return cause
	}
	s.wire.cut()
	t := time.NewTimer(s.client.opts.Timings.Close)
	defer t.Stop()
	select {
	case err := <-opened:
		var closed *websocket.CloseError
		if errors.As(err, &closed) || (err != nil && errors.Is(cause, io.ErrUnexpectedEOF)) {
			return err
		}
	case <-t.C:
		s.client.log.Warn("a stuck session was left behind", "shard", s.shard, "cause", cause)
	}
	return cause
}

// drop throws away a session whose connection is over: it cuts what is left
// and waits, within reason, for discordgo to have closed it.
func (s *session) drop() {
	s.wire.mute()
	s.wire.cut()
	s.await()
}

// leave ends a healthy session with a normal close, after which Discord shows
// the bot as offline at once.
func (s *session) leave() {
	s.wire.mute()
	go func() {
		defer func() {
			if p := recover(); p != nil {
				s.client.log.Error("panic in the library", "panic", p, "stack", string(debug.Stack()))
			}
		}()
		s.dg.Close()
	}()
	s.await()
	s.wire.cut()
}

func (s *session) await() {
	t := time.NewTimer(s.client.opts.Timings.Close)
	defer t.Stop()
	select {
	case <-s.ended:
	case <-t.C:
		s.client.log.Warn("a session did not close in time", "shard", s.shard)
	}
}
