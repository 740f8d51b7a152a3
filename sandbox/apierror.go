package sandbox

import (
	"encoding/json"
	"net/http"
)

// Codes of the JSON errors.
const (
	codeUnknownChannel     = 10003
	codeUnknownGuild       = 10004
	codeUnknownMember      = 10007
	codeUnknownMessage     = 10008
	codeUnknownUser        = 10013
	codeUnknownWebhook     = 10015
	codeUnknownInteraction = 10062
	codeUnknownCommand     = 10063
	codeUnknownApplication = 10002
	codeManyCommands       = 30032
	codeManyCreates        = 30034
	codeOldEdits           = 30046
	codeTooLarge           = 40005
	codeAcknowledged       = 40060
	codeManyFollowUps      = 40094
	codeUserAgent          = 40333
	codeNoAccess           = 50001
	codeNotYours           = 50005
	codeEmpty              = 50006
	codeNoDM               = 50007
	codeNoPermission       = 50013
	codeWrongChannel       = 50024
	codeDeadToken          = 50027
	codeForm               = 50035
	codeVersion            = 50041
	codeJSON               = 50109
	codeNoMutual           = 50278
	codeThreadExists       = 160004
)

// apiError is a refusal in the form in which the API writes it.
type apiError struct {
	status  int
	Message string         `json:"message"`
	Code    int            `json:"code"`
	Errors  map[string]any `json:"errors,omitempty"`

	limited    bool // a 429: RetryAfter and Global belong to the body
	retryAfter float64
	global     bool
}

// MarshalJSON adds the fields that only a 429 has.
func (e *apiError) MarshalJSON() ([]byte, error) {
	type plain apiError
	if !e.limited {
		return json.Marshal((*plain)(e))
	}
	return json.Marshal(map[string]any{
		"message": e.Message, "code": e.Code, "retry_after": e.retryAfter, "global": e.global,
	})
}

func unknown(code int, what string) *apiError {
	return &apiError{status: http.StatusNotFound, Code: code, Message: "Unknown " + what}
}

func forbidden(code int, message string) *apiError {
	return &apiError{status: http.StatusForbidden, Code: code, Message: message}
}

// formProblem is a form error about the body as a whole.
func formProblem(code, message string) *apiError {
	f := newForm()
	f.add(nil, code, message)
	return f.err()
}

func writeError(w http.ResponseWriter, e *apiError) { write(w, e.status, encode(e)) }
