package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"rowbot/bot/slim"
)

var errNotGateway = errors.New("a gateway session makes no REST calls")

// session is one discordgo session and its link, good for one connection.
type session struct {
	*link
	shard  int
	dg     *discordgo.Session
	open   error          // what Open gave
	work   sync.WaitGroup // Open and the link
	closed chan struct{}  // closed when discordgo has closed the session

	caughtUp bool // RESUMED has come; only event touches it
}

// connect dials the address and starts a session over it, which resumes the
// one in the ledger, or, with a passage, sends IDENTIFY.
func (sh *shard) connect(ctx context.Context, address string, resume *ledger, p *passage) (*session, error) {
	dg, err := discordgo.New("Bot " + sh.client.opts.Token)
	if err != nil {
		return nil, fmt.Errorf("make a session: %w", err)
	}
	ours, librarys := net.Pipe()
	l, err := sh.client.dial(ctx, address, resume, p, ours)
	if err != nil {
		return nil, err
	}
	s := &session{link: l, shard: sh.id, dg: dg, closed: make(chan struct{})}
	dg.ShouldReconnectOnError = false
	dg.StateEnabled = false
	dg.Compress = false
	dg.SyncEvents = true               // events come in order; no handler here waits for anything
	dg.LogLevel = discordgo.LogWarning // one level down, READY is printed; two, the token
	dg.ShardID, dg.ShardCount = sh.id, sh.shards
	dg.Identify.Intents = sh.client.opts.Intents
	dg.Identify.Presence.Status = string(discordgo.StatusOnline)
	dg.Client = &http.Client{Transport: gatewayAnswer(libraryAddress)}
	dg.Dialer = &websocket.Dialer{NetDialContext: func(context.Context, string, string) (net.Conn, error) { return librarys, nil }}
	s.listen(sh)
	s.work.Go(s.run)
	s.work.Go(s.start)
	return s, nil
}

// listen hangs the handlers on. discordgo calls them on the goroutine that
// reads, one after the other; Disconnect may come more than once.
func (s *session) listen(sh *shard) {
	var closed sync.Once
	s.dg.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { closed.Do(func() { close(s.closed) }) })
	s.dg.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) {
		err := s.safely(func() error {
			sh.in.pass(func() { s.event(e, sh.take) })
			return nil
		})
		if err != nil {
			s.end(err)
		}
	})
}

// event handles one event, if it is new. Where a session is gone on with, those
// until RESUMED are what was missed.
func (s *session) event(e *discordgo.Event, take func(arrival)) {
	if e.Type == "RESUMED" {
		s.caughtUp = true
	}
	if now := s.ledger.Load(); now != nil && !now.take(e.Sequence) {
		return // handled when it came over another connection
	}
	if e.Type != "INTERACTION_CREATE" {
		return
	}
	if i := s.client.interaction(e); i != nil {
		take(arrival{i, slim.ChannelOf(e.RawData, "channel"), s.resume != nil && !s.caughtUp})
	}
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

// start lets discordgo connect to the link. It comes back with the first event
// after READY or RESUME, or when the link ends.
func (s *session) start() {
	if s.open = s.safely(s.dg.Open); s.open != nil {
		s.end(fmt.Errorf("open the session: %w", s.open))
	}
}

// finish waits, within reason, until nothing of an ended session runs any
// more. discordgo takes a second to close, and nobody waits for it but the
// shard at its own end.
func (s *session) finish() {
	s.work.Wait()
	if s.open == nil && !waitFor(s.closed, s.client.opts.Timings.Close) {
		s.client.log.Warn("a session did not close in time", "shard", s.shard)
	}
}
