package bot_test

import "testing"

// The form of a replay shows nothing of a match that goes on, and takes the place
// of no board.
func TestForgedJump(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		running := w.start(large, board, "h8", "h9")
		w.serve(w.submit(carol, "4:"+string(running.ID)+":jump:0", "1", "800000000000000098"))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "I know no such finished match here.")

		const there = "700000000000000002"
		over := w.start(small, there, "a1", "a2", "b1", "b2", "c1")
		jump := "4:" + string(over.ID) + ":jump:0"
		w.serve(w.submit(carol, jump, "１", there))
		checkCall(t, w.expect(firstAnswer)[0], 4, components+private, "Replay: move 1 of 5")
		w.serve(w.submit(carol, jump, "2", "800000000000000098"))
		checkCall(t, w.expect(firstAnswer)[0], 7, components, "Replay: move 2 of 5")
	})
}
