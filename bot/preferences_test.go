package bot_test

import (
	"strings"
	"testing"
	"time"

	"rowbot/bot"
)

// Where nobody is told that it is their turn, what remains to be chosen is whether one
// is told that the time runs out.
func TestNoticesToChoose(t *testing.T) {
	const turn, late = "tell me when I've been away and it's my turn", "tell me when my time to move is running out"
	for after, words := range map[time.Duration][2]string{time.Minute: {turn, late}, 0: {late, turn}} {
		inWorldOf(t, bot.Options{TurnNotice: after}, func(t *testing.T, w *world) {
			w.serve(w.command(alice, "preferences", ""))
			panel := w.expect(firstAnswer)[0]
			checkCall(t, panel, 4, private+components, words[0], "never tell me")
			if strings.Contains(panel.words(), words[1]) {
				t.Errorf("told after %v: %q is offered", after, words[1])
			}
		})
	}
}
