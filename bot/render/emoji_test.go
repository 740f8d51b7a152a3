package render_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"rowbot/bot/render"
	"rowbot/match"
)

func TestEmoji(t *testing.T) {
	for _, c := range []struct{ name, moves string }{
		{"emoji_empty", ""},
		{"emoji_some", "b3 b2"},
		{"emoji_corners", "a1 c3 a3 c1"},
		{"emoji_won", "a1 b1 b2 c1 c3"},
		{"emoji_full", "a1 b1 c1 b2 a2 c2 b3 a3 c3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			golden(t, c.name, render.Emoji(view(t, small, c.moves)))
		})
	}
}

func TestEmojiAnyMatch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMatch(t, small)
		lines := strings.Split(render.Emoji(render.Of(m)), "\n")
		if len(lines) != 3 {
			t.Fatalf("%d lines", len(lines))
		}
		p := m.Position()
		for i, line := range lines {
			cells := []rune(line)
			if len(cells) != 3 {
				t.Fatalf("line %q", line)
			}
			for col, got := range cells {
				at := match.Point{Col: int8(col), Row: int8(2 - i)}
				want := map[match.Stone]rune{match.Empty: '⬜', match.Black: '❌', match.White: '⭕'}[p.At(at)]
				if got != want {
					t.Errorf("%v is %c, want %c", at, got, want)
				}
			}
		}
	})
}

func TestMark(t *testing.T) {
	for _, c := range []struct {
		game  match.Game
		stone match.Stone
		want  string
	}{
		{match.TicTacToe, match.Black, "❌"},
		{match.TicTacToe, match.White, "⭕"},
		{match.TicTacToe, match.Empty, "⬜"},
		{match.Gomoku, match.Black, "⚫"},
		{match.Gomoku, match.White, "⚪"},
	} {
		if got := render.Mark(c.game, c.stone); got != c.want {
			t.Errorf("%s %d is %s, want %s", c.game, c.stone, got, c.want)
		}
	}
}
