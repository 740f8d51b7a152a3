package bot_test

import (
	"strings"
	"testing"
)

// A message of a match that is not stored, since the store is an older copy, says so
// whatever is pressed there.
func TestPressOnALostMatch(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		const lost = "I no longer know this match. Start another one with a challenge command. The ones I know: /matches"
		ids := []string{"4:zzz:next:4", "4:zzz:gif:4"}
		for verb := range strings.FieldsSeq("accept decline withdraw cell:h8 left:h8 type more pass resign giveup:b draw agree refuse rematch choose:black board") {
			ids = append(ids, pressID("zzz", 4, verb))
		}
		for _, id := range ids {
			w.serve(w.click(alice, id, board))
			calls := w.expect(firstAnswer)
			checkCall(t, calls[0], 4, private, lost)
		}
		w.serve(w.submit(alice, pressID("zzz", 4, "type"), "h8", board))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, lost)
	})
}
