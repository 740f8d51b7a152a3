package main

import (
	"io"
	"log/slog"
	"strings"
)

// newLog makes the program's log. Should a value ever hold the bot's token,
// it is taken out on the way.
func newLog(w io.Writer, s Settings) *slog.Logger {
	token := s.Discord.Token
	options := &slog.HandlerOptions{
		Level: s.Log.Level,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if token == "" {
				return a
			}
			kind := a.Value.Kind()
			if kind != slog.KindString && kind != slog.KindAny {
				return a
			}
			text := a.Value.String()
			if strings.Contains(text, token) {
				return slog.String(a.Key, withoutToken(text, token))
			}
			return a
		},
	}
	if s.Log.Format == "json" {
		return slog.New(slog.NewJSONHandler(w, options))
	}
	return slog.New(slog.NewTextHandler(w, options))
}
