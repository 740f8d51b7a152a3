package bot

import (
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"rowbot/match"
)

// maxQuoted bounds how much of a user's own text is repeated to them.
const maxQuoted = 30

// quote makes a text from a user harmless to repeat: one line, short, no
// markdown and no mention.
func quote(s string) string {
	var b strings.Builder
	n := 0
	for _, c := range s {
		if n++; n > maxQuoted {
			b.WriteRune('…')
			break
		}
		switch {
		case unicode.IsControl(c) || unicode.In(c, unicode.Zl, unicode.Zp):
			c = ' '
		case unicode.Is(unicode.Cf, c): // invisible and direction-changing
			continue
		case c < unicode.MaxASCII && (unicode.IsPunct(c) || unicode.IsSymbol(c)):
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// capital makes a sentence begin with a capital letter, in languages that have
// them: what stands for a person who is gone may come first.
func capital(s string) string {
	first, size := utf8.DecodeRuneInString(s)
	if !unicode.IsLower(first) {
		return s
	}
	return string(unicode.ToUpper(first)) + s[size:]
}

// plainName makes a user's name fit to stand in a line of plain text, where
// nothing can be escaped: one line, and no change of direction that would turn
// what follows around.
func plainName(s string) string {
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		switch {
		case c == '\n', c == '\r', c == '\t', c == '\u0085', c == '\u2028', c == '\u2029':
			return ' '
		case unicode.IsControl(c), c >= '\u202a' && c <= '\u202e', c >= '\u2066' && c <= '\u2069':
			return -1
		}
		return c
	}, s))
}

// asciiDigits maps full-width digits, as East Asian keyboards have them, to those of ASCII.
func asciiDigits(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= '０' && c <= '９' {
			return c - '０' + '0'
		}
		return c
	}, s)
}

// clip cuts a label to what Discord takes.
func clip(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-1]) + "…"
}

// mention names a user so that every reader sees the name they know.
func mention(user string) string { return "<@" + user + ">" }

// relative is a time that Discord shows each reader as "in 3 hours".
func relative(t time.Time) string {
	return "<t:" + strconv.FormatInt(t.Unix(), 10) + ":R>"
}

// dateAndTime is a time that Discord shows in full, in each reader's zone.
func dateAndTime(t time.Time) string {
	return "<t:" + strconv.FormatInt(t.Unix(), 10) + ":f>"
}

// link leads to the message that shows a match; "" where none is known.
func link(w match.Where) string {
	if w.Message == "" {
		return ""
	}
	guild := w.Guild
	if guild == "" {
		guild = "@me"
	}
	return "https://discord.com/channels/" + guild + "/" + w.Channel + "/" + w.Message
}
