package sandbox

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
)

// deliver brings an interaction to the bot: to its endpoint if it has one, else over the gateway. Never both.
func (s *Server) deliver(ctx context.Context, it *interaction, raw []byte) {
	addresses, badFirst := s.outlet.turn()
	if len(addresses) == 0 {
		s.gate.dispatch(it.channel.GuildID(), "INTERACTION_CREATE", raw)
		return
	}
	go func() {
		defer s.outlet.running.Done()
		s.post(context.WithoutCancel(ctx), it, raw, addresses, badFirst)
	}()
}

// post delivers an interaction over HTTP; a bot that takes longer than the answer may take is cut off.
func (s *Server) post(ctx context.Context, it *interaction, raw []byte, addresses []string, badFirst bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.outlet.life, cancel)() //nolint:contextcheck // it ends what is under way when the server closes
	if badFirst {
		if err := s.tempt(ctx, raw, addresses); err != nil && !unreachable(err) {
			s.loseEndpoint(ctx, err)
			s.gate.dispatch(it.channel.GuildID(), "INTERACTION_CREATE", raw)
			return
		}
	}
	limit, stop := context.WithTimeout(ctx, s.opt.AnswerWithin)
	defer stop()
	res, err := s.askInTurn(limit, addresses, raw, s.sign)
	if err == nil {
		err = s.take(it, res)
	}
	if err != nil && ctx.Err() == nil {
		s.opt.Log.WarnContext(ctx, "the endpoint's answer is not accepted", "interaction", it.id, "error", err)
		s.giveUp(it)
	}
}

// askInTurn posts to the first copy that takes it.
func (s *Server) askInTurn(ctx context.Context, addresses []string, raw []byte, sign func(http.Header, []byte)) (res asked, err error) {
	for _, address := range addresses {
		res, err = s.ask(ctx, address, raw, sign)
		if !unreachable(err) && res.status != http.StatusServiceUnavailable {
			break
		}
	}
	return res, err
}

// unreachable tells whether an error is that nobody takes connections.
func unreachable(err error) bool {
	refused, ok := errors.AsType[*net.OpError](err)
	return ok && refused.Op == "dial"
}

// tempt sends a copy of an interaction under another id, with a wrong signature: a PING or what was to be delivered.
func (s *Server) tempt(ctx context.Context, raw []byte, addresses []string) error {
	ctx, cancel := context.WithTimeout(ctx, s.opt.AnswerWithin)
	defer cancel()
	var copied map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	s.outlet.mu.Lock()
	ping := s.outlet.forged%2 == 0
	s.outlet.mu.Unlock()
	if ping || d.Decode(&copied) != nil {
		return s.probeBadly(ctx, addresses, s.pingBody())
	}
	id := s.flake.next()
	copied["id"], copied["token"] = id, newToken(id)
	return s.probeBadly(ctx, addresses, encode(copied))
}

// take accepts what the endpoint answered: 200 with an answer, or 202 without a body when the callback route is used.
func (s *Server) take(it *interaction, res asked) error {
	switch res.status {
	case http.StatusAccepted:
		if len(res.body) > 0 {
			return errors.New("status 202 must come without a body")
		}
		return nil
	case http.StatusOK:
	default:
		return errors.New("status " + http.StatusText(res.status) + " instead of 200 or 202")
	}
	c := &call{Request: &http.Request{Header: res.header, Body: io.NopCloser(bytes.NewReader(res.body))}}
	bad := c.read(nil)
	if bad == nil {
		bad = c.decode()
	}
	var n node
	if bad == nil {
		n, bad = c.object()
	}
	if bad == nil {
		_, bad = s.acknowledge(it, n, c.uploads)
	}
	if bad == nil {
		return nil
	}
	s.noteProblem(bad)
	if bad.Code == codeAcknowledged {
		return nil // the person has an answer
	}
	return errors.New(string(encode(bad)))
}
