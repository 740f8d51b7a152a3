package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"

	"rowbot/persistence/pgtest"
)

const (
	secret   = "MTIz.secret-bot-token.abcdef"
	runsMain = "TEST_PROCESS_RUNS_MAIN"
)

// TestMain lets the test's own binary be the program, for what only a process
// can show.
func TestMain(m *testing.M) {
	if os.Getenv(runsMain) != "" {
		os.Setenv("LISTEN_PID", strconv.Itoa(os.Getpid())) // as a service manager, which knows it, does
		main()
		return
	}
	pgtest.Main(m)
}

func do(t *testing.T, environ []string, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = execute(t.Context(), args, environ, &out, &errs)
	if strings.Contains(out.String()+errs.String(), "secret-bot-token") {
		t.Error("the token is shown")
	}
	return status, out.String(), errs.String()
}

func TestCommandLine(t *testing.T) {
	t.Chdir(t.TempDir())
	tests := []struct {
		name           string
		args           []string
		environ        []string
		status         int
		stdout, stderr string // what must be in them
	}{
		{"help", []string{"--help"}, nil, 0, "sandbox", ""},
		{"help of run", []string{"run", "--help"}, nil, 0, "Run the bot", ""},
		{"help of sandbox", []string{"sandbox", "--help"}, nil, 0, "127.0.0.1:8080", ""},
		{"help of register", []string{"register", "--help"}, nil, 0, "Register", ""},
		{"help of migrate", []string{"migrate", "--help"}, nil, 0, "store", ""},
		{"help of backup", []string{"backup", "--help"}, nil, 0, "store.backup_dir", ""},
		{"backup of nothing", []string{"backup", "copy.db"}, nil, 1, "", "rowbot.db: no such file or directory"},
		{"help of health", []string{"health", "--help"}, nil, 0, "--alive", ""},
		{"health of nothing", []string{"health"}, nil, 1, "", "http.listen is not set"},
		{"help of engine", []string{"engine", "--help"}, nil, 0, "--level", ""},
		{"unknown level", []string{"engine", "--level", "perfect"}, nil, 2, "", "--level"},
		{"help of version", []string{"version", "--help"}, nil, 0, "version", ""},
		{"version", []string{"version"}, []string{"ROWBOT_NONSENSE=1"}, 0, "rowbot ", ""},
		{"version by a flag", []string{"--version"}, []string{"ROWBOT_NONSENSE=1"}, 0, "rowbot ", ""},
		{"unknown command", []string{"dance"}, nil, 2, "", "dance"},
		{"unknown flag", []string{"run", "--fast"}, nil, 2, "", "--fast"},
		{"wrong flag value", []string{"sandbox", "--listen", "8080"}, nil, 2, "", "--listen wants host:port"},
		{"wrong store", []string{"sandbox", "--store", "x.db"}, nil, 2, "", "--store wants sqlite:PATH"},
		{"copy from nothing", []string{"migrate", "--to", "sqlite:x.db"}, nil, 2, "", "--to wants --from"},
		{"copy from a wrong store", []string{"migrate", "--from", "x.db"}, nil, 2, "", "--from wants sqlite:PATH"},
		{"copy to itself", []string{"migrate", "--from", "sqlite:rowbot.db"}, nil, 1, "", "are the same"},
		{"copy from no file", []string{"migrate", "--from", "sqlite:no.db", "--to", "sqlite:x.db"}, nil, 1, "", "there is no file no.db"},
		{"no token", nil, nil, 1, "", "ROWBOT_DISCORD_TOKEN"},
		{"no token for run", []string{"run"}, nil, 1, "", "developer portal"},
		{"no token for register", []string{"register"}, nil, 1, "", "Reset Token"},
		{"settings for load", []string{"load", "--config", "no.toml"}, nil, 2, "", "rowbot: load takes no --config"},
		{"settings for the engine", []string{"--config", "no.toml", "engine"}, nil, 2, "", "rowbot: engine takes no --config"},
		{"missing file", []string{"--config", "no.toml"}, nil, 1, "", "no.toml: cannot be read"},
		{"missing file after the command", []string{"run", "--config", "no.toml"}, nil, 1, "", "no.toml: cannot be read"},
		{"wrong variable", []string{"sandbox"}, []string{"ROWBOT_LOG_LEVEL=loud"}, 1, "", "ROWBOT_LOG_LEVEL: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			status, stdout, stderr := do(t, tt.environ, tt.args...)
			if status != tt.status || !strings.Contains(stdout, tt.stdout) || !strings.Contains(stderr, tt.stderr) {
				t.Errorf("status %d, want %d\nstdout: %s\nstderr: %s", status, tt.status, stdout, stderr)
			}
			if tt.status != 0 && strings.Count(stderr, "\n") > 2 {
				t.Errorf("a long story instead of a sentence:\n%s", stderr)
			}
		})
	}
}

// discord is as much of Discord as the program needs to start. identified
// gets a value for each IDENTIFY.
func discord(t *testing.T, closeWith websocket.StatusCode) (environ []string, identified chan struct{}) {
	t.Helper()
	identified = make(chan struct{}, 10)
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	mux.HandleFunc("GET /api/v10/applications/@me", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"id":"1","verify_key":"00"}`) })
	mux.HandleFunc("/api/v10/applications/1/commands", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `[]`) })
	mux.HandleFunc("GET /api/v10/gateway/bot", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, `{"url":"ws%s/ws","shards":1,"session_start_limit":{"total":1000,"remaining":1000,"reset_after":0,"max_concurrency":1}}`, strings.TrimPrefix(server.URL, "http"))
	})
	mux.HandleFunc("/ws", func(w http.ResponseWriter, r *http.Request) {
		ws, err := websocket.Accept(w, r, nil)
		if err != nil {
			return
		}
		defer ws.CloseNow()
		say := func(ctx context.Context, s string) { ws.Write(ctx, websocket.MessageText, []byte(s)) }
		say(r.Context(), `{"op":10,"d":{"heartbeat_interval":1000}}`)
		if _, _, err := ws.Read(r.Context()); err != nil {
			return
		}
		identified <- struct{}{}
		if closeWith != 0 {
			ws.Close(closeWith, "Authentication failed.")
			return
		}
		say(r.Context(), `{"op":0,"s":1,"t":"READY","d":{"v":10,"user":{"id":"2"},"guilds":[],"session_id":"s","application":{"id":"1"}}}`)
		for {
			if _, _, err := ws.Read(r.Context()); err != nil {
				return
			}
			say(r.Context(), `{"op":11}`)
		}
	})
	return []string{"ROWBOT_DISCORD_API_URL=" + server.URL + "/api", "ROWBOT_DISCORD_TOKEN=" + secret, "ROWBOT_LOG_LEVEL=debug"}, identified
}

func TestRefusedToken(t *testing.T) {
	t.Chdir(t.TempDir())
	var requests int
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		requests++
		w.WriteHeader(http.StatusUnauthorized)
		io.WriteString(w, `{"message":"401: Unauthorized","code":0}`)
	}))
	defer server.Close()
	for _, command := range []string{"run", "register"} {
		requests = 0
		status, _, stderr := do(t, []string{"ROWBOT_DISCORD_API_URL=" + server.URL, "ROWBOT_DISCORD_TOKEN=" + secret}, command)
		if status != 1 || !strings.Contains(stderr, errTokenRefused.Error()) || requests != 1 {
			t.Errorf("%s: status %d after %d requests: %s", command, status, requests, stderr)
		}
	}

	environ, identified := discord(t, 4004)
	status, _, stderr := do(t, environ, "run")
	if status != 1 || !strings.Contains(stderr, errTokenRefused.Error()) || len(identified) != 1 {
		t.Errorf("close 4004: status %d after %d IDENTIFYs: %s", status, len(identified), stderr)
	}
}

// The first SIGTERM or SIGINT stops the program cleanly.
func TestSignal(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		environ, identified := discord(t, 0)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		program := exec.CommandContext(ctx, os.Args[0])
		program.Dir = t.TempDir()
		program.Env = slices.Concat(environ, []string{runsMain + "=1"})
		var output bytes.Buffer
		program.Stdout, program.Stderr = &output, &output
		if err := program.Start(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-identified:
		case <-ctx.Done():
		}
		if err := program.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		if err := program.Wait(); err != nil {
			t.Errorf("%v: %v\n%s", signal, err, output.String())
		}
		if strings.Contains(output.String(), "secret-bot-token") {
			t.Error("the token is shown")
		}
	}
}

// Told to stop while Discord is away, the program stops without an error.
func TestStopWhileWaiting(t *testing.T) {
	t.Chdir(t.TempDir())
	ctx, stop := context.WithCancel(t.Context())
	var once sync.Once
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
		once.Do(stop)
	}))
	defer server.Close()
	var stderr bytes.Buffer
	status := execute(ctx, nil, []string{"ROWBOT_DISCORD_API_URL=" + server.URL, "ROWBOT_DISCORD_TOKEN=" + secret}, io.Discard, &stderr)
	if status != 0 {
		t.Errorf("status %d: %s", status, stderr.String())
	}
}

// Told to stop while it asks Discord for anything at its start, the program stops
// without an error, and does not log one.
func TestStopWhileStarting(t *testing.T) {
	t.Chdir(t.TempDir())
	var paths []string
	for n := range 4 {
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			io.Copy(io.Discard, r.Body)
			if asked++; asked > n {
				paths = append(paths, r.Method+" "+r.URL.Path)
				stop()
				<-r.Context().Done() // it is not waited for
				return
			}
			if strings.HasSuffix(r.URL.Path, "/commands") {
				io.WriteString(w, `[]`)
				return
			}
			io.WriteString(w, `{"id":"1","verify_key":"00"}`)
		}))
		var stderr bytes.Buffer
		status := execute(ctx, nil, []string{"ROWBOT_DISCORD_API_URL=" + server.URL, "ROWBOT_DISCORD_TOKEN=" + secret}, io.Discard, &stderr)
		server.Close()
		if said := stderr.String(); status != 0 || strings.Contains(said, "level=ERROR") || strings.Contains(said, "level=WARN") || strings.Contains(said, "ready") {
			t.Errorf("status %d: %s", status, said)
		}
	}
	want := []string{"GET /v10/applications/@me", "GET /v10/users/@me", "GET /v10/applications/1/commands", "PUT /v10/applications/1/commands"}
	if diff := cmp.Diff(want, paths); diff != "" {
		t.Errorf("stopped at (-want +got):\n%s", diff)
	}
}

func TestHealth(t *testing.T) {
	var fault error
	mux := http.NewServeMux()
	health(mux, []check{
		func(context.Context) error { return nil },
		func(context.Context) error { return fault },
	})
	server := httptest.NewServer(mux)
	defer server.Close()
	ask := func(path string, want int, text string) {
		t.Helper()
		resp, err := http.Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		if resp.StatusCode != want || strings.TrimSpace(string(body)) != text {
			t.Errorf("%s: %d %q, want %d %q", path, resp.StatusCode, body, want, text)
		}
	}
	ask("/healthz", 200, "ok")
	ask("/readyz", 200, "ready")
	fault = errors.New("not connected to Discord")
	ask("/healthz", 200, "ok")
	ask("/readyz", 503, "not connected to Discord")
	ask("/metrics", 404, "404 page not found")
}

func TestServeSite(t *testing.T) {
	s := defaults()
	s.HTTP.Listen = "127.0.0.1:0"
	log := newLog(io.Discard, s)
	for _, tt := range []struct {
		mode   string
		status int // of /interactions, before interactions are taken
	}{{modeGateway, http.StatusNotFound}, {modeWebhook, http.StatusServiceUnavailable}} {
		s.Discord.Mode = tt.mode
		at, err := serveSite(t.Context(), s, log, supervisor{}, &door{}, http.NotFoundHandler())
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.Post("http://"+at.at+"/interactions", "application/json", strings.NewReader(`{"type":1}`))
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != tt.status {
			t.Errorf("%s: /interactions: %d, want %d", tt.mode, resp.StatusCode, tt.status)
		}
		at.close()
	}
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	s.HTTP.Listen = server.Listener.Addr().String()
	if _, err := serveSite(t.Context(), s, log, supervisor{}, &door{}, http.NotFoundHandler()); err == nil || !strings.Contains(err.Error(), "http.listen") {
		t.Errorf("an address in use: %v", err)
	}
}

func TestLogHidesToken(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		s := defaults()
		s.Discord.Token, s.Log.Format = secret, format
		var out bytes.Buffer
		newLog(&out, s).Error("oops", "error", fmt.Errorf("with %s", secret), "text", "Bot "+secret, "n", 5)
		if strings.Contains(out.String(), secret) || !strings.Contains(out.String(), "[token]") {
			t.Errorf("%s: %s", format, out.String())
		}
	}
}

func TestVersionOf(t *testing.T) {
	info := &debug.BuildInfo{GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"}}
	if got := versionOf(info); got != "rowbot v1.2.3 go1.26" {
		t.Errorf("version %q", got)
	}
	info.Main.Version = ""
	info.Settings = []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.modified", Value: "true"}}
	if got := versionOf(info); got != "rowbot (devel) go1.26 0123456789ab+changes" {
		t.Errorf("version %q", got)
	}
}
