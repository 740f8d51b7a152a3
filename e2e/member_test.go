package e2e_test

import "testing"

// There is no rematch with somebody who has left the server, until they are back.
func TestRematchWithSomebodyWhoLeft(t *testing.T) {
	t.Parallel()
	p := newParty(t)
	board := p.play(p.duel("ttt"), "a1", "a2", "b1", "b2", "c1")
	p.Playground.RemoveMember(p.Bob)
	p.told(p.click(p.alice, board, "Rematch"), "They aren't in this server any more.")
	p.unchanged(board)
	p.Playground.AddMember(p.Bob)
	p.says(p.click(p.alice, board, "Rematch").Message, "to move · move 1")
}
