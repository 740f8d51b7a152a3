package e2e_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"rowbot/match"
	"rowbot/persistence"
	"rowbot/sandbox"
)

// hold keeps the store locked, as another program could, until release.
func (p *party) hold() (release func()) {
	p.t.Helper()
	other, err := persistence.OpenSQLite(p.t.Context(), p.file)
	if err != nil {
		p.t.Fatal(err)
	}
	locked, free := make(chan struct{}), make(chan struct{})
	var holding sync.WaitGroup
	holding.Go(func() {
		err := other.Update(context.Background(), func(match.Tx) error {
			close(locked)
			<-free
			return nil
		})
		if err != nil {
			p.t.Errorf("hold the store: %v", err)
		}
	})
	<-locked
	return func() {
		close(free)
		holding.Wait()
		other.Close()
	}
}

// While the store makes Rowbot wait, people see in time that they have been
// heard, and get their answers when it goes on.
func TestStoreIsSlow(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	small, large := p.duel("ttt"), p.play(p.duel("gomoku"), "h8")
	form := p.click(p.bob, large, "Type a move").Modal
	alone := p.slash(p.chen, "ttt bot").Message
	release := p.hold()
	var all sync.WaitGroup
	all.Go(func() { p.stones(p.update(p.alice, small, "b2"), 1, map[string]byte{"b2": 'X'}) })
	all.Go(func() {
		r, err := p.bob.SubmitModal(t.Context(), form, map[string]string{"cell": "a1"})
		if err != nil {
			t.Error(err)
			return
		}
		p.stones(p.resolve(r).Updated, 2, map[string]byte{"a1": 'O'})
	})
	all.Go(func() {
		p.told(p.slash(p.chen, "ttt move", sandbox.String("cell", "a3")), "You played a3.")
	})
	all.Go(func() {
		offer := p.slash(p.alice, "gomoku challenge", sandbox.UserOption("opponent", p.Chen)).Message
		p.says(offer, p.Alice.Mention()+" challenges "+p.Chen.Mention())
		p.says(p.update(p.chen, offer, "Accept"), "to move")
	})
	all.Go(func() {
		p.told(p.slash(p.chen, "help"), "**How to play**") // which needs no store
		for range 26 {
			<-time.After(100 * time.Millisecond)
		}
		release()
	})
	all.Wait()
	p.stones(p.await(alone, "move 3"), 2, map[string]byte{"a3": 'X'})
}

// A store that does not work is our fault, and said to be.
func TestStoreFails(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.duel("ttt")
	if err := p.db.Close(); err != nil {
		t.Fatal(err)
	}
	const sorry = "Something went wrong on my side; your match is safe. Try again. ("
	r := p.click(p.alice, board, "b2")
	p.told(r, sorry+r.InteractionID)
	p.told(p.slash(p.alice, "ttt move", sandbox.String("cell", "b2")), sorry)
	p.told(p.slash(p.alice, "matches"), sorry)
	p.told(p.slash(p.alice, "gomoku challenge"), sorry)
	if _, err := p.alice.Autocomplete(t.Context(), "ttt move", "cell", "b"); err != nil {
		t.Error(err)
	}
	p.unchanged(board)
	p.stop()
	p.connect()
	p.stones(p.update(p.alice, board, "b2"), 1, map[string]byte{"b2": 'X'})
}
