package gateway

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/bwmarrin/discordgo"
)

// gatewayAnswer stands in for the REST API inside a session. discordgo asks
// GET /gateway where to connect, which may not be served and need not be
// asked: the answer is known. Everything else it might want is refused.
type gatewayAnswer string

// RoundTrip answers the one question.
func (a gatewayAnswer) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		r.Body.Close()
	}
	if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, "/gateway") {
		return nil, errNotGateway
	}
	body, err := json.Marshal(map[string]string{"url": string(a)})
	if err != nil {
		return nil, fmt.Errorf("encode the gateway address: %w", err)
	}
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(body)),
		ContentLength: int64(len(body)), Request: r,
	}, nil
}

// librarySetup guards what discordgo keeps in package variables.
var (
	librarySetup sync.Once
	libraryUser  atomic.Pointer[Client] // whose log the library's messages go to
)

// setUpLibrary sets discordgo's package variables. They are read without a
// lock, so they are written once. The endpoints stay as they are: no session
// makes a REST call, so several clients with different APIs can live in one
// process. The messages of discordgo do not say which session they are about:
// they go to the log of the newest client.
func setUpLibrary(c *Client) {
	libraryUser.Store(c)
	librarySetup.Do(func() {
		discordgo.APIVersion = apiVersion
		discordgo.Logger = func(level, _ int, format string, args ...any) {
			if user := libraryUser.Load(); user != nil {
				user.libraryLog(level, format, args...)
			}
		}
	})
}

// libraryLog passes a message of discordgo on, without tokens and not longer
// than a line. What it says of its connection is about the pipe to the link,
// and only an echo of what the shard logs with its number; what it cannot
// decode nobody else tells.
func (c *Client) libraryLog(level int, format string, args ...any) {
	to := slog.LevelDebug
	if level <= discordgo.LogWarning && strings.HasPrefix(format, "error unmarshalling") {
		to = slog.LevelInfo
	}
	if strings.Contains(format, "%#v") { // a whole packet, its bytes as numbers
		args = nil
		format, _, _ = strings.Cut(format, "%")
	}
	c.log.Log(context.Background(), to, "library message", "text", shorten(c.secrets.clean(fmt.Sprintf(format, args...)), 300))
}
