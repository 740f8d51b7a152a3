package match_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"rowbot/match"
)

// kinds are what is tried, as often as it makes for matches that get somewhere.
var kinds = map[string][]string{
	"asked": {"accept", "accept", "accept", "any"},
	"playing": {
		"stone", "stone", "stone", "stone", "stone", "stone", "stone", "stone", "stone", "stone",
		"stone", "stone", "stone", "stone", "stone", "stone", "stone", "stone", "stone", "stone",
		"off", "pass", "offer", "answer", "any",
	},
}

// anyDeed draws an action, and who does it.
func (w *model) anyDeed(t *rapid.T) (match.Action, match.Player) {
	by := []match.Player{alice, bob, carol, rowbot, nobody}[roll(5).Draw(t, "by")]
	if w.phase == "playing" && roll(4).Draw(t, "in turn") > 0 {
		by = w.next
	}
	kind := "any"
	if of := kinds[w.phase]; of != nil {
		kind = of[roll(len(of)).Draw(t, "kind")]
	}
	switch kind {
	case "accept":
		return match.Accept{}, by
	case "stone": // within three columns
		at := match.Point{Col: int8(roll(3).Draw(t, "col")), Row: int8(roll(min(int(w.rules.Rows), 6)).Draw(t, "row"))}
		return match.Place{At: at}, by
	case "off":
		return match.Place{At: match.Point{Col: rapid.Int8().Draw(t, "anycol"), Row: rapid.Int8().Draw(t, "anyrow")}}, by
	case "pass":
		return match.PassTurn{}, by
	case "offer":
		return match.OfferDraw{}, by
	case "answer":
		return []match.Action{match.AgreeDraw{}, match.RefuseDraw{}}[roll(2).Draw(t, "answer")], by
	}
	return everyAction[roll(len(everyAction)).Draw(t, "action")], by
}

// TestLifeOfAMatch lets anybody do anything at any time and compares with the model.
func TestLifeOfAMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := anyRules.Draw(t, "rules")
		w := &model{
			rules: r, challenger: alice, phase: "asked", version: 1,
			invited:  []match.Player{bob, nobody, rowbot}[roll(3).Draw(t, "invited")],
			deadline: noon.Add(expiry), stones: map[match.Point]match.Player{}, hold: map[match.Player]int{},
		}
		m := challenge("ttt", w.invited, match.Side(roll(3).Draw(t, "side")))
		m.Rules, m.Seed = r, rapid.Uint64().Draw(t, "seed")
		now := noon
		for after := 0; after < 3; {
			if w.over() {
				after++
			}
			if now = now.Add(time.Minute); roll(60).Draw(t, "wait") == 0 {
				now = now.Add([]time.Duration{expiry, pace}[roll(2).Draw(t, "long")])
			}
			a, by := w.anyDeed(t)
			if now.After(w.deadline) && roll(2).Draw(t, "sweep") == 0 {
				a, by = match.Expire{}, nobody
			}
			m = w.both(t, m, a, by, now)
			w.compare(t, m)
		}
	})
}

// both lets match and model act and returns the match after that.
func (w *model) both(t *rapid.T, m match.Match, a match.Action, by match.Player, now time.Time) match.Match {
	was := guard(&m)
	next, err := m.Apply(a, by, now)
	was.check(t, &m)
	why := w.act(a, by, now, next.Seats)
	if got := fmt.Sprint(err); (why == "" && err != nil) || (why != "" && got != string(why)) {
		t.Fatalf("%#v by %v: %v, want %q", a, by, err, why)
	}
	if why == "" {
		if !next.Changed.Equal(now) {
			t.Fatalf("changed %v, want %v", next.Changed, now)
		}
		return next
	}
	if diff := cmp.Diff(m, next); diff != "" {
		t.Fatalf("%#v by %v was refused and changed (-was +is)\n%s", a, by, diff)
	}
	return next
}
