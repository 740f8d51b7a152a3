package bot

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"rowbot/match"
)

func TestQuote(t *testing.T) {
	for raw, want := range map[string]string{
		"":                         "",
		"h8":                       "h8",
		"h 8":                      "h 8",
		"<@123>":                   `\<\@123\>`,
		"@everyone":                `\@everyone`,
		"<@&9> <#8> </ttt move:7>": `\<\@\&9\> \<\#8\> \<\/ttt move\:7\>`,
		"**bold** _it_ ~~no~~":     `\*\*bold\*\* \_it\_ \~\~no\~\~`,
		"`x` ```\nx\n```":          "\\`x\\` \\`\\`\\` x \\`\\`\\`",
		"||spoiler|| > # -":        `\|\|spoiler\|\| \> \# \-`,
		"[a](https://x.yz)":        `\[a\]\(https\:\/\/x\.yz\)`,
		"a\r\nb\tc\x00d":           "a  b c d",
		"a\u2028b\u2029c\u0085d":   "a b c d",
		"\u202eabc\u200b\ufeff":    "abc",
		`\*`:                       `\\\*`,
		"ｈ８，見":                     "ｈ８，見",
		"\xff\xfe":                 "\ufffd\ufffd",
		"😀:smile:":                 `😀\:smile\:`,
		strings.Repeat("é", 30):    strings.Repeat("é", 30),
		strings.Repeat("é", 31):    strings.Repeat("é", 30) + "…",
		strings.Repeat("*", 4000):  strings.Repeat(`\*`, 30) + "…",
	} {
		if got := quote(raw); got != want {
			t.Errorf("quote(%q) = %q, want %q", raw, got, want)
		}
	}
}

// A name stays on its line and turns nothing around.
func TestPlainName(t *testing.T) {
	for raw, want := range map[string]string{
		"Alice": "Alice", "": "", "Дарья": "Дарья", "👩\u200d💻": "👩\u200d💻", "*bold* @all": "*bold* @all",
		"a\u202eb\u202cc\u202ad\u202be\u202df": "abcdef", "\u2066a\u2067b\u2068c\u2069": "abc",
		"a\nb\r\nc\u2028d\u2029e\u0085f\tg": "a b  c d e f g", "\x00a\x1b[1m\x7f": "a[1m", " \n\u202e ": "",
	} {
		if got := plainName(raw); got != want {
			t.Errorf("plainName(%q) = %q, want %q", raw, got, want)
		}
	}
}

// What stands for somebody who is gone begins a sentence with a capital letter.
func TestSentencesBeginWithACapital(t *testing.T) {
	b := testBot(t)
	m := challenged(match.TicTacToeRules(), match.Person(bob), match.SideFirst)
	m.Challenger, m.Status = match.Person("gone-x"), match.Withdrawn
	for tag, want := range map[string]string{
		"en-US": "\nSomebody who left withdrew the challenge.", "de": "\nJemand von früher zieht die Herausforderung zurück.",
		"ru": "\nУшедший игрок отзывает вызов.", "es-ES": "\nAlguien que se fue retira el desafío.",
		"fr": "\nQuelqu’un qui est parti retire son défi.", "pt-BR": "\nAlguém que saiu retirou o desafio.",
		"ja": "\n退会した人 さんは挑戦を取り下げました。", "ko": "\n떠난 사람 님이 도전을 취소했어요.", "zh-CN": "\n已离开的玩家 撤回了挑战。",
	} {
		if got := b.matchText(b.texts.For(tag), &m); !strings.HasSuffix(got, want) {
			t.Errorf("%s: %q, want %q", tag, got, want)
		}
	}
}

// There is no rematch with somebody who is gone.
func TestEndWithSomebodyGone(t *testing.T) {
	b := testBot(t)
	m := started(t, match.TicTacToeRules(), match.Person(bob), "b2")
	do(t, &m, match.Leave{}, match.Person(bob))
	labels := func() (all []string) {
		for _, c := range b.endRow(b.texts.For("en-US"), &m).Components {
			all = append(all, c.Label)
		}
		return all
	}
	if got := labels(); !slices.Equal(got, []string{"Rematch", "Replay"}) {
		t.Errorf("before the name goes: %q", got)
	}
	for i := range m.Seats {
		with := m.Seats[i]
		m.Seats[i] = match.Person("gone-x")
		if got := labels(); !slices.Equal(got, []string{"Replay"}) {
			t.Errorf("seat %d is gone: %q", i, got)
		}
		m.Seats[i] = with
	}
}

// special are the characters that mean something to Discord's markdown, in
// mentions, links, timestamps and emoji.
const special = "\\`*_~|<>@#[]()-:/!+.&{}=^$%;?'\""

// Whatever a user types, in the answer nothing of it is more than text: each
// special character is escaped, it stays on its line, and it is short.
func TestQuoteIsHarmless(t *testing.T) {
	texts := testBot(t).texts
	runes := rapid.OneOf(
		rapid.SampledFrom([]rune(special)), rapid.SampledFrom([]rune("\n\r\t\u0085\u2028\u2029\u200b\u202e\ufeff\x00")),
		rapid.SampledFrom([]rune("h8 everyone")), rapid.Rune(),
	)
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.OneOf(
			rapid.StringOfN(runes, 0, 50, -1), rapid.String(),
			rapid.SampledFrom([]string{"<@123456789012345678>", "```\n", "https://discord.gg/abc", "[x](http://y.z)", "@here", "<t:1:R>", "<a:b:1>", "-# x", "\n# x"}),
		).Draw(t, "typed")
		q := quote(raw)
		sentence := texts.For("").T("not_a_cell", "Text", q, "Example", "h8", "Row", "8", "Col", "8")
		if !strings.Contains(sentence, q) {
			t.Fatalf("%q is not in %q as it is", q, sentence)
		}
		visible := 0
		for s := []rune(q); len(s) > 0; s = s[1:] {
			c := s[0]
			if unicode.IsControl(c) || unicode.In(c, unicode.Zl, unicode.Zp, unicode.Cf) {
				t.Errorf("%U is left in %q", c, q)
			}
			if c == '\\' && len(s) > 1 {
				s = s[1:]
				if !strings.ContainsRune(special+",", s[0]) {
					t.Errorf("an escape before %q in %q", s[0], q)
				}
			} else if strings.ContainsRune(special, c) {
				t.Errorf("%q is not escaped in %q", c, q)
			}
			visible++
		}
		if visible > 31 {
			t.Errorf("%d characters of %q are repeated", visible, raw)
		}
		if !utf8.ValidString(q) {
			t.Errorf("%q is not valid", q)
		}
	})
}

func TestClip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.String().Draw(t, "text")
		most := rapid.IntRange(1, 30).Draw(t, "most")
		got, all := []rune(clip(s, most)), []rune(s)
		switch {
		case len(all) <= most:
			if clip(s, most) != s {
				t.Errorf("%q became %q", s, string(got))
			}
		case len(got) != most || got[most-1] != '…' || !slices.Equal(got[:most-1], all[:most-1]):
			t.Errorf("%q, clipped to %d, became %q", s, most, string(got))
		}
	})
}

func TestLinks(t *testing.T) {
	for _, c := range []struct {
		where match.Where
		want  string
	}{
		{match.Where{}, ""},
		{match.Where{Guild: "1", Channel: "2"}, ""},
		{match.Where{Guild: "1", Channel: "2", Message: "3"}, "https://discord.com/channels/1/2/3"},
		{match.Where{Channel: "2", Message: "3"}, "https://discord.com/channels/@me/2/3"},
	} {
		if got := link(c.where); got != c.want {
			t.Errorf("%+v: %q, want %q", c.where, got, c.want)
		}
	}
	if got, want := relative(time.Unix(1764547200, 999)), "<t:1764547200:R>"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestPaceText(t *testing.T) {
	p := testBot(t).texts.For("")
	for d, want := range map[time.Duration]string{
		72 * time.Hour: "3 days", 24 * time.Hour: "1 day", 168 * time.Hour: "7 days", 36 * time.Hour: "36 hours", time.Hour: "1 hour",
		6 * time.Hour: "6 hours", 90 * time.Minute: "90 minutes", time.Minute: "1 minute", 5 * time.Minute: "5 minutes",
	} {
		if got := paceText(p, d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}
