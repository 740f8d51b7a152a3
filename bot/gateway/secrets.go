package gateway

import (
	"regexp"
	"strings"
)

const redacted = "[redacted]"

var (
	tokenField = regexp.MustCompile(`("token"\s*:\s*)"[^"]*"`)
	tokenPath  = regexp.MustCompile(`((?:interactions|webhooks)/[^/\s"]+/)[^/?\s"]+`)
)

// secrets takes tokens out of texts that go to a log or into an error.
type secrets struct{ token string }

func newSecrets(token string) *secrets { return &secrets{token: token} }

// clean removes the bot's token, and interaction tokens where they stand in an
// address or in a JSON field.
func (s *secrets) clean(text string) string {
	text = strings.ReplaceAll(text, s.token, redacted)
	text = tokenField.ReplaceAllString(text, `$1"`+redacted+`"`)
	return tokenPath.ReplaceAllString(text, "${1}"+redacted)
}

// cleanFor is clean for what came back from the request to path: an
// interaction token in that path is removed wherever it stands.
func (s *secrets) cleanFor(path, text string) string {
	if token := interactionToken(path); token != "" {
		text = strings.ReplaceAll(text, token, redacted)
	}
	return s.clean(text)
}

// interactionToken is the token inside a path such as
// "interactions/ID/TOKEN/callback?wait=true", or "".
func interactionToken(path string) string {
	if !isInteraction(path) {
		return ""
	}
	path, _, _ = strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	if len(parts) < 3 {
		return ""
	}
	return parts[2]
}

// isInteraction reports whether a path belongs to one interaction: such calls
// carry their own token and are outside the bot's global limit.
func isInteraction(path string) bool {
	return strings.HasPrefix(path, "interactions/") || strings.HasPrefix(path, "webhooks/")
}
