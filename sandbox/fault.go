package sandbox

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// Fault is a prepared misfortune for matching REST requests. The zero value changes nothing.
type Fault struct {
	// Arrived, when not nil, is called as soon as a request that the fault is for is there.
	Arrived func()
	// Delay passes before the request is looked at.
	Delay time.Duration
	// Status, when not 0, is answered instead of doing the work (or after it: see After).
	Status int
	// Header is added to the answer; with NoBuckets the rate-limit headers are left out.
	Header    map[string]string
	NoBuckets bool
	// Body is the answer's body; empty means an error object made of Code and Message.
	Body        string
	ContentType string // of Body; empty means application/json
	Code        int
	Message     string
	// Cut closes the connection instead of answering.
	Cut bool
	// After lets the request do its work first: the answer is lost on the way, not the request.
	After bool
}

// RateLimited is a 429 of one bucket.
func RateLimited(after time.Duration) Fault {
	return Fault{Status: http.StatusTooManyRequests, Body: limitBody(after, false), Header: map[string]string{
		"Retry-After": seconds(after), "X-RateLimit-Scope": "user",
	}}
}

// SharedRateLimited is a 429 that others used up; it does not count among the invalid requests.
func SharedRateLimited(after time.Duration) Fault {
	f := RateLimited(after)
	f.Header["X-RateLimit-Scope"] = "shared"
	return f
}

// GlobalRateLimited is the 429 of the global limit, with only the headers that Discord sends there.
func GlobalRateLimited(after time.Duration) Fault {
	return Fault{Status: http.StatusTooManyRequests, Body: limitBody(after, true), NoBuckets: true, Header: map[string]string{
		"Retry-After": seconds(after), "X-RateLimit-Global": "true", "X-RateLimit-Scope": "global",
	}}
}

// HTMLRateLimited is the 429 of the proxy in front: HTML with Retry-After.
func HTMLRateLimited(after time.Duration) Fault {
	return Fault{
		Status: http.StatusTooManyRequests, NoBuckets: true, ContentType: "text/html; charset=UTF-8",
		Body: "<!DOCTYPE html><html><body>error code: 1015</body></html>", Header: map[string]string{"Retry-After": seconds(after)},
	}
}

// BadGateway is a 5xx of the proxy with a body that is not JSON; status 0 means 502.
func BadGateway(status int) Fault {
	return Fault{
		Status: cmp.Or(status, http.StatusBadGateway), NoBuckets: true, ContentType: "text/html",
		Body: "<html><body><h1>the server is not well</h1></body></html>",
	}
}

// Refusal is an error of the API itself, for example Refusal(404, 10008, "Unknown Message").
func Refusal(status, code int, message string) Fault {
	return Fault{Status: status, Code: code, Message: message}
}

// LostAnswer does what the request asks and then cuts the connection.
func LostAnswer() Fault { return Fault{Cut: true, After: true} }

// Slow delays a request that is then served, unless the client has given up by then.
func Slow(by time.Duration) Fault { return Fault{Delay: by} }

// Fail lets the next n requests that match meet the fault. An empty method or route matches all; a route is written
// as in the API reference, for example "/channels/{channel_id}/messages/{message_id}" (see the Route constants). A
// negative n means until ClearFaults.
func (s *Server) Fail(n int, method, route string, f Fault) { s.faults.add(n, method, route, f) }

// ClearFaults forgets all prepared faults.
func (s *Server) ClearFaults() { s.faults.clear() }

type prepared struct {
	left          int
	method, route string
	fault         Fault
}

type faults struct {
	mu   sync.Mutex
	list []*prepared
}

func (f *faults) add(n int, method, route string, fault Fault) {
	if n == 0 {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = append(f.list, &prepared{n, method, route, fault})
}

func (f *faults) clear() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.list = nil
}

// take uses up the first fault that fits the request.
func (f *faults) take(method, route string) (Fault, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i, p := range f.list {
		if p.method != "" && p.method != method || p.route != "" && p.route != route {
			continue
		}
		if p.left > 0 {
			p.left--
		}
		if p.left == 0 {
			f.list = append(f.list[:i:i], f.list[i+1:]...)
		}
		return p.fault, true
	}
	return Fault{}, false
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', 3, 64) }

func limitBody(after time.Duration, global bool) string {
	body, err := json.Marshal(map[string]any{
		"message": "You are being rate limited.", "retry_after": after.Seconds(), "global": global, "code": 0,
	})
	if err != nil {
		return fmt.Sprintf(`{"message":%q}`, err.Error())
	}
	return string(body)
}
