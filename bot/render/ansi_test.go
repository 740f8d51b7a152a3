package render_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"rowbot/bot/render"
	"rowbot/match"
)

var sequence = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestANSIIsMono: without its sequences a coloured board is the plain one, and
// where there is no room for them it is so with them.
func TestANSIIsMono(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rules := match.GomokuRules(int8(rapid.SampledFrom([]int{15, 19}).Draw(t, "side")), match.Renju)
		m := match.Match{Rules: rules, Status: match.Active}
		for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, rules.Cells()-1), 0, rules.Cells(), rapid.ID).Draw(t, "stones") {
			m.Moves = append(m.Moves, match.Point{Col: int8(n % int(rules.Cols)), Row: int8(n / int(rules.Cols))})
		}
		v := render.Of(&m)
		mono, ansi := render.Mono(v), render.ANSI(v, 1<<20)
		if bare := sequence.ReplaceAllString(ansi, ""); strings.Replace(bare, "```ansi\n", "```\n", 1) != mono {
			t.Errorf("without colours\n%s\nwant\n%s", bare, mono)
		}
		all := sequence.FindAllString(ansi, -1)
		if strings.Contains(sequence.ReplaceAllString(ansi, ""), "\x1b") || all[len(all)-1] != "\x1b[0m" {
			t.Errorf("a colour is left on: %q", ansi)
		}
		if got := render.ANSI(v, len(ansi)); got != ansi {
			t.Error("falls back where it fits")
		}
		if got := render.ANSI(v, len(ansi)-1); got != mono {
			t.Errorf("does not fall back: %q", got)
		}
	})
}

func TestANSIColours(t *testing.T) {
	m := match.Match{Rules: match.GomokuRules(15, match.Freestyle), Status: match.Active}
	for _, s := range []string{"a15", "b15", "d15"} {
		at, err := m.Rules.ParsePoint(s)
		if err != nil {
			t.Fatal(err)
		}
		m.Moves = append(m.Moves, at)
	}
	row := strings.Split(render.ANSI(render.Of(&m), 4000), "\n")[2]
	const (
		black, white, mark, empty = "\x1b[0;1;34m", "\x1b[0;1;33m", "\x1b[0;1;32m", "\x1b[0;30m"
	)
	want := "15 \x1b[1;34mX " + white + "O " + empty + "." + mark + "[" + black + "X" + mark + "]" + empty + ". "
	if !strings.HasPrefix(row, want) {
		t.Errorf("%q\nbegins not with\n%q", row, want)
	}
}
