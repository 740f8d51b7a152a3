package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// generous is what an unlimited bucket claims to allow.
const generous = 1000

// limiter keeps the rate limits that a test or user switched on, and those that are always in force.
type limiter struct {
	now     func() time.Time
	mu      sync.Mutex
	rules   map[string]rule // by method and route; " " is every other route
	global  rule
	oldEdit rule // edits of messages older than an hour, in each channel
	invalid rule // refused requests of one address
	used    map[string]*window
}

// rule allows count requests within per.
type rule struct {
	count int
	per   time.Duration
}

// The limits that hold from the start.
var (
	usualOldEdits = rule{3, 6 * time.Second} // the true number is not published
	usualInvalid  = rule{10000, 10 * time.Minute}
)

// window is the present use of one bucket.
type window struct {
	ends time.Time
	used int
}

func (l *limiter) reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rules, l.used = map[string]rule{}, map[string]*window{}
	l.global, l.oldEdit, l.invalid = rule{}, usualOldEdits, usualInvalid
}

// SetLimit allows n requests within per to each bucket of a route (one bucket for each channel, guild or interaction
// token); n of 0 lifts the limit. Method and route are as in Fail; both empty is every route without a limit of its
// own.
func (s *Server) SetLimit(method, route string, n int, per time.Duration) {
	l := &s.limits
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.rules, method+" "+route)
	if n > 0 {
		l.rules[method+" "+route] = rule{n, per}
	}
}

// SetUsualLimits puts limits in force that are like Discord's: 50 requests a second in all, 5 messages or edits in 5
// seconds in a channel, 5 requests in 2 seconds with an interaction's token.
func (s *Server) SetUsualLimits() {
	s.SetGlobalLimit(50)
	s.SetLimit("POST", RouteMessages, 5, 5*time.Second)
	s.SetLimit("PATCH", RouteMessage, 5, 5*time.Second)
	s.SetLimit("POST", RouteFollowUp, 5, 2*time.Second)
	s.SetLimit("PATCH", RouteOriginal, 5, 2*time.Second)
}

// SetGlobalLimit allows n requests a second over all routes that need the bot token; 0 lifts the limit. Discord has 50.
func (s *Server) SetGlobalLimit(n int) { s.limits.set(&s.limits.global, n, time.Second) }

// SetOldEditLimit allows n edits with the bot token within per to the messages of a channel that are older than an
// hour; what is beyond is refused with 429 and code 30046. 0 lifts the limit; from the start it is 3 in 6 seconds.
func (s *Server) SetOldEditLimit(n int, per time.Duration) {
	s.limits.set(&s.limits.oldEdit, n, per)
}

// SetInvalidLimit allows one address n answers of 401, 403 or 429 (other than of scope shared) within per; then all
// its requests meet the proxy's HTML 429 until per is over. 0 lifts the limit; from the start it is 10,000 in 10
// minutes, as on Discord.
func (s *Server) SetInvalidLimit(n int, per time.Duration) {
	s.limits.set(&s.limits.invalid, n, per)
}

func (l *limiter) set(r *rule, n int, per time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	*r = rule{n, per}
}

// allow counts a request, writes the headers and refuses what is too much.
func (l *limiter) allow(w http.ResponseWriter, c *call, counted bool) *apiError {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if counted && l.global.count > 0 {
		if left, after := l.take("global", l.global, now); left < 0 {
			dropBucket(w)
			w.Header().Set("X-RateLimit-Global", "true")
			w.Header().Set("X-RateLimit-Scope", "global")
			return tooMany(w, after, true)
		}
	}
	r, limited := l.rules[c.Method+" "+c.route]
	if !limited {
		r, limited = l.rules[" "]
	}
	if !limited {
		return nil
	}
	left, after := l.take(c.bucket(), r, now)
	setBucket(w, c, r.count, max(left, 0), now, after)
	if left < 0 {
		w.Header().Set("X-RateLimit-Scope", "user")
		return tooMany(w, after, false)
	}
	return nil
}

// editOld counts an edit of a message older than an hour.
func (l *limiter) editOld(channelID string) *apiError {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.oldEdit.count <= 0 {
		return nil
	}
	left, after := l.take("old "+channelID, l.oldEdit, l.now())
	if left >= 0 {
		return nil
	}
	return &apiError{
		status: http.StatusTooManyRequests, Code: codeOldEdits, limited: true, retryAfter: after.Seconds(),
		Message: "Maximum number of edits to messages older than 1 hour reached. Try again later.",
	}
}

// note counts an answer that was a refusal against the address that asked.
func (l *limiter) note(address string, status int, scope string) {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
	case http.StatusTooManyRequests:
		if scope == "shared" {
			return
		}
	default:
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.invalid.count > 0 {
		l.take("invalid "+address, l.invalid, l.now())
	}
}

// banned tells how long an address that was refused too often has to stay away; 0 for not at all.
func (l *limiter) banned(address string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	win, now := l.used["invalid "+address], l.now()
	if win == nil || l.invalid.count <= 0 || win.used < l.invalid.count || !now.Before(win.ends) {
		return 0
	}
	return win.ends.Sub(now)
}

// take uses one request of a bucket; left is negative when there was none.
func (l *limiter) take(key string, r rule, now time.Time) (left int, after time.Duration) {
	win := l.used[key]
	if win == nil || !now.Before(win.ends) {
		l.forget(now)
		win = &window{ends: now.Add(r.per)}
		l.used[key] = win
	}
	after = win.ends.Sub(now)
	win.used++
	return r.count - win.used, after
}

// forget drops the windows that are over once there are many.
func (l *limiter) forget(now time.Time) {
	if len(l.used) < 1000 {
		return
	}
	for key, win := range l.used {
		if !now.Before(win.ends) {
			delete(l.used, key)
		}
	}
}

// headers are those of an answer to which no limit applied, or to a fault that used everything up.
func (l *limiter) headers(w http.ResponseWriter, c *call, left int) {
	setBucket(w, c, generous, left, l.now(), time.Second)
}

// bucket names the limit that a request counts against: route and top-level resource.
func (c *call) bucket() string {
	return c.Method + " " + c.route + " " + c.PathValue("channel_id") + c.PathValue("guild_id") + c.PathValue("interaction_token")
}

func dropBucket(w http.ResponseWriter) {
	for _, key := range []string{"Limit", "Remaining", "Reset", "Reset-After", "Bucket"} {
		w.Header().Del("X-RateLimit-" + key)
	}
}

func setBucket(w http.ResponseWriter, c *call, limit, left int, now time.Time, after time.Duration) {
	sum := sha256.Sum256([]byte(c.Method + " " + c.route))
	h := w.Header()
	h.Set("X-RateLimit-Limit", strconv.Itoa(limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(left))
	h.Set("X-RateLimit-Reset", strconv.FormatFloat(float64(now.Add(after).UnixMilli())/1000, 'f', 3, 64))
	h.Set("X-RateLimit-Reset-After", seconds(after))
	h.Set("X-RateLimit-Bucket", hex.EncodeToString(sum[:16]))
}

// tooMany is the 429 with its own fields in the body.
func tooMany(w http.ResponseWriter, after time.Duration, global bool) *apiError {
	w.Header().Set("Retry-After", seconds(after))
	return &apiError{
		status: http.StatusTooManyRequests, Message: "You are being rate limited.", limited: true, retryAfter: after.Seconds(), global: global,
	}
}
