package e2e_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"rowbot/bot"
	"rowbot/bot/webhook"
	"rowbot/match"
	"rowbot/sandbox"
)

// receive has Rowbot take the interactions that Discord posts, as the program does
// in webhook mode, until shut.
func (w *world) receive(b *bot.Bot, log *slog.Logger) (shut func() error) {
	w.t.Helper()
	key, err := hex.DecodeString(sandbox.VerifyKey)
	if err != nil {
		w.t.Fatal(err)
	}
	h, err := webhook.New(webhook.Options{Key: key, Handle: b.Respond, Now: time.Now, Log: log})
	if err != nil {
		w.t.Fatal(err)
	}
	server := httptest.NewServer(h)
	if err := w.SetEndpoint(context.Background(), server.URL); err != nil {
		w.t.Fatal(err)
	}
	return func() error {
		ending, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		return errors.Join(server.Config.Shutdown(ending), h.Drain(ending))
	}
}

// newWebParty is a party whose interactions are posted to Rowbot, each after one
// with a wrong signature.
func newWebParty(t testing.TB, change ...func(*sandbox.Options)) *party {
	t.Helper()
	w := standIn(t, change...)
	w.webhook = true
	w.SetBadSignatures(1)
	w.connect()
	w.t.Cleanup(func() {
		if w.Endpoint() == "" {
			w.t.Error("Discord has taken the endpoint away")
		}
		if got := w.Stats(); got.Identifies > 0 {
			w.t.Errorf("%d connections to the gateway", got.Identifies)
		}
	})
	return w.party()
}

// A match of each kind from the challenge to the rematch, with all that is
// answered in ways of its own: commands, clicks, forms, suggestions and files.
func TestWebhookMatches(t *testing.T) {
	t.Parallel()
	p := newWebParty(t)
	board := p.play(p.duel("ttt"), "b2", "a1", "b3", "c1", "b1")
	p.says(board, p.Alice.Mention()+" **won** · three in a row, b1–b3 · 5 moves")
	again := p.click(p.alice, board, "Rematch").Message
	p.says(again, p.Bob.Mention()+" to move", "move 1")
	p.stones(p.update(p.bob, again, "a1"), 1, map[string]byte{"a1": 'X'})

	large := p.play(p.duel("gomoku"), "h8", "h9", "i8", "i9", "j8")
	r, err := p.bob.SubmitModal(t.Context(), p.click(p.bob, large, "Type a move").Modal, map[string]string{"cell": "J 9"})
	if err != nil {
		t.Fatal(err)
	}
	large = p.resolve(r).Updated
	p.stones(large, 6, map[string]byte{"h8": 'X', "j8": 'X', "j9": 'O'})
	p.shownBy(large)
	suggested, err := p.alice.Autocomplete(t.Context(), "gomoku move", "cell", "k")
	if err != nil || len(suggested) == 0 {
		t.Errorf("suggestions %v, %v", suggested, err)
	}
	p.told(p.slash(p.alice, "gomoku move", sandbox.String("cell", "k8")), "You played k8.")
	p.stones(p.now(large), 7, map[string]byte{"k8": 'X'})
	p.told(p.slash(p.alice, "gomoku move", sandbox.String("cell", "l8")), "It's "+p.Bob.Mention()+"'s turn")
	p.told(p.click(p.chen, p.now(large), "l8"), "This match is between")
	large = p.update(p.bob, p.now(large), "k9")
	large = p.update(p.alice, large, "l8")
	p.says(large, p.Alice.Mention()+" **won** · five in a row, h8–l8 · 9 moves")
	replay := p.slash(p.bob, "replay").Message
	p.stones(p.update(p.bob, replay, "Next"), 1, map[string]byte{"h8": 'X'})
	p.says(p.slash(p.alice, "stats").Message, "**Gomoku** · 1 win, 0 draws", "**Tic-tac-toe** · 1 win, 0 draws")
}

// An answer with a file is a multipart response.
func TestWebhookPictures(t *testing.T) {
	t.Parallel()
	p := newWebParty(t)
	p.told(p.slash(p.alice, "settings style", sandbox.String("style", "picture")), "")
	board := p.slash(p.bob, "gomoku bot", sandbox.String("level", "easy")).Message
	if len(board.Attachments) != 1 {
		t.Fatalf("%d pictures on the board:\n%s", len(board.Attachments), board.Text())
	}
	first := board.Attachments[0].ID
	board = p.update(p.bob, board, "h8")
	if len(board.Attachments) != 1 || board.Attachments[0].ID == first {
		t.Errorf("the picture did not change: %v", board.Attachments)
	}
}

// Rowbot thinks, and its reply comes by an edit.
func TestWebhookThinking(t *testing.T) {
	t.Parallel()
	p := newWebParty(t)
	master := sandbox.String("level", "master")
	board := p.slash(p.alice, "gomoku bot", master).Message
	seen := p.update(p.alice, board, "h8")
	p.says(seen, "Rowbot (master) to move, thinking… · move 2 · last ⚫ h8")
	p.told(p.click(p.alice, seen, "h9"), "It's Rowbot (master)'s turn.")
	p.stones(p.await(seen, p.Alice.Mention()+" to move"), 2, map[string]byte{"h8": 'X'})
	second := p.slash(p.chen, "gomoku bot", master, sandbox.String("side", "second")).Message
	p.says(second, "⚫ Rowbot (master) to move, thinking… · move 1")
	p.stones(p.await(second, p.Chen.Mention()+" to move"), 1, nil)
}

// While the store makes Rowbot wait, the responses say that the answers will come.
func TestWebhookDefers(t *testing.T) {
	t.Parallel()
	p := newWebParty(t)
	small, large := p.duel("ttt"), p.play(p.duel("gomoku"), "h8")
	p.shownBy(small)
	release := p.hold()
	var all sync.WaitGroup
	late := func(r *sandbox.Reply, err error) *sandbox.Reply {
		if err != nil || !r.Deferred {
			t.Errorf("not put off: %v, %v", r, err)
		}
		return p.resolve(r)
	}
	all.Go(func() {
		p.stones(late(p.alice.Click(t.Context(), small, "b2")).Updated, 1, map[string]byte{"b2": 'X'})
	})
	all.Go(func() {
		p.told(late(p.bob.Slash(t.Context(), "gomoku move", sandbox.String("cell", "a1"))), "You played a1.")
	})
	all.Go(func() {
		offer := late(p.alice.Slash(t.Context(), "gomoku challenge", sandbox.UserOption("opponent", p.Chen))).Message
		p.says(offer, p.Alice.Mention()+" challenges "+p.Chen.Mention())
	})
	all.Go(func() {
		p.told(p.slash(p.chen, "help"), "**How to play**") // which needs no store
		for range 26 {
			<-time.After(100 * time.Millisecond)
		}
		release()
	})
	all.Wait()
	p.stones(p.until(large, func(m *sandbox.Message) bool { return len(stonesIn(m)) == 2 }), 2, map[string]byte{"a1": 'O'})
}

// What is in flight when Rowbot is told to stop is still answered.
func TestWebhookStopAnswersWhatIsInFlight(t *testing.T) {
	t.Parallel()
	p := newWebParty(t)
	p.SetBadSignatures(0)
	board := p.duel("ttt")
	release := p.hold()
	before := p.Stats().Interactions
	var all sync.WaitGroup
	all.Go(func() { p.stones(p.update(p.alice, board, "b2"), 1, map[string]byte{"b2": 'X'}) })
	p.poll("the click to be on its way", func() bool { return p.Stats().Interactions > before })
	time.Sleep(200 * time.Millisecond) // to Rowbot, where it waits for the store
	all.Go(p.stop)
	time.Sleep(200 * time.Millisecond)
	release()
	all.Wait()
	p.connect()
	p.stones(p.update(p.bob, p.now(board), "a1"), 2, map[string]byte{"b2": 'X', "a1": 'O'})
}

// Two processes stand behind one address: each click goes to the one or the
// other, and each is delivered to both. Every move counts once. (They share a file,
// which is enough for that; in operation several copies need PostgreSQL.)
func TestWebhookTwoCopies(t *testing.T) {
	t.Parallel()
	p := newWebParty(t)
	p.SetBadSignatures(0)
	p.lossy = true // of two answers to one interaction Discord takes the first
	one, stop := p.Endpoint(), p.stop
	p.connect()
	two := p.Endpoint()
	defer func() {
		p.stop()
		p.stop = func() {}
		stop()
	}()
	turn := 0
	to := func() (other string) {
		addresses := []string{one, two}
		if err := p.SetEndpoint(t.Context(), addresses[turn%2]); err != nil {
			t.Fatal(err)
		}
		turn++
		return addresses[turn%2]
	}
	doubled := func(r *sandbox.Reply, other string) *sandbox.Message {
		before := p.Stats().Doubled
		if err := p.SetEndpoint(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		r.Redeliver()
		p.poll("the second answer", func() bool { return p.Stats().Doubled > before })
		if r.Updated != nil {
			return p.now(r.Updated)
		}
		return r.Message
	}
	other := to()
	r := p.slash(p.alice, "gomoku challenge", sandbox.UserOption("opponent", p.Bob), sandbox.String("side", "first"))
	board := doubled(r, other)
	other = to()
	board = doubled(p.click(p.bob, board, "Accept"), other)
	cells := []string{"h8", "h9", "i8", "i9", "j8", "j9", "k8", "k9", "l8"}
	for n, cell := range cells {
		by := p.alice
		if n%2 == 1 {
			by = p.bob
		}
		other = to()
		board = doubled(p.click(by, board, cell), other)
		p.stones(board, n+1, map[string]byte{cell: "XO"[n%2]})
	}
	p.says(board, p.Alice.Mention()+" **won** · five in a row, h8–l8 · 9 moves")
	p.says(p.slash(p.bob, "stats").Message, "0 wins, 0 draws, 1 loss")
	p.says(p.slash(p.alice, "stats").Message, "1 win, 0 draws, 0 losses")

	// At the same moment: a click goes to both, and the other player's too.
	board = p.duel("ttt")
	id := matchOf(board)
	for n, cell := range []string{"a1", "b2", "c3", "a2"} {
		by := p.alice
		if n%2 == 1 {
			by = p.bob
		}
		other = to()
		r := p.click(by.Twice(), board, cell)
		if err := p.SetEndpoint(t.Context(), other); err != nil {
			t.Fatal(err)
		}
		r.Redeliver()
		board = p.now(board)
	}
	p.poll("all deliveries to be over", func() bool {
		var moves int
		err := p.db.View(t.Context(), func(tx match.Tx) error {
			m, err := tx.Match(t.Context(), id)
			moves = len(m.Moves)
			return err
		})
		return err == nil && moves == 4
	})
}

// freeAddress is an address that nobody listens at.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// The program in webhook mode is killed at random moments of play; nothing that
// was answered is lost.
func TestWebhookKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	killed(t, newProgramAt(t, freeAddress(t), ""), 8)
}

// The program refuses what is not Discord's, says so in time, and plays on.
func TestWebhookProgram(t *testing.T) {
	t.Parallel()
	k := newProgramAt(t, freeAddress(t), "")
	k.run()
	k.SetBadSignatures(1)
	board := k.play(k.duel("ttt"), "b2")
	at := "http://" + k.listen
	body := []byte(`{"id":"1390000000000000009","application_id":"` + sandbox.ApplicationID + `","type":1,"token":"t","version":1}`)
	for _, tt := range []struct {
		name   string
		body   []byte
		age    time.Duration
		change func(http.Header)
		status int
	}{
		{"a PING", body, 0, nil, 200},
		{"a PING of two minutes ago", body, 2 * time.Minute, nil, 200},
		{"a recording of six minutes ago", body, 6 * time.Minute, nil, 401},
		{"six minutes ahead", body, -6 * time.Minute, nil, 401},
		{"no signature", body, 0, func(h http.Header) { h.Del("X-Signature-Ed25519") }, 401},
		{"a wrong signature", body, 0, func(h http.Header) { h.Set("X-Signature-Timestamp", "1") }, 401},
		{"over a megabyte", bytes.Repeat([]byte(" "), 1<<20+1), 0, nil, 413},
		{"over a megabyte, unsigned", bytes.Repeat([]byte(" "), 1<<20+1), 0, func(h http.Header) { h.Del("X-Signature-Ed25519") }, 401},
		{"a form", body, 0, func(h http.Header) { h.Set("Content-Type", "application/x-www-form-urlencoded") }, 415},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at+"/interactions", bytes.NewReader(tt.body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		sandbox.Sign(r.Header, tt.body, time.Now().Add(-tt.age))
		if tt.change != nil {
			tt.change(r.Header)
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		said, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != tt.status || err != nil || tt.status == 200 && string(said) != `{"type":1}` {
			t.Errorf("%s: answered %d %q, want %d", tt.name, resp.StatusCode, said, tt.status)
		}
	}
	get := func(path string) string {
		resp, err := http.Get(at + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		said, err := io.ReadAll(resp.Body)
		if resp.StatusCode != 200 || err != nil {
			t.Errorf("%s: %d %q, %v", path, resp.StatusCode, said, err)
		}
		return string(said)
	}
	for path, want := range map[string]string{"/healthz": "ok\n", "/readyz": "ready\n"} {
		if said := get(path); said != want {
			t.Errorf("%s says %q", path, said)
		}
	}
	for _, line := range []string{
		`rowbot_interactions_total{asked="ttt challenge",outcome="posted"} 1`, `rowbot_interactions_total{asked="cell",outcome="updated"} 1`,
		`rowbot_answer_seconds_count{deferred="false"} 3`, "rowbot_matches_open 1", "rowbot_engine_searches 0",
	} { // a challenge counts when its message is known, a moment after it was answered
		k.poll(line, func() bool { return strings.Contains(get("/metrics"), "\n"+line+"\n") })
	}
	said := get("/metrics")
	if !strings.Contains(said, `rowbot_webhook_refused_total{status="401"} `) || strings.Contains(said, sandbox.Token) {
		t.Errorf("/metrics says\n%s", said)
	}
	board = k.update(k.bob, board, "a1")
	k.terminate()
	k.run()
	k.stones(k.update(k.alice, board, "b3"), 3, map[string]byte{"b2": 'X', "a1": 'O', "b3": 'X'})
	k.terminate()
}
