package sandbox

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Routes as Fail and SetLimit name them: the path templates of the API reference.
const (
	RouteGateway       = "/gateway"
	RouteGatewayBot    = "/gateway/bot"
	RouteApplication   = "/applications/@me"
	RouteOAuth         = "/oauth2/applications/@me"
	RouteMe            = "/users/@me"
	RouteMyGuilds      = "/users/@me/guilds"
	RouteUser          = "/users/{user_id}"
	RouteDMs           = "/users/@me/channels"
	RouteCommands      = "/applications/{application_id}/commands"
	RouteCommand       = "/applications/{application_id}/commands/{command_id}"
	RouteGuildCommands = "/applications/{application_id}/guilds/{guild_id}/commands"
	RouteGuildCommand  = "/applications/{application_id}/guilds/{guild_id}/commands/{command_id}"
	RouteCallback      = "/interactions/{interaction_id}/{interaction_token}/callback"
	RouteFollowUp      = "/webhooks/{application_id}/{interaction_token}"
	RouteOriginal      = "/webhooks/{application_id}/{interaction_token}/messages/{message_id}" // @original too
	RouteChannel       = "/channels/{channel_id}"
	RouteMessages      = "/channels/{channel_id}/messages"
	RouteMessage       = "/channels/{channel_id}/messages/{message_id}"
	RouteThread        = "/channels/{channel_id}/messages/{message_id}/threads"
	RouteGuild         = "/guilds/{guild_id}"
	RouteMember        = "/guilds/{guild_id}/members/{user_id}"
)

// call is one REST request on its way through a handler.
type call struct {
	*http.Request
	route   string
	ids     []string // the names of the ids in the path
	isJSON  bool
	raw     []byte // the JSON body, payload_json for multipart
	body    any
	uploads []upload
}

// answer is what a handler gives back: a status and what to encode as the body (nil for none).
type answer struct {
	status int
	body   any
}

type handler func(c *call) (answer, *apiError)

func ok(body any) (answer, *apiError) { return answer{http.StatusOK, body}, nil }

func nothing() (answer, *apiError) { return answer{status: http.StatusNoContent}, nil }

// routes builds the REST side; paths are without /api and version.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	open := func(method, route string, h handler) { mux.Handle(method+" "+route, s.endpoint(route, false, h)) }
	bot := func(method, route string, h handler) { mux.Handle(method+" "+route, s.endpoint(route, true, h)) }
	open("GET", RouteGateway, s.getGateway)
	bot("GET", RouteGatewayBot, s.getGatewayBot)
	bot("GET", RouteApplication, s.getApplication)
	bot("PATCH", RouteApplication, s.patchApplication)
	bot("GET", RouteOAuth, s.getApplication)
	bot("GET", RouteMe, s.getMe)
	bot("GET", RouteMyGuilds, s.getMyGuilds)
	bot("GET", RouteUser, s.getUser)
	bot("POST", RouteDMs, s.postDM)
	bot("GET", RouteGuild, s.getGuild)
	bot("GET", RouteMember, s.getMember)
	for _, route := range []string{RouteCommands, RouteGuildCommands} {
		bot("GET", route, s.getCommands)
		bot("PUT", route, s.putCommands)
		bot("POST", route, s.postCommand)
	}
	for _, route := range []string{RouteCommand, RouteGuildCommand} {
		bot("GET", route, s.getCommand)
		bot("PATCH", route, s.patchCommand)
		bot("DELETE", route, s.deleteCommand)
	}
	open("POST", RouteCallback, s.postCallback)
	open("POST", RouteFollowUp, s.postFollowUp)
	open("GET", RouteOriginal, s.getOriginal)
	open("PATCH", RouteOriginal, s.patchOriginal)
	open("DELETE", RouteOriginal, s.deleteOriginal)
	bot("GET", RouteChannel, s.getChannel)
	bot("GET", RouteMessages, s.getMessages)
	bot("POST", RouteMessages, s.postMessage)
	bot("GET", RouteMessage, s.getMessage)
	bot("PATCH", RouteMessage, s.patchMessage)
	bot("DELETE", RouteMessage, s.deleteMessage)
	bot("POST", RouteThread, s.postThread)
	mux.Handle("/", s.endpoint("/", false, func(*call) (answer, *apiError) {
		return answer{}, &apiError{status: http.StatusNotFound, Message: "404: Not Found"}
	}))
	return mux
}

var versioned = regexp.MustCompile(`^/api(?:/v([0-9]+))?(/.*)$`)

// handle splits REST, gateway and files.
func (s *Server) handle(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.EqualFold(r.Header.Get("Upgrade"), "websocket"):
		s.gate.serve(w, r)
		return
	case strings.HasPrefix(r.URL.Path, "/attachments/"):
		s.serveAttachment(w, r)
		return
	}
	parts := versioned.FindStringSubmatch(r.URL.Path)
	if parts == nil {
		http.NotFound(w, r)
		return
	}
	if v := parts[1]; v != "" && v != "10" && v != "9" {
		writeError(w, &apiError{status: http.StatusBadRequest, Code: codeVersion, Message: "Invalid API version"})
		return
	}
	inner := r.Clone(r.Context())
	inner.URL.Path, inner.URL.RawPath = parts[2], ""
	s.rest.ServeHTTP(w, inner)
}

// endpoint wraps a handler with what all requests have in common: bans, faults, authorisation, limits, body, recording.
func (s *Server) endpoint(route string, auth bool, h handler) http.Handler {
	ids := idsIn(route)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := s.opt.Now()
		c := &call{Request: r, route: route, ids: ids}
		rec := &Exchange{Method: r.Method, Path: r.URL.RequestURI(), At: started}
		s.remember(r)
		s.count(func(st *Stats) { st.Requests++ })
		problem := c.read(w)
		rec.ContentType, rec.Request = r.Header.Get("Content-Type"), c.raw
		f, faulty := s.befall(c)
		if f.Arrived != nil {
			f.Arrived()
		}
		served := wait(r, f.Delay)
		rec.Fault = !served || faulty && (f.Status != 0 || f.Cut)
		if !rec.Fault || f.After {
			a := s.work(w, c, problem, auth, h)
			rec.Status, rec.Response = a.status, a.encode()
			s.inspectAnswer(c, rec)
		}
		if rec.Fault {
			rec.Status, rec.Response, rec.Injected = 0, nil, f
			s.record(rec, started)
			s.misfortune(w, c, f)
			return
		}
		s.limits.note(address(r), rec.Status, w.Header().Get("X-RateLimit-Scope"))
		s.record(rec, started)
		write(w, rec.Status, rec.Response)
	})
}

// befall finds what goes wrong with a request before anybody looks at it: a banned address, or a prepared fault.
func (s *Server) befall(c *call) (Fault, bool) {
	if left := s.limits.banned(address(c.Request)); left > 0 {
		return HTMLRateLimited(left), true
	}
	return s.faults.take(c.Method, c.route)
}

// address is where a request comes from, without the port.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// work runs the handler, unless a problem comes first: with the body, with who asks, or with how often.
func (s *Server) work(w http.ResponseWriter, c *call, problem *apiError, auth bool, h handler) (a answer) {
	s.limits.headers(w, c, generous-1)
	if problem == nil {
		problem = s.admit(w, c, auth)
	}
	if problem == nil {
		problem = c.decode()
	}
	if problem == nil {
		problem = c.checkPath()
	}
	if problem == nil {
		a, problem = h(c)
	}
	if problem != nil {
		s.noteProblem(problem)
		if problem.limited && w.Header().Get("Retry-After") == "" {
			w.Header().Set("Retry-After", strconv.FormatFloat(problem.retryAfter, 'f', 3, 64))
		}
		a = answer{problem.status, problem}
	}
	return a
}

var idInRoute = regexp.MustCompile(`\{(\w+_id)\}`)

func idsIn(route string) (names []string) {
	for _, hit := range idInRoute.FindAllStringSubmatch(route, -1) {
		names = append(names, hit[1])
	}
	return names
}

// checkPath refuses ids that cannot be any.
func (c *call) checkPath() *apiError {
	f := newForm()
	for _, name := range c.ids {
		if v := c.PathValue(name); v != "@original" && !isSnowflake(v) {
			f.add([]string{name}, "NUMBER_TYPE_COERCE", fmt.Sprintf("Value %q is not snowflake.", v))
		}
	}
	return f.err()
}

func (a answer) encode() json.RawMessage {
	if a.body == nil {
		return nil
	}
	return encode(a.body)
}

func write(w http.ResponseWriter, status int, body []byte) {
	if len(body) > 0 {
		w.Header().Set("Content-Type", "application/json")
	}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone; nobody is left to tell
}

// noteProblem counts the refusals that Stats shows.
func (s *Server) noteProblem(p *apiError) {
	s.count(func(st *Stats) {
		switch p.Code {
		case codeForm:
			st.Refused++
		case codeUnknownInteraction:
			st.Late++
		case codeAcknowledged:
			st.Doubled++
		}
	})
}

// wait sleeps. False: the client has gone meanwhile, so that its request never got through.
func wait(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// misfortune answers as a fault says.
func (s *Server) misfortune(w http.ResponseWriter, c *call, f Fault) {
	if f.Cut || f.Status == 0 {
		panic(http.ErrAbortHandler) // net/http's way to cut the connection; it recovers this itself
	}
	dropBucket(w)
	if !f.NoBuckets {
		s.limits.headers(w, c, 0)
	}
	body, kind := []byte(f.Body), f.ContentType
	if len(body) == 0 {
		body = encode(&apiError{Code: f.Code, Message: f.Message})
	}
	if kind == "" {
		kind = "application/json"
	}
	w.Header().Set("Content-Type", kind)
	for k, v := range f.Header {
		w.Header().Set(k, v)
	}
	s.limits.note(address(c.Request), f.Status, f.Header["X-RateLimit-Scope"])
	w.WriteHeader(f.Status)
	_, _ = w.Write(body) // as in write
}

// admit checks who asks and how often.
func (s *Server) admit(w http.ResponseWriter, c *call, auth bool) *apiError {
	if !strings.HasPrefix(c.UserAgent(), "DiscordBot ") {
		return &apiError{status: http.StatusForbidden, Code: codeUserAgent, Message: "internal network error (User-Agent must be: DiscordBot (url, version))"}
	}
	if auth && !s.authorised(c.Header.Get("Authorization")) {
		return &apiError{status: http.StatusUnauthorized, Message: "401: Unauthorized"}
	}
	return s.limits.allow(w, c, auth)
}

func (s *Server) authorised(header string) bool {
	return header == "Bot "+s.opt.Token && !s.gate.revoked()
}
