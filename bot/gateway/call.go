package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

const (
	userAgent    = "DiscordBot (https://github.com/bwmarrin/discordgo, 0.29.1) Rowbot"
	maxAnswer    = 32 << 20 // a full set of commands with all languages stays far below
	callLimit    = 20 * time.Second
	blockDefault = time.Minute // for a 429 that does not say how long
)

// newHTTPClient makes the one HTTP client all calls go through.
//
// The calls use net/http and not discordgo's REST side, because that puts all
// edits of all interactions behind one lock, keeps a bucket for ever for each
// interaction, repeats POSTs on a 5xx without saying so, does not let a context
// end its waiting, and stumbles over answers that are not JSON. An interaction
// must be answered within three seconds: a call is one request, sent now, and
// whether to send another is for the caller to decide.
func newHTTPClient() *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
			ForceAttemptHTTP2:     true,
			MaxIdleConns:          200,
			MaxIdleConnsPerHost:   100, // with the default of 2 nearly every parallel call makes a connection of its own
			IdleConnTimeout:       90 * time.Second,
			TLSHandshakeTimeout:   10 * time.Second,
			ExpectContinueTimeout: time.Second,
		},
		Timeout: callLimit,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse // a token goes to no other address
		},
	}
}

// Call makes one request and gives the body of the answer, which is empty for
// 204. The path is relative to the versioned base and escaped by the caller,
// such as "channels/123/messages/456" or "interactions/1/TOKEN/callback". The
// body is encoded as JSON, a [Form] with files as multipart; nil sends none. A [Late]
// one is made when the waiting is over.
//
// Calls that belong to an interaction are sent at once and without the bot's
// token. All others pass a limit of 50 a second and wait while Discord has
// announced a global limit. ctx ends the waiting as well as the request.
//
// An answer other than 2xx is an *APIError. No error holds a token.
func (c *Client) Call(ctx context.Context, method, path string, body any) (json.RawMessage, error) {
	path = strings.TrimPrefix(path, "/")
	answer, err := c.send(ctx, method, path, body)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", method, c.secrets.cleanFor(path, path), err)
	}
	return answer, nil
}

func (c *Client) send(ctx context.Context, method, path string, body any) ([]byte, error) {
	if !isInteraction(path) {
		if err := c.limit.wait(ctx); err != nil {
			return nil, err
		}
	}
	if late, ok := body.(Late); ok {
		var err error
		if body, err = late(); err != nil {
			return nil, err
		}
	}
	req, err := c.request(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	began := c.opts.Now()
	resp, err := c.http.Do(req)
	c.observe(path, resp, began)
	if err != nil {
		return nil, withoutURL(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		problem := c.problem(path, resp, answer)
		if problem.Global {
			c.limit.block(problem.RetryAfter)
		}
		return nil, problem
	}
	return answer, nil
}

// Called is what there is to count of a request.
type Called struct {
	About  string        // the first word of its path, such as "interactions" or "channels"
	Status int           // of the answer; 0 where none came
	Took   time.Duration // until the answer began
}

func (c *Client) observe(path string, resp *http.Response, began time.Time) {
	if c.opts.Observe == nil {
		return
	}
	about, _, _ := strings.Cut(path, "/")
	called := Called{About: about, Took: c.opts.Now().Sub(began)}
	if resp != nil {
		called.Status = resp.StatusCode
	}
	c.opts.Observe(called)
}

func (c *Client) request(ctx context.Context, method, path string, body any) (*http.Request, error) {
	var reader io.Reader
	var contentType string
	if body != nil {
		data, kind, err := Encode(body)
		if err != nil {
			return nil, err
		}
		reader, contentType = bytes.NewReader(data), kind
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, reader)
	if err != nil {
		return nil, errors.New("the path is not valid") // the error would quote the whole address
	}
	if !isInteraction(path) {
		req.Header.Set("Authorization", "Bot "+c.opts.Token)
	}
	if body != nil {
		req.Header.Set("Content-Type", contentType)
	}
	req.Header.Set("User-Agent", userAgent)
	return req, nil
}

// withoutURL takes the address off an error of net/http: it holds the token
// of an interaction.
func withoutURL(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// problem reads an error answer. A body that is not Discord's JSON comes from
// a proxy in front of it; a 429 of that kind is about the whole address.
func (c *Client) problem(path string, resp *http.Response, body []byte) *APIError {
	var d struct {
		Message    string          `json:"message"`
		Code       int             `json:"code"`
		Errors     json.RawMessage `json:"errors"`
		RetryAfter float64         `json:"retry_after"`
		Global     bool            `json:"global"`
	}
	e := &APIError{Status: resp.StatusCode}
	readable := json.Unmarshal(body, &d) == nil
	if readable {
		e.Code, e.Message = d.Code, d.Message
		if len(d.Errors) > 0 && string(d.Errors) != "null" {
			e.Message += " " + shorten(string(d.Errors), 500)
		}
	} else {
		e.Message = http.StatusText(resp.StatusCode) + " (not from the API itself)"
	}
	e.Message = c.secrets.cleanFor(path, e.Message)
	if resp.StatusCode != http.StatusTooManyRequests {
		return e
	}
	e.Global = !readable || d.Global || resp.Header.Get("X-RateLimit-Global") == "true"
	seconds := d.RetryAfter
	if header, err := strconv.ParseFloat(resp.Header.Get("Retry-After"), 64); err == nil {
		seconds = max(seconds, header)
	}
	e.RetryAfter = time.Duration(min(seconds, 86400) * float64(time.Second))
	if e.RetryAfter <= 0 {
		e.RetryAfter = blockDefault
	}
	return e
}

// shorten cuts a text to at most n bytes of whole characters.
func shorten(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
