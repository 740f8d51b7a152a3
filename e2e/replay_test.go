package e2e_test

import (
	"bytes"
	"fmt"
	"image/gif"
	"strings"
	"testing"

	"rowbot/sandbox"
)

// TestReplay steps through a finished match, forth and back, and takes it along.
func TestReplay(t *testing.T) {
	t.Parallel()
	w := start(t)
	alice, bob := w.Alice.In(w.Games), w.Bob.In(w.Games)
	w.told("I know no such finished match here. Pick one from the list that opens behind the match option of /replay.")(
		alice.Slash(t.Context(), "replay"))
	moves := strings.Fields("h8 a1 h9 b1 h10 c1 h11 e1 h12")
	tb := w.challenge(alice, bob, "gomoku").play(moves...)

	r := &reel{world: w, by: w.Chen.In(w.Games), moves: moves}
	r.message = w.see(r.by.Slash(t.Context(), "replay"))
	r.shows(0, "First", "Back")
	for ply := range moves {
		r.click("Next")
		if ply+1 < len(moves) {
			r.shows(ply + 1)
		}
	}
	r.shows(len(moves), "Next", "Last")
	if !strings.Contains(r.message.Text(), w.Alice.Mention()+" **won** · five in a row, h8–h12 · 9 moves") {
		t.Errorf("the end is\n%s", r.message.Text())
	}
	r.click("Back")
	r.shows(8)
	r.click("First")
	r.shows(0, "First", "Back")
	r.click("Last")
	r.shows(9, "Next", "Last")
	r.jump("4")
	r.shows(4)
	r.jump("　３ ")
	r.shows(3)
	r.jump(" 0 ")
	r.shows(0, "First", "Back")
	for _, wrong := range []string{"10", "h8", "٣"} {
		w.told(fmt.Sprintf("There is no move %q here. Take a number from 0 to 9.", wrong))(r.typed(wrong))
	}
	r.files()

	// From the finished board, for the caller alone.
	own := w.see(bob.Click(t.Context(), tb.board, "Replay"))
	if !own.Ephemeral() || own.Button("Next") == nil {
		t.Errorf("the board's own replay (private: %t) is\n%s", own.Ephemeral(), own.Text())
	}
	r = &reel{world: w, by: bob, moves: moves, message: own}
	r.shows(9, "Next", "Last")
	r.click("Back")
	r.shows(8)
}

// reel is a replay as somebody looks at it.
type reel struct {
	*world
	by      sandbox.Seat
	moves   []string
	message *sandbox.Message
}

func (r *reel) click(label string) {
	r.t.Helper()
	id := r.message.ID
	if r.message = r.see(r.by.Click(r.t.Context(), r.message, label)); r.message.ID != id {
		r.t.Fatalf("%s is answered by another message", label)
	}
}

// shows checks the board after so many plies, and which buttons are of no use.
func (r *reel) shows(ply int, useless ...string) {
	r.t.Helper()
	want := map[string]int{}
	for i, c := range r.moves[:ply] {
		want[c] = i % 2
	}
	sameStones(r.t, want, boardOf(r.t, r.message).stones)
	line := fmt.Sprintf("Replay: move %d of %d", ply, len(r.moves))
	if ply > 0 {
		line += " · " + marks["gomoku"][(ply-1)%2] + " " + r.moves[ply-1]
	}
	if got := strings.Split(r.message.Text(), "\n")[1]; got != line {
		r.t.Errorf("it says %q, want %q", got, line)
	}
	var disabled []string
	for _, b := range r.message.Buttons() {
		if b.Disabled {
			disabled = append(disabled, b.Label)
		}
	}
	if got, want := strings.Join(disabled, " "), strings.Join(useless, " "); got != want {
		r.t.Errorf("disabled at ply %d: %q, want %q", ply, got, want)
	}
}

func (r *reel) typed(text string) (*sandbox.Reply, error) {
	r.t.Helper()
	form, err := r.by.Click(r.t.Context(), r.message, "Jump")
	if err != nil || form.Modal == nil {
		r.t.Fatalf("no form opens: %v", err)
	}
	return r.by.SubmitModal(r.t.Context(), form.Modal, map[string]string{form.Modal.Fields()[0].CustomID: text})
}

func (r *reel) jump(text string) {
	r.t.Helper()
	r.message = r.see(r.typed(text))
}

// files takes the match along in each form.
func (r *reel) files() {
	r.t.Helper()
	take := func(label string) []byte {
		r.t.Helper()
		m := r.see(r.by.Click(r.t.Context(), r.message, label))
		if len(m.Attachments) != 1 || !m.Ephemeral() || !strings.HasSuffix(m.Attachments[0].Filename, "."+strings.ToLower(label)) {
			r.t.Fatalf("%s: files %v in\n%s", label, m.Attachments, m.Text())
		}
		return m.Attachments[0].Data
	}
	film, err := gif.DecodeAll(bytes.NewReader(take("GIF")))
	if err != nil || len(film.Image) < len(r.moves)+1 {
		r.t.Errorf("the film: error %v", err)
	}
	psq := strings.Split(string(take("PSQ")), "\n")
	sgf := string(take("SGF"))
	at := 0
	for i, c := range r.moves {
		col, row := cellAt(c)
		x, y := col+1, 15-row
		if !strings.HasPrefix(psq[i+1], fmt.Sprintf("%d,%d,", x, y)) {
			r.t.Errorf("PSQ has %q for %s", psq[i+1], c)
		}
		ply := fmt.Sprintf(";%c[%c%c]", "BW"[i%2], 'a'+x-1, 'a'+y-1)
		if found := strings.Index(sgf[at:], ply); found < 0 {
			r.t.Errorf("SGF lacks %s for %s:\n%s", ply, c, sgf)
		} else {
			at += found
		}
	}
}

// TestReplayChosen: which matches are offered where, and that another server's
// are not to be had.
func TestReplayChosen(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	p.play(p.duel("ttt"), "a1", "a2", "b1", "b2", "c1")
	p.duel("gomoku") // still running
	list := func(by sandbox.Seat, typed string) (names, values []string) {
		t.Helper()
		found, err := by.Autocomplete(t.Context(), "replay", "match", typed)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range found {
			names, values = append(names, c.Name), append(values, fmt.Sprint(c.Value))
		}
		return names, values
	}
	names, values := list(p.chen, "")
	if len(names) != 1 || !strings.Contains(names[0], " · Tic-tac-toe · Alice – Bob · Alice won · 5 moves") {
		t.Fatalf("offered: %q", names)
	}
	if names, _ := list(p.chen, "ALICE w"); len(names) != 1 {
		t.Errorf("offered for part of it: %q", names)
	}
	if names, _ := list(p.chen, "gomoku"); len(names) != 0 {
		t.Errorf("offered for another game: %q", names)
	}
	chosen := sandbox.String("match", values[0])
	p.says(p.slash(p.chen, "replay", chosen).Message, "Replay: move 0 of 5")

	hall := p.AddGuild("Elsewhere", sandbox.GuildOptions{Owner: p.Chen, Members: []*sandbox.Person{p.Alice}}).AddChannel("hall")
	if names, _ := list(p.Chen.In(hall), ""); len(names) != 0 {
		t.Errorf("offered in another server: %q", names)
	}
	p.told(p.slash(p.Chen.In(hall), "replay", chosen), "I know no such finished match here.")
	p.says(p.slash(p.Alice.In(hall), "replay", chosen).Message, "Replay: move 0 of 5") // her own
}
