package gateway

import (
	"errors"
	"fmt"
	"net/http"
	"time"
)

// ErrUnauthorized is matched, by errors.Is, by every error that means Discord
// does not accept the bot's token: HTTP 401 and close code 4004. Trying again
// is of no use.
var ErrUnauthorized = errors.New("the bot's token was refused")

// codeInvalidWebhookToken is what Discord answers, with status 401, when an
// interaction's own token is over. It says nothing about the bot's token.
const codeInvalidWebhookToken = 50027

// APIError is an answer of Discord's REST API other than 2xx.
type APIError struct {
	// Status is the HTTP status, Code Discord's own code (0 where it gave none).
	Status, Code int
	// Message is Discord's short text. Form errors are appended to it.
	Message string
	// RetryAfter is how long to wait before trying again; only with status 429.
	RetryAfter time.Duration
	// Global means that the 429 is about every request, not only this route.
	Global bool
}

// Error tells status, code and text, and never a token.
func (e *APIError) Error() string {
	s := fmt.Sprintf("discord answered %d", e.Status)
	if e.Message != "" {
		s += " " + e.Message
	}
	if e.Code != 0 {
		s += fmt.Sprintf(" (code %d)", e.Code)
	}
	if e.RetryAfter > 0 {
		s += fmt.Sprintf(", retry after %v", e.RetryAfter)
	}
	return s
}

// Is makes a refused bot token match ErrUnauthorized.
func (e *APIError) Is(target error) bool {
	return target == ErrUnauthorized && e.Status == http.StatusUnauthorized && e.Code != codeInvalidWebhookToken
}

// CloseError is a close code of the gateway after which connecting again is of
// no use: 4004 and 4010 to 4014.
type CloseError struct {
	Code int
	Text string // the reason Discord gave, may be empty
}

// closeMeanings are the codes that end the bot, with what to do about them.
var closeMeanings = map[int]string{
	4004: "the bot's token was refused",
	4010: "the shard number is not one of the shard count",
	4011: "the bot is in too many servers for this many shards: raise the shard count",
	4012: "this version of the gateway is no longer served",
	4013: "the intents are not valid",
	4014: "the bot asks for intents that are not switched on in the developer portal",
}

// Error says what the code means.
func (e *CloseError) Error() string {
	s := fmt.Sprintf("discord closed the connection with %d: %s", e.Code, closeMeanings[e.Code])
	if e.Text != "" {
		s += " (" + e.Text + ")"
	}
	return s
}

// Is makes close code 4004 match ErrUnauthorized.
func (e *CloseError) Is(target error) bool {
	return target == ErrUnauthorized && e.Code == 4004
}

// hopeless reports whether an answer will not get better by asking again: the
// token or the request is wrong, or there is no such API at the address.
func hopeless(err error) bool {
	api, ok := errors.AsType[*APIError](err)
	if !ok {
		return false
	}
	switch api.Status {
	case http.StatusUnauthorized, http.StatusBadRequest, http.StatusNotFound, http.StatusMethodNotAllowed:
		return true
	}
	return false
}
