package render

import (
	"strings"

	"rowbot/match"
)

// The colours of a coloured board, as the numbers of SGR sequences. Discord knows
// 30 to 37 for the foreground, 0 and 1 for plain and bold.
const (
	plainSGR  = "0"
	emptySGR  = "30"   // grey, so that the stones stand out
	blackSGR  = "1;34" // blue, since black cannot be seen on a dark ground
	whiteSGR  = "1;33" // yellow, which can be seen on a light one
	markedSGR = "1;32" // the last stone, or the line that won
	barredSGR = "1;31"
)

// ANSI draws the board like [Mono], with the same characters, in colours: a
// phone that does not show them shows just what Mono shows. Where the colours
// would take more characters than there is room for, it is Mono.
func ANSI(v View, most int) string {
	mono := Mono(v)
	lines := strings.Split(strings.TrimSuffix(strings.TrimPrefix(mono, "```\n"), "\n```"), "\n")
	s := brush{now: plainSGR}
	s.out.WriteString("```ansi\n")
	s.paint(lines[0], plainSGR)
	won := len(v.Line) > 0
	for _, line := range lines[1:] {
		s.out.WriteByte('\n')
		s.paint(line[:2], plainSGR)
		marked := false
		for i := 2; i < len(line); i++ {
			switch c := line[i]; c {
			case '[':
				marked = true
				s.paint("[", markedSGR)
			case ']':
				marked = false
				s.paint("]", markedSGR)
			case ' ':
				marked = false
				s.out.WriteByte(' ')
			default:
				s.paint(string(c), sgrOf(c, marked && won))
			}
		}
	}
	s.paint("", plainSGR)
	s.out.WriteString("\n```")
	if s.out.Len() > most {
		return mono
	}
	return s.out.String()
}

// sgrOf is the colour of a cell's sign.
func sgrOf(sign byte, won bool) string {
	switch {
	case won:
		return markedSGR
	case sign == signOf[match.Black]:
		return blackSGR
	case sign == signOf[match.White]:
		return whiteSGR
	case sign == '!':
		return barredSGR
	}
	return emptySGR
}

// brush writes text in colours, with a sequence only where the colour changes.
type brush struct {
	out strings.Builder
	now string
}

func (b *brush) paint(s, sgr string) {
	if sgr != b.now {
		b.out.WriteString("\x1b[")
		if b.now != plainSGR && sgr != plainSGR {
			b.out.WriteString(plainSGR + ";") // bold stays on otherwise
		}
		b.out.WriteString(sgr + "m")
		b.now = sgr
	}
	b.out.WriteString(s)
}
