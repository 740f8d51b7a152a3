package bot_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"rowbot/match"
)

// buttons finds the custom IDs of a message's buttons by their labels.
func buttons(c call) map[string]string {
	found := map[string]string{}
	var look func(v any)
	look = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, inner := range v {
				look(inner)
			}
		case map[string]any:
			if label, ok := v["label"].(string); ok && v["type"] == float64(2) && v["disabled"] != true {
				found[label], _ = v["custom_id"].(string)
			}
			look(v["components"])
		}
	}
	look(c.data()["components"])
	return found
}

// Who or what cannot be challenged is said, with what to do instead.
func TestChallengeIsRefused(t *testing.T) {
	robot := person(carol)
	robot["bot"] = true
	resolved := func(user fields, members fields) fields {
		d := slash("ttt", "challenge", option("opponent", carol))
		d["resolved"] = fields{"users": fields{carol: user}, "members": members}
		return d
	}
	alone := fields{"guild_id": nil, "guild": nil, "guild_locale": nil, "member": nil, "user": person(alice), "context": 1}
	for _, c := range []struct {
		name, words   string
		data, changed fields
	}{
		{"oneself", "You can't challenge yourself. Try /ttt bot.", slash("ttt", "challenge", option("opponent", alice)), nil},
		{"another bot", "I only know how to play people and myself.", resolved(robot, fields{carol: fields{}}), nil},
		{"somebody who left", "They aren't in this server any more.", resolved(person(carol), fields{}), nil},
		{"a strange side", "I don't know one of those options.", slash("ttt", "challenge", option("side", "left")), nil},
		{"a strange pace", "I don't know one of those options.", slash("ttt", "challenge", option("pace", "1s")), nil},
		{"a strange size", "I don't know one of those options.", slash("gomoku", "challenge", option("size", 17)), nil},
		{"strange rules", "I don't know one of those options.", slash("gomoku", "bot", option("rules", "swap")), nil},
		{"a strange level", "I don't know one of those options.", slash("gomoku", "bot", option("level", "godlike")), nil},
		{"nobody where nobody is", "Nobody else can see this conversation.", slash("ttt", "challenge"), alone},
		{"a friend where nobody is", "Nobody else can see this conversation.", slash("ttt", "challenge", option("opponent", bob)), alone},
	} {
		t.Run(c.name, func(t *testing.T) {
			inWorld(t, func(t *testing.T, w *world) {
				w.serve(w.event(2, alice, c.data, c.changed))
				checkCall(t, w.expect(firstAnswer)[0], 4, private, c.words)
			})
		})
	}
}

// Rowbot accepts at once, and moves first where it has the first side.
func TestAgainstRowbot(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.serve(w.command(alice, "gomoku", "bot", option("side", "second"), option("size", 19), option("rules", "standard")))
		c := w.expect(withMessage)[0]
		checkCall(t, c, 4, components, "19×19 · standard · ⚫ Rowbot (random) – ⚪ <@"+alice+">", "move 2")
		m := w.only(alice)
		w.serve(w.click(alice, pressID(m.ID, m.Version, "type"), m.Where.Message))
		c = w.expect(firstAnswer)[0]
		checkCall(t, c, 9, 0, "Type a move", `"custom_id":"`+pressID(m.ID, m.Version, "type")+`"`)
		w.serve(w.submit(alice, pressID(m.ID, m.Version, "type"), free(&m), m.Where.Message))
		checkCall(t, w.expect(firstAnswer)[0], 7, components, "move 4")
		w.serve(w.command(alice, "gomoku", "draw"))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "Rowbot plays every match to its end.")
	})
	inWorld(t, func(t *testing.T, w *world) {
		w.serve(w.command(alice, "ttt", "challenge", option("opponent", appID), option("side", "first"), option("pace", "1h")))
		checkCall(t, w.expect(withMessage)[0], 4, components, "❌ <@"+alice+"> – ⭕ Rowbot (random)", "move 1")
		if m := w.only(alice); m.Pace != time.Hour || m.Status != match.Active {
			t.Errorf("pace %v, status %d", m.Pace, m.Status)
		}
	})
}

// free is an empty cell.
func free(m *match.Match) string {
	p := m.Position()
	return p.Empties()[0].String()
}

// What is no move is answered by what to do instead, and the match stays as it was.
func TestWrongMoves(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(large, board, "h8")
		for _, c := range []struct{ cell, words string }{
			{"h8", "h8 is taken. Pick an empty cell, like "},
			{" Ｈ ８ ", "h8 is taken."},
			{"8, 8", "h8 is taken."},
			{"z9", "There is no z9 on a 15×15 board: columns a–o, rows 1–15, like h8."},
			{"16 1", "There is no 16 1 on a 15×15 board"},
			{"xyz", `I can't read \"xyz\" as a cell.`},
			{"", `I can't read`},
			{"@everyone <@1>", `I can't read \"\\@everyone \\<\\@1\\>\"`},
			{strings.Repeat("`\n", 3000), `I can't read`},
		} {
			w.serve(w.command(bob, "gomoku", "move", option("cell", c.cell)))
			got := w.expect(firstAnswer)[0]
			checkCall(t, got, 4, private, c.words)
			if diff := cmp.Diff(fields{"parse": []any{}}, got.data()["allowed_mentions"]); diff != "" {
				t.Errorf("who is pinged (-want +got):\n%s", diff)
			}
		}
		w.serve(w.command(alice, "gomoku", "move", option("cell", "a1")))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "It's <@"+bob+">'s turn.")
		w.serve(w.command(bob, "gomoku", "move", option("cell", "a1"), option("match", "zzz")))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "I can't find that match among yours.")
		w.serve(w.command(carol, "gomoku", "move", option("cell", "a1"), option("match", string(m.ID))))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "I can't find that match among yours.")
		w.serve(w.command(bob, "ttt", "move", option("cell", "a1")))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "You have no match in this channel.")
		if got := w.stored(m.ID); got.Version != m.Version {
			t.Errorf("version %d became %d", m.Version, got.Version)
		}
	})
}

// A forbidden move is refused with its kind, however it is made.
func TestForbiddenMoves(t *testing.T) {
	for _, c := range []struct{ moves, cell, kind string }{
		{"i8 a1 j8 a3 h9 a5 h10 a7", "h8", "double three"},
		{"i8 a1 j8 a3 k8 a5 h9 a7 h10 a9 h11 a11", "h8", "double four"},
		{"c8 a1 d8 a3 e8 a5 g8 a7 h8 a9", "f8", "overline"},
	} {
		inWorld(t, func(t *testing.T, w *world) {
			m := w.start(match.GomokuRules(15, match.Renju), board, strings.Fields(c.moves)...)
			version := strconv.FormatUint(uint64(m.Version), 36)
			words := "Black may not play " + c.cell + ": " + c.kind + ". Five in a row would be allowed."
			w.serve(w.click(alice, pressID(m.ID, version, "cell:"+c.cell), board))
			checkCall(t, w.expect(firstAnswer)[0], 4, private, words)
			w.serve(w.command(alice, "gomoku", "move", option("cell", strings.ToUpper(c.cell))))
			checkCall(t, w.expect(firstAnswer)[0], 4, private, words)
			w.serve(w.submit(alice, pressID(m.ID, version, "type"), c.cell, board))
			checkCall(t, w.expect(firstAnswer)[0], 4, private, words)
			if got := w.stored(m.ID); got.Version != m.Version {
				t.Errorf("version %d became %d", m.Version, got.Version)
			}
		})
	}
}

// Who may answer a challenge, and what is said to the others.
func TestAnswersToChallenges(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.serve(w.command(alice, "ttt", "challenge", option("opponent", bob)))
		w.expect(withMessage)
		m := w.only(alice)
		press := func(user, verb string) call {
			w.serve(w.click(user, pressID(m.ID, 1, verb), m.Where.Message))
			return w.expect(firstAnswer)[0]
		}
		checkCall(t, press(carol, "accept"), 4, private, "This challenge is for <@"+bob+">.")
		checkCall(t, press(alice, "accept"), 4, private, "You can't accept your own challenge.")
		checkCall(t, press(bob, "withdraw"), 4, private, "Only <@"+alice+"> can withdraw this challenge.")
		w.serve(w.command(alice, "ttt", "move", option("cell", "a1")))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "<@"+bob+"> hasn't accepted the challenge yet.")
		checkCall(t, press(bob, "decline"), 7, components, "<@"+bob+"> declined.")
		w.serve(w.click(bob, pressID(m.ID, 1, "accept"), m.Where.Message))
		calls := w.expect(firstAnswer, followUp)
		checkCall(t, calls[0], 7, components, "<@"+bob+"> declined.")
		checkCall(t, calls[1], 0, private, "This challenge was declined.")
	})
	inWorld(t, func(t *testing.T, w *world) {
		w.serve(w.command(alice, "ttt", "challenge"))
		w.expect(withMessage)
		m := w.only(alice)
		for locale, words := range map[discordgo.Locale]string{
			"en-US": "You can't accept your own challenge. Wait for somebody else to, or withdraw it.",
			"ja":    "だれかが受けるのを待つか、取り下げてください。",
		} {
			w.serve(between(w.click(alice, pressID(m.ID, 1, "accept"), m.Where.Message), locale, "en-US"))
			checkCall(t, w.expect(firstAnswer)[0], 4, private, words)
		}
		time.Sleep(25 * time.Hour)
		w.serve(w.click(bob, pressID(m.ID, 1, "accept"), m.Where.Message))
		said := join(w.rest.take())
		if !strings.Contains(said, "This challenge has expired.") || w.stored(m.ID).Status != match.Lapsed {
			t.Errorf("status %d\n%s", w.stored(m.ID).Status, said)
		}
	})
}

// Whoever has been challenged answers that, and makes no challenge the other way.
func TestChallengeInReturn(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.serve(w.command(alice, "ttt", "challenge", option("opponent", bob)))
		w.expect(withMessage)
		m := w.only(alice)
		w.serve(w.command(bob, "gomoku", "challenge", option("opponent", alice)))
		checkCall(t, w.expect(firstAnswer)[0], 4, private,
			"<@"+alice+"> has challenged you already. Answer that one: https://discord.com/channels/"+guild+"/"+channel+"/"+m.Where.Message)
		w.only(bob)
		w.serve(w.click(bob, pressID(m.ID, 1, "decline"), m.Where.Message))
		w.expect(firstAnswer)
		w.serve(w.command(bob, "gomoku", "challenge", option("opponent", alice)))
		checkCall(t, w.expect(withMessage)[0], 4, components, "<@"+bob+"> challenges <@"+alice+">.")
	})
}

// Where several matches fit, the answer asks which one is meant.
func TestWhichMatch(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		first, second := w.start(large, board), w.start(large, "700000000000000002")
		w.start(small, "700000000000000003")
		w.serve(w.command(alice, "gomoku", "move", option("cell", "h8")))
		c := w.expect(firstAnswer)[0]
		checkCall(t, c, 4, private, "Which match?", `"value":"`+string(first.ID)+`"`, `"value":"`+string(second.ID)+`"`, `"custom_id":"2:cell:h8"`)
		if n := strings.Count(c.words(), `"value"`); n != 2 {
			t.Errorf("%d matches to choose from: %v", n, c)
		}
		if len(w.stored(first.ID).Moves)+len(w.stored(second.ID).Moves) != 0 {
			t.Error("it guessed")
		}
		w.serve(w.choose(alice, "2:cell:h8", string(second.ID)))
		calls := w.expect("PATCH channels/"+channel+"/messages/700000000000000002", firstAnswer)
		checkCall(t, calls[1], 7, 0, "You played h8.")

		// Only one is left where it is the caller's turn.
		w.serve(w.command(alice, "gomoku", "move", option("cell", "h8")))
		w.expect(editBoard, firstAnswer)
		w.serve(w.command(alice, "gomoku", "move", option("cell", "i8")))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "It isn't your turn in any of your matches here.")
		w.serve(w.choose(carol, "2:resign", string(second.ID)))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "I can't find that match among yours.")
	})
}

// choose picks an entry of a select on a private message.
func (w *world) choose(user, customID, value string) *discordgo.Interaction {
	w.Helper()
	data := fields{"custom_id": customID, "component_type": 3, "id": 2, "values": []string{value}}
	return w.event(3, user, data, fields{"message": message("800000000000000099", 1<<6)})
}

// A draw offer is public, pings the other side, and only they can answer it.
func TestDraw(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "b2")
		w.serve(w.command(alice, "ttt", "draw"))
		calls := w.expect("POST interactions/…", editBoard)
		checkCall(t, calls[0], 4, components, "<@"+alice+"> offers <@"+bob+"> a draw.", `"users":["`+bob+`"]`)
		checkCall(t, calls[1], 0, components, "<@"+alice+"> offers <@"+bob+"> a draw.")
		offer := buttons(calls[0])
		if len(offer) != 2 || offer["Accept"] == "" || offer["Decline"] == "" {
			t.Fatalf("buttons %v", offer)
		}
		const on = "800000000000000000"
		w.serve(w.command(alice, "ttt", "draw"))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "You have offered a draw already.")
		for user, words := range map[string]string{alice: "That one is for <@" + bob + "> to answer.", carol: "This match is between"} {
			w.serve(w.click(user, offer["Accept"], on))
			checkCall(t, w.expect(firstAnswer)[0], 4, private, words)
		}
		w.serve(w.click(bob, offer["Decline"], on))
		calls = w.expect(firstAnswer, editBoard)
		checkCall(t, calls[0], 7, components, "declined the draw. The match goes on.")
		w.serve(w.click(bob, offer["Accept"], on))
		checkCall(t, w.rest.take()[0], 7, components, "This draw offer no longer stands.")

		w.serve(w.command(alice, "ttt", "draw"))
		checkCall(t, w.rest.take()[0], 4, private, "<@"+bob+"> said no just now.")
		m = w.act(w.act(m, match.Place{At: match.Point{}}, bob), match.Place{At: match.Point{Col: 2}}, alice)
		w.serve(w.click(alice, pressID(m.ID, m.Version, "draw"), board))
		offer = buttons(w.expect("POST interactions/…", editBoard)[0])
		w.serve(w.click(bob, offer["Accept"], on))
		calls = w.expect(firstAnswer, editBoard)
		checkCall(t, calls[0], 7, components, "<@"+bob+"> accepted. A draw, agreed.")
		checkCall(t, calls[1], 0, components, "A draw · agreed")
		if got := w.stored(m.ID); got.Status != match.Drawn || got.Reason != match.ByAgreement {
			t.Errorf("status %d, reason %d", got.Status, got.Reason)
		}
	})
}

// The question before giving up is private, and its button nobody else's.
func TestResign(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(large, board, "h8")
		w.serve(w.command(alice, "gomoku", "resign"))
		c := w.expect(firstAnswer)[0]
		checkCall(t, c, 4, private, "Give up", "<@"+bob+">")
		sure := buttons(c)["Resign"]
		for _, user := range []string{bob, carol} {
			w.serve(w.clickPrivate(user, sure))
			checkCall(t, w.expect(firstAnswer)[0], 4, private, "That one is for <@"+alice+"> to answer.")
		}
		w.serve(w.clickPrivate(alice, sure))
		calls := w.expect(firstAnswer, editBoard)
		checkCall(t, calls[0], 7, 0, "You resigned.")
		checkCall(t, calls[1], 0, components, "⚪ <@"+bob+"> **won** · <@"+alice+"> resigned", "Rematch")
		w.serve(w.click(bob, pressID(m.ID, m.Version, "cell:a1"), board))
		checkCall(t, w.rest.take()[0], 7, components, "**won**")
	})
}

// The private menu has what does not fit under a large board.
func TestMenu(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(large, board, "h8")
		w.serve(w.click(alice, pressID(m.ID, m.Version, "more"), board))
		c := w.expect(firstAnswer)[0]
		checkCall(t, c, 4, private)
		if b := buttons(c); len(b) != 2 || b["Offer draw"] == "" || b["Resign"] == "" { // it is not her turn to pass
			t.Errorf("buttons %v", b)
		}
		w.serve(w.click(bob, pressID(m.ID, m.Version, "more"), board))
		pass := buttons(w.expect(firstAnswer)[0])["Pass"]
		w.serve(w.clickPrivate(bob, pass))
		calls := w.expect(editBoard, firstAnswer)
		checkCall(t, calls[0], 0, components, "last ⚪ passed")
		checkCall(t, calls[1], 7, 0, "You passed.")
		w.serve(w.clickPrivate(bob, pass))
		checkCall(t, w.expect(firstAnswer)[0], 7, 0, "The board has moved on since you opened this menu.")
		w.serve(w.command(alice, "gomoku", "pass"))
		calls = w.expect(editBoard, firstAnswer)
		checkCall(t, calls[0], 0, components, "A draw · both passed")
	})
}

// The arrows move the buttons and nothing else, for the two players.
func TestArrows(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(large, board, "h8")
		w.serve(w.command(alice, "gomoku", "board"))
		calls := w.expect(withMessage, editBoard)
		shown, on := buttons(calls[0]), calls[0].id
		for _, c := range []struct{ arrow, cell string }{{"←", "a8"}, {"↑", "a15"}, {"→", "h15"}, {"→", "o15"}, {"↓", "o9"}} {
			id, ok := shown[c.arrow]
			if !ok {
				t.Fatalf("no %s among %v", c.arrow, shown)
			}
			w.serve(w.click(bob, id, on))
			got := w.expect(firstAnswer)[0]
			checkCall(t, got, 7, components, "last ⚫ h8")
			if shown = buttons(got); shown[c.cell] != pressID(m.ID, m.Version, "cell:"+c.cell) {
				t.Errorf("behind %s is no %s: %v", c.arrow, c.cell, shown)
			}
		}
		if shown["→"] != "" {
			t.Error("one can leave the board")
		}
		w.serve(w.click(carol, shown["←"], on))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "This match is between")
		if got := w.stored(m.ID); got.Version != m.Version {
			t.Errorf("version %d became %d", m.Version, got.Version)
		}
	})
}

// A rematch starts at once, with sides swapped, and only once.
func TestRematch(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		m := w.start(small, board, "a1", "a2", "b1", "b2", "c1")
		again := pressID(m.ID, m.Version, "rematch")
		w.serve(w.click(carol, again, board))
		checkCall(t, w.expect(firstAnswer)[0], 4, private, "This match is between")
		w.serve(w.click(alice, again, board))
		calls := w.expect("GET guilds/"+guild+"/members/"+bob, withMessage, editBoard)[1:]
		checkCall(t, calls[0], 4, components, "❌ <@"+bob+"> – ⭕ <@"+alice+">", "move 1")
		checkCall(t, calls[1], 0, components, "**won**", "The rematch is here: https://discord.com/channels/"+guild+"/"+channel+"/"+calls[0].id)
		if strings.Contains(calls[1].words(), "Rematch") {
			t.Error("the old board still offers a rematch")
		}
		w.serve(w.click(bob, again, board))
		checkCall(t, w.rest.take()[0], 4, private, "The rematch is here: https://discord.com/channels/"+guild+"/"+channel+"/"+calls[0].id)
		w.only(alice)
	})
}
