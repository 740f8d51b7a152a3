package e2e_test

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	"rowbot/sandbox"
)

// party is a few people in #games with Rowbot. Each step that they take has to
// be answered.
type party struct {
	*world
	alice, bob, chen sandbox.Seat
}

// party is of those who are in #games.
func (w *world) party() *party {
	return &party{world: w, alice: w.Alice.In(w.Games), bob: w.Bob.In(w.Games), chen: w.Chen.In(w.Games)}
}

func newParty(t testing.TB, change ...func(*sandbox.Options)) *party {
	t.Helper()
	return start(t, change...).party()
}

// newGatewayParty is a party whose interactions come over the gateway in any case: for
// what the connection, or an answer that is a call of its own, has to do with it.
func newGatewayParty(t testing.TB, change ...func(*sandbox.Options)) *party {
	t.Helper()
	w := standIn(t, change...)
	w.webhook = false
	w.connect()
	return w.party()
}

// stuck is how long a test waits for what ought to come. Under the race detector, beside
// all other tests, a film alone may take a quarter of that.
const stuck = time.Minute

// limit bounds every waiting: it only ends a test that fails.
func (p *party) limit() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(p.t.Context()), stuck)
}

func (p *party) slash(by sandbox.Seat, command string, options ...sandbox.Option) *sandbox.Reply {
	p.t.Helper()
	r, err := by.Slash(p.t.Context(), command, options...)
	if err != nil {
		p.t.Fatalf("/%s: %v", command, err)
	}
	return p.resolve(r)
}

// resolve waits for the contents of an answer that was put off.
func (p *party) resolve(r *sandbox.Reply) *sandbox.Reply {
	p.t.Helper()
	if !r.Deferred {
		return r
	}
	ctx, cancel := p.limit()
	defer cancel()
	m, err := r.Resolve(ctx)
	if err != nil {
		p.t.Fatalf("an answer was put off and never came: %v", err)
	}
	if r.Message != nil {
		r.Message = m
	} else {
		r.Updated = m
	}
	return r
}

func (p *party) click(by sandbox.Seat, m *sandbox.Message, key string) *sandbox.Reply {
	p.t.Helper()
	r, err := by.Click(p.t.Context(), m, key)
	if err != nil {
		p.t.Fatalf("click %q: %v\n%s", key, err, m.Text())
	}
	return p.resolve(r)
}

// update clicks and returns the message that carries the button, as it is then.
func (p *party) update(by sandbox.Seat, m *sandbox.Message, key string) *sandbox.Message {
	p.t.Helper()
	r := p.click(by, m, key)
	if r.Updated == nil {
		p.t.Fatalf("click %q was answered with: %s", key, r.Text())
	}
	return r.Updated
}

// told checks that an answer is for the caller alone and begins with a text.
func (p *party) told(r *sandbox.Reply, want string) {
	p.t.Helper()
	if r.Message == nil || !r.Ephemeral || !strings.HasPrefix(r.Text(), want) {
		p.t.Errorf("answer (ephemeral: %t) = %q, want the private one %q", r.Ephemeral, r.Text(), want)
	}
}

// now is a message's present state.
func (p *party) now(m *sandbox.Message) *sandbox.Message {
	p.t.Helper()
	now := p.Message(m.ChannelID, m.ID)
	if now == nil {
		p.t.Fatalf("the message is gone:\n%s", m.Text())
	}
	return now
}

// await waits until a message says something.
func (p *party) await(m *sandbox.Message, text string) *sandbox.Message {
	p.t.Helper()
	return p.until(m, func(m *sandbox.Message) bool { return strings.Contains(m.Text(), text) })
}

// until waits until a message is as it has to be.
func (p *party) until(m *sandbox.Message, is func(*sandbox.Message) bool) *sandbox.Message {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	now, err := p.Wait(ctx, m.ChannelID, m.ID, is)
	if err != nil {
		p.t.Fatalf("waited in vain: %v, the message is:\n%s", err, p.now(m).Text())
	}
	return now
}

// duel is a match of Alice, who moves first, against Bob.
func (p *party) duel(game string, options ...sandbox.Option) *sandbox.Message {
	p.t.Helper()
	options = append(options, sandbox.UserOption("opponent", p.Bob), sandbox.String("side", "first"))
	offer := p.slash(p.alice, game+" challenge", options...)
	return p.update(p.bob, offer.Message, "Accept")
}

// play clicks cells in turn, Alice's first, and returns the board after them.
func (p *party) play(board *sandbox.Message, cells ...string) *sandbox.Message {
	p.t.Helper()
	for i, cell := range cells {
		by := p.alice
		if i%2 == 1 {
			by = p.bob
		}
		board = p.update(by, board, cell)
	}
	return board
}

var (
	smallRow = regexp.MustCompile(`(?m)^[❌⭕⬜]{3}$`)
	largeRow = regexp.MustCompile(`(?m)^ ?(\d+)((?:[ \[\]][.+!XO])+)[ \]]?$`)
)

// stonesIn reads the stones of a board out of a message's text, each by its
// cell: 'X' for the first side, 'O' for the second.
func stonesIn(m *sandbox.Message) map[string]byte {
	stones := map[string]byte{}
	put := func(col int, row string, sign byte) {
		if sign == 'X' || sign == 'O' {
			stones[string(rune('a'+col))+row] = sign
		}
	}
	for i, line := range smallRow.FindAllString(m.Text(), -1) {
		for col, r := range []rune(line) {
			put(col, string(rune('3'-i)), map[rune]byte{'❌': 'X', '⭕': 'O'}[r])
		}
	}
	for _, row := range largeRow.FindAllStringSubmatch(m.Text(), -1) {
		for col := range len(row[2]) / 2 {
			put(col, row[1], row[2][2*col+1])
		}
	}
	return stones
}

// stones checks which cells of a board are taken, by how many in all.
func (p *party) stones(m *sandbox.Message, total int, want map[string]byte) {
	p.t.Helper()
	got := stonesIn(m)
	if len(got) != total {
		p.t.Errorf("%d stones on the board, want %d:\n%s", len(got), total, m.Text())
	}
	for cell, sign := range want {
		if got[cell] != sign {
			p.t.Errorf("%s holds %q, want %q:\n%s", cell, got[cell], sign, m.Text())
		}
	}
}

func (p *party) says(m *sandbox.Message, parts ...string) {
	p.t.Helper()
	for _, part := range parts {
		if !strings.Contains(m.Text(), part) {
			p.t.Errorf("the message lacks %q:\n%s", part, m.Text())
		}
	}
}

// pressable are the buttons of a message that can be pressed.
func pressable(m *sandbox.Message) string {
	var out []string
	for _, b := range m.Buttons() {
		if !b.Disabled {
			out = append(out, b.Label)
		}
	}
	return strings.Join(out, ", ")
}

func (p *party) buttons(m *sandbox.Message, want string) {
	p.t.Helper()
	if got := pressable(m); got != want {
		p.t.Errorf("the buttons are %q, want %q:\n%s", got, want, m.Text())
	}
}

// unchanged checks that a message is still the very same state.
func (p *party) unchanged(m *sandbox.Message) {
	p.t.Helper()
	if now := p.now(m); now.Text() != m.Text() || pressable(now) != pressable(m) {
		p.t.Errorf("the message changed from\n%s\nto\n%s", m.Text(), now.Text())
	}
}

func (p *party) invite(game string) *sandbox.Message {
	p.t.Helper()
	r := p.slash(p.alice, game+" challenge", sandbox.UserOption("opponent", p.Bob), sandbox.String("side", "first"))
	if r.Message == nil || r.Ephemeral {
		p.t.Fatalf("the challenge is not public: %s", r.Text())
	}
	return r.Message
}

// poll waits for what nothing tells of.
func (p *party) poll(what string, is func() bool) {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	for !is() {
		select {
		case <-ctx.Done():
			p.t.Fatalf("waited in vain for %s", what)
		case <-time.After(time.Millisecond):
		}
	}
}

// shownBy returns when Alice's match is known to be shown by a message: a
// moment after it was posted.
func (p *party) shownBy(m *sandbox.Message) {
	p.t.Helper()
	p.poll("the message to become the match's board", func() bool {
		return strings.Contains(p.slash(p.alice, "matches").Text(), m.ID)
	})
}

// awaitNew waits for a message of the channel that says something and has a
// button for a rematch.
func (p *party) awaitNew(c *sandbox.Channel, text string) *sandbox.Message {
	p.t.Helper()
	ctx, cancel := p.limit()
	defer cancel()
	m, err := p.Wait(ctx, c.ID(), "", func(m *sandbox.Message) bool {
		return strings.Contains(m.Text(), text) && m.Button("Rematch") != nil
	})
	if err != nil {
		p.t.Fatalf("no message with %q came: %v", text, err)
	}
	return m
}
