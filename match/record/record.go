// Package record writes matches down in the formats that other programs read:
// SGF, which most editors and collections of board games know, and PSQ, in which
// the gomoku manager Piskvork and the Gomocup tournament keep their games.
//
// It imports match; package bot is its user.
package record

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain returns a name as it can stand in a line of text: a space for each
// control character and each end of a line, and U+FFFD for bytes that are no text.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(name, string(utf8.RuneError)))
}
