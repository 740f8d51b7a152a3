package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"rowbot/bot"
	"rowbot/bot/gateway"
	"rowbot/match"
)

// scrape is what /metrics says, without the lines about the process.
func scrape(t *testing.T, f *figures) string {
	t.Helper()
	w := httptest.NewRecorder()
	f.handler(newLog(io.Discard, defaults())).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w.Body.String()
}

func lacks(t *testing.T, text string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(text, "\n"+line+"\n") {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
}

type openCount struct {
	n   int
	err error
}

func (c *openCount) CountOpen(context.Context) (int, error) { return c.n, c.err }

// halfStore fails to update.
type halfStore struct{ match.Store }

func (halfStore) View(context.Context, func(match.Tx) error) error   { return nil }
func (halfStore) Update(context.Context, func(match.Tx) error) error { return match.ErrConflict }

func TestFigures(t *testing.T) {
	f := newFigures()
	f.answered(bot.Answered{Asked: "ttt move", Outcome: "said", Took: 20 * time.Millisecond, Delivered: true})
	f.answered(bot.Answered{Asked: "ttt move", Outcome: "said", Took: 40 * time.Millisecond, Delivered: true})
	f.answered(bot.Answered{Asked: "cell", Outcome: "updated", Took: 2100 * time.Millisecond, Deferred: true})
	f.called(gateway.Called{About: "channels", Status: 429, Took: time.Millisecond})
	f.called(gateway.Called{About: "interactions", Status: 200, Took: time.Millisecond})
	f.called(gateway.Called{About: "interactions"})
	f.refused(401)
	open := &openCount{n: 7}
	at := time.Unix(1_800_000_000, 0)
	f.watchStore(t.Context(), open, func() time.Time { return at })
	if _, plain := f.timed(halfStore{}, false).(halfStore); !plain {
		t.Error("transactions are timed where nobody looks")
	}
	timed := f.timed(halfStore{}, true)
	if timed.View(t.Context(), nil) != nil || !errors.Is(timed.Update(t.Context(), nil), match.ErrConflict) {
		t.Error("the timed store is another")
	}
	text := scrape(t, f)
	lacks(t, text,
		`rowbot_interactions_total{asked="ttt move",outcome="said"} 2`,
		`rowbot_interactions_total{asked="cell",outcome="updated"} 1`,
		`rowbot_answers_undelivered_total 1`,
		`rowbot_answer_seconds_bucket{deferred="false",le="0.025"} 1`,
		`rowbot_answer_seconds_bucket{deferred="false",le="0.05"} 2`,
		`rowbot_answer_seconds_bucket{deferred="true",le="2"} 0`,
		`rowbot_answer_seconds_bucket{deferred="true",le="2.5"} 1`,
		`rowbot_discord_requests_total{about="channels",status="429"} 1`,
		`rowbot_discord_requests_total{about="interactions",status="0"} 1`,
		`rowbot_discord_request_seconds_count{about="interactions"} 2`,
		`rowbot_webhook_refused_total{status="401"} 1`,
		`rowbot_store_seconds_count{kind="view",result="done"} 1`,
		`rowbot_store_seconds_count{kind="update",result="undone"} 1`,
		`rowbot_matches_open 7`,
		`rowbot_backup_last_success_timestamp_seconds 0`,
	)
	if !strings.Contains(text, "\ngo_goroutines ") || !strings.Contains(text, "\nprocess_resident_memory_bytes ") {
		t.Error("nothing about the process")
	}
	open.n, at = 8, at.Add(59*time.Second)
	lacks(t, scrape(t, f), "rowbot_matches_open 7")
	at = at.Add(time.Second)
	lacks(t, scrape(t, f), "rowbot_matches_open 8")
	open.err, at = errors.New("away"), at.Add(time.Minute)
	lacks(t, scrape(t, f), "rowbot_matches_open NaN")
}

// await waits for a value for as long as a test may be stuck.
func await[T any](t *testing.T, from <-chan T, what string) (v T) {
	t.Helper()
	select {
	case v = <-from:
	case <-time.After(30 * time.Second):
		t.Fatalf("waited in vain for %s", what)
	}
	return v
}

// slowCount says when it is asked, and answers when it is told to.
type slowCount struct{ asked, answer chan struct{} }

func (c slowCount) CountOpen(context.Context) (int, error) {
	c.asked <- struct{}{}
	<-c.answer
	return 7, nil
}

// TestScrapesDoNotWait: while the matches are being counted for one scrape, another one
// gets the last count, and nobody counts a second time.
func TestScrapesDoNotWait(t *testing.T) {
	f, slow := newFigures(), slowCount{make(chan struct{}, 10), make(chan struct{})}
	at := time.Unix(1_800_000_000, 0)
	f.watchStore(t.Context(), slow, func() time.Time { return at })
	first, second := make(chan string, 1), make(chan string, 1)
	go func() { first <- scrape(t, f) }()
	await(t, slow.asked, "the count to begin")
	go func() { second <- scrape(t, f) }()
	lacks(t, await(t, second, "a scrape beside the count"), "rowbot_matches_open NaN")
	close(slow.answer)
	lacks(t, await(t, first, "the scrape that counts"), "rowbot_matches_open 7")
	lacks(t, scrape(t, f), "rowbot_matches_open 7")
	if n := len(slow.asked); n != 0 {
		t.Errorf("counted %d times more", n)
	}
}

func TestShardFigures(t *testing.T) {
	client, err := newClient(Settings{Discord: DiscordSettings{Token: "x", APIURL: "http://127.0.0.1:1"}}, newLog(io.Discard, defaults()), nil)
	if err != nil {
		t.Fatal(err)
	}
	f := newFigures()
	f.registry.MustRegister(shards{client})
	if text := scrape(t, f); strings.Contains(text, "rowbot_gateway_connected") {
		t.Errorf("shards that do not run are shown:\n%s", text)
	} else {
		lacks(t, text, `rowbot_gateway_identifies_total 0`, `rowbot_gateway_resumes_total{result="resumed"} 0`, `rowbot_gateway_resumes_total{result="lost"} 0`)
	}
}

// What comes of folding is counted, and said only where it failed.
func TestFoldings(t *testing.T) {
	f := newFigures()
	lacks(t, scrape(t, f), `rowbot_store_foldings_total{result="failed"} 0`)
	var said bytes.Buffer
	told := f.folded(t.Context(), newLog(&said, defaults()))
	told(nil)
	told(nil)
	if said.Len() > 0 {
		t.Errorf("said %s", &said)
	}
	told(errors.New("no room"))
	lacks(t, scrape(t, f), `rowbot_store_foldings_total{result="failed"} 1`, `rowbot_store_foldings_total{result="done"} 2`)
	if !strings.Contains(said.String(), "level=WARN") || !strings.Contains(said.String(), "no room") {
		t.Errorf("said %s", &said)
	}
}
