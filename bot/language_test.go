package bot

import (
	"testing"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"rowbot/bot/locale"
	"rowbot/match"
)

// In every language the message of every match is one that Discord takes, and
// has the same buttons.
func TestBoardsOfAllLanguages(t *testing.T) {
	b := testBot(t)
	rapid.Check(t, func(t *rapid.T) {
		m := anyMatch(t)
		w := anyWindow(t, m.Rules)
		next := m
		next.Where = match.Where{Channel: "7", Message: "8"}
		messages := func(p locale.Printer) []message {
			l := look{Printer: p}
			return []message{b.board(l, &m, w), b.retired(l, &m), b.followed(l, &m, &next)}
		}
		english := messages(b.texts.For(locale.English))
		for _, tag := range b.texts.Tags() {
			for i, msg := range messages(b.texts.For(tag)) {
				checkLimits(t, msg)
				if diff := cmp.Diff(pressed(t, english[i]), pressed(t, msg)); diff != "" {
					t.Errorf("%s: buttons (-en +%s)\n%s", tag, tag, diff)
				}
			}
		}
	})
}

func pressed(t rapid.TB, m message) (ids []string) {
	_, rows := parts(t, m)
	for _, r := range rows {
		for _, c := range r {
			ids = append(ids, c.CustomID)
		}
	}
	return ids
}

// The fullest board there is, with a draw offered on it and the longest
// identifiers, leaves room in every language.
func TestCrowdedBoardsOfAllLanguages(t *testing.T) {
	b := testBot(t)
	m := crowded(t, 19)
	do(t, &m, match.OfferDraw{}, m.ToMove())
	for _, tag := range b.texts.Tags() {
		msg := b.retired(look{Printer: b.texts.For(tag)}, &m)
		checkLimits(t, msg)
		if text, _ := parts(t, msg); utf8.RuneCountInString(text) > 2000 {
			t.Errorf("%s: the board has %d characters", tag, utf8.RuneCountInString(text))
		}
	}
}

// The longest list of matches fits in every language, with Discord's longest IDs.
func TestListsOfAllLanguages(t *testing.T) {
	b := testBot(t)
	const id = "18446744073709551615"
	m := started(t, match.GomokuRules(19, match.Renju), match.Person(bob), "a1")
	m.Where = match.Where{Guild: id, Channel: id, Message: id}
	challenge := challenged(match.GomokuRules(19, match.Renju), match.Person(bob), match.SideFirst)
	challenge.Where = m.Where
	for _, tag := range b.texts.Tags() {
		for _, user := range []string{alice, bob} {
			r := &request{mine: b.texts.For(tag), user: &discordgo.User{ID: user}}
			for _, x := range []match.Match{m, challenge} {
				// One line for each, a heading, and the note that there are more.
				if n := (maxListed + 2) * (utf8.RuneCountInString(b.listLine(r, &x)) + 1); n > 4000 {
					t.Errorf("%s: %d characters", tag, n)
				}
			}
		}
	}
}
