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

// limiter keeps the rate limits that a test or user switched on. Without any, nothing is counted.
type limiter struct {
	now    func() time.Time
	mu     sync.Mutex
	rules  map[string]rule
	global rule
	used   map[string]*window
}

// rule allows count requests within per.
type rule struct {
	count int
	per   time.Duration
}

// window is the present use of one bucket.
type window struct {
	ends time.Time
	used int
}

// SetLimit allows n requests within per to each bucket of a route (one bucket for each channel, guild or interaction
// token); n of 0 lifts the limit. Method and route are as in Fail, but neither may be empty.
func (s *Server) SetLimit(method, route string, n int, per time.Duration) {
	l := &s.limits
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.rules == nil {
		l.rules = map[string]rule{}
	}
	delete(l.rules, method+" "+route)
	if n > 0 {
		l.rules[method+" "+route] = rule{n, per}
	}
}

// SetGlobalLimit allows n requests a second over all routes that need the bot token; 0 lifts the limit. Discord has 50.
func (s *Server) SetGlobalLimit(n int) {
	s.limits.mu.Lock()
	defer s.limits.mu.Unlock()
	s.limits.global = rule{n, time.Second}
}

// allow counts a request, writes the headers and refuses what is too much.
func (l *limiter) allow(w http.ResponseWriter, c *call, counted bool) *apiError {
	now := l.now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if counted && l.global.count > 0 {
		if left, after := l.take("global", l.global, now); left < 0 {
			w.Header().Set("X-RateLimit-Global", "true")
			w.Header().Set("X-RateLimit-Scope", "global")
			return tooMany(w, after, true)
		}
	}
	r, limited := l.rules[c.Method+" "+c.route]
	if !limited {
		setBucket(w, c, generous, generous-1, now, time.Second)
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
	if l.used == nil {
		l.used = map[string]*window{}
	}
	if len(l.used) < 1000 {
		return
	}
	for key, win := range l.used {
		if !now.Before(win.ends) {
			delete(l.used, key)
		}
	}
}

// headers are those of an answer that used nothing up.
func (l *limiter) headers(w http.ResponseWriter, c *call, now time.Time) {
	setBucket(w, c, generous, 0, now, time.Second)
}

// bucket names the limit that a request counts against: route and top-level resource.
func (c *call) bucket() string {
	return c.Method + " " + c.route + " " + c.PathValue("channel_id") + c.PathValue("guild_id") + c.PathValue("interaction_token")
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
