package browser_test

import (
	"testing"
	"time"
)

func TestBrowserBotIsGone(t *testing.T) {
	t.Parallel()
	w := start(t, 0) // the usual three seconds
	w.lossy = true
	w.challenge(w.Games, "ttt")
	alice := w.open(w.Alice, w.Games, desktop)
	w.stop()
	alice.sees("#bot.offline", "offline")
	alice.click(cell("b2"))
	alice.sees("[data-problem]", "This interaction failed")
	alice.seesNo("[aria-busy=true]", "")
	alice.click("#entry")
	alice.press("/help ", enter)
	alice.sees("[data-note=failed]", "The application did not respond")
	alice.click("[data-note] [data-dismiss]")
	alice.seesNo("[data-note]", "")
	alice.sees("[data-message]", "@Alice to move · move 1")
}

func TestBrowserFaults(t *testing.T) {
	t.Parallel()
	w := start(t, 0)
	w.lossy = true // an answer that took two seconds too many
	w.challenge(w.Games, "ttt")
	alice := w.open(w.Alice, w.Games, desktop)
	bob := w.open(w.Bob, w.Games, desktop)
	alice.click(".bar [data-toggle=panel]")
	alice.click("#switches summary")
	alice.click("[data-fault=slow]")
	alice.sees("#faults", "Faults on: slow")
	bob.sees("#faults", "Faults on: slow") // they are for all
	alice.click(cell("b2"))
	alice.sees(cell("b2")+"[aria-busy=true]", "")
	alice.sees("[data-message]", "move 2")
	alice.click("#faults [data-heal]")
	alice.seesNo("#faults", "")
	bob.seesNo("#faults", "")

	// The next answer meets a rate limit; Rowbot asks again, and the move is played.
	alice.pick("#times", "1")
	alice.click("#panel [data-clear]")
	alice.click("[data-fault=limit]")
	alice.sees("#faults", "429")
	bob.click(cell("a3"))
	bob.sees("[data-message]", "move 3")
	alice.sees("#traffic .bad", "429")
	alice.sees("#traffic [data-kind=interaction]", "")
	alice.until("the fault is spent", `document.querySelector("[data-fault=limit]").getAttribute("aria-checked") === "false"`)
	alice.seesNo("#faults", "")

	// The bodies of an exchange are there for those who want them.
	alice.click("#traffic .bad [data-more]")
	alice.sees("#traffic .bad pre", "retry_after")
	sessions := w.Stats().Resumes + w.Stats().Identifies
	alice.click("[data-act=drop]")
	for range patience / between {
		if w.Stats().Resumes+w.Stats().Identifies > sessions {
			break
		}
		time.Sleep(between)
	}
	alice.sees("#bot.online", "online")
	alice.click(cell("c3"))
	bob.sees("[data-message]", "move 4")
}

func TestBrowserComesBack(t *testing.T) {
	t.Parallel()
	w := start(t, unhurried)
	board := w.challenge(w.Games, "ttt")
	w.plays(w.Alice, board, "b2")
	alice := w.open(w.Alice, w.Games, desktop)
	alice.sees("[data-message]", "move 2")
	ask[bool](alice, `(() => {
		const broken = document.getElementById("broken");
		new MutationObserver(() => { if (!broken.hidden) window.wasBroken = true; }).observe(broken, { attributes: true });
		return true;
	})()`)
	w.cutWindows()
	alice.until("that the connection broke", "window.wasBroken")
	w.plays(w.Bob, board, "a3") // most likely while she is away
	alice.sees("[data-message]", "⭕⬜⬜")
	alice.sees("[data-message]", "move 3")
	alice.seesNo("#broken", "")
	alice.click(cell("c1"))
	alice.sees("[data-message]", "move 4")
	if n := ask[int](alice, `document.querySelectorAll("[data-message]").length`); n != 1 {
		t.Errorf("after coming back Alice sees %d messages, want 1", n)
	}
}
