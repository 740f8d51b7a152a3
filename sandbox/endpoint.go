package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"sync"
)

// kindPing is the type of the interaction that only asks whether somebody is there.
const kindPing = 1

// maxAnswer bounds what is read of an endpoint's answer.
const maxAnswer = 25 << 20

// keptConnections is how many connections to a copy of the bot are kept for the next deliveries.
const keptConnections = 256

// usualBadSignatures is how many deliveries come between two wrong signatures.
const usualBadSignatures = 10

// endpoint is the Interactions Endpoint URL and what belongs to it.
type endpoint struct {
	client  *http.Client
	key     ed25519.PrivateKey
	life    context.Context //nolint:containedctx // ends with stop, and with it what is under way
	end     context.CancelFunc
	running sync.WaitGroup

	mu        sync.Mutex
	urls      []string // the copies of the bot behind one address; none: interactions go over the gateway
	closed    bool
	every     int // a wrong signature before each so many deliveries; 0 for never
	delivered int
	forged    int // wrong signatures so far: each is wrong in another way
}

func newEndpoint() *endpoint {
	life, end := context.WithCancel(context.Background())
	return &endpoint{
		key: signingKey(), life: life, end: end, every: usualBadSignatures,
		client: &http.Client{
			Transport:     &http.Transport{MaxIdleConnsPerHost: keptConnections},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// SetEndpoint saves the Interactions Endpoint URL, as in the developer portal: first a signed PING has to be answered
// with PONG, and a PING with a wrong signature with 401; otherwise the URL is refused and nothing changes. From then
// on interactions are posted there, signed, and no longer sent over the gateway. An empty URL brings them back.
func (s *Server) SetEndpoint(ctx context.Context, address string) error {
	if address == "" {
		return s.SetEndpoints(ctx)
	}
	return s.SetEndpoints(ctx, address)
}

// SetEndpoints is SetEndpoint for an address behind which a balancer has several copies of the bot: each of them is
// tried as SetEndpoint does. Deliveries go to them in turn. One that takes no connection, or says with status 503 that
// it cannot serve, has its delivery go to the next.
func (s *Server) SetEndpoints(ctx context.Context, addresses ...string) error {
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("save endpoint %q: not a web address", address)
		}
		if err := s.probe(ctx, address); err != nil {
			return fmt.Errorf("save endpoint %q: %w", address, err)
		}
	}
	s.outlet.mu.Lock()
	defer s.outlet.mu.Unlock()
	s.outlet.urls = slices.Clone(addresses)
	return nil
}

// Endpoint is the Interactions Endpoint URL, that of the first copy where there are several; empty when interactions go
// over the gateway.
func (s *Server) Endpoint() string {
	s.outlet.mu.Lock()
	defer s.outlet.mu.Unlock()
	if len(s.outlet.urls) == 0 {
		return ""
	}
	return s.outlet.urls[0]
}

// SetBadSignatures lets a wrongly signed request precede every n-th delivery to the endpoint; 0 for none. A bot that
// answers one with anything but 401 loses its endpoint (EndpointLost). From the start n is 10.
func (s *Server) SetBadSignatures(n int) {
	s.outlet.mu.Lock()
	defer s.outlet.mu.Unlock()
	s.outlet.every = n
}

// ProbeEndpoint sends the endpoint a valid PING and one with a wrong signature, as Discord does at random. A bot that
// fails either loses its endpoint, and the reason is returned.
func (s *Server) ProbeEndpoint(ctx context.Context) error {
	address := s.Endpoint()
	if address == "" {
		return errors.New("probe endpoint: none is set")
	}
	err := s.probe(ctx, address)
	if err != nil {
		s.loseEndpoint(ctx, err)
	}
	return err
}

// ProbeAddress sends the same to an address that need not be the endpoint, and changes nothing.
func (s *Server) ProbeAddress(ctx context.Context, address string) error {
	return s.probe(ctx, address)
}

// probe asks an address whether it knows right signatures from wrong ones.
func (s *Server) probe(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, s.opt.AnswerWithin)
	defer cancel()
	res, err := s.ask(ctx, address, s.pingBody(), s.sign)
	if err != nil {
		return fmt.Errorf("answer PING: %w", err)
	}
	var pong struct {
		Type int `json:"type"`
	}
	kind, _, _ := mime.ParseMediaType(res.header.Get("Content-Type"))
	switch {
	case res.status != http.StatusOK:
		return fmt.Errorf("answer PING: status %d instead of 200", res.status)
	case kind != "application/json":
		return fmt.Errorf("answer PING: content type %q instead of application/json", kind)
	case json.Unmarshal(res.body, &pong) != nil || pong.Type != kindPing:
		return errors.New(`answer PING: the body is not {"type":1}`)
	}
	return s.probeBadly(ctx, []string{address}, s.pingBody())
}

// probeBadly sends a body with a wrong signature, which has to be refused with 401.
func (s *Server) probeBadly(ctx context.Context, addresses []string, body []byte) error {
	res, err := s.askInTurn(ctx, addresses, body, s.forge)
	switch {
	case err != nil:
		return fmt.Errorf("answer a wrong signature: %w", err)
	case res.status != http.StatusUnauthorized:
		return fmt.Errorf("answer a wrong signature: status %d instead of 401", res.status)
	}
	return nil
}

func (s *Server) pingBody() []byte {
	id := s.flake.next()
	return encode(map[string]any{
		"id": id, "application_id": ApplicationID, "type": kindPing, "token": newToken(id), "version": 1, "entitlements": []any{},
		"authorizing_integration_owners": map[string]string{}, "user": s.Alice.User().wire(),
	})
}

// loseEndpoint removes the URL of a bot that failed a check, and tells everybody.
func (s *Server) loseEndpoint(ctx context.Context, why error) {
	s.outlet.mu.Lock()
	s.outlet.urls = nil
	s.outlet.mu.Unlock()
	s.opt.Log.ErrorContext(ctx, "the interactions endpoint is removed", "error", why)
	s.announce(Event{Kind: EndpointLost})
}

// asked is what an endpoint answered.
type asked struct {
	status int
	header http.Header
	body   []byte
}

// ask posts a signed body to an address, and shows the exchange to the subscribers of Traffic.
func (s *Server) ask(ctx context.Context, address string, body []byte, sign func(http.Header, []byte)) (asked, error) {
	started := s.opt.Now()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return asked{}, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "Discord-Interactions/1.0 (+https://discord.com)")
	sign(req.Header, body)
	x := Exchange{Method: http.MethodPost, Path: address, ContentType: "application/json", Request: body, At: started}
	res, err := s.outlet.client.Do(req)
	if err != nil {
		x.Took = s.opt.Now().Sub(started)
		s.traffic.publish(x)
		return asked{}, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	x.Status, x.Took = res.StatusCode, s.opt.Now().Sub(started)
	if json.Valid(raw) {
		x.Response = raw
	}
	s.traffic.publish(x)
	return asked{res.StatusCode, res.Header, raw}, err
}

// stop waits for the deliveries under way.
func (e *endpoint) stop() {
	e.mu.Lock()
	e.closed = true
	e.mu.Unlock()
	e.end()
	e.running.Wait()
	e.client.CloseIdleConnections()
}

// turn counts a delivery: which copies it goes to, the first that takes it, and whether a wrong signature goes first.
// There are none without an endpoint.
func (e *endpoint) turn() (addresses []string, badFirst bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	n := len(e.urls)
	if n == 0 || e.closed {
		return nil, false
	}
	first := e.delivered % n
	e.delivered++
	e.running.Add(1)
	addresses = e.urls
	if first > 0 {
		addresses = slices.Concat(e.urls[first:], e.urls[:first])
	}
	return addresses, e.every > 0 && e.delivered%cmp.Or(e.every, 1) == 0
}
